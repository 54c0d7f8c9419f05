// The one owner of what is visible: trace ⊇ visible ⊇ nothing else; selection and cursor beside it.
//
// Ruler, timelines and charts listen to it and none talks to another, so that any number of timelines
// zoom and pan as one.

#pragma once

#include "viz/timeline/coordinates.h"

#include <QObject>

#include <optional>

namespace bubblescope::viz {

class RangeController : public QObject {
    Q_OBJECT

public:
    explicit RangeController(QObject* parent = nullptr) : QObject(parent) {}

    const TimeRange& trace() const { return m_trace; }

    const TimeRange& visible() const { return m_visible; }

    const TimeRange& selection() const { return m_selection; }

    std::optional<Nanoseconds> cursor() const { return m_cursor; }

    /// All there is to see. A view of everything stays a view of everything; otherwise the visible range
    /// is kept where that is possible.
    void setTrace(TimeRange trace);

    void setVisible(TimeRange visible);

    /// An empty range selects nothing.
    void setSelection(TimeRange selection);

    void setCursor(std::optional<Nanoseconds> cursor);

    void zoom(Nanoseconds at, double factor) { setVisible(zoomAround(m_visible, at, factor, m_trace)); }

    void pan(double shareOfVisible);

    /// The selection if there is one and it isn't what is shown already; else everything.
    void fit();

    void showAll() { setVisible(m_trace); }

    bool showsAll() const { return m_visible == m_trace; }

Q_SIGNALS:
    void traceChanged(TimeRange trace);
    void visibleChanged(TimeRange visible);
    void selectionChanged(TimeRange selection);
    void cursorChanged();

private:
    TimeRange m_trace{0, unitOfEmptiness};
    TimeRange m_visible{0, unitOfEmptiness};
    TimeRange m_selection;
    std::optional<Nanoseconds> m_cursor;

    static constexpr Nanoseconds unitOfEmptiness = 10'000'000; ///< what an axis without data shows
};

} // namespace bubblescope::viz
