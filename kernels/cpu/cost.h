// What a stage of the executed transformer needs: FLOPs, parameters and bytes.
//
// These are the numbers that the cost model predicts with; the tests hold them against the arena's
// counters to the byte. All are of one microbatch and of the float model.

#pragma once

#include "core/execute/stage_module.h"
#include "kernels/cpu/config.h"
#include "kernels/cpu/graph.h"

#include <cstdint>

namespace bubblescope::cpu {

std::int64_t parameterCount(const TransformerConfig& config, const StageLayers& layers);

/// Bytes that live as long as the stage: weights, gradient accumulators, optimizer state.
struct PermanentBytes {
    std::int64_t weights;
    std::int64_t weightGradients;
    std::int64_t optimizer;
};

PermanentBytes permanentBytes(const TransformerConfig& config, const StageLayers& layers);

/// The activations between two stages, and as much for their gradient.
std::int64_t boundaryBytes(const TransformerConfig& config);

/// Bytes kept after each operation of a microbatch. After W nothing is left. Without recompute there
/// is no boundary class: the input counts as an activation.
struct KeptBytes {
    std::int64_t boundaryAfterForward;         ///< recompute only; R turns it into activations
    std::int64_t activationAfterForward;       ///< 0 with recompute
    std::int64_t activationAfterRecompute;     ///< recompute only, else as after F
    std::int64_t activationAfterInputGradient; ///< may exceed what F kept: the received gradient stays until W
};

KeptBytes keptBytes(const TransformerConfig& config, const StageLayers& layers);

/// Scratch memory during F (and R) and during I; W needs none.
struct WorkspaceBytes {
    std::int64_t forward;
    std::int64_t inputGradient;
};

WorkspaceBytes workspaceBytes(const TransformerConfig& config, const StageLayers& layers);

/// Floating point operations in matrix products, a multiplication and an addition counted as two.
/// Attention counts full products, as it computes them: causality saves nothing here.
struct StageFlops {
    std::int64_t forward; ///< also R
    std::int64_t inputGradient;
    std::int64_t weightGradient;
};

StageFlops stageFlops(const TransformerConfig& config, const StageLayers& layers);

/// The same for passes S and T of the largest of `shards` shards of the vocabulary.
struct ShardFlops {
    std::int64_t score;
    std::int64_t gradient;
};

ShardFlops shardFlops(const TransformerConfig& config, int shards, bool oneBarrier);

/// The same of a graph network's stage; aggregation counts an addition per number of each neighbour.
StageFlops stageFlops(const GraphConfig& config, const StageLayers& layers);

} // namespace bubblescope::cpu
