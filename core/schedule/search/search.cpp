#include "core/schedule/search/search.h"

#include "core/base/error.h"
#include "core/schedule/search/exact.h"
#include "core/simulate/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

namespace bubblescope {
namespace {

constexpr int mostChunks = 4;
constexpr std::int64_t taskBudget = 4'000'000; // of further variants: half a second

/// One way to build a family.
struct Variant {
    const RecipeInfo* info = nullptr;
    RecipeSpec spec;
    int chunks = 1;
    int number = 0; ///< among those of its family
};

/// The spec and all others that differ in parameters with choices, the default first.
std::vector<RecipeSpec> specsOf(const RecipeInfo& info, const std::string& limit)
{
    RecipeSpec first = parseRecipe(info.id);
    for (const RecipeParameter& parameter : info.parameters)
        if (parameter.name == "limit" &&
            parameter.kind != RecipeParameter::Kind::Integer) // whole: of layers, not memory
            first.parameters[parameter.name] = limit;
    std::vector<RecipeSpec> specs{first};
    for (const RecipeParameter& parameter : info.parameters)
        for (std::size_t i = 0, before = specs.size(); i < before; ++i)
            for (const std::string& choice : parameter.choices)
                if (choice != parameter.defaultValue) {
                    specs.push_back(specs[i]);
                    specs.back().parameters[parameter.name] = choice;
                }
    return specs;
}

/// "interleaved-1f1b with 2 chunks".
std::string nameOf(const Variant& variant)
{
    return variant.spec.text() + (variant.chunks > 1 ? fmt::format(" with {} chunks", variant.chunks) : "");
}

/// What a family says without its own name in front.
std::string sentenceOf(const Error& error, std::string_view id)
{
    const std::string text = error.what();
    const std::string prefix = std::string(id) + ": ";
    return text.compare(0, prefix.size(), prefix) == 0 ? text.substr(prefix.size()) : text;
}

/// Chunks of a device to try, the family's own number first.
std::vector<int> chunksOf(const RecipeInfo& info, int asked)
{
    if (asked != 0)
        return {asked};
    std::vector<int> chunks{info.defaultChunks};
    for (int v = info.minimumChunks; v <= std::min(info.maximumChunks, mostChunks); ++v)
        if (v != info.defaultChunks)
            chunks.push_back(v);
    return chunks;
}

/// First of all families, then the second ones: so a budget leaves out what is furthest from the default, and nobody's first.
std::vector<Variant> variantsOf(const Experiment& experiment)
{
    const double limit = experiment.memoryLimit > 0 ? experiment.memoryLimit : experiment.microbatches;
    std::vector<Variant> variants;
    for (const RecipeInfo& info : recipes()) {
        int number = 0;
        for (const int v : chunksOf(info, experiment.chunks))
            for (const RecipeSpec& spec : specsOf(info, fmt::format("{}", limit)))
                variants.push_back({&info, spec, v, number++});
    }
    std::stable_sort(variants.begin(), variants.end(),
                     [](const Variant& a, const Variant& b) { return a.number < b.number; });
    return variants;
}

/// The experiment for one variant: each of more stages than devices does its share of a device's work.
Experiment experimentFor(const Experiment& experiment, const Variant& variant)
{
    Experiment own = experiment;
    own.schedules = {variant.spec};
    own.chunks = variant.chunks;
    own.costOf = CostOf::DeviceShare;
    return own;
}

/// A reason why a schedule isn't the training that was asked for; empty when it is.
std::string otherTraining(const Schedule& schedule)
{
    const Semantics& semantics = schedule.semantics;
    const int perStep = schedule.shape.microbatches.front();
    if (semantics.updateEvery != perStep || semantics.maxVersions > 1 || semantics.maxDrift > 0 ||
        semantics.forwardReads != Semantics::ForwardReads::Latest || semantics.spikeCompensation ||
        semantics.prediction != Semantics::Prediction::None)
        return "it doesn't update once per step from one version of the weights, so it trains something else.";
    if (semantics.staleState != Semantics::StaleState::None)
        return "it reads state of the step before, so it trains something else.";
    if (!schedule.slicing.empty())
        return "it cuts sequences into slices, and what those cost the search can't know.";
    if (!schedule.paths.empty() || schedule.shape.components > 0)
        return "its microbatches don't all pass through the same stages.";
    return {};
}

Nanoseconds workOf(const Schedule& schedule, const Costs& costs)
{
    Nanoseconds work = 0;
    for (const Lane& lane : schedule.lanes) {
        if (lane.kind != LaneKind::Compute)
            continue;
        for (TaskId first = lane.begin; first < lane.end; first = schedule.unitEnd(first)) {
            const TaskId end = schedule.unitEnd(first);
            work += end - first == 1 ? costs.duration(first, schedule.tasks[first])
                                     : costs.unitDuration(schedule, first, end);
        }
    }
    return work;
}

/// How often the devices together hold the weights.
double weightCopies(const Schedule& schedule)
{
    std::set<std::pair<std::size_t, std::uint16_t>> homes; // (stage, device)
    const auto stages = static_cast<std::size_t>(schedule.shape.allStages());
    for (std::size_t i = 0; i < schedule.placement.homes.size(); ++i)
        for (const Device device : schedule.placement.homes[i])
            homes.insert({i % stages, device.value});
    return homes.empty() ? 1 : static_cast<double>(homes.size()) / static_cast<double>(stages);
}

/// Stage s on device s and nowhere else, whole microbatches, the ordinary dependencies.
bool oneChunk(const Schedule& schedule)
{
    const Shape& shape = schedule.shape;
    bool straight = shape.pipes == 1 && shape.slices == 1 && schedule.dataflow.grid &&
                    schedule.placement.homes.size() == static_cast<std::size_t>(shape.devices);
    for (std::size_t s = 0; straight && s < schedule.placement.homes.size(); ++s)
        straight = schedule.placement.homes[s] == std::vector<Device>{Device(s)};
    return straight;
}

class Search {
public:
    Search(const Experiment& experiment, const Progress& progress)
        : m_experiment(experiment), m_progress(progress), m_limit(experiment.memoryLimit)
    {
        m_experiment.steps = 1;
        m_result.limit = m_limit;
        bound();
    }

