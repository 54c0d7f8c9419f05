#include "viz/timeline/rows.h"

#include "viz/timeline/time_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>
#include <utility>

namespace bubblescope::viz {
namespace {

const SpanColumns& noSpans()
{
    static const SpanColumns none;
    return none;
}

bool carriesNumber(Work work)
{
    return isCompute(work) && work != Work::Filler;
}

std::uint32_t pipeStage(const SpanKind& kind)
{
    return (std::uint32_t{kind.pipe.value} << 16) | kind.stage.value;
}

using TaskKey = std::pair<std::uint64_t, std::uint64_t>;

/// Task identities on the critical path, sorted.
std::vector<TaskKey> criticalTasks(const RunView& run)
{
    std::vector<TaskKey> keys;
    for (std::size_t task = 0; task < run.slack.size(); ++task)
        if (run.slack[task] == 0)
            keys.push_back(run.plan->schedule.tasks[task].key());
    std::sort(keys.begin(), keys.end());
    return keys;
}

/// Name, share of busy time and gaps of a compute row.
void describeDevice(TimelineRow& row, const RunView& run, const std::shared_ptr<const TraceColumns>& columns)
{
    row.label = deviceName(run, row.device);
    row.idleWithin = {run.idle.begin, run.idle.end};
    const auto device = static_cast<std::size_t>(row.device);
    if (device < run.idle.devices.size() && run.makespan() > 0)
        row.caption =
            percentText(static_cast<double>(run.idle.devices[device].busy) / static_cast<double>(run.makespan()));
    if (run.columns) {
        row.gaps = GapList(columns, static_cast<std::size_t>(row.lane), row.idleWithin);
        return;
    }
    const auto& gaps = run.idle.gaps; // sorted by device
    auto gap =
        std::partition_point(gaps.begin(), gaps.end(), [&](const auto& each) { return each.device < row.device; });
    std::vector<GapBar> listed;
    for (; gap != gaps.end() && gap->device == row.device; ++gap)
        listed.push_back({gap->start, gap->end, static_cast<std::uint32_t>(gap - gaps.begin())});
    row.gaps = GapList(std::move(listed));
}

} // namespace

BarList::BarList(std::shared_ptr<const TraceColumns> columns, std::size_t lane, std::size_t subLane)
    : m_columns(std::move(columns)), m_lane(lane), m_subLane(subLane)
{
    rankStages();
}

/// Rank of each stage among those of its lane, one pipe after the other, so that chunks and the two directions
/// of bidirectional schedules can be told apart. What belongs to no stage alone (the vocabulary) doesn't count.
void BarList::rankStages()
{
    std::set<std::uint32_t> stages;
    const auto take = [&stages](const SpanColumns& spans) {
        for (const SpanChunk& chunk : spans.chunks())
            for (const SpanKind& kind : chunk.kinds)
                if (!kind.named && onGrid(kind.work))
                    stages.insert(pipeStage(kind));
    };
    for (const SpanColumns& subLane : lane().subLanes)
        take(subLane);
    take(lane().moments);
    m_stages.assign(stages.begin(), stages.end());
}

std::uint8_t BarList::shadeOf(const SpanKind& kind) const
{
    const auto found = std::lower_bound(m_stages.begin(), m_stages.end(), pipeStage(kind));
    if (kind.named || found == m_stages.end() || *found != pipeStage(kind))
        return 0;
    return static_cast<std::uint8_t>(std::min<std::ptrdiff_t>(found - m_stages.begin(), 255));
}

const SpanColumns& BarList::spans() const
{
    return m_columns ? lane().subLanes[m_subLane] : noSpans();
}

const SpanColumns& BarList::moments() const
{
    return m_columns && m_subLane == 0 ? lane().moments : noSpans();
}

Bar BarList::barOf(const SpanColumns& from, std::size_t index) const
{
    const SpanColumns::Place place = from.place(index);
    const SpanChunk& chunk = from.chunks()[place.chunk];
    const SpanKind& kind = chunk.kinds[chunk.kind[place.at]];
    Bar bar;
    bar.start = chunk.start(place.at);
    bar.end = chunk.end(place.at);
    bar.span = chunk.sourceOf(place.at);
    bar.work = kind.work;
    bar.shade = shadeOf(kind);
    const std::uint32_t number = chunk.number[place.at];
    bar.number = !kind.named && carriesNumber(kind.work) ? static_cast<std::int32_t>(number) : -1;
    bar.name = kind.named ? number : 0;
    if (const auto [first, last] = chunk.joinsOf(place.at); first < last) {
        bar.joined = true;
        bar.lowerWork = chunk.kinds[chunk.joins[last - 1].kind].work;
    }
    return bar;
}

Bar BarList::operator[](std::size_t index) const
{
    Bar bar = index < solid() ? barOf(spans(), index) : barOf(moments(), index - solid());
    bar.critical = critical(index);
    return bar;
}

std::vector<Span> BarList::spansOf(std::size_t index) const
{
    const bool moment = index >= solid();
    std::vector<Span> all;
    for (const SpanEntry& entry : moment ? moments().entries(index - solid()) : spans().entries(index))
        all.push_back(bubblescope::spanOf(entry));
    return all;
}

Span BarList::spanOf(std::size_t index) const
{
    return bubblescope::spanOf(index < solid() ? spans().entry(index) : moments().entry(index - solid()));
}

std::pair<std::size_t, std::size_t> BarList::inside(TimeRange range) const
{
    const std::size_t first = spans().firstEndingAfter(range.begin);
    return {first, std::max(first, spans().firstStartingFrom(range.end))};
}

std::pair<std::size_t, std::size_t> BarList::momentsInside(TimeRange range) const
{
    return {solid() + moments().firstStartingFrom(range.begin), solid() + moments().firstStartingFrom(range.end)};
}

GapList::GapList(std::shared_ptr<const TraceColumns> columns, std::size_t lane, TimeRange within)
    : m_columns(std::move(columns)), m_lane(lane), m_within(within)
{
}

GapBar GapList::operator[](std::size_t index) const
{
    if (!m_columns)
        return m_listed[index];
    const SpanColumns& between = busy();
    const Nanoseconds start = index == 0 ? m_within.begin : between.end(index - 1);
    const Nanoseconds end = index == between.size() ? m_within.end : between.start(index);
    return {start, std::max(start, end), GapBar::unexplained};
}

std::size_t GapList::firstEndingAfter(Nanoseconds time) const
{
    if (!m_columns) {
        const auto found = std::partition_point(m_listed.begin(), m_listed.end(),
                                                [time](const GapBar& gap) { return gap.end <= time; });
        return static_cast<std::size_t>(found - m_listed.begin());
    }
    // The gap before span i ends at its start.
    const std::size_t span = busy().firstStartingFrom(time + 1);
    return span == busy().size() && time >= m_within.end ? size() : span;
}

std::shared_ptr<const TraceColumns> columnsOfRun(const RunView& run)
{
    return run.columns ? run.columns : std::make_shared<const TraceColumns>(columnsOf(run.trace));
}

QString laneName(const RunView& run, int lane)
{
    const TraceLane& there = run.trace.lanes[static_cast<std::size_t>(lane)];
    QString name = deviceName(run, there.device);
    if (there.kind == LaneKind::Compute && there.index == 0)
        return name;
    name += QStringLiteral(" · ") + QCoreApplication::translate("Lane", laneKindName(there.kind));
    return there.index == 0 ? name : name + QStringLiteral(" %1").arg(there.index);
}

bool isComputeRow(const RunView& run, const TimelineRow& row)
{
    const TraceLane& lane = run.trace.lanes[static_cast<std::size_t>(row.lane)];
    return lane.kind == LaneKind::Compute && lane.index == 0 && row.subLane == 0;
}

namespace {

/// Devices that have lanes beside the compute lane.
std::set<int> devicesWithLanes(const TraceColumns& columns)
{
    std::set<int> devices;
    for (const LaneColumns& lane : columns.lanes)
        if (!(lane.kind == LaneKind::Compute && lane.index == 0) && lane.spans() != 0)
            devices.insert(lane.device);
    return devices;
}

/// "send", "copy-in 1"; a pinned one doesn't stand below its device, so it names it: "3 · send".
QString otherLabel(const LaneColumns& lane, bool pinned)
{
    QString label = QCoreApplication::translate("Lane", laneKindName(lane.kind));
    if (lane.index != 0)
        label += QStringLiteral(" %1").arg(lane.index);
    return pinned ? QStringLiteral("%1 · ").arg(int{lane.device}) + label : label;
}

} // namespace

std::vector<TimelineRow> rowsOf(const RunView& run, const RowOptions& options)
{
    std::vector<TimelineRow> rows;
    const auto columns = columnsOfRun(run);
    const std::set<int> withLanes = devicesWithLanes(*columns);
    const std::vector<TaskKey> critical = criticalTasks(run);
    for (std::size_t index = 0; index < columns->lanes.size(); ++index) {
        const LaneColumns& lane = columns->lanes[index];
        const bool compute = lane.kind == LaneKind::Compute && lane.index == 0;
        const bool pinned = !options.pins.empty() && options.pins.count(laneName(run, static_cast<int>(index))) != 0;
        if (!compute && !pinned && (!options.opens(lane.device) || lane.spans() == 0))
            continue;
        for (std::size_t subLane = 0; subLane < lane.subLanes.size(); ++subLane) {
            TimelineRow row;
            row.lane = static_cast<int>(index);
            row.subLane = static_cast<int>(subLane);
            row.device = lane.device;
            row.pinned = pinned;
            row.hasLanes = compute && subLane == 0 && withLanes.count(lane.device) != 0;
            row.lanesOpen = row.hasLanes && options.opens(lane.device);
            row.bars = BarList(columns, index, subLane);
            if (!critical.empty())
                row.bars.markCritical([&critical](const Task& task) {
                    return std::binary_search(critical.begin(), critical.end(), task.key());
                });
            if (subLane > 0)
                row.label = QCoreApplication::translate("Lane", "overlap %1").arg(subLane);
            else if (compute)
                describeDevice(row, run, columns);
            else
                row.label = otherLabel(lane, pinned);
            rows.push_back(std::move(row));
        }
    }
    std::stable_partition(rows.begin(), rows.end(), [](const TimelineRow& row) { return row.pinned; });
    return rows;
}

std::size_t firstVisibleBar(const TimelineRow& row, Nanoseconds time)
{
    return row.bars.spans().firstEndingAfter(time);
}

int momentAt(const TimelineRow& row, Nanoseconds time, Nanoseconds slop)
{
    const SpanColumns& moments = row.bars.moments();
    const std::size_t after = moments.firstStartingFrom(time);
    int found = -1;
    Nanoseconds nearest = slop;
    if (after < moments.size() && moments.start(after) - time <= nearest) {
        nearest = moments.start(after) - time;
        found = static_cast<int>(row.bars.solid() + after);
    }
    if (after > 0 && time - moments.start(after - 1) <= nearest &&
        (found < 0 || time - moments.start(after - 1) < nearest))
        found = static_cast<int>(row.bars.solid() + moments.firstStartingFrom(moments.start(after - 1)));
    return found;
}

int barAt(const TimelineRow& row, Nanoseconds time, Nanoseconds slop)
{
    if (slop > 0)
        if (const int moment = momentAt(row, time, slop); moment >= 0)
            return moment;
    const SpanColumns& spans = row.bars.spans();
    const std::size_t first = spans.firstEndingAfter(time);
    if (first < spans.size() && spans.start(first) <= time)
        return static_cast<int>(first);
    if (slop > 0 && first < spans.size() && spans.start(first) - time <= slop)
        return static_cast<int>(first);
    if (slop > 0 && first > 0 && time - spans.end(first - 1) <= slop)
        return static_cast<int>(first - 1);
    return momentAt(row, time, 0);
}

int gapAt(const TimelineRow& row, Nanoseconds time)
{
    const std::size_t found = row.gaps.firstEndingAfter(time);
    return found < row.gaps.size() && row.gaps[found].start <= time ? static_cast<int>(found) : -1;
}

TimeRange timeOf(const TimelineRow& row, const Pick& pick)
{
    const auto index = static_cast<std::size_t>(pick.index);
    if (pick.kind == Pick::Kind::Gap && index < row.gaps.size())
        return {row.gaps[index].start, row.gaps[index].end};
    if (pick.kind == Pick::Kind::Bar && index < row.bars.size())
        return {row.bars[index].start, row.bars[index].end};
    return {};
}

namespace {

/// The order in which a row is walked: by start, and there a bar before moments before a gap.
struct WalkPlace {
    Nanoseconds start = 0;
    int rank = 0;

