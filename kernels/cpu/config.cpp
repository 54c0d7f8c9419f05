// What a transformer's sizes have to satisfy.

#include "kernels/cpu/config.h"

#include "core/base/error.h"

namespace bubblescope::cpu {
namespace {

void needPositive(const char* name, int value)
{
    if (value < 1)
        throw Error("The model's {} is {}; it has to be at least 1.", name, value);
}

} // namespace

void check(const TransformerConfig& config)
{
    needPositive("number of blocks", config.blocks);
    needPositive("hidden size", config.hidden);
    needPositive("number of heads", config.heads);
    needPositive("sequence length", config.sequence);
    needPositive("batch", config.batch);
    needPositive("MLP ratio", config.mlpRatio);
    if (config.vocabulary < 2)
        throw Error("The model's vocabulary is {}; it has to be at least 2.", config.vocabulary);
    if (config.hidden % config.heads != 0)
        throw Error("The hidden size {} is not a multiple of the {} heads; {} would be.", config.hidden, config.heads,
                    (config.hidden / config.heads + 1) * config.heads);
    // Extents of matrices are 32-bit in BLAS.
    constexpr std::int64_t limit = 1 << 30;
    const auto widest = static_cast<std::int64_t>(config.tokens()) * (config.mlp() + 3 * config.hidden);
    const auto largest = static_cast<std::int64_t>(config.mlp()) * config.hidden;
    if (static_cast<std::int64_t>(config.batch) * config.sequence > limit || widest > limit || largest > limit)
        throw Error("A microbatch of {} sequences of {} tokens at hidden size {} is too large for the cpu backend.",
                    config.batch, config.sequence, config.hidden);
    if (!(config.learningRate >= 0))
        throw Error("The learning rate is {}; it has to be a number of at least 0.", config.learningRate);
}

} // namespace bubblescope::cpu
