// The walk through a stage's layers; the arithmetic stands in block.cpp, head.cpp and ops.cpp.

#include "kernels/cpu/stage.h"

#include "core/base/error.h"
#include "kernels/cpu/ops.h"
#include "kernels/cpu/storage.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

namespace bubblescope::cpu {
namespace {

std::string nameOf(const DataKey& key)
{
    std::string name = fmt::format("microbatch {}", key.microbatch.value);
    if (key.slice != 0)
        name += fmt::format(" slice {}", key.slice.value);
    if (key.pipe != 0)
        name += fmt::format(" of pipe {}", key.pipe.value);
    return name;
}

template <class Real>
Buffer zeros(Arena& arena, std::size_t count, MemoryClass memoryClass)
{
    Buffer buffer = bufferOf<Real>(arena, count, memoryClass);
    std::fill_n(elements<Real>(buffer), count, Real(0));
    return buffer;
}

} // namespace

void drawTokens(const TransformerModel& model, const StepData& data, const DataKey& key, std::int32_t* tokens,
                std::int32_t* next)
{
    const TransformerConfig& config = model.config;
    const auto length = static_cast<std::size_t>(config.sequence);
    const std::int64_t global = static_cast<std::int64_t>(key.microbatch) * data.pipes + key.pipe;
    for (int b = 0; b < config.batch; ++b) {
        const std::size_t at = static_cast<std::size_t>(b) * length;
        model.tokens->sequence(global * config.batch + b,
                               tokens ? std::span(tokens + at, length) : std::span<std::int32_t>(),
                               next ? std::span(next + at, length) : std::span<std::int32_t>());
    }
}

template <class Real>
TransformerStage<Real>::TransformerStage(const TransformerModel& model, const StageLayers& layers, const StepData& data,
                                         Arena& arena)
    : m_model(model)
    , m_layers(layers)
    , m_arena(arena)
    , m_layout(model.config, layers)
    , m_block(model.config)
    , m_head{model.config.tokens(), model.config.hidden, model.config.vocabulary}
    , m_data(data)
{
    if (layers.blocks < 1 && !layers.embedding && !layers.head)
        throw Error("A stage of the embedded transformer was given no layers; it needs at least one.");
    if (data.microbatches < 1 || data.pipes < 1)
        throw Error("A step has {} microbatches in {} pipes; there has to be at least 1 of each.", data.microbatches,
                    data.pipes);
    if (layers.borrowed)
        return;
    m_weights = bufferOf<Real>(arena, m_layout.count(), MemoryClass::Weight);
    m_layout.initialise(model.config.seed, elements<Real>(m_weights));
    m_gradients = zeros<Real>(arena, m_layout.count(), MemoryClass::WeightGradient);
    if (const int states = optimizerStates(model.config.optimizer); states > 0)
        m_moments = zeros<Real>(arena, static_cast<std::size_t>(states) * m_layout.count(), MemoryClass::Optimizer);
}

template <class Real>
Buffer TransformerStage<Real>::forward(const DataKey& key, Buffer input)
{
    if (key.slice != 0)
        throw Error("The embedded transformer does not cut sequences into slices, but {} was asked for.", nameOf(key));
    const auto [place, isNew] = [&] {
        const std::lock_guard lock(m_stashMutex);
        return m_stashes.try_emplace(key);
    }();
    if (!isNew)
        throw Failure(fmt::format("The forward of {} was asked for twice.", nameOf(key)));
    Stash& stash = place->second;
    stash.blocks.resize(static_cast<std::size_t>(m_layers.blocks));
    const bool recompute = m_model.config.recompute;
    if (ownsTokens()) {
        stash.tokens = m_arena.get(static_cast<std::size_t>(m_model.config.tokens()) * sizeof(std::int32_t),
                                   MemoryClass::Activation);
        drawTokens(m_model, m_data, key, elements<std::int32_t>(stash.tokens), nullptr);
    }
    const bool encoded = ownsTokens() && input;
    input = accept(std::move(input), !ownsTokens() || encoded, key, "activations");
    if (m_layers.embedding && m_layers.sharedVocabulary)
        addPositions<Real>(extent(), m_model.config.sequence, positions(), elements<Real>(input));
    if (encoded)
        stash.encoding = std::move(input);
    else if (!ownsTokens())
        *boundary(stash) = std::move(input);
    Buffer output = run(key, stash, !recompute, true);
    if (recompute) {
        stash.phase = Phase::Boundary;
        boundary(stash)->rebind(m_arena, MemoryClass::Boundary);
        if (encoded)
            stash.encoding.rebind(m_arena, MemoryClass::Boundary);
    }
    return output;
}

template <class Real>
void TransformerStage<Real>::recompute(const DataKey& key)
{
    Stash& stash = find(key, Phase::Boundary, "recomputation");
    boundary(stash)->rebind(m_arena, MemoryClass::Activation);
    run(key, stash, true, false);
    stash.phase = Phase::Forwarded;
}

template <class Real>
Buffer TransformerStage<Real>::run(const DataKey& key, Stash& stash, bool keep, bool countLoss)
{
    // Without `keep`, everything but the stage's own input goes as soon as the next layer has read it.
    Buffer* given = boundary(stash);
    Buffer flow;
    if (ownsTokens())
        flow = embedTokens(stash);
    else if (stash.blocks.empty() && !m_layers.head)
        flow = std::move(*given); // only positions stand here
    if (keep)
        stash.encoding.reset();
    for (std::size_t i = 0; i < stash.blocks.size(); ++i) {
        BlockStash& block = stash.blocks[i];
        if (&block.input != given)
            block.input = std::move(flow);
        flow = bufferOf<Real>(m_arena, m_block.boundary(), MemoryClass::Activation);
        blockForward<Real>(m_block, blockWeights(static_cast<int>(i)), block, elements<Real>(flow), m_arena);
        if (keep)
            continue;
        block.kept.reset();
        block.statistics.reset();
        if (&block.input != given)
            block.input.reset();
    }
    if (!m_layers.head) {
        flow.rebind(m_arena, MemoryClass::Message);
        return flow;
    }
    if (&stash.head.input != given)
        stash.head.input = std::move(flow);
    if (m_layers.sharedVocabulary)
        return normalise(stash.head, keep, &stash.head.input == given);
    const double loss = runHead(key, stash.head);
    if (countLoss)
        m_loss += loss / m_data.microbatches;
    if (!keep) {
        stash.head.kept.reset();
        stash.head.statistics.reset();
        if (&stash.head.input != given)
            stash.head.input.reset();
    }
    return {};
}

/// The final norm alone, where the head lies in shards.
template <class Real>
Buffer TransformerStage<Real>::normalise(HeadStash& stash, bool keep, bool given)
{
    const HeadSet<const Real> weights = headWeights();
    Buffer output = bufferOf<Real>(m_arena, m_block.boundary(), MemoryClass::Activation);
    stash.statistics = bufferOf<Real>(m_arena, m_head.statistics(), MemoryClass::Activation);
    normForward<Real>(extent(), elements<Real>(stash.input), {weights.scale, weights.shift},
                      reinterpret_cast<NormStatistics<Real>*>(stash.statistics.bytes()), elements<Real>(output));
    if (!keep) {
        stash.statistics.reset();
        if (!given)
            stash.input.reset();
    }
    output.rebind(m_arena, MemoryClass::Message);
    return output;
}

/// Its backward: turns the kept input into its gradient.
template <class Real>
Buffer TransformerStage<Real>::normaliseGradient(HeadStash& stash, const Buffer& outputGradient)
{
    stash.normGradients = bufferOf<Real>(m_arena, m_head.normGradients(), MemoryClass::Activation);
    Real* sums = elements<Real>(stash.normGradients);
    normBackward<Real>(extent(),
                       {headWeights().scale, reinterpret_cast<const NormStatistics<Real>*>(stash.statistics.bytes()),
                        elements<Real>(outputGradient), nullptr, sums, sums + m_block.hidden()},
                       elements<Real>(stash.input));
    stash.statistics.reset();
    return std::move(stash.input);
}

template <class Real>
Buffer TransformerStage<Real>::embedTokens(Stash& stash)
{
    const std::vector<ParameterTensor>& tensors = m_layout.tensors();
    const Real* set = elements<Real>(std::as_const(m_weights));
    Buffer out = bufferOf<Real>(m_arena, m_block.boundary(), MemoryClass::Activation);
    embed<Real>({m_block.tokens(), m_block.hidden()}, m_model.config.sequence, elements<std::int32_t>(stash.tokens),
                set + tensors[m_layout.tokenTable()].offset, set + tensors[m_layout.positionTable()].offset,
                elements<Real>(out));
    if (stash.encoding)
        addTo<Real>(m_block.boundary(), elements<Real>(std::as_const(stash.encoding)), elements<Real>(out));
    return out;
}

template <class Real>
double TransformerStage<Real>::runHead(const DataKey& key, HeadStash& stash)
{
    std::vector<std::int32_t> targets(static_cast<std::size_t>(m_model.config.tokens()));
    drawTokens(m_model, m_data, key, nullptr, targets.data());
    return headForward<Real>(m_head, headWeights(), stash, targets.data(), Real(1) / Real(m_data.microbatches),
                             m_arena);
}

template <class Real>
Buffer TransformerStage<Real>::inputGradient(const DataKey& key, Buffer outputGradient)
{
    Stash& stash = find(key, Phase::Forwarded, "backward");
    Buffer flow = accept(std::move(outputGradient), !m_layers.head || m_layers.sharedVocabulary, key, "gradients");
    if (m_layers.head && m_layers.sharedVocabulary)
        flow = normaliseGradient(stash.head, flow);
    else if (m_layers.head)
        flow = headInputGradient<Real>(m_head, headWeights(), stash.head, m_arena);
    for (std::size_t i = stash.blocks.size(); i-- > 0;)
        flow = blockInputGradient<Real>(m_block, blockWeights(static_cast<int>(i)), stash.blocks[i], std::move(flow),
                                        m_arena);
    stash.phase = Phase::InputDone;
    if (ownsTokens()) {
        stash.embeddingGradient = std::move(flow);
        return {};
    }
    if (m_layers.embedding) { // positions need it in W, the shards in d
        stash.embeddingGradient = bufferOf<Real>(m_arena, m_block.boundary(), MemoryClass::Activation);
        std::copy_n(elements<Real>(flow), m_block.boundary(), elements<Real>(stash.embeddingGradient));
    }
    flow.rebind(m_arena, MemoryClass::Message);
    return flow;
}

template <class Real>
void TransformerStage<Real>::weightGradient(const DataKey& key)
{
    Stash& stash = find(key, Phase::InputDone, "weight gradient");
    Real* set = elements<Real>(m_gradients);
    const std::vector<ParameterTensor>& tensors = m_layout.tensors();
    const auto at = [&](std::size_t tensor) { return set + tensors[tensor].offset; };
    if (m_layers.head && m_layers.sharedVocabulary) {
        const auto columns = static_cast<std::size_t>(m_block.hidden());
        addTo<Real>(columns, elements<Real>(stash.head.normGradients), at(m_layout.finalScale()));
        addTo<Real>(columns, elements<Real>(stash.head.normGradients) + columns, at(m_layout.finalShift()));
    } else if (m_layers.head) {
        headWeightGradient<Real>(m_head, stash.head,
                                 {at(m_layout.finalScale()), at(m_layout.finalShift()), at(m_layout.head())});
    }
    for (std::size_t i = stash.blocks.size(); i-- > 0;)
        blockWeightGradient<Real>(m_block, stash.blocks[i], {&tensors[m_layout.block(static_cast<int>(i))], set});
    if (m_layers.embedding && m_layers.sharedVocabulary)
        positionsBackward<Real>(extent(), m_model.config.sequence, elements<Real>(stash.embeddingGradient),
                                at(m_layout.positionTable()));
    else if (m_layers.embedding)
        embedBackward<Real>({m_block.tokens(), m_block.hidden()}, m_model.config.sequence,
                            elements<std::int32_t>(stash.tokens), elements<Real>(stash.embeddingGradient),
                            at(m_layout.tokenTable()), at(m_layout.positionTable()));
    const std::lock_guard lock(m_stashMutex);
    m_stashes.erase(key);
}

template <class Real>
void TransformerStage<Real>::update(int step)
{
    updateSet(m_model.config, m_layout, {step, m_delay}, elements<Real>(m_gradients), elements<Real>(m_weights),
              elements<Real>(m_moments));
}

template <class Real>
void TransformerStage<Real>::compensate(int delay)
{
    if (m_model.config.optimizer != Optimizer::Momentum)
        return StageModule::compensate(delay);
    m_delay = delay;
}

template <class Real>
void TransformerStage<Real>::extrapolate(int updates)
{
    if (m_model.config.optimizer != Optimizer::Momentum)
        return StageModule::extrapolate(updates);
    sgd(m_layout.count(), Real(m_model.config.learningRate) * Real(updates), elements<Real>(std::as_const(m_moments)),
        elements<Real>(m_weights));
}

template <class Real>
double TransformerStage<Real>::takeLoss()
{
    return std::exchange(m_loss, 0.0);
}

template <class Real>
std::vector<ParameterView> TransformerStage<Real>::parameters() const
{
    if constexpr (std::is_same_v<Real, float>)
        return viewsOf(m_layout, m_weights.floats(), m_gradients.floats());
    else
        return {};
}

template <class Real>
std::vector<Buffer*> TransformerStage<Real>::Stash::buffers()
{
    std::vector<Buffer*> all{&tokens, &encoding, &embeddingGradient};
    for (BlockStash& block : blocks)
        all.insert(all.end(),
                   {&block.input, &block.kept, &block.statistics, &block.outputGradient, &block.normGradients});
    all.insert(all.end(), {&head.input, &head.kept, &head.statistics, &head.normGradients});
    return all;
}

template <class Real>
std::unique_ptr<KeptState> TransformerStage<Real>::detach(const DataKey& key)
{
    const std::lock_guard lock(m_stashMutex);
    const auto found = m_stashes.find(key);
    if (found == m_stashes.end())
        throw Failure(fmt::format("Nothing is kept of {}.", nameOf(key)));
    auto state = std::make_unique<Stash>(std::move(found->second));
    m_stashes.erase(found);
    return state;
}

template <class Real>
void TransformerStage<Real>::attach(const DataKey& key, std::unique_ptr<KeptState> state)
{
    const std::lock_guard lock(m_stashMutex);
    m_stashes.emplace(key, std::move(dynamic_cast<Stash&>(*state)));
}

template <class Real>
std::vector<DataKey> TransformerStage<Real>::pending() const
{
    const std::lock_guard lock(m_stashMutex);
    std::vector<DataKey> keys;
    for (const auto& [key, stash] : m_stashes)
        keys.push_back(key);
    return keys;
}

template <class Real>
Real* TransformerStage<Real>::weights()
{
    return elements<Real>(m_weights);
}

template <class Real>
const Real* TransformerStage<Real>::gradients() const
{
    return elements<Real>(m_gradients);
}

/// Takes a received buffer into this stage's account, or refuses what does not fit.
template <class Real>
Buffer TransformerStage<Real>::accept(Buffer buffer, bool wanted, const DataKey& key, const char* what)
{
    const std::size_t expected = wanted ? m_block.boundary() * sizeof(Real) : 0;
    if (buffer.size() != expected)
        throw Failure(fmt::format("A stage received {} bytes of {} for {}; it expected {}.", buffer.size(), what,
                                  nameOf(key), expected));
    buffer.rebind(m_arena, MemoryClass::Activation);
    return buffer;
}

template <class Real>
typename TransformerStage<Real>::Stash& TransformerStage<Real>::find(const DataKey& key, Phase phase,
                                                                     const char* operation)
{
    const std::lock_guard lock(m_stashMutex);
    const auto found = m_stashes.find(key);
    if (found == m_stashes.end() || found->second.phase != phase)
        throw Failure(fmt::format("The {} of {} was asked for out of turn.", operation, nameOf(key)));
    return found->second;
}

/// The stage's own input, which recompute starts from: the tokens or the received activations.
template <class Real>
Buffer* TransformerStage<Real>::boundary(Stash& stash)
{
    if (ownsTokens())
        return &stash.tokens;
    if (!stash.blocks.empty())
        return &stash.blocks.front().input;
    return &stash.head.input;
}

template <class Real>
BlockSet<const Real> TransformerStage<Real>::blockWeights(int block) const
{
    return {&m_layout.tensors()[m_layout.block(block)], elements<Real>(m_weights)};
}

template <class Real>
HeadSet<const Real> TransformerStage<Real>::headWeights() const
{
    const std::vector<ParameterTensor>& tensors = m_layout.tensors();
    const Real* set = elements<Real>(m_weights);
    return {set + tensors[m_layout.finalScale()].offset, set + tensors[m_layout.finalShift()].offset,
            m_layers.sharedVocabulary ? nullptr : set + tensors[m_layout.head()].offset};
}

template <class Real>
const Real* TransformerStage<Real>::positions() const
{
    return elements<Real>(m_weights) + m_layout.tensors()[m_layout.positionTable()].offset;
}

template class TransformerStage<float>;
template class TransformerStage<double>;

} // namespace bubblescope::cpu