    friend bool operator<(const WalkPlace& a, const WalkPlace& b)
    {
        return a.start != b.start ? a.start < b.start : a.rank < b.rank;
    }
};

class RowWalk {
public:
    RowWalk(const TimelineRow& row, const Pick& from) : m_row(row), m_from(from)
    {
        const bool gap = from.kind == Pick::Kind::Gap;
        m_moment = !gap && static_cast<std::size_t>(from.index) >= row.bars.solid();
        m_here = {timeOf(row, from).begin, gap ? 2 : m_moment ? 1 : 0};
    }

    Pick next(int by, bool gaps)
    {
        offer(Pick::Kind::Bar, solid(by), 0, row().solid(), by);
        offer(Pick::Kind::Bar, moment(by), row().solid(), row().size(), by);
        if (gaps)
            offer(Pick::Kind::Gap, gap(by), 0, m_row.gaps.size(), by);
        return m_found;
    }

private:
    const BarList& row() const { return m_row.bars; }

    std::ptrdiff_t solid(int by) const
    {
        const SpanColumns& spans = row().spans();
        const Nanoseconds border = m_here.start + (by > 0 || m_here.rank > 0 ? 1 : 0);
        return static_cast<std::ptrdiff_t>(spans.firstStartingFrom(border)) - (by > 0 ? 0 : 1);
    }

