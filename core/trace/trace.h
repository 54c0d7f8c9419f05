// A trace: what took place, when, on which lane. Predictions, executions, recordings and imported
// files all end as this, so that every view and every analysis works on all of them.

#pragma once

#include "core/schedule/schedule.h"
#include "core/simulate/simulate.h"

#include <cstdint>
#include <string>
#include <vector>

namespace bubblescope {

/// One task, kernel or transfer that took place. Times count from the run's begin.
struct Span {
    Nanoseconds start = 0;
    Nanoseconds end = 0;
    Task task;                        ///< identity; meaningless when `name` is set
    std::uint32_t name = 0;           ///< index into Trace::names for what isn't a task; 0 none
    std::int32_t version = noVersion; ///< of the weights that it computed with, where that isn't simply the step

    Nanoseconds duration() const { return end - start; }
};

/// What an executed span really took, beside the (virtual) times of the span itself.
struct Measurement {
    Nanoseconds ready = 0; ///< wall clock: asked for its inputs
    Nanoseconds wallStart = 0;
    Nanoseconds wallEnd = 0;
    Nanoseconds cpu = 0; ///< CPU time of the thread between wallStart and wallEnd
};

struct TraceLane {
    Device device{};
    LaneKind kind = LaneKind::Compute;
    std::uint8_t index = 0;
    std::vector<Span> spans;               ///< by start
    std::vector<Measurement> measurements; ///< parallel to spans, or empty
};

/// A value over time, e.g. live bytes of a device.
struct Counter {
    std::string name;
    Device device{};
    std::vector<std::pair<Nanoseconds, std::int64_t>> samples;
};

/// A send and its receive, or another flow between two spans.
struct Link {
    Device from{};
    Device to{};
    Task producer;
    Nanoseconds sent = 0;
    Nanoseconds arrived = 0;
    std::int64_t bytes = 0;
};

struct Trace {
    std::vector<TraceLane> lanes; ///< by (device, kind, index)
    std::vector<Counter> counters;
    std::vector<Link> links;
    std::vector<std::string> names = {""};

    int devices() const;
    Nanoseconds begin() const; ///< earliest start; 0 when empty
    Nanoseconds end() const;   ///< latest end; 0 when empty
    std::size_t spanCount() const;
};

/// How far a number of a run may be trusted (executor.md 2.3).
enum class RunLabel : std::uint8_t { Predicted, Measured, Replayed, Emulated, Recorded, Imported };

/// "predicted", "measured", "measured work, replayed overlap", "emulated", "recorded", "imported".
const char* runLabelText(RunLabel label);

/// The spans of a simulated schedule, lane by lane.
Trace traceOf(const Schedule& schedule, const Timing& timing);

/// The order of the tasks and their times back from a trace: TaskIds are those of `schedule`, whose
/// identities the spans must have. `step` ≥ 0 takes one step of a trace of several. Throws Error
/// naming the first task that is missing.
Timing timingOf(const Trace& trace, const Schedule& schedule, int step = 0);

} // namespace bubblescope
