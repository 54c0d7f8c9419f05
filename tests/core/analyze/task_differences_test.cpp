#include "core/analyze/task_differences.h"
#include "tests/core/analyze/planned.h"

#include <catch2/catch.hpp>

namespace bubblescope::test {
namespace {

struct Side {
    Planned run;
    Trace trace;
};

Side side(const std::string& recipe, const std::string& cost = "F=1,I=1,W=1", int stages = 4, int microbatches = 8)
{
    Side result{planned(experiment(stages, microbatches, cost), recipe), {}};
    result.trace = traceOf(result.run.schedule(), result.run.timing);
    return result;
}

const TaskDifference* find(const TaskDifferences& differences, const std::string& name)
{
    for (const TaskDifference& difference : differences.tasks)
        if (toText(difference.task) == name)
            return &difference;
    return nullptr;
}

std::string text(const TaskTimes& times)
{
    return fmt::format("device {} [{},{}) works {} after {} idle", times.device.value, units(times.start),
                       units(times.end), units(times.duration), units(times.idleBefore));
}

} // namespace

TEST_CASE("A full backward is set against the input gradient of the same microbatch and stage", "[analyze]")
{
    const TaskDifferences differences = compareTasks(side("1f1b").trace, side("zb-h1").trace);
    CHECK(differences.matched == 64); // 4 stages × 8 microbatches × forward and backward
    CHECK(differences.onlyA == 0);
    CHECK(differences.onlyB == 32); // W
    // By hand: gradients come back through 3, 2, 1 in 2 each (1F1B), in 1 each (ZB-H1).
    const TaskDifference* first = find(differences, "0I0");
    REQUIRE(first != nullptr);
    CHECK(text(*first->a) == "device 0 [10,12) works 2 after 6 idle");
    CHECK(text(*first->b) == "device 0 [7,8) works 1 after 3 idle");
    const TaskDifference* forward = find(differences, "3F0");
    REQUIRE(forward != nullptr);
    CHECK(text(*forward->a) == "device 3 [3,4) works 1 after 3 idle");
    CHECK(text(*forward->b) == "device 3 [3,4) works 1 after 3 idle");
    const TaskDifference* weights = find(differences, "0W0");
    REQUIRE(weights != nullptr);
    CHECK_FALSE(weights->a);
    REQUIRE(differences.remarks.size() == 2);
    CHECK_THAT(differences.remarks[0], Catch::Contains("B is set against I, and W has no partner"));
    CHECK_THAT(differences.remarks[1], Catch::Contains("0 tasks only in A and 32 tasks only in B"));
}

TEST_CASE("Two stages of the finer run are set against one of the coarser", "[analyze]")
{
    const TaskDifferences differences =
        compareTasks(side("1f1b", "F=1,B=2").trace, side("interleaved-1f1b", "F=1,B=2").trace);
    CHECK(differences.matched == 64);
    CHECK(differences.onlyA + differences.onlyB == 0);
    const TaskDifference* forward = find(differences, "0F0");
    REQUIRE(forward != nullptr);
    CHECK(text(*forward->a) == "device 0 [0,1) works 1 after 0 idle");
    CHECK(text(*forward->b) == "device 0 [0,2) works 2 after 0 idle"); // stage 0 on device 0, then stage 1 on device 1
    REQUIRE(find(differences, "0B0") != nullptr);                      // both call it B
    CHECK_THAT(differences.remarks.at(0), Catch::Contains("2 stages of B together are set against one of A"));
}

TEST_CASE("Stages that don't divide are compared by number, and that is said", "[analyze]")
{
    const TaskDifferences differences =
        compareTasks(side("1f1b", "F=1,B=2", 4).trace, side("1f1b", "F=1,B=2", 3).trace);
    CHECK(differences.matched == 48);
    CHECK(differences.onlyA == 16);
    CHECK_THAT(differences.remarks.at(0),
               Catch::Contains("A has 4 stages, B has 3 stages") && Catch::Contains("hold different layers"));
}

TEST_CASE("Microbatches of two pipes are counted through", "[analyze]")
{
    const TaskDifferences differences = compareTasks(side("1f1b", "F=1,B=2").trace, side("chimera", "F=1,B=2").trace);
    CHECK(differences.matched == 64);
    CHECK(differences.onlyB == 0);
    CHECK_THAT(differences.remarks.at(0), Catch::Contains("A has 1 pipe, B has 2 pipes"));
}

TEST_CASE("A later step of a run and a task that is missing are matched as far as possible", "[analyze]")
{
    const Side a = side("1f1b");
    Trace b = a.trace;
    for (TraceLane& lane : b.lanes)
        for (Span& span : lane.spans)
            span.task.microbatch = Microbatch(span.task.microbatch + 8);
    CHECK(compareTasks(a.trace, b).matched == 64);
    CHECK(compareTasks(a.trace, b).remarks.empty());
    b.lanes.front().spans.erase(b.lanes.front().spans.begin());
    const TaskDifferences differences = compareTasks(a.trace, b);
    CHECK(differences.matched == 63);
    CHECK(differences.onlyA == 1);
    for (TraceLane& lane : b.lanes)
        for (Span& span : lane.spans)
            span.name = 1;
    b.names = {"", "kernel"};
    CHECK_THAT(compareTasks(a.trace, b).remarks.at(0), Catch::Contains("Run B names no stages"));
    CHECK(compareTasks({}, {}).tasks.empty());
}

TEST_CASE("What fills a bubble is found in the other run, the largest first", "[analyze]")
{
    const Side a = side("1f1b");
    const Side b = side("zb-h1");
    const std::vector<FilledBubble> bubbles = filledBubbles(a.run.idle, b.trace);
    REQUIRE_FALSE(bubbles.empty());
    for (std::size_t i = 1; i < bubbles.size(); ++i)
        CHECK(bubbles[i - 1].filled >= bubbles[i].filled);
    // By hand: device 0 of 1F1B waits from 4 to 10; ZB-H1 has the gradient at 7 and then I, W and F.
    const auto first = std::find_if(bubbles.begin(), bubbles.end(), [](const FilledBubble& bubble) {
        return bubble.gap.device == 0 && bubble.gap.start == 4 * unit;
    });
    REQUIRE(first != bubbles.end());
    CHECK(first->gap.end == 10 * unit);
    CHECK(first->filled == 3 * unit);
    REQUIRE(first->by.size() == 3);
    CHECK(toText(first->by[0].task) == "0I0");
    CHECK(first->by[0].start == 7 * unit);
    CHECK(first->by[2].end == 10 * unit);
    // Nothing of what lies after the end of ZB-H1 (27) is filled: device 3 of 1F1B drains from 27 on.
    CHECK(std::none_of(bubbles.begin(), bubbles.end(), [](const FilledBubble& bubble) {
        return bubble.gap.device == 3 && bubble.gap.start == 27 * unit;
    }));
    CHECK(filledBubbles(a.run.idle, {}).empty());
}

TEST_CASE("A joined unit fills a bubble once", "[analyze]")
{
    IdleReport idle;
    idle.gaps.push_back({Device(0), 0, 10, noTask, {}});
    Trace trace;
    trace.lanes.push_back({Device(0), LaneKind::Compute, 0, {{2, 6, {}, 0}, {2, 6, {}, 0}}, {}});
    const auto bubbles = filledBubbles(idle, trace);
    REQUIRE(bubbles.size() == 1);
    CHECK(bubbles.front().filled == 4);
    CHECK(bubbles.front().by.size() == 2);
}

TEST_CASE("Devices that only one run has are listed too", "[analyze]")
{
    const auto devices = compareDevices(side("1f1b", "F=1,B=2", 2).run.idle, side("1f1b", "F=1,B=2", 4).run.idle);
    REQUIRE(devices.size() == 4);
    CHECK(devices[1].a->busy == 24 * unit);
    CHECK(devices[1].b->busy == 24 * unit);
    CHECK_FALSE(devices[3].a);
    CHECK(devices[3].b->cause[static_cast<std::size_t>(IdleCause::Warmup)] == 3 * unit);
}

} // namespace bubblescope::test
