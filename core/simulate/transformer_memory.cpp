// The bytes of the executed transformer, per stage (executor.md 1.1: counted, not estimated).
//
//                     after F                after I                        after W
//     block           16h + a + 4 a token    16h a token + 4h               0        floats, T tokens a microbatch
//     embedding       the tokens             the tokens, h a token          0
//     head            2h + V + 2 a token     h + V a token + 2h             0
//
// What is there after F is what an offload takes away at its end and a reload brings back at its start.
// Where the vocabulary lies in shards, the first stage gets its input from outside and keeps its gradient
// for the positions, and the last one hands its normed output on; the rest is on the shards:
//
//     shard           after S  h + V/p a token (+ 3 with one barrier: its statistics)     after T  0
//
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
    std::int64_t copied = 0;       ///< the gradient that leaves, kept for the positions too
    std::int64_t largestLayer = 0; ///< most that F holds beside `given` when it keeps nothing (recompute)
    std::int64_t parameters = 0;
};

/// Where a stage stands, and whether embedding and head lie in shards.
struct Ends {
    bool first = false;
    bool last = false;
    bool shared = false;

    bool tokens() const { return first && !shared; }

    bool head() const { return last && !shared; }
};

std::int64_t parametersOf(const ModelSpec& model, int blocks, const Ends& ends)
{
    const std::int64_t h = model.hidden;
    const std::int64_t vocabulary = ends.shared ? 0 : model.vocabulary;
    const std::int64_t block = (4 + 2 * mlpRatio) * h * h + (9 + mlpRatio) * h;
    return (ends.first ? (vocabulary + model.sequence) * h : 0) + (ends.last ? 2 * h + h * vocabulary : 0) +
           blocks * block;
}

std::int64_t tokensOf(const ModelSpec& model)
{
    return std::int64_t{model.sequence} * model.batch;
}

StageSizes sizesOf(const ModelSpec& model, int blocks, const Ends& ends)
{
    const std::int64_t h = model.hidden;
    const std::int64_t tokens = tokensOf(model);
    const std::int64_t boundary = floatBytes * tokens * h;
    const std::int64_t blockKept = floatBytes * tokens * (7 + 2 * mlpRatio) * h;
    const std::int64_t blockStatistics = floatBytes * tokens * (model.heads + 4);
    const std::int64_t headKept = ends.head() ? floatBytes * tokens * (h + model.vocabulary) : 0;
    const std::int64_t headStatistics = floatBytes * tokens * 2;
    const std::int64_t tokenBytes = ends.tokens() ? 4 * tokens : 0;

    StageSizes sizes;
    sizes.given = ends.tokens() ? tokenBytes : blocks > 0 || ends.last ? boundary : 0;
    sizes.output = ends.head() ? 0 : boundary;
    sizes.received = ends.head() ? 0 : boundary;
    sizes.statistics = blocks * blockStatistics + (ends.last ? headStatistics : 0);
    sizes.sums = floatBytes * h * (4 * blocks + (ends.last ? 2 : 0));
    sizes.copied = ends.first && ends.shared ? boundary : 0;
    sizes.afterForward =
        tokenBytes + blocks * (boundary + blockKept) + (ends.last ? boundary + headKept : 0) + sizes.statistics;
    // The received gradient takes the place of x in every block; the head keeps none, the embedding one more.
    sizes.afterInput =
        tokenBytes + (ends.first ? boundary : 0) + blocks * (boundary + blockKept) + headKept + sizes.sums;
    const std::int64_t ownInput = ends.tokens() || blocks > 1 ? boundary : 0;
    if (blocks > 0)
        sizes.largestLayer = ownInput + blockKept + blockStatistics + boundary;
    if (ends.last)
        sizes.largestLayer = std::max(sizes.largestLayer, (ends.tokens() || blocks > 0 ? boundary : 0) + headKept +
                                                              headStatistics + (ends.shared ? boundary : 0));
    sizes.parameters = parametersOf(model, blocks, ends);
    return sizes;
}

void addStage(MemoryRules& rules, Stage stage, const StageSizes& sizes, bool recompute, bool recomputeTasks)
{
    constexpr auto activation = MemoryClass::Activation;
    constexpr auto boundary = MemoryClass::Boundary;
    const auto backward = [&](Work work, std::int64_t after) {
        const std::int64_t taken = sizes.received + sizes.sums + sizes.copied;
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

MemoryBytes permanentBytes(std::int64_t parameters, int optimizerStates)
{
    MemoryBytes bytes{};
    bytes[static_cast<std::size_t>(MemoryClass::Weight)] = floatBytes * parameters;
    bytes[static_cast<std::size_t>(MemoryClass::WeightGradient)] = floatBytes * parameters;
    bytes[static_cast<std::size_t>(MemoryClass::Optimizer)] = floatBytes * parameters * optimizerStates;
    return bytes;
}

/// One shard's passes. What shards exchange are messages until a pass takes it.
void addShard(MemoryRules& rules, Part part, const ModelSpec& model, std::int64_t rows, bool oneBarrier)
{
    constexpr auto activation = MemoryClass::Activation;
    const std::int64_t tokens = tokensOf(model);
    const std::int64_t boundary = floatBytes * tokens * model.hidden;
    const std::int64_t statistics = floatBytes * tokens * 3;
    const std::int64_t kept = boundary + floatBytes * tokens * rows + (oneBarrier ? statistics : 0);
    rules.add(Work::VocabularyS, part, {activation, kept, 0});
    rules.add(Work::VocabularyT, part, {activation, statistics, -kept - statistics});
    rules.add(Work::EmbeddingBackward, part, {activation, boundary, -boundary});
}

} // namespace

VocabularyLayout vocabularyOf(const Schedule& schedule)
{
    VocabularyLayout layout;
    bool gathers = false;
    for (const Task& task : schedule.tasks) {
        if (task.work == Work::VocabularyS)
            layout.shards = std::max(layout.shards, task.part + 1);
        gathers = gathers || task.work == Work::Gather;
    }
    layout.oneBarrier = layout.shards > 0 && !gathers;
    return layout;
}

MemoryRules transformerMemory(const ModelSpec& model, const std::vector<int>& partition, bool recompute,
                              int optimizerStates, bool recomputeTasks, const VocabularyLayout& vocabulary)
{
    MemoryRules rules(static_cast<int>(partition.size()));
    for (std::size_t stage = 0; stage < partition.size(); ++stage) {
        const Ends ends{stage == 0, stage + 1 == partition.size(), vocabulary.shards > 0};
        const StageSizes sizes = sizesOf(model, partition[stage], ends);
        addStage(rules, Stage(stage), sizes, recompute, recomputeTasks);
        rules.constant[stage] = permanentBytes(sizes.parameters, optimizerStates);
        const std::int64_t weights = floatBytes * sizes.parameters;
        if (vocabulary.shards == 0)
            rules.add(Work::Gather, Stage(stage), {MemoryClass::Weight, weights, 0}); // beside the shard
        rules.add(Work::LoadWeights, Stage(stage), {MemoryClass::Weight, weights, 0});
        rules.add(Work::StoreGradients, Stage(stage), {MemoryClass::WeightGradient, 0, -weights});
    }
    for (int shard = 0; shard < vocabulary.shards; ++shard) {
        const std::int64_t rows =
            model.vocabulary / vocabulary.shards + (shard < model.vocabulary % vocabulary.shards ? 1 : 0);
        addShard(rules, Part(shard), model, rows, vocabulary.oneBarrier);
        rules.shards.push_back(permanentBytes(2 * rows * model.hidden, optimizerStates));
    }
    return rules;
}

} // namespace bubblescope
