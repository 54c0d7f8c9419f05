// Checks once what all stages rely on.

#include "kernels/cpu/transformer.h"

#include "core/base/error.h"
#include "kernels/cpu/gemm.h"

#include <utility>

namespace bubblescope::cpu {

TransformerMaker::TransformerMaker(const TransformerConfig& config, std::shared_ptr<const TokenSource> tokens,
                                   int pipes)
    : m_model{config, std::move(tokens), pipes}
{
    check(config);
    if (pipes < 1)
        throw Error("A step's data is shared by {} pipes; there has to be at least 1.", pipes);
    if (m_model.tokens->vocabulary() > config.vocabulary)
        throw Error("The data has tokens up to {}, but the model's vocabulary is {}.", m_model.tokens->vocabulary() - 1,
                    config.vocabulary);
    checkBlas();
}

std::unique_ptr<StageModule> TransformerMaker::make(const StageLayers& layers, int microbatchesPerStep,
                                                    Arena& arena) const
{
    return std::make_unique<TransformerStage<float>>(m_model, layers, microbatchesPerStep, arena);
}

void TransformerMaker::enterThread() const
{
    enterBlasThread();
}

} // namespace bubblescope::cpu
