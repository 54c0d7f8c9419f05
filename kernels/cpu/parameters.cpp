// Names and initial values as GPT-2 has them: deviation 0.02, less for what adds to the residual.

#include "kernels/cpu/parameters.h"

#include "kernels/cpu/ops.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace bubblescope::cpu {
namespace {

std::uint64_t hashOf(const std::string& name) // FNV-1a
{
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : name) {
        hash ^= static_cast<unsigned char>(c);
        hash *= 0x100000001b3ULL;
    }
    return hash;
}

/// One step of splitmix64: the `index`-th number of the stream `seed`.
std::uint64_t random(std::uint64_t seed, std::uint64_t index)
{
    std::uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15ULL;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31U);
}

/// Nearly normal with deviation 1: four 16-bit numbers added. No function of libm, so that every
/// machine starts with the same bits.
double nearlyNormal(std::uint64_t bits)
{
    const std::uint64_t sum = (bits & 0xffffU) + ((bits >> 16U) & 0xffffU) + ((bits >> 32U) & 0xffffU) + (bits >> 48U);
    constexpr double mean = 2.0 * 0xffff;
    constexpr double deviation = 37837.22; // √(4 · (2³² − 1) / 12)
    return (static_cast<double>(sum) - mean) / deviation;
}

} // namespace

ParameterLayout::ParameterLayout(const TransformerConfig& config, const StageLayers& layers)
{
    const auto h = static_cast<std::size_t>(config.hidden);
    const auto vocabulary = static_cast<std::size_t>(config.vocabulary);
    if (layers.embedding) {
        if (!layers.sharedVocabulary)
            addMatrix("embedding.token", vocabulary * h, 0.02F);
        addMatrix("embedding.position", static_cast<std::size_t>(config.sequence) * h, 0.02F);
    }
    m_firstBlock = m_tensors.size();
    for (int block = 0; block < layers.blocks; ++block)
        addBlock(config, layers.firstBlock + block);
    m_head = m_tensors.size();
    if (layers.head) {
        add("final.norm.scale", h, 1);
        add("final.norm.shift", h);
        if (!layers.sharedVocabulary)
            addMatrix("head.weight", h * vocabulary, 0.02F);
    }
}

ParameterLayout::ParameterLayout(const TransformerConfig& config, const VocabularyShard& shard)
{
    const auto h = static_cast<std::size_t>(config.hidden);
    const auto vocabulary = static_cast<std::size_t>(config.vocabulary);
    const auto first = static_cast<std::size_t>(shard.first);
    const auto count = static_cast<std::size_t>(shard.count);
    addColumns("embedding.token", 1, count * h, first * h, vocabulary * h); // rows, seen as one long row
    addColumns("head.weight", h, count, first, vocabulary);
}

void ParameterLayout::addColumns(std::string name, std::size_t rows, std::size_t width, std::size_t first,
                                 std::size_t wholeWidth)
{
    addMatrix(std::move(name), rows * width, 0.02F);
    m_tensors.back().width = width;
    m_tensors.back().first = first;
    m_tensors.back().wholeWidth = wholeWidth;
}

void ParameterLayout::addBlock(const TransformerConfig& config, int block)
{
    const auto h = static_cast<std::size_t>(config.hidden);
    const auto mlp = static_cast<std::size_t>(config.mlp());
    const std::string prefix = fmt::format("block.{}.", block);
    const float deviation = 0.02F;
    const float residual = 0.02F / std::sqrt(2.0F * static_cast<float>(config.blocks));
    add(prefix + "norm1.scale", h, 1);
    add(prefix + "norm1.shift", h);
    addMatrix(prefix + "attention.qkv.weight", h * 3 * h, deviation);
    add(prefix + "attention.qkv.bias", 3 * h);
    addMatrix(prefix + "attention.projection.weight", h * h, residual);
    add(prefix + "attention.projection.bias", h);
    add(prefix + "norm2.scale", h, 1);
    add(prefix + "norm2.shift", h);
    addMatrix(prefix + "mlp.up.weight", h * mlp, deviation);
    add(prefix + "mlp.up.bias", mlp);
    addMatrix(prefix + "mlp.down.weight", mlp * h, residual);
    add(prefix + "mlp.down.bias", h);
}

void ParameterLayout::add(std::string name, std::size_t count, float mean)
{
    m_tensors.push_back({std::move(name), m_count, count, false, 0, mean});
    m_count += count;
}

void ParameterLayout::addMatrix(std::string name, std::size_t count, float deviation)
{
    m_tensors.push_back({std::move(name), m_count, count, true, deviation, 0});
    m_count += count;
}

template <class Real>
void initialise(const std::vector<ParameterTensor>& tensors, std::uint64_t seed, Real* values)
{
    for (const ParameterTensor& tensor : tensors) {
        const std::uint64_t stream = random(seed, hashOf(tensor.name));
        for (std::size_t i = 0; i < tensor.count; ++i) {
            const double value = tensor.mean + tensor.deviation * nearlyNormal(random(stream, tensor.whole(i)));
            values[tensor.offset + i] = static_cast<Real>(value);
        }
    }
}

std::vector<ParameterView> viewsOf(const ParameterLayout& layout, const float* weights, const float* gradients)
{
    std::vector<ParameterView> views;
    for (const ParameterTensor& tensor : layout.tensors())
        views.push_back({tensor.name, weights + tensor.offset, gradients + tensor.offset, tensor.count, tensor.width,
                         tensor.first, tensor.wholeWidth});
    return views;
}

template <class Real>
void updateSet(const TransformerConfig& config, const ParameterLayout& layout, UpdateTime time, Real* gradients,
               Real* values, Real* moments)
{
    AdamStep<Real> adam{Real(config.learningRate),
                        Real(config.beta1),
                        Real(config.beta2),
                        Real(1 - std::pow(static_cast<double>(config.beta1), time.step + 1)),
                        Real(1 - std::pow(static_cast<double>(config.beta2), time.step + 1)),
                        Real(config.epsilon),
                        Real(0)};
    // Spike compensation (Kosson et al.): what the gradient would have done during its delay is done at once.
    const double share = std::pow(static_cast<double>(config.momentum), time.delay);
    const MomentumStep<Real> momentum{Real(config.learningRate), Real(config.momentum), Real(share),
                                      time.delay == 0 ? Real(0)
                                                      : Real((1 - share) / (1 - static_cast<double>(config.momentum)))};
    for (const ParameterTensor& tensor : layout.tensors()) {
        const std::size_t at = tensor.offset;
        if (config.optimizer == Optimizer::Sgd) {
            sgd(tensor.count, adam.learningRate, gradients + at, values + at);
            continue;
        }
        if (config.optimizer == Optimizer::Momentum) {
            momentumSgd(tensor.count, momentum, gradients + at, values + at, moments + at);
            continue;
        }
        adam.decay = tensor.matrix ? Real(config.weightDecay) : Real(0);
        adamW(tensor.count, adam, gradients + at, values + at, moments + at, moments + layout.count() + at);
    }
    std::fill_n(gradients, layout.count(), Real(0));
}

template void updateSet<float>(const TransformerConfig&, const ParameterLayout&, UpdateTime, float*, float*, float*);
template void updateSet<double>(const TransformerConfig&, const ParameterLayout&, UpdateTime, double*, double*,
                                double*);

template void initialise<float>(const std::vector<ParameterTensor>&, std::uint64_t, float*);
template void initialise<double>(const std::vector<ParameterTensor>&, std::uint64_t, double*);

} // namespace bubblescope::cpu
