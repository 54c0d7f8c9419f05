// A time in a badge above the frame of a timeline: that of the cursor, and that of a replay.

#pragma once

#include "viz/theme/theme.h"
#include "viz/timeline/coordinates.h"

#include <QFont>
#include <QPainter>

namespace bubblescope::viz {

/// The badge ends at `bottom`, is centred at the time, and never leaves the axis. Nothing for a time that isn't visible.
void paintTimeBadge(QPainter& painter, const TimeAxis& axis, Nanoseconds time, double bottom, const Theme& theme,
                    const QFont& font);

} // namespace bubblescope::viz
