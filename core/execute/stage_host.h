// The model's share of one device: its stages, its memory, and what waits between its tasks.
//
// Weight versions come in here: all schedules that run today are synchronous, so each stage has one
// version and U changes it in place. A WeightStore with use counts would stand between the host and
// its modules: run() asks it which version a task reads (Semantics decides, Parcel::version says what
// the producer read), U appends the next, the last reader frees. Nothing outside this class would change.

#pragma once

#include "core/execute/loss_book.h"
#include "core/execute/recorder.h"
#include "core/execute/run_plan.h"
#include "core/execute/stage_module.h"

#include <memory>
#include <vector>

namespace bubblescope {

/// What the stages of a run are made from.
struct ModelSource {
    const StageMaker* maker = nullptr;
    std::vector<int> partition;        ///< blocks of each virtual stage
    bool recomputesInBackward = false; ///< F keeps its input only and the schedule has no R: I does it first
};

class StageHost {
public:
    /// `training` false: updates are left out, so that the gradients of a step can be looked at.
    StageHost(const RunPlan& plan, std::uint32_t lane, const ModelSource& source, bool training, LossBook& losses);

    /// Makes the stages; called by the worker, whose thread then touches their memory first.
    void make();

    /// The tensor that `task` will work on, from another lane.
    void deliver(TaskId task, Buffer data);

    /// Computes the task as it is in this round.
    void run(TaskId id, std::uint32_t round);

    /// The tensor that the task made for another lane.
    Buffer takeOutput(TaskId task) { return std::move(m_made[task - m_begin]); }

    /// Losses of stages without an update; and nothing may be left over. Throws Failure naming what is.
    void endRound(std::uint32_t round);

    MemorySample sample() const;

    std::int64_t liveBytes() const { return m_arena.liveBytes(); }

    /// By virtual stage; null for stages of other devices.
    const std::vector<std::unique_ptr<StageModule>>& modules() const { return m_modules; }

    /// Takes the stages and everything that waits down; the arena's counters stay.
    void clear();

private:
    Buffer operand(TaskId task);
    void keep(TaskId task, Buffer made);

    const RunPlan& m_plan;
    const std::uint32_t m_lane;
    const ModelSource& m_source;
    const bool m_training;
    LossBook& m_losses;
    const TaskId m_begin;        ///< first task of the lane
    Arena m_arena;               ///< before all that holds its buffers
    std::vector<bool> m_updates; ///< by stage: the lane has an update of it
    std::vector<std::unique_ptr<StageModule>> m_modules;
    std::vector<Buffer> m_made;      ///< by task of the lane: result that wasn't taken yet
    std::vector<Buffer> m_delivered; ///< by task of the lane: operand from another lane
};

} // namespace bubblescope
