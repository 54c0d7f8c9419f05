// Finds a grid task by its identity: one array entry per slot of the grid (grid.h), no hashing.

#pragma once

#include "core/schedule/grid.h"
#include "core/schedule/schedule.h"

#include <vector>

namespace bubblescope {

/// Where each task of the grid stands. Of a task that stands twice, the first place counts.
class TaskIndex {
public:
    explicit TaskIndex(const Schedule& schedule) : m_grid(schedule), m_bySlot(m_grid.slots(), noTask)
    {
        for (std::uint32_t i = 0; i < schedule.tasks.size(); ++i) {
            const Task& task = schedule.tasks[i];
            if (m_grid.contains(task) && m_bySlot[m_grid.slot(task)] == noTask)
                m_bySlot[m_grid.slot(task)] = TaskId(i);
        }
    }

    const Grid& grid() const { return m_grid; }

    /// The task in this slot, or noTask.
    TaskId at(std::uint32_t slot) const { return m_bySlot[slot]; }

    /// The task with the identity of `task`, or noTask. B and I share a slot: either finds the other.
    /// W and R may only be asked for in a schedule that has them.
    TaskId find(const Task& task) const { return m_grid.contains(task) ? m_bySlot[m_grid.slot(task)] : noTask; }

private:
    Grid m_grid;
    std::vector<TaskId> m_bySlot;
};

} // namespace bubblescope
