// Bytes after every operation: the arena's counters against the formulas and the cost functions.
//
// Per token, in elements: a block keeps 16h + a + 4 from F to I and 16h from I to W, plus 4h per
// microbatch; the head 2h + V + 2, then h + V, plus 2h. The embedding keeps its tokens, then dx too.

#include "fixture.h"
#include "kernels/cpu/cost.h"

#include <catch2/catch.hpp>

using namespace bubblescope;
using namespace bubblescope::cpu;

namespace {

TransformerConfig configOf(int hidden, int heads, int sequence, int batch)
{
    TransformerConfig config;
    config.blocks = 3;
    config.hidden = hidden;
    config.heads = heads;
    config.sequence = sequence;
    config.batch = batch;
    return config;
}

std::int64_t activations(const Arena& arena)
{
    return arena.liveBytes(MemoryClass::Activation);
}

std::int64_t boundaries(const Arena& arena)
{
    return arena.liveBytes(MemoryClass::Boundary);
}

} // namespace

TEST_CASE("a block keeps 16h + a + 4 floats per token from F to I and 16h from I to W")
{
    const TransformerConfig config = GENERATE(configOf(128, 4, 64, 2), configOf(256, 8, 128, 1));
    const StageLayers layers{1, 1, false, false};
    const std::int64_t h = config.hidden;
    const std::int64_t tokens = config.tokens();
    Arena arena;
    Arena neighbour;
    const auto stage = makerOf(config).make(layers, {.microbatches = 2}, arena);
    const auto elements = static_cast<std::size_t>(h * tokens);

    Buffer output = stage->forward(keyOf(0), filled(neighbour, elements, 1));
    CHECK(neighbour.liveBytes() == 0); // the received buffer is x itself
    CHECK(activations(arena) == tokens * (64 * h + 4 * config.heads + 16));
    CHECK(arena.liveBytes(MemoryClass::Message) == 4 * h * tokens);
    CHECK(keptBytes(config, layers).activationAfterForward == activations(arena));
    CHECK(boundaryBytes(config) == static_cast<std::int64_t>(output.size()));
    output.reset();

    Buffer gradient = stage->inputGradient(keyOf(0), filled(neighbour, elements, 1e-3F));
    CHECK(activations(arena) == 64 * h * tokens + 16 * h);
    CHECK(keptBytes(config, layers).activationAfterInputGradient == activations(arena));
    CHECK(static_cast<std::int64_t>(gradient.size()) == 4 * h * tokens);

    stage->weightGradient(keyOf(0));
    CHECK(activations(arena) == 0);
    CHECK(arena.liveBytes(MemoryClass::Workspace) == 0);
    gradient.reset();

    const PermanentBytes permanent = permanentBytes(config, layers);
    CHECK(permanent.weights == 4 * (12 * h * h + 13 * h));
    CHECK(arena.liveBytes(MemoryClass::Weight) == permanent.weights);
    CHECK(arena.liveBytes(MemoryClass::WeightGradient) == permanent.weightGradients);
    CHECK(arena.liveBytes(MemoryClass::Optimizer) == permanent.optimizer);
    CHECK(arena.liveBytes() == permanent.weights + permanent.weightGradients + permanent.optimizer);

    const WorkspaceBytes workspace = workspaceBytes(config, layers);
    CHECK(arena.peakBytes(MemoryClass::Workspace) == std::max(workspace.forward, workspace.inputGradient));
}

