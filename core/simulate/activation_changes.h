// What each task of a schedule takes and gives back, in millionths of an activation: what curves and intervals of
// live activations are made from.

#pragma once

#include "core/schedule/grid.h"
#include "core/simulate/memory.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

namespace bubblescope {

/// What the tasks of a schedule take and give back. Where R counts nothing, F of a slice gives back at its end what an R
/// takes again.
class ActivationChanges {
public:
    ActivationChanges(const Schedule& schedule, const ActivationDeltas& deltas)
        : m_slicing(schedule.slicing), m_deltas(deltas)
    {
        const ActivationDeltas::Delta& again = deltas.of[static_cast<std::size_t>(Work::Recompute)];
        const auto recomputes = [](const Task& task) { return task.work == Work::Recompute; };
        if (schedule.slicing.empty() || again.atStart != 0 || again.atEnd != 0 ||
            std::none_of(schedule.tasks.begin(), schedule.tasks.end(), recomputes))
            return;
        m_grid.emplace(schedule);
        m_comesBack.resize(m_grid->slots(), false);
        for (Task task : schedule.tasks)
            if (recomputes(task) && m_grid->contains(task)) {
                task.work = Work::Forward;
                m_comesBack[m_grid->slot(task)] = true;
            }
    }

    ActivationDeltas::Delta operator()(const Task& task) const
    {
        const ActivationDeltas::Delta& own = m_deltas.of[static_cast<std::size_t>(task.work)];
        if (task.work == Work::Offload || task.work == Work::Reload) {
            const double moved = m_slicing.offloadedPart(task.slice);
            const auto part = [moved](std::int64_t all) { return std::llround(static_cast<double>(all) * moved); };
            return {part(own.atStart), part(own.atEnd)};
        }
        if (!m_grid || (task.work != Work::Forward && task.work != Work::Recompute) || !m_grid->contains(task))
            return own;
        const std::int64_t taken = m_deltas.of[static_cast<std::size_t>(Work::Forward)].atStart;
        if (task.work == Work::Recompute)
            return {taken, 0};
        return m_comesBack[m_grid->slot(task)] ? ActivationDeltas::Delta{taken, own.atEnd - taken} : own;
    }

private:
    const Slicing& m_slicing;
    const ActivationDeltas& m_deltas;
    std::optional<Grid> m_grid;
    std::vector<bool> m_comesBack; // by slot of F
};

} // namespace bubblescope
