// Searching for orders: how long it takes, and how far the heuristics are from the optimum.
//
// zb-auto and the search over families at the sizes of the zero-bubble paper; the exact solver on random
// stages (costs within a factor of seven) at sizes that it proves.

#include "bench.h"
#include "core/schedule/search/exact.h"
#include "core/schedule/search/paths.h"
#include "core/schedule/search/search.h"
#include "core/schedule/search/slice_sizes.h"
#include "core/schedule/search/split_heuristics.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <tuple>

namespace bubblescope::bench {
namespace {

template <class Work>
double milliseconds(Work work)
{
    const auto begin = std::chrono::steady_clock::now();
    work();
    const std::chrono::duration<double, std::milli> took = std::chrono::steady_clock::now() - begin;
    return took.count();
}

SplitPipeline pipelineOf(int stages, int microbatches, double limit)
{
    SplitPipeline pipeline(RecipeRequest{.devices = stages, .microbatches = microbatches, .parameters = {}});
    pipeline.limit = static_cast<std::int64_t>(limit * 1e6);
    return pipeline;
}

void heuristics()
{
    for (const auto& [p, m] : {std::pair(8, 64), std::pair(16, 256), std::pair(32, 256), std::pair(64, 1024)}) {
        const SplitPipeline pipeline = pipelineOf(p, m, p);
        SplitLanes lanes;
        const double took = milliseconds([&] { lanes = bestHeuristicLanes(pipeline, SplitObjective::Makespan); });
        fmt::print("zb-auto   p={:<3} m={:<5} {:8.1f} ms  {:7.0f} ns a task\n", p, m, took, 1e6 * took / (3.0 * p * m));
    }
}

void exact()
{
    for (const auto& [p, m] : {std::pair(4, 6), std::pair(4, 8), std::pair(8, 4), std::pair(2, 16)}) {
        std::mt19937 random(1); // NOLINT: the same cases every time
        const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
        constexpr int cases = 50;
        double all = 0;
        double longest = 0;
        double gap = 0;
        int proved = 0;
        for (int i = 0; i < cases; ++i) {
            SplitPipeline pipeline = pipelineOf(p, m, 1 + 0.25 * pick(0, 8 * p));
            for (auto& stage : pipeline.cost)
                for (Nanoseconds& cost : stage)
                    cost = pick(200, 1500);
            SplitLanes found = bestHeuristicLanes(pipeline, SplitObjective::Makespan);
            const Nanoseconds before = measure(pipeline, found).makespan;
            ExactResult result;
            const double took = milliseconds([&] {
                result = solveExactly(pipeline, SplitObjective::Makespan, std::move(found), 1'000'000, Progress());
            });
            all += took;
            longest = std::max(longest, took);
            gap = std::max(gap, static_cast<double>(before) / static_cast<double>(result.measured.makespan) - 1);
            proved += result.proved ? 1 : 0;
        }
        fmt::print("exact     p={:<3} m={:<5} {:8.1f} ms  longest {:.1f} ms, {} of {} proved, zb-auto at most {:.1f} % "
                   "above\n",
                   p, m, all / cases, longest, proved, cases, 100 * gap);
    }
}

void families()
{
    for (const auto& [p, m] : {std::pair(4, 6), std::pair(16, 256), std::pair(32, 256)}) {
        Experiment experiment;
        experiment.stages = p;
        experiment.microbatches = m;
        experiment.memoryLimit = p;
        experiment.cost = "F=1,I=1,W=1";
        SearchResult result;
        const double took = milliseconds([&] { result = searchSchedules(experiment, Progress()); });
        fmt::print(
            "search    p={:<3} m={:<5} {:8.1f} ms  {} variants simulated, {} skipped; best {}, {:.2f} % above the "
            "bound\n",
            p, m, took, result.tried, result.skipped, result.candidates.front().spec().text(),
            100 * result.candidates.front().aboveBound());
    }
}

/// v-auto over building blocks, at the memory of V-Half and at that of 1F1B.
void blocks()
{
    for (const auto& [p, m] : {std::pair(8, 64), std::pair(16, 256), std::pair(32, 256)})
        for (const int limit : {(p + 2) / 2, p}) {
            const RecipeRequest request{
                .devices = p, .chunks = 2, .microbatches = m, .parameters = {{"limit", std::to_string(limit)}}};
            Schedule schedule;
            const double took = milliseconds([&] { schedule = buildSchedule(recipe("v-auto"), request); });
            fmt::print("v-auto    p={:<3} m={:<5} {:8.1f} ms  {:7.0f} ns a task, limit {}\n", p, m, took,
                       1e6 * took / static_cast<double>(schedule.tasks.size()), limit);
        }
}

/// SkipPipe's paths: a quarter of the stages skipped, one node a stage; the first plan and after replanning.
void paths()
{
    for (const auto& [nodes, m, rounds] : {std::tuple(6, 6, 64), std::tuple(16, 256, 2), std::tuple(16, 256, 64),
                                           std::tuple(32, 256, 64), std::tuple(16, 1024, 2), std::tuple(16, 4096, 2)}) {
        PathProblem problem;
        problem.nodes.assign(static_cast<std::size_t>(nodes), 1);
        problem.forward.assign(problem.nodes.size(), unit);
        problem.backward.assign(problem.nodes.size(), 2 * unit);
        problem.microbatches = m;
        problem.length = nodes - nodes / 4;
        problem.rounds = rounds;
        PathPlan plan;
        const double took = milliseconds([&] { plan = findPaths(problem, Progress()); });
        const double bound = 3.0 * m + 3.0 * (problem.length - 1); // the first stage's work, and the way of one
        fmt::print(
            "paths     p={:<3} m={:<5} {:8.1f} ms  {:7.0f} ns a visit, {} rounds; {:.1f} % above the bound, first "
            "plan {:.1f} %\n",
            nodes, m, took, 1e6 * took / (2.0 * m * problem.length), rounds,
            100 * (static_cast<double>(plan.finish) / unit / bound - 1),
            100 * (static_cast<double>(plan.firstFinish) / unit / bound - 1));
    }
}

/// TeraPipe's programme: attention as dear as everything else, a slice's own cost a fiftieth of that.
void slices()
{
    for (const int length : {32, 64, 128, 256}) {
        constexpr int stages = 16;
        const auto latency = [length](int group, int slice, int context) {
            const double l = static_cast<double>(slice) / length;
            const double c = static_cast<double>(context) / length;
            return 0.02 + group * (l + l * (2 * c + l));
        };
        SliceSizes sizes;
        const double took = milliseconds([&] {
            sizes = bestSliceSizes(
                {.length = length, .stages = stages, .sequences = 1, .largestGroup = 1, .latency = latency});
        });
        fmt::print("slices    p={:<3} L={:<5} {:8.1f} ms  {} slices, {:.1f} % above the work of one stage\n", stages,
                   length, took, sizes.groups.front().lengths.size(), 100 * (sizes.time / 2 - 1));
    }
}

} // namespace

void benchSearch()
{
    fmt::print("search: memory limit p, F=I=W unless said otherwise\n");
    heuristics();
    exact();
    families();
    blocks();
    paths();
    slices();
}

} // namespace bubblescope::bench
