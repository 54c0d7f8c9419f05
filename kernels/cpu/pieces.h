// Which tokens a key stands for: a whole microbatch, a slice of every sequence of it, or sequences that
// share a microbatch.
//
//     microbatch 3    ├── slice 0 ──┼─ slice 1 ─┼── slice 2 ──┤      Slicing cuts at the same places in all sequences

#pragma once

#include "core/execute/stage_module.h"
#include "kernels/cpu/config.h"
#include "kernels/cpu/token_source.h"

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace bubblescope::cpu {

/// What all stages of one model share.
struct TransformerModel {
    TransformerConfig config;
    std::shared_ptr<const TokenSource> tokens;
};

/// The tokens of a key, in each sequence of its microbatch.
struct Piece {
    int first = 0;
    int length = 0;
    int slice = 0;
    int slices = 1;
    std::span<const int> packed; ///< lengths of the sequences that share it, if they do

    bool last() const { return slice + 1 == slices; }
};

class Pieces {
public:
    /// Throws Error for slices without a token, and for sequences that have more positions than the model.
    Pieces(const TransformerConfig& config, const StepData& data);

    /// Throws Error for a slice that the microbatch doesn't have.
    Piece of(const DataKey& key) const;

    /// That the loss of a step is the mean of.
    std::int64_t stepTokens() const { return m_stepTokens; }

private:
    int m_sequence;
    Slicing m_slicing;
    std::vector<std::vector<int>> m_bounds; ///< by cut of the slicing: first token of every slice, and the end
    std::int64_t m_stepTokens = 0;
};

/// "microbatch 3 slice 1 of pipe 1".
std::string nameOf(const DataKey& key);

enum class Draw { Tokens, Following };

/// The tokens of a piece, or those that follow them; batch × length. Sequences of a microbatch follow each other in the
/// numbering of the token source; what shares a microbatch is one of them.
std::vector<std::int32_t> drawTokens(const TransformerModel& model, const StepData& data, const DataKey& key,
                                     const Piece& piece, Draw what);

} // namespace bubblescope::cpu
