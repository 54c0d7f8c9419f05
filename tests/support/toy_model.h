// A model of a few numbers with exact gradients, for tests of the engine: blocks of y = tanh(W x).
//
// The embedding gives each microbatch its own x, the head is half the squared distance to a target. All
// kept tensors come from the arena, so leaks show.

#pragma once

#include "core/execute/stage_module.h"

#include <functional>

namespace bubblescope::test {

struct ToyMaker final : StageMaker {
    int width = 8;
    bool recompute = false; ///< F keeps its input only
    float learningRate = 0.1F;

    /// Called at the begin of each F, I, W, R and U with the stage's first block; may throw or take its time.
    std::function<void(char work, int firstBlock, const DataKey& key)> onTask;

    /// The gradient of this block is spoiled in pipelines (a stage that doesn't hold all blocks); −1: none.
    int wrongBlock = -1;
    float wrongBy = 1e-3F;   ///< relative
    bool keepsStash = false; ///< W forgets to free: a leak

    std::unique_ptr<StageModule> make(const StageLayers& layers, const StepData& data, Arena& arena) const override;

    void enterThread() const override {}
};

} // namespace bubblescope::test
