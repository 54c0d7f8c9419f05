// The walk through a stage's layers; the arithmetic stands in block.cpp, head.cpp and ops.cpp.

#include "kernels/cpu/stage.h"

#include "core/base/error.h"
#include "kernels/cpu/ops.h"
#include "kernels/cpu/storage.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <type_traits>
#include <utility>

namespace bubblescope::cpu {
namespace {

/// Moves tensors, the largest first, as long as they are together at most `part` of all.
void moveLargest(const std::vector<Buffer*>& from, double part, const std::vector<Buffer*>& to)
{
    std::vector<std::size_t> order(from.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return from[a]->size() > from[b]->size(); });
    double left = 0;
    for (const Buffer* buffer : from)
        left += part * static_cast<double>(buffer->size());
    for (const std::size_t i : order)
        if (const auto size = static_cast<double>(from[i]->size()); *from[i] && size <= left + 0.5) {
            *to[i] = std::move(*from[i]);
            left -= size;
        }
}

} // namespace

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
    , m_pieces(model.config, data)
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
BlockShape TransformerStage<Real>::blockShape(const Piece& piece) const
{
    BlockShape shape(m_model.config, piece.length);
    shape.attention.context = piece.first;
    shape.attention.packed = piece.packed;
    return shape;
}

template <class Real>
HeadShape TransformerStage<Real>::headShape(const Piece& piece) const
{
    return {m_model.config.batch * piece.length, m_model.config.hidden, m_model.config.vocabulary};
}

template <class Real>
std::vector<typename TransformerStage<Real>::Stash*> TransformerStage<Real>::earlierSlices(const DataKey& key,
                                                                                           const char* operation)
{
    std::vector<Stash*> earlier;
    for (DataKey other{key.microbatch, Slice{}, key.pipe}; other.slice < key.slice; ++other.slice) {
        earlier.push_back(m_stashes.find(other));
        if (earlier.back() == nullptr || earlier.back()->phase == Phase::InputDone)
            throw Failure(fmt::format("The {} of {} was asked for out of turn: it needs the keys and values of {}.",
                                      operation, nameOf(key), nameOf(other)));
    }
    return earlier;
}

template <class Real>
std::vector<EarlierSlice<Real>> TransformerStage<Real>::attended(const DataKey& key, const std::vector<Stash*>& earlier,
                                                                 std::size_t block) const
{
    std::vector<EarlierSlice<Real>> slices;
    DataKey other{key.microbatch, Slice{}, key.pipe};
    for (Stash* stash : earlier) {
        slices.push_back(keyValuesOf<Real>(blockShape(m_pieces.of(other)), stash->blocks[block]));
        ++other.slice;
    }
    return slices;
}

/// Makes room for the gradients that I of this slice hands to earlier ones. Its own have to be complete.
template <class Real>
void TransformerStage<Real>::expectGradients(const DataKey& key, Stash& stash, const std::vector<Stash*>& earlier)
{
    const Piece piece = m_pieces.of(key);
    if (stash.laterSlices != piece.slices - 1 - piece.slice)
        throw Failure(fmt::format("The backward of {} was asked for out of turn: {} of {} later slices are done.",
                                  nameOf(key), stash.laterSlices, piece.slices - 1 - piece.slice));
    DataKey other{key.microbatch, Slice{}, key.pipe};
    for (Stash* before : earlier) {
        const BlockShape shape = blockShape(m_pieces.of(other));
        for (BlockStash& block : before->blocks)
            if (!block.keyValueGradients)
                block.keyValueGradients = zeros<Real>(m_arena, shape.keyValues(), MemoryClass::Activation);
        ++before->laterSlices;
        ++other.slice;
    }
}

