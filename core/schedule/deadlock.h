// Can an order complete? Lanes run without a clock; what is left in the end waits in a circle.
//
//     device 1   1F0 1F1 [1B0] …      head 1B0 needs 2B0, which stands behind 2F2 on device 2
//     device 2   2F0 [2F2] 2B0 …      head 2F2 needs 1F2, which stands behind 1B0 on device 1: a cycle
//     device 3   3F0 [3B1] …          head 3B1 needs 3F1, which needs … device 2: a victim

#pragma once

#include "core/schedule/schedule.h"
#include "core/schedule/task_index.h"
#include "core/schedule/validate.h"

#include <vector>

namespace bubblescope {

/// A lane that can't go on.
struct BlockedLane {
    LaneId lane{};
    TaskId head{};   ///< first task of the unit that can't start
    TaskId waiter{}; ///< the task of that unit that waits
    TaskId needs{};  ///< the first unfinished task that it waits for; of a group: a member that isn't there yet
    int cycle = -1;  ///< index of the cycle that this lane is part of; −1: a victim
};

struct Stuck {
    std::vector<BlockedLane> lanes;               ///< empty: the order completes
    std::vector<std::vector<std::size_t>> cycles; ///< indices into `lanes`, in waiting order
};

/// Runs lanes, units and groups as far as they come. Groups, edges and joins must be well formed.
Stuck findStuck(const Schedule& schedule, const TaskIndex& index);

/// By task: its place in one order in which lanes, units and groups can run; members of a group follow each other.
/// It decides what comes first among tasks that take no time. The order must be able to complete.
std::vector<std::uint32_t> completionOrder(const Schedule& schedule);

/// One problem per cycle, with a sentence that walks it and names the victims.
std::vector<Problem> describe(const Schedule& schedule, const Stuck& stuck);

} // namespace bubblescope
