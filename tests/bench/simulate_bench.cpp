// The simulator on interleaved 1F1B, p=64 v=2: nanoseconds a task, generating, cold and warm.
//
// Baseline of the ratios: reading the schedule once, task after task, in the same run. "Warm" reuses
// the workspace; memory (peak activations of every device) and spans (start and end of every task) are
// included. "Cold" is the first simulation of a fresh workspace: first touch of memory dominates it.

#include "bench.h"
#include "core/schedule/registry.h"
#include "core/simulate/memory.h"
#include "core/simulate/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

namespace bubblescope::bench {
namespace {

/// Nanoseconds a task; the lowest of `repeats`.
template <class Work>
double nanoseconds(std::size_t tasks, int repeats, Work work)
{
    double best = 1e18;
    for (int i = 0; i < repeats; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        work();
        const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - begin;
        best = std::min(best, took.count() / static_cast<double>(tasks));
    }
    return best;
}

std::uint64_t readOnce(const Schedule& schedule)
{
    std::uint64_t sum = 0;
    for (const Task& task : schedule.tasks)
        sum += static_cast<std::uint64_t>(task.microbatch.value) + task.stage + static_cast<std::uint64_t>(task.work);
    return sum;
}

void measure(int microbatches)
{
    const RecipeInfo& info = recipe("interleaved-1f1b");
    const RecipeRequest request{64, 2, microbatches, parseRecipe(info.id).parameters};
    Schedule schedule;
    const double generate = nanoseconds(1, 1, [&] { schedule = buildSchedule(info, request); });
    const std::size_t tasks = schedule.tasks.size();
    Costs costs(schedule.shape.stages);
    costs.set(Work::Forward, unit);
    costs.set(Work::Backward, 2 * unit);
    const ActivationDeltas deltas = parseMemory("", false);
    Simulator simulator(schedule);
    Timing timing;
    std::int64_t peaks = 0;
    const auto once = [&] {
        simulator.run(costs, timing);
        for (const ActivationCurve& curve : activationCurves(schedule, timing, deltas, false))
            peaks += curve.peak;
    };
    const double cold = nanoseconds(tasks, 1, once);
    const int repeats = tasks > 2'000'000 ? 5 : 50;
    const double warm = nanoseconds(tasks, repeats, once);
    const double alone = nanoseconds(tasks, repeats, [&] { simulator.run(costs, timing); });
    std::uint64_t sum = 0;
    const double baseline = nanoseconds(tasks, repeats, [&] { sum += readOnce(schedule); });
    fmt::print("{:>10} tasks   generate {:6.1f}   cold {:6.1f}   warm {:6.2f} (simulation alone {:6.2f})   {:5.1f} × "
               "reading once ({:.2f}){}\n",
               tasks, generate / static_cast<double>(tasks), cold, warm, alone, warm / baseline, baseline,
               sum + static_cast<std::uint64_t>(peaks) == 1 ? " " : "");
}

} // namespace

void benchSimulate()
{
    fmt::print("simulate: ns a task, interleaved-1f1b p=64 v=2, memory and spans included\n");
    for (const int microbatches : {64, 1024, 4096, 39040})
        measure(microbatches);
}

} // namespace bubblescope::bench
