// The arrows of the picked task: where its inputs come from and where its results go.
//
// With a plan they are the dataflow of the schedule; what isn't drawn (a closed lane, a barrier without
// duration) is passed over. Without one they are the messages that the trace recorded.

#pragma once

#include "viz/timeline/run_painter.h"

#include <vector>

namespace bubblescope::viz {

struct FlowArrows {
    std::vector<Pick> before; ///< by start
    std::vector<Pick> after;  ///< by start

    bool empty() const { return before.empty() && after.empty(); }
};

/// Empty for gaps and for tasks that depend on nothing that is drawn.
FlowArrows flowOf(const RunPicture& picture, const Pick& pick);

/// The one that ] and [ go to at first: the first on another device, otherwise the first.
std::size_t mainFlow(const RunPicture& picture, const Pick& pick, const std::vector<Pick>& ends);

} // namespace bubblescope::viz
