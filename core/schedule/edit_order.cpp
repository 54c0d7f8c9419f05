#include "core/schedule/edit_order.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>

namespace bubblescope {
namespace {

/// A unit of a lane that is being edited: its tasks, and where they stood before.
struct Unit {
    std::vector<Task> tasks;
    TaskId from = noTask; ///< of its first task; noTask for a new one
};

using Units = std::vector<std::vector<Unit>>; // by lane

Units unitsOf(const Schedule& schedule)
{
    Units units(schedule.lanes.size());
    for (std::size_t lane = 0; lane < schedule.lanes.size(); ++lane)
        for (TaskId id = schedule.lanes[lane].begin; id < schedule.lanes[lane].end;) {
            const TaskId end = std::min(schedule.unitEnd(id), schedule.lanes[lane].end);
            units[lane].push_back({{schedule.tasks.begin() + id, schedule.tasks.begin() + end}, id});
            id = end;
        }
    return units;
}

/// Writes the groups again with the members that are left.
void rebuildGroups(const Schedule& from, const std::vector<TaskId>& place, Schedule& to)
{
    to.groups.clear();
    to.groupMembers.clear();
    for (const Group& group : from.groups) {
        const auto begin = static_cast<std::uint32_t>(to.groupMembers.size());
        for (std::uint32_t i = group.begin; i < group.end; ++i)
            if (const TaskId member = place[from.groupMembers[i]]; member != noTask)
                to.groupMembers.push_back(member);
        const auto end = static_cast<std::uint32_t>(to.groupMembers.size());
        if (end - begin > 1) {
            to.groups.push_back({begin, end});
            continue;
        }
        if (end > begin)
            to.tasks[to.groupMembers.back()].flags &= ~Task::groupedFlag;
        to.groupMembers.resize(begin);
    }
}

void rebuildEdges(const Schedule& from, const std::vector<TaskId>& place, Schedule& to)
{
    to.dataflow.edges.clear();
    for (const Edge& edge : from.dataflow.edges)
        if (place[edge.from] != noTask && place[edge.to] != noTask)
            to.dataflow.edges.push_back({place[edge.from], place[edge.to], edge.payload});
    std::stable_sort(to.dataflow.edges.begin(), to.dataflow.edges.end(), [](const Edge& a, const Edge& b) {
        return std::pair(a.to.value, a.from.value) < std::pair(b.to.value, b.from.value);
    });
}

/// The schedule with these units on its lanes. `tracked` is a lane and the position of a unit there.
EditedOrder rebuilt(const Schedule& schedule, const Units& units,
                    std::optional<std::pair<std::size_t, std::size_t>> tracked)
{
    EditedOrder result{schedule, noTask};
    Schedule& made = result.schedule;
    made.tasks.clear();
    std::vector<TaskId> place(schedule.tasks.size(), noTask);
    for (std::size_t lane = 0; lane < units.size(); ++lane) {
        made.lanes[lane].begin = TaskId(made.tasks.size());
        for (std::size_t position = 0; position < units[lane].size(); ++position) {
            const Unit& unit = units[lane][position];
            if (tracked && *tracked == std::pair(lane, position))
                result.at = TaskId(made.tasks.size());
            for (std::size_t i = 0; i < unit.tasks.size(); ++i) {
                if (unit.from != noTask)
                    place[unit.from + i] = TaskId(made.tasks.size());
                made.tasks.push_back(unit.tasks[i]);
            }
        }
        made.lanes[lane].end = TaskId(made.tasks.size());
    }
    rebuildEdges(schedule, place, made);
    rebuildGroups(schedule, place, made);
    return result;
}

using Difference = std::vector<Unit>::difference_type;

} // namespace

TaskId unitBegin(const Schedule& schedule, TaskId task)
{
    const Lane& lane = schedule.lanes[schedule.laneOf(task)];
    while (task > lane.begin && schedule.tasks[task - 1U].joined())
        task = TaskId(task - 1U);
    return task;
}

std::size_t unitPosition(const Schedule& schedule, TaskId task)
{
    std::size_t position = 0;
    for (TaskId id = schedule.lanes[schedule.laneOf(task)].begin; schedule.unitEnd(id) <= task;
         id = schedule.unitEnd(id))
        ++position;
    return position;
}

std::size_t unitCount(const Schedule& schedule, LaneId lane)
{
    std::size_t count = 0;
    for (TaskId id = schedule.lanes[lane].begin; id < schedule.lanes[lane].end; id = schedule.unitEnd(id))
        ++count;
    return count;
}

EditedOrder moveUnit(const Schedule& schedule, TaskId task, std::size_t position)
{
    Units units = unitsOf(schedule);
    const std::size_t lane = schedule.laneOf(task);
    const std::size_t from = unitPosition(schedule, task);
    std::vector<Unit>& row = units[lane];
    Unit moved = std::move(row[from]);
    row.erase(row.begin() + static_cast<Difference>(from));
    position = std::min(position, row.size());
    row.insert(row.begin() + static_cast<Difference>(position), std::move(moved));
    return rebuilt(schedule, units, std::pair(lane, position));
}

EditedOrder swapUnits(const Schedule& schedule, TaskId first, TaskId second)
{
    Units units = unitsOf(schedule);
    const std::pair<std::size_t, std::size_t> a{schedule.laneOf(first), unitPosition(schedule, first)};
    const std::pair<std::size_t, std::size_t> b{schedule.laneOf(second), unitPosition(schedule, second)};
    std::swap(units[a.first][a.second], units[b.first][b.second]);
    return rebuilt(schedule, units, b);
}

EditedOrder deleteUnit(const Schedule& schedule, TaskId task)
{
    Units units = unitsOf(schedule);
    std::vector<Unit>& row = units[schedule.laneOf(task)];
    row.erase(row.begin() + static_cast<Difference>(unitPosition(schedule, task)));
    return rebuilt(schedule, units, std::nullopt);
}

EditedOrder insertTask(const Schedule& schedule, LaneId lane, std::size_t position, const Task& task)
{
    Units units = unitsOf(schedule);
    std::vector<Unit>& row = units[lane];
    position = std::min(position, row.size());
    Unit unit{{task}, noTask};
    unit.tasks.front().flags = 0;
    row.insert(row.begin() + static_cast<Difference>(position), std::move(unit));
    return rebuilt(schedule, units, std::pair(std::size_t{lane}, position));
}

std::vector<Task> missingTasks(const Schedule& whole, const Schedule& order, Device device)
{
    std::vector<Task> there = order.tasks;
    std::sort(there.begin(), there.end());
    std::vector<Task> missing;
    for (const Lane& lane : whole.lanes)
        if (lane.device == device && lane.kind == LaneKind::Compute && lane.index == 0)
            for (TaskId id = lane.begin; id < lane.end; ++id)
                if (!std::binary_search(there.begin(), there.end(), whole.tasks[id])) {
                    missing.push_back(whole.tasks[id]);
                    missing.back().flags = 0;
                }
    return missing;
}

Schedule withOrder(const Schedule& base, const Schedule& order)
{
    // Only tasks with ties have to be found again: those of edges and groups.
    std::map<Task, TaskId> tied;
    for (const Edge& edge : base.dataflow.edges) {
        tied.emplace(base.tasks[edge.from], noTask);
        tied.emplace(base.tasks[edge.to], noTask);
    }
    for (const TaskId member : base.groupMembers)
        tied.emplace(base.tasks[member], noTask);
    Schedule made = base;
    made.lanes = order.lanes;
    made.tasks = order.tasks;
    for (std::size_t id = 0; id < made.tasks.size(); ++id) {
        made.tasks[id].flags &= Task::joinedFlag;
        if (tied.empty())
            continue;
        if (const auto found = tied.find(made.tasks[id]); found != tied.end() && found->second == noTask)
            found->second = TaskId(id);
    }
    std::vector<TaskId> place(base.tasks.size(), noTask);
    const auto find = [&](TaskId id) { place[id] = tied.at(base.tasks[id]); };
    for (const Edge& edge : base.dataflow.edges) {
        find(edge.from);
        find(edge.to);
    }
    for (const TaskId member : base.groupMembers) {
        find(member);
        if (place[member] != noTask)
            made.tasks[place[member]].flags |= Task::groupedFlag;
    }
    rebuildEdges(base, place, made);
    rebuildGroups(base, place, made);
    return made;
}

Schedule firstStepOf(const Schedule& order, int steps)
{
    Units units = unitsOf(order);
    for (std::vector<Unit>& row : units)
        row.resize(row.size() / static_cast<std::size_t>(std::max(1, steps)));
    Schedule first = rebuilt(order, units, std::nullopt).schedule;
    first.shape.steps = 1;
    return first;
}

} // namespace bubblescope
