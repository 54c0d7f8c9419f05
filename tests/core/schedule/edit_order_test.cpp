// Orders edited by hand: what an edit does to lanes, dependencies and groups, and how an order comes back from text.

#include "core/base/error.h"
#include "core/custom_order.h"
#include "core/predictor.h"
#include "core/schedule/edit_order.h"
#include "core/schedule/order_text.h"
#include "core/simulate/sketch.h"
#include "core/trace/run.h"
#include "tests/core/analyze/planned.h"

#include <catch2/catch.hpp>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

using namespace bubblescope;
using test::experiment;
using test::planned;
using test::taskNamed;
using test::units;

namespace {

std::string rowOf(const Schedule& schedule, int device)
{
    return fmt::format("{}", fmt::join(laneTexts(schedule, schedule.computeLane(Device(device)), false), " "));
}

Schedule twoDevices()
{
    return planned(experiment(2, 2), "1f1b").plan.schedule;
}

/// The members of every group, by name.
std::set<std::set<std::string>> groupsOf(const Schedule& schedule)
{
    std::set<std::set<std::string>> groups;
    for (const Group& group : schedule.groups) {
        std::set<std::string> members;
        for (std::uint32_t i = group.begin; i < group.end; ++i)
            members.insert(toText(schedule.tasks[schedule.groupMembers[i]]));
        groups.insert(members);
    }
    return groups;
}

std::set<std::string> edgesOf(const Schedule& schedule)
{
    std::set<std::string> edges;
    for (const Edge& edge : schedule.dataflow.edges)
        edges.insert(toText(schedule.tasks[edge.from]) + " " + toText(schedule.tasks[edge.to]) + " " +
                     std::to_string(static_cast<int>(edge.payload)));
    return edges;
}

} // namespace

TEST_CASE("units move, change places, come and go, and the others keep their order", "[schedule][edit]")
{
    const Schedule start = twoDevices();
    REQUIRE(rowOf(start, 0) == "0F0 0F1 0B0 0B1");
    REQUIRE(rowOf(start, 1) == "1F0 1B0 1F1 1B1");
    const EditedOrder moved = moveUnit(start, taskNamed(start, "0B0"), 1);
    CHECK(rowOf(moved.schedule, 0) == "0F0 0B0 0F1 0B1");
    CHECK(rowOf(moved.schedule, 1) == "1F0 1B0 1F1 1B1");
    CHECK(toText(moved.schedule.tasks[moved.at]) == "0B0");
    CHECK(unitPosition(moved.schedule, moved.at) == 1);
    const EditedOrder swapped = swapUnits(start, taskNamed(start, "1B0"), taskNamed(start, "1F1"));
    CHECK(rowOf(swapped.schedule, 1) == "1F0 1F1 1B0 1B1");
    CHECK(toText(swapped.schedule.tasks[swapped.at]) == "1B0");
    const EditedOrder gone = deleteUnit(start, taskNamed(start, "0F1"));
    CHECK(rowOf(gone.schedule, 0) == "0F0 0B0 0B1");
    CHECK(gone.at == noTask);
    const std::vector<Task> missing = missingTasks(start, gone.schedule, Device(0));
    REQUIRE(missing.size() == 1);
    const EditedOrder back = insertTask(gone.schedule, gone.schedule.computeLane(Device(0)), 1, missing.front());
    CHECK(back.schedule.tasks == start.tasks);
    CHECK(validate(back.schedule).empty());
    CHECK(groupsOf(back.schedule) == groupsOf(start));
    // Past the end is the end: behind barrier and update.
    CHECK(unitPosition(moveUnit(start, taskNamed(start, "0F0"), 99).schedule,
                       moveUnit(start, taskNamed(start, "0F0"), 99).at) ==
          unitCount(start, start.computeLane(Device(0))) - 1);
}

TEST_CASE("an order that can't complete says the cycle and its victims, and is drawn all the same", "[schedule][edit]")
{
    const test::Planned run = planned(experiment(3, 2), "1f1b");
    // Device 0 wants its own gradient before it has sent anything.
    const Schedule stuck = moveUnit(run.schedule(), taskNamed(run.schedule(), "0B0"), 0).schedule;
    const std::vector<Problem> problems = validate(stuck);
    REQUIRE(problems.size() == 1);
    CHECK(problems.front().kind == Problem::Kind::Deadlock);
    CHECK_FALSE(problems.front().tasks.empty());
    const Timing drawn = sketch(stuck, run.plan.costs);
    REQUIRE(drawn.end.size() == stuck.tasks.size());
    for (const Lane& lane : stuck.lanes)
        for (TaskId id(lane.begin + 1); id < lane.end; ++id)
            CHECK(drawn.start[id] >= drawn.end[id - 1U]);
    CHECK(drawn.start[taskNamed(stuck, "0B0")] == 0);
}

TEST_CASE("a sketch of an order that completes is its simulation", "[schedule][edit]")
{
    for (const char* recipe : {"1f1b", "zb-h1", "interleaved-1f1b", "chimera", "dualpipe"}) {
        Experiment given = experiment(4, 8);
        given.comm = 0.25;
        const test::Planned run = planned(given, recipe);
        const Timing drawn = sketch(run.schedule(), run.plan.costs);
        std::size_t differ = 0;
        for (std::size_t id = 0; id < drawn.end.size(); ++id)
            differ += onGrid(run.schedule().tasks[id].work) && drawn.end[id] != run.timing.end[id] ? 1 : 0;
        CAPTURE(recipe);
        CHECK(differ == 0);
    }
}

