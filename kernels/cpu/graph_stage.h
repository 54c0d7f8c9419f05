// One stage of a graph network: [features] layers… [class head, loss], for schedules with stale state.
//
// Each layer keeps the embeddings that came into it, of all vertices. F of a chunk overwrites its own
// rows and then averages over all: rows of chunks that came earlier in the epoch are fresh, those of
// later ones are of the epoch before (historical embeddings; zeros before the first). Backward treats
// all rows but the chunk's own as constants. Microbatch number mod chunks is the chunk.

#pragma once

#include "core/execute/stage_module.h"
#include "kernels/cpu/graph.h"
#include "kernels/cpu/parameters.h"
#include "kernels/cpu/stash_map.h"

#include <memory>
#include <vector>

namespace bubblescope::cpu {

/// One stage. Real is float where it runs; double serves numeric differentiation.
template <class Real>
class GraphStage final : public StageModule {
public:
    GraphStage(const GraphConfig& config, const StageLayers& layers, const StepData& data, Arena& arena);

    Buffer forward(const DataKey& key, Buffer input) override;
    Buffer inputGradient(const DataKey& key, Buffer outputGradient) override;
    void weightGradient(const DataKey& key) override;

    /// Impossible: other chunks have changed the neighbours since.
    void recompute(const DataKey& key) override;

    void release(const DataKey& key) override { recompute(key); }

    void update(int step) override;
    double takeLoss() override;
    std::vector<ParameterView> parameters() const override;

    Buffer& weightBuffer() override { return m_weights; }

    Buffer& gradientBuffer() override { return m_gradients; }

    Buffer* optimizerBuffer() override { return m_moments ? &m_moments : nullptr; }

    std::unique_ptr<KeptState> detach(const DataKey& key) override;
    void attach(const DataKey& key, std::unique_ptr<KeptState> state) override;
    std::vector<DataKey> pending() const override;

private:
    struct LayerStash {
        Buffer aggregated;
        Buffer sum; ///< before the activation; after I its gradient
    };

    struct Stash final : KeptState {
        std::vector<Buffer*> buffers() override;

        bool inputDone = false;
        std::vector<LayerStash> layers;
        Buffer headInput;
        Buffer logits; ///< or their gradient
    };

    Stash& find(const DataKey& key, bool inputDone, const char* operation);
    Buffer accept(Buffer buffer, bool wanted, const char* what);
    double runHead(const GraphPart& part, Stash& stash);
    Buffer tensor(std::size_t columns, MemoryClass memoryClass);
    GraphPart partOf(const DataKey& key) const;
    Real* values(Buffer& set, std::size_t tensor);

    GraphConfig m_config;
    StageLayers m_layers;
    int m_chunks;
    Graph m_graph;
    Arena& m_arena;
    std::vector<ParameterTensor> m_tensors; ///< weight and bias of each layer, then of the head
    std::size_t m_count = 0;
    Buffer m_weights;
    Buffer m_gradients;
    Buffer m_moments;
    std::vector<Buffer> m_embeddings; ///< by layer: what came into it, of all vertices
    StashMap<Stash> m_stashes;
    double m_loss = 0;
};

extern template class GraphStage<float>;
extern template class GraphStage<double>;

/// Makes the stages of one graph network; may be shared between threads.
class GraphMaker final : public StageMaker {
public:
    /// Throws Error for sizes that cannot be and for a BLAS that cannot be used.
    explicit GraphMaker(const GraphConfig& config);

    std::unique_ptr<StageModule> make(const StageLayers& layers, const StepData& data, Arena& arena) const override;
    void enterThread() const override;

    bool keepsStaleState() const override { return true; }

private:
    GraphConfig m_config;
};

} // namespace bubblescope::cpu
