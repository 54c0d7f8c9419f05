#include "core/analyze/pareto.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace bubblescope {

std::vector<std::size_t> paretoFront(const std::vector<Tradeoff>& choices)
{
    std::vector<std::size_t> order(choices.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::tie(choices[a].first, choices[a].second) < std::tie(choices[b].first, choices[b].second);
    });
    std::vector<std::size_t> front;
    for (const std::size_t at : order)
        if (front.empty() || choices[at].second < choices[front.back()].second)
            front.push_back(at);
    return front;
}

} // namespace bubblescope