TEST_CASE("an order comes back from its text with all that ties it", "[schedule][edit]")
{
    for (const RecipeInfo& info : recipes()) {
        CAPTURE(info.id);
        const Experiment given = experiment(4, 8, "");
        Plan made;
        try {
            made = plan(given, parseRecipe(info.id));
        } catch (const Error&) {
            continue; // these sizes don't suit it
        }
        const CustomOrder order{"again", scheduleFromOrders(ordersText(made.schedule))};
        const Schedule back = withOrder(made.schedule, order.schedule);
        CHECK(back.tasks == made.schedule.tasks);
        CHECK(edgesOf(back) == edgesOf(made.schedule));
        CHECK(groupsOf(back) == groupsOf(made.schedule));
        CHECK(validate(back).empty());
        CHECK(simulate(back, made.costs).end == simulate(made.schedule, made.costs).end);
    }
}

TEST_CASE("a plan of an order by hand has the experiment's costs and the order's tasks", "[schedule][edit]")
{
    const Experiment given = experiment(2, 2);
    const RecipeSpec spec = parseRecipe("1f1b");
    // 0F0 0B0 0F1 0B1 over 1F0 1B0 1F1 1B1: microbatch after microbatch, (1 + 1 + 2 + 2) × 2 = 12 instead of 9.
    const Schedule start = plan(given, spec).schedule;
    const auto order =
        std::make_shared<CustomOrder>(CustomOrder{"serial", moveUnit(start, taskNamed(start, "0B0"), 1).schedule});
    Predictor predictor;
    CHECK(units(predictor.predict(given, spec).timing.makespan()) == 9);
    const Predicted serial = predictor.predict(given, spec, order);
    CHECK(serial.problems.empty());
    CHECK(units(serial.timing.makespan()) == 12);
    CHECK(serial.plan->spec.id == "custom:serial");
    CHECK(customName(serial.plan->spec.id) == "serial");
    CHECK_FALSE(customName("1f1b"));
    Experiment twice = given;
    twice.steps = 2;
    CHECK(planOrder(twice, spec, *order).schedule.shape.steps == 2);
    const CustomOrder read = orderOfRun("custom:serial", ordersText(planOrder(twice, spec, *order).schedule), 2);
    CHECK(planOrder(given, spec, read).schedule.tasks == order->schedule.tasks);
    Experiment larger = given;
    larger.microbatches = 4;
    CHECK_THROWS_WITH(planOrder(larger, spec, *order),
                      "the order 'serial' is for 2 devices, 2 stages and 2 microbatches, but there are 2 devices, 2 "
                      "stages and 4 microbatches now. Set those numbers again, or drop the order.");
}

TEST_CASE("families whose order is kept don't look at costs", "[schedule][edit]")
{
    int kept = 0;
    for (const RecipeInfo& info : recipes()) {
        if (!ignoresCosts(info.id))
            continue;
        ++kept;
        for (const auto& [stages, microbatches] : {std::pair(2, 4), std::pair(4, 8), std::pair(4, 24)}) {
            Experiment cheap = experiment(stages, microbatches, "F=1,I=1,W=1");
            Experiment dear = experiment(stages, microbatches, "F=1,I=9,W=0.1");
            dear.comm = 5;
            dear.stageSpeed.assign(static_cast<std::size_t>(stages * info.defaultChunks), 1);
            dear.stageSpeed.front() = 0.2;
            CAPTURE(info.id, stages, microbatches);
            CHECK(plan(cheap, parseRecipe(info.id)).schedule.tasks == plan(dear, parseRecipe(info.id)).schedule.tasks);
        }
    }
    CHECK(kept == 14);
}

TEST_CASE("a prediction after an edit of costs is that of a fresh plan", "[schedule][edit]")
{
    for (const char* text : {"1f1b", "interleaved-1f1b", "zb-h1", "zb-auto"}) {
        CAPTURE(text);
        const RecipeSpec spec = parseRecipe(text);
        Experiment given = experiment(4, 8);
        given.model.layers = 24;
        Predictor predictor;
        predictor.predict(given, spec);
        CHECK_FALSE(predictor.keptOrder());
        given.comm = 0.5;
        given.model.headCost = 2;
        const int stages = 4 * recipe(spec.id).defaultChunks;
        given.partition.assign(static_cast<std::size_t>(stages), 24 / stages);
        --given.partition.front();
        ++given.partition.back();
        const Predicted again = predictor.predict(given, spec);
        CHECK(predictor.keptOrder() == ignoresCosts(spec.id));
        const Plan fresh = plan(given, spec);
        CHECK(again.plan->schedule.tasks == fresh.schedule.tasks);
        CHECK(again.plan->partition == fresh.partition);
        CHECK(again.timing.end == simulate(fresh.schedule, fresh.costs).end);
        given.microbatches = 12;
        CHECK(predictor.predict(given, spec).plan->schedule.shape.microbatches.front() == 12);
        CHECK_FALSE(predictor.keptOrder());
        given.partition.front() += 1;
        CHECK_THROWS(predictor.predict(given, spec));
    }
}
