// Orders of F, I and W under a memory limit, found without search: the zero-bubble paper's heuristic
// (Qi et al. 2023, section 3.1), its handcrafted orders, and list scheduling for what these can't fit.

#pragma once

#include "core/schedule/search/split_pipeline.h"

#include <string>

namespace bubblescope {

/// The forwards before the first I, the most microbatches between F and W, and the most between I and W
/// once forwards are exhausted: the rule behind ZB-H1 and ZB-H2.
struct SplitRule {
    int warmup;
    int live;
    int pending;
};

/// One lane by that rule (section 2.1 of the paper; reproduces its figures and its Table 5).
std::string ruleLane(const SplitRule& rule, int microbatches);

SplitRule ruleH1(int stage, int stages);
SplitRule ruleH2(int stage, int stages);

/// The best order that any of them finds. The limit must be smallestLimit() or more.
SplitLanes bestHeuristicLanes(const SplitPipeline& pipeline, SplitObjective objective);

} // namespace bubblescope
