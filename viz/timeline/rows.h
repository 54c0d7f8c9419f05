// The rows of a timeline: what is drawn for each lane of a run, in the form that drawing needs.
//
//     RunView ── rowsOf() ──► TimelineRow: label | bars by time | gaps by time
//
// A bar is a span, or a joined unit (two tasks in one interval, drawn above each other). Bars of a row
// never overlap, so what is visible is found by binary search; what overlaps in a lane stands in further
// rows of it. Bars and gaps are made from the run's columns when they are asked for: a row of a million
// spans costs nothing beside them. Spans without length ("moments") come after the bars, by an index of
// their own, and may lie on top of them.

#pragma once

#include "core/trace/lane_columns.h"
#include "viz/run/run_view.h"
#include "viz/timeline/coordinates.h"

#include <QString>

#include <cstdint>
#include <iterator>
#include <memory>
#include <set>
#include <vector>

namespace bubblescope::viz {

struct Bar {
    Nanoseconds start = 0;
    Nanoseconds end = 0;
    std::uint32_t span = 0; ///< index of its first span in the lane as recorded
    Work work = Work::Forward;
    Work lowerWork = Work::Forward; ///< of the last task of a joined unit
    bool joined = false;
    bool critical = false;   ///< slack 0
    std::uint8_t shade = 0;  ///< rank of its stage on the device: chunks differ in lightness
    std::int32_t number = 0; ///< microbatch, the label; −1: no label
    std::uint32_t name = 0;  ///< of what is no task: index into the run's names

    /// Takes no time: drawn as a mark.
    bool moment() const { return end <= start; }
};

struct GapBar {
    static constexpr std::uint32_t unexplained = 0xffffffff;

    Nanoseconds start = 0;
    Nanoseconds end = 0;
    std::uint32_t gap = 0; ///< index in IdleReport::gaps, or `unexplained` where the report lists none
};

/// Values made on demand, indexed like a vector.
template <class List, class Value>
class ListIterator {
public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = Value;
    using difference_type = std::ptrdiff_t;
    using pointer = const Value*;
    using reference = Value;

    ListIterator() = default;

    ListIterator(const List& list, std::size_t index) : m_list(&list), m_index(index) {}

    Value operator*() const { return (*m_list)[m_index]; }

    ListIterator& operator++() { return *this += 1; }

    ListIterator& operator--() { return *this += -1; }

    ListIterator operator++(int) { return ListIterator(*m_list, m_index++); }

    ListIterator& operator+=(difference_type by)
    {
        m_index = static_cast<std::size_t>(static_cast<difference_type>(m_index) + by);
        return *this;
    }

    friend ListIterator operator+(ListIterator at, difference_type by) { return at += by; }

    friend difference_type operator-(const ListIterator& a, const ListIterator& b)
    {
        return static_cast<difference_type>(a.m_index) - static_cast<difference_type>(b.m_index);
    }

    friend bool operator==(const ListIterator& a, const ListIterator& b) { return a.m_index == b.m_index; }

    friend bool operator!=(const ListIterator& a, const ListIterator& b) { return a.m_index != b.m_index; }

private:
    const List* m_list = nullptr;
    std::size_t m_index = 0;
};

/// The bars of a row: first those with a length, by time; then the moments, by time.
class BarList {
public:
    BarList() = default;
    BarList(std::shared_ptr<const TraceColumns> columns, std::size_t lane, std::size_t subLane);

    std::size_t size() const { return solid() + moments().size(); }

    bool empty() const { return size() == 0; }

    /// Those with a length; the moments have the indices from here on.
    std::size_t solid() const { return spans().size(); }

    Bar operator[](std::size_t index) const;

    Bar front() const { return (*this)[0]; }

    Bar back() const { return (*this)[size() - 1]; }

    using Iterator = ListIterator<BarList, Bar>;

    Iterator begin() const { return {*this, 0}; }

    Iterator end() const { return {*this, size()}; }

    /// What a bar stands for: task or name, weight version, times. More than one for a joined unit.
    std::vector<Span> spansOf(std::size_t index) const;
    Span spanOf(std::size_t index) const;

    /// The bars that are at least partly inside [begin, end), as indices [first, last); without moments.
    std::pair<std::size_t, std::size_t> inside(TimeRange range) const;

    /// The moments inside [begin, end), as indices [first, last).
    std::pair<std::size_t, std::size_t> momentsInside(TimeRange range) const;

    const SpanColumns& spans() const;
    const SpanColumns& moments() const;

    /// What the bars are made of; null for an empty list.
    const std::shared_ptr<const TraceColumns>& columns() const { return m_columns; }

    /// Rank of a kind's stage among those of the lane.
    std::uint8_t shadeOf(const SpanKind& kind) const;

    bool critical(std::size_t index) const { return index < m_critical.size() && m_critical[index]; }

