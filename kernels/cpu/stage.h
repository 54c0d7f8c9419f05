// One stage of a transformer: [embedding] blocks… [final norm, head, loss], in any order of operations
// that a schedule may say.
//
// F leaves a Stash per key, I turns it into what W needs, W empties it; block.h says which buffer
// holds what. Gradients are added in the order of the calls to W, and every microbatch's share of the
// step's tokens is already in the loss gradient, so nothing is divided afterwards.
//
// Slices of a microbatch have stashes of their own. F of a slice reads the keys and values of all earlier ones, which
// are there until their I; I runs from the last slice to the first and hands gradients back the same way.

#pragma once

#include "core/execute/stage_module.h"
#include "kernels/cpu/block.h"
#include "kernels/cpu/head.h"
#include "kernels/cpu/parameters.h"
#include "kernels/cpu/pieces.h"
#include "kernels/cpu/stash_map.h"

#include <memory>
#include <vector>

namespace bubblescope::cpu {

/// One stage. Real is float where it runs; double serves numeric differentiation.
template <class Real>
class TransformerStage final : public StageModule {
public:
    TransformerStage(const TransformerModel& model, const StageLayers& layers, const StepData& data, Arena& arena);

    Buffer forward(const DataKey& key, Buffer input) override;
    Buffer inputGradient(const DataKey& key, Buffer outputGradient) override;
    void weightGradient(const DataKey& key) override;
    void recompute(const DataKey& key) override;
    void release(const DataKey& key) override;
    void update(int step) override;
    double takeLoss() override;

    void compensate(int delay) override;
    void extrapolate(int updates) override;

    /// Empty unless Real is float.
    std::vector<ParameterView> parameters() const override;

    Buffer& weightBuffer() override { return m_weights; }

    Buffer& gradientBuffer() override { return m_gradients; }

    Buffer* optimizerBuffer() override { return m_moments ? &m_moments : nullptr; }

    std::unique_ptr<KeptState> detach(const DataKey& key) override;
    void attach(const DataKey& key, std::unique_ptr<KeptState> state) override;

    std::vector<DataKey> pending() const override;

    const ParameterLayout& layout() const { return m_layout; }

    /// All tensors one after the other, as layout() says.
    Real* weights();
    const Real* gradients() const;

private:
    enum class Phase { Boundary, Forwarded, InputDone }; ///< the last operation was F with recompute, F or R, I

    struct Stash final : KeptState {
        std::vector<Buffer*> buffers() override;

        Phase phase = Phase::Forwarded;
        int laterSlices = 0; ///< whose I is done
        Buffer tokens;       ///< of a stage with the embedding
        Buffer encoding;     ///< what an encoder made of the microbatch: added to the embedding
        Buffer embeddingGradient;
        std::vector<BlockStash> blocks;
        HeadStash head;
    };

    double offloadedPart(const Piece& piece) const;
    BlockShape blockShape(const Piece& piece) const;
    HeadShape headShape(const Piece& piece) const;

    /// The stashes of all earlier slices, in order.
    std::vector<Stash*> earlierSlices(const DataKey& key, const char* operation);
    std::vector<EarlierSlice<Real>> attended(const DataKey& key, const std::vector<Stash*>& earlier,
                                             std::size_t block) const;
    void expectGradients(const DataKey& key, Stash& stash, const std::vector<Stash*>& earlier);

    /// The whole forward of a stash whose input is there. Returns what leaves the stage.
    Buffer run(const DataKey& key, Stash& stash, bool keep, bool countLoss);
    void freeBlock(const Piece& piece, BlockStash& block, const Buffer* given);
    void freeHead(HeadStash& head, const Buffer* given);
    Buffer embedTokens(const DataKey& key, Stash& stash);

    /// Calls visit(first row, rows, after how many the positions start again, first position) for rows with ascending positions.
    template <class Visitor>
    void forEachRun(const Piece& piece, Visitor&& visit) const;
    double runHead(const DataKey& key, HeadStash& stash);
    Buffer normalise(HeadStash& stash, bool keep, bool given);
    Buffer normaliseGradient(HeadStash& stash, const Buffer& outputGradient);
    double shareOfStep(const Piece& piece) const;
    Buffer accept(Buffer buffer, bool wanted, const DataKey& key, const char* what);
    Stash& find(const DataKey& key, Phase phase, const char* operation);
    Buffer* boundary(Stash& stash);

    BlockSet<const Real> blockWeights(int block) const;
    HeadSet<const Real> headWeights() const;
    const Real* positions() const;

    Extent extent() const { return {m_block.tokens(), m_block.hidden()}; }

    /// Looks its tokens up itself; otherwise their rows come from elsewhere.
    bool ownsTokens() const { return m_layers.embedding && !m_layers.sharedVocabulary; }

    TransformerModel m_model;
    StageLayers m_layers;
    Arena& m_arena;
    ParameterLayout m_layout;
    BlockShape m_block; ///< of whole microbatches, as sharded vocabularies have
    HeadShape m_head;
    StepData m_data;
    Pieces m_pieces;
    Buffer m_weights;
    Buffer m_gradients;
    Buffer m_moments; ///< AdamW's first and second, one set after the other; the velocity of SGD with momentum
    int m_delay = 0;  ///< updates that a gradient is old, for spike compensation
    StashMap<Stash> m_stashes;
    double m_loss = 0;
};

extern template class TransformerStage<float>;
extern template class TransformerStage<double>;

} // namespace bubblescope::cpu
