// What a backend can't run yet, said before anything is started.

#pragma once

#include "core/execute/engine.h"

#include <string>
#include <vector>

namespace bubblescope {

/// One sentence for each part of the schedule or of the options that this backend can't do; empty when it can run.
std::vector<std::string> refusals(const Schedule& schedule, const Costs& costs, const Backend& backend,
                                  const RunOptions& options);

} // namespace bubblescope
