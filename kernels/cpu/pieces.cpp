#include "kernels/cpu/pieces.h"

#include "core/base/error.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <functional>

namespace bubblescope::cpu {

std::string nameOf(const DataKey& key)
{
    std::string name = fmt::format("microbatch {}", key.microbatch.value);
    if (key.slice != 0)
        name += fmt::format(" slice {}", key.slice.value);
    if (key.pipe != 0)
        name += fmt::format(" of pipe {}", key.pipe.value);
    return name;
}

Pieces::Pieces(const TransformerConfig& config, const StepData& data)
    : m_sequence(config.sequence)
    , m_slicing(data.slicing)
    , m_stepTokens(std::int64_t{data.microbatches} * config.tokens())
{
    std::int64_t tokens = 0;
    for (const SliceCut& cut : m_slicing.cuts) {
        m_bounds.push_back(sliceBounds(m_slicing, cut, m_sequence));
        const std::vector<int>& bounds = m_bounds.back();
        if (std::adjacent_find(bounds.begin(), bounds.end(), std::greater_equal<>()) != bounds.end())
            throw Error("Sequences of {} tokens can't be cut into {} slices of the lengths {}.", m_sequence,
                        cut.lengths.size(), fmt::join(cut.lengths, "+"));
        const int most =
            cut.sequences.empty() ? bounds.back() : *std::max_element(cut.sequences.begin(), cut.sequences.end());
        if (most > m_sequence)
            throw Error("A sequence of {} tokens doesn't fit a model of {} positions.", most, m_sequence);
        tokens += std::int64_t{config.batch} * bounds.back();
    }
    if (m_slicing.tokens)
        m_stepTokens = tokens;
}

Piece Pieces::of(const DataKey& key) const
{
    if (m_bounds.empty()) {
        if (key.slice != 0)
            throw Error("There is no {}: microbatches aren't cut.", nameOf(key));
        return {.length = m_sequence, .packed = {}};
    }
    const std::size_t cut = static_cast<std::size_t>(key.microbatch) % m_bounds.size();
    const std::vector<int>& bounds = m_bounds[cut];
    if (key.slice + 1U >= bounds.size())
        throw Error("There is no {}: the microbatch has {} slices.", nameOf(key), bounds.size() - 1);
    return {.first = bounds[key.slice],
            .length = bounds[key.slice + 1U] - bounds[key.slice],
            .slice = key.slice,
            .slices = static_cast<int>(bounds.size()) - 1,
            .packed = m_slicing.cuts[cut].sequences};
}

std::vector<std::int32_t> drawTokens(const TransformerModel& model, const StepData& data, const DataKey& key,
                                     const Piece& piece, Draw what)
{
    const int batch = model.config.batch;
    const auto length = static_cast<std::size_t>(piece.length);
    const std::int64_t global = static_cast<std::int64_t>(key.microbatch) * data.pipes + key.pipe;
    std::vector<std::int32_t> sequence(static_cast<std::size_t>(piece.first) + length);
    std::vector<std::int32_t> drawn;
    drawn.reserve(static_cast<std::size_t>(batch) * length);
    const std::span<std::int32_t> nothing;
    for (int b = 0; b < batch; ++b) {
        model.tokens->sequence(global * batch + b, what == Draw::Tokens ? std::span(sequence) : nothing,
                               what == Draw::Following ? std::span(sequence) : nothing);
        drawn.insert(drawn.end(), sequence.begin() + piece.first, sequence.end());
    }
    return drawn;
}

} // namespace bubblescope::cpu
