#include "app/cli/prediction.h"

#include "app/cli/training.h"
#include "core/analyze/statistics.h"
#include "core/base/error.h"
#include "core/custom_order.h"
#include "core/schedule/order_text.h"
#include "core/simulate/frozen_memory.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

namespace bubblescope::cli {
namespace {

using nlohmann::json;

/// The plan of a run whose order came from a file: its costs are the experiment's, its order is stored. `steps`: of
/// the run, while the experiment may ask for one of them.
Plan planOfOrder(const Experiment& experiment, const RunHeader& header, int steps)
{
    if (customName(header.recipe) && !experiment.schedules.empty())
        return planOrder(experiment, experiment.schedules.front(), orderOfRun(header.recipe, header.orders, steps));
    Plan plan;
    plan.spec.id = header.recipe;
    plan.schedule = scheduleFromOrders(header.orders);
    const auto splits = [](const Task& task) { return task.work == Work::InputGradient; };
    const bool split = std::any_of(plan.schedule.tasks.begin(), plan.schedule.tasks.end(), splits);
    plan.costs = costsOf(experiment, plan.schedule, split);
    plan.deltas = parseMemory(experiment.memory, split);
    return plan;
}

bool fromCatalogue(const std::string& recipeText)
{
    const std::string id = recipeText.substr(0, recipeText.find(':'));
    return std::any_of(recipes().begin(), recipes().end(), [&](const RecipeInfo& info) { return info.id == id; });
}

/// True when the schedule isn't one step after another.
bool stepsOverlap(Experiment experiment, const RecipeSpec& spec)
{
    if (!recipe(spec.id).writesSteps)
        return false;
    const Plan all = plan(experiment, spec);
    experiment.steps = 1;
    return all.schedule.tasks != repeatSteps(plan(experiment, spec).schedule, all.schedule.shape.steps).tasks;
}

/// Costs as they were measured, so that causes compare a run with its own medians.
Costs measuredCosts(const Plan& plan, const Timing& timing)
{
    Costs costs = plan.costs;
    costs.perTask.resize(plan.schedule.tasks.size());
    for (TaskId id{}; id < plan.schedule.tasks.size(); ++id)
        costs.perTask[id] = timing.end[id] - timing.start[id];
    return costs;
}

} // namespace

namespace {

/// Medians over slices are of slices: what a microbatch costs follows from all of them together.
void replaceSliced(const Prediction& prediction, const SliceShares& slices,
                   std::vector<std::map<std::string, double>>& costs)
{
    const Schedule& schedule = prediction.plan.schedule;
    std::map<std::pair<Work, Stage>, std::pair<double, double>> sums; // of times, and of parts of a microbatch
    for (TaskId id{}; id < schedule.tasks.size(); ++id)
        if (const Task& task = schedule.tasks[id]; onGrid(task.work) && task.stage < costs.size()) {
            auto& [time, share] = sums[{task.work, task.stage}];
            time += static_cast<double>(prediction.timing.end[id] - prediction.timing.start[id]);
            share += slices.share(task);
        }
    for (const auto& [key, sum] : sums)
        costs[key.second][std::string(1, workName(key.first).letter)] = sum.first / sum.second / unit;
}

} // namespace

Prediction predict(Plan plan)
{
    Prediction prediction{std::move(plan), {}};
    prediction.timing = simulate(prediction.plan.schedule, prediction.plan.costs);
    return prediction;
}

namespace {

/// Values that the optimizer keeps beside each parameter.
int optimizerStates(const std::string& optimizer)
{
    return optimizer == "adamw" ? 2 : optimizer == "sgdm" ? 1 : 0;
}

} // namespace

std::optional<MemoryRules> memoryOf(const Experiment& experiment, const Plan& plan)
{
    if (experiment.model.layers == 0 || plan.partition.empty() || wantsGraph(plan.schedule))
        return std::nullopt;
    const MemoryRules model = transformerMemory(experiment.model, plan.partition, experiment.recompute,
                                                optimizerStates(experiment.optimizer), plan.schedule);
    return withFrozenLayers(model, experiment.model, plan.schedule.shape.components, experiment.recompute);
}

RunReport reportOf(const Experiment& experiment, const Prediction& prediction, OrderText order)
{
    const std::optional<MemoryRules> memory = memoryOf(experiment, prediction.plan);
    ReportOptions options;
    options.order = order;
    options.memory = memory ? &*memory : nullptr;
    RunReport report = reportOf(prediction.plan, prediction.timing, options);
    for (std::size_t device = 0; experiment.memoryLimit > 0 && device < report.peaks.size(); ++device)
        if (report.peaks[device].activations > experiment.memoryLimit)
            report.warnings.push_back(
                fmt::format("device {} holds {} activations at its peak, more than the limit of {}.", device,
                            report.peaks[device].activations, experiment.memoryLimit));
    return report;
}

RunReport reportOf(const Experiment& experiment, const Prediction& ran, RunLabel label, OrderText order)
{
    const bool measured = label == RunLabel::Measured || label == RunLabel::Replayed;
    const Costs own = measured ? measuredCosts(ran.plan, ran.timing) : Costs();
    const std::optional<MemoryRules> memory = memoryOf(experiment, ran.plan);
    ReportOptions options;
    options.order = order;
    options.memory = memory ? &*memory : nullptr;
    options.label = label;
    options.measured = measured;
    options.costs = measured ? &own : nullptr;
    return bubblescope::reportOf(ran.plan, ran.timing, options);
}

RunHeader headerOf(const Experiment& experiment, const Plan& plan, RunLabel label)
{
    RunHeader header;
    header.label = label;
    header.recipe = plan.info != nullptr ? plan.spec.text() : plan.spec.id;
    header.title =
        plan.info != nullptr ? std::string(plan.info->title) : customName(plan.spec.id).value_or(plan.spec.id);
    header.experiment = toJson(experiment).dump();
    header.orders = ordersText(plan.schedule);
    for (int device = 0; device < plan.schedule.shape.devices; ++device)
        header.devices.push_back(fmt::format(
            "{} {}", label == RunLabel::Measured || label == RunLabel::Replayed ? "worker" : "device", device));
    return header;
}

int store(Document& document, const Experiment& experiment, const Prediction& prediction, const RunReport& report)
{
    RunOutcome outcome;
    outcome.summary = toJson(report).dump();
    return document.addRun(headerOf(experiment, prediction.plan, RunLabel::Predicted),
                           traceOf(prediction.plan.schedule, prediction.timing), outcome);
}

StoredRun readRun(const Document& document, const RunInfo& listed, int step, OrderText order)
{
    StoredRun run;
    run.info = document.run(listed.id);
    const RunHeader& header = run.info.header;
    if (header.experiment.empty() || header.recipe.empty())
        throw Error("run {} of {} holds no schedule; only runs that were simulated or executed can be analysed yet.",
                    run.info.id, document.path());
    run.experiment = experimentFromJson(json::parse(header.experiment));
    const int steps = run.experiment.steps;
    if (step >= 0) {
        if (fromCatalogue(header.recipe) && stepsOverlap(run.experiment, parseRecipe(header.recipe)))
            throw Error("the steps of run {} ({}) run into each other, so that one alone can't be looked at; leave "
                        "--step out.",
                        run.info.id, header.recipe);
        if (step >= run.experiment.steps)
            throw Error("run {} has the steps 0 to {}; there is no step {}.", run.info.id, run.experiment.steps - 1,
                        step);
        run.experiment.steps = 1;
    }
    run.prediction.plan = fromCatalogue(header.recipe) ? plan(run.experiment, parseRecipe(header.recipe))
                                                       : planOfOrder(run.experiment, header, steps);
    run.prediction.timing = timingOf(document.readTrace(run.info.id), run.prediction.plan.schedule, std::max(0, step));
    run.report = reportOf(run.experiment, run.prediction, header.label, order);
    return run;
}

void takeCosts(const std::string& address, Experiment& experiment)
{
    const RunAddress parsed = parseRunAddress(address);
    const Document document = Document::open(parsed.path, Document::Mode::ReadOnly);
    const StoredRun run = readRun(document, resolveRun(document, parsed));
    const std::vector<WorkMedian> medians = medianDurations(run.prediction.plan.schedule, run.prediction.timing);
    const auto stages = static_cast<std::size_t>(run.prediction.plan.schedule.shape.stages);
    std::vector<std::map<std::string, double>> costs(stages);
    for (const WorkMedian& median : medians)
        if (median.stage < stages && (onGrid(median.work) || median.work == Work::Update))
            costs[median.stage][std::string(1, workName(median.work).letter)] =
                static_cast<double>(median.median) / static_cast<double>(unit);
    if (const SliceShares& slices = run.prediction.plan.costs.slices; !slices.empty())
        replaceSliced(run.prediction, slices, costs);
    for (auto& stage : costs)
        if (run.experiment.recompute)
            stage["R"] = 0; // what was measured as I or B holds it already
    experiment.stageCosts = std::move(costs);
    experiment.cost.clear();
}

} // namespace bubblescope::cli
