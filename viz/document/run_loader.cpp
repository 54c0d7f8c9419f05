#include "viz/document/run_loader.h"

#include "core/base/error.h"
#include "core/trace/column_cache.h"

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

namespace {

RunPtr withColumns(const RunInfo& info, TraceColumns columns, bool preview)
{
    auto run = std::make_shared<RunView>(headOf(info));
    for (const LaneColumns& lane : columns.lanes)
        run->trace.lanes.push_back({lane.device, lane.kind, lane.index, {}, {}});
    run->trace.names = columns.names;
    run->idle = idleOf(columns);
    run->preview = preview;
    run->columns = std::make_shared<const TraceColumns>(std::move(columns));
    if (!run->note.isEmpty())
        run->note += QLatin1Char(' ');
    run->note += QCoreApplication::translate("RunLoader",
                                             "The run is so large that its idle times aren't explained one by one.");
    return run;
}

} // namespace

RunPtr previewRun(const Document& document, const RunInfo& info)
{
    if (info.spans <= largeRun)
        return nullptr;
    std::optional<TraceColumns> columns = document.readPreview(info.id);
    return columns ? withColumns(info, std::move(*columns), true) : nullptr;
}

void keepColumns(const std::string& path, const RunView& run, const Progress& progress)
{
    try {
        // What takes long comes before the document is locked.
        if (Document::open(path, Document::Mode::ReadOnly).hasColumnCache(run.number))
            return;
        const EncodedColumns encoded = encodeColumns(*run.columns);
        progress.check();
        Document document = Document::open(path, Document::Mode::ReadWrite);
        const RunInfo info = document.run(run.number);
        if (info.outcome.state != RunState::Recording &&
            info.spans == static_cast<std::int64_t>(run.columns->spanCount()))
            document.writeColumnCache(run.number, encoded);
    } catch (const Error&) { // the next opening is slower, that is all
    } catch (const Failure&) {
    }
}

RunPtr loadRun(const Document& document, const RunInfo& info, int step, const Progress& progress)
{
    if (info.spans > largeRun)
        return withColumns(info, document.readColumns(info.id, progress), false);
    RunView run = headOf(info);
    run.trace = document.readTrace(info.id, progress);
    progress.check();
    std::shared_ptr<const Plan> plan = planOf(info, run);
    run.step = step < 0 ? run.steps - 1 : std::min(step, run.steps - 1);
    return analyse(std::move(run), plan);
}

} // namespace bubblescope::viz
