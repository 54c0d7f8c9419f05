// The blocking model: transfers as rendezvous on the compute lanes.

#pragma once

#include "core/simulate/simulate.h"

namespace bubblescope {

/// Lowers the schedule with its sends and receives on the compute lanes, ties each pair and simulates
/// that; the result is by the TaskIds of `schedule`. The transfers' time is in no task: it is idle.
Timing simulateBlocking(const Schedule& schedule, const Costs& costs, SimulateOptions options);

} // namespace bubblescope
