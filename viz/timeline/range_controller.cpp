#include "viz/timeline/range_controller.h"

namespace bubblescope::viz {

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
}

void RangeController::setVisible(TimeRange visible)
{
    visible = clampRange(visible, m_trace);
    if (visible == m_visible)
        return;
    m_visible = visible;
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

} // namespace bubblescope::viz
