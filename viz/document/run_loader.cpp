#include "viz/document/run_loader.h"

#include "core/base/error.h"

#include <QCoreApplication>

#include <nlohmann/json.hpp>

#include <algorithm>

namespace bubblescope::viz {
RunView headOf(const RunInfo& info)
{
    RunView run;
    run.number = info.id;
    run.label = info.header.label;
    run.status = QString::fromUtf8(runStateText(info.outcome.state));
    run.note = QString::fromStdString(info.outcome.sentence);
    // The family's own title reads better than the recipe as it was typed.
    run.title = QString::fromStdString(info.header.title.empty() ? info.header.recipe : info.header.title);
    try {
        const RecipeSpec spec = parseRecipe(info.header.recipe);
        const std::string_view title = recipe(spec.id).title;
        run.title = QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size()));
        if (!spec.parameters.empty() && spec.text() != spec.id)
            run.title += QStringLiteral(" (") + QString::fromStdString(spec.text().substr(spec.id.size() + 1)) +
                         QLatin1Char(')');
    } catch (const Error&) {
        // An order from a file: its own title stays.
    }
    return run;
}

/// The plan of an order by hand: the family stands in the experiment, the order in the run.
static std::shared_ptr<const Plan> planOfOrder(const RunHeader& header, RunView& run)
{
    if (run.experiment.schedules.empty())
        throw Error("The run doesn't say which schedule its order was made from.");
    run.steps = std::max(1, run.experiment.steps);
    run.experiment.steps = 1;
    const CustomOrder order = orderOfRun(header.recipe, header.orders, run.steps);
    return std::make_shared<Plan>(planOrder(run.experiment, run.experiment.schedules.front(), order));
}

std::shared_ptr<const Plan> planOf(const RunInfo& info, RunView& run)
{
    try {
        run.experiment = experimentFromJson(nlohmann::json::parse(info.header.experiment));
        if (customName(info.header.recipe))
            return planOfOrder(info.header, run);
        const RecipeSpec spec = parseRecipe(info.header.recipe);
        // One step is planned and shown: makespans of one step compare, those of several runs of unlike length don't.
        // Where steps run into each other there is no such part, so that all are shown.
        if (!recipe(spec.id).writesSteps) {
            run.steps = std::max(1, run.experiment.steps);
            run.experiment.steps = 1;
        }
        return std::make_shared<Plan>(plan(run.experiment, spec));
    } catch (const Error& error) {
        run.note += QString::fromUtf8(error.what());
    } catch (const nlohmann::json::exception&) {
        run.note += QCoreApplication::translate(
            "RunLoader", "The run says nothing about its experiment, so its idle time isn't explained.");
    }
    return nullptr;
}

RunPtr loadRun(const Document& document, const RunInfo& info, int step, const Progress& progress)
{
    RunView run = headOf(info);
    run.trace = document.readTrace(info.id, progress);
    progress.check();
    std::shared_ptr<const Plan> plan = planOf(info, run);
    run.step = step < 0 ? run.steps - 1 : std::min(step, run.steps - 1);
    return analyse(std::move(run), plan);
}

} // namespace bubblescope::viz
