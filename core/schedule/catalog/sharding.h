// Weights sharded over data-parallel replicas (FSDP, ZeRO-3): gathered for each burst of work, gradients
// reduced once it is over.
//
//     compute      0F0 0F1 …      4F0 4F1 …      4B0 4B1 …      0B0 0B1 …
//     collective   0g0 4g0       |4g1           |0g1           |4c0           |0c0
//
// A burst is a run of forwards, or of backwards, of one stage. Two buffers hold gathered weights, so the
// gather for a burst waits for the end of the burst before the last. The other members of a collective are
// devices of other pipelines: here it is a task that takes time, without a group.

#pragma once

#include "core/schedule/schedule.h"

#include <vector>

namespace bubblescope::catalog {

/// Writes the collective lane of a device whose compute lane holds exactly `order` so far, and whose step then
/// ends by endSynchronousStep(). Gradients of each stage are reduced after every `unit` microbatches.
void addSharding(ScheduleBuilder& builder, Device device, const std::vector<Task>& order, int unit);

} // namespace bubblescope::catalog
