// The one owner of what is visible: trace ⊇ visible ⊇ nothing else; selection and cursor beside it.
//
// Ruler, timelines and charts listen to it and none talks to another, so that any number of timelines
// zoom and pan as one. Times are aligned time: a run's own time plus the offset of its timeline, which is
// 0 for run A.
//
// Places where the view came to rest are remembered, so that back() and forward() walk through them: a
// turn of the wheel or a drag is one place, not a hundred.

#pragma once

#include "viz/timeline/coordinates.h"

#include <QObject>
#include <QTimer>

#include <optional>
#include <vector>

namespace bubblescope::viz {

class RangeController : public QObject {
    Q_OBJECT

public:
    explicit RangeController(QObject* parent = nullptr);

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

    /// `wanted` with some room around it unless that is shown already; then everything.
    void fit(TimeRange wanted);

    /// Brings `wanted` into view: pans where that is enough, zooms out where it is longer than the view.
    void reveal(TimeRange wanted);

    void back();
    void forward();

    bool canGoBack() const { return m_place > 0 || m_places[m_place] != m_visible; }

    bool canGoForward() const { return m_place + 1 < m_places.size() && m_places[m_place] == m_visible; }

    /// The view has come to rest: where it is becomes a place of the history.
    void settle();

    void showAll() { setVisible(m_trace); }

    bool showsAll() const { return m_visible == m_trace; }

Q_SIGNALS:
    void traceChanged(TimeRange trace);
    void visibleChanged(TimeRange visible);
    void selectionChanged(TimeRange selection);
    void cursorChanged();

private:
    void goTo(std::size_t place);

    TimeRange m_trace{0, unitOfEmptiness};
    TimeRange m_visible{0, unitOfEmptiness};
    TimeRange m_selection;
    std::optional<Nanoseconds> m_cursor;
    std::vector<TimeRange> m_places{{0, unitOfEmptiness}};
    std::size_t m_place = 0; ///< in m_places: where the view is, or last rested
    QTimer m_rest;

    static constexpr int restMs = 400;
    static constexpr std::size_t mostPlaces = 200;
    static constexpr Nanoseconds unitOfEmptiness = 10'000'000; ///< what an axis without data shows
};

} // namespace bubblescope::viz
