// The model that is executed: its sizes and how it is trained.

#pragma once

#include <cstddef>
#include <cstdint>

namespace bubblescope::cpu {

enum class Optimizer { Sgd, AdamW, Momentum };

/// Values that an optimizer keeps beside each parameter.
constexpr int optimizerStates(Optimizer optimizer)
{
    return optimizer == Optimizer::AdamW ? 2 : optimizer == Optimizer::Momentum ? 1 : 0;
}

/// A decoder-only transformer with learned positions, pre-norm blocks, a final norm and an untied head.
struct TransformerConfig {
    int blocks = 4;
    int hidden = 128;
    int heads = 4;
    int vocabulary = 256; ///< bytes as tokens
    int sequence = 64;
    int batch = 1; ///< sequences per microbatch
    int mlpRatio = 4;
    std::uint64_t seed = 1; ///< of the initial weights
    bool recompute = false; ///< F keeps only its input; R brings the rest back
    Optimizer optimizer = Optimizer::AdamW;
    float learningRate = 1e-3F;
    float momentum = 0.9F; ///< of SGD with momentum
    float beta1 = 0.9F;
    float beta2 = 0.95F;
    float epsilon = 1e-8F;
    float weightDecay = 0.01F; ///< AdamW's, on matrices only

    int tokens() const { return batch * sequence; } ///< of one microbatch

    int mlp() const { return mlpRatio * hidden; }

    int headSize() const { return hidden / heads; }
};

/// Throws Error with a sentence for the first value that cannot be.
void check(const TransformerConfig& config);

} // namespace bubblescope::cpu
