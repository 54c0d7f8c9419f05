#include "viz/replay/replay_overlay.h"

#include "viz/timeline/time_badge.h"

#include <QEvent>

namespace bubblescope::viz {

ReplayOverlay::ReplayOverlay(TimelineView& view, RangeController& range, bool topmost)
    : QWidget(&view), m_view(view), m_range(range), m_topmost(topmost)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    setGeometry(view.rect());
    view.installEventFilter(this);
    connect(&range, &RangeController::visibleChanged, this, qOverload<>(&QWidget::update));
    show();
}

void ReplayOverlay::setMoment(Nanoseconds time, Upcoming upcoming)
{
    if (time == m_time && upcoming == m_upcoming)
        return;
    m_time = time;
    m_upcoming = upcoming;
    update();
}

void ReplayOverlay::paintEvent(QPaintEvent*)
{
    if (!m_view.picture().run)
        return;
    QPainter painter(this);
    const RunLayout places = m_view.layout();
    // The view and its run have a time of their own; the badge says the time of the axis.
    const TimeAxis axis = places.axis(m_view.visible());
    const Nanoseconds own = m_time - m_view.offset();
    const Theme& theme = currentTheme();
    paintUpcoming(painter, m_view.picture(), places, axis, own, m_upcoming, theme);
    paintPlayhead(painter, axis, own, m_topmost ? places.frame.top() - 3 : 0, height(), theme);
    if (m_topmost)
        paintTimeBadge(painter, places.axis(m_range.visible()), m_time, places.frame.top() - 1, theme, font());
}

bool ReplayOverlay::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        setGeometry(m_view.rect());
    return QWidget::eventFilter(watched, event);
}

} // namespace bubblescope::viz
