#include "core/simulate/frozen_memory.h"

#include "core/experiment.h"

namespace bubblescope {

MemoryRules withFrozenLayers(const MemoryRules& rules, const ModelSpec& model, int layers, bool recompute)
{
    if (layers == 0)
        return rules;
    constexpr std::int64_t floatBytes = 4;
    MemoryRules all(rules.stages() + layers);
    for (int stage = 0; stage < rules.stages(); ++stage) {
        all.constant[static_cast<std::size_t>(stage)] = rules.constant[static_cast<std::size_t>(stage)];
        for (int work = 0; work < workCount; ++work)
            for (const MemoryRules::Effect& effect : rules.of(static_cast<Work>(work), Stage(stage)))
                all.add(static_cast<Work>(work), Stage(stage), effect);
    }
    const std::int64_t hidden = model.hidden;
    for (int layer = 0; layer < layers; ++layer) {
        const std::int64_t tokenVectors = layer == 0 ? model.vocabulary * hidden : 0;
        all.constant[static_cast<std::size_t>(rules.stages() + layer)][static_cast<std::size_t>(MemoryClass::Weight)] =
            floatBytes * (hidden * hidden + tokenVectors);
    }
    const std::int64_t encoding = floatBytes * model.sequence * model.batch * hidden;
    if (recompute && layers > 0) {
        all.add(Work::Forward, Stage(0), {MemoryClass::Boundary, 0, encoding});
        for (const Work work : {Work::Recompute, Work::Backward, Work::InputGradient})
            if (!all.of(work, Stage(0)).empty() && all.of(work, Stage(0)).front().memoryClass == MemoryClass::Boundary)
                all.add(work, Stage(0), {MemoryClass::Boundary, -encoding, 0});
    }
    return all;
}

} // namespace bubblescope
