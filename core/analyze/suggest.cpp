#include "core/analyze/suggest.h"

#include "core/partition/partition.h"
#include "core/predictor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <set>

namespace bubblescope {
namespace {

/// A prediction and what has to be the same for two of them to be compared.
struct Tried {
    PredictedFigures figures;
    Nanoseconds busy = 0; ///< over all devices
    int microbatches = 1;
    std::shared_ptr<const Plan> plan;
    Timing timing;
    std::vector<double> stageTimes; ///< busy time of each stage
};

Tried measure(Predicted predicted)
{
    Tried tried;
    const Schedule& schedule = predicted.plan->schedule;
    const Timing& timing = predicted.timing;
    tried.stageTimes.assign(static_cast<std::size_t>(schedule.shape.allStages()), 0);
    for (const Lane& lane : schedule.lanes)
        for (TaskId id = lane.begin; id < lane.end && lane.kind == LaneKind::Compute && lane.index == 0;
             id = schedule.unitEnd(id)) {
            tried.busy += timing.end[id] - timing.start[id];
            tried.stageTimes[schedule.tasks[id].stage] += static_cast<double>(timing.end[id] - timing.start[id]);
        }
    tried.microbatches = std::max(1, schedule.shape.microbatchesPerStep() * schedule.shape.steps);
    const auto makespan = static_cast<double>(timing.makespan());
    tried.figures.makespan = timing.makespan();
    tried.figures.perMicrobatch = makespan / tried.microbatches;
    if (makespan > 0)
        tried.figures.bubbleRate = 1 - static_cast<double>(tried.busy) / (schedule.shape.devices * makespan);
    for (const ActivationCurve& curve : activationCurves(schedule, timing, predicted.plan->deltas, false))
        tried.figures.peakActivations = std::max(tried.figures.peakActivations, curve.peakActivations());
    tried.plan = std::move(predicted.plan);
    tried.timing = std::move(predicted.timing);
    return tried;
}

class Search {
public:
    Search(const SuggestRequest& request, const Progress& progress) : m_request(request), m_progress(progress)
    {
        m_base = measure(m_predictor.predict(request.experiment, request.spec, request.order));
    }

    Suggestions run()
    {
        tryLayers();
        tryMicrobatches();
        tryRecompute();
        tryLink();
        tryChunks();
        tryFamilies();
        if (m_request.order)
            tryOwnOrder();
        std::stable_sort(m_found.begin(), m_found.end(),
                         [](const Suggestion& a, const Suggestion& b) { return a.gain > b.gain; });
        Suggestions result{m_base.figures, {}};
        std::set<Suggestion::Kind> kinds;
        for (Suggestion& suggestion : m_found)
            if (result.best.size() < m_request.most && kinds.insert(kindOnce(suggestion.kind)).second)
                result.best.push_back(std::move(suggestion));
        return result;
    }

private:
    static constexpr double leastGain = 1e-3;

    /// Moving a layer and balancing are two sizes of one idea: the better one is enough.
    static Suggestion::Kind kindOnce(Suggestion::Kind kind)
    {
        return kind == Suggestion::Kind::Balance ? Suggestion::Kind::MoveLayer : kind;
    }

