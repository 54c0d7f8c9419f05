#include "viz/timeline/rows.h"

#include "viz/timeline/time_text.h"

#include <QCoreApplication>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace bubblescope::viz {
namespace {

bool carriesNumber(Work work)
{
    return isCompute(work) && work != Work::Filler;
}

using PipeStage = std::pair<std::uint16_t, std::uint16_t>;

PipeStage pipeStage(const Task& task)
{
    return {task.pipe, task.stage};
}

/// Rank of each stage among those of its lane, one pipe after the other, so that chunks and the two directions
/// of bidirectional schedules can be told apart. What belongs to no stage alone (the vocabulary) doesn't count.
std::map<PipeStage, std::uint8_t> shadesOf(const TraceLane& lane)
{
    std::set<PipeStage> stages;
    for (const Span& span : lane.spans)
        if (span.name == 0 && onGrid(span.task.work))
            stages.insert(pipeStage(span.task));
    std::map<PipeStage, std::uint8_t> shades;
    for (const PipeStage& stage : stages)
        shades.emplace(stage, static_cast<std::uint8_t>(std::min<std::size_t>(shades.size(), 255)));
    return shades;
}

/// Task identities on the critical path.
std::set<std::pair<std::uint64_t, std::uint64_t>> criticalTasks(const RunView& run)
{
    std::set<std::pair<std::uint64_t, std::uint64_t>> keys;
    for (std::size_t task = 0; task < run.slack.size(); ++task)
        if (run.slack[task] == 0)
            keys.insert(run.plan->schedule.tasks[task].key());
    return keys;
}

void fillBars(TimelineRow& row, const TraceLane& lane,
              const std::set<std::pair<std::uint64_t, std::uint64_t>>& critical)
{
    const auto shades = shadesOf(lane);
    row.bars.reserve(lane.spans.size());
    for (std::size_t index = 0; index < lane.spans.size(); ++index) {
        const Span& span = lane.spans[index];
        if (span.duration() <= 0)
            continue; // barriers and free updates take no time and would hide nothing but pixels
        Bar bar;
        bar.start = span.start;
        bar.end = span.end;
        bar.span = static_cast<std::uint32_t>(index);
        bar.work = span.name == 0 ? span.task.work : Work::Filler;
        bar.number = span.name == 0 && carriesNumber(span.task.work) ? span.task.microbatch.value : -1;
        const auto shade = shades.find(pipeStage(span.task));
        bar.shade = shade == shades.end() ? 0 : shade->second;
        bar.critical = span.name == 0 && critical.count(span.task.key()) != 0;
        const bool joinsPrevious =
            !row.bars.empty() && row.bars.back().start == bar.start && row.bars.back().end == bar.end;
        if (joinsPrevious) {
            row.bars.back().joined = true;
            row.bars.back().lowerWork = bar.work;
            continue;
        }
        row.longestBar = std::max(row.longestBar, span.duration());
        row.bars.push_back(bar);
    }
}

/// Name, share of busy time and gaps of a compute row.
void describeDevice(TimelineRow& row, const RunView& run)
{
    row.label = deviceName(run, row.device);
    const auto device = static_cast<std::size_t>(row.device);
    if (device < run.idle.devices.size() && run.makespan() > 0)
        row.caption =
            percentText(static_cast<double>(run.idle.devices[device].busy) / static_cast<double>(run.makespan()));
    const auto& gaps = run.idle.gaps; // sorted by device
    auto gap =
        std::partition_point(gaps.begin(), gaps.end(), [&](const auto& each) { return each.device < row.device; });
    for (; gap != gaps.end() && gap->device == row.device; ++gap)
        row.gaps.push_back({gap->start, gap->end, static_cast<std::uint32_t>(gap - gaps.begin())});
}

} // namespace

std::vector<TimelineRow> rowsOf(const RunView& run, RowOptions options)
{
    std::vector<TimelineRow> rows;
    const auto critical = criticalTasks(run);
    for (std::size_t index = 0; index < run.trace.lanes.size(); ++index) {
        const TraceLane& lane = run.trace.lanes[index];
        const bool compute = lane.kind == LaneKind::Compute && lane.index == 0;
        if (!compute && (!options.allLanes || lane.spans.empty()))
            continue;
        TimelineRow row;
        row.lane = static_cast<int>(index);
        row.device = lane.device;
        fillBars(row, lane, critical);
        if (compute)
            describeDevice(row, run);
        else
            row.label = QCoreApplication::translate("Lane", laneKindName(lane.kind));
        rows.push_back(std::move(row));
    }
    return rows;
}

std::size_t firstVisibleBar(const TimelineRow& row, Nanoseconds time)
{
    const auto found =
        std::partition_point(row.bars.begin(), row.bars.end(), [time](const Bar& bar) { return bar.end <= time; });
    return static_cast<std::size_t>(found - row.bars.begin());
}

int barAt(const TimelineRow& row, Nanoseconds time, Nanoseconds slop)
{
    const std::size_t first = firstVisibleBar(row, time);
    if (first < row.bars.size() && row.bars[first].start <= time)
        return static_cast<int>(first);
    if (slop > 0 && first < row.bars.size() && row.bars[first].start - time <= slop)
        return static_cast<int>(first);
    if (slop > 0 && first > 0 && time - row.bars[first - 1].end <= slop)
        return static_cast<int>(first - 1);
    return -1;
}

int gapAt(const TimelineRow& row, Nanoseconds time)
{
    const auto found =
        std::partition_point(row.gaps.begin(), row.gaps.end(), [time](const GapBar& gap) { return gap.end <= time; });
    return found != row.gaps.end() && found->start <= time ? static_cast<int>(found - row.gaps.begin()) : -1;
}

} // namespace bubblescope::viz
