// One lane's thread: takes its tasks in order, and nothing else decides anything.
//
//     for each unit: inputs ← Exchange → begin (virtual) → core → compute → end → record → outputs → Exchange
//
// The clock rule is one for all backends: start = max(end of the previous unit, arrival of each input),
// end = start + d, where d is the modelled duration (paced; the worker then sleeps to epoch + end, so
// that lateness never adds up) or the CPU time that the task took.
//
// Lanes other than compute (copies, collectives) are workers too, not virtual-time resources of their
// device's worker: a group that spans devices has to wait somewhere without holding up compute, and a
// sleeping thread costs nothing. Transfers that lower() would add aren't lanes here: they are arrival times.

#pragma once

#include "core/execute/core_gate.h"
#include "core/execute/exchange.h"
#include "core/execute/recorder.h"
#include "core/execute/run_plan.h"
#include "core/execute/stage_host.h"
#include "core/execute/time_source.h"

#include <vector>

namespace bubblescope {

/// What all workers of a run share.
struct RunContext {
    const RunPlan& plan;
    Exchange& exchange;
    CoreGate& gate;
    TimeSource& time;
    const StageMaker* maker = nullptr; ///< null: paced
    std::uint32_t rounds = 1;
    bool bounded = false;  ///< credits have to be given back
    Nanoseconds epoch = 0; ///< wall; set when all lanes have met
};

class Worker {
public:
    /// `host` is null on paced, `log` is null when nothing is recorded.
    Worker(RunContext& context, std::uint32_t lane, StageHost* host, LaneLog* log);

    /// The thread's body. Never throws: what goes wrong stops the run with a sentence.
    void operator()();

private:
    /// A unit that is being run.
    struct Turn {
        TaskId first{};
        TaskId end{};
        std::uint32_t round = 0;
        Nanoseconds ready = 0; ///< wall: asked for its inputs
        Nanoseconds start = 0; ///< virtual
    };

    void begin();
    void endRound();
    void runUnit(TaskId first, TaskId end, std::uint32_t round);
    void repeat(TaskId check);
    void collect(Turn& turn);
    void pace(Turn& turn);
    void compute(Turn& turn);
    void record(const Turn& turn, Nanoseconds end);
    void handOn(const Turn& turn, Nanoseconds end);

    Nanoseconds now() { return m_context.time.wall() - m_context.epoch; }

    RunContext& m_context;
    const RunPlan& m_plan;
    const std::uint32_t m_lane;
    StageHost* m_host;
    LaneLog* m_log;
    Nanoseconds m_free = 0;    ///< virtual end of the previous unit
    TaskId m_current = noTask; ///< for the sentence of a failure
    std::uint32_t m_round = 0;
    std::vector<Measurement> m_measured; ///< of the current unit's tasks
    MemorySample m_sample;               ///< at its end
};

} // namespace bubblescope
