// What happens to one row, written once for CPU and GPU.
//
// Every function takes a Group, which walks the row: `sum(n, f)`, `max(n, f)` and `each(n, f)` over
// f(0)…f(n−1). On the CPU the group is 32 running sums of a vectorised loop, on a GPU it is a warp;
// both add in the same order, so both give the same bits.

#pragma once

#include "kernels/row_math.h"

namespace bubblescope {

template <class Real>
struct NormStatistics {
    Real mean;
    Real inverseDeviation;
};

template <class Group, class Real>
BUBBLESCOPE_HD inline NormStatistics<Real> normStatistics(const Group& group, const Real* x, int n)
{
    const Real mean = group.sum(n, [=](int i) { return x[i]; }) / Real(n);
    const Real variance = group.sum(n, [=](int i) { return (x[i] - mean) * (x[i] - mean); }) / Real(n);
    return {mean, Real(1) / std::sqrt(variance + Real(1e-5))};
}

/// y = normalised x · scale + shift.
template <class Group, class Real>
BUBBLESCOPE_HD inline NormStatistics<Real> normForwardRow(const Group& group, const Real* x, const Real* scale,
                                                          const Real* shift, Real* y, int n)
{
    const NormStatistics<Real> s = normStatistics(group, x, n);
    group.each(n, [=](int i) { y[i] = (x[i] - s.mean) * s.inverseDeviation * scale[i] + shift[i]; });
    return s;
}

/// Overwrites x by the gradient of the norm's input, plus `residual` unless that is null.
template <class Group, class Real>
BUBBLESCOPE_HD inline void
normBackwardRow(const Group& group, // NOLINT(readability-function-size): a row and its length
                NormStatistics<Real> s, const Real* scale, const Real* dy, const Real* residual, Real* x, int n)
{
    const auto normalised = [=](int i) { return (x[i] - s.mean) * s.inverseDeviation; };
    const Real mean = group.sum(n, [=](int i) { return dy[i] * scale[i]; }) / Real(n);
    const Real slope = group.sum(n, [=](int i) { return dy[i] * scale[i] * normalised(i); }) / Real(n);
    const auto gradient = [=](int i) { return s.inverseDeviation * (dy[i] * scale[i] - mean - normalised(i) * slope); };
    if (residual)
        group.each(n, [=](int i) { x[i] = residual[i] + gradient(i); });
    else
        group.each(n, [=](int i) { x[i] = gradient(i); });
}

/// Overwrites the first n scores by the softmax of scale·score; returns its log-sum-exp.
template <class Group, class Real>
BUBBLESCOPE_HD inline Real softmaxRow(const Group& group, Real scale, Real* scores, int n)
{
    const Real largest = group.max(n, [=](int i) { return scores[i]; });
    const Real total = group.sum(n, [=](int i) {
        const Real e = exponential(scale * (scores[i] - largest));
        scores[i] = e;
        return e;
    });
    const Real inverse = Real(1) / total;
    group.each(n, [=](int i) { scores[i] *= inverse; });
    return scale * largest + std::log(total);
}

/// Overwrites the scores by the same softmax, rebuilt from its log-sum-exp.
template <class Group, class Real>
BUBBLESCOPE_HD inline void softmaxAgainRow(const Group& group, Real scale, Real logSumExp, Real* scores, int n)
{
    group.each(n, [=](int i) { scores[i] = exponential(scale * scores[i] - logSumExp); });
}

/// A row's share of the softmax's denominator; shards of a vocabulary merge theirs.
template <class Real>
struct LossStatistics {
    Real largest;
    Real total; ///< Σ exp(logit − largest)
};

template <class Group, class Real>
BUBBLESCOPE_HD inline LossStatistics<Real> lossStatistics(const Group& group, const Real* logits, int n)
{
    const Real largest = group.max(n, [=](int i) { return logits[i]; });
    return {largest, group.sum(n, [=](int i) { return exponential(logits[i] - largest); })};
}

/// Overwrites logits by weight · d(cross-entropy)/d(logits).
template <class Group, class Real>
BUBBLESCOPE_HD inline void lossGradientRow(const Group& group, LossStatistics<Real> s, int target, Real weight,
                                           Real* logits, int n)
{
    const Real factor = weight / s.total;
    group.each(
        n, [=](int i) { logits[i] = exponential(logits[i] - s.largest) * factor - (i == target ? weight : Real(0)); });
}

/// Constants of one AdamW step; the bias corrections 1 − βᵗ are computed by the host in double.
template <class Real>
struct AdamStep {
    Real learningRate;
    Real beta1;
    Real beta2;
    Real correction1;
    Real correction2;
    Real epsilon;
    Real decay;
};

template <class Real>
BUBBLESCOPE_HD inline void adamElement(const AdamStep<Real>& step, Real gradient, Real& value, Real& first,
                                       Real& second)
{
    first = step.beta1 * first + (Real(1) - step.beta1) * gradient;
    second = step.beta2 * second + (Real(1) - step.beta2) * gradient * gradient;
    const Real direction = (first / step.correction1) / (std::sqrt(second / step.correction2) + step.epsilon);
    value -= step.learningRate * (direction + step.decay * value);
}

/// Constants of one step of SGD with momentum: v ← m v + g, w ← w − rate (a v + b g). Plain momentum has a = 1 and b = 0.
template <class Real>
struct MomentumStep {
    Real learningRate;
    Real momentum;
    Real velocityShare; ///< a
    Real gradientShare; ///< b
};

template <class Real>
BUBBLESCOPE_HD inline void momentumElement(const MomentumStep<Real>& step, Real gradient, Real& value, Real& velocity)
{
    velocity = step.momentum * velocity + gradient;
    value -= step.learningRate * (step.velocityShare * velocity + step.gradientShare * gradient);
}

} // namespace bubblescope
