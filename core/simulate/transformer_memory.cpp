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
// Slices have their tokens' part of it. Where R brings a slice back, its keys and values, 2h a token and block, stay
// behind for later slices; from the first I of a sequence on, so do the gradients of all keys and values that are to come.
//
// While I runs, the gradient that came in is there beside x, whose buffer becomes the gradient that
// leaves; while F runs, so is its output, which then leaves as a message.

#include "core/experiment.h"
#include "core/simulate/memory.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace bubblescope {
namespace {

constexpr std::int64_t floatBytes = 4;
constexpr std::int64_t mlpRatio = 4;

/// What a task works on.
struct Piece {
    std::int64_t tokens = 0;        ///< of the whole batch
    std::int64_t earlierTokens = 0; ///< of the slices before it
    bool last = true;               ///< of its sequence
    double moved = 1;               ///< part of it that an offload takes away
    bool leaves = false;            ///< to host memory, while later slices read a copy of its keys and values
};

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
    std::int64_t saved = 0;            ///< keys and values beside a slice that was dropped or leaves
    std::int64_t ownGradients = 0;     ///< of its keys and values, from later slices
    std::int64_t earlierGradients = 0; ///< the same of all slices before the last, which its I makes room for
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

StageSizes sizesOf(const ModelSpec& model, int blocks, const Ends& ends, const Piece& piece)
{
    const std::int64_t h = model.hidden;
    const std::int64_t tokens = piece.tokens;
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
    const std::int64_t keyValues = floatBytes * 2 * h * blocks; // a token
    sizes.ownGradients = piece.last ? 0 : keyValues * tokens;
    sizes.saved = sizes.ownGradients;
    sizes.earlierGradients = piece.last ? keyValues * piece.earlierTokens : 0;
    return sizes;
}

/// Adds the effects of the tasks that work on one slice (or on whole microbatches) of a stage.
class SliceRules {
public:
    SliceRules(MemoryRules& rules, Stage stage, std::size_t slice, const StageSizes& sizes)
        : m_rules(rules), m_stage(stage), m_slice(slice), m_sizes(sizes)
    {
    }

    /// `recompute`: F keeps its input only, and what no R brings back the backward does.
    void add(bool recompute, const Piece& piece, bool comesBack)
    {
        const bool again = recompute && !comesBack;
        const std::int64_t copy = again || piece.leaves ? m_sizes.saved : 0; // there until the backward
        const std::int64_t output = m_sizes.output;
        if (recompute) {
            // The input counts as an activation until F is done with it.
            const std::int64_t most = m_sizes.given + std::max(m_sizes.largestLayer, output);
            add(Work::Forward, {boundary, 0, m_sizes.given});
            add(Work::Forward, {activation, most, m_sizes.saved - most});
        } else if (comesBack) {
            const std::int64_t most = m_sizes.afterForward + output;
            add(Work::Forward, {boundary, 0, m_sizes.given});
            add(Work::Forward, {activation, most, m_sizes.saved - most});
        } else {
            add(Work::Forward, {activation, m_sizes.afterForward + output, copy - output});
        }
        const std::int64_t movable = recompute ? m_sizes.given : m_sizes.afterForward;
        const auto moved = static_cast<std::int64_t>(std::llround(piece.moved * static_cast<double>(movable)));
        add(Work::Offload, {recompute ? boundary : activation, 0, -moved});
        add(Work::Reload, {recompute ? boundary : activation, moved, 0});
        add(Work::Recompute, {boundary, -m_sizes.given, 0});
        add(Work::Recompute, {activation, m_sizes.afterForward + output, -output - m_sizes.saved});
        backward(Work::InputGradient, m_sizes.afterInput - copy, again);
        backward(Work::Backward, -copy, again);
        add(Work::WeightGradient, {activation, 0, -m_sizes.afterInput});
    }

private:
    static constexpr auto activation = MemoryClass::Activation;
    static constexpr auto boundary = MemoryClass::Boundary;

    void add(Work work, MemoryRules::Effect effect) { m_rules.add(work, m_stage, effect, m_slice); }

    void backward(Work work, std::int64_t after, bool recomputes)
    {
        const std::int64_t taken = m_sizes.received + m_sizes.sums + m_sizes.copied;
        const std::int64_t again = recomputes ? m_sizes.afterForward : 0;
        if (recomputes)
            add(work, {boundary, -m_sizes.given, 0});
        add(work, {activation, again + taken + m_sizes.earlierGradients,
                   after - m_sizes.afterForward - taken - m_sizes.ownGradients});
    }

