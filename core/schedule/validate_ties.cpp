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

/// One member: it exists, is marked, and is in no other group.
bool checkMember(const Schedule& schedule, std::uint32_t group, TaskId id, std::uint32_t earlierGroup,
                 ProblemReport& report)
{
    if (id >= schedule.tasks.size()) {
        report.add(Kind::BadGroup, {}, {}, "Group {} names task number {}, which doesn't exist.", group, id.value);
        return false;
    }
    const Task& task = schedule.tasks[id];
    if (earlierGroup != noGroup)
        report.add(Kind::BadGroup, {id}, {schedule.deviceOf(id)}, "{} belongs to two groups.", toText(task));
    if (!task.grouped())
        report.add(Kind::BadGroup, {id}, {schedule.deviceOf(id)},
                   "{} is listed in a group but isn't marked as a member.", toText(task));
    return true;
}

/// At most one member per lane. `members` is (lane, task).
void checkLanesOfGroup(const Schedule& schedule, std::vector<std::pair<LaneId, TaskId>> members, ProblemReport& report)
{
    std::sort(members.begin(), members.end());
    for (std::size_t i = 1; i < members.size(); ++i) {
        const auto& [lane, id] = members[i];
        const auto& [laneBefore, before] = members[i - 1];
        if (lane == laneBefore && id != before)
            report.add(Kind::BadGroup, {before, id}, {schedule.deviceOf(id)},
                       "{} and {} belong to one group and to one lane, so they can't start together.",
                       toText(schedule.tasks[before]), toText(schedule.tasks[id]));
    }
}

std::vector<std::uint32_t> checkGroups(const Schedule& schedule, ProblemReport& report)
{
    std::vector<std::uint32_t> groupOf(schedule.tasks.size(), noGroup);
    for (std::uint32_t g = 0; g < schedule.groups.size(); ++g) {
        const Group& group = schedule.groups[g];
        if (group.begin >= group.end || group.end > schedule.groupMembers.size()) {
            report.add(Kind::BadGroup, {}, {}, "Group {} has no members.", g);
            continue;
        }
        std::vector<std::pair<LaneId, TaskId>> members;
        for (std::uint32_t i = group.begin; i < group.end; ++i) {
            const TaskId id = schedule.groupMembers[i];
            if (!checkMember(schedule, g, id, id < groupOf.size() ? groupOf[id] : noGroup, report))
                continue;
            groupOf[id] = g;
            members.emplace_back(schedule.laneOf(id), id);
        }
        checkLanesOfGroup(schedule, std::move(members), report);
    }
    for (std::uint32_t i = 0; i < schedule.tasks.size(); ++i)
        if (schedule.tasks[i].grouped() && groupOf[i] == noGroup)
            report.add(Kind::BadGroup, {TaskId(i)}, {schedule.deviceOf(TaskId(i))},
                       "{} is marked as a member of a group, but no group lists it.", toText(schedule.tasks[i]));
    return groupOf;
}

/// A need between tasks that start together can never be met.
void checkNeed(const Schedule& schedule, TaskId from, TaskId to, const std::vector<std::uint32_t>& groupOf,
               ProblemReport& report)
{
    if (groupOf[from] != noGroup && groupOf[from] == groupOf[to]) {
        report.add(Kind::BadGroup, {from, to}, {schedule.deviceOf(from), schedule.deviceOf(to)},
                   "{} needs {}, but both belong to one group and start together.", toText(schedule.tasks[to]),
                   toText(schedule.tasks[from]));
        return;
    }
    TaskId low = std::min(from, to);
    const TaskId high = std::max(from, to);
    while (low < high && schedule.tasks[low].joined())
        ++low;
    if (low == high)
        report.add(Kind::BadUnit, {from, to}, {schedule.deviceOf(to)},
                   "{} needs {}, but they are joined and start together.", toText(schedule.tasks[to]),
                   toText(schedule.tasks[from]));
}

/// Explicit edges, and the grid rule's within joined units.
void checkNeeds(const Schedule& schedule, const TaskIndex& index, const std::vector<std::uint32_t>& groupOf,
                ProblemReport& report)
{
    for (const Edge& edge : schedule.dataflow.edges)
        checkNeed(schedule, edge.from, edge.to, groupOf, report);
    if (!schedule.dataflow.grid)
        return;
    for (TaskId first{}; first < schedule.tasks.size();) {
        const TaskId end = schedule.unitEnd(first);
        for (TaskId id = first; id < end && end - first > 1U; ++id)
            if (index.grid().contains(schedule.tasks[id]))
                index.grid().forEachPredecessor(schedule.tasks[id], [&](std::uint32_t slot, Payload) {
                    if (index.at(slot) >= first && index.at(slot) < end)
                        checkNeed(schedule, index.at(slot), id, groupOf, report);
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
        checkNeeds(schedule, index, groupOf, report);
}

} // namespace bubblescope
