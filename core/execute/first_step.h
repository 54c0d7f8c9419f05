// The first of several steps that a schedule lists, as a schedule of its own: what a rehearsal runs.

#pragma once

#include "core/schedule/schedule.h"

namespace bubblescope {

/// Keeps the order of the lanes, and the edges and groups that lie inside the step.
Schedule firstStep(const Schedule& schedule);

} // namespace bubblescope
