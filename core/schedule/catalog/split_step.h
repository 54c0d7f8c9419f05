// The steps of a single-direction pipeline with split backwards, from words over F, I and W (search/).
//
//     barrier            F…W y U  F…W y U          y starts on all devices together
//     post-validation    F…W k U  F…F k I…W k U    k down the stages before U, k up before the next step's first I

#pragma once

#include "core/schedule/catalog/common.h"
#include "core/schedule/search/split_heuristics.h"

namespace bubblescope::catalog {

/// `update`: how the zero-bubble families end a step.
RecipeParameter updateParameter();

bool postValidates(const RecipeRequest& request);

/// One step, stage by stage.
using StepLanes = std::vector<std::vector<Task>>;

/// The k-th F, I and W of a word are those of microbatch k.
StepLanes tasksOf(const SplitLanes& words);

/// All steps of the request, stage s on device s.
Schedule splitSteps(const RecipeRequest& request, const StepLanes& lanes);

} // namespace bubblescope::catalog
