#include "core/analyze/bubble.h"
#include "core/analyze/statistics.h"
#include "core/analyze/text.h"
#include "core/base/error.h"
#include "tests/core/analyze/planned.h"

#include <catch2/catch.hpp>

namespace bubblescope::test {

TEST_CASE("Intervals that touch or overlap become one", "[analyze]")
{
    const std::vector<Interval> united = unite({{5, 7}, {0, 2}, {2, 4}, {6, 9}, {3, 3}, {12, 11}});
    std::string text;
    for (const Interval& one : united)
        text += fmt::format("[{},{}) ", one.start, one.end);
    CHECK(text == "[0,4) [5,9) ");
    CHECK(unionLength({}) == 0);
}

TEST_CASE("Communication outside the window doesn't count", "[analyze]")
{
    const Exposure parts = exposure({{-5, 3}}, {{2, 6}, {20, 30}}, {0, 10});
    CHECK(parts.compute == 3);
    CHECK(parts.communication == 4);
    CHECK(parts.exposed == 3);
    CHECK(parts.idle == 4);
}

TEST_CASE("Medians of nothing, one, an odd and an even number", "[analyze]")
{
    CHECK(median({}) == 0);
    CHECK(median({7}) == 7);
    CHECK(median({9, 1, 5}) == 5);
    CHECK(median({9, 1, 5, 6}) == 5);
    CHECK(stepStatistics({}).outliers.empty());
    CHECK(balanceOf({}).speedUp == 1);
    CHECK(balanceOf({0, 0}).speedUp == 1);
    CHECK(slope({{1, 2}}) == 0);
}

TEST_CASE("Medians per kind of task and stage", "[analyze]")
{
    const Planned run = planned(experiment(2, 3), "1f1b");
    std::string text;
    for (const WorkMedian& one : medianDurations(run.schedule(), run.timing))
        text += fmt::format("{}{}×{}={} ", one.stage.value, workName(one.work).letter, one.count, units(one.median));
    CHECK(text == "0F×3=1 1F×3=1 0B×3=2 1B×3=2 0U×1=0 1U×1=0 0y×2=0 ");
}

TEST_CASE("An inverse question that has no answer is refused", "[analyze]")
{
    CHECK_THROWS_AS(microbatchesForBubble(0, 8, 1, BubbleDefinition::IdleOverTotal), Error);
    CHECK_THROWS_AS(microbatchesForBubble(1e-12, 8, 1, BubbleDefinition::IdleOverTotal), Error);
    CHECK(microbatchesForBubble(2, 8, 1, BubbleDefinition::IdleOverTotal) == 1);
    CHECK(microbatchesForBubble(0.5, 1, 1, BubbleDefinition::IdleOverIdeal) == 1);
}

TEST_CASE("Numbers are written as people read them", "[analyze]")
{
    CHECK(timeText(0) == "0 ms");
    CHECK(timeText(999) == "999 ns");
    CHECK(timeText(412500) == "412.5 µs");
    CHECK(timeText(33 * unit) == "33 ms");
    CHECK(timeText(-6437500) == "-6.438 ms");
    CHECK(timeText(12'345 * unit) == "12.345 s");
    CHECK(bytesText(640) == "640 B");
    CHECK(bytesText(1572864) == "1.5 MiB");
    CHECK(percentText(9.0 / 33) == "27.3 %");
    CHECK(tableText({{"a", "bb"}, {"ccc", "1 µs"}}) == "a      bb\nccc  1 µs\n");
}

} // namespace bubblescope::test