    /// Predicts the candidate and keeps it when it is faster. `sameWork`: it must compute as much as before.
    void tryOne(Suggestion candidate, bool sameWork = false)
    {
        m_progress.check();
        candidate.experiment.schedules = {candidate.spec};
        std::optional<Tried> tried;
        try {
            tried = measure(m_predictor.predict(candidate.experiment, candidate.spec,
                                                candidate.keepsOrder ? m_request.order : nullptr));
        } catch (const Error&) {
            return; // what can't be built isn't suggested
        }
        const double difference = std::abs(static_cast<double>(tried->busy - m_base.busy));
        if (sameWork && (difference > 1e-3 * static_cast<double>(m_base.busy) ||
                         tried->microbatches != m_base.microbatches || !trainsAlike(*tried->plan)))
            return;
        const double limit = m_request.experiment.memoryLimit;
        if (limit > 0 && tried->figures.peakActivations > std::max(limit, m_base.figures.peakActivations))
            return;
        candidate.gain = 1 - tried->figures.perMicrobatch / m_base.figures.perMicrobatch;
        if (candidate.gain < leastGain)
            return;
        const double peak = tried->figures.peakActivations;
        if (peak > m_base.figures.peakActivations * 1.005)
            candidate.remark += fmt::format("{}holds {:.3g} activations at most instead of {:.3g}",
                                            candidate.remark.empty() ? "" : "; ", peak, m_base.figures.peakActivations);
        candidate.after = tried->figures;
        m_found.push_back(std::move(candidate));
    }

    /// Updates as often, from the same versions: the training stays what it was.
    bool trainsAlike(const Plan& plan) const
    {
        const Semantics& a = plan.schedule.semantics;
        const Semantics& b = m_base.plan->schedule.semantics;
        const auto everyStep = [](const Plan& one) {
            return one.schedule.semantics.updateEvery == 0 ||
                   one.schedule.semantics.updateEvery >= one.schedule.shape.microbatches.front();
        };
        return everyStep(plan) == everyStep(*m_base.plan) && a.maxDrift == b.maxDrift;
    }

    Suggestion candidate(Suggestion::Kind kind, std::string change) const
    {
        Suggestion suggestion;
        suggestion.kind = kind;
        suggestion.change = std::move(change);
        suggestion.experiment = m_request.experiment;
        suggestion.spec = m_request.spec;
        suggestion.keepsOrder = m_request.order != nullptr;
        return suggestion;
    }

    /// Layers of the slowest stages and of the late device's, over each of their boundaries; and all of them at once.
    void tryLayers()
    {
        const std::vector<int>& now = m_base.plan->partition;
        if (now.size() < 2 || m_request.experiment.model.layers <= 0)
            return;
        const auto slowest = static_cast<std::size_t>(
            std::max_element(m_base.stageTimes.begin(),
                             m_base.stageTimes.begin() + static_cast<std::ptrdiff_t>(now.size())) -
            m_base.stageTimes.begin());
        std::set<std::size_t> givers{slowest};
        const std::vector<std::vector<int>> homes = homesOfStages(m_base.plan->schedule);
        for (std::size_t stage = 0; stage < homes.size() && stage < now.size(); ++stage)
            if (std::find(homes[stage].begin(), homes[stage].end(), m_request.late) != homes[stage].end())
                givers.insert(stage);
        for (const std::size_t stage : givers)
            for (const int towards : {-1, 1})
                tryLayer(now, stage, towards);
        Suggestion balance = candidate(Suggestion::Kind::Balance, "Balance the partition by cost");
        balance.experiment.partition =
            balancedPartition(layerCosts(m_request.experiment.model), static_cast<int>(now.size()));
        if (balance.experiment.partition != now && !balance.experiment.partition.empty())
            tryOne(std::move(balance));
    }

    void tryLayer(const std::vector<int>& now, std::size_t stage, int towards)
    {
        const auto taker = static_cast<std::ptrdiff_t>(stage) + towards;
        if (taker < 0 || taker >= static_cast<std::ptrdiff_t>(now.size()) || now[stage] <= 1)
            return;
        int layer = 0;
        for (std::size_t before = 0; before < stage + (towards > 0 ? 1 : 0); ++before)
            layer += now[before];
        layer -= towards > 0 ? 1 : 0;
        Suggestion move = candidate(Suggestion::Kind::MoveLayer,
                                    fmt::format("Move layer {} from stage {} to stage {}", layer, stage, taker));
        move.experiment.partition = now;
        --move.experiment.partition[stage];
        ++move.experiment.partition[static_cast<std::size_t>(taker)];
        tryOne(std::move(move));
    }

