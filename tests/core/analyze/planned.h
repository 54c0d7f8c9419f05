// A schedule planned, simulated and explained in one call, and short texts of what came out, in teaching units.

#pragma once

#include "core/analyze/idle.h"
#include "core/experiment.h"
#include "core/simulate/simulate.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <fstream>
#include <string>

namespace bubblescope::test {

struct Planned {
    Plan plan;
    Timing timing;
    IdleReport idle;

    const Schedule& schedule() const { return plan.schedule; }
};

inline Experiment experiment(int stages, int microbatches, const std::string& cost = "F=1,B=2")
{
    Experiment experiment;
    experiment.stages = stages;
    experiment.microbatches = microbatches;
    experiment.cost = cost;
    return experiment;
}

inline Planned planned(const Experiment& experiment, const std::string& recipe)
{
    Planned result;
    result.plan = plan(experiment, parseRecipe(recipe));
    result.timing = simulate(result.plan.schedule, result.plan.costs);
    result.idle = explainIdle(result.plan.schedule, result.plan.costs, result.timing);
    return result;
}

inline double units(Nanoseconds time)
{
    return static_cast<double>(time) / static_cast<double>(unit);
}

/// "warmup 6, drain 3": the causes that aren't 0.
inline std::string text(const CauseTimes& causes)
{
    std::string text;
    for (std::size_t i = 0; i < causes.size(); ++i)
        if (causes[i] != 0)
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", idleCauseName(static_cast<IdleCause>(i)),
                                units(causes[i]));
    return text;
}

inline std::string text(const Gap& gap)
{
    return fmt::format("[{},{}) {}", units(gap.start), units(gap.end), text(gap.cause));
}

/// The task with this identity, such as "0B1".
inline TaskId taskNamed(const Schedule& schedule, const std::string& name)
{
    for (TaskId id{}; id < schedule.tasks.size(); ++id)
        if (toText(schedule.tasks[id]) == name)
            return id;
    return noTask;
}

/// The gap before the task, or an empty one.
inline Gap gapBefore(const Planned& run, const std::string& name)
{
    for (const Gap& gap : run.idle.gaps)
        if (gap.before != noTask && toText(run.schedule().tasks[gap.before]) == name)
            return gap;
    return {};
}

/// "1B0 [8.75,10.75) < 2B0 [6.25,8.75)".
inline std::string text(const Schedule& schedule, const std::vector<ChainTile>& chain)
{
    static constexpr const char* kinds[] = {"", "transfer ", "group ", "copy ", "arrival ", "overhead "};
    std::string text;
    for (const ChainTile& tile : chain)
        text += fmt::format("{}{}{} [{},{})", text.empty() ? "" : " < ", kinds[static_cast<std::size_t>(tile.kind)],
                            tile.task == noTask ? "-" : toText(schedule.tasks[tile.task]), units(tile.start),
                            units(tile.end));
    return text;
}

inline nlohmann::json readCase(const std::string& name)
{
    std::ifstream file(std::string(BUBBLESCOPE_TEST_DATA) + "/cases/" + name + ".json");
    return nlohmann::json::parse(file);
}

} // namespace bubblescope::test
