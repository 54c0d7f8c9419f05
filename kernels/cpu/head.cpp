// Norm, one product and the loss.

#include "kernels/cpu/head.h"

#include "kernels/cpu/linear.h"
#include "kernels/cpu/storage.h"

#include <algorithm>
#include <utility>

namespace bubblescope::cpu {
namespace {

LinearShape linear(const HeadShape& shape)
{
    return {shape.tokens, shape.hidden, shape.vocabulary};
}

template <class Real>
Real* logits(const HeadShape& shape, HeadStash& stash)
{
    return elements<Real>(stash.kept) + static_cast<std::size_t>(shape.tokens) * shape.hidden;
}

} // namespace

template <class Real>
double headForward(const HeadShape& shape, HeadSet<const Real> weights, HeadStash& stash, const std::int32_t* targets,
                   Real weight, Arena& arena)
{
    stash.kept = bufferOf<Real>(arena, shape.kept(), MemoryClass::Activation);
    stash.statistics = bufferOf<Real>(arena, shape.statistics(), MemoryClass::Activation);
    auto* statistics = reinterpret_cast<NormStatistics<Real>*>(stash.statistics.bytes());
    Real* normalised = elements<Real>(stash.kept);
    Real* logit = logits<Real>(shape, stash);
    normForward<Real>({shape.tokens, shape.hidden}, elements<Real>(stash.input), {weights.scale, weights.shift},
                      statistics, normalised);
    std::fill_n(logit, static_cast<std::size_t>(shape.tokens) * shape.vocabulary, Real(0));
    linearForward(linear(shape), normalised, weights.weight, logit);
    return crossEntropy<Real>({shape.tokens, shape.vocabulary}, targets, weight / Real(shape.tokens), logit);
}

template <class Real>
Buffer headInputGradient(const HeadShape& shape, HeadSet<const Real> weights, HeadStash& stash, Arena& arena)
{
    stash.normGradients = bufferOf<Real>(arena, shape.normGradients(), MemoryClass::Activation);
    Buffer workspace = bufferOf<Real>(arena, shape.backwardWorkspace(), MemoryClass::Workspace);
    const auto* statistics = reinterpret_cast<const NormStatistics<Real>*>(stash.statistics.bytes());
    Real* dNormalised = elements<Real>(workspace);
    Real* sums = elements<Real>(stash.normGradients);
    linearInputGradient<Real>(linear(shape), logits<Real>(shape, stash), weights.weight, dNormalised);
    normBackward<Real>({shape.tokens, shape.hidden},
                       {weights.scale, statistics, dNormalised, nullptr, sums, sums + shape.hidden},
                       elements<Real>(stash.input));
    stash.statistics.reset();
    return std::move(stash.input);
}

template <class Real>
void headWeightGradient(const HeadShape& shape, HeadStash& stash, HeadSet<Real> gradients)
{
    const Real* sums = elements<Real>(stash.normGradients);
    linearWeightGradient<Real>(linear(shape), elements<Real>(stash.kept), logits<Real>(shape, stash), gradients.weight,
                               nullptr);
    addTo<Real>(static_cast<std::size_t>(shape.hidden), sums, gradients.scale);
    addTo<Real>(static_cast<std::size_t>(shape.hidden), sums + shape.hidden, gradients.shift);
    stash = HeadStash();
}

#define BUBBLESCOPE_INSTANTIATE(Real)                                                                                  \
    template double headForward<Real>(const HeadShape&, HeadSet<const Real>, HeadStash&, const std::int32_t*, Real,    \
                                      Arena&);                                                                         \
    template Buffer headInputGradient<Real>(const HeadShape&, HeadSet<const Real>, HeadStash&, Arena&);                \
    template void headWeightGradient<Real>(const HeadShape&, HeadStash&, HeadSet<Real>);

BUBBLESCOPE_INSTANTIATE(float)
BUBBLESCOPE_INSTANTIATE(double)

#undef BUBBLESCOPE_INSTANTIATE

} // namespace bubblescope::cpu
