// Causal multi-head attention that keeps no probabilities.
//
// The forward keeps one log-sum-exp per row and head; the backward multiplies queries and keys again
// and rebuilds P = exp(scores − log-sum-exp). So what lives from F to I has no term that grows with
// the square of the sequence.
//
//            earlier slices | own          A slice of a sequence attends to all earlier ones, whose keys and
//     row 0  x  x  x  x  x  | x            values are still there, and to itself below the diagonal. Its backward
//     row 1  x  x  x  x  x  | x  x         adds to the gradients of their keys and values.

#pragma once

#include <cstddef>
#include <span>

namespace bubblescope::cpu {

struct AttentionShape {
    int batch;
    int sequence; ///< tokens of each row of the batch, in this slice
    int heads;
    int headSize;
    int context = 0;                  ///< tokens of all earlier slices of the row
    std::span<const int> packed = {}; ///< lengths of the sequences that share the row; empty: it is one

    int hidden() const { return heads * headSize; }

    /// Elements of scratch memory that forward and backward need.
    std::size_t forwardScratch() const { return static_cast<std::size_t>(sequence) * (context + sequence); }

    std::size_t backwardScratch() const
    {
        return 2 * forwardScratch() + 3 * static_cast<std::size_t>(sequence) * headSize;
    }
};

/// Keys and values of an earlier slice, as they were kept: [batch][tokens] rows, head after head.
template <class Real>
struct EarlierSlice {
    int tokens = 0;
    int stride = 0;
    const Real* keys = nullptr;
    const Real* values = nullptr;
    Real* gradients = nullptr; ///< for the backward, which adds to it: 2·hidden columns, keys and then values
};

/// `qkv` has 3·hidden columns: queries, keys, values, each head after head. `logSumExp` is
/// [batch][head][sequence]; `out` has hidden columns. `earlier`: in the order of the sequence.
template <class Real>
void attentionForward(const AttentionShape& shape, const Real* qkv, Real* out, Real* logSumExp, Real* scratch,
                      std::span<const EarlierSlice<Real>> earlier = {});

/// What the backward reads besides queries, keys and values.
template <class Real>
struct AttentionBackward {
    const Real* out;
    const Real* outputGradient;
    const Real* logSumExp;
};

/// Overwrites `qkv` by its gradient, head by head.
template <class Real>
void attentionBackward(const AttentionShape& shape, const AttentionBackward<Real>& task, Real* qkv, Real* scratch,
                       std::span<const EarlierSlice<Real>> earlier = {});

} // namespace bubblescope::cpu
