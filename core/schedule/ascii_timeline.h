// A timeline as text: a row per lane, time to the right.
//
//     ms 0              5              10
//     0: F0 F1 F2 .. .. .. B0--- .. .. B1--- …      F0 took one unit, B0 two; dots are idle
//     1: .. F0 F1 F2 B0--- …
//
// A row whose lane works on several stages names the stage too: 4F0. Where tasks are shorter than
// their labels, labels shrink to F0, then to F; tasks shorter than a column aren't drawn.

#pragma once

#include "core/schedule/schedule.h"
#include "core/simulate/simulate.h"

#include <string>

namespace bubblescope {

/// At most `width` columns. Every line ends with a line feed.
std::string asciiTimeline(const Schedule& schedule, const Timing& timing, int width = 120);

} // namespace bubblescope
