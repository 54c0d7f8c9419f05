// A synthetic graph whose vertices belong to classes, cut into chunks, and the layer that works on it.
//
//     aggregated[v] = mean of the embeddings of v and its neighbours     z = aggregated · W + b     out = GELU(z)
//
// Most neighbours of a vertex are of its class and its features say the class through noise, so that
// averaging over neighbours helps: a network that learns to do it lowers the loss.

#pragma once

#include "kernels/cpu/config.h"

#include <cstdint>
#include <span>
#include <vector>

namespace bubblescope::cpu {

/// Sizes of the network and of a chunk.
struct GraphConfig {
    int layers = 4;
    int hidden = 32;
    int classes = 8;
    int chunkVertices = 64;
    std::uint64_t seed = 1; ///< of the graph and of the initial weights
    Optimizer optimizer = Optimizer::AdamW;
    float learningRate = 1e-3F;
};

/// Throws Error with a sentence for the first value that cannot be.
void check(const GraphConfig& config);

class Graph {
public:
    static constexpr int neighbourhoodSize = 8;

    Graph(const GraphConfig& config, int chunks);

    int vertices() const { return static_cast<int>(m_begin.size()) - 1; }

    /// A vertex itself and its neighbours, in any chunk; one may come twice.
    std::span<const std::int32_t> neighbourhood(int vertex) const
    {
        const auto at = static_cast<std::size_t>(vertex);
        return {m_neighbours.data() + m_begin[at], m_neighbours.data() + m_begin[at + 1]};
    }

    std::int32_t classOf(int vertex) const { return vertex % m_config.classes; }

    /// Features of a chunk's vertices, hidden() numbers each.
    template <class Real>
    void features(int chunk, Real* out) const;

private:
    GraphConfig m_config;
    std::vector<std::uint32_t> m_begin; ///< by vertex, and the end
    std::vector<std::int32_t> m_neighbours;
};

/// The vertices [first, first + count) of a graph.
struct GraphPart {
    const Graph* graph;
    int first;
    int count;
    int hidden;
};

/// aggregated = means over neighbourhoods, from the embeddings of all vertices.
template <class Real>
void aggregate(const GraphPart& part, const Real* embeddings, Real* aggregated);

/// The gradient of the part's own embeddings; those of other parts are constants.
template <class Real>
void aggregateBackward(const GraphPart& part, const Real* aggregatedGradient, Real* gradient);

} // namespace bubblescope::cpu
