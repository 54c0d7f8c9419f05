#include "viz/timeline/flow_arrows.h"

#include "core/analyze/task_flow.h"
#include "viz/timeline/pick_text.h"

#include <algorithm>
#include <map>
#include <tuple>

namespace bubblescope::viz {
namespace {

const TimelineRow& rowOf(const RunPicture& picture, int row)
{
    return picture.rows[static_cast<std::size_t>(row)];
}

const TraceLane& laneOf(const RunPicture& picture, int row)
{
    return picture.run->trace.lanes[static_cast<std::size_t>(rowOf(picture, row).lane)];
}

using LaneKey = std::tuple<int, LaneKind, int>;

/// Rows by lane; several rows may show one lane.
std::multimap<LaneKey, int> rowsByLane(const RunPicture& picture)
{
    std::multimap<LaneKey, int> rows;
    for (int row = 0; row < static_cast<int>(picture.rows.size()); ++row) {
        const TraceLane& lane = laneOf(picture, row);
        rows.emplace(LaneKey{lane.device, lane.kind, lane.index}, row);
    }
    return rows;
}

/// Where a task of the plan is drawn; no pick when it isn't.
class Places {
public:
    explicit Places(const RunPicture& picture)
        : m_picture(picture), m_schedule(picture.run->plan->schedule), m_rows(rowsByLane(picture))
    {
    }

    Pick of(TaskId task) const
    {
        const Timing& timing = m_picture.run->timing;
        const Lane& lane = m_schedule.lanes[m_schedule.laneOf(task)];
        if (timing.end[task] <= timing.start[task])
            return {};
        const auto [first, last] = m_rows.equal_range({lane.device, lane.kind, lane.index});
        for (auto row = first; row != last; ++row) {
            const TimelineRow& there = rowOf(m_picture, row->second);
            const Pick bar{Pick::Kind::Bar, row->second, barAt(there, timing.start[task])};
            if (bar.index >= 0 && timeOf(there, bar).begin == timing.start[task])
                return bar;
        }
        return {};
    }

    std::vector<bool> shown() const
    {
        std::vector<bool> shown(m_schedule.tasks.size());
        const Timing& timing = m_picture.run->timing;
        for (const Lane& lane : m_schedule.lanes)
            if (m_rows.count({lane.device, lane.kind, lane.index}) != 0)
                for (TaskId task = lane.begin; task < lane.end; ++task)
                    shown[task] = timing.end[task] > timing.start[task];
        return shown;
    }

private:
    const RunPicture& m_picture;
    const Schedule& m_schedule;
    std::multimap<LaneKey, int> m_rows;
};

void sortByTime(const RunPicture& picture, const Pick& own, std::vector<Pick>& picks)
{
    const auto key = [&](const Pick& pick) {
        return std::tuple(timeOf(rowOf(picture, pick.row), pick).begin, pick.row, pick.index);
    };
    std::sort(picks.begin(), picks.end(), [&](const Pick& a, const Pick& b) { return key(a) < key(b); });
    picks.erase(std::unique(picks.begin(), picks.end()), picks.end());
    picks.erase(std::remove(picks.begin(), picks.end(), own), picks.end()); // the other task of a joined unit
}

FlowArrows plannedFlow(const RunPicture& picture, const Pick& pick)
{
    const RunView& run = *picture.run;
    const TimelineRow& row = rowOf(picture, pick.row);
    const TaskId first = taskIdOf(run, row, row.bars[static_cast<std::size_t>(pick.index)]);
    if (first == noTask)
        return {};
    const TaskFlow flow(run.plan->schedule);
    const Places places(picture);
    const std::vector<bool> shown = places.shown();
    FlowArrows arrows;
    const TaskId end = run.plan->schedule.unitEnd(first);
    for (TaskId task = first; task < end; ++task) {
        for (const TaskId other : shownPredecessors(flow, task, shown))
            arrows.before.push_back(places.of(other));
        for (const TaskId other : shownSuccessors(flow, task, shown))
            arrows.after.push_back(places.of(other));
    }
    for (std::vector<Pick>* ends : {&arrows.before, &arrows.after}) {
        ends->erase(std::remove(ends->begin(), ends->end(), Pick{}), ends->end());
        sortByTime(picture, pick, *ends);
    }
    return arrows;
}

constexpr std::size_t reach = 64; ///< spans looked at on each side of a message

/// The span that a message was for: the first of the device's compute lane that starts after it arrived, of the same
/// microbatch where there are microbatches.
Pick consumerOf(const RunPicture& picture, const Link& link)
{
    for (int row = 0; row < static_cast<int>(picture.rows.size()); ++row) {
        const TimelineRow& there = rowOf(picture, row);
        if (there.device != link.to || !isComputeRow(*picture.run, there))
            continue;
        const std::size_t first = firstVisibleBar(there, link.arrived);
        for (std::size_t bar = first; bar < std::min(there.bars.solid(), first + reach); ++bar) {
            const Span span = there.bars.spanOf(bar);
            if (span.start >= link.arrived && (span.name != 0 || span.task.microbatch == link.producer.microbatch))
                return {Pick::Kind::Bar, row, static_cast<int>(bar)};
        }
    }
    return {};
}

Pick producerOf(const RunPicture& picture, const Link& link)
{
    for (int row = 0; row < static_cast<int>(picture.rows.size()); ++row) {
        const TimelineRow& there = rowOf(picture, row);
        if (there.device != link.from || !isComputeRow(*picture.run, there))
            continue;
        // The last span that ended before the message left and is what the message says it came from.
        const int last = static_cast<int>(std::min(firstVisibleBar(there, link.sent) + 1, there.bars.solid())) - 1;
        for (int bar = last; bar >= std::max(0, last - static_cast<int>(reach)); --bar) {
            const Span span = there.bars.spanOf(static_cast<std::size_t>(bar));
            if (span.end <= link.sent && (span.name != 0 || span.task == link.producer))
                return {Pick::Kind::Bar, row, bar};
        }
    }
    return {};
}

FlowArrows recordedFlow(const RunPicture& picture, const Pick& pick)
{
    FlowArrows arrows;
    const int device = rowOf(picture, pick.row).device;
    for (const Link& link : picture.run->trace.links) {
        if (link.from != device && link.to != device)
            continue;
        const Pick from = producerOf(picture, link);
        const Pick to = consumerOf(picture, link);
        if (from.kind == Pick::Kind::None || to.kind == Pick::Kind::None)
            continue;
        if (from == pick)
            arrows.after.push_back(to);
        else if (to == pick)
            arrows.before.push_back(from);
    }
    sortByTime(picture, pick, arrows.before);
    sortByTime(picture, pick, arrows.after);
    return arrows;
}

} // namespace

FlowArrows flowOf(const RunPicture& picture, const Pick& pick)
{
    if (!picture.run || pick.kind != Pick::Kind::Bar)
        return {};
    if (picture.run->explained())
        return plannedFlow(picture, pick);
    return recordedFlow(picture, pick);
}

std::size_t mainFlow(const RunPicture& picture, const Pick& pick, const std::vector<Pick>& ends)
{
    if (ends.empty()) // nothing may be picked
        return 0;
    const int own = rowOf(picture, pick.row).device;
    const auto other =
        std::find_if(ends.begin(), ends.end(), [&](const Pick& end) { return rowOf(picture, end.row).device != own; });
    return other == ends.end() ? 0 : static_cast<std::size_t>(other - ends.begin());
}

} // namespace bubblescope::viz
