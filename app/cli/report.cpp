// `report` and `compare`: what stored runs say.

#include "app/cli/command.h"
#include "app/cli/prediction.h"
#include "core/analyze/compare.h"
#include "core/analyze/statistics.h"
#include "core/analyze/text.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace bubblescope::cli {
namespace {

using nlohmann::json;

/// Predicted beside measured for each kind of task, when the run has a prediction.
std::vector<KindComparison> perKind(const Document& document, const StoredRun& run)
{
    if (!run.info.header.parent)
        return {};
    const StoredRun parent = readRun(document, document.run(*run.info.header.parent));
    const Schedule& schedule = run.prediction.plan.schedule;
    std::vector<Nanoseconds> measured(schedule.tasks.size());
    for (TaskId id{}; id < schedule.tasks.size(); ++id)
        measured[id] = run.prediction.timing.end[id] - run.prediction.timing.start[id];
    return comparePerKind(schedule, parent.prediction.plan.costs, measured);
}

json kindsJson(const std::vector<KindComparison>& kinds)
{
    json all = json::array();
    for (const KindComparison& kind : kinds)
        all.push_back({{"work", workName(kind.work).name},
                       {"count", kind.count},
                       {"predicted_ns", kind.predicted},
                       {"measured_ns", kind.measured},
                       {"measured_median_ns", kind.measuredMedian}});
    return all;
}

std::string kindsText(const std::vector<KindComparison>& kinds)
{
    std::string text =
        fmt::format("{:<16} {:>8} {:>14} {:>14} {:>14}\n", "task", "count", "predicted", "mean", "median");
    for (const KindComparison& kind : kinds)
        text += fmt::format("{:<16} {:>8} {:>14} {:>14} {:>14}\n", workName(kind.work).name, kind.count,
                            timeText(kind.predicted), timeText(kind.measured), timeText(kind.measuredMedian));
    return text;
}

json entryOf(const StoredRun& run, const RunInfo& info, const std::vector<KindComparison>& kinds)
{
    json entry = toJson(run.report);
    entry["run"] = info.id;
    entry["label"] = runLabelText(info.header.label);
    entry["state"] = runStateText(info.outcome.state);
    if (!kinds.empty())
        entry["per_kind"] = kindsJson(kinds);
    if (!run.info.outcome.losses.empty())
        entry["losses"] = json::parse(run.info.outcome.losses);
    if (!run.info.outcome.verify.empty())
        entry["verify"] = json::parse(run.info.outcome.verify);
    return entry;
}

int report(const Context& context, const std::string& address, int step)
{
    const RunAddress parsed = parseRunAddress(address);
    const Document document = Document::open(parsed.path, Document::Mode::ReadOnly);
    const std::vector<RunInfo> listed = parsed.run ? std::vector{resolveRun(document, parsed)} : document.runs();
    if (listed.empty())
        throw Error("{} holds no runs yet; `bubblescope run … -o {}` adds some.", parsed.path, parsed.path);
    json all = json::array();
    for (const RunInfo& info : listed) {
        const StoredRun run = readRun(document, info, step);
        const std::vector<KindComparison> kinds = step < 0 ? perKind(document, run) : std::vector<KindComparison>{};
        if (context.json) {
            all.push_back(entryOf(run, info, kinds));
            continue;
        }
        context.print(fmt::format("Run {}: {} ({})\n{}", info.id, info.header.title, runLabelText(info.header.label),
                                  toText(run.report)));
        if (!kinds.empty())
            context.print(kindsText(kinds));
        if (!info.outcome.sentence.empty())
            context.print(info.outcome.sentence);
        context.print(std::string("\n"));
    }
    if (context.json)
        context.print(json{{"runs", all}});
    return Done;
}

int compare(const Context& context, const std::vector<std::string>& addresses)
{
    std::vector<RunReport> reports;
    for (const std::string& address : addresses) {
        const RunAddress parsed = parseRunAddress(address);
        const Document document = Document::open(parsed.path, Document::Mode::ReadOnly);
        if (parsed.run) {
            reports.push_back(readRun(document, resolveRun(document, parsed)).report);
            continue;
        }
        for (const RunInfo& info : document.runs())
            reports.push_back(readRun(document, info).report);
    }
    const Comparison comparison = compareRuns(std::move(reports));
    if (context.json)
        context.print(toJson(comparison));
    else
        context.print(toText(comparison));
    return Done;
}

} // namespace

void addReport(CLI::App& app, Context& context)
{
    CLI::App* command =
        subcommand(app, context, "report", "bubbles and their causes, memory and theory of stored runs");
    auto address = std::make_shared<std::string>();
    auto step = std::make_shared<int>(-1);
    command->add_option("run", *address, "FILE.bscope or FILE.bscope:RUN")->required();
    command->add_option("--step", *step, "only this step of a run, from 0")->check(CLI::NonNegativeNumber);
    command->callback([&context, address, step] {
        context.action = [&context, address, step] { return report(context, *address, *step); };
    });
}

void addCompare(CLI::App& app, Context& context)
{
    CLI::App* command = subcommand(app, context, "compare", "runs side by side: differences and why");
    auto addresses = std::make_shared<std::vector<std::string>>();
    command->add_option("runs", *addresses, "FILE.bscope or FILE.bscope:RUN, several")->required();
    command->callback(
        [&context, addresses] { context.action = [&context, addresses] { return compare(context, *addresses); }; });
}

} // namespace bubblescope::cli
