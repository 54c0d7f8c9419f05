// The search over families under a memory limit.

#include "core/base/error.h"
#include "core/schedule/search/exact.h"
#include "core/schedule/search/search.h"
#include "core/schedule/search/split_heuristics.h"
#include "core/simulate/simulate.h"

#include <catch2/catch.hpp>

#include <random>

using namespace bubblescope;

namespace {

Experiment experimentOf(int stages, int microbatches, double limit, const std::string& cost = "F=1,I=1,W=1")
{
    Experiment experiment;
    experiment.stages = stages;
    experiment.microbatches = microbatches;
    experiment.memoryLimit = limit;
    experiment.cost = cost;
    return experiment;
}

SearchResult search(const Experiment& experiment)
{
    return searchSchedules(experiment, Progress());
}

std::string reasonOf(const SearchResult& result, const std::string& id)
{
    for (const SearchLeftOut& family : result.leftOut)
        if (family.id == id)
            return family.reason;
    return {};
}

} // namespace

TEST_CASE("the search comes within 3 % of the exact optimum for four stages and six microbatches", "[schedule][search]")
{
    std::mt19937 random(9); // NOLINT: the same cases every time
    const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
    for (int i = 0; i < 40; ++i) {
        Experiment experiment = experimentOf(pick(1, 4), pick(1, 6), 1 + 0.5 * pick(0, 12));
        experiment.memory = i % 2 == 0 ? "" : "F=1,I=-0.5,W=-0.5";
        experiment.comm = 0.1 * pick(0, 4);
        for (int stage = 0; stage < experiment.stages; ++stage)
            experiment.stageCosts.push_back({{"F", pick(2, 15)}, {"I", pick(2, 15)}, {"W", pick(2, 15)}});
        CAPTURE(experiment.stages, experiment.microbatches, experiment.memoryLimit, experiment.memory, experiment.comm);
        const SearchResult result = search(experiment);

        const Plan plain = plan(experiment, parseRecipe("zb-h1"));
        RecipeRequest request = plain.request;
        request.costs = &plain.costs;
        request.deltas = &plain.deltas;
        SplitPipeline pipeline(request);
        pipeline.limit = static_cast<std::int64_t>(experiment.memoryLimit * 1e6);
        const ExactResult exact =
            solveExactly(pipeline, SplitObjective::Makespan, bestHeuristicLanes(pipeline, SplitObjective::Makespan),
                         1'000'000, Progress());
        REQUIRE(exact.proved);
        REQUIRE_FALSE(result.candidates.empty());
        CHECK(static_cast<double>(result.candidates.front().makespan) <=
              1.03 * static_cast<double>(exact.measured.makespan));
        CHECK(result.oneChunkLowerBound <= exact.measured.makespan);
    }
}

TEST_CASE("every candidate of a search fits, is sorted, and can be built again", "[schedule][search]")
{
    for (const double limit : {1.0, 2.5, 4.0, 8.0, 0.0}) {
        CAPTURE(limit);
        const Experiment experiment = experimentOf(4, 8, limit, "F=1,I=1.2,W=0.7");
        const SearchResult result = search(experiment);
        REQUIRE_FALSE(result.candidates.empty());
        CHECK(result.candidates.size() + result.leftOut.size() == recipes().size());
        Nanoseconds before = 0;
        for (const SearchCandidate& candidate : result.candidates) {
            CAPTURE(candidate.spec().text(), candidate.experiment.chunks);
            CHECK(candidate.makespan >= before);
            CHECK(candidate.makespan >= candidate.lowerBound);
            before = candidate.makespan;
            const Plan made = plan(candidate.experiment, candidate.spec());
            const Timing timing = simulate(made.schedule, made.costs);
            CHECK(timing.makespan() == candidate.makespan);
            double peak = 0;
            for (const ActivationCurve& curve : activationCurves(made.schedule, timing, made.deltas, false))
                peak = std::max(peak, curve.peakActivations());
            CHECK(peak == candidate.peakActivations);
            CHECK((limit == 0 || peak <= limit));
        }
    }
}

TEST_CASE("a search says why a family was left out", "[schedule][search]")
{
    const SearchResult tight = search(experimentOf(4, 8, 3));
    CHECK(reasonOf(tight, "gpipe") == "gpipe holds 8 activations, more than 3.");
    CHECK(reasonOf(tight, "zb-h2") == "zb-h2 holds 7 activations, more than 3.");
    const SearchResult none = search(experimentOf(4, 8, 0.5));
    CHECK(none.candidates.empty());
    CHECK_THAT(reasonOf(none, "zb-auto"), Catch::Contains("limit=1 is the smallest"));
    Experiment strict = experimentOf(4, 8, 4);
    strict.chunks = 3;
    CHECK_THAT(reasonOf(search(strict), "1f1b"), Catch::Contains("3 chunks per device don't fit 1f1b"));
    CHECK_THROWS_AS(search(experimentOf(0, 8, 4)), Error);
    CHECK_THROWS_WITH(search(experimentOf(4, 8, -1)),
                      Catch::Contains("a memory limit of -1 activations is impossible"));
}

TEST_CASE("a search where nothing takes time ends and divides by nothing", "[schedule][search]")
{
    const SearchResult result = search(experimentOf(4, 6, 2, "F=0,I=0,W=0"));
    REQUIRE_FALSE(result.candidates.empty());
    CHECK(result.candidates.front().makespan == 0);
    CHECK(result.candidates.front().aboveBound() == 0);
    CHECK(result.candidates.front().bubbleRate == 0);
}

TEST_CASE("chunks do their share of a device's work", "[schedule][search]")
{
    Experiment experiment = experimentOf(4, 8, 0);
    experiment.chunks = 2;
    for (const SearchCandidate& candidate : search(experiment).candidates)
        if (candidate.spec().id == "interleaved-1f1b")
            CHECK(candidate.makespan == 24 * unit + 9 * unit / 2); // (p-1)(F+I+W)/v of idle time
}

TEST_CASE("the bounds of a search are those of the zero-bubble paper's appendix B", "[schedule][search]")
{
    Experiment experiment = experimentOf(4, 8, 8);
    experiment.comm = 0.5;
    const SearchResult result = search(experiment);
    // The last device starts after three F and three hops and has 24 to do; all work spread evenly is 24.
    CHECK(result.oneChunkLowerBound == 24 * unit + 3 * unit + 3 * unit / 2);
    CHECK(result.lowerBound == 24 * unit);
    // One microbatch at a time: each passes there and back, p(F+I)+2(p-1)c, and leaves with W of device 0.
    CHECK(search(experimentOf(4, 3, 1)).oneChunkLowerBound == 27 * unit);
    CHECK(search(experimentOf(8, 1, 8)).lowerBound == 17 * unit);
}

TEST_CASE("a search over families can be watched and cancelled", "[schedule][search]")
{
    int reports = 0;
    double last = -1;
    Progress* control = nullptr;
    Progress progress([&](double fraction, const std::string& family) {
        CHECK(fraction >= last);
        CHECK_FALSE(family.empty());
        last = fraction;
        if (++reports == 3)
            control->cancel();
    });
    control = &progress;
    CHECK_THROWS_AS(searchSchedules(experimentOf(4, 8, 4), progress), Cancelled);
    CHECK(reports == 3);
}
