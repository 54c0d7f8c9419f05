// The step of a single-direction pipeline with split backwards, from words over F, I and W (search/).

#pragma once

#include "core/schedule/catalog/common.h"
#include "core/schedule/search/split_heuristics.h"

namespace bubblescope::catalog {

/// Stage s on device s, its k-th F, I and W those of microbatch k; barrier and updates at the end.
Schedule splitStep(const RecipeRequest& request, const SplitLanes& lanes);

} // namespace bubblescope::catalog
