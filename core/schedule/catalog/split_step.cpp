#include "core/schedule/catalog/split_step.h"

namespace bubblescope::catalog {

Schedule splitStep(const RecipeRequest& request, const SplitLanes& lanes)
{
    constexpr std::array<Work, 3> works{Work::Forward, Work::InputGradient, Work::WeightGradient};
    ScheduleBuilder builder(singlePipe(request));
    for (int stage = 0; stage < request.devices; ++stage) {
        std::array<int, 3> next{};
        for (const char letter : lanes[static_cast<std::size_t>(stage)]) {
            const auto kind = SplitPipeline::kindOf(letter);
            builder.compute(Device(stage), task(works[kind], stage, next[kind]++));
        }
    }
    builder.placeLooped();
    builder.endSynchronousStep();
    return builder.finish();
}

} // namespace bubblescope::catalog
