// What the charts are computed from: sweeps, the Pareto front, links and durations.

#include "core/analyze/durations.h"
#include "core/analyze/link_use.h"
#include "core/analyze/pareto.h"
#include "core/analyze/sweep.h"
#include "core/schedule/search/search.h"
#include "tests/core/analyze/planned.h"

#include <catch2/catch.hpp>

namespace bubblescope::test {
namespace {

Experiment with(const std::string& recipe, int stages = 4, int microbatches = 8)
{
    Experiment result = experiment(stages, microbatches);
    result.schedules = {parseRecipe(recipe)};
    return result;
}

} // namespace

TEST_CASE("A sweep over microbatches follows the textbook", "[analyze]")
{
    const auto lines = sweep({with("1f1b")}, sweepParameter("microbatches"), {1, 4, 8, 32});
    REQUIRE(lines.size() == 1);
    REQUIRE(lines[0].points.size() == 4);
    for (const SweepPoint& point : lines[0].points) {
        const double m = point.value;
        CHECK(point.problem.empty());
        CHECK(point.bubbleRate == Approx(3 / (m + 3))); // (p−1)/(m+p−1)
        REQUIRE(point.closedForm);
        CHECK(*point.closedForm == Approx(3 / (m + 3)));
        CHECK(point.throughput == Approx(m / (3e-3 * (m + 3)))); // a step takes (m+p−1)(F+B)
        CHECK(point.peakActivations == Approx(std::min(4.0, m)));
    }
    CHECK(lines[0].closedFormMeasure == "makespan");
}

TEST_CASE("A value that can't be built is a point with a sentence", "[analyze]")
{
    const auto lines = sweep({with("interleaved-1f1b")}, sweepParameter("microbatches"), {4, 6, 8});
    CHECK(lines[0].points[0].problem.empty());
    CHECK_THAT(lines[0].points[1].problem, Catch::Contains("6"));
    CHECK(lines[0].points[2].bubbleRate > 0);
}

TEST_CASE("A sweep over devices forgets what was given per stage", "[analyze]")
{
    Experiment own = with("1f1b");
    own.model.layers = 24;
    own.partition = {6, 6, 6, 6};
    own.stageSpeed = {1, 1, 1, 2};
    const auto lines = sweep({own}, sweepParameter("stages"), {2, 4, 8});
    CHECK(lines[0].points[0].bubbleRate == Approx(1.0 / 9));
    CHECK(lines[0].points[2].bubbleRate == Approx(7.0 / 15));
    CHECK(lines[0].points[1].makespan < 33 * unit); // four devices are what was given: the fast stage counts
}

TEST_CASE("Values of a sweep are even, whole where they have to be, and never twice", "[analyze]")
{
    CHECK(sweepValues(sweepParameter("microbatches"), 1, 8, 4) == std::vector<double>{1, 3, 6, 8});
    CHECK(sweepValues(sweepParameter("microbatches"), 1, 3, 9) == std::vector<double>{1, 2, 3});
    CHECK(sweepValues(sweepParameter("comm"), 0, 1, 3) == std::vector<double>{0, 0.5, 1});
    CHECK(sweepValues(sweepParameter("comm"), 2, 2, 1) == std::vector<double>{2});
    CHECK_THROWS_WITH(sweepParameter("colour"), Catch::Contains("microbatches"));
}

TEST_CASE("Every parameter of a sweep gives back what it sets", "[analyze]")
{
    for (const SweepParameter& parameter : sweepParameters()) {
        Experiment own = with("1f1b");
        parameter.set(own, 2);
        CAPTURE(parameter.id);
        CHECK(parameter.get(own) == Approx(2));
    }
}

TEST_CASE("A sweep reports how far it is and can be cancelled", "[analyze]")
{
    double reached = 0;
    Progress progress([&](double fraction, const std::string&) { reached = fraction; });
    sweep({with("1f1b"), with("gpipe")}, sweepParameter("microbatches"), {1, 2}, progress);
    CHECK(reached == Approx(0.75));
    progress.cancel();
    CHECK_THROWS_AS(sweep({with("1f1b")}, sweepParameter("microbatches"), {1, 2}, progress), Cancelled);
}

TEST_CASE("The front holds what nobody beats in both figures", "[analyze]")
{
    CHECK(paretoFront({{3, 1}, {1, 3}, {2, 2}, {3, 3}, {2, 2}, {1, 4}}) == std::vector<std::size_t>{1, 2, 0});
    CHECK(paretoFront({}).empty());
    CHECK(paretoFront({{1, 1}}) == std::vector<std::size_t>{0});
}

TEST_CASE("A search tells all variants, of which the candidates are the best of their family", "[search]")
{
    const SearchResult result = searchSchedules(experiment(4, 8, "F=1,I=1,W=1"), Progress());
    CHECK(result.variants.size() >= result.candidates.size());
    for (const SearchCandidate& best : result.candidates) {
        Nanoseconds least = best.makespan + 1;
        for (const SearchCandidate& variant : result.variants)
            if (variant.spec().id == best.spec().id)
                least = std::min(least, variant.makespan);
        CHECK(least == best.makespan);
    }
}

TEST_CASE("Messages of a prediction are on their way from the end of the producer on", "[analyze]")
{
    Experiment own = with("1f1b", 2, 1);
    own.comm = 0.5;
    for (const char* model : {"latency", "link"}) {
        CAPTURE(model);
        own.commModel = model;
        const Planned run = planned(own, "1f1b");
        const Trace trace = traceOf(run.schedule(), run.timing);
        const std::vector<LinkUse> links = linkUse(trace, &run.plan, &run.timing);
        REQUIRE(links.size() == 2);
        CHECK(links[0].from == 0);
        CHECK(links[0].to == 1);
        REQUIRE(links[0].messages.size() == 1);
        CHECK(links[0].messages[0].start == unit); // F ends at 1, arrives at 1.5
        CHECK(links[0].messages[0].end == 3 * unit / 2);
        CHECK(links[1].messages[0].start == 9 * unit / 2); // F to 2.5, B to 4.5
        CHECK(links[1].busy == unit / 2);
        CHECK(busyShares(links[0], {0, 6 * unit}, 6) == std::vector<double>{0, 0.5, 0, 0, 0, 0});
        CHECK(busyShares(links[0], {0, 2 * unit}, 1).at(0) == Approx(0.25));
    }
    CHECK(busyShares({}, {0, 0}, 3) == std::vector<double>{0, 0, 0});
}

TEST_CASE("Messages have the size of the model's boundary", "[analyze]")
{
    Experiment own = with("1f1b", 2, 3);
    own.model.layers = 4;
    const Planned run = planned(own, "1f1b");
    const auto links = linkUse(traceOf(run.schedule(), run.timing), &run.plan, &run.timing);
    REQUIRE(links.size() == 2);
    CHECK(links[0].bytes == std::int64_t{3} * 4 * own.model.hidden * own.model.sequence * own.model.batch);
}

TEST_CASE("What a recording says about its links counts", "[analyze]")
{
    Trace trace;
    trace.links = {{Device(1), Device(0), {}, 4, 6, 100}, {Device(1), Device(0), {}, 5, 9, 50}};
    const auto links = linkUse(trace, nullptr, nullptr);
    REQUIRE(links.size() == 1);
    CHECK(links[0].bytes == 150);
    CHECK(links[0].busy == 5); // 4 to 9, together
    CHECK(linkUse({}, nullptr, nullptr).empty());
}

TEST_CASE("Durations are grouped by the name of the kernel or the work", "[analyze]")
{
    const Planned run = planned(experiment(2, 4), "1f1b");
    const auto groups = durationsByName(traceOf(run.schedule(), run.timing));
    REQUIRE(groups.size() == 2);
    CHECK(groups[0].total == 16 * unit); // two devices × four backwards of 2
    CHECK(groups[0].durations.size() == 8);
    CHECK(groups[1].total == 8 * unit);
    CHECK(groups[1].quantile(0.5) == unit);
    Trace kernels;
    kernels.names = {"", "gemm", "copy"};
    kernels.lanes.push_back({Device(0), LaneKind::Compute, 0, {{0, 5, {}, 1}, {5, 7, {}, 2}, {7, 9, {}, 1}}, {}});
    const auto named = durationsByName(kernels);
    REQUIRE(named.size() == 2);
    CHECK(named[0].name == "gemm");
    CHECK(named[0].durations == std::vector<Nanoseconds>{2, 5});
    const auto places = placesOf(kernels, "gemm", 2, 5, 10);
    REQUIRE(places.size() == 1);
    CHECK(places[0].start == 7);
    CHECK(placesOf(kernels, "gemm", 0, 100, 1).size() == 1);
    const TraceColumns columns = columnsOf(kernels); // the form of a large run says the same
    REQUIRE(durationsByName(columns).size() == 2);
    CHECK(durationsByName(columns)[0].durations == named[0].durations);
    CHECK(placesOf(columns, "gemm", 2, 5, 10).at(0).start == 7);
}

TEST_CASE("A histogram counts everything once, on a logarithmic axis where values span decades", "[analyze]")
{
    const Histogram even = histogramOf({10, 11, 12, 19, 20}, 2);
    CHECK_FALSE(even.logarithmic);
    CHECK(even.counts == std::vector<std::size_t>{3, 2});
    const Histogram wide = histogramOf({1, 2, 9, 15, 99, 100, 1000}, 3);
    CHECK(wide.logarithmic);
    CHECK(wide.counts == std::vector<std::size_t>{3, 2, 2}); // 1–10, 10–100, 100–1000
    CHECK(wide.edges[1] == Approx(10));
    CHECK(histogramOf({7, 7, 7}, 5).counts == std::vector<std::size_t>{3});
    CHECK(histogramOf({}, 5).counts.empty());
}

} // namespace bubblescope::test
