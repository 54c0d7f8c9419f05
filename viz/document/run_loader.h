// Runs out of a document, as the window shows them. Reads through a connection of its own, so it may
// run on any thread while somebody else writes.

#pragma once

#include "core/base/progress.h"
#include "core/trace/document.h"
#include "viz/run/run_view.h"

namespace bubblescope::viz {

/// Reads and analyses one run; `step` −1 is the last one. Throws Error.
RunPtr loadRun(const Document& document, const RunInfo& info, int step = -1, const Progress& progress = Progress());

/// A run with more spans is held as columns, and its idle times aren't explained one by one.
inline constexpr std::int64_t largeRun = 1'000'000;

/// What a large run looks like, within an instant: from the document's cache, null when that has nothing.
RunPtr previewRun(const Document& document, const RunInfo& info);

/// Keeps the columns of a large run in its document, so that the next opening is fast. Silent when that can't be done: the
/// document is read-only, or somebody writes it. Throws Cancelled.
void keepColumns(const std::string& path, const RunView& run, const Progress& progress = Progress());

/// The plan that a run was made from; null (with a note) when its experiment or recipe is unknown here.
std::shared_ptr<const Plan> planOf(const RunInfo& info, RunView& run);

/// Title, label and state of a run without its spans.
RunView headOf(const RunInfo& info);

} // namespace bubblescope::viz
