#include "kernels/cpu/graph.h"

#include "core/base/error.h"

#include <algorithm>

namespace bubblescope::cpu {
namespace {

constexpr int ofOwnClass = 5;
constexpr int ofAnyClass = Graph::neighbourhoodSize - 1 - ofOwnClass; // without the vertex itself

/// splitmix64 over a few numbers: the same on every machine.
std::uint64_t mix(std::uint64_t a, std::uint64_t b, std::uint64_t c)
{
    std::uint64_t z = a * 0x9e3779b97f4a7c15ULL + b * 0xd1342543de82ef95ULL + c + 1;
    z = (z ^ (z >> 30U)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27U)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31U);
}

} // namespace

void check(const GraphConfig& config)
{
    if (config.layers < 1 || config.hidden < 1 || config.chunkVertices < 1)
        throw Error("A graph network of {} layers of width {} on chunks of {} vertices can't be; each is at least 1.",
                    config.layers, config.hidden, config.chunkVertices);
    if (config.classes < 2 || config.classes > config.hidden)
        throw Error("{} classes don't fit features of {} numbers; 2 to {} do.", config.classes, config.hidden,
                    config.hidden);
}

Graph::Graph(const GraphConfig& config, int chunks) : m_config(config)
{
    const int all = chunks * config.chunkVertices;
    m_begin.push_back(0);
    for (int vertex = 0; vertex < all; ++vertex) {
        m_neighbours.push_back(vertex);
        const int rounds = (all - classOf(vertex) + config.classes - 1) / config.classes; // vertices of its class
        for (int i = 0; i < ofOwnClass + ofAnyClass; ++i) {
            const std::uint64_t random = mix(config.seed, static_cast<std::uint64_t>(vertex), std::uint64_t(i));
            m_neighbours.push_back(static_cast<std::int32_t>(
                i < ofOwnClass
                    ? std::uint64_t(classOf(vertex)) + random % std::uint64_t(rounds) * std::uint64_t(config.classes)
                    : random % std::uint64_t(all)));
        }
        m_begin.push_back(static_cast<std::uint32_t>(m_neighbours.size()));
    }
}

template <class Real>
void Graph::features(int chunk, Real* out) const
{
    for (int row = 0; row < m_config.chunkVertices; ++row) {
        const int vertex = chunk * m_config.chunkVertices + row;
        for (int column = 0; column < m_config.hidden; ++column) {
            const std::uint64_t bits = mix(m_config.seed + 1, std::uint64_t(vertex), std::uint64_t(column));
            const double noise = 4 * (static_cast<double>(bits >> 11U) * 0x1p-53 - 0.5); // from −2 to 2
            *out++ = static_cast<Real>((column == classOf(vertex) ? 1 : 0) + noise);
        }
    }
}

template <class Real>
void aggregate(const GraphPart& part, const Real* embeddings, Real* aggregated)
{
    const auto width = static_cast<std::size_t>(part.hidden);
    for (int row = 0; row < part.count; ++row) {
        Real* out = aggregated + static_cast<std::size_t>(row) * width;
        std::fill_n(out, width, Real(0));
        const std::span<const std::int32_t> from = part.graph->neighbourhood(part.first + row);
        for (const std::int32_t vertex : from) {
            const Real* in = embeddings + static_cast<std::size_t>(vertex) * width;
            for (std::size_t i = 0; i < width; ++i)
                out[i] += in[i];
        }
        for (std::size_t i = 0; i < width; ++i)
            out[i] /= Real(from.size());
    }
}

template <class Real>
void aggregateBackward(const GraphPart& part, const Real* aggregatedGradient, Real* gradient)
{
    const auto width = static_cast<std::size_t>(part.hidden);
    std::fill_n(gradient, static_cast<std::size_t>(part.count) * width, Real(0));
    for (int row = 0; row < part.count; ++row) {
        const Real* in = aggregatedGradient + static_cast<std::size_t>(row) * width;
        const std::span<const std::int32_t> from = part.graph->neighbourhood(part.first + row);
        for (const std::int32_t vertex : from) {
            if (vertex < part.first || vertex >= part.first + part.count)
                continue;
            Real* out = gradient + static_cast<std::size_t>(vertex - part.first) * width;
            for (std::size_t i = 0; i < width; ++i)
                out[i] += in[i] / Real(from.size());
        }
    }
}

template void Graph::features<float>(int, float*) const;
template void Graph::features<double>(int, double*) const;
template void aggregate<float>(const GraphPart&, const float*, float*);
template void aggregate<double>(const GraphPart&, const double*, double*);
template void aggregateBackward<float>(const GraphPart&, const float*, float*);
template void aggregateBackward<double>(const GraphPart&, const double*, double*);

} // namespace bubblescope::cpu
