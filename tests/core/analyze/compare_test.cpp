#include "core/analyze/compare.h"
#include "core/base/error.h"
#include "tests/core/analyze/planned.h"

#include <catch2/catch.hpp>

namespace bubblescope::test {
namespace {

RunReport report(const Experiment& experiment, const std::string& recipe)
{
    const Planned run = planned(experiment, recipe);
    return reportOf(run.plan, run.timing);
}

} // namespace

TEST_CASE("ZB-H1 is faster than 1F1B because it fills the drain", "[analyze]")
{
    const Experiment split = experiment(4, 8, "F=1,I=1,W=1");
    const Comparison comparison = compareRuns({report(split, "1f1b"), report(split, "zb-h1")});
    CHECK(comparison.fastest == 1);
    const RunDifference& difference = comparison.differences[1];
    CHECK(difference.speedUp == Approx(33.0 / 27));
    CHECK(difference.makespan == -6 * unit);
    CHECK(difference.idle == -24 * unit);
    CHECK(text(difference.cause) == "warmup -6, drain -18");
    CHECK(difference.mostRemoved == IdleCause::Drain);
    CHECK(difference.removed == 18 * unit);
    CHECK(text(difference.causeOfDevice[3]) == "drain -6");
    const std::string text = toText(comparison);
    CHECK_THAT(text, Catch::Contains("1: 1f1b") && Catch::Contains("2: zb-h1") && Catch::Contains("predicted"));
    CHECK_THAT(
        text,
        Catch::Contains("Run 2 is 1.222 times as fast as run 1; what shrank most is drain, by 18 ms over all devices"));
    const nlohmann::json json = toJson(comparison);
    CHECK(json["runs"].size() == 2);
    CHECK(json["runs"][0]["label"] == "predicted");
    CHECK(json["differences"][0]["most_removed_cause"] == "drain");
    CHECK(json["differences"][0]["idle_by_cause_ns"]["drain"] == -18000000);
    CHECK(json["fastest"] == 2);
}

TEST_CASE("Runs of different length or label are compared with a remark", "[analyze]")
{
    RunReport measured = report(experiment(4, 16), "1f1b");
    measured.label = RunLabel::Measured;
    const Comparison comparison = compareRuns({report(experiment(4, 8), "1f1b"), measured});
    CHECK_FALSE(comparison.sameWork);
    CHECK(comparison.differences[1].speedUp == Approx((33.0 / 8) / (57.0 / 16)));
    REQUIRE(comparison.remarks.size() == 2);
    CHECK_THAT(comparison.remarks[0], Catch::Contains("predicted") && Catch::Contains("measured"));
    CHECK_THAT(comparison.remarks[1], Catch::Contains("time per microbatch"));
    CHECK_THROWS_AS(compareRuns({measured}), Error);
}

} // namespace bubblescope::test
