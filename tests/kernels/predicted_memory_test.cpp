// What core predicts for a transformer stage (core/simulate/memory.h) against what its kernels really hold.

#include "core/experiment.h"
#include "core/simulate/memory.h"
#include "tests/kernels/fixture.h"

#include <catch2/catch.hpp>

#include <memory>

namespace bubblescope::cpu {
namespace {

/// One stage, its arena, and what the rules say of it.
struct HeldStage {
    Arena arena;
    std::unique_ptr<StageModule> module;
    MemoryBytes live{};
};

void requireEqual(HeldStage& stage, const MemoryRules& rules, Work work, Stage number)
{
    for (const MemoryRules::Effect& effect : rules.of(work, number))
        stage.live[static_cast<std::size_t>(effect.memoryClass)] += effect.atStart + effect.atEnd;
    for (const MemoryClass memoryClass : {MemoryClass::Activation, MemoryClass::Boundary}) {
        CAPTURE(toText({.work = work, .stage = number}), memoryClassName(memoryClass));
        REQUIRE(stage.arena.liveBytes(memoryClass) == stage.live[static_cast<std::size_t>(memoryClass)]);
    }
}

void runOnce(const ModelSpec& model, const std::vector<int>& partition, bool recompute)
{
    const MemoryRules rules = transformerMemory(model, partition, recompute, 2, true);
    TransformerConfig config;
    config.blocks = model.layers;
    config.hidden = model.hidden;
    config.heads = model.heads;
    config.sequence = model.sequence;
    config.batch = model.batch;
    config.vocabulary = model.vocabulary;
    config.recompute = recompute;
    const TransformerMaker maker = makerOf(config);
    maker.enterThread();

    std::vector<HeldStage> stages(partition.size());
    int first = 0;
    for (std::size_t s = 0; s < partition.size(); ++s) {
        stages[s].module =
            maker.make({first, partition[s], s == 0, s + 1 == partition.size()}, {.microbatches = 1}, stages[s].arena);
        first += partition[s];
        for (const MemoryClass memoryClass : {MemoryClass::Weight, MemoryClass::WeightGradient, MemoryClass::Optimizer})
            REQUIRE(stages[s].arena.liveBytes(memoryClass) == rules.constant[s][static_cast<std::size_t>(memoryClass)]);
    }
    const DataKey key{};
    Buffer flow;
    for (std::size_t s = 0; s < stages.size(); ++s) {
        flow = stages[s].module->forward(key, std::move(flow));
        const std::int64_t most = [&] {
            MemoryBytes during = stages[s].live;
            for (const MemoryRules::Effect& effect : rules.of(Work::Forward, Stage(s)))
                during[static_cast<std::size_t>(effect.memoryClass)] += effect.atStart;
            return during[static_cast<std::size_t>(MemoryClass::Activation)];
        }();
        REQUIRE(stages[s].arena.peakBytes(MemoryClass::Activation) == most);
        requireEqual(stages[s], rules, Work::Forward, Stage(s));
    }
    flow = {};
    for (std::size_t s = stages.size(); s-- > 0;) {
        if (recompute) {
            stages[s].module->recompute(key);
            requireEqual(stages[s], rules, Work::Recompute, Stage(s));
        }
        flow = stages[s].module->inputGradient(key, std::move(flow));
        requireEqual(stages[s], rules, Work::InputGradient, Stage(s));
        stages[s].module->weightGradient(key);
        requireEqual(stages[s], rules, Work::WeightGradient, Stage(s));
    }
}

} // namespace

TEST_CASE("Predicted bytes are those that the kernels hold", "[kernels][memory]")
{
    for (const int hidden : {32, 64})
        for (const int batch : {1, 3})
            for (const bool recompute : {false, true})
                for (const std::vector<int>& partition :
                     std::vector<std::vector<int>>{{1}, {2}, {1, 1}, {2, 1, 3}, {1, 2, 1, 1}, {0, 2}, {2, 0}}) {
                    ModelSpec model;
                    model.hidden = hidden;
                    model.heads = 4;
                    model.sequence = 16;
                    model.batch = batch;
                    model.vocabulary = 40;
                    for (const int blocks : partition)
                        model.layers += blocks;
                    CAPTURE(hidden, batch, recompute, partition);
                    runOnce(model, partition, recompute);
                }
}

} // namespace bubblescope::cpu
