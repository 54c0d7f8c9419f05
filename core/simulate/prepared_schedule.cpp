#include "core/simulate/prepared_schedule.h"

#include <algorithm>

namespace bubblescope {

PreparedSchedule::PreparedSchedule(const Schedule& given) : schedule(given), grid(given)
{
    slots = grid.slots();
    for (const Lane& lane : schedule.lanes) {
        firstExtraSlot.push_back(slots);
        for (TaskId id = lane.begin; id < lane.end; ++id)
            if (!grid.contains(schedule.tasks[id]))
                ++slots;
    }
    if (grid.hasOptional())
        for (const Task& task : schedule.tasks)
            if (grid.contains(task))
                slotsInUse.push_back(grid.slot(task));
    prepareDevices();
    prepareEdges();
    prepareGroups();
}

void PreparedSchedule::prepareDevices()
{
    const auto stages = static_cast<std::size_t>(schedule.shape.allStages());
    constexpr Device unknown{0xffff};
    home.assign(stages * static_cast<std::size_t>(schedule.shape.pipes), unknown);
    bool single = schedule.paths.empty();
    for (const Lane& lane : schedule.lanes) {
        for (TaskId id = lane.begin; single && id < lane.end; ++id) {
            const Task& task = schedule.tasks[id];
            if (!grid.contains(task))
                continue;
            Device& known = home[task.pipe * stages + task.stage];
            single = known == unknown || known == lane.device;
            known = lane.device;
        }
    }
    if (single)
        return;
    deviceOfSlot.assign(grid.slots(), unknown);
    for (const Lane& lane : schedule.lanes)
        for (TaskId id = lane.begin; id < lane.end; ++id)
            if (grid.contains(schedule.tasks[id]))
                deviceOfSlot[grid.slot(schedule.tasks[id])] = lane.device;
}

void PreparedSchedule::prepareEdges()
{
    const auto& edges = schedule.dataflow.edges;
    std::vector<std::uint32_t> extraSlot; // by TaskId, only when an edge asks
    if (!edges.empty()) {
        extraSlot.resize(schedule.tasks.size());
        for (std::size_t lane = 0; lane < schedule.lanes.size(); ++lane) {
            std::uint32_t next = firstExtraSlot[lane];
            for (TaskId id = schedule.lanes[lane].begin; id < schedule.lanes[lane].end; ++id)
                extraSlot[id] = grid.contains(schedule.tasks[id]) ? grid.slot(schedule.tasks[id]) : next++;
        }
    }
    for (const Edge& edge : edges) {
        edgeSlot.push_back(extraSlot[edge.from]);
        edgeDevice.push_back(schedule.deviceOf(edge.from));
    }
    for (const Lane& lane : schedule.lanes) {
        const auto begin = std::lower_bound(edges.begin(), edges.end(), lane.begin,
                                            [](const Edge& edge, TaskId id) { return edge.to < id; });
        firstEdge.push_back(static_cast<std::uint32_t>(begin - edges.begin()));
    }
    firstEdge.push_back(static_cast<std::uint32_t>(edges.size()));
}

void PreparedSchedule::prepareGroups()
{
    for (std::uint32_t group = 0; group < schedule.groups.size(); ++group)
        for (std::uint32_t i = schedule.groups[group].begin; i < schedule.groups[group].end; ++i)
            groupOfTask.emplace_back(schedule.groupMembers[i], group);
    std::sort(groupOfTask.begin(), groupOfTask.end());
}

} // namespace bubblescope
