// What an order alone says about a run, however long its tasks take.

#pragma once

#include "core/schedule/schedule.h"

#include <vector>

namespace bubblescope::test {

/// By device: the most tensors (activations and gradients between stages) that its tasks can have made and nobody has
/// begun to work on, at the ends of its compute tasks. Tensors that stay on the device count too.
std::vector<int> mostInFlight(const Schedule& schedule);

/// By TaskId of compute lanes: the microbatches (F tasks) of the device that may be in host memory after the task: those
/// of which an offload may have begun and of which no reload has surely ended.
std::vector<std::vector<TaskId>> maybeAway(const Schedule& schedule);

} // namespace bubblescope::test
