#include "core/execute/stage_module.h"

#include "core/base/error.h"

namespace bubblescope {

void StageModule::compensate(int delay)
{
    throw Failure(
        fmt::format("the model's optimizer has no velocity to correct gradients that are {} updates old with", delay));
}

void StageModule::extrapolate(int updates)
{
    throw Failure(fmt::format("the model's optimizer has no velocity to look {} updates ahead with", updates));
}

} // namespace bubblescope
