// A decoder-only transformer on the CPU, for the engine to run in the order of a schedule.
//
//     TransformerConfig + TokenSource ──► TransformerMaker ── make(layers) ──► TransformerStage (stage.h)
//
// cost.h counts what its stages need.

#pragma once

#include "kernels/cpu/stage.h"

#include <memory>

namespace bubblescope::cpu {

/// Makes the stages of one model; may be shared between threads.
class TransformerMaker final : public StageMaker {
public:
    /// Throws Error for sizes that cannot be and for a BLAS that cannot be used.
    TransformerMaker(const TransformerConfig& config, std::shared_ptr<const TokenSource> tokens);

    std::unique_ptr<StageModule> make(const StageLayers& layers, const StepData& data, Arena& arena) const override;

    std::unique_ptr<FrozenLayer> makeFrozen(int number, const StepData& data, Arena& arena) const override;

    std::unique_ptr<VocabularyModule> makeShard(const VocabularyShare& share, const StepData& data,
                                                Arena& arena) const override;

    void enterThread() const override;

    bool hasVelocity() const override { return m_model.config.optimizer == Optimizer::Momentum; }

    const TransformerConfig& config() const { return m_model.config; }

private:
    TransformerModel m_model;
};

} // namespace bubblescope::cpu
