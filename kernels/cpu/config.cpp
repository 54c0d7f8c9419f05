// What a transformer's sizes have to satisfy.

#include "kernels/cpu/config.h"

#include "core/base/error.h"

#include <algorithm>

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
    // Elements of a matrix are counted in 32 bits, here and in BLAS. No product can overflow: the
    // tokens are held against the limit before they are multiplied.
    constexpr std::int64_t limit = 1 << 30;
    const std::int64_t tokens = static_cast<std::int64_t>(config.batch) * config.sequence;
    const std::int64_t width =
        static_cast<std::int64_t>(config.mlpRatio) * config.hidden + 3LL * config.hidden + config.vocabulary;
    const std::int64_t rows = std::max<std::int64_t>(std::max<std::int64_t>(tokens, config.hidden), config.sequence);
    if (rows > limit || width > limit || rows * width > limit ||
        static_cast<std::int64_t>(config.sequence) * config.sequence > limit)
        throw Error(
            "A microbatch of {} sequences of {} tokens at hidden size {} with MLP ratio {} and vocabulary {} is "
            "too large for the cpu backend; no matrix may have more than {} elements.",
            config.batch, config.sequence, config.hidden, config.mlpRatio, config.vocabulary, limit);
    if (!(config.learningRate >= 0))
        throw Error("The learning rate is {}; it has to be a number of at least 0.", config.learningRate);
}

} // namespace bubblescope::cpu
