// Times and rates as people read them: "36.5 ms", "31.4 %".

#pragma once

#include "core/schedule/task.h"

#include <QString>

namespace bubblescope::viz {

/// Three or four significant digits in the unit that fits: ns, µs, ms, s.
QString timeText(Nanoseconds time);

/// A tick: as many digits as the distance of two ticks needs, in the unit that fits the visible end.
QString tickText(Nanoseconds time, Nanoseconds step, Nanoseconds visibleEnd);

/// "31.4 %"
QString percentText(double share);

/// "4" or "3.5": up to two digits, no trailing zeros.
QString countText(double number);

} // namespace bubblescope::viz
