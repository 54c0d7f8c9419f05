// Causal multi-head attention that keeps no probabilities.
//
// The forward keeps one log-sum-exp per row and head; the backward multiplies queries and keys again
// and rebuilds P = exp(scores − log-sum-exp). So what lives from F to I has no term that grows with
// the square of the sequence.

#pragma once

#include <cstddef>

namespace bubblescope::cpu {

struct AttentionShape {
    int batch;
    int sequence;
    int heads;
    int headSize;

    int hidden() const { return heads * headSize; }

    /// Elements of scratch memory that forward and backward need.
    std::size_t forwardScratch() const { return static_cast<std::size_t>(sequence) * sequence; }

    std::size_t backwardScratch() const
    {
        return 2 * forwardScratch() + 3 * static_cast<std::size_t>(sequence) * headSize;
    }
};

/// `qkv` has 3·hidden columns: queries, keys, values, each head after head. `logSumExp` is
/// [batch][head][sequence]; `out` has hidden columns.
template <class Real>
void attentionForward(const AttentionShape& shape, const Real* qkv, Real* out, Real* logSumExp, Real* scratch);

/// What the backward reads besides queries, keys and values.
template <class Real>
struct AttentionBackward {
    const Real* out;
    const Real* outputGradient;
    const Real* logSumExp;
};

/// Overwrites `qkv` by its gradient, head by head.
template <class Real>
void attentionBackward(const AttentionShape& shape, const AttentionBackward<Real>& task, Real* qkv, Real* scratch);

} // namespace bubblescope::cpu
