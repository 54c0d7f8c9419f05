// Counted from the same shapes that the kernels allocate by.

#include "kernels/cpu/cost.h"

#include "kernels/cpu/block.h"
#include "kernels/cpu/head.h"

#include <algorithm>

namespace bubblescope::cpu {
namespace {

std::int64_t bytes(std::size_t elements)
{
    return static_cast<std::int64_t>(elements * sizeof(float));
}

HeadShape headShape(const TransformerConfig& config)
{
    return {config.tokens(), config.hidden, config.vocabulary};
}

std::int64_t tokenBytes(const TransformerConfig& config)
{
    return static_cast<std::int64_t>(config.tokens()) * static_cast<std::int64_t>(sizeof(std::int32_t));
}

} // namespace

std::int64_t parameterCount(const TransformerConfig& config, const StageLayers& layers)
{
    return static_cast<std::int64_t>(ParameterLayout(config, layers).count());
}

PermanentBytes permanentBytes(const TransformerConfig& config, const StageLayers& layers)
{
    const std::int64_t set = parameterCount(config, layers) * static_cast<std::int64_t>(sizeof(float));
    return {set, set, optimizerStates(config.optimizer) * set};
}

std::int64_t boundaryBytes(const TransformerConfig& config)
{
    return bytes(BlockShape(config).boundary());
}

KeptBytes keptBytes(const TransformerConfig& config, const StageLayers& layers)
{
    const BlockShape block(config);
    const std::int64_t boundary = boundaryBytes(config);
    std::int64_t forward = layers.blocks * (boundary + bytes(block.kept() + block.statistics()));
    std::int64_t input = layers.blocks * (boundary + bytes(block.kept() + block.normGradients()));
    const bool shared = layers.sharedVocabulary;
    if (layers.embedding) {
        forward += shared ? 0 : tokenBytes(config);
        input += (shared ? 0 : tokenBytes(config)) + boundary; // dx, from which W fills the tables
    }
    if (layers.head) {
        const HeadShape head = headShape(config);
        forward += boundary + bytes((shared ? 0 : head.kept()) + head.statistics());
        input += bytes((shared ? 0 : head.kept()) + head.normGradients());
    }
    if (!config.recompute)
        return {0, forward, forward, input};
    const bool hasInput = layers.blocks > 0 || layers.head;
    const std::int64_t given = layers.embedding && !shared ? tokenBytes(config) : hasInput ? boundary : 0;
    return {given, 0, forward, input};
}

WorkspaceBytes workspaceBytes(const TransformerConfig& config, const StageLayers& layers)
{
    const BlockShape block(config);
    WorkspaceBytes result{0, 0};
    if (layers.blocks > 0)
        result = {bytes(block.forwardWorkspace()), bytes(block.backwardWorkspace())};
    if (layers.head && !layers.sharedVocabulary)
        result.inputGradient = std::max(result.inputGradient, bytes(headShape(config).backwardWorkspace()));
    return result;
}

StageFlops stageFlops(const TransformerConfig& config, const StageLayers& layers)
{
    const std::int64_t h = config.hidden;
    const std::int64_t tokens = config.tokens();
    const std::int64_t products = (8 + 4 * static_cast<std::int64_t>(config.mlpRatio)) * h * h; // 24h² at ratio 4
    const std::int64_t attention = 2 * static_cast<std::int64_t>(config.sequence) * h; // one product over all heads
    const std::int64_t head = layers.head && !layers.sharedVocabulary ? 2 * h * config.vocabulary : 0;
    return {tokens * (layers.blocks * (products + 2 * attention) + head),
            tokens * (layers.blocks * (products + 5 * attention) + head), tokens * (layers.blocks * products + head)};
}

ShardFlops shardFlops(const TransformerConfig& config, int shards, bool oneBarrier)
{
    const std::int64_t product =
        std::int64_t{2} * config.tokens() * config.hidden * vocabularyShard(config.vocabulary, shards, 0).count;
    return {oneBarrier ? 2 * product : product, oneBarrier ? product : 2 * product};
}

StageFlops stageFlops(const GraphConfig& config, const StageLayers& layers)
{
    const std::int64_t vertices = config.chunkVertices;
    const std::int64_t product = 2 * vertices * config.hidden * config.hidden;
    const std::int64_t aggregation = Graph::neighbourhoodSize * vertices * config.hidden;
    const std::int64_t head = layers.head ? 2 * vertices * config.hidden * config.classes : 0;
    const std::int64_t blocks = layers.blocks;
    const std::int64_t backwards = blocks - (layers.embedding ? 1 : 0); // features have no gradient
    return {blocks * (product + aggregation) + head, backwards * (product + aggregation) + head,
            blocks * product + head};
}

} // namespace bubblescope::cpu
