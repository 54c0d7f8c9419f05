// `list` and `explain`: the registry for people and for programs.

#include "app/cli/command.h"
#include "core/experiment.h"
#include "core/schedule/ascii_timeline.h"
#include "core/schedule/registry.h"
#include "core/simulate/simulate.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace bubblescope::cli {
namespace {

using nlohmann::json;

json describe(const RecipeInfo& info)
{
    json parameters = json::array();
    for (const RecipeParameter& parameter : info.parameters) {
        json entry = {{"name", parameter.name}, {"help", parameter.help}, {"default", parameter.defaultValue}};
        if (!parameter.choices.empty())
            entry["choices"] = parameter.choices;
        else if (parameter.kind != RecipeParameter::Kind::Text)
            entry.update({{"minimum", parameter.minimum}, {"maximum", parameter.maximum}});
        parameters.push_back(std::move(entry));
    }
    return {
        {"id", info.id},
        {"title", info.title},
        {"paper", info.paper},
        {"idea", info.idea},
        {"parameters", parameters},
        {"chunks", {{"default", info.defaultChunks}, {"minimum", info.minimumChunks}, {"maximum", info.maximumChunks}}},
        {"splits_backward", info.splitsBackward},
        {"constraints", info.constraints},
        {"formulas", info.formulas}};
}

std::string valuesOf(const RecipeParameter& parameter)
{
    if (!parameter.choices.empty())
        return fmt::format("{}", fmt::join(parameter.choices, "|"));
    if (parameter.kind == RecipeParameter::Kind::Text)
        return "…";
    return fmt::format("{}…{}", parameter.minimum, parameter.maximum);
}

int listSchedules(const Context& context)
{
    if (context.json) {
        json all = json::array();
        for (const RecipeInfo& info : recipes())
            all.push_back(describe(info));
        context.print(json{{"schedules", all}});
        return Done;
    }
    for (const RecipeInfo& info : recipes()) {
        context.print(fmt::format("{:<18} {}", info.id, info.idea));
        for (const RecipeParameter& parameter : info.parameters)
            context.print(fmt::format("{:<18}   {}={} ({})", "", parameter.name, valuesOf(parameter), parameter.help));
    }
    return Done;
}

int listBackends(const Context& context)
{
    const json backends = {
        {{"id", "cpu"}, {"title", "a real transformer on this machine's cores, one worker per device"}},
        {{"id", "paced"}, {"title", "the same engine; every task takes its modelled time (emulated)"}}};
    if (context.json) {
        context.print(json{{"backends", backends}});
        return Done;
    }
    for (const json& backend : backends)
        context.print(fmt::format("{:<8} {}", backend["id"].get<std::string>(), backend["title"].get<std::string>()));
    return Done;
}

/// The schedule in its smallest telling form: four devices, eight microbatches, unit costs.
std::string figure(const RecipeInfo& info)
{
    Experiment experiment;
    const Plan small = plan(experiment, parseRecipe(info.id));
    return asciiTimeline(small.schedule, simulate(small.schedule, small.costs));
}

int explain(const Context& context, const std::string& id)
{
    const RecipeInfo& info = recipe(id);
    if (context.json) {
        json page = describe(info);
        page["page"] = info.page;
        page["figure"] = figure(info);
        context.print(page);
        return Done;
    }
    context.print(fmt::format("{} ({})\n{}\n\n{}\n\n{}\n", info.title, info.id, info.paper, info.idea, info.page));
    context.print(fmt::format("Four devices, eight microbatches, F=1{}:\n\n{}",
                              info.splitsBackward ? ", I=1, W=1" : ", B=2", figure(info)));
    context.print(fmt::format("Closed forms  {}\nConstraints   {}", info.formulas, info.constraints));
    for (const RecipeParameter& parameter : info.parameters)
        context.print(
            fmt::format("Parameter     {}: {} (default {})", parameter.name, parameter.help, parameter.defaultValue));
    return Done;
}

} // namespace

void addList(CLI::App& app, Context& context)
{
    CLI::App* command = subcommand(app, context, "list", "schedules or backends that there are");
    auto what = std::make_shared<std::string>("schedules");
    command->add_option("what", *what, "schedules or backends")->check(CLI::IsMember({"schedules", "backends"}));
    command->callback([&context, what] {
        context.action = [&context, what] {
            return *what == "backends" ? listBackends(context) : listSchedules(context);
        };
    });
}

void addExplain(CLI::App& app, Context& context)
{
    CLI::App* command = subcommand(app, context, "explain", "one schedule as a handbook page");
    auto id = std::make_shared<std::string>();
    command->add_option("id", *id, "id of a schedule")->required();
    command->callback([&context, id] { context.action = [&context, id] { return explain(context, *id); }; });
}

} // namespace bubblescope::cli
