// One transformer block: forward, backward for its input, backward for its weights.
//
//     n1 = norm(x)     r = x + attention(n1) Wp + bp     n2 = norm(r)     out = r + gelu(n2 Wu + bu) Wd + bd
//
// What the backward needs is written over what is no longer needed, so a block keeps the same amount
// from F to I as from I to W (T tokens, a heads, MLP ratio 4):
//
//            x    n1   qkv   O   r    n2   u    g    statistics      F → I : 16h + a + 4 per token
//     I:     dx↗  n1   dqkv  O   dr   n2   du   g    dout            I → W : 16h per token + 4h per microbatch
//
// dx is written into x's buffer and leaves with it; the received gradient dout takes its place. The
// column sums for the scales and shifts of the norms are formed in I and added in W.
//
// Slices of a sequence: later ones read keys and values inside qkv, or a copy of 2h per token where F keeps its
// input only; their I adds 2h per token of gradients, which are there from the first of them to the slice's own I.

#pragma once

#include "core/execute/arena.h"
#include "kernels/cpu/attention.h"
#include "kernels/cpu/parameters.h"

namespace bubblescope::cpu {

struct BlockShape {
    AttentionShape attention;
    int mlp;

    explicit BlockShape(const TransformerConfig& config) : BlockShape(config, config.sequence) {}

    /// A slice of `tokens` per sequence.
    BlockShape(const TransformerConfig& config, int tokens)
        : attention{config.batch, tokens, config.heads, config.headSize()}, mlp(config.mlp())
    {
    }

    int tokens() const { return attention.batch * attention.sequence; }

    int hidden() const { return attention.hidden(); }

    /// Elements: of the boundary, of what lives from F to W besides x or dout, of the statistics.
    std::size_t boundary() const { return size(hidden()); }

    std::size_t kept() const { return keptAttention() + keptMlp(); }

    std::size_t keptAttention() const { return size(5 * hidden()); }

    std::size_t keptMlp() const { return size(2 * hidden() + 2 * mlp); }

    std::size_t statistics() const { return size(attention.heads + 4); }

    std::size_t normGradients() const { return 4 * static_cast<std::size_t>(hidden()); }

    std::size_t keyValues() const { return size(2 * hidden()); }

    /// Elements of scratch memory during F and I.
    std::size_t forwardWorkspace() const { return attention.forwardScratch(); }

    std::size_t backwardWorkspace() const;

private:
    std::size_t size(int perToken) const { return static_cast<std::size_t>(tokens()) * perToken; }
};

/// What a block keeps of one microbatch. Buffers come and go as the picture above says.
struct BlockStash {
    Buffer input;             ///< x, until I turns it into dx
    Buffer attention;         ///< n1 qkv O; after I n1 dqkv O
    Buffer mlp;               ///< r n2 u g; after I dr n2 du g
    Buffer statistics;        ///< of both norms and the log-sum-exp, until I
    Buffer outputGradient;    ///< dout, from I
    Buffer normGradients;     ///< column sums, from I
    Buffer keyValues;         ///< for later slices, while `attention` isn't there
    Buffer keyValueGradients; ///< from later slices
};

/// What the block of a slice offers to later ones.
template <class Real>
EarlierSlice<Real> keyValuesOf(const BlockShape& shape, BlockStash& stash);

/// Copies keys and values out of `attention`, which is about to go.
template <class Real>
void saveKeyValues(const BlockShape& shape, BlockStash& stash, Arena& arena);

/// Blocks of the earlier slices of the same sequences.
template <class Real>
using EarlierSlices = std::span<const EarlierSlice<Real>>;

/// F: reads stash.input, fills `attention`, `mlp` and `statistics`, writes the block's output.
template <class Real>
void blockForward(const BlockShape& shape, BlockSet<const Real> weights, EarlierSlices<Real> earlier, BlockStash& stash,
                  Real* output, Arena& arena);

/// I: returns the gradient of the block's input.
template <class Real>
Buffer blockInputGradient(const BlockShape& shape, BlockSet<const Real> weights, EarlierSlices<Real> earlier,
                          BlockStash& stash, Buffer outputGradient, Arena& arena);

/// W: adds to the gradients and empties the stash.
template <class Real>
void blockWeightGradient(const BlockShape& shape, BlockStash& stash, BlockSet<Real> gradients);

} // namespace bubblescope::cpu
