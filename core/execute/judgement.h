// What a finished run says about itself: its label, its figures, what to be careful about.

#pragma once

#include "core/execute/engine.h"
#include "core/execute/recorder.h"

namespace bubblescope {

/// Fills in label, trace, makespans and stretch from what was recorded. `shown` are the times that the sink got.
void judge(RunResult& result, const Recorder& recorder, Backend::Kind kind, ShownTime shown);

/// Sentences about a machine that was too busy or changed its speed, and about what wasn't executed.
void addWarnings(RunResult& result, Backend::Kind kind, const Costs& costs, bool slept);

/// Everything that has to be known to trust the run, beside what the backend says of itself.
void addProvenance(RunResult& result, const Backend& backend, const RunOptions& options);

} // namespace bubblescope
