// Weight gradients into the gaps of an order.
//
//     before   F0 F1       I0    I1    I2             W0 W1 W2 would have to follow at the end
//     after    F0 F1       I0 W0 I1 W1 I2 W2
//
// The order of F and I of every lane is given, and a simulation as the order grows says where a lane would wait.
// The oldest W that is due goes there. How much of a W a gap has to hold is tried in a few steps, since a
// W that sticks out of a small gap delays whoever waits for the next task; the shortest order wins.

#pragma once

#include "core/schedule/schedule.h"
#include "core/simulate/costs.h"

#include <vector>

namespace bubblescope::catalog {

/// `lanes` holds F and I of looped stages, by device; one W for each I is put in, first in, first out. A lane
/// that holds `most` activations of a stage (0: any number) between F and W runs the oldest W before its next F.
std::vector<std::vector<Task>> fillGaps(const std::vector<std::vector<Task>>& lanes, const Shape& shape,
                                        const Costs& costs, int most = 0);

/// What a request's order is made for: its own costs, or F=I=W=1 where it has none.
Costs planningCosts(const Costs* given, const Shape& shape);

} // namespace bubblescope::catalog
