#include "kernels/cpu/graph_stage.h"

#include "core/base/error.h"
#include "kernels/cpu/linear.h"
#include "kernels/cpu/storage.h"

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <utility>

namespace bubblescope::cpu {

template <class Real>
GraphStage<Real>::GraphStage(const GraphConfig& config, const StageLayers& layers, const StepData& data, Arena& arena)
    : m_config(config)
    , m_layers(layers)
    , m_chunks(data.microbatches)
    , m_graph(config, data.microbatches)
    , m_arena(arena)
{
    const auto width = static_cast<std::size_t>(config.hidden);
    const auto add = [&](const std::string& name, std::size_t outputs) {
        const float deviation = std::sqrt(2.0F / static_cast<float>(config.hidden));
        m_tensors.push_back({name + ".weight", m_count, width * outputs, true, deviation, 0});
        m_count += width * outputs;
        m_tensors.push_back({name + ".bias", m_count, outputs, false, 0, 0});
        m_count += outputs;
    };
    for (int layer = 0; layer < layers.blocks; ++layer)
        add(fmt::format("layer.{}", layers.firstBlock + layer), width);
    if (layers.head)
        add("head", static_cast<std::size_t>(config.classes));
    const auto zeros = [&](std::size_t count, MemoryClass memoryClass) {
        Buffer buffer = bufferOf<Real>(arena, count, memoryClass);
        std::fill_n(elements<Real>(buffer), count, Real(0));
        return buffer;
    };
    for (int layer = 0; layer < layers.blocks; ++layer)
        m_embeddings.push_back(zeros(static_cast<std::size_t>(m_graph.vertices()) * width, MemoryClass::Workspace));
    if (layers.borrowed)
        return;
    m_weights = bufferOf<Real>(arena, m_count, MemoryClass::Weight);
    initialise(m_tensors, config.seed, elements<Real>(m_weights));
    m_gradients = zeros(m_count, MemoryClass::WeightGradient);
    if (config.optimizer == Optimizer::AdamW)
        m_moments = zeros(2 * m_count, MemoryClass::Optimizer);
}

template <class Real>
Buffer GraphStage<Real>::forward(const DataKey& key, Buffer input)
{
    const GraphPart part = partOf(key);
    Stash* const added = m_stashes.add(key);
    if (added == nullptr)
        throw Failure(fmt::format("The forward of chunk {} was asked for twice.", key.microbatch.value));
    Stash& stash = *added;
    Buffer flow = accept(std::move(input), !m_layers.embedding, "embeddings");
    const auto width = static_cast<std::size_t>(m_config.hidden);
    const std::size_t numbers = static_cast<std::size_t>(part.count) * width;
    if (m_layers.embedding) {
        flow = tensor(width, MemoryClass::Activation);
        m_graph.features(part.first / part.count, elements<Real>(flow));
    }
    for (std::size_t i = 0; i < m_embeddings.size(); ++i) {
        LayerStash& layer = stash.layers.emplace_back();
        Real* all = elements<Real>(m_embeddings[i]);
        std::copy_n(elements<Real>(flow), numbers, all + static_cast<std::size_t>(part.first) * width);
        layer.aggregated = tensor(width, MemoryClass::Activation);
        aggregate(part, static_cast<const Real*>(all), elements<Real>(layer.aggregated));
        layer.sum = tensor(width, MemoryClass::Activation);
        spreadBias<Real>({part.count, m_config.hidden}, values(m_weights, 2 * i + 1), elements<Real>(layer.sum));
        linearForward<Real>({part.count, m_config.hidden, m_config.hidden}, elements<Real>(layer.aggregated),
                            values(m_weights, 2 * i), elements<Real>(layer.sum));
        geluForward<Real>(numbers, elements<Real>(layer.sum), elements<Real>(flow));
    }
    if (!m_layers.head) {
        flow.rebind(m_arena, MemoryClass::Message);
        return flow;
    }
    stash.headInput = std::move(flow);
    m_loss += runHead(part, stash) / m_chunks;
    return {};
}

template <class Real>
double GraphStage<Real>::runHead(const GraphPart& part, Stash& stash)
{
    stash.logits = tensor(static_cast<std::size_t>(m_config.classes), MemoryClass::Activation);
    Real* logits = elements<Real>(stash.logits);
    const std::size_t head = m_tensors.size() - 2;
    std::vector<std::int32_t> targets;
    for (int vertex = part.first; vertex < part.first + part.count; ++vertex)
        targets.push_back(m_graph.classOf(vertex));
    spreadBias<Real>({part.count, m_config.classes}, values(m_weights, head + 1), logits);
    linearForward<Real>({part.count, m_config.hidden, m_config.classes}, elements<Real>(stash.headInput),
                        values(m_weights, head), logits);
    return crossEntropy<Real>({part.count, m_config.classes}, targets.data(),
                              Real(1) / (Real(m_chunks) * Real(part.count)), logits);
}

template <class Real>
Buffer GraphStage<Real>::inputGradient(const DataKey& key, Buffer outputGradient)
{
    Stash& stash = find(key, false, "backward");
    const GraphPart part = partOf(key);
    const auto width = static_cast<std::size_t>(m_config.hidden);
    const std::size_t numbers = static_cast<std::size_t>(part.count) * width;
    Buffer flow = accept(std::move(outputGradient), !m_layers.head, "gradients");
    if (m_layers.head) {
        flow = tensor(width, MemoryClass::Activation);
        linearInputGradient<Real>({part.count, m_config.hidden, m_config.classes}, elements<Real>(stash.logits),
                                  values(m_weights, m_tensors.size() - 2), elements<Real>(flow));
    }
    Buffer aggregatedGradient = tensor(width, MemoryClass::Workspace);
    for (std::size_t i = stash.layers.size(); i-- > 0;) {
        Real* sum = elements<Real>(stash.layers[i].sum);
        geluBackward<Real>(numbers, elements<Real>(flow), sum);
        if (m_layers.embedding && i == 0)
            break; // features have no gradient
        linearInputGradient<Real>({part.count, m_config.hidden, m_config.hidden}, sum, values(m_weights, 2 * i),
                                  elements<Real>(aggregatedGradient));
        aggregateBackward(part, static_cast<const Real*>(elements<Real>(aggregatedGradient)), elements<Real>(flow));
    }
    stash.inputDone = true;
    if (m_layers.embedding)
        return {};
    flow.rebind(m_arena, MemoryClass::Message);
    return flow;
}

template <class Real>
void GraphStage<Real>::weightGradient(const DataKey& key)
{
    Stash& stash = find(key, true, "weight gradient");
    const int rows = m_config.chunkVertices;
    if (m_layers.head)
        linearWeightGradient<Real>({rows, m_config.hidden, m_config.classes}, elements<Real>(stash.headInput),
                                   elements<Real>(stash.logits), values(m_gradients, m_tensors.size() - 2),
                                   values(m_gradients, m_tensors.size() - 1));
    for (std::size_t i = stash.layers.size(); i-- > 0;)
        linearWeightGradient<Real>({rows, m_config.hidden, m_config.hidden}, elements<Real>(stash.layers[i].aggregated),
                                   elements<Real>(stash.layers[i].sum), values(m_gradients, 2 * i),
                                   values(m_gradients, 2 * i + 1));
    m_stashes.erase(key);
}

template <class Real>
void GraphStage<Real>::recompute(const DataKey& key)
{
    throw Failure(fmt::format("Chunk {} can't be recomputed: other chunks have changed its neighbours since.",
                              key.microbatch.value));
}

template <class Real>
void GraphStage<Real>::update(int step)
{
    constexpr double beta1 = 0.9;
    constexpr double beta2 = 0.95;
    Real* weights = elements<Real>(m_weights);
    Real* gradients = elements<Real>(m_gradients);
    if (m_config.optimizer == Optimizer::Sgd) {
        sgd<Real>(m_count, Real(m_config.learningRate), gradients, weights);
    } else {
        const AdamStep<Real> adam{
            Real(m_config.learningRate),         Real(beta1), Real(beta2), Real(1 - std::pow(beta1, step + 1)),
            Real(1 - std::pow(beta2, step + 1)), Real(1e-8),  Real(0)};
        Real* moments = elements<Real>(m_moments);
        adamW(m_count, adam, gradients, weights, moments, moments + m_count);
    }
    std::fill_n(gradients, m_count, Real(0));
}

template <class Real>
double GraphStage<Real>::takeLoss()
{
    return std::exchange(m_loss, 0.0);
}

template <class Real>
std::vector<ParameterView> GraphStage<Real>::parameters() const
{
    std::vector<ParameterView> views;
    if constexpr (std::is_same_v<Real, float>) {
        for (const ParameterTensor& tensor : m_tensors)
            views.push_back(
                {tensor.name, m_weights.floats() + tensor.offset, m_gradients.floats() + tensor.offset, tensor.count});
    }
    return views;
}

template <class Real>
std::vector<Buffer*> GraphStage<Real>::Stash::buffers()
{
    std::vector<Buffer*> all{&headInput, &logits};
    for (LayerStash& layer : layers)
        all.insert(all.end(), {&layer.aggregated, &layer.sum});
    return all;
}

template <class Real>
std::unique_ptr<KeptState> GraphStage<Real>::detach(const DataKey& key)
{
    std::optional<Stash> stash = m_stashes.take(key);
    if (!stash)
        throw Failure(fmt::format("Nothing is kept of chunk {}.", key.microbatch.value));
    return std::make_unique<Stash>(std::move(*stash));
}

template <class Real>
void GraphStage<Real>::attach(const DataKey& key, std::unique_ptr<KeptState> state)
{
    m_stashes.add(key, std::move(dynamic_cast<Stash&>(*state)));
}

template <class Real>
std::vector<DataKey> GraphStage<Real>::pending() const
{
    return m_stashes.keys();
}

template <class Real>
typename GraphStage<Real>::Stash& GraphStage<Real>::find(const DataKey& key, bool inputDone, const char* operation)
{
    Stash* const stash = m_stashes.find(key);
    if (stash == nullptr || stash->inputDone != inputDone)
        throw Failure(fmt::format("The {} of chunk {} was asked for out of turn.", operation, key.microbatch.value));
    return *stash;
}

/// Takes a received buffer into this stage's account, or refuses what does not fit.
template <class Real>
Buffer GraphStage<Real>::accept(Buffer buffer, bool wanted, const char* what)
{
    const std::size_t expected = wanted ? static_cast<std::size_t>(m_config.chunkVertices) *
                                              static_cast<std::size_t>(m_config.hidden) * sizeof(Real)
                                        : 0;
    if (buffer.size() != expected)
        throw Failure(fmt::format("A stage received {} bytes of {}; it expected {}.", buffer.size(), what, expected));
    buffer.rebind(m_arena, MemoryClass::Activation);
    return buffer;
}

template <class Real>
Buffer GraphStage<Real>::tensor(std::size_t columns, MemoryClass memoryClass)
{
    return bufferOf<Real>(m_arena, static_cast<std::size_t>(m_config.chunkVertices) * columns, memoryClass);
}

template <class Real>
GraphPart GraphStage<Real>::partOf(const DataKey& key) const
{
    return {&m_graph, key.microbatch % m_chunks * m_config.chunkVertices, m_config.chunkVertices, m_config.hidden};
}

template <class Real>
Real* GraphStage<Real>::values(Buffer& set, std::size_t tensor)
{
    return elements<Real>(set) + m_tensors[tensor].offset;
}

template class GraphStage<float>;
template class GraphStage<double>;

GraphMaker::GraphMaker(const GraphConfig& config) : m_config(config)
{
    check(config);
    checkBlas();
}

std::unique_ptr<StageModule> GraphMaker::make(const StageLayers& layers, const StepData& data, Arena& arena) const
{
    return std::make_unique<GraphStage<float>>(m_config, layers, data, arena);
}

void GraphMaker::enterThread() const
{
    enterBlasThread();
}

} // namespace bubblescope::cpu
