// Where layers and boundaries of a partition are: a layer is as wide as it costs.

#pragma once

#include <QString>

#include <vector>

namespace bubblescope::viz {

struct PartitionGeometry {
    std::vector<double> edge;  ///< left edge of each layer, and the right end: layers + 1 values
    std::vector<int> boundary; ///< first layer of stages 1…S−1
    std::vector<double> stageCost;

    double boundaryX(int index) const
    {
        return edge[static_cast<std::size_t>(boundary[static_cast<std::size_t>(index)])];
    }

    int stages() const { return static_cast<int>(stageCost.size()); }

    /// The boundary within `reach` of x; −1 when there is none. Of two, the nearer one.
    int boundaryAt(double x, double reach) const;

    /// The partition when a boundary is moved to the layer edge nearest to x. A stage keeps a layer at least.
    std::vector<int> moved(int index, double x) const;

    /// The same by whole layers, for the keyboard.
    std::vector<int> movedBy(int index, int layers) const;

    /// Cost of the slowest stage ÷ mean.
    double imbalance() const;
    int slowest() const;

private:
    std::vector<int> withBoundary(int index, int layer) const;
};

/// How stages lie on devices; `homes` lists the devices of each stage, several for several pipes or replicas.
enum class StagePlacement { OneToOne, Looped, V, Wave, Bidirectional, Custom };

StagePlacement placementOf(const std::vector<std::vector<int>>& homes);

/// "V shape: stages go down the devices and come back"; empty for one stage a device in order.
QString placementText(StagePlacement placement);

PartitionGeometry partitionGeometry(const std::vector<int>& partition, const std::vector<double>& layerCosts,
                                    double left, double width);

} // namespace bubblescope::viz
