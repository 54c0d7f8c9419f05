#include "viz/replay/replay_paint.h"

namespace bubblescope::viz {
namespace {

bool isVisible(const TimeAxis& axis, Nanoseconds time)
{
    return time >= axis.range.begin && time <= axis.range.end;
}

} // namespace

Nanoseconds begunUntil(const TimelineRow& row, Nanoseconds time)
{
    const int running = barAt(row, time);
    return running < 0 ? time : row.bars[static_cast<std::size_t>(running)].end;
}

void paintUpcoming(QPainter& painter, const RunPicture& picture, const RunLayout& places, const TimeAxis& axis,
                   Nanoseconds time, Upcoming upcoming, const Theme& theme)
{
    if (upcoming == Upcoming::Shown || time >= axis.range.end)
        return;
    QColor veil = theme.canvas;
    veil.setAlpha(upcoming == Upcoming::Hidden ? 255 : 185);
    for (std::size_t index = 0; index < picture.rows.size(); ++index) {
        const QRectF row = places.rowRect(static_cast<int>(index));
        const double from = std::max(row.left() + 1, timeToPixel(axis, begunUntil(picture.rows[index], time)));
        if (from < row.right() - 1)
            // A little higher than the row: with fractional scales the raster may be, too.
            painter.fillRect(QRectF(QPointF(from, row.top() - 1), QPointF(row.right() - 1, row.bottom() + 1)), veil);
    }
}

void paintPlayhead(QPainter& painter, const TimeAxis& axis, Nanoseconds time, double top, double bottom,
                   const Theme& theme)
{
    if (!isVisible(axis, time))
        return;
    const double x = timeToPixel(axis, time);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.cursor, 2));
    painter.drawLine(QPointF(x, top), QPointF(x, bottom));
}

} // namespace bubblescope::viz
