// A picture of an order that can't complete: as far as it goes it is simulated, and where all lanes wait
// for each other, one goes on as if it didn't have to.
//
//     device 0   0F0 0F1 │0B0     here everything stands still: what follows is drawn, not predicted
//     device 1       1F0 │…
//
// Good for showing where an order breaks. No figure is taken from it.

#pragma once

#include "core/schedule/schedule.h"
#include "core/simulate/costs.h"
#include "core/simulate/simulate.h"

namespace bubblescope {

/// A time for every task, whatever is wrong with the order. A predecessor that is missing isn't waited for; groups
/// aren't tied; transfers take their latency.
Timing sketch(const Schedule& schedule, const Costs& costs);

} // namespace bubblescope
