// `search`: the best schedule under a memory limit, and how far from the best possible it is.

#include "core/schedule/search/search.h"

#include "app/cli/command.h"
#include "app/cli/experiment_options.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace bubblescope::cli {
namespace {

using nlohmann::json;

double units(Nanoseconds time)
{
    return static_cast<double>(time) / unit;
}

json toJson(const SearchCandidate& candidate)
{
    return {{"schedule", candidate.spec().id},
            {"recipe", candidate.spec().text()},
            {"parameters", candidate.spec().parameters},
            {"chunks", candidate.experiment.chunks},
            {"makespan_ns", candidate.makespan},
            {"bubble_rate", candidate.bubbleRate},
            {"peak_activations", candidate.peakActivations},
            {"weight_copies", candidate.weightCopies},
            {"one_chunk", candidate.oneChunk},
            {"lower_bound_ns", candidate.lowerBound},
            {"above_lower_bound", candidate.aboveBound()}};
}

json toJson(const SearchResult& result)
{
    json candidates = json::array();
    for (const SearchCandidate& candidate : result.candidates)
        candidates.push_back(toJson(candidate));
    json leftOut = json::array();
    for (const SearchLeftOut& family : result.leftOut)
        leftOut.push_back({{"schedule", family.id}, {"reason", family.reason}});
    return {{"memory_limit", result.limit > 0 ? json(result.limit) : json()},
            {"best", candidates.empty() ? json() : candidates.front()},
            {"candidates", std::move(candidates)},
            {"left_out", std::move(leftOut)},
            {"lower_bound_ns", result.lowerBound},
            {"one_chunk_lower_bound_ns", result.oneChunkLowerBound},
            {"tried", result.tried},
            {"skipped", result.skipped}};
}

std::string toText(const SearchResult& result)
{
    const SearchCandidate& best = result.candidates.front();
    std::string text = fmt::format("{:<34} {:>6} {:>10} {:>8} {:>8} {:>8}\n", "schedule", "chunks", "makespan",
                                   "bubble", "peak", "weights");
    for (const SearchCandidate& candidate : result.candidates)
        text += fmt::format("{:<34} {:>6} {:>10.6g} {:>6.2f} % {:>8.4g} {:>7.3g}x\n", candidate.spec().text(),
                            candidate.experiment.chunks, units(candidate.makespan), 100 * candidate.bubbleRate,
                            candidate.peakActivations, candidate.weightCopies);
    text += fmt::format("\nBest: {}, {:.2f} % above the lower bound of {:g} ({}).\n", best.spec().text(),
                        100 * best.aboveBound(), units(best.lowerBound),
                        best.oneChunk ? "of every order with one chunk a device under this limit"
                                      : "of any schedule: all work spread evenly, or one microbatch there and back");
    if (result.skipped > 0)
        text += fmt::format("{} further variants were left out to answer soon.\n", result.skipped);
    if (!result.leftOut.empty())
        text += "\nLeft out:\n";
    for (const SearchLeftOut& family : result.leftOut)
        text += fmt::format("  {}: {}\n", family.id, family.reason);
    return text;
}

int search(const Context& context, const ExperimentOptions& options)
{
    const Experiment experiment = options.experiment();
    watchInterrupts();
    Progress progress([&, bar = context.progressBar()](double fraction, const std::string& message) {
        if (bar)
            bar(fraction, message);
        if (interrupted())
            progress.cancel();
    });
    const SearchResult result = searchSchedules(experiment, progress);
    context.endProgress();
    if (context.json)
        context.print(toJson(result));
    if (result.candidates.empty()) {
        std::string reasons;
        for (const SearchLeftOut& family : result.leftOut)
            reasons += fmt::format("\n  {}: {}", family.id, family.reason);
        throw Error("no schedule fits:{}", reasons);
    }
    if (!context.json)
        context.print(toText(result));
    return Done;
}

} // namespace

void addSearch(CLI::App& app, Context& context)
{
    CLI::App* command = subcommand(app, context, "search", "find the best schedule under a memory limit");
    auto options = std::make_shared<ExperimentOptions>();
    options->addTo(*command);
    command->remove_option(command->get_option("--schedule"));
    command->remove_option(command->get_option("--steps"));
    command->callback(
        [&context, options] { context.action = [&context, options] { return search(context, *options); }; });
}

} // namespace bubblescope::cli