    SearchResult operator()()
    {
        const std::vector<Variant> variants = variantsOf(m_experiment);
        for (std::size_t i = 0; i < variants.size(); ++i) {
            m_progress.check();
            m_progress.report(static_cast<double>(i) / static_cast<double>(variants.size()),
                              std::string(variants[i].info->id));
            consider(variants[i]);
        }
        for (const RecipeInfo& info : recipes())
            settle(info);
        std::stable_sort(m_result.candidates.begin(), m_result.candidates.end(), shorter);
        return std::move(m_result);
    }

private:
    /// What became of a family's variants.
    struct Family {
        std::optional<SearchCandidate> best;
        double smallestPeak = 0; ///< of those that don't fit
        std::string smallest;
        std::string reason; ///< of the first that can't be built or compared
    };

    static bool shorter(const SearchCandidate& a, const SearchCandidate& b)
    {
        return std::tie(a.makespan, a.peakActivations, a.weightCopies) <
               std::tie(b.makespan, b.peakActivations, b.weightCopies);
    }

    /// Bounds from the costs of one chunk a device.
    void bound()
    {
        Experiment plain = m_experiment;
        plain.chunks = 1;
        const Plan made = plan(plain, parseRecipe("gpipe"));
        RecipeRequest request = made.request;
        const ActivationDeltas deltas = parseMemory(m_experiment.memory, true);
        request.costs = &made.costs;
        request.deltas = &deltas;
        SplitPipeline pipeline(request);
        for (std::size_t s = 0; s < pipeline.cost.size(); ++s) { // a full backward may be cheaper than its parts
            auto& [forward, input, weight] = pipeline.cost[s];
            const Nanoseconds whole = made.costs.duration(Work::Backward, Stage(s));
            m_exactParts = m_exactParts && whole >= input + weight;
            input = std::min(input, whole);
            weight = std::min(weight, whole - input);
            const Nanoseconds all = forward + input + weight;
            m_work += all * m_experiment.microbatches;
            m_path += all - (s == 0 ? 0 : weight);
        }
        if (m_limit > 0)
            pipeline.limit = std::max(pipeline.smallestLimit(), static_cast<std::int64_t>(std::llround(m_limit * 1e6)));
        m_result.oneChunkLowerBound = lowerBound(pipeline, SplitObjective::Makespan);
        m_result.lowerBound = std::max(m_work / m_experiment.stages, m_path);
    }

