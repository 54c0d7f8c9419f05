#include "viz/timeline/range_controller.h"

namespace bubblescope::viz {

RangeController::RangeController(QObject* parent) : QObject(parent)
{
    m_rest.setSingleShot(true);
    m_rest.setInterval(restMs);
    connect(&m_rest, &QTimer::timeout, this, &RangeController::settle);
}

void RangeController::setTrace(TimeRange trace)
{
    if (trace.empty())
        trace = {0, unitOfEmptiness};
    if (trace == m_trace)
        return;
    const bool followsAll = showsAll();
    m_trace = trace;
    Q_EMIT traceChanged(m_trace);
    setVisible(followsAll ? m_trace : m_visible);
    // Nobody went anywhere: other runs are shown. The place is the same one, with other times.
    if (followsAll)
        m_places[m_place] = m_visible;
}

void RangeController::setVisible(TimeRange visible)
{
    visible = clampRange(visible, m_trace);
    if (visible == m_visible)
        return;
    m_visible = visible;
    m_rest.start();
    Q_EMIT visibleChanged(m_visible);
}

void RangeController::setSelection(TimeRange selection)
{
    if (selection.empty())
        selection = {};
    if (selection == m_selection)
        return;
    m_selection = selection;
    Q_EMIT selectionChanged(m_selection);
}

void RangeController::setCursor(std::optional<Nanoseconds> cursor)
{
    if (cursor == m_cursor)
        return;
    m_cursor = cursor;
    Q_EMIT cursorChanged();
}

void RangeController::pan(double shareOfVisible)
{
    const auto by = static_cast<Nanoseconds>(shareOfVisible * static_cast<double>(m_visible.length()));
    setVisible(panBy(m_visible, by, m_trace));
}

void RangeController::fit()
{
    if (m_selection.empty() || m_selection == m_visible)
        showAll();
    else
        setVisible(m_selection);
}

void RangeController::fit(TimeRange wanted)
{
    const TimeRange before = m_visible;
    if (!wanted.empty())
        setVisible({wanted.begin - wanted.length() / 2, wanted.end + wanted.length() / 2});
    if (m_visible == before)
        showAll();
}

void RangeController::reveal(TimeRange wanted)
{
    if (wanted.begin >= m_visible.begin && wanted.end <= m_visible.end)
        return;
    if (wanted.length() > m_visible.length()) {
        setVisible({wanted.begin - wanted.length() / 8, wanted.end + wanted.length() / 8});
        return;
    }
    const Nanoseconds begin = wanted.begin + wanted.length() / 2 - m_visible.length() / 2;
    setVisible({begin, begin + m_visible.length()});
}

void RangeController::settle()
{
    m_rest.stop();
    if (m_places[m_place] == m_visible)
        return;
    m_places.resize(m_place + 1);
    m_places.push_back(m_visible);
    if (m_places.size() > mostPlaces)
        m_places.erase(m_places.begin());
    m_place = m_places.size() - 1;
}

void RangeController::goTo(std::size_t place)
{
    m_place = place;
    setVisible(m_places[place]);
    m_places[place] = m_visible; // the trace may have become shorter since
    m_rest.stop();
}

void RangeController::back()
{
    settle();
    if (m_place > 0)
        goTo(m_place - 1);
}

void RangeController::forward()
{
    settle();
    if (m_place + 1 < m_places.size())
        goTo(m_place + 1);
}

} // namespace bubblescope::viz
