#include "tests/support/execution.h"

#include "core/trace/trace_sink.h"

namespace bubblescope::test {

Schedule scheduleOf(const std::string& recipe, int devices, int microbatches, int chunks, int steps)
{
    const RecipeSpec spec = parseRecipe(recipe);
    const RecipeInfo& info = bubblescope::recipe(spec.id);
    RecipeRequest request{.devices = devices,
                          .chunks = chunks > 0 ? chunks : info.defaultChunks,
                          .microbatches = microbatches,
                          .parameters = spec.parameters,
                          .costs = nullptr};
    return buildSchedule(info, request, steps);
}

Costs unitCosts(const Schedule& schedule)
{
    Costs costs(schedule.shape.allStages());
    costs.set(Work::Forward, unit);
    costs.set(Work::Backward, 2 * unit);
    costs.set(Work::InputGradient, unit);
    costs.set(Work::WeightGradient, unit);
    return costs;
}

Backend toyBackend(const ToyMaker& maker, const Schedule& schedule, std::vector<int> partition)
{
    if (partition.empty())
        partition.assign(static_cast<std::size_t>(schedule.shape.stages), 1);
    Backend backend;
    backend.kind = Backend::Kind::Cpu;
    backend.maker = &maker;
    backend.partition = std::move(partition);
    return backend;
}

RunResult run(const Schedule& schedule, const Costs& costs, const Backend& backend, RunOptions options)
{
    TraceCollector sink;
    const Progress progress;
    return execute({schedule, costs}, backend, options, sink, progress);
}

} // namespace bubblescope::test
