// Runs out of a document, as the window shows them. Reads through a connection of its own, so it may
// run on any thread while somebody else writes.

#pragma once

#include "core/base/progress.h"
#include "core/trace/document.h"
#include "viz/run/run_view.h"

namespace bubblescope::viz {

/// Reads and analyses one run; `step` −1 is the last one. Throws Error.
RunPtr loadRun(const Document& document, const RunInfo& info, int step = -1, const Progress& progress = Progress());

/// The plan that a run was made from; null (with a note) when its experiment or recipe is unknown here.
std::shared_ptr<const Plan> planOf(const RunInfo& info, RunView& run);

/// Title, label and state of a run without its spans.
RunView headOf(const RunInfo& info);

} // namespace bubblescope::viz
