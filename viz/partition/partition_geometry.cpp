#include "viz/partition/partition_geometry.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bubblescope::viz {

StagePlacement placementOf(const std::vector<std::vector<int>>& homes)
{
    int devices = 1;
    bool several = false;
    for (const std::vector<int>& home : homes) {
        several = several || home.size() > 1;
        for (const int device : home)
            devices = std::max(devices, device + 1);
    }
    if (several)
        return StagePlacement::Bidirectional;
    const auto follows = [&](auto rule) {
        for (int stage = 0; stage < static_cast<int>(homes.size()); ++stage) {
            const std::vector<int>& home = homes[static_cast<std::size_t>(stage)];
            if (home.size() != 1 || home.front() != rule(stage))
                return false;
        }
        return true;
    };
    const auto stages = static_cast<int>(homes.size());
    if (follows([&](int stage) { return stage % devices; }))
        return stages <= devices ? StagePlacement::OneToOne : StagePlacement::Looped;
    const auto back = [&](int stage) {
        const int turn = stage / devices;
        return turn % 2 == 0 ? stage % devices : devices - 1 - stage % devices;
    };
    if (follows(back))
        return stages == 2 * devices ? StagePlacement::V : StagePlacement::Wave;
    return StagePlacement::Custom;
}

QString placementText(StagePlacement placement)
{
    const auto tr = [](const char* text) { return QCoreApplication::translate("Placement", text); };
    switch (placement) {
    case StagePlacement::OneToOne:
        return {};
    case StagePlacement::Looped:
        return tr("looped placement");
    case StagePlacement::V:
        return tr("V placement");
    case StagePlacement::Wave:
        return tr("wave placement");
    case StagePlacement::Bidirectional:
        return tr("bidirectional placement");
    case StagePlacement::Custom:
        return tr("placement of its own");
    }
    return {};
}

PartitionGeometry partitionGeometry(const std::vector<int>& partition, const std::vector<double>& layerCosts,
                                    double left, double width)
{
    PartitionGeometry geometry;
    const double total = std::accumulate(layerCosts.begin(), layerCosts.end(), 0.0);
    double reached = 0;
    geometry.edge.push_back(left);
    for (const double cost : layerCosts) {
        reached += cost;
        geometry.edge.push_back(left + (total > 0 ? reached / total * width : 0));
    }
    int layer = 0;
    for (std::size_t stage = 0; stage < partition.size(); ++stage) {
        if (stage > 0)
            geometry.boundary.push_back(layer);
        double cost = 0;
        for (int i = 0; i < partition[stage] && layer < static_cast<int>(layerCosts.size()); ++i, ++layer)
            cost += layerCosts[static_cast<std::size_t>(layer)];
        geometry.stageCost.push_back(cost);
    }
    return geometry;
}

int PartitionGeometry::boundaryAt(double x, double reach) const
{
    int nearest = -1;
    for (int index = 0; index < static_cast<int>(boundary.size()); ++index) {
        const double distance = std::abs(boundaryX(index) - x);
        if (distance <= reach) {
            reach = distance;
            nearest = index;
        }
    }
    return nearest;
}

std::vector<int> PartitionGeometry::withBoundary(int index, int layer) const
{
    const int layers = static_cast<int>(edge.size()) - 1;
    const auto at = static_cast<std::size_t>(index);
    std::vector<int> ends = boundary;
    const int lowest = (at == 0 ? 0 : ends[at - 1]) + 1;
    const int highest = (at + 1 < ends.size() ? ends[at + 1] : layers) - 1;
    // A stage that has no layer already (lowest above highest) stays as it is.
    if (lowest <= highest)
        ends[at] = std::clamp(layer, lowest, highest);
    std::vector<int> partition;
    int begin = 0;
    for (const int end : ends) {
        partition.push_back(end - begin);
        begin = end;
    }
    partition.push_back(layers - begin);
    return partition;
}

std::vector<int> PartitionGeometry::moved(int index, double x) const
{
    const auto nearest = std::min_element(edge.begin(), edge.end(),
                                          [x](double a, double b) { return std::abs(a - x) < std::abs(b - x); });
    return withBoundary(index, static_cast<int>(nearest - edge.begin()));
}

std::vector<int> PartitionGeometry::movedBy(int index, int layers) const
{
    return withBoundary(index, boundary[static_cast<std::size_t>(index)] + layers);
}

double PartitionGeometry::imbalance() const
{
    const double total = std::accumulate(stageCost.begin(), stageCost.end(), 0.0);
    return total > 0 ? stageCost[static_cast<std::size_t>(slowest())] * static_cast<double>(stageCost.size()) / total
                     : 1;
}

int PartitionGeometry::slowest() const
{
    return static_cast<int>(std::max_element(stageCost.begin(), stageCost.end()) - stageCost.begin());
}

} // namespace bubblescope::viz
