#include "core/schedule/placement.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace bubblescope {

std::string PlacementClass::text() const
{
    static constexpr const char* names[] = {"looped", "V", "custom", "invalid"};
    const std::string name = names[static_cast<std::size_t>(kind)];
    return problem.empty() ? name : name + ": " + problem;
}

namespace {

/// Stages that have no rank or several; empty when the placement is one.
std::string problemOf(const std::vector<std::vector<int>>& ranksOf)
{
    constexpr std::size_t most = 10;
    std::vector<std::string> parts;
    std::size_t wrong = 0;
    for (std::size_t stage = 0; stage < ranksOf.size(); ++stage) {
        const std::size_t count = ranksOf[stage].size();
        if (count == 1 || ++wrong > most)
            continue;
        if (count == 0)
            parts.push_back(fmt::format("stage {} missing", stage));
        else
            parts.push_back(fmt::format("stage {} {}", stage, count == 2 ? "twice" : fmt::format("{} times", count)));
    }
    if (wrong > most)
        parts.push_back(fmt::format("and {} more stages", wrong - most));
    return fmt::format("{}", fmt::join(parts, ", "));
}

} // namespace

PlacementClass classifyPlacement(const std::vector<std::vector<int>>& stages)
{
    std::size_t count = 0;
    int last = -1;
    for (const std::vector<int>& own : stages) {
        count += own.size();
        for (const int stage : own)
            last = std::max(last, stage);
    }
    PlacementClass result;
    result.stages = std::max(static_cast<int>(count), last + 1);
    std::vector<std::vector<int>> ranksOf(static_cast<std::size_t>(result.stages));
    for (std::size_t rank = 0; rank < stages.size(); ++rank)
        for (const int stage : stages[rank])
            ranksOf[static_cast<std::size_t>(stage)].push_back(static_cast<int>(rank));
    result.problem = problemOf(ranksOf);
    if (!result.problem.empty()) {
        result.kind = PlacementClass::Kind::Invalid;
        return result;
    }
    const int p = static_cast<int>(stages.size());
    bool looped = true;
    bool vShape = result.stages == 2 * p;
    for (int stage = 0; stage < result.stages; ++stage) {
        const int rank = ranksOf[static_cast<std::size_t>(stage)][0];
        looped = looped && rank == stage % p;
        vShape = vShape && rank == std::min(stage, 2 * p - 1 - stage);
        if (stage > 0 && ranksOf[static_cast<std::size_t>(stage - 1)][0] == rank)
            ++result.sameRankHops;
    }
    result.kind = looped   ? PlacementClass::Kind::Looped
                  : vShape ? PlacementClass::Kind::V
                           : PlacementClass::Kind::Custom;
    return result;
}

} // namespace bubblescope
