// The exact solver: optima that can be checked by hand, every order of tiny pipelines, and what it says when it stops early.

#include "core/base/error.h"
#include "core/schedule/registry.h"
#include "core/schedule/search/exact.h"
#include "core/schedule/search/split_heuristics.h"
#include "core/simulate/simulate.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <functional>
#include <random>

using namespace bubblescope;

namespace {

SplitPipeline pipelineOf(int stages, int microbatches, double limit)
{
    SplitPipeline pipeline(RecipeRequest{.devices = stages, .microbatches = microbatches, .parameters = {}});
    pipeline.limit = static_cast<std::int64_t>(limit * 1e6);
    return pipeline;
}

ExactResult solve(const SplitPipeline& pipeline, SplitObjective objective = SplitObjective::Makespan,
                  std::int64_t nodes = 1'000'000)
{
    return solveExactly(pipeline, objective, bestHeuristicLanes(pipeline, SplitObjective::Makespan), nodes, Progress());
}

/// Random stages, hops, memory deltas and limit.
SplitPipeline drawn(std::mt19937& random, int mostStages, int mostMicrobatches)
{
    const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
    SplitPipeline pipeline = pipelineOf(pick(1, mostStages), pick(1, mostMicrobatches), 0);
    for (auto& stage : pipeline.cost)
        for (Nanoseconds& cost : stage)
            cost = pick(2, 15);
    const Nanoseconds hop = pick(0, 4);
    for (std::size_t s = 1; s < pipeline.cost.size(); ++s)
        pipeline.down[s - 1] = pipeline.up[s] = hop;
    const std::vector<std::array<std::int64_t, 3>> memories{
        {1'000'000, 0, -1'000'000}, {1'000'000, -500'000, -500'000}, {1'000'000, 250'000, -1'250'000}};
    pipeline.held = memories[static_cast<std::size_t>(pick(0, 2))];
    pipeline.limit = pipeline.smallestLimit() + 250'000 * pick(0, 4 * pipeline.stages);
    return pipeline;
}

/// Every lane of one stage that keeps the limit.
std::vector<std::string> words(const SplitPipeline& pipeline)
{
    std::vector<std::string> all;
    const std::function<void(const std::string&, int, int, int)> extend = [&](const std::string& word, int f, int i,
                                                                              int w) {
        if (f * pipeline.held[0] + i * pipeline.held[1] + w * pipeline.held[2] > pipeline.limit)
            return;
        if (w == pipeline.microbatches)
            all.push_back(word);
        if (f < pipeline.microbatches)
            extend(word + 'F', f + 1, i, w);
        if (i < f)
            extend(word + 'I', f, i + 1, w);
        if (w < i)
            extend(word + 'W', f, i, w + 1);
    };
    extend("", 0, 0, 0);
    return all;
}

Nanoseconds bestOfAll(const SplitPipeline& pipeline, SplitObjective objective)
{
    const std::vector<std::string> lanes = words(pipeline);
    Nanoseconds best = INT64_MAX;
    SplitLanes chosen(static_cast<std::size_t>(pipeline.stages));
    const std::function<void(std::size_t)> choose = [&](std::size_t stage) {
        if (stage == chosen.size()) {
            best = std::min(best, valueOf(measure(pipeline, chosen), objective));
            return;
        }
        for (const std::string& lane : lanes) {
            chosen[stage] = lane;
            choose(stage + 1);
        }
    };
    choose(0);
    return best;
}

} // namespace

TEST_CASE("optima that can be checked by hand", "[schedule][search]")
{
    const auto makespan = [](int p, int m, double limit) {
        const ExactResult result = solve(pipelineOf(p, m, limit));
        CHECK(result.proved);
        CHECK(result.bound == result.measured.makespan);
        CHECK(result.measured.peak <= limit * 1e6);
        return result.measured.makespan / unit;
    };
    CHECK(makespan(1, 3, 1) == 9);  // one device never waits
    CHECK(makespan(2, 1, 1) == 5);  // F F I I W
    CHECK(makespan(2, 2, 1) == 10); // one microbatch after another: W of device 0 frees what the next F takes
    CHECK(makespan(3, 2, 1) == 14); // F F F I I I W, twice
    CHECK(makespan(2, 2, 2) == 7);  // the last device starts at 1 and has 6 to do
    CHECK(makespan(4, 8, 4) == 27); // 3 + 24: ZB-H1 is optimal
    CHECK(makespan(4, 6, 8) == 21); // 3 + 18
    CHECK(solve(pipelineOf(4, 8, 7), SplitObjective::Span).measured.span == 24 * unit); // no bubble: ZB-H2
    CHECK(solve(pipelineOf(4, 8, 4), SplitObjective::Span).measured.span == 27 * unit); // (p-1)(F+I-W) as proved in 2.1
}

TEST_CASE("the exact solver finds what trying every order finds", "[schedule][search]")
{
    std::mt19937 random(5); // NOLINT: the same cases every time
    for (int i = 0; i < 120; ++i) {
        const SplitPipeline pipeline = drawn(random, 3, i % 4 == 0 ? 3 : 2);
        for (const SplitObjective objective : {SplitObjective::Makespan, SplitObjective::Span}) {
            CAPTURE(pipeline.stages, pipeline.microbatches, pipeline.limit);
            const ExactResult result = solve(pipeline, objective);
            const Nanoseconds best = bestOfAll(pipeline, objective);
            CHECK(result.proved);
            CHECK(valueOf(measure(pipeline, result.lanes), objective) == best);
            CHECK(result.bound == best);
            CHECK(lowerBound(pipeline, objective) <= best);
            CHECK(result.measured.peak <= pipeline.limit);
        }
    }
}

TEST_CASE("four stages and six microbatches are proved quickly", "[schedule][search]")
{
    std::mt19937 random(6); // NOLINT: the same cases every time
    for (int i = 0; i < 40; ++i) {
        SplitPipeline pipeline = drawn(random, 4, 6);
        const ExactResult result = solve(pipeline, SplitObjective::Makespan, 200'000);
        CHECK(result.proved);
        CHECK(result.nodes < 100'000);
    }
}

TEST_CASE("a search that runs out of nodes says how far from the optimum it may be", "[schedule][search]")
{
    std::mt19937 random(7); // NOLINT: the same cases every time
    int stopped = 0;
    for (int i = 0; i < 200; ++i) {
        const SplitPipeline pipeline = drawn(random, 4, 5);
        const ExactResult whole = solve(pipeline);
        const ExactResult cut = solve(pipeline, SplitObjective::Makespan, 3);
        CHECK(cut.bound <= whole.measured.makespan);
        CHECK(cut.measured.makespan >= whole.measured.makespan);
        CHECK((!cut.proved || cut.measured.makespan == whole.measured.makespan));
        stopped += cut.proved ? 0 : 1;
    }
    CHECK(stopped > 10);
}

TEST_CASE("a search can be watched and cancelled", "[schedule][search]")
{
    std::mt19937 random(8); // NOLINT: the same cases every time
    SplitPipeline hard = pipelineOf(6, 10, 5.5);
    for (auto& stage : hard.cost)
        for (Nanoseconds& cost : stage)
            cost = std::uniform_int_distribution<int>(200, 1500)(random);
    double last = -1;
    Progress* control = nullptr;
    Progress progress([&](double fraction, const std::string&) {
        CHECK(fraction >= last);
        CHECK(fraction <= 1);
        last = fraction;
        control->cancel();
    });
    control = &progress;
    CHECK_THROWS_AS(solveExactly(hard, SplitObjective::Makespan, bestHeuristicLanes(hard, SplitObjective::Makespan),
                                 INT64_MAX, progress),
                    Cancelled);
    CHECK(last >= 0);
}

TEST_CASE("zb-auto:solver=exact is never longer than the heuristics and refuses what it can't prove",
          "[schedule][search][zb-auto]")
{
    Costs costs(4);
    for (int stage = 0; stage < 4; ++stage) {
        costs.set(Work::Forward, Stage(stage), 700 + 300 * stage);
        costs.set(Work::InputGradient, Stage(stage), 1900 - 350 * stage);
        costs.set(Work::WeightGradient, Stage(stage), 600 + 411 * (stage % 2));
    }
    const auto makespan = [&](const std::string& text, int m) {
        const RecipeSpec spec = parseRecipe(text);
        const RecipeRequest request{.devices = 4, .microbatches = m, .parameters = spec.parameters, .costs = &costs};
        return simulate(buildSchedule(recipe(spec.id), request), costs).makespan();
    };
    bool shorter = false;
    for (const char* limit : {"2", "2.5", "3", "1p", "2p"}) {
        const Nanoseconds found = makespan(fmt::format("zb-auto:limit={},objective=makespan", limit), 6);
        const Nanoseconds best = makespan(fmt::format("zb-auto:limit={},objective=makespan,solver=exact", limit), 6);
        CHECK(best <= found);
        shorter = shorter || best < found;
    }
    CHECK(shorter);
    CHECK_THROWS_WITH(makespan("zb-auto:solver=exact", 9), Catch::Contains("4 times 9 are 36; 8 microbatches"));
}
