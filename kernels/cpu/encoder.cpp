#include "kernels/cpu/encoder.h"

#include "core/base/error.h"
#include "kernels/cpu/linear.h"
#include "kernels/cpu/storage.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace bubblescope::cpu {

EncoderLayer::EncoderLayer(const TransformerModel& model, int number, StepData data, Arena& arena)
    : m_model(model), m_number(number), m_data(std::move(data)), m_arena(arena)
{
    const TransformerConfig& config = model.config;
    const auto hidden = static_cast<std::size_t>(config.hidden);
    const float deviation = std::sqrt(2.0F / static_cast<float>(config.hidden));
    std::vector<ParameterTensor> tensors{
        {fmt::format("encoder.{}.weight", number), 0, hidden * hidden, true, deviation, 0}};
    if (number == 0)
        tensors.push_back(
            {"encoder.token", hidden * hidden, static_cast<std::size_t>(config.vocabulary) * hidden, true, 0.1F, 0});
    m_weights = bufferOf<float>(arena, tensors.back().offset + tensors.back().count, MemoryClass::Weight);
    initialise(tensors, config.seed, m_weights.floats());
}

Buffer EncoderLayer::forward(const DataKey& key, Buffer input)
{
    const TransformerConfig& config = m_model.config;
    const std::size_t count = static_cast<std::size_t>(config.tokens()) * static_cast<std::size_t>(config.hidden);
    if (m_number == 0)
        input = tokenVectors(key);
    if (input.size() != count * sizeof(float))
        throw Failure(fmt::format("Layer {} of the encoder received {} bytes; it expected {}.", m_number, input.size(),
                                  count * sizeof(float)));
    Buffer output = bufferOf<float>(m_arena, count, MemoryClass::Message);
    std::fill_n(output.floats(), count, 0.0F);
    linearForward<float>({config.tokens(), config.hidden, config.hidden}, input.floats(), m_weights.floats(),
                         output.floats());
    geluForward<float>(count, output.floats(), input.floats());
    input.rebind(m_arena, MemoryClass::Message);
    return input;
}

Buffer EncoderLayer::tokenVectors(const DataKey& key)
{
    const TransformerConfig& config = m_model.config;
    const auto hidden = static_cast<std::size_t>(config.hidden);
    const auto length = static_cast<std::size_t>(config.sequence);
    const std::int64_t global = static_cast<std::int64_t>(key.microbatch) * m_data.pipes + key.pipe;
    const float* table = m_weights.floats() + hidden * hidden;
    Buffer vectors = bufferOf<float>(m_arena, static_cast<std::size_t>(config.tokens()) * hidden, MemoryClass::Message);
    float* out = vectors.floats();
    std::vector<std::int32_t> tokens(length);
    for (int b = 0; b < config.batch; ++b) {
        m_model.tokens->sequence(global * config.batch + b, tokens, {});
        for (const std::int32_t token : tokens)
            out = std::copy_n(table + static_cast<std::size_t>(token) * hidden, hidden, out);
    }
    return vectors;
}

} // namespace bubblescope::cpu
