// The calculation of a block; block.h shows which buffer holds what.

#include "kernels/cpu/block.h"

#include "kernels/cpu/linear.h"
#include "kernels/cpu/storage.h"

#include <algorithm>
#include <utility>

namespace bubblescope::cpu {
namespace {

using enum BlockTensor;

/// The matrices inside BlockStash::attention and mlp.
template <class Real>
struct Kept {
    Real* n1;
    Real* qkv;
    Real* attended;
    Real* middle;
    Real* n2;
    Real* up;
    Real* activated;

    Kept(const BlockShape& shape, BlockStash& stash)
    {
        const auto strip = static_cast<std::size_t>(shape.tokens()) * shape.hidden();
        n1 = elements<Real>(stash.attention);
        qkv = n1 + strip;
        attended = qkv + 3 * strip;
        middle = elements<Real>(stash.mlp);
        n2 = middle + strip;
        up = n2 + strip;
        activated = up + static_cast<std::size_t>(shape.tokens()) * shape.mlp;
    }
};

template <class Real>
struct Statistics {
    NormStatistics<Real>* norm1;
    NormStatistics<Real>* norm2;
    Real* logSumExp;

    Statistics(const BlockShape& shape, Buffer& buffer)
        : norm1(reinterpret_cast<NormStatistics<Real>*>(buffer.bytes()))
        , norm2(norm1 + shape.tokens())
        , logSumExp(elements<Real>(buffer) + 4 * static_cast<std::size_t>(shape.tokens()))
    {
    }
};

/// The four linear layers.
struct Layers {
    LinearShape qkv;
    LinearShape projection;
    LinearShape up;
    LinearShape down;

