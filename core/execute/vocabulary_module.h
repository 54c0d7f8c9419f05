// What the engine asks of a real model whose vocabulary lies in shards on all devices (vocab-1, vocab-2).
//
//     e  embed ─────────── sum ──► F of the first stage       B of the first stage ── copies ──► d  embedGradient
//     F of the last stage ── copies ──► v  score ── merge ──► t  scoreGradient ── sum ──► B of the last stage
//
// With one barrier, merging the scores also gives the gradient for the last stage's B, and t returns
// nothing. The exchanges take the shards' buffers in the order of the shards, so that every device gets
// the same bits. As a StageModule it has no threads; e, d, v and t come from the compute lane, the
// exchanges, which change nothing here, from the lanes of the collectives.

#pragma once

#include "core/execute/stage_module.h"

#include <span>

namespace bubblescope {

struct VocabularyShare {
    int shards = 1;
    int index = 0;
    bool oneBarrier = false; ///< Algorithm 2: dx comes out of what v makes
};

class VocabularyModule {
public:
    /// What the shards bring to an exchange, in their order.
    using Parts = std::span<const Buffer* const>;

    virtual ~VocabularyModule() = default;

    /// e: the embedding's rows of the microbatch's tokens, zero for tokens of other shards.
    virtual Buffer embed(const DataKey& key) = 0;

    /// d: adds the gradient of the first stage's input to this shard's rows.
    virtual void embedGradient(const DataKey& key, Buffer gradient) = 0;

    /// v: consumes the last stage's output, keeps what t needs, returns what the shards have to exchange.
    virtual Buffer score(const DataKey& key, Buffer input) = 0;

    /// t: consumes the merged scores and adds this shard's weight gradients. With two barriers it returns the
    /// shard's part of the gradient of the last stage's output.
    virtual Buffer scoreGradient(const DataKey& key, Buffer merged) = 0;

    virtual Buffer sum(Parts parts) const = 0;
    virtual Buffer merge(Parts scores) const = 0;

    /// One barrier: the gradient of the last stage's output.
    virtual Buffer inputGradient(Parts scores, const Buffer& merged) const = 0;

    /// As in StageModule. The loss is that of the whole vocabulary, known once t has run.
    virtual void update(int step) = 0;
    virtual double takeLoss() = 0;
    virtual std::vector<ParameterView> parameters() const = 0;
    virtual Buffer& gradientBuffer() = 0;
    virtual std::vector<DataKey> pending() const = 0;
};

} // namespace bubblescope
