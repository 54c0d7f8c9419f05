// What the simulator prepares once per schedule, and the memory that its runs reuse.
//
// Every task has a slot that keeps its end: those of the grid by arithmetic (grid.h), the others
// numbered behind them in the order of the lanes.

#pragma once

#include "core/schedule/grid.h"
#include "core/simulate/costs.h"

#include <utility>
#include <vector>

namespace bubblescope {

struct PreparedSchedule {
    explicit PreparedSchedule(const Schedule& given);

    bool plain(const Costs& costs) const
    {
        return schedule.dataflow.grid && !grid.hasOptional() && schedule.dataflow.edges.empty() &&
               deviceOfSlot.empty() && costs.release.empty() && costs.perTask.empty() && costs.slices.empty();
    }

    const Schedule& schedule;
    Grid grid;
    std::vector<std::uint32_t> firstExtraSlot; // per lane: slot of its first task that isn't on the grid
    std::vector<std::uint32_t> firstEdge;      // per lane, and the end: dataflow.edges is sorted by `to`
    std::vector<std::uint32_t> edgeSlot;       // per edge: slot of its `from`
    std::vector<Device> edgeDevice;            // per edge: device of its `from`
    std::vector<Device> home;                  // per (pipe, stage), when each has one device
    std::vector<Device> deviceOfSlot;          // otherwise: per grid slot
    std::vector<std::uint32_t> slotsInUse;     // grid slots that stand for a task, when some are optional
    std::vector<std::pair<TaskId, std::uint32_t>> groupOfTask; // sorted
    std::uint32_t slots = 0;

    // reused by every run
    std::vector<Nanoseconds> end;        // per slot
    std::vector<Nanoseconds> actLatency; // per (pipe, stage): arrival delay of its input
    std::vector<Nanoseconds> gradLatency;
    std::vector<Nanoseconds> duration; // per (grid work, stage)

private:
    void prepareEdges();
    void prepareDevices();
    void prepareGroups();
};

} // namespace bubblescope
