#include "viz/document/draft.h"

#include "core/base/error.h"

#include <algorithm>

namespace bubblescope::viz {

int Draft::chunksOf(int slot) const
{
    const auto at = static_cast<std::size_t>(slot);
    return chunks[at] > 0 ? chunks[at] : recipe(schedule[at].id).defaultChunks;
}

int Draft::virtualStages(int slot) const
{
    const RecipeSpec& spec = schedule[static_cast<std::size_t>(slot)];
    const RecipeInfo& info = recipe(spec.id);
    const int plain = common.stages * chunksOf(slot);
    constexpr int most = 65535;
    if (info.shape == nullptr || common.stages < 1 || chunksOf(slot) < 1 || plain > most)
        return plain;
    try {
        checkParameters(info, spec.parameters);
        return shapeOf(info, {common.stages, chunksOf(slot), common.microbatches, spec.parameters}).stages;
    } catch (const Error&) {
        return plain; // a parameter is wrong: the prediction says so
    }
}

Experiment Draft::experimentFor(int slot) const
{
    const auto at = static_cast<std::size_t>(slot);
    Experiment experiment = common;
    experiment.schedules = {schedule[at]};
    experiment.chunks = chunks[at];
    const int stages = virtualStages(slot);
    if (slot > 0 && !partitionShared())
        experiment.partition = ownPartition;
    if (slot > 0 && static_cast<int>(experiment.partition.size()) != stages)
        experiment.partition.clear();
    experiment.stageSpeed = resampledSpeeds(common.stageSpeed, stages);
    return experiment;
}

std::vector<int> Draft::partition(int slot) const
{
    const bool own = slot > 0 && !partitionShared();
    const int stages = virtualStages(slot);
    const std::vector<int>& set = own ? ownPartition : common.partition;
    // A wrong one of A is shown as it is; the sentence of the prediction says what is wrong with it.
    const bool fits = own ? static_cast<int>(set.size()) == stages : !set.empty();
    if (fits || common.model.layers <= 0 || stages <= 0)
        return fits ? set : std::vector<int>();
    return evenPartition(common.model.layers, stages);
}

void Draft::setPartition(int slot, const std::vector<int>& layers)
{
    (slot > 0 && !partitionShared() ? ownPartition : common.partition) = layers;
}

void Draft::setSchedule(int slot, const RecipeSpec& spec, int chunksWanted)
{
    const auto at = static_cast<std::size_t>(slot);
    const std::vector<int> ofB = experimentFor(1).partition;
    schedule[at] = spec;
    chunks[at] = chunksWanted;
    order[at] = nullptr;
    if (slot > 0)
        return;
    if (static_cast<int>(common.partition.size()) != virtualStages(0))
        common.partition.clear();
    if (!partitionShared())
        ownPartition = ofB;
}

std::vector<double> Draft::speeds() const
{
    const int stages = std::max(1, virtualStages(0));
    return common.stageSpeed.empty() ? std::vector<double>(static_cast<std::size_t>(stages), 1.0)
                                     : resampledSpeeds(common.stageSpeed, stages);
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
    draft.common.costOf = CostOf::DeviceShare;
    draft.schedule = {parseRecipe("1f1b"), parseRecipe("zb-h1")};
    return draft;
}

Draft draftOf(const Experiment& experiment, const std::string& recipeA, const std::string& recipeB)
{
    Draft draft;
    draft.common = experiment;
    draft.common.steps = 1;
    const auto family = [&experiment](const std::string& text) {
        return customName(text) && !experiment.schedules.empty() ? experiment.schedules.front() : parseRecipe(text);
    };
    draft.schedule[0] = family(recipeA);
    draft.schedule[1] = family(recipeB.empty() ? recipeA : recipeB);
    draft.chunks[0] = experiment.chunks;
    draft.common.schedules.clear();
    draft.common.chunks = 0;
    // The same costs, and schedules with more chunks that come in their place do the same work.
    if (draft.virtualStages(0) == experiment.stages && draft.virtualStages(1) == experiment.stages)
        draft.common.costOf = CostOf::DeviceShare;
    return draft;
}

} // namespace bubblescope::viz
