#include "viz/timeline/stack_parts.h"

#include <QScrollArea>

namespace bubblescope::viz {

QRectF frameIn(double width, const QFont& font)
{
    return layoutRun(QRectF(0, 0, width, 10), 1, TimelineMetrics(font), 10).frame;
}

TimelineRuler::TimelineRuler(RangeController& range, QScrollArea& timelines) : m_range(range), m_timelines(timelines)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&range, &RangeController::visibleChanged, this, qOverload<>(&QWidget::update));
}

QSize TimelineRuler::sizeHint() const
{
    return {100, static_cast<int>(TimelineMetrics(font()).rulerHeight)};
}

void TimelineRuler::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), currentTheme().canvas);
    const TimelineMetrics metrics(font());
    // As wide as the timelines, which may have a scroll bar beside them.
    const QRectF area(0, 0, m_timelines.viewport()->width(), height());
    const RunLayout places = layoutRun(area, 1, metrics, 10);
    paintRuler(painter, area.adjusted(0, 0, -metrics.margin / 2, 0), places.axis(m_range.visible()), currentTheme(),
               font());
}

TimelineLegend::TimelineLegend()
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void TimelineLegend::setPictures(std::vector<const RunPicture*> pictures)
{
    m_pictures = std::move(pictures);
    update();
}

QSize TimelineLegend::sizeHint() const
{
    return {100, static_cast<int>(TimelineMetrics(font()).legendHeight)};
}

void TimelineLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), currentTheme().canvas);
    const TimelineMetrics metrics(font());
    const QRectF area = QRectF(rect()).adjusted(metrics.margin + metrics.labelWidth, 0, -metrics.margin, 0);
    paintLegend(painter, area, m_pictures, currentTheme(), font());
}

} // namespace bubblescope::viz
