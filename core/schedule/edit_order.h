// Edits of an order by hand: a unit moves along its lane, two change places, one goes or comes.
//
//     0F0 0F1 [0F2] 0B0      moveUnit(0F2, 1) ──►   0F0 [0F2] 0F1 0B0
//
// Each edit takes a schedule and gives another; dependencies, groups and units go with their tasks.
// Nothing is refused here: what is wrong with the new order is for validate() to say, and sketch()
// draws it all the same.

#pragma once

#include "core/schedule/schedule.h"

#include <vector>

namespace bubblescope {

/// A schedule after an edit, and where the edited unit stands now; noTask when it is gone.
struct EditedOrder {
    Schedule schedule;
    TaskId at = noTask;
};

/// First task of the unit that `task` belongs to.
TaskId unitBegin(const Schedule& schedule, TaskId task);

/// Units that stand before the task's unit on its lane.
std::size_t unitPosition(const Schedule& schedule, TaskId task);

std::size_t unitCount(const Schedule& schedule, LaneId lane);

/// Takes the unit out of its lane and puts it where `position` units stand before it; past the end is the end.
EditedOrder moveUnit(const Schedule& schedule, TaskId task, std::size_t position);

/// The two units change places, on one lane or on two. `at` is the first one's new place.
EditedOrder swapUnits(const Schedule& schedule, TaskId first, TaskId second);

/// Its dependencies go with it; a group that is left with one member is none any more.
EditedOrder deleteUnit(const Schedule& schedule, TaskId task);

/// A new task where `position` units stand before it. The grid rule ties it to the others; it has no other edges.
EditedOrder insertTask(const Schedule& schedule, LaneId lane, std::size_t position, const Task& task);

/// Tasks that a lane has in `whole` and that aren't in `order`, in the order of that lane: what can be inserted again.
std::vector<Task> missingTasks(const Schedule& whole, const Schedule& order, Device device);

/// The tasks of `order`, lane by lane, with everything else of `base`: sizes, edges, groups, homes and semantics.
/// Of a task that stands twice the first has the ties. How a stored order becomes a schedule again.
Schedule withOrder(const Schedule& base, const Schedule& order);

/// The first of `steps` equal steps that stand one after another on every lane.
Schedule firstStepOf(const Schedule& order, int steps);

} // namespace bubblescope