    std::ptrdiff_t moment(int by) const
    {
        if (m_moment)
            return m_from.index + by;
        const Nanoseconds border = m_here.start + (m_here.rank > 1 ? 1 : 0);
        return static_cast<std::ptrdiff_t>(row().solid() + row().moments().firstStartingFrom(border)) -
               (by > 0 ? 0 : 1);
    }

    std::ptrdiff_t gap(int by) const
    {
        const GapList& gaps = m_row.gaps;
        const auto size = static_cast<std::ptrdiff_t>(gaps.size());
        const auto at = [&gaps](std::ptrdiff_t index) { return gaps[static_cast<std::size_t>(index)]; };
        const auto isNext = [&](const GapBar& found) {
            const WalkPlace place{found.start, 2};
            return found.end > found.start && (by > 0 ? m_here < place : place < m_here);
        };
        auto index = m_from.kind == Pick::Kind::Gap ? m_from.index + by
                                                    : static_cast<std::ptrdiff_t>(gaps.firstEndingAfter(m_here.start));
        while (index >= 0 && index < size && !isNext(at(index)))
            index += by;
        if (by < 0 && index == size) // behind the last gap
            for (index = size - 1; index >= 0 && !isNext(at(index));)
                --index;
        return index;
    }

    void offer(Pick::Kind kind, std::ptrdiff_t index, std::size_t from, std::size_t to, int by)
    {
        if (index < static_cast<std::ptrdiff_t>(from) || index >= static_cast<std::ptrdiff_t>(to))
            return;
        const Pick candidate{kind, m_from.row, static_cast<int>(index)};
        const int rank = kind == Pick::Kind::Gap ? 2 : from > 0 || row().solid() == 0 ? 1 : 0;
        const WalkPlace place{timeOf(m_row, candidate).begin, rank};
        if (m_found.kind == Pick::Kind::None || (by > 0 ? place < m_place : m_place < place)) {
            m_found = candidate;
            m_place = place;
        }
    }

    const TimelineRow& m_row;
    Pick m_from;
    bool m_moment = false;
    WalkPlace m_here;
    Pick m_found;
    WalkPlace m_place;
};

} // namespace

Pick neighbour(const TimelineRow& row, const Pick& from, int by, bool gaps)
{
    if (from.kind == Pick::Kind::None || by == 0)
        return {};
    return RowWalk(row, from).next(by > 0 ? 1 : -1, gaps);
}

} // namespace bubblescope::viz