TEST_CASE("embedding and head add their terms")
{
    TransformerConfig config = configOf(128, 4, 64, 2);
    config.optimizer = Optimizer::Sgd;
    const std::int64_t h = config.hidden;
    const std::int64_t v = config.vocabulary;
    const std::int64_t tokens = config.tokens();
    const StageLayers layers{0, 2, true, true};
    Arena arena;
    const auto stage = makerOf(config).make(layers, {.microbatches = 1}, arena);
    CHECK(arena.liveBytes(MemoryClass::Optimizer) == 0);

    stage->forward(keyOf(0), {});
    const std::int64_t blocks = 2 * tokens * (64 * h + 4 * config.heads + 16);
    CHECK(activations(arena) == blocks + 4 * tokens + tokens * (8 * h + 4 * v + 8));
    CHECK(keptBytes(config, layers).activationAfterForward == activations(arena));
    stage->inputGradient(keyOf(0), {});
    CHECK(activations(arena) ==
          2 * (64 * h * tokens + 16 * h) + tokens * (4 + 4 * h) + tokens * (4 * h + 4 * v) + 8 * h);
    CHECK(keptBytes(config, layers).activationAfterInputGradient == activations(arena));
    stage->weightGradient(keyOf(0));
    CHECK(activations(arena) == 0);
    CHECK(parameterCount(config, layers) == 2 * (12 * h * h + 13 * h) + 2 * v * h + config.sequence * h + 2 * h);
}

TEST_CASE("kept bytes add up over microbatches in flight")
{
    const TransformerConfig config = configOf(64, 4, 32, 1);
    const StageLayers layers{0, 3, true, true};
    const KeptBytes kept = keptBytes(config, layers);
    Arena arena;
    const auto stage = makerOf(config).make(layers, {.microbatches = 3}, arena);
    for (int i = 0; i < 3; ++i)
        stage->forward(keyOf(i), {});
    CHECK(activations(arena) == 3 * kept.activationAfterForward);
    stage->inputGradient(keyOf(0), {});
    stage->inputGradient(keyOf(1), {});
    CHECK(activations(arena) == kept.activationAfterForward + 2 * kept.activationAfterInputGradient);
    stage->weightGradient(keyOf(0));
    CHECK(activations(arena) == kept.activationAfterForward + kept.activationAfterInputGradient);
}

TEST_CASE("with recompute F keeps its input alone and R brings the rest back")
{
    TransformerConfig config = configOf(64, 4, 32, 1);
    config.recompute = true;
    const StageLayers layers = GENERATE(StageLayers{0, 1, true, false}, StageLayers{1, 2, false, false},
                                        StageLayers{2, 1, false, true}, StageLayers{3, 0, false, true});
    const KeptBytes kept = keptBytes(config, layers);
    const auto elements = static_cast<std::size_t>(config.hidden) * static_cast<std::size_t>(config.tokens());
    CHECK(kept.boundaryAfterForward == 4 * config.tokens() * (layers.embedding ? 1 : config.hidden));
    Arena arena;
    const auto stage = makerOf(config).make(layers, {.microbatches = 1}, arena);

    stage->forward(keyOf(0), layers.embedding ? Buffer() : filled(arena, elements, 1));
    CHECK(boundaries(arena) == kept.boundaryAfterForward);
    CHECK(activations(arena) == 0);
    stage->recompute(keyOf(0));
    CHECK(boundaries(arena) == 0);
    CHECK(activations(arena) == kept.activationAfterRecompute);
    stage->inputGradient(keyOf(0), layers.head ? Buffer() : filled(arena, elements, 1e-3F));
    CHECK(activations(arena) == kept.activationAfterInputGradient);
    stage->weightGradient(keyOf(0));
    CHECK(activations(arena) + boundaries(arena) == 0);
}

TEST_CASE("FLOPs per token are 24h² + 4sh, 24h² + 10sh and 24h² for a block")
{
    const TransformerConfig config = configOf(128, 4, 64, 2);
    const std::int64_t h = config.hidden;
    const std::int64_t s = config.sequence;
    const StageFlops flops = stageFlops(config, {0, 1, false, false});
    CHECK(flops.forward == config.tokens() * (24 * h * h + 4 * s * h));
    CHECK(flops.inputGradient == config.tokens() * (24 * h * h + 10 * s * h));
    CHECK(flops.weightGradient == config.tokens() * 24 * h * h);
    CHECK(stageFlops(config, {0, 0, false, true}).forward == config.tokens() * 2 * h * config.vocabulary);
    CHECK(stageFlops(config, {0, 0, true, false}).weightGradient == 0);
}
