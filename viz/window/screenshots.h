// Pictures of the window in its main states, for the README and for looking at.

#pragma once

#include <QString>

namespace bubblescope::viz {

/// Writes one PNG per state into `folder`. 0, or 1 when a picture couldn't be written.
int writeScreenshots(const QString& folder);

} // namespace bubblescope::viz
