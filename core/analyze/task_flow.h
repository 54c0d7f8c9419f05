// What a task gets its inputs from and who gets its results: the arrows of a timeline.

#pragma once

#include "core/schedule/task_index.h"

#include <vector>

namespace bubblescope {

/// Built once for a schedule, which must outlive it; each question costs the task's own edges (and, for
/// successors, a look at the explicit edges).
class TaskFlow {
public:
    explicit TaskFlow(const Schedule& schedule);

    /// Tasks that this one takes data from or has to wait for, by TaskId. What merely stands before it on
    /// its lane isn't one.
    std::vector<TaskId> predecessors(TaskId task) const;
    std::vector<TaskId> successors(TaskId task) const;

private:
    const Schedule& m_schedule;
    TaskIndex m_index;
};

/// The same with every task that `shown` refuses replaced by its own predecessors (or successors): where transfers
/// aren't drawn, the arrow goes from the sender's task to the receiver's.
std::vector<TaskId> shownPredecessors(const TaskFlow& flow, TaskId task, const std::vector<bool>& shown);
std::vector<TaskId> shownSuccessors(const TaskFlow& flow, TaskId task, const std::vector<bool>& shown);

} // namespace bubblescope