    void consider(const Variant& variant)
    {
        Family& family = m_families[variant.info->id];
        const bool first = variant.number == 0;
        const std::int64_t tasks = std::int64_t{3} * m_experiment.stages * variant.chunks * m_experiment.microbatches;
        if (!first && m_tasks + tasks > taskBudget) {
            ++m_result.skipped;
            return;
        }
        m_tasks += first ? 0 : tasks;
        try {
            weigh(variant, family);
        } catch (const Error& error) {
            if (family.reason.empty())
                family.reason = sentenceOf(error, variant.info->id);
        }
    }

    void weigh(const Variant& variant, Family& family)
    {
        const Experiment own = experimentFor(m_experiment, variant);
        const Plan made = plan(own, variant.spec);
        std::string reason = otherTraining(made.schedule);
        const Nanoseconds work = workOf(made.schedule, made.costs);
        if (reason.empty() && work < m_work - m_work / 1000)
            reason = fmt::format("it does {:.0f} % of the work, so it computes something else.",
                                 100.0 * static_cast<double>(work) / static_cast<double>(m_work));
        if (!reason.empty()) {
            family.reason = family.reason.empty() ? reason : family.reason;
            return;
        }
        ++m_result.tried;
        const Timing timing = simulate(made.schedule, made.costs);
        SearchCandidate candidate;
        for (const ActivationCurve& curve : activationCurves(made.schedule, timing, made.deltas, false))
            candidate.peakActivations = std::max(candidate.peakActivations, curve.peakActivations());
        if (m_limit > 0 && candidate.peakActivations > m_limit + 1e-9) {
            if (family.smallest.empty() || candidate.peakActivations < family.smallestPeak) {
                family.smallestPeak = candidate.peakActivations;
                family.smallest = nameOf(variant);
            }
            return;
        }
        candidate.oneChunk = m_exactParts && oneChunk(made.schedule);
        candidate.makespan = timing.makespan();
        candidate.lowerBound = candidate.oneChunk ? m_result.oneChunkLowerBound : m_result.lowerBound;
        const double total = static_cast<double>(timing.makespan()) * made.schedule.shape.devices;
        candidate.bubbleRate = total > 0 ? 1 - static_cast<double>(work) / total : 0;
        candidate.weightCopies = weightCopies(made.schedule);
        candidate.experiment = own;
        m_result.variants.push_back(candidate);
        if (!family.best || shorter(candidate, *family.best))
            family.best = std::move(candidate);
    }

    void settle(const RecipeInfo& info)
    {
        Family& family = m_families[info.id];
        if (family.best)
            m_result.candidates.push_back(std::move(*family.best));
        else if (!family.smallest.empty())
            m_result.leftOut.push_back(
                {std::string(info.id), fmt::format("{} holds {:g} activations, more than {:g}.", family.smallest,
                                                   family.smallestPeak, m_limit)});
        else
            m_result.leftOut.push_back({std::string(info.id), family.reason});
    }

    Experiment m_experiment;
    const Progress& m_progress;
    double m_limit;
    SearchResult m_result;
    std::map<std::string_view, Family> m_families;
    std::int64_t m_tasks = 0;
    Nanoseconds m_work = 0;   ///< of all devices
    Nanoseconds m_path = 0;   ///< of one microbatch there and back
    bool m_exactParts = true; ///< B costs at least I and W together
};

} // namespace

SearchResult searchSchedules(const Experiment& experiment, const Progress& progress)
{
    // Said once here, not as the reason why each family is left out.
    if (experiment.memoryLimit < 0 || !std::isfinite(experiment.memoryLimit))
        throw Error("a memory limit of {} activations is impossible; 0 means that there is none.",
                    experiment.memoryLimit);
    return Search(experiment, progress)();
}

} // namespace bubblescope