    explicit Layers(const BlockShape& shape)
        : qkv{shape.tokens(), shape.hidden(), 3 * shape.hidden()}
        , projection{shape.tokens(), shape.hidden(), shape.hidden()}
        , up{shape.tokens(), shape.hidden(), shape.mlp}
        , down{shape.tokens(), shape.mlp, shape.hidden()}
    {
    }
};

} // namespace

std::size_t BlockShape::backwardWorkspace() const
{
    return std::max(size(mlp), size(hidden()) + attention.backwardScratch());
}

template <class Real>
EarlierSlice<Real> keyValuesOf(const BlockShape& shape, BlockStash& stash)
{
    const int h = shape.hidden();
    Real* gradients = stash.keyValueGradients ? elements<Real>(stash.keyValueGradients) : nullptr;
    if (stash.keyValues) {
        const Real* copy = elements<Real>(stash.keyValues);
        return {shape.attention.sequence, 2 * h, copy, copy + h, gradients};
    }
    const Real* qkv = elements<Real>(stash.attention) + static_cast<std::size_t>(shape.tokens()) * shape.hidden();
    return {shape.attention.sequence, 3 * h, qkv + h, qkv + 2 * h, gradients};
}

template <class Real>
void saveKeyValues(const BlockShape& shape, BlockStash& stash, Arena& arena)
{
    const auto h = static_cast<std::size_t>(shape.hidden());
    stash.keyValues = bufferOf<Real>(arena, shape.keyValues(), MemoryClass::Activation);
    const Real* qkv = elements<Real>(stash.attention) + static_cast<std::size_t>(shape.tokens()) * shape.hidden();
    Real* copy = elements<Real>(stash.keyValues);
    for (std::size_t token = 0; token < static_cast<std::size_t>(shape.tokens()); ++token)
        std::copy_n(qkv + (3 * token + 1) * h, 2 * h, copy + 2 * token * h);
}

template <class Real>
void blockForward(const BlockShape& shape, BlockSet<const Real> weights, EarlierSlices<Real> earlier, BlockStash& stash,
                  Real* output, Arena& arena)
{
    const int tokens = shape.tokens();
    const Extent narrow{tokens, shape.hidden()};
    const Layers layers(shape);
    stash.attention = bufferOf<Real>(arena, shape.keptAttention(), MemoryClass::Activation);
    stash.mlp = bufferOf<Real>(arena, shape.keptMlp(), MemoryClass::Activation);
    stash.statistics = bufferOf<Real>(arena, shape.statistics(), MemoryClass::Activation);
    Buffer workspace = bufferOf<Real>(arena, shape.forwardWorkspace(), MemoryClass::Workspace);
    const Kept<Real> keep(shape, stash);
    const Statistics<Real> statistics(shape, stash.statistics);
    const Real* x = elements<Real>(stash.input);

    normForward(narrow, x, {weights[Norm1Scale], weights[Norm1Shift]}, statistics.norm1, keep.n1);
    spreadBias(Extent{tokens, 3 * shape.hidden()}, weights[QkvBias], keep.qkv);
    linearForward(layers.qkv, keep.n1, weights[Qkv], keep.qkv);
    attentionForward<Real>(shape.attention, keep.qkv, keep.attended, statistics.logSumExp, elements<Real>(workspace),
                           earlier);
    addBias(narrow, x, weights[ProjectionBias], keep.middle);
    linearForward(layers.projection, keep.attended, weights[Projection], keep.middle);

    normForward(narrow, keep.middle, {weights[Norm2Scale], weights[Norm2Shift]}, statistics.norm2, keep.n2);
    spreadBias(Extent{tokens, shape.mlp}, weights[UpBias], keep.up);
    linearForward(layers.up, keep.n2, weights[Up], keep.up);
    geluForward(static_cast<std::size_t>(tokens) * shape.mlp, keep.up, keep.activated);
    addBias(narrow, keep.middle, weights[DownBias], output);
    linearForward(layers.down, keep.activated, weights[Down], output);
}

/// Gradients of the keys and values from later slices, into those of the slice itself.
template <class Real>
void addKeyValueGradients(const BlockShape& shape, BlockStash& stash, Real* qkvGradient)
{
    if (!stash.keyValueGradients)
        return;
    const auto h = static_cast<std::size_t>(shape.hidden());
    const Real* gradients = elements<Real>(stash.keyValueGradients);
    for (std::size_t token = 0; token < static_cast<std::size_t>(shape.tokens()); ++token)
        addTo(2 * h, gradients + 2 * token * h, qkvGradient + (3 * token + 1) * h);
    stash.keyValueGradients.reset();
}

template <class Real>
Buffer blockInputGradient(const BlockShape& shape, BlockSet<const Real> weights, EarlierSlices<Real> earlier,
                          BlockStash& stash, Buffer outputGradient, Arena& arena)
{
    const int h = shape.hidden();
    const int tokens = shape.tokens();
    const Extent narrow{tokens, h};
    const Layers layers(shape);
    stash.outputGradient = std::move(outputGradient);
    stash.normGradients = bufferOf<Real>(arena, shape.normGradients(), MemoryClass::Activation);
    Buffer workspace = bufferOf<Real>(arena, shape.backwardWorkspace(), MemoryClass::Workspace);
    const Kept<Real> keep(shape, stash);
    const Statistics<Real> statistics(shape, stash.statistics);
    const Real* dOut = elements<Real>(stash.outputGradient);
    Real* sums = elements<Real>(stash.normGradients);
    Real* work = elements<Real>(workspace);
    Real* x = elements<Real>(stash.input);

    linearInputGradient(layers.down, dOut, weights[Down], work);
    geluBackward(static_cast<std::size_t>(tokens) * shape.mlp, work, keep.up);
    linearInputGradient(layers.up, keep.up, weights[Up], work);
    normBackward<Real>(narrow, {weights[Norm2Scale], statistics.norm2, work, dOut, sums + 2 * h, sums + 3 * h},
                       keep.middle);

    linearInputGradient(layers.projection, keep.middle, weights[Projection], work);
    attentionBackward<Real>(shape.attention, {keep.attended, work, statistics.logSumExp}, keep.qkv,
                            work + shape.boundary(), earlier);
    addKeyValueGradients(shape, stash, keep.qkv);
    stash.keyValues.reset();
    linearInputGradient(layers.qkv, keep.qkv, weights[Qkv], work);
    normBackward<Real>(narrow, {weights[Norm1Scale], statistics.norm1, work, keep.middle, sums, sums + h}, x);

    stash.statistics.reset();
    return std::move(stash.input);
}

template <class Real>
void blockWeightGradient(const BlockShape& shape, BlockStash& stash, BlockSet<Real> gradients)
{
    const auto h = static_cast<std::size_t>(shape.hidden());
    const Layers layers(shape);
    const Kept<Real> keep(shape, stash);
    const Real* dOut = elements<Real>(stash.outputGradient);
    const Real* sums = elements<Real>(stash.normGradients);

    linearWeightGradient(layers.down, keep.activated, dOut, gradients[Down], gradients[DownBias]);
    linearWeightGradient(layers.up, keep.n2, keep.up, gradients[Up], gradients[UpBias]);
    addTo(h, sums + 2 * h, gradients[Norm2Scale]);
    addTo(h, sums + 3 * h, gradients[Norm2Shift]);
    linearWeightGradient(layers.projection, keep.attended, keep.middle, gradients[Projection],
                         gradients[ProjectionBias]);
    linearWeightGradient(layers.qkv, keep.n1, keep.qkv, gradients[Qkv], gradients[QkvBias]);
    addTo(h, sums, gradients[Norm1Scale]);
    addTo(h, sums + h, gradients[Norm1Shift]);
    stash = BlockStash();
}

// NOLINTBEGIN(bugprone-macro-parentheses): Real is a type
#define BUBBLESCOPE_INSTANTIATE(Real)                                                                                  \
    template EarlierSlice<Real> keyValuesOf<Real>(const BlockShape&, BlockStash&);                                     \
    template void saveKeyValues<Real>(const BlockShape&, BlockStash&, Arena&);                                         \
    template void blockForward<Real>(const BlockShape&, BlockSet<const Real>, EarlierSlices<Real>, BlockStash&, Real*, \
                                     Arena&);                                                                          \
    template Buffer blockInputGradient<Real>(const BlockShape&, BlockSet<const Real>, EarlierSlices<Real>,             \
                                             BlockStash&, Buffer, Arena&);                                             \
    template void blockWeightGradient<Real>(const BlockShape&, BlockStash&, BlockSet<Real>);

BUBBLESCOPE_INSTANTIATE(float)
BUBBLESCOPE_INSTANTIATE(double)

#undef BUBBLESCOPE_INSTANTIATE
// NOLINTEND(bugprone-macro-parentheses)

} // namespace bubblescope::cpu
