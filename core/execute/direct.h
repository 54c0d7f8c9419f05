// Asynchronous training without a pipeline: what an update rule says, computed in the plainest way.
//
//     for each microbatch i, in order:
//         F on stages 0 … S−1, each with history[stage][version of F(i)]
//         B on stages S−1 … 0, each with history[stage][version of B(i)]
//         after the last microbatch of an update: the optimizer, and history[stage] gets one more version
//
// One thread, no messages, no counting of readers, and every version is kept: slow, and so simple that a
// pipeline can be held against it (--verify, and the tests).

#pragma once

#include "core/base/progress.h"
#include "core/execute/verify.h"

#include <vector>

namespace bubblescope {

/// Versions that tasks read, by stage and microbatch.
struct VersionRule {
    std::vector<std::vector<int>> forward;
    std::vector<std::vector<int>> backward;
};

/// The rule as a schedule's order and semantics have it.
VersionRule versionRule(const Schedule& schedule);

/// What is trained. Of the schedule only its sizes, replicas and semantics count, not its order.
struct DirectSetup {
    const StageMaker& maker;
    const std::vector<int>& partition; ///< blocks of each stage
    const Schedule& schedule;
    bool recompute = false; ///< stages need R between F and I
};

struct DirectRun {
    std::vector<TensorGradient> before; ///< weights of all stages
    std::vector<TensorGradient> after;
    std::vector<double> losses; ///< by step
    int updates = 0;            ///< of the stage that has most
};

/// Looks at `progress` between microbatches.
DirectRun trainDirectly(const DirectSetup& setup, const VersionRule& rule, const Progress& progress);

/// Compares what training has done to the weights: `pipeline` holds the weights at its end.
VerifyResult compareTraining(const std::vector<TensorGradient>& pipeline, const std::vector<double>& losses,
                             const DirectRun& direct);

} // namespace bubblescope
