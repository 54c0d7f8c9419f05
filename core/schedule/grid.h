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

class Grid;

/// The rule as plain values. Hot loops take a copy, which the compiler keeps in registers; it points
/// into the Grid that it came from.
class GridRule {
public:
    static constexpr std::uint32_t noSlot = 0xffffffffU;

    std::uint32_t slot(const Task& task) const { return first(task) + column(task.work); }

    /// Calls f(slot, Payload) for each predecessor that the rule gives.
    template <class Visitor>
    void forEachPredecessor(const Task& task, Visitor&& visit) const
    {
        const std::uint32_t own = first(task);
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
        const std::uint32_t own = first(task);
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
    int neighbourStage(const Task& task, int direction) const
    {
        if (m_paths == nullptr) {
            const int neighbour = task.stage + direction;
            return neighbour < 0 || neighbour >= m_pathStages || task.stage >= m_pathStages ? -1 : neighbour;
        }
        return neighbourOnPath(task, direction);
    }

    /// What is left of the rule where nothing is optional (no slices, paths or recomputation): two
    /// distances, so that the innermost loop of large simulations is a few instructions.
    struct Plain {
        std::uint32_t row;    ///< slots of one microbatch
        std::uint32_t works;  ///< slots of one stage of it: the distance to the neighbouring stage
        std::uint32_t stages; ///< of the pipeline; components stand behind
        const std::uint32_t* pipeBegin;

        std::uint32_t forward(const Task& task) const
        {
            return (pipeBegin[task.pipe] + static_cast<std::uint32_t>(task.microbatch)) * row + task.stage * works;
        }
    };

    Plain plain() const { return {m_row, m_works, static_cast<std::uint32_t>(m_pathStages), m_pipeBegin}; }

    static constexpr std::uint32_t backwardColumn = 1; ///< B and I exclude each other, so they share a slot
    static constexpr std::uint32_t weightColumn = 2;
    static constexpr std::uint32_t recomputeColumn = 3;

private:
    friend class Grid;

    static constexpr std::uint32_t column(Work work)
    {
        constexpr std::uint32_t columns[] = {0, backwardColumn, backwardColumn, weightColumn, recomputeColumn};
        return columns[static_cast<std::size_t>(work)];
    }

    /// Slot of F of the task's stage, microbatch and slice.
    std::uint32_t first(const Task& task) const
    {
        return (m_pipeBegin[task.pipe] + static_cast<std::uint32_t>(task.microbatch)) * m_row +
               task.stage * m_stageStep + task.slice * m_works;
    }

    /// Distance in slots to the neighbouring stage of the same microbatch; 0 when there is none.
    std::int32_t step(const Task& task, int direction) const
    {
        const int neighbour = neighbourStage(task, direction);
        return neighbour < 0 ? 0 : (neighbour - task.stage) * static_cast<std::int32_t>(m_stageStep);
    }

    int neighbourOnPath(const Task& task, int direction) const;

    std::uint32_t m_row = 2;       // slots of one microbatch
    std::uint32_t m_stageStep = 2; // slots of one stage of it
    std::uint32_t m_slices = 1;
    std::uint32_t m_works = 2;
    int m_pathStages = 1; // components (stages past this) have no neighbours of their own
    bool m_recompute = false;
    const std::uint32_t* m_pipeBegin = nullptr; // first microbatch row of each pipe, and the end
    const Grid* m_paths = nullptr;              // where the paths are, if there are any
};

class Grid {
public:
    static constexpr std::uint32_t noSlot = GridRule::noSlot;

    explicit Grid(const Schedule& schedule);
    Grid(const Grid&) = delete;
    Grid& operator=(const Grid&) = delete;

    const GridRule& rule() const { return m_rule; }

    /// Number of slots; tasks that aren't on the grid may be numbered from here on.
    std::uint32_t slots() const { return m_slots; }

    /// False for a task whose stage, microbatch, slice or pipe lies outside the shape.
    bool contains(const Task& task) const
    {
        return onGrid(task.work) && task.part == 0 && task.pipe < m_pipeBegin.size() - 1 && task.stage < m_stages &&
               task.slice < m_rule.m_slices && task.microbatch >= 0 &&
               static_cast<std::uint32_t>(task.microbatch) < m_pipeBegin[task.pipe + 1U] - m_pipeBegin[task.pipe];
    }

    /// True when some predecessors of the rule may be absent (slices, recompute, paths): then a missing
    /// slot means "nothing to wait for", and validate() has to find real omissions.
    bool hasOptional() const { return m_optional; }

    std::uint32_t slot(const Task& task) const { return m_rule.slot(task); }

    template <class Visitor>
    void forEachPredecessor(const Task& task, Visitor&& visit) const
    {
        m_rule.forEachPredecessor(task, visit);
    }

    template <class Visitor>
    void forEachSuccessor(const Task& task, Visitor&& visit) const
    {
        m_rule.forEachSuccessor(task, visit);
    }

    int neighbourStage(const Task& task, int direction) const { return m_rule.neighbourStage(task, direction); }

    /// The identity that a slot stands for. Column 1 reads as I where the schedule splits backwards, else as B.
    Task taskAt(std::uint32_t slot) const;

private:
    friend class GridRule;

    GridRule m_rule;
    std::uint32_t m_stages = 1;
    std::uint32_t m_slots = 0;
    bool m_split = false;
    bool m_optional = false;
    std::vector<std::uint32_t> m_pipeBegin;
    std::vector<std::vector<std::int32_t>>
        m_paths; // per path and stage: previous stage, next stage (−1 none), interleaved
    std::vector<std::uint16_t> m_pathOfMicrobatch;
    std::vector<std::uint32_t> m_perStep;   // microbatches per step of each pipe
    std::vector<std::uint32_t> m_pathBegin; // first entry of each pipe in m_pathOfMicrobatch
};

} // namespace bubblescope
