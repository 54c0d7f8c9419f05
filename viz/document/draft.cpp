#include "viz/document/draft.h"

#include "core/base/error.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace bubblescope::viz {

int Draft::chunksOf(int slot) const
{
    const auto at = static_cast<std::size_t>(slot);
    return chunks[at] > 0 ? chunks[at] : recipe(schedule[at].id).defaultChunks;
}

Experiment Draft::experimentFor(int slot) const
{
    const auto at = static_cast<std::size_t>(slot);
    Experiment experiment = common;
    experiment.schedules = {schedule[at]};
    experiment.chunks = chunks[at];
    if (slot > 0 && static_cast<int>(experiment.partition.size()) != virtualStages(slot))
        experiment.partition.clear();
    return experiment;
}

std::vector<int> Draft::partition() const
{
    if (!common.partition.empty() || common.model.layers <= 0 || common.stages <= 0)
        return common.partition;
    return evenPartition(common.model.layers, virtualStages(0));
}

std::vector<double> Draft::layerCosts() const
{
    std::vector<double> costs(static_cast<std::size_t>(std::max(0, common.model.layers)), 1.0);
    for (std::size_t layer = 0; layer < std::min(costs.size(), common.model.layerCosts.size()); ++layer)
        costs[layer] = common.model.layerCosts[layer];
    if (!costs.empty()) {
        costs.front() += common.model.embeddingCost;
        costs.back() += common.model.headCost;
    }
    return costs;
}

Draft firstDraft()
{
    Draft draft;
    draft.common.stages = 4;
    draft.common.microbatches = 8;
    draft.common.model.layers = 24;
    draft.common.model.headCost = 0.6;
    draft.common.model.embeddingCost = 0.2;
    draft.common.cost = "F=1,B=2";
    draft.schedule = {parseRecipe("1f1b"), parseRecipe("zb-h1")};
    return draft;
}

Draft draftOf(const Experiment& experiment, const std::string& recipeA, const std::string& recipeB)
{
    Draft draft;
    draft.common = experiment;
    draft.common.steps = 1;
    draft.schedule[0] = parseRecipe(recipeA);
    draft.schedule[1] = parseRecipe(recipeB.empty() ? recipeA : recipeB);
    draft.chunks[0] = experiment.chunks;
    draft.common.schedules.clear();
    draft.common.chunks = 0;
    return draft;
}

std::vector<int> balancedPartition(const std::vector<double>& layerCosts, int stages)
{
    // best[s][l]: cheapest slowest stage when the first l layers are on s stages; then the sum of squares, for evenness.
    const int layers = static_cast<int>(layerCosts.size());
    if (stages < 1 || layers < stages)
        return {};
    std::vector<double> before(static_cast<std::size_t>(layers) + 1, 0);
    std::partial_sum(layerCosts.begin(), layerCosts.end(), before.begin() + 1);
    using Score = std::pair<double, double>;
    constexpr double never = std::numeric_limits<double>::infinity();
    const auto width = static_cast<std::size_t>(layers) + 1;
    std::vector<std::vector<Score>> best(static_cast<std::size_t>(stages) + 1,
                                         std::vector<Score>(width, {never, never}));
    std::vector<std::vector<int>> from(static_cast<std::size_t>(stages) + 1, std::vector<int>(width, 0));
    best[0][0] = {0, 0};
    for (int stage = 1; stage <= stages; ++stage)
        for (int end = stage; end <= layers; ++end)
            for (int begin = stage - 1; begin < end; ++begin) {
                const auto s = static_cast<std::size_t>(stage);
                const double cost = before[static_cast<std::size_t>(end)] - before[static_cast<std::size_t>(begin)];
                const Score& rest = best[s - 1][static_cast<std::size_t>(begin)];
                const Score score{std::max(rest.first, cost), rest.second + cost * cost};
                if (score < best[s][static_cast<std::size_t>(end)]) {
                    best[s][static_cast<std::size_t>(end)] = score;
                    from[s][static_cast<std::size_t>(end)] = begin;
                }
            }
    std::vector<int> partition(static_cast<std::size_t>(stages));
    for (int stage = stages, end = layers; stage > 0; --stage) {
        const int begin = from[static_cast<std::size_t>(stage)][static_cast<std::size_t>(end)];
        partition[static_cast<std::size_t>(stage) - 1] = end - begin;
        end = begin;
    }
    return partition;
}

} // namespace bubblescope::viz
