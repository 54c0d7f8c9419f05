// A small model, numbered data and ways to run a stage in one line.

#pragma once

#include "kernels/cpu/transformer.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace bubblescope::cpu {

/// Random-looking tokens below `vocabulary`, the same on every machine.
class CountedTokens final : public TokenSource {
public:
    explicit CountedTokens(int vocabulary) : m_vocabulary(vocabulary) {}

    int vocabulary() const override { return m_vocabulary; }

    void sequence(std::int64_t number, std::span<std::int32_t> tokens, std::span<std::int32_t> next) const override
    {
        for (std::size_t i = 0; i < tokens.size(); ++i)
            tokens[i] = at(number, i);
        for (std::size_t i = 0; i < next.size(); ++i)
            next[i] = at(number, i + 1);
    }

private:
    std::int32_t at(std::int64_t number, std::size_t index) const
    {
        std::uint64_t z =
            (static_cast<std::uint64_t>(number) + 1) * 0x9e3779b97f4a7c15ULL + index * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 29U)) * 0x94d049bb133111ebULL;
        return static_cast<std::int32_t>((z >> 33U) % static_cast<std::uint64_t>(m_vocabulary));
    }

    int m_vocabulary;
};

inline TransformerConfig smallConfig()
{
    TransformerConfig config;
    config.blocks = 4;
    config.hidden = 32;
    config.heads = 4;
    config.vocabulary = 48;
    config.sequence = 20;
    config.batch = 2;
    return config;
}

inline TransformerMaker makerOf(const TransformerConfig& config)
{
    return TransformerMaker(config, std::make_shared<CountedTokens>(config.vocabulary));
}

inline StageLayers wholeModel(const TransformerConfig& config)
{
    return {0, config.blocks, true, true};
}

inline DataKey keyOf(int microbatch, int pipe = 0)
{
    return {Microbatch(microbatch), Slice(0), Pipe(pipe)};
}

/// F, then (R,) I and W at once: what a full backward does.
inline void runWhole(StageModule& stage, const DataKey& key, bool recompute = false)
{
    stage.forward(key, {});
    if (recompute)
        stage.recompute(key);
    stage.inputGradient(key, {});
    stage.weightGradient(key);
}

/// One named tensor's numbers.
using NamedValues = std::pair<std::string, std::vector<float>>;

inline std::vector<NamedValues> gradientsOf(const StageModule& stage)
{
    std::vector<NamedValues> result;
    for (const ParameterView& view : stage.parameters())
        result.emplace_back(view.name, std::vector<float>(view.gradient, view.gradient + view.count));
    return result;
}

inline std::vector<NamedValues> valuesOf(const StageModule& stage)
{
    std::vector<NamedValues> result;
    for (const ParameterView& view : stage.parameters())
        result.emplace_back(view.name, std::vector<float>(view.value, view.value + view.count));
    return result;
}

/// A buffer of `count` floats with small numbers of both signs.
inline Buffer filled(Arena& arena, std::size_t count, float scale)
{
    Buffer buffer = arena.get(count * sizeof(float), MemoryClass::Message);
    for (std::size_t i = 0; i < count; ++i)
        buffer.floats()[i] = scale * (static_cast<float>(i * 7919 % 2003) / 1001 - 1);
    return buffer;
}

} // namespace bubblescope::cpu
