// What the inspector says about a bar or a gap, as rows of text: no widgets, so that tests read it.

#pragma once

#include "viz/timeline/run_painter.h"

#include <QString>

#include <utility>
#include <vector>

namespace bubblescope::viz {

struct Inspection {
    QString title;                                 ///< "B · Device 2 · idle 1.16 ms"
    std::vector<std::pair<QString, QString>> rows; ///< name and value
    QString story;                                 ///< full sentences
};

/// Empty title when nothing is picked.
Inspection inspect(const RunPicture& picture, const Pick& pick);

} // namespace bubblescope::viz
