// The grid rule of dependencies, as arithmetic.
//
//     task        waits for (payload)                                   ? = where such a task exists
//     F(s,i,k)    F(prev,i,k) act · F(s,i,k−1)? kv
//     R(s,i,k)    F(s,i,k) stash
//     B/I(s,i,k)  F(s,i,k) stash · R(s,i,k)? stash · B/I(next,i,k) grad · B/I(s,i,k+1)? kv
//     W(s,i,k)    I(s,i,k) stash
//
// prev and next are taken in the path of the microbatch. Every grid task has a *slot*, a dense number
// computed from its identity: microbatch-major, so that the tasks that a wave touches together lie
// together in memory. Everything that keeps a value per task uses slots, never a hash map.

#pragma once

#include "core/schedule/schedule.h"

#include <cstdint>
#include <vector>

namespace bubblescope {

class Grid {
public:
    static constexpr std::uint32_t noSlot = 0xffffffffU;

    explicit Grid(const Schedule& schedule);

    /// Number of slots; tasks that aren't on the grid may be numbered from here on.
    std::uint32_t slots() const { return m_slots; }

    /// False for a task whose stage, microbatch, slice or pipe lies outside the shape.
    bool contains(const Task& task) const
    {
        return onGrid(task.work) && task.part == 0 && task.pipe < m_pipeBegin.size() - 1 && task.stage < m_stages &&
               task.slice < m_slices && task.microbatch >= 0 &&
               static_cast<std::uint32_t>(task.microbatch) < m_pipeBegin[task.pipe + 1U] - m_pipeBegin[task.pipe];
    }

    std::uint32_t slot(const Task& task) const
    {
        return ((static_cast<std::uint32_t>(m_pipeBegin[task.pipe] + static_cast<std::uint32_t>(task.microbatch)) * m_stages +
                 task.stage) * m_slices + task.slice) * m_works + column(task.work);
    }

    /// True when some predecessors of the rule may be absent (slices, recompute, paths): then a missing
    /// slot means "nothing to wait for", and validate() has to find real omissions.
    bool hasOptional() const { return m_optional; }

    /// Calls f(slot, Payload) for each predecessor that the rule gives.
    template <class Visitor>
    void forEachPredecessor(const Task& task, Visitor&& visit) const
    {
        const std::uint32_t own = slot(task) - column(task.work); // slot of F of the same (stage, microbatch, slice)
        switch (task.work) {
        case Work::Forward:
            if (const std::int32_t previous = step(task, -1); previous != 0)
                visit(own + static_cast<std::uint32_t>(previous), Payload::Activation);
            if (task.slice > 0)
                visit(own - m_works, Payload::KeyValue);
            break;
        case Work::Recompute:
            visit(own, Payload::Stash);
            break;
        case Work::Backward:
        case Work::InputGradient:
            visit(own, Payload::Stash);
            if (m_recompute)
                visit(own + recomputeColumn, Payload::Stash);
            if (const std::int32_t next = step(task, +1); next != 0)
                visit(own + static_cast<std::uint32_t>(next) + backwardColumn, Payload::Gradient);
            if (task.slice + 1U < m_slices)
                visit(own + m_works + backwardColumn, Payload::KeyValue);
            break;
        case Work::WeightGradient:
            visit(own + backwardColumn, Payload::Stash);
            break;
        default:
            break;
        }
    }

    /// The slots that may wait for this task by the rule: the inverse of forEachPredecessor.
    template <class Visitor>
    void forEachSuccessor(const Task& task, Visitor&& visit) const
    {
        const std::uint32_t own = slot(task) - column(task.work);
        switch (task.work) {
        case Work::Forward:
            if (const std::int32_t next = step(task, +1); next != 0)
                visit(own + static_cast<std::uint32_t>(next), Payload::Activation);
            if (task.slice + 1U < m_slices)
                visit(own + m_works, Payload::KeyValue);
            if (m_recompute)
                visit(own + recomputeColumn, Payload::Stash);
            visit(own + backwardColumn, Payload::Stash);
            break;
        case Work::Recompute:
            visit(own + backwardColumn, Payload::Stash);
            break;
        case Work::Backward:
        case Work::InputGradient:
            if (const std::int32_t previous = step(task, -1); previous != 0)
                visit(own + static_cast<std::uint32_t>(previous) + backwardColumn, Payload::Gradient);
            if (task.slice > 0)
                visit(own - m_works + backwardColumn, Payload::KeyValue);
            if (task.work == Work::InputGradient && m_works > weightColumn)
                visit(own + weightColumn, Payload::Stash);
            break;
        default:
            break;
        }
    }

    /// The stage before (−1) or after (+1) in the path of the task's microbatch; −1 when there is none.
    int neighbourStage(const Task& task, int direction) const;

    /// The identity that a slot stands for. Column 1 reads as I where the schedule splits backwards, else as B.
    Task taskAt(std::uint32_t slot) const;

private:
    static constexpr std::uint32_t backwardColumn = 1; // B and I exclude each other, so they share a slot
    static constexpr std::uint32_t weightColumn = 2;
    static constexpr std::uint32_t recomputeColumn = 3;

    static constexpr std::uint32_t column(Work work)
    {
        constexpr std::uint32_t columns[] = {0, backwardColumn, backwardColumn, weightColumn, recomputeColumn};
        return columns[static_cast<std::size_t>(work)];
    }

    /// Distance in slots to the neighbouring stage of the same microbatch; 0 when there is none.
    std::int32_t step(const Task& task, int direction) const
    {
        if (m_paths.empty()) {
            const int neighbour = task.stage + direction;
            if (neighbour < 0 || neighbour >= m_pathStages || task.stage >= m_pathStages)
                return 0;
            return direction * static_cast<std::int32_t>(m_slices * m_works);
        }
        const int neighbour = neighbourStage(task, direction);
        return neighbour < 0 ? 0 : (neighbour - task.stage) * static_cast<std::int32_t>(m_slices * m_works);
    }

    std::uint32_t m_stages = 1;
    std::uint32_t m_slices = 1;
    std::uint32_t m_works = 2;
    std::uint32_t m_slots = 0;
    int m_pathStages = 1; // components (stages past this) have no neighbours of their own
    bool m_recompute = false;
    bool m_split = false;
    bool m_optional = false;
    std::vector<std::uint32_t> m_pipeBegin;          // first microbatch row of each pipe, and the end
    std::vector<std::vector<std::int32_t>> m_paths;  // per path and stage: previous stage, next stage (−1 none), interleaved
    std::vector<std::uint16_t> m_pathOfMicrobatch;
    std::vector<std::uint32_t> m_perStep;            // microbatches per step of each pipe
    std::vector<std::uint32_t> m_pathBegin;          // first entry of each pipe in m_pathOfMicrobatch
};

} // namespace bubblescope
