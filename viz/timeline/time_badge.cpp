#include "viz/timeline/time_badge.h"

#include "viz/timeline/time_text.h"

#include <QFontMetricsF>

#include <algorithm>

namespace bubblescope::viz {

void paintTimeBadge(QPainter& painter, const TimeAxis& axis, Nanoseconds time, double bottom, const Theme& theme,
                    const QFont& font)
{
    if (time < axis.range.begin || time > axis.range.end)
        return;
    QFont small = font;
    small.setPointSizeF(std::max(1.0, small.pointSizeF() * 0.9));
    small.setBold(true);
    const QFontMetricsF metrics(small);
    const QString text = timeText(time);
    const QSizeF size(metrics.horizontalAdvance(text) + metrics.averageCharWidth() * 2, metrics.height() * 1.15);
    const double left = std::clamp(timeToPixel(axis, time) - size.width() / 2, axis.left,
                                   std::max(axis.left, axis.left + axis.width - size.width()));
    const QRectF badge(QPointF(left, bottom - size.height()), size);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.cursor);
    painter.drawRoundedRect(badge, 3, 3);
    painter.setFont(small);
    painter.setPen(theme.labelOn(theme.cursor));
    painter.drawText(badge, Qt::AlignCenter, text);
}

} // namespace bubblescope::viz
