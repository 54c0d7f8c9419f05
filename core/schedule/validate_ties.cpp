// Are units, groups and edges such that their tasks can start together, or one after another?

#include "core/schedule/problem_report.h"

#include <algorithm>

namespace bubblescope {
namespace {

using Kind = Problem::Kind;

void checkUnits(const Schedule& schedule, ProblemReport& report)
{
    for (const Lane& lane : schedule.lanes)
        for (TaskId id = lane.begin; id < lane.end; ++id) {
            const Task& task = schedule.tasks[id];
            if (!task.joined())
                continue;
            if (id + 1U == lane.end) {
                report.add(Kind::BadUnit, {id}, {lane.device},
                           "{} is joined with the next task, but it is the last one of its lane.", toText(task));
                continue;
            }
            const TaskId next(id + 1U);
            if (task.grouped() || schedule.tasks[next].grouped())
                report.add(Kind::BadUnit, {id, next}, {lane.device},
                           "{} and {} are joined, but one of them belongs to a group; a group's members stand alone.",
                           toText(task), toText(schedule.tasks[next]));
        }
}

/// The group of every task; noGroup where it has none.
constexpr std::uint32_t noGroup = 0xffffffffU;

std::vector<std::uint32_t> checkGroups(const Schedule& schedule, ProblemReport& report)
{
    std::vector<std::uint32_t> groupOf(schedule.groups.empty() ? 0 : schedule.tasks.size(), noGroup);
    for (std::uint32_t g = 0; g < schedule.groups.size(); ++g) {
        const Group& group = schedule.groups[g];
        if (group.begin >= group.end || group.end > schedule.groupMembers.size()) {
            report.add(Kind::BadGroup, {}, {}, "Group {} has no members.", g);
            continue;
        }
        std::vector<std::pair<LaneId, TaskId>> lanes;
        for (std::uint32_t i = group.begin; i < group.end; ++i) {
            const TaskId id = schedule.groupMembers[i];
            if (id >= schedule.tasks.size()) {
                report.add(Kind::BadGroup, {}, {}, "Group {} names task number {}, which doesn't exist.", g, id.value);
                continue;
            }
            const Task& task = schedule.tasks[id];
            if (groupOf[id] != noGroup)
                report.add(Kind::BadGroup, {id}, {schedule.deviceOf(id)}, "{} belongs to two groups.", toText(task));
            if (!task.grouped())
                report.add(Kind::BadGroup, {id}, {schedule.deviceOf(id)},
                           "{} is listed in a group but isn't marked as a member.", toText(task));
            groupOf[id] = g;
            lanes.emplace_back(schedule.laneOf(id), id);
        }
        std::sort(lanes.begin(), lanes.end());
        for (std::size_t i = 1; i < lanes.size(); ++i)
            if (lanes[i].first == lanes[i - 1].first && lanes[i].second != lanes[i - 1].second)
                report.add(Kind::BadGroup, {lanes[i - 1].second, lanes[i].second}, {schedule.deviceOf(lanes[i].second)},
                           "{} and {} belong to one group and to one lane, so they can't start together.",
                           toText(schedule.tasks[lanes[i - 1].second]), toText(schedule.tasks[lanes[i].second]));
    }
    for (std::uint32_t i = 0; i < schedule.tasks.size(); ++i)
        if (schedule.tasks[i].grouped() && (groupOf.empty() || groupOf[i] == noGroup))
            report.add(Kind::BadGroup, {TaskId(i)}, {schedule.deviceOf(TaskId(i))},
                       "{} is marked as a member of a group, but no group lists it.", toText(schedule.tasks[i]));
    return groupOf;
}

/// Edges between tasks that start together can never be kept.
void checkEdgesInside(const Schedule& schedule, const TaskIndex& index, const std::vector<std::uint32_t>& groupOf,
                      ProblemReport& report)
{
    const auto together = [&](TaskId from, TaskId to) {
        if (from == noTask)
            return;
        TaskId low = std::min(from, to);
        const TaskId high = std::max(from, to);
        const bool group = !groupOf.empty() && groupOf[from] != noGroup && groupOf[from] == groupOf[to];
        while (low < high && schedule.tasks[low].joined())
            ++low;
        if (group)
            report.add(Kind::BadGroup, {from, to}, {schedule.deviceOf(from), schedule.deviceOf(to)},
                       "{} needs {}, but both belong to one group and start together.", toText(schedule.tasks[to]),
                       toText(schedule.tasks[from]));
        else if (low == high)
            report.add(Kind::BadUnit, {from, to}, {schedule.deviceOf(to)},
                       "{} needs {}, but they are joined and start together.", toText(schedule.tasks[to]),
                       toText(schedule.tasks[from]));
    };
    for (const Edge& edge : schedule.dataflow.edges)
        if (edge.from != edge.to)
            together(edge.from, edge.to);
    if (!schedule.dataflow.grid)
        return;
    for (const Lane& lane : schedule.lanes)
        for (TaskId first = lane.begin; first < lane.end;) {
            const TaskId end = schedule.unitEnd(first);
            for (TaskId id = first; id < end && end - first > 1U; ++id)
                if (index.grid().contains(schedule.tasks[id]))
                    index.grid().forEachPredecessor(schedule.tasks[id], [&](std::uint32_t slot, Payload) {
                        if (index.at(slot) >= first && index.at(slot) < end)
                            together(index.at(slot), id);
                    });
            first = end;
        }
}

void checkEdges(const Schedule& schedule, ProblemReport& report)
{
    const std::vector<Edge>& edges = schedule.dataflow.edges;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (edges[i].from >= schedule.tasks.size() || edges[i].to >= schedule.tasks.size())
            report.add(Kind::BadEdge, {}, {},
                       "The edge from task number {} to {} leaves the schedule, which has {} tasks.",
                       edges[i].from.value, edges[i].to.value, schedule.tasks.size());
        else if (edges[i].from == edges[i].to)
            report.add(Kind::BadEdge, {edges[i].to}, {schedule.deviceOf(edges[i].to)}, "{} waits for itself.",
                       toText(schedule.tasks[edges[i].to]));
        else if (i > 0 && edges[i].to < edges[i - 1].to)
            report.add(Kind::BadEdge, {edges[i].to}, {}, "The edges aren't sorted by the task that waits (at {}).",
                       toText(schedule.tasks[edges[i].to]));
    }
}

} // namespace

void checkTies(const Schedule& schedule, const TaskIndex& index, ProblemReport& report)
{
    checkUnits(schedule, report);
    const std::vector<std::uint32_t> groupOf = checkGroups(schedule, report);
    checkEdges(schedule, report);
    if (!report.has(Kind::BadUnit) && !report.has(Kind::BadGroup) && !report.has(Kind::BadEdge))
        checkEdgesInside(schedule, index, groupOf, report);
}

} // namespace bubblescope
