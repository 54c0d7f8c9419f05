// A vocabulary cut into shards: embedding, head and loss where each device holds some rows.
//
//     e   rows of the tokens that lie in the shard, zero elsewhere ─── sum ──► input of the first block
//     v   logits of the shard, per token (largest, total, target) ─── merge ──► the softmax, the loss
//     t   gradient of the shard's logits, of its weights, and a part of dx ─── sum ──► dx
//
// That is Algorithm 1 of the paper (Yeung et al. 2024, section 4), with two exchanges. Algorithm 2 has
// one: v also makes the two products from which dx follows once the softmax is known,
//
//     dx = Σ over shards (scale · exp(logits − largest) W − W[target]),   scale = e^(largest − L) / Z
//
// and t is left with the weight gradient. Whatever is merged or added goes in the order of the shards,
// so all devices end with the same bits.

#pragma once

#include "kernels/cpu/ops.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace bubblescope::cpu {

/// Tokens [first, first + count).
struct VocabularyShard {
    int first = 0;
    int count = 0;

    bool contains(std::int32_t token) const { return token >= first && token < first + count; }
};

/// Shard `index` of `shards`: as even as can be, the larger ones first. Empty where there are more shards than tokens.
VocabularyShard vocabularyShard(int vocabulary, int shards, int index);

struct ShardShape {
    int tokens = 0;
    int hidden = 0;
    VocabularyShard shard;

    std::size_t boundary() const { return static_cast<std::size_t>(tokens) * hidden; }

    std::size_t logits() const { return static_cast<std::size_t>(tokens) * shard.count; }
};

/// What a shard, or after merging all of them, know of one token.
template <class Real>
struct TokenStatistics {
    Real largest; ///< of the logits
    Real total;   ///< Σ exp(logit − largest)
    Real target;  ///< logit of the token that follows; 0 outside its shard
};

// ---- e, d ----------------------------------------------------------------------------------------

/// out[t] = row of token t, or zero outside the shard. `table` holds the shard's rows.
template <class Real>
void shardEmbed(const ShardShape& shape, const std::int32_t* tokens, const Real* table, Real* out);

/// Adds each row to that of its token, in the order of the tokens.
template <class Real>
void shardEmbedBackward(const ShardShape& shape, const std::int32_t* tokens, const Real* gradient, Real* table);

/// out[i] = Σ parts[k][i], in the order of the parts. `out` may be the first part.
template <class Real>
void sumInOrder(std::size_t count, std::span<const Real* const> parts, Real* out);

// ---- v, t ----------------------------------------------------------------------------------------

/// v: logits of `x` (after the final norm) and their statistics. `weight` holds the shard's columns.
template <class Real>
void shardLogits(const ShardShape& shape, const Real* x, const Real* weight, const std::int32_t* targets, Real* logits,
                 TokenStatistics<Real>* statistics);

/// v of Algorithm 2, after shardLogits: overwrites the logits by exp(logit − largest) and forms the two products,
/// tokens × hidden one after the other.
template <class Real>
void shardProducts(const ShardShape& shape, const Real* weight, const std::int32_t* targets,
                   const TokenStatistics<Real>* statistics, Real* logits, Real* products);

/// Statistics over all shards.
template <class Real>
void mergeStatistics(int tokens, std::span<const TokenStatistics<Real>* const> shards, TokenStatistics<Real>* merged);

/// Mean cross-entropy of the tokens.
template <class Real>
double lossOf(int tokens, const TokenStatistics<Real>* merged);

/// The end of Algorithm 2's exchange: dx times `weight` from what all shards made in v.
template <class Real>
void sumProducts(Extent extent, std::span<const TokenStatistics<Real>* const> shards,
                 std::span<const Real* const> products, const TokenStatistics<Real>* merged, Real weight, Real* dx);

/// t: overwrites the shard's logits by their gradient times `weight`. `own`: the shard's statistics where shardProducts
/// has made exponentials of the logits, else null.
template <class Real>
void shardGradient(const ShardShape& shape, const std::int32_t* targets, const TokenStatistics<Real>* merged,
                   const TokenStatistics<Real>* own, Real weight, Real* logits);

/// t of Algorithm 1: the shard's part of dx, to be summed.
template <class Real>
void shardInputGradient(const ShardShape& shape, const Real* gradient, const Real* weight, Real* dx);

/// t: adds to the gradient of the shard's columns.
template <class Real>
void shardWeightGradient(const ShardShape& shape, const Real* x, const Real* gradient, Real* weight);

} // namespace bubblescope::cpu
