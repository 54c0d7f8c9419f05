// A time on a device of a shown run: what a figure points at.

#pragma once

#include "core/schedule/schedule.h"
#include "viz/timeline/coordinates.h"

namespace bubblescope::viz {

struct RunInterval {
    int slot = 0; ///< 0 is A
    int device = 0;
    LaneKind lane = LaneKind::Compute;
    TimeRange time;
};

} // namespace bubblescope::viz
