// The best order of F, I and W for a small pipeline, with proof: what heuristics are measured against.
//
// Branch and bound over active schedules (Giffler and Thompson 1960). Take the task that can end first of
// all; whatever its stage runs next starts before that end, or else the task could be slipped in without
// delaying anything. So only the tasks of that one stage which start in time are branched on.
//
//     bound      every stage in turn as the only one that works on one task at a time, the others free
//     dominance  same counts on every stage, and nothing that is ready earlier: explored already
//
// Slipping a task in keeps the memory limit, because only I and W, which give memory back, are passed
// over; where an I takes memory (deltas above 0), waiting is branched on too.

#pragma once

#include "core/base/progress.h"
#include "core/schedule/search/split_pipeline.h"

namespace bubblescope {

/// No order under the limit is shorter; O(stages × microbatches), for pipelines of any size.
Nanoseconds lowerBound(const SplitPipeline& pipeline, SplitObjective objective);

struct ExactResult {
    SplitLanes lanes;
    SplitMeasure measured;
    Nanoseconds bound = 0; ///< no order is shorter
    bool proved = false;   ///< nothing better exists; false: the nodes ran out
    std::int64_t nodes = 0;
};

/// Begins with `lanes` (bestHeuristicLanes, say) and looks for better ones until there can't be any or
/// `nodes` are used up. Deterministic. Throws Cancelled.
ExactResult solveExactly(const SplitPipeline& pipeline, SplitObjective objective, SplitLanes lanes, std::int64_t nodes,
                         const Progress& progress);

} // namespace bubblescope
