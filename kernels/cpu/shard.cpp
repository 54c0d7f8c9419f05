// Buffers in and out of the functions of vocabulary.h.

#include "kernels/cpu/shard.h"

#include "core/base/error.h"
#include "kernels/cpu/storage.h"

#include <algorithm>
#include <optional>
#include <utility>

namespace bubblescope::cpu {
namespace {

using Statistics = TokenStatistics<float>;

Statistics* statisticsIn(Buffer& buffer)
{
    return reinterpret_cast<Statistics*>(buffer.bytes());
}

const Statistics* statisticsIn(const Buffer& buffer)
{
    return reinterpret_cast<const Statistics*>(buffer.bytes());
}

std::vector<const Statistics*> statisticsOf(VocabularyModule::Parts parts)
{
    std::vector<const Statistics*> all;
    for (const Buffer* part : parts)
        all.push_back(statisticsIn(*part));
    return all;
}

} // namespace

TransformerShard::TransformerShard(const TransformerModel& model, const VocabularyShare& share, StepData data,
                                   Arena& arena)
    : m_model(model)
    , m_share(share)
    , m_data(std::move(data))
    , m_shape{model.config.tokens(), model.config.hidden,
              vocabularyShard(model.config.vocabulary, share.shards, share.index)}
    , m_layout(model.config, m_shape.shard)
    , m_arena(arena)
{
    m_weights = bufferOf<float>(arena, m_layout.count(), MemoryClass::Weight);
    m_layout.initialise(model.config.seed, m_weights.floats());
    m_gradients = zeros<float>(arena, m_layout.count(), MemoryClass::WeightGradient);
    if (const int states = optimizerStates(model.config.optimizer); states > 0)
        m_moments = zeros<float>(arena, static_cast<std::size_t>(states) * m_layout.count(), MemoryClass::Optimizer);
}

Buffer TransformerShard::embed(const DataKey& key)
{
    Buffer rows = message(m_shape.boundary() * sizeof(float));
    shardEmbed(m_shape, draw(key, false).data(), std::as_const(m_weights).floats(), rows.floats());
    return rows;
}

void TransformerShard::embedGradient(const DataKey& key, Buffer gradient)
{
    shardEmbedBackward<float>(m_shape, draw(key, false).data(), gradient.floats(), m_gradients.floats());
}

Buffer TransformerShard::score(const DataKey& key, Buffer input)
{
    Stash* const added = m_stashes.add(key);
    if (added == nullptr)
        throw Failure(fmt::format("Pass S of microbatch {} was asked for twice.", key.microbatch.value));
    Stash& stash = *added;
    stash.input = std::move(input);
    stash.logits = bufferOf<float>(m_arena, m_shape.logits(), MemoryClass::Activation);
    const std::vector<std::int32_t> targets = draw(key, true);
    const float* matrix = m_weights.floats() + m_layout.tensors()[m_layout.shardMatrix()].offset;
    const std::size_t products = m_share.oneBarrier ? 2 * m_shape.boundary() * sizeof(float) : 0;
    Buffer scores = message(statisticsBytes() + products);
    shardLogits(m_shape, std::as_const(stash.input).floats(), matrix, targets.data(), stash.logits.floats(),
                statisticsIn(scores));
    if (m_share.oneBarrier) {
        shardProducts<float>(m_shape, matrix, targets.data(), statisticsIn(scores), stash.logits.floats(),
                             reinterpret_cast<float*>(scores.bytes() + statisticsBytes()));
        stash.statistics = m_arena.get(statisticsBytes(), MemoryClass::Activation);
        std::copy_n(scores.bytes(), statisticsBytes(), stash.statistics.bytes());
    }
    return scores;
}

Buffer TransformerShard::scoreGradient(const DataKey& key, Buffer merged)
{
    std::optional<Stash> taken = m_stashes.take(key);
    if (!taken)
        throw Failure(fmt::format("Pass T of microbatch {} was asked for out of turn.", key.microbatch.value));
    Stash& stash = *taken;
    const std::size_t matrix = m_layout.tensors()[m_layout.shardMatrix()].offset;
    const Statistics* all = statisticsIn(std::as_const(merged));
    shardGradient(m_shape, draw(key, true).data(), all,
                  m_share.oneBarrier ? statisticsIn(std::as_const(stash.statistics)) : nullptr, weight(),
                  stash.logits.floats());
    m_loss += lossOf(m_shape.tokens, all) / m_data.microbatches;
    Buffer part;
    if (!m_share.oneBarrier) {
        part = message(m_shape.boundary() * sizeof(float));
        shardInputGradient<float>(m_shape, stash.logits.floats(), m_weights.floats() + matrix, part.floats());
    }
    shardWeightGradient<float>(m_shape, stash.input.floats(), stash.logits.floats(), m_gradients.floats() + matrix);
    return part;
}

Buffer TransformerShard::sum(Parts parts) const
{
    std::vector<const float*> all;
    for (const Buffer* part : parts)
        all.push_back(part->floats());
    Buffer result = message(m_shape.boundary() * sizeof(float));
    sumInOrder<float>(m_shape.boundary(), all, result.floats());
    return result;
}

Buffer TransformerShard::merge(Parts scores) const
{
    Buffer merged = message(statisticsBytes());
    mergeStatistics<float>(m_shape.tokens, statisticsOf(scores), statisticsIn(merged));
    return merged;
}

Buffer TransformerShard::inputGradient(Parts scores, const Buffer& merged) const
{
    std::vector<const float*> products;
    for (const Buffer* part : scores)
        products.push_back(reinterpret_cast<const float*>(part->bytes() + statisticsBytes()));
    Buffer dx = message(m_shape.boundary() * sizeof(float));
    sumProducts<float>({m_shape.tokens, m_shape.hidden}, statisticsOf(scores), products, statisticsIn(merged), weight(),
                       dx.floats());
    return dx;
}

void TransformerShard::update(int step)
{
    updateSet(m_model.config, m_layout, {step}, m_gradients.floats(), m_weights.floats(), m_moments.floats());
}

double TransformerShard::takeLoss()
{
    return std::exchange(m_loss, 0.0);
}

std::vector<ParameterView> TransformerShard::parameters() const
{
    return viewsOf(m_layout, m_weights.floats(), m_gradients.floats());
}

std::vector<DataKey> TransformerShard::pending() const
{
    return m_stashes.keys();
}

std::size_t TransformerShard::statisticsBytes() const
{
    return static_cast<std::size_t>(m_shape.tokens) * sizeof(Statistics);
}

std::vector<std::int32_t> TransformerShard::draw(const DataKey& key, bool following) const
{
    const Piece whole{.length = m_model.config.sequence, .packed = {}};
    return drawTokens(m_model, m_data, key, whole, following ? Draw::Following : Draw::Tokens);
}

Buffer TransformerShard::message(std::size_t bytes) const
{
    return m_arena.get(bytes, MemoryClass::Message);
}

float TransformerShard::weight() const
{
    return 1.0F / static_cast<float>(m_data.microbatches) / static_cast<float>(m_shape.tokens);
}

} // namespace bubblescope::cpu
