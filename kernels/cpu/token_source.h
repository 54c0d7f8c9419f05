// Where the tokens of a microbatch come from.

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace bubblescope::cpu {

/// Numbered training sequences. Equal numbers give equal tokens, on any thread and in any order.
class TokenSource {
public:
    virtual ~TokenSource() = default;

    /// Tokens lie in 0…vocabulary() − 1.
    virtual int vocabulary() const = 0;

    /// Fills the sequence's tokens, and at each place the token that follows it.
    virtual void sequence(std::int64_t number, std::span<std::int32_t> tokens, std::span<std::int32_t> next) const = 0;
};

/// The bytes of a text. Sequence n starts at the fraction n·φ of the text, so every step sees samples
/// from all of it; behind the last byte comes the first.
class ByteText final : public TokenSource {
public:
    /// Throws Error for a text of less than two bytes; `name` says in the sentence which text it was.
    explicit ByteText(std::string bytes, std::string_view name = "text");

    int vocabulary() const override { return 256; }

    void sequence(std::int64_t number, std::span<std::int32_t> tokens, std::span<std::int32_t> next) const override;

private:
    std::string m_bytes;
};

} // namespace bubblescope::cpu
