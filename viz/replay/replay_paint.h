// What a replay paints over a timeline: the playhead, and a veil over the tasks that haven't begun.

#pragma once

#include "viz/timeline/run_painter.h"

namespace bubblescope::viz {

/// What is to be seen of tasks that haven't begun.
enum class Upcoming { Shown, Dimmed, Hidden };

/// Until when a row is seen at a time: to the end of the task that runs, which has begun.
Nanoseconds begunUntil(const TimelineRow& row, Nanoseconds time);

/// Veils what lies after, row by row.
void paintUpcoming(QPainter& painter, const RunPicture& picture, const RunLayout& places, const TimeAxis& axis,
                   Nanoseconds time, Upcoming upcoming, const Theme& theme);

/// The line from `top` to `bottom`; nothing outside the frame of `places`.
void paintPlayhead(QPainter& painter, const TimeAxis& axis, Nanoseconds time, double top, double bottom,
                   const Theme& theme);

} // namespace bubblescope::viz