    void tryMicrobatches()
    {
        const int now = m_request.experiment.microbatches;
        for (const int more : {now + m_request.experiment.stages, 2 * now}) {
            Suggestion larger = candidate(Suggestion::Kind::Microbatches, fmt::format("Use {} microbatches", more));
            larger.remark = fmt::format("a step has {} instead of {}", more, now);
            larger.experiment.microbatches = more;
            larger.keepsOrder = false; // it has tasks for as many as there were
            tryOne(std::move(larger));
        }
    }

    void tryRecompute()
    {
        if (!m_request.experiment.recompute)
            return;
        Suggestion keep = candidate(Suggestion::Kind::Recompute, "Keep activations instead of recomputing them");
        keep.remark = "needs memory for all of them";
        keep.experiment.recompute = false;
        tryOne(std::move(keep));
    }

    /// Only where communication is what costs time here.
    void tryLink()
    {
        const Experiment& now = m_request.experiment;
        if (m_request.cause != IdleCause::Communication)
            return;
        Suggestion faster = candidate(Suggestion::Kind::Link, "Use a link twice as fast");
        faster.experiment.comm = now.comm / 2;
        faster.experiment.bandwidth = now.bandwidth * 2;
        for (auto& [pair, latency] : faster.experiment.commPairs)
            latency /= 2;
        tryOne(std::move(faster));
    }

    void tryChunks()
    {
        const RecipeInfo& info = recipe(m_request.spec.id);
        const int now = m_request.experiment.chunks > 0 ? m_request.experiment.chunks : info.defaultChunks;
        for (const int chunks : {now + 1, 2 * now, now - 1}) {
            if (chunks < info.minimumChunks || chunks > info.maximumChunks)
                continue;
            Suggestion split = candidate(Suggestion::Kind::Chunks, fmt::format("Use {} chunks a device", chunks));
            split.experiment.chunks = chunks;
            shareDevices(split.experiment);
            resize(split.experiment, m_request.experiment.stages * chunks);
            split.keepsOrder = false;
            tryOne(std::move(split), true);
        }
    }

    /// With one stage a device, costs of stages are those of devices; another number of stages then does the same work.
    void shareDevices(Experiment& experiment) const
    {
        if (m_base.plan->schedule.shape.stages == m_request.experiment.stages)
            experiment.costOf = CostOf::DeviceShare;
    }

    /// Lists by stage don't fit another number of stages.
    void resize(Experiment& experiment, int stages) const
    {
        if (static_cast<int>(experiment.partition.size()) != stages)
            experiment.partition.clear();
        experiment.stageSpeed = resampledSpeeds(experiment.stageSpeed, stages);
    }

    void tryFamilies()
    {
        const Experiment& now = m_request.experiment;
        const bool large = now.stages * now.microbatches > 512;
        for (const RecipeInfo& info : recipes()) {
            if (info.id == m_request.spec.id || info.writesSteps || (large && !ignoresCosts(info.id)))
                continue;
            Suggestion other = candidate(Suggestion::Kind::Family, fmt::format("Use the schedule {}", info.title));
            other.spec = parseRecipe(info.id);
            other.experiment.chunks = 0;
            shareDevices(other.experiment);
            resize(other.experiment, now.stages * info.defaultChunks);
            other.keepsOrder = false;
            tryOne(std::move(other), true);
        }
    }

    void tryOwnOrder()
    {
        Suggestion own = candidate(Suggestion::Kind::Order,
                                   fmt::format("Go back to the order of {}", recipe(m_request.spec.id).title));
        own.keepsOrder = false;
        tryOne(std::move(own));
    }

    const SuggestRequest& m_request;
    const Progress& m_progress;
    Predictor m_predictor;
    Tried m_base;
    std::vector<Suggestion> m_found;
};

} // namespace

Suggestions suggest(const SuggestRequest& request, const Progress& progress)
{
    return Search(request, progress).run();
}

} // namespace bubblescope
