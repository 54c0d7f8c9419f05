#include "core/analyze/wait_graph.h"
#include "core/analyze/why.h"
#include "tests/core/analyze/planned.h"

#include <catch2/catch.hpp>

#include <random>

namespace bubblescope::test {
namespace {

std::string chainBefore(const Planned& run, const std::string& task)
{
    return text(run.schedule(), waitingChain(run.schedule(), run.plan.costs, run.timing, gapBefore(run, task)));
}

Planned slowStage(const std::string& recipe, const std::string& cost)
{
    Experiment slow = experiment(4, 8, cost);
    slow.stageSpeed = {1, 1, 0.8, 1};
    return planned(slow, recipe);
}

} // namespace

TEST_CASE("The chain of a gap names who is late, without holes", "[analyze]")
{
    const Planned run = slowStage("1f1b", "F=1,B=2");
    CHECK(chainBefore(run, "0B0") == "1B0 [8.75,10.75) < 2B0 [6.25,8.75) < 3B0 [4.25,6.25) < 3F0 [4,4.25)");
    CHECK(chainBefore(run, "3F2") == "2F2 [9.25,10)");
    const Planned split = slowStage("zb-h1", "F=1,I=1,W=1");
    CHECK(chainBefore(split, "0I5") == "1I5 [22.75,23.75) < 2I5 [22,22.75)");
    CHECK(chainBefore(planned(experiment(4, 8, "F=1,I=1,W=1"), "zb-h1"), "0I0") == "1I0 [6,7) < 2I0 [5,6) < 3I0 [4,5)");
}

TEST_CASE("Transfers are tiles of their own", "[analyze]")
{
    Experiment far = experiment(2, 2);
    far.comm = 0.5;
    CHECK(chainBefore(planned(far, "1f1b"), "1F0") == "transfer 0F0 [1,1.5) < 0F0 [0,1)");
    for (const char* model : {"link", "blocking"}) {
        far.commModel = model;
        CHECK(chainBefore(planned(far, "1f1b"), "1F0") == "transfer 0F0 [1,1.5) < 0F0 [0,1)");
    }
}

TEST_CASE("The wait at a barrier leads to the device that came last", "[analyze]")
{
    const Planned run = planned(experiment(4, 8), "1f1b");
    Gap last;
    for (const Gap& gap : run.idle.gaps)
        if (gap.device == 3 && gap.before != noTask && run.schedule().tasks[gap.before].work == Work::Barrier)
            last = gap;
    REQUIRE(last.length() == 6 * unit);
    CHECK(text(run.schedule(), waitingChain(run.schedule(), run.plan.costs, run.timing, last)) ==
          "0B7 [31,33) < 1B7 [29,31) < 2B7 [27,29)");
}

TEST_CASE("Lane comes before data when both end together", "[analyze]")
{
    const Planned run = planned(experiment(4, 8), "1f1b");
    const WaitGraph graph(run.schedule(), run.plan.costs, run.timing);
    const auto binding = [&](const char* task) {
        return toText(run.schedule().tasks[graph.bindingPredecessor(taskNamed(run.schedule(), task))]);
    };
    CHECK(graph.bindingPredecessor(taskNamed(run.schedule(), "0F0")) == noTask);
    CHECK(binding("1F0") == "0F0");
    CHECK(binding("0F1") == "0F0");
    CHECK(binding("1F1") == "1F0"); // 0F1 ends then too
    CHECK(binding("0B0") == "1B0");
}

TEST_CASE("Slack is the least delay that moves the end", "[analyze]")
{
    std::mt19937 random(11);
    const std::string recipes[] = {"gpipe", "1f1b", "zb-h1", "eager-1f1b"};
    const std::string models[] = {"latency", "link", "blocking"};
    for (int round = 0; round < 40; ++round) {
        Experiment any = experiment(2 + static_cast<int>(random() % 3), 2 + static_cast<int>(random() % 4));
        any.steps = 1 + round % 2;
        any.comm = 0.1 * static_cast<double>(random() % 3);
        any.commModel = models[round % 3];
        for (int stage = 0; stage < any.stages; ++stage)
            any.stageCosts.push_back({{"F", 1 + 0.1 * static_cast<double>(random() % 9)},
                                      {"I", 1},
                                      {"W", 0.1 * static_cast<double>(random() % 9)}});
        Planned run = planned(any, recipes[round % 4]);
        const WaitGraph graph(run.schedule(), run.plan.costs, run.timing);
        const std::vector<Nanoseconds> own = graph.slack();
        CHECK_FALSE(graph.criticalPath().empty());
        if (any.commModel != "latency")
            continue; // the order of transfers may change with a delay, so only the latency model can be replayed
        for (int tries = 0; tries < 20; ++tries) {
            const TaskId task(random() % run.schedule().tasks.size());
            Costs delayed = run.plan.costs;
            delayed.perTask.clear();
            for (TaskId id{}; id < run.schedule().tasks.size(); ++id)
                delayed.perTask.push_back(run.plan.costs.duration(id, run.schedule().tasks[id]));
            delayed.perTask[task] += own[task];
            CAPTURE(round, toText(run.schedule().tasks[task]), own[task]);
            CHECK(simulate(run.schedule(), delayed).finish == run.timing.finish);
            delayed.perTask[task] += 1;
            CHECK(simulate(run.schedule(), delayed).finish == run.timing.finish + 1);
        }
    }
}

TEST_CASE("Tiles cover every gap without holes, under every communication model", "[analyze]")
{
    std::mt19937 random(3);
    const std::string recipes[] = {"gpipe", "1f1b", "zb-h2", "eager-1f1b"};
    for (int round = 0; round < 60; ++round) {
        Experiment any = experiment(2 + static_cast<int>(random() % 4), 8);
        any.steps = 1 + round % 2;
        any.comm = 0.25 * static_cast<double>(random() % 3);
        any.commModel = std::vector<std::string>{"latency", "link", "blocking"}[static_cast<std::size_t>(round % 3)];
        for (int stage = 0; stage < any.stages; ++stage)
            any.stageCosts.push_back(
                {{"F", 1 + 0.1 * static_cast<double>(random() % 9)}, {"I", 1}, {"W", 1}, {"U", 0.5}});
        const Planned run = planned(any, recipes[round % 4]);
        const WaitGraph graph(run.schedule(), run.plan.costs, run.timing);
        for (const Gap& gap : run.idle.gaps) {
            CAPTURE(round, any.commModel, gap.device.value, text(gap));
            Nanoseconds end = gap.end;
            for (const ChainTile& tile : graph.chain(gap)) {
                CHECK(tile.end == end);
                CHECK(tile.length() > 0);
                CHECK(tile.kind != ChainTile::Kind::Overhead);
                end = tile.start;
            }
            CHECK(end == gap.start);
        }
    }
}

TEST_CASE("A gap is explained in sentences", "[analyze]")
{
    const Planned run = slowStage("1f1b", "F=1,B=2");
    CHECK(whyText(run.schedule(), run.plan.costs, run.timing, gapBefore(run, "0B1")) ==
          "Device 0 is idle for 750 µs before 0B1, from 13.75 ms to 14.5 ms.\n"
          "Why: imbalance 750 µs (stages don't cost the same, and this device waits for a slower one).\n"
          "It waits for the end of 1B1 on device 1.\n"
          "Device 1 is what it waits for longest: 750 µs of 750 µs.\n"
          "0B1 could begin another 1.5 ms later before the end moves: filling this gap alone gains nothing.\n");
    const Gap gap = gapBefore(run, "0B0");
    const WaitGraph graph(run.schedule(), run.plan.costs, run.timing);
    const Why answer = why(run.schedule(), graph, graph.slack(), gap);
    CHECK(answer.cause == IdleCause::Warmup);
    CHECK(answer.late == Device(2));
    CHECK(answer.lateTime == 2500000);
}

TEST_CASE("A gap that a later forward could have filled, but for memory, is marked", "[analyze]")
{
    Planned run = planned(experiment(4, 8), "1f1b");
    const WaitGraph graph(run.schedule(), run.plan.costs, run.timing);
    const auto marked = [&](double limit) {
        markHeldBack(run.schedule(), graph, run.plan.deltas, limit, run.idle);
        return gapBefore(run, "0B0").heldBack;
    };
    CHECK(marked(4)); // 0F4 has nothing to wait for, but four are held already
    CHECK_FALSE(marked(5));
    marked(4);
    CHECK_FALSE(gapBefore(run, "3F0").heldBack);
    CHECK_THAT(whyText(run.schedule(), run.plan.costs, run.timing, gapBefore(run, "0B0")),
               Catch::Contains("memory limit"));
}

} // namespace bubblescope::test
