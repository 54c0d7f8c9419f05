// `simulate`: predicts every schedule of an experiment.

#include "app/cli/command.h"
#include "app/cli/experiment_options.h"
#include "app/cli/prediction.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace bubblescope::cli {
namespace {

struct Options {
    ExperimentOptions experiment;
    std::string order;
    std::string output;
};

OrderText orderText(const std::string& text)
{
    if (text.empty())
        return OrderText::None;
    if (text == "compute")
        return OrderText::Compute;
    if (text == "all")
        return OrderText::All;
    throw Error("--order={} is unknown; --order lists compute tasks, --order=all every lane.", text);
}

int simulateAll(const Context& context, const Options& options)
{
    Experiment experiment = options.experiment.experiment();
    if (!options.experiment.costFrom().empty())
        takeCosts(options.experiment.costFrom(), experiment);
    const OrderText order = orderText(options.order);
    std::vector<RunReport> reports;
    std::vector<Prediction> predictions;
    for (Plan& plan : plansOf(experiment)) {
        predictions.push_back(predict(std::move(plan)));
        reports.push_back(reportOf(experiment, predictions.back(), order));
    }
    std::vector<int> ids;
    if (!options.output.empty()) {
        Document document = Document::openOrCreate(options.output);
        for (std::size_t i = 0; i < predictions.size(); ++i)
            ids.push_back(store(document, experiment, predictions[i], reports[i]));
    }
    if (context.json) {
        context.print(toJson(reports));
        return Done;
    }
    for (const RunReport& report : reports)
        context.print(toText(report) + "\n");
    for (const int id : ids)
        context.print(fmt::format("Stored as {}:{}", options.output, id));
    return Done;
}

} // namespace

void addSimulate(CLI::App& app, Context& context)
{
    CLI::App* command = subcommand(app, context, "simulate", "predict schedules");
    auto options = std::make_shared<Options>();
    options->experiment.addTo(*command);
    command->add_flag("--order{compute}", options->order, "list every device's tasks; --order=all: every lane's");
    command->add_option("-o,--output", options->output, "document to store the runs in");
    command->callback(
        [&context, options] { context.action = [&context, options] { return simulateAll(context, *options); }; });
}

} // namespace bubblescope::cli