    /// Marks the bars whose tasks `isCritical` names.
    template <class Predicate>
    void markCritical(Predicate isCritical)
    {
        m_critical.assign(size(), false);
        for (std::size_t i = 0; i < m_critical.size(); ++i) {
            const Span span = spanOf(i);
            m_critical[i] = span.name == 0 && isCritical(span.task);
        }
    }

private:
    const LaneColumns& lane() const { return m_columns->lanes[m_lane]; }

    Bar barOf(const SpanColumns& from, std::size_t index) const;
    void rankStages();

    std::shared_ptr<const TraceColumns> m_columns;
    std::size_t m_lane = 0;
    std::size_t m_subLane = 0;
    std::vector<std::uint32_t> m_stages; // (pipe, stage) by rank
    std::vector<bool> m_critical;
};

/// The idle times of a row: those of the run's idle report, or (where that lists none) what lies between busy times.
class GapList {
public:
    GapList() = default;

    explicit GapList(std::vector<GapBar> listed) : m_listed(std::move(listed)) {}

    GapList(std::shared_ptr<const TraceColumns> columns, std::size_t lane, TimeRange within);

    std::size_t size() const { return m_columns ? busy().size() + 1 : m_listed.size(); }

    bool empty() const { return size() == 0; }

    /// A derived one may be empty (start == end): between bars that touch.
    GapBar operator[](std::size_t index) const;

    GapBar front() const { return (*this)[0]; }

    GapBar back() const { return (*this)[size() - 1]; }

    using Iterator = ListIterator<GapList, GapBar>;

    Iterator begin() const { return {*this, 0}; }

    Iterator end() const { return {*this, size()}; }

    /// The first gap that ends after `time`.
    std::size_t firstEndingAfter(Nanoseconds time) const;

    /// Not listed by the report: the gaps are the complement of busy().
    bool derived() const { return m_columns != nullptr; }

    const SpanColumns& busy() const { return m_columns->lanes[m_lane].busy(); }

private:
    std::vector<GapBar> m_listed;
    std::shared_ptr<const TraceColumns> m_columns;
    std::size_t m_lane = 0;
    TimeRange m_within;
};

struct TimelineRow {
    int lane = 0;    ///< index in Trace::lanes
    int subLane = 0; ///< above 0: what overlaps with the row above
    int device = 0;
    QString label;   ///< "Device 3", or "send" for a lane that isn't the compute lane
    QString caption; ///< utilisation
    BarList bars;
    GapList gaps;
    bool hasLanes = false;  ///< a compute row whose device has other lanes, too
    bool lanesOpen = false; ///< and they are shown
    bool pinned = false;
    TimeRange idleWithin; ///< where time without a bar is idle time, hatched; empty: nowhere
};

/// What was hit or selected.
struct Pick {
    enum class Kind { None, Bar, Gap };

    Kind kind = Kind::None;
    int row = -1;
    int index = -1; ///< in bars or gaps of the row

    friend bool operator==(const Pick& a, const Pick& b)
    {
        return a.kind == b.kind && a.row == b.row && a.index == b.index;
    }

    friend bool operator!=(const Pick& a, const Pick& b) { return !(a == b); }
};

struct RowOptions {
    bool allLanes = false;  ///< also send, receive, collective and copy lanes
    std::set<int> toggled;  ///< devices that do it the other way round
    std::set<QString> pins; ///< names of lanes that stand on top, whether open or not

    bool opens(int device) const { return allLanes != (toggled.count(device) != 0); }
};

std::vector<TimelineRow> rowsOf(const RunView& run, const RowOptions& options = {});

/// The columns of a run, made where it has none because it is small.
std::shared_ptr<const TraceColumns> columnsOfRun(const RunView& run);

/// What a lane is called when nothing stands around it: "Device 3", "Device 3 · copy-in 1".
QString laneName(const RunView& run, int lane);

/// The first row of *the* compute lane of a device.
bool isComputeRow(const RunView& run, const TimelineRow& row);

/// The bar of a row at a time, `slop` being how far beside a bar still counts; −1 when there is none.
/// With a slop, a moment that near is hit before the bar that it lies on.
int barAt(const TimelineRow& row, Nanoseconds time, Nanoseconds slop = 0);
int gapAt(const TimelineRow& row, Nanoseconds time);

/// The moment nearest to a time, as an index of the row's bars; −1 when none is as near as `slop`.
int momentAt(const TimelineRow& row, Nanoseconds time, Nanoseconds slop);

/// What comes after (`by` > 0) or before something on its row: bars, moments and, where asked for, gaps, by start.
/// Nothing at the end of the row.
Pick neighbour(const TimelineRow& row, const Pick& from, int by, bool gaps = true);

/// Begin and end of what was picked on its row; empty for nothing, and for a moment.
TimeRange timeOf(const TimelineRow& row, const Pick& pick);

/// First bar that ends after `time`.
std::size_t firstVisibleBar(const TimelineRow& row, Nanoseconds time);

} // namespace bubblescope::viz
