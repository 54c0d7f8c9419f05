// `schedule show|check|export|import`: orders of the catalogue and of PyTorch's CSV files.

#include "app/cli/command.h"
#include "app/cli/experiment_options.h"
#include "app/cli/prediction.h"
#include "core/schedule/ascii_timeline.h"
#include "core/schedule/program.h"
#include "core/schedule/torch_csv.h"
#include "core/schedule/validate.h"
#include "core/trace/whole_file.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ostream>

namespace bubblescope::cli {
namespace {

using nlohmann::json;

struct Options {
    ExperimentOptions experiment;
    std::string source;
    std::string output;
    int width = 120;
};

/// A schedule of the catalogue or one that was read from a file.
struct Source {
    Experiment experiment;
    Plan plan;
    std::optional<TorchCsv> csv;
    std::optional<TorchImport> imported;
};

bool isCsvFile(const std::string& source)
{
    return source.size() > 4 && source.compare(source.size() - 4, 4, ".csv") == 0;
}

Source load(const Options& options)
{
    Source source;
    source.experiment = options.experiment.experiment();
    if (!isCsvFile(options.source)) {
        source.experiment.schedules = {parseRecipe(options.source)};
        source.plan = plan(source.experiment, source.experiment.schedules.front());
        return source;
    }
    try {
        source.csv = readTorchCsv(readFile(options.source));
        source.imported = importTorchCsv(*source.csv);
    } catch (const Error& error) {
        throw Error("{}: {}", options.source, error.what());
    }
    Plan& made = source.plan;
    made.spec.id = options.source;
    made.schedule = source.imported->schedule;
    const bool split = std::any_of(made.schedule.tasks.begin(), made.schedule.tasks.end(),
                                   [](const Task& task) { return task.work == Work::InputGradient; });
    source.experiment.schedules.clear();
    source.experiment.stages = made.schedule.shape.devices;
    source.experiment.chunks = made.schedule.shape.chunks;
    source.experiment.microbatches = made.schedule.shape.microbatchesPerStep();
    made.costs = costsOf(source.experiment, made.schedule, split);
    made.deltas = parseMemory(source.experiment.memory, split);
    return source;
}

json ordersJson(const Schedule& schedule)
{
    json devices = json::array();
    for (LaneId lane{}; lane < schedule.lanes.size(); ++lane)
        if (schedule.lanes[lane].kind == LaneKind::Compute && schedule.lanes[lane].index == 0)
            devices.push_back(laneTexts(schedule, lane, false));
    return devices;
}

int show(const Context& context, const Options& options)
{
    const Source source = load(options);
    const Schedule& schedule = source.plan.schedule;
    const Timing timing = simulate(schedule, source.plan.costs);
    if (context.json) {
        context.print(json{
            {"schedule", source.plan.spec.id}, {"makespan_ns", timing.makespan()}, {"order", ordersJson(schedule)}});
        return Done;
    }
    context.print(asciiTimeline(schedule, timing, options.width));
    for (LaneId lane{}; lane < schedule.lanes.size(); ++lane) {
        const LaneKind kind = schedule.lanes[lane].kind;
        context.print(fmt::format("device {} {}: {}", schedule.lanes[lane].device.value, laneKindName(kind),
                                  fmt::join(laneTexts(schedule, lane, kind != LaneKind::Compute), " ")));
    }
    for (const std::string& sentence : source.plan.warnings)
        context.warn(sentence);
    return Done;
}

int check(const Context& context, const Options& options)
{
    const Source source = load(options);
    const ScheduleCheck result =
        source.csv ? checkSchedule(source.plan.schedule, *source.csv) : checkSchedule(source.plan.schedule);
    if (context.json)
        context.print(toJson(result));
    else
        context.print(toText(result));
    // What passes with buffers and hangs without is a warning, said in the text: not bad input.
    const bool depends = result.problems.empty() && result.asWritten && result.asWritten->unmatched.empty() &&
                         result.asWritten->buffered.good();
    return result.good() || depends ? Done : BadInput;
}

int exportCsvFile(const Context& context, const Options& options)
{
    const Source source = load(options);
    const TorchExport csv = exportTorchCsv(source.plan.schedule);
    if (options.output.empty() && !context.json)
        context.out << csv.csv;
    else if (!options.output.empty())
        writeWholeFile(options.output, [&csv](std::ostream& out) { out << csv.csv; });
    for (const std::string& part : csv.leftOut)
        context.warn("Left out, a CSV can't hold it: " + part);
    if (context.json)
        context.print(json{{"output", options.output}, {"csv", csv.csv}, {"left_out", csv.leftOut}});
    else if (!options.output.empty())
        context.print(fmt::format("Wrote {}.", options.output));
    return Done;
}

int importCsvFile(const Context& context, const Options& options)
{
    if (!isCsvFile(options.source))
        throw Error("{} is not a .csv file; `schedule import` reads PyTorch's schedule files.", options.source);
    Source source = load(options);
    std::string wrong;
    for (const Problem& problem : validate(source.plan.schedule))
        if (problem.severity == Problem::Severity::Error)
            wrong += "\n  " + problem.sentence;
    if (!wrong.empty())
        throw Error("{} can't run:{}", options.source, wrong);
    const Prediction prediction = predict(source.plan);
    const RunReport report = reportOf(source.experiment, prediction, OrderText::Compute);
    std::optional<int> id;
    if (!options.output.empty()) {
        Document document = Document::openOrCreate(options.output);
        id = store(document, source.experiment, prediction, report);
    }
    if (context.json) {
        json entry = toJson(report);
        entry["placement"] = source.imported->placement.text();
        entry["dialect"] = source.imported->dialect;
        entry["notes"] = source.imported->notes;
        context.print(json{{"runs", {entry}}, {"warnings", json::array()}});
        return Done;
    }
    context.print(fmt::format("{}: {} placement, {}", options.source, source.imported->placement.text(),
                              source.imported->dialect));
    for (const std::string& note : source.imported->notes)
        context.print(note);
    context.print(toText(report));
    if (id)
        context.print(fmt::format("Stored as {}:{}", options.output, *id));
    return Done;
}

void addVerb(CLI::App& schedule, Context& context, const char* name, const char* help,
             int (*verb)(const Context&, const Options&))
{
    CLI::App* command = subcommand(schedule, context, name, help);
    auto options = std::make_shared<Options>();
    command->add_option("source", options->source, "ID, ID:param=value,… or FILE.csv")->required();
    options->experiment.addTo(*command);
    command->remove_option(command->get_option("experiment"));
    command->add_option("-o,--output", options->output, "file to write");
    command->add_option("--width", options->width, "columns of the picture")->check(CLI::Range(20, 2000));
    command->callback(
        [&context, options, verb] { context.action = [&context, options, verb] { return verb(context, *options); }; });
}

} // namespace

void addSchedule(CLI::App& app, Context& context)
{
    CLI::App* command = app.add_subcommand("schedule", "orders: show, check, and PyTorch's CSV files");
    command->require_subcommand(1);
    addVerb(*command, context, "show", "print the order of each device and its picture", show);
    addVerb(*command, context, "check", "validate under buffered and rendezvous communication", check);
    addVerb(*command, context, "export", "write PyTorch's schedule CSV", exportCsvFile);
    addVerb(*command, context, "import", "read PyTorch's schedule CSV and predict it", importCsvFile);
}

} // namespace bubblescope::cli
