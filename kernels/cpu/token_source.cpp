// Bytes as tokens.

#include "kernels/cpu/token_source.h"

#include "core/base/error.h"

#include <utility>

namespace bubblescope::cpu {

ByteText::ByteText(std::string bytes, std::string_view name) : m_bytes(std::move(bytes))
{
    if (m_bytes.size() < 2)
        throw Error("The {} to train on has {} bytes; at least 2 are needed to predict one from another.", name,
                    m_bytes.size());
}

void ByteText::sequence(std::int64_t number, std::span<std::int32_t> tokens, std::span<std::int32_t> next) const
{
    // Multiples of the golden ratio fall evenly into [0, 1); here as a fraction of 2³².
    const std::uint64_t fraction = (static_cast<std::uint64_t>(number) * 0x9e3779b97f4a7c15ULL) >> 32U;
    const std::uint64_t start = (fraction * (m_bytes.size() & 0xffffffffU)) >> 32U;
    const auto at = [&](std::size_t index) {
        return static_cast<std::int32_t>(static_cast<unsigned char>(m_bytes[(start + index) % m_bytes.size()]));
    };
    for (std::size_t i = 0; i < tokens.size(); ++i)
        tokens[i] = at(i);
    for (std::size_t i = 0; i < next.size(); ++i)
        next[i] = at(i + 1);
}

} // namespace bubblescope::cpu
