// Costs out of what was measured, and how far a measurement may be trusted.

#pragma once

#include "core/execute/engine.h"

namespace bubblescope {

/// The median duration per (work, stage) of a trace of this schedule (any number of steps). Transfers
/// and everything that the trace doesn't show are those of `base`. Joined units: their median is the
/// cost of a pair, and the parts share it by their CPU times.
Costs costsFromTrace(const Trace& trace, const Schedule& schedule, const Costs& base);

/// When everything would have happened if each task had taken its own CPU time on a machine with a core
/// for each worker: the executed order through the simulator. `step` chooses a repetition of the schedule.
Timing replayTiming(const Trace& trace, const Schedule& schedule, int step = 0);

/// Wall ÷ CPU time of the compute tasks: 1 on a quiet machine, more where threads had to stand aside.
struct Stretch {
    double median = 0;
    double p90 = 0;
};

Stretch stretchOf(const Trace& trace);

/// executor.md 2.3: measured needs a core for every worker and a median stretch of at most 1.1.
RunLabel runLabel(Backend::Kind kind, int workers, int cores, double medianStretch);

/// What the label means for this run, as a sentence.
std::string labelSentence(RunLabel label, int workers, int cores);

} // namespace bubblescope
