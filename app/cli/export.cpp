// `export` and `info`: a document for other tools, and what is in it.

#include "app/cli/command.h"
#include "app/cli/prediction.h"
#include "core/analyze/text.h"
#include "core/schedule/torch_csv.h"
#include "core/trace/export_chrome.h"
#include "core/trace/export_csv.h"
#include "core/trace/whole_file.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <ostream>

namespace bubblescope::cli {
namespace {

using nlohmann::json;

struct ExportOptions {
    std::string run;
    std::string format = "chrome";
    std::string output;
};

int exportRun(const Context& context, const ExportOptions& options)
{
    const RunAddress address = parseRunAddress(options.run);
    const Document document = Document::open(address.path, Document::Mode::ReadOnly);
    const RunInfo info = resolveRun(document, address);
    json result = {{"run", info.id}, {"format", options.format}, {"output", options.output}};
    if (options.format == "torch-csv") {
        const StoredRun run = readRun(document, info);
        const TorchExport csv = exportTorchCsv(run.prediction.plan.schedule);
        writeWholeFile(options.output, [&csv](std::ostream& out) { out << csv.csv; });
        result["left_out"] = csv.leftOut;
        for (const std::string& part : csv.leftOut)
            context.warn("Left out, a CSV can't hold it: " + part);
    } else {
        const Trace trace = document.readTrace(info.id);
        result["spans"] = trace.spanCount();
        if (options.format == "csv")
            exportCsv(trace, options.output);
        else
            exportChrome(trace, {info.header.title, runLabelText(info.header.label), info.header.devices},
                         options.output);
    }
    if (context.json)
        context.print(result);
    else
        context.print(fmt::format("Wrote run {} of {} to {}.", info.id, address.path, options.output));
    return Done;
}

json describe(const RunInfo& info)
{
    json entry = {{"run", info.id},
                  {"title", info.header.title},
                  {"schedule", info.header.recipe},
                  {"label", runLabelText(info.header.label)},
                  {"state", runStateText(info.outcome.state)},
                  {"sentence", info.outcome.sentence},
                  {"spans", info.spans},
                  {"begin_ns", info.begin},
                  {"end_ns", info.end},
                  {"program", info.programVersion},
                  {"host", info.host},
                  {"created_ms", info.createdMs},
                  {"parent", info.header.parent ? json(*info.header.parent) : json(nullptr)}};
    if (!info.outcome.summary.empty()) {
        const json summary = json::parse(info.outcome.summary);
        for (const char* field : {"makespan_ns", "bubble_rate"})
            if (summary.contains(field))
                entry[field] = summary[field];
    }
    return entry;
}

int showInfo(const Context& context, const std::string& path)
{
    const Document document = Document::open(parseRunAddress(path).path, Document::Mode::ReadOnly);
    const std::vector<RunInfo> runs = document.runs();
    if (context.json) {
        json all = json::array();
        for (const RunInfo& info : runs)
            all.push_back(describe(info));
        context.print(json{{"document", document.path()}, {"runs", all}, {"notes", document.notes().size()}});
        return Done;
    }
    context.print(fmt::format("{}: {} runs", document.path(), runs.size()));
    for (const RunInfo& info : runs) {
        const json entry = describe(info);
        const std::string bubble = entry.contains("bubble_rate")
                                       ? fmt::format("bubble {:.1f} %", 100 * entry["bubble_rate"].get<double>())
                                       : std::string();
        context.print(fmt::format("{:>4}  {:<20} {:<34} {:<12} {:>10} spans  {:>12}  {}", info.id, info.header.recipe,
                                  runLabelText(info.header.label), runStateText(info.outcome.state), info.spans,
                                  timeText(info.end - info.begin), bubble));
        if (!info.outcome.sentence.empty())
            context.print("      " + info.outcome.sentence);
    }
    return Done;
}

} // namespace

void addExport(CLI::App& app, Context& context)
{
    CLI::App* command = subcommand(app, context, "export", "a run for other tools");
    auto options = std::make_shared<ExportOptions>();
    command->add_option("run", options->run, "FILE.bscope:RUN")->required();
    command->add_option("--format", options->format, "chrome (Perfetto, chrome://tracing), csv or torch-csv")
        ->check(CLI::IsMember({"chrome", "csv", "torch-csv"}));
    command->add_option("-o,--output", options->output, "file to write")->required();
    command->callback(
        [&context, options] { context.action = [&context, options] { return exportRun(context, *options); }; });
}

void addInfo(CLI::App& app, Context& context)
{
    CLI::App* command = subcommand(app, context, "info", "what is in a document");
    auto path = std::make_shared<std::string>();
    command->add_option("document", *path, "FILE.bscope")->required();
    command->callback([&context, path] { context.action = [&context, path] { return showInfo(context, *path); }; });
}

} // namespace bubblescope::cli
