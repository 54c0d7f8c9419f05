// The bytes of the executed transformer, per stage (executor.md 1.1: counted, not estimated).
//
//                     after F                after I                        after W
//     block           16h + a + 4 a token    16h a token + 4h               0        floats, T tokens a microbatch
//     embedding       the tokens             the tokens, h a token          0
//     head            2h + V + 2 a token     h + V a token + 2h             0
//
// What is there after F is what an offload takes away at its end and a reload brings back at its start.
// While I runs, the gradient that came in is there beside x, whose buffer becomes the gradient that
// leaves; while F runs, so is its output, which then leaves as a message.

#include "core/experiment.h"
#include "core/simulate/memory.h"

#include <algorithm>

namespace bubblescope {
namespace {

constexpr std::int64_t floatBytes = 4;
constexpr std::int64_t mlpRatio = 4;

struct StageSizes {
    std::int64_t given = 0; ///< the stage's own input: tokens or received activations
    std::int64_t afterForward = 0;
    std::int64_t afterInput = 0;
    std::int64_t output = 0;       ///< leaves as a message at the end of F; 0 on the last stage
    std::int64_t received = 0;     ///< the gradient that I is handed; 0 on the last stage
    std::int64_t statistics = 0;   ///< what I frees for good
    std::int64_t sums = 0;         ///< column sums for the norms, from I to W
    std::int64_t largestLayer = 0; ///< most that F holds beside `given` when it keeps nothing (recompute)
    std::int64_t parameters = 0;
};

std::int64_t parametersOf(const ModelSpec& model, int blocks, bool first, bool last)
{
    const std::int64_t h = model.hidden;
    const std::int64_t vocabulary = model.vocabulary;
    const std::int64_t block = (4 + 2 * mlpRatio) * h * h + (9 + mlpRatio) * h;
    return (first ? (vocabulary + model.sequence) * h : 0) + (last ? 2 * h + h * vocabulary : 0) + blocks * block;
}

StageSizes sizesOf(const ModelSpec& model, int blocks, bool first, bool last)
{
    const std::int64_t h = model.hidden;
    const std::int64_t vocabulary = model.vocabulary;
    const std::int64_t tokens = std::int64_t{model.sequence} * model.batch;
    const std::int64_t boundary = floatBytes * tokens * h;
    const std::int64_t blockKept = floatBytes * tokens * (7 + 2 * mlpRatio) * h;
    const std::int64_t blockStatistics = floatBytes * tokens * (model.heads + 4);
    const std::int64_t headKept = floatBytes * tokens * (h + vocabulary);
    const std::int64_t headStatistics = floatBytes * tokens * 2;
    const std::int64_t tokenBytes = 4 * tokens;

    StageSizes sizes;
    sizes.given = first ? tokenBytes : blocks > 0 || last ? boundary : 0;
    sizes.output = last ? 0 : boundary;
    sizes.received = last ? 0 : boundary;
    sizes.statistics = blocks * blockStatistics + (last ? headStatistics : 0);
    sizes.sums = floatBytes * h * (4 * blocks + (last ? 2 : 0));
    sizes.afterForward = (first ? tokenBytes : 0) + blocks * (boundary + blockKept) + (last ? boundary + headKept : 0) +
                         sizes.statistics;
    // The received gradient takes the place of x in every block; the head keeps none, the embedding one more.
    sizes.afterInput =
        (first ? tokenBytes + boundary : 0) + blocks * (boundary + blockKept) + (last ? headKept : 0) + sizes.sums;
    const std::int64_t ownInput = first || blocks > 1 ? boundary : 0;
    if (blocks > 0)
        sizes.largestLayer = ownInput + blockKept + blockStatistics + boundary;
    if (last)
        sizes.largestLayer =
            std::max(sizes.largestLayer, (first || blocks > 0 ? boundary : 0) + headKept + headStatistics);
    sizes.parameters = parametersOf(model, blocks, first, last);
    return sizes;
}

void addStage(MemoryRules& rules, Stage stage, const StageSizes& sizes, bool recompute, bool recomputeTasks)
{
    constexpr auto activation = MemoryClass::Activation;
    constexpr auto boundary = MemoryClass::Boundary;
    const auto backward = [&](Work work, std::int64_t after) {
        const std::int64_t taken = sizes.received + sizes.sums;
        if (recompute && !recomputeTasks) {
            rules.add(work, stage, {boundary, -sizes.given, 0});
            rules.add(work, stage, {activation, sizes.afterForward + taken, after - sizes.afterForward - taken});
        } else {
            rules.add(work, stage, {activation, taken, after - sizes.afterForward - taken});
        }
    };
    if (recompute) {
        // The input counts as an activation until F is done with it.
        const std::int64_t most = sizes.given + std::max(sizes.largestLayer, sizes.output);
        rules.add(Work::Forward, stage, {boundary, 0, sizes.given});
        rules.add(Work::Forward, stage, {activation, most, -most});
        rules.add(Work::Recompute, stage, {boundary, -sizes.given, 0});
        rules.add(Work::Recompute, stage, {activation, sizes.afterForward + sizes.output, -sizes.output});
        rules.add(Work::Offload, stage, {boundary, 0, -sizes.given});
        rules.add(Work::Reload, stage, {boundary, sizes.given, 0});
    } else {
        rules.add(Work::Forward, stage, {activation, sizes.afterForward + sizes.output, -sizes.output});
        rules.add(Work::Offload, stage, {activation, 0, -sizes.afterForward});
        rules.add(Work::Reload, stage, {activation, sizes.afterForward, 0});
    }
    backward(Work::InputGradient, sizes.afterInput);
    backward(Work::Backward, 0);
    rules.add(Work::WeightGradient, stage, {activation, 0, -sizes.afterInput});
}

} // namespace

MemoryRules transformerMemory(const ModelSpec& model, const std::vector<int>& partition, bool recompute,
                              int optimizerStates, bool recomputeTasks)
{
    MemoryRules rules(static_cast<int>(partition.size()));
    for (std::size_t stage = 0; stage < partition.size(); ++stage) {
        const StageSizes sizes = sizesOf(model, partition[stage], stage == 0, stage + 1 == partition.size());
        addStage(rules, Stage(stage), sizes, recompute, recomputeTasks);
        MemoryBytes& constant = rules.constant[stage];
        const std::int64_t weights = floatBytes * sizes.parameters;
        constant[static_cast<std::size_t>(MemoryClass::Weight)] = weights;
        rules.add(Work::Gather, Stage(stage), {MemoryClass::Weight, weights, 0}); // beside the shard
        rules.add(Work::LoadWeights, Stage(stage), {MemoryClass::Weight, weights, 0});
        rules.add(Work::StoreGradients, Stage(stage), {MemoryClass::WeightGradient, 0, -weights});
        constant[static_cast<std::size_t>(MemoryClass::WeightGradient)] = weights;
        constant[static_cast<std::size_t>(MemoryClass::Optimizer)] = optimizerStates * weights;
    }
    return rules;
}

} // namespace bubblescope