    MemoryRules& m_rules;
    Stage m_stage;
    std::size_t m_slice;
    const StageSizes& m_sizes;
};

/// The slices of all cuts, one after the other.
std::vector<Piece> piecesOf(const ModelSpec& model, const Slicing& slicing)
{
    std::vector<Piece> pieces;
    for (const SliceCut& cut : slicing.cuts) {
        const std::vector<int> bounds = sliceBounds(slicing, cut, model.sequence);
        for (std::size_t i = 0; i + 1 < bounds.size(); ++i)
            pieces.push_back({.tokens = std::int64_t{bounds[i + 1] - bounds[i]} * model.batch,
                              .earlierTokens = std::int64_t{bounds[i]} * model.batch,
                              .last = i + 2 == bounds.size(),
                              .moved = slicing.offloadedPart(i),
                              .leaves = !slicing.offloaded.empty() && slicing.offloadedPart(i) > 0});
    }
    if (pieces.empty())
        pieces.push_back({.tokens = tokensOf(model)});
    return pieces;
}

using Recomputed = std::set<std::pair<std::size_t, std::size_t>>; // (stage, slice) that has an R

Recomputed recomputedIn(const Schedule& schedule)
{
    std::vector<std::size_t> first{0}; // by cut
    for (const SliceCut& cut : schedule.slicing.cuts)
        first.push_back(first.back() + cut.lengths.size());
    const std::size_t cuts = std::max<std::size_t>(1, schedule.slicing.cuts.size());
    Recomputed recomputed;
    for (const Task& task : schedule.tasks)
        if (task.work == Work::Recompute)
            recomputed.insert({task.stage, first[static_cast<std::size_t>(task.microbatch) % cuts] + task.slice});
    return recomputed;
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

namespace {

/// What the rules depend on beside the model.
struct Shared {
    Slicing slicing;
    Recomputed recomputed;
    VocabularyLayout vocabulary;
};

void addStage(MemoryRules& rules, Stage stage, const ModelSpec& model, const std::vector<int>& partition,
              bool recompute, const Shared& shared)
{
    const bool shards = shared.vocabulary.shards > 0;
    const Ends ends{stage == 0, stage + 1U == partition.size(), shards};
    const std::vector<Piece> pieces = piecesOf(model, shared.slicing);
    for (std::size_t slice = 0; slice < pieces.size(); ++slice) {
        const StageSizes sizes = sizesOf(model, partition[stage], ends, pieces[slice]);
        SliceRules(rules, stage, slice, sizes)
            .add(recompute, pieces[slice], shared.recomputed.contains({stage, slice}));
    }
    const std::int64_t weights = floatBytes * parametersOf(model, partition[stage], ends);
    if (!shards)
        rules.add(Work::Gather, stage, {MemoryClass::Weight, weights, 0}); // beside the shard
    rules.add(Work::LoadWeights, stage, {MemoryClass::Weight, weights, 0});
    rules.add(Work::StoreGradients, stage, {MemoryClass::WeightGradient, 0, -weights});
}

MemoryRules rulesOf(const ModelSpec& model, const std::vector<int>& partition, bool recompute, int optimizerStates,
                    const Shared& shared)
{
    MemoryRules rules(static_cast<int>(partition.size()), shared.slicing);
    const VocabularyLayout& vocabulary = shared.vocabulary;
    for (std::size_t stage = 0; stage < partition.size(); ++stage) {
        addStage(rules, Stage(stage), model, partition, recompute, shared);
        const Ends ends{stage == 0, stage + 1 == partition.size(), vocabulary.shards > 0};
        rules.constant[stage] = permanentBytes(parametersOf(model, partition[stage], ends), optimizerStates);
    }
    for (int shard = 0; shard < vocabulary.shards; ++shard) {
        const std::int64_t rows =
            model.vocabulary / vocabulary.shards + (shard < model.vocabulary % vocabulary.shards ? 1 : 0);
        addShard(rules, Part(shard), model, rows, vocabulary.oneBarrier);
        rules.shards.push_back(permanentBytes(2 * rows * model.hidden, optimizerStates));
    }
    return rules;
}

} // namespace

MemoryRules transformerMemory(const ModelSpec& model, const std::vector<int>& partition, bool recompute,
                              int optimizerStates, bool recomputeTasks, const VocabularyLayout& vocabulary)
{
    Shared shared{{}, {}, vocabulary};
    for (std::size_t stage = 0; recompute && recomputeTasks && stage < partition.size(); ++stage)
        shared.recomputed.insert({stage, 0});
    return rulesOf(model, partition, recompute, optimizerStates, shared);
}

MemoryRules transformerMemory(const ModelSpec& model, const std::vector<int>& partition, bool recompute,
                              int optimizerStates, const Schedule& schedule)
{
    return rulesOf(model, partition, recompute, optimizerStates,
                   {schedule.slicing, recomputedIn(schedule), vocabularyOf(schedule)});
}

} // namespace bubblescope
