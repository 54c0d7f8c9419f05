// Tasks and gaps in words: what a tooltip and the inspector say.

#pragma once

#include "viz/timeline/run_painter.h"

#include <QString>

namespace bubblescope::viz {

/// "forward of microbatch 3 on stage 2", with slice, pipe and part where they aren't 0.
QString taskPhrase(const Task& task);

/// "waits for input", "pipeline fills" …: a cause as a person says it.
QString causePhrase(IdleCause cause);

/// The name of a cause in charts and tables: "warm-up", "communication".
QString causeTitle(IdleCause cause);

/// "7F3", or the name of what is no task.
QString spanName(const RunView& run, const Span& span);

/// The tooltip of a bar or gap; empty for none.
QString pickHint(const RunPicture& picture, const Pick& pick);

/// The TaskId of a bar's first task in the run's schedule; noTask without a plan.
TaskId taskIdOf(const RunView& run, const TimelineRow& row, const Bar& bar);

} // namespace bubblescope::viz
