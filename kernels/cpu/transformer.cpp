// Checks once what all stages rely on.

#include "kernels/cpu/transformer.h"

#include "core/base/error.h"
#include "kernels/cpu/encoder.h"
#include "kernels/cpu/gemm.h"
#include "kernels/cpu/shard.h"

#include <utility>

namespace bubblescope::cpu {

TransformerMaker::TransformerMaker(const TransformerConfig& config, std::shared_ptr<const TokenSource> tokens)
    : m_model{config, std::move(tokens)}
{
    check(config);
    if (m_model.tokens->vocabulary() > config.vocabulary)
        throw Error("The data has tokens up to {}, but the model's vocabulary is {}.", m_model.tokens->vocabulary() - 1,
                    config.vocabulary);
    checkBlas();
}

std::unique_ptr<StageModule> TransformerMaker::make(const StageLayers& layers, const StepData& data, Arena& arena) const
{
    return std::make_unique<TransformerStage<float>>(m_model, layers, data, arena);
}

std::unique_ptr<FrozenLayer> TransformerMaker::makeFrozen(int number, const StepData& data, Arena& arena) const
{
    return std::make_unique<EncoderLayer>(m_model, number, data, arena);
}

std::unique_ptr<VocabularyModule> TransformerMaker::makeShard(const VocabularyShare& share, const StepData& data,
                                                              Arena& arena) const
{
    return std::make_unique<TransformerShard>(m_model, share, data, arena);
}

void TransformerMaker::enterThread() const
{
    enterBlasThread();
}

} // namespace bubblescope::cpu
