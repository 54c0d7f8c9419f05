// The engine: really runs a schedule, one worker thread for each lane that has tasks.
//
//     Schedule ─┐                       ┌─ worker: inputs ← Exchange; core; compute; record; outputs → Exchange
//     Costs    ─┼─ execute() ─ workers ─┼─ worker …                                        │
//     Backend  ─┘                       └─ worker …                                        ▼
//                    calling thread: progress, cancel, hand-over of spans every 250 ms ─ TraceSink
//
// Two backends go through the same workers, mailboxes and clock rule: `cpu` computes a real model,
// `paced` lets each task take its modelled time by virtual deadlines (durations and bubbles are the
// model's; order, messages, bounded buffers, failure and cancel are real).

#pragma once

#include "core/base/progress.h"
#include "core/execute/gradient_norm.h"
#include "core/execute/stage_module.h"
#include "core/execute/verify.h"
#include "core/experiment.h"
#include "core/trace/trace.h"
#include "core/trace/trace_sink.h"

#include <nlohmann/json.hpp>

#include <functional>
#include <string>
#include <vector>

namespace bubblescope {

class TimeSource;

/// What the tasks of a run are done by.
struct Backend { // NOLINT(bugprone-exception-escape): of nlohmann::json, whose checks throw in theory
    enum class Kind : std::uint8_t { Cpu, Paced };

    Kind kind = Kind::Paced;
    const StageMaker* maker = nullptr; ///< cpu: makes the stages; must outlive the run
    std::vector<int> partition = {};   ///< cpu: blocks of each virtual stage
    double clipNorm = 0;               ///< cpu: gradients are scaled to this norm over all stages; 0: they aren't
    bool recompute = false;            ///< cpu: F keeps its input only; a backward without an R before it does R first
    nlohmann::json provenance = {};    ///< kept with the run: BLAS flavour, model
    std::function<Nanoseconds()> calibration = {}; ///< times a fixed product; empty: a plain one of the engine's
};

/// "cpu", "paced".
const char* backendName(Backend::Kind kind);

struct RunOptions {
    int steps = 0;            ///< recorded steps; 0: as many as the schedule lists; else a multiple of those
    int warmup = -1;          ///< cpu: unrecorded steps before, −1: one. Weights are as new afterwards
    bool verify = false;      ///< cpu: compare the gradients of a step (asynchronous: the training) with one device
    bool keepWeights = false; ///< cpu: RunResult::weights
    int capacity = 0; ///< messages in flight from one lane to another before the sender waits; 0: what the order needs
    int cores = 0;    ///< cores to count with; 0: those that this process may use
    bool checkFirst = true; ///< refuse what validate() refuses; without it a bad order ends as a deadlock with names
    std::function<void(int step, double loss)> onLoss = {}; ///< from the calling thread, in order
    TimeSource* time = nullptr;                             ///< tests: other clocks
};

struct RunResult {
    enum class State : std::uint8_t { Complete, Cancelled, Failed };

    State state = State::Complete;
    std::string sentence; ///< what failed and where; empty when complete
    RunLabel label = RunLabel::Emulated;
    Trace trace;                ///< recorded spans survive a failure. Times are those that `label` speaks of
    bool restated = false;      ///< the sink got wall times and the label turned out to be `Replayed`: `trace` differs
    std::vector<double> losses; ///< of each recorded step that was completed
    std::vector<TensorGradient> weights; ///< at the end, of all stages; only when asked for
    ClipCounts clips;                    ///< with Backend::clipNorm
    VerifyResult verify;
    Nanoseconds wallMakespan = 0;    ///< of the recorded steps
    Nanoseconds virtualMakespan = 0; ///< paced: of the model; cpu: CPU times through the virtual clock
    double stretchMedian = 0;        ///< wall ÷ CPU time per task; 0 on paced
    double stretchP90 = 0;
    Nanoseconds calibrationBefore = 0;
    Nanoseconds calibrationAfter = 0;
    int workers = 0; ///< devices that compute
    int cores = 0;
    std::int64_t leakedBytes = 0; ///< device memory still held after everything was taken down: always 0, or a defect
    std::vector<std::string> warnings;
    nlohmann::json provenance;
};

const char* runStateName(RunResult::State state);

/// What is run: an order, and by the model what it costs.
struct CostedSchedule {
    const Schedule& schedule;
    const Costs& costs;
};

/// Runs the schedule. Throws Error, before any thread is started, for what can't be run on this
/// backend and says which part; whatever happens later is in the result.
RunResult execute(const CostedSchedule& work, const Backend& backend, const RunOptions& options, TraceSink& sink,
                  const Progress& progress);

/// The same for a plan, whose partition is taken when the backend has none.
RunResult execute(const Plan& plan, const Backend& backend, const RunOptions& options, TraceSink& sink,
                  const Progress& progress);

} // namespace bubblescope
