// One device's shard of a vocabulary; the arithmetic stands in vocabulary.h.
//
// Per token, e leaves nothing; v keeps h + V/p elements (x, logits) and with one barrier its statistics, 3
// more; t gives all of it back. Tokens are drawn again wherever they are needed.

#pragma once

#include "core/execute/vocabulary_module.h"
#include "kernels/cpu/parameters.h"
#include "kernels/cpu/pieces.h"
#include "kernels/cpu/stash_map.h"
#include "kernels/cpu/vocabulary.h"

namespace bubblescope::cpu {

class TransformerShard final : public VocabularyModule {
public:
    TransformerShard(const TransformerModel& model, const VocabularyShare& share, StepData data, Arena& arena);

    Buffer embed(const DataKey& key) override;
    void embedGradient(const DataKey& key, Buffer gradient) override;
    Buffer score(const DataKey& key, Buffer input) override;
    Buffer scoreGradient(const DataKey& key, Buffer merged) override;
    Buffer sum(Parts parts) const override;
    Buffer merge(Parts scores) const override;
    Buffer inputGradient(Parts scores, const Buffer& merged) const override;
    void update(int step) override;
    double takeLoss() override;
    std::vector<ParameterView> parameters() const override;

    Buffer& gradientBuffer() override { return m_gradients; }

    std::vector<DataKey> pending() const override;

private:
    struct Stash {
        Buffer input;
        Buffer logits;     ///< exponentials of them with one barrier
        Buffer statistics; ///< one barrier: this shard's
    };

    /// Bytes of a shard's statistics; the products of one barrier stand behind them in what shards exchange.
    std::size_t statisticsBytes() const;
    std::vector<std::int32_t> draw(const DataKey& key, bool following) const;
    Buffer message(std::size_t bytes) const;

    /// Weight of each token in the step's loss.
    float weight() const;

    TransformerModel m_model;
    VocabularyShare m_share;
    StepData m_data;
    ShardShape m_shape;
    ParameterLayout m_layout;
    Arena& m_arena;
    Buffer m_weights;
    Buffer m_gradients;
    Buffer m_moments;
    StashMap<Stash> m_stashes;
    double m_loss = 0;
};

} // namespace bubblescope::cpu