template <class Real>
Buffer TransformerStage<Real>::forward(const DataKey& key, Buffer input)
{
    const Piece piece = m_pieces.of(key);
    Stash* const added = m_stashes.add(key);
    if (added == nullptr)
        throw Failure(fmt::format("The forward of {} was asked for twice.", nameOf(key)));
    Stash& stash = *added;
    stash.blocks.resize(static_cast<std::size_t>(m_layers.blocks));
    const bool recompute = m_model.config.recompute;
    if (ownsTokens()) {
        stash.tokens = m_arena.get(static_cast<std::size_t>(headShape(piece).tokens) * sizeof(std::int32_t),
                                   MemoryClass::Activation);
        std::ranges::copy(drawTokens(m_model, m_data, key, piece, Draw::Tokens), elements<std::int32_t>(stash.tokens));
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
void TransformerStage<Real>::release(const DataKey& key)
{
    Stash& stash = find(key, Phase::Forwarded, "release");
    const Piece piece = m_pieces.of(key);
    Buffer* given = boundary(stash);
    for (BlockStash& block : stash.blocks)
        freeBlock(piece, block, given);
    if (m_layers.head)
        freeHead(stash.head, given);
    stash.phase = Phase::Boundary;
    given->rebind(m_arena, MemoryClass::Boundary);
}

template <class Real>
Buffer TransformerStage<Real>::run(const DataKey& key, Stash& stash, bool keep, bool countLoss)
{
    // Without `keep`, everything but the stage's own input goes as soon as the next layer has read it.
    const Piece piece = m_pieces.of(key);
    const BlockShape shape = blockShape(piece);
    const std::vector<Stash*> earlier = earlierSlices(key, "forward");
    Buffer* given = boundary(stash);
    Buffer flow;
    if (ownsTokens())
        flow = embedTokens(key, stash);
    else if (stash.blocks.empty() && !m_layers.head)
        flow = std::move(*given); // only positions stand here
    if (keep)
        stash.encoding.reset();
    for (std::size_t i = 0; i < stash.blocks.size(); ++i) {
        BlockStash& block = stash.blocks[i];
        if (&block.input != given)
            block.input = std::move(flow);
        flow = bufferOf<Real>(m_arena, shape.boundary(), MemoryClass::Activation);
        blockForward<Real>(shape, blockWeights(static_cast<int>(i)), attended(key, earlier, i), block,
                           elements<Real>(flow), m_arena);
        block.keyValues.reset(); // of a forward before
        if (!keep)
            freeBlock(piece, block, given);
        else if (!piece.last() && offloadedPart(piece) > 0)
            saveKeyValues<Real>(shape, block, m_arena);
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
        m_loss += loss * shareOfStep(piece);
    if (!keep)
        freeHead(stash.head, given);
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
void TransformerStage<Real>::freeBlock(const Piece& piece, BlockStash& block, const Buffer* given)
{
    if (!piece.last())
        saveKeyValues<Real>(blockShape(piece), block, m_arena);
    block.attention.reset();
    block.mlp.reset();
    block.statistics.reset();
    if (&block.input != given)
        block.input.reset();
}

template <class Real>
void TransformerStage<Real>::freeHead(HeadStash& head, const Buffer* given)
{
    head.kept.reset();
    head.statistics.reset();
    if (&head.input != given)
        head.input.reset();
}

template <class Real>
template <class Visitor>
void TransformerStage<Real>::forEachRun(const Piece& piece, Visitor&& visit) const
{
    if (piece.packed.empty())
        return visit(0, m_model.config.batch * piece.length, piece.length, piece.first);
    for (int b = 0; b < m_model.config.batch; ++b) {
        int row = b * piece.length;
        for (const int length : piece.packed) {
            visit(row, length, length, 0);
            row += length;
        }
    }
}

template <class Real>
Buffer TransformerStage<Real>::embedTokens(const DataKey& key, Stash& stash)
{
    const Piece piece = m_pieces.of(key);
    const int h = m_model.config.hidden;
    const std::vector<ParameterTensor>& tensors = m_layout.tensors();
    const Real* set = elements<Real>(std::as_const(m_weights));
    const Real* positions = set + tensors[m_layout.positionTable()].offset;
    const std::int32_t* tokens = elements<std::int32_t>(stash.tokens);
    Buffer out = bufferOf<Real>(m_arena, blockShape(piece).boundary(), MemoryClass::Activation);
    forEachRun(piece, [&](int row, int rows, int period, int position) {
        embed<Real>({rows, h}, period, tokens + row, set + tensors[m_layout.tokenTable()].offset,
                    positions + static_cast<std::ptrdiff_t>(position) * h,
                    elements<Real>(out) + static_cast<std::ptrdiff_t>(row) * h);
    });
    if (stash.encoding)
        addTo<Real>(blockShape(piece).boundary(), elements<Real>(std::as_const(stash.encoding)), elements<Real>(out));
    return out;
}

/// Every token of a step has the same part of its loss.
template <class Real>
double TransformerStage<Real>::shareOfStep(const Piece& piece) const
{
    return static_cast<double>(headShape(piece).tokens) / static_cast<double>(m_pieces.stepTokens());
}

template <class Real>
double TransformerStage<Real>::runHead(const DataKey& key, HeadStash& stash)
{
    const Piece piece = m_pieces.of(key);
    const HeadShape shape = headShape(piece);
    const std::vector<std::int32_t> targets = drawTokens(m_model, m_data, key, piece, Draw::Following);
    return headForward<Real>(shape, headWeights(), stash, targets.data(), Real(shareOfStep(piece)), m_arena);
}

template <class Real>
Buffer TransformerStage<Real>::inputGradient(const DataKey& key, Buffer outputGradient)
{
    Stash& stash = find(key, Phase::Forwarded, "backward");
    const Piece piece = m_pieces.of(key);
    const BlockShape shape = blockShape(piece);
    const std::vector<Stash*> earlier = earlierSlices(key, "backward");
    expectGradients(key, stash, earlier);
    Buffer flow = accept(std::move(outputGradient), !m_layers.head || m_layers.sharedVocabulary, key, "gradients");
    if (m_layers.head && m_layers.sharedVocabulary)
        flow = normaliseGradient(stash.head, flow);
    else if (m_layers.head)
        flow = headInputGradient<Real>(headShape(piece), headWeights(), stash.head, m_arena);
    for (std::size_t i = stash.blocks.size(); i-- > 0;)
        flow = blockInputGradient<Real>(shape, blockWeights(static_cast<int>(i)), attended(key, earlier, i),
                                        stash.blocks[i], std::move(flow), m_arena);
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
    const Piece piece = m_pieces.of(key);
    if (m_layers.head && m_layers.sharedVocabulary) {
        const auto columns = static_cast<std::size_t>(m_block.hidden());
        addTo<Real>(columns, elements<Real>(stash.head.normGradients), at(m_layout.finalScale()));
        addTo<Real>(columns, elements<Real>(stash.head.normGradients) + columns, at(m_layout.finalShift()));
    } else if (m_layers.head) {
        headWeightGradient<Real>(headShape(piece), stash.head,
                                 {at(m_layout.finalScale()), at(m_layout.finalShift()), at(m_layout.head())});
    }
    for (std::size_t i = stash.blocks.size(); i-- > 0;)
        blockWeightGradient<Real>(blockShape(piece), stash.blocks[i],
                                  {&tensors[m_layout.block(static_cast<int>(i))], set});
    if (m_layers.embedding && m_layers.sharedVocabulary)
        positionsBackward<Real>(extent(), m_model.config.sequence, elements<Real>(stash.embeddingGradient),
                                at(m_layout.positionTable()));
    else if (m_layers.embedding)
        forEachRun(piece, [&](int row, int rows, int period, int position) {
            const int h = m_model.config.hidden;
            embedBackward<Real>({rows, h}, period, elements<std::int32_t>(stash.tokens) + row,
                                elements<Real>(stash.embeddingGradient) + static_cast<std::ptrdiff_t>(row) * h,
                                at(m_layout.tokenTable()),
                                at(m_layout.positionTable()) + static_cast<std::ptrdiff_t>(position) * h);
        });
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

/// All but the keys and values that later slices need meanwhile.
template <class Real>
std::vector<Buffer*> TransformerStage<Real>::Stash::buffers()
{
    std::vector<Buffer*> all{&tokens, &encoding, &embeddingGradient};
    for (BlockStash& block : blocks)
        all.insert(all.end(), {&block.input, &block.attention, &block.mlp, &block.statistics, &block.outputGradient,
                               &block.normGradients});
    all.insert(all.end(), {&head.input, &head.kept, &head.statistics, &head.normGradients});
    return all;
}

/// Part of the piece's tensors that an offload moves.
template <class Real>
double TransformerStage<Real>::offloadedPart(const Piece& piece) const
{
    return m_data.slicing.offloaded.empty() ? 0 : m_data.slicing.offloadedPart(static_cast<std::size_t>(piece.slice));
}

template <class Real>
std::unique_ptr<KeptState> TransformerStage<Real>::detach(const DataKey& key)
{
    Stash* const stash = m_stashes.find(key);
    if (stash == nullptr)
        throw Failure(fmt::format("Nothing is kept of {}.", nameOf(key)));
    if (m_data.slicing.offloaded.empty())
        return std::make_unique<Stash>(std::move(*m_stashes.take(key)));
    auto state = std::make_unique<Stash>();
    state->blocks.resize(stash->blocks.size());
    moveLargest(stash->buffers(), offloadedPart(m_pieces.of(key)), state->buffers());
    return state;
}

template <class Real>
void TransformerStage<Real>::attach(const DataKey& key, std::unique_ptr<KeptState> state)
{
    auto& returned = dynamic_cast<Stash&>(*state);
    Stash* const stayed = m_stashes.find(key);
    if (stayed == nullptr) {
        m_stashes.add(key, std::move(returned));
        return;
    }
    const std::vector<Buffer*> from = returned.buffers();
    const std::vector<Buffer*> to = stayed->buffers();
    for (std::size_t i = 0; i < from.size(); ++i)
        if (*from[i])
            *to[i] = std::move(*from[i]);
}

template <class Real>
std::vector<DataKey> TransformerStage<Real>::pending() const
{
    return m_stashes.keys();
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
    const std::size_t expected = wanted ? blockShape(m_pieces.of(key)).boundary() * sizeof(Real) : 0;
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
    Stash* stash = m_stashes.find(key);
    if (stash == nullptr || stash->phase != phase)
        throw Failure(fmt::format("The {} of {} was asked for out of turn.", operation, nameOf(key)));
    return *stash;
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
