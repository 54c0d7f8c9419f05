// Two independent implementations of the start rule, the engine's and the simulator's, have to agree to
// the nanosecond. That proves the engine, never the cost model.

#include "core/base/error.h"
#include "core/execute/measured_costs.h"
#include "core/simulate/simulate.h"
#include "tests/support/execution.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>

using namespace bubblescope;
using namespace bubblescope::test;

namespace {

/// Durations that no closed form describes.
Costs unevenCosts(const Schedule& schedule, unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_int_distribution<Nanoseconds> some(300'000, 2'900'000);
    Costs costs(schedule.shape.allStages());
    for (int stage = 0; stage < schedule.shape.allStages(); ++stage)
        for (int work = 0; work < workCount; ++work)
            costs.set(static_cast<Work>(work), Stage(stage), some(random));
    return costs;
}

RunResult paced(const Schedule& schedule, const Costs& costs, RunOptions options = {})
{
    NoSleep time;
    options.time = &time;
    return run(schedule, costs, {}, options);
}

/// Every task's start and end, and not only the makespan.
void requireSameTimes(const Schedule& schedule, const Costs& costs)
{
    const Timing timing = simulate(schedule, costs);
    const RunResult result = paced(schedule, costs);
    REQUIRE(result.state == RunResult::State::Complete);
    REQUIRE(result.label == RunLabel::Emulated);
    REQUIRE(result.virtualMakespan == timing.makespan());
    std::size_t lane = 0;
    for (const Lane& of : schedule.lanes) {
        const auto& spans = result.trace.lanes.at(lane++).spans;
        REQUIRE(spans.size() == of.size());
        for (std::uint32_t i = 0; i < of.size(); ++i) {
            const TaskId id(of.begin + i);
            REQUIRE(spans[i].task == schedule.tasks[id]);
            REQUIRE(spans[i].start == timing.start[id]);
            REQUIRE(spans[i].end == timing.end[id]);
        }
    }
}

} // namespace

TEST_CASE("a paced run has the simulator's times to the nanosecond", "[execute]")
{
    const auto recipe =
        GENERATE(as<std::string>(), "gpipe", "gpipe:backward=lifo", "1f1b", "zb-h1", "zb-h2", "interleaved-1f1b");
    const auto devices = GENERATE(2, 4, 8);
    const auto comm = GENERATE(as<Nanoseconds>(), 0, 300'000, 2'000'000);
    const Schedule schedule = scheduleOf(recipe, devices, 2 * devices);
    Costs costs = unevenCosts(schedule, static_cast<unsigned>(devices));
    costs.everyHop.latency = comm;
    CAPTURE(recipe, devices, comm);
    requireSameTimes(schedule, costs);
}

TEST_CASE("every family runs paced as it is simulated", "[execute]")
{
    for (const RecipeInfo& info : recipes()) {
        int built = 0;
        for (const auto& [devices, microbatches] : {std::pair(4, 8), std::pair(3, 6), std::pair(2, 4)})
            for (const CommModel model : {CommModel::Latency, CommModel::Link}) {
                Schedule schedule;
                try {
                    schedule = scheduleOf(std::string(info.id), devices, microbatches);
                } catch (const Error&) {
                    continue; // a shape that the family doesn't build
                }
                CAPTURE(std::string(info.id), devices, microbatches, commModelName(model));
                Costs costs = unevenCosts(schedule, static_cast<unsigned>(++built));
                costs.model = model;
                costs.everyHop = {.latency = 200'000, .bytesPerSecond = model == CommModel::Link ? 1e9 : 0};
                costs.activationBytes.assign(static_cast<std::size_t>(schedule.shape.allStages()), 500'000);
                requireSameTimes(schedule, costs);
            }
        CHECK(built > 0);
    }
}

TEST_CASE("a paced run has the simulator's times where each pair of devices has its own hop", "[execute]")
{
    const Schedule schedule = scheduleOf("1f1b", 4, 6);
    Costs costs = unevenCosts(schedule, 3);
    costs.activationBytes.assign(4, 1'000'000);
    for (std::uint16_t from = 0; from < 4; ++from)
        for (std::uint16_t to = 0; to < 4; ++to)
            costs.setHop(Device(from), Device(to), {.latency = 100'000 * (from + 1), .bytesPerSecond = 1e9 * (to + 1)},
                         4);
    requireSameTimes(schedule, costs);
}

TEST_CASE("a paced run has the simulator's times where links are occupied", "[execute]")
{
    const Schedule schedule = scheduleOf("gpipe", 4, 6);
    Costs costs = unevenCosts(schedule, 5);
    costs.activationBytes.assign(4, 1'000'000);
    costs.model = CommModel::Link;
    costs.everyHop = {.latency = 50'000, .bytesPerSecond = 1e9};
    requireSameTimes(schedule, costs);
}

TEST_CASE("arrivals, joined pairs, groups with a duration and lanes beside compute run as simulated", "[execute]")
{
    ScheduleBuilder builder({.devices = 2, .stages = 2, .microbatches = {2}});
    const Device first(0);
    const Device second(1);
    const auto task = [](Work work, int stage, int microbatch) {
        return Task{.work = work, .stage = Stage(stage), .microbatch = Microbatch(microbatch)};
    };
    const auto produced = builder.compute(first, task(Work::Forward, 0, 0));
    builder.compute(first, task(Work::Forward, 0, 1));
    builder.compute(first, task(Work::Backward, 0, 0));
    const auto lastOfFirst = builder.compute(first, task(Work::Backward, 0, 1));
    builder.compute(second, task(Work::Forward, 1, 0));
    builder.join(builder.compute(second, task(Work::Forward, 1, 1)));
    builder.compute(second, task(Work::Backward, 1, 0));
    const auto lastOfSecond = builder.compute(second, task(Work::Backward, 1, 1));
    const auto offload = builder.add(builder.lane(first, LaneKind::CopyOut), task(Work::Offload, 0, 0));
    builder.edge(produced, offload, Payload::Stash);
    Task reduce = task(Work::AllReduce, 0, 0);
    const auto own = builder.add(builder.lane(first, LaneKind::Collective), reduce);
    reduce.part = Part(1);
    const auto other = builder.add(builder.lane(second, LaneKind::Collective), reduce);
    builder.edge(lastOfFirst, own);
    builder.edge(lastOfSecond, other);
    builder.group({own, other});
    const Schedule schedule = builder.finish();
    Costs costs = unevenCosts(schedule, 9);
    costs.set(Work::Offload, 700'000);
    costs.set(Work::AllReduce, 1'300'000);
    costs.pair = 3'333'333;
    costs.release = {100'000, 9'000'000};
    costs.everyHop.latency = 10'000;
    requireSameTimes(schedule, costs);
}

TEST_CASE("a step run three times takes the time of three steps simulated in one schedule", "[execute]")
{
    const auto recipe = GENERATE(as<std::string>(), "1f1b", "zb-h1", "interleaved-1f1b");
    const Schedule step = scheduleOf(recipe, 4, 8);
    const Costs costs = unevenCosts(step, 2);
    const RunResult result = paced(step, costs, {.steps = 3});
    const Schedule three = repeatSteps(step, 3);
    CHECK(result.virtualMakespan == simulate(three, costs).makespan());
    CHECK(result.trace.spanCount() == three.tasks.size());
    const RunResult listed = paced(three, costs);
    CHECK(listed.virtualMakespan == result.virtualMakespan);
    for (std::size_t lane = 0; lane < listed.trace.lanes.size(); ++lane)
        for (std::size_t i = 0; i < listed.trace.lanes[lane].spans.size(); ++i)
            REQUIRE(listed.trace.lanes[lane].spans[i].task == result.trace.lanes[lane].spans[i].task);
}

TEST_CASE("costs taken from a paced run predict it within one percent", "[execute]")
{
    const Schedule schedule = scheduleOf("zb-h1", 4, 8);
    const Costs costs = unevenCosts(schedule, 7);
    const RunResult result = paced(schedule, costs, {.steps = 2});
    const Costs measured = costsFromTrace(result.trace, schedule, Costs(4));
    const Nanoseconds predicted = simulate(repeatSteps(schedule, 2), measured).makespan();
    CHECK(predicted == result.virtualMakespan);
}

TEST_CASE("queues of one message are bounded in virtual time too", "[execute]")
{
    const Schedule schedule = scheduleOf("1f1b", 4, 8);
    Costs costs = unitCosts(schedule);
    costs.set(Work::Forward, Stage(0), unit / 4);
    const RunResult deep = paced(schedule, costs);
    const RunResult bounded = paced(schedule, costs, {.capacity = 1});
    REQUIRE(bounded.state == RunResult::State::Complete);
    CHECK(deep.virtualMakespan == simulate(schedule, costs).makespan());
    CHECK(bounded.virtualMakespan >= deep.virtualMakespan);
    for (int again = 0; again < 5; ++again)
        CHECK(paced(schedule, costs, {.capacity = 1}).virtualMakespan == bounded.virtualMakespan);
}

TEST_CASE("a paced run takes its wall time from the model", "[execute]")
{
    const Schedule schedule = scheduleOf("1f1b", 4, 4);
    const Costs costs = unitCosts(schedule);
    const RunResult result = run(schedule, costs, {});
    CHECK(result.wallMakespan >= result.virtualMakespan - unit); // it can't be early; how late is the machine's affair
    for (const TraceLane& lane : result.trace.lanes)
        for (std::size_t i = 0; i < lane.spans.size(); ++i)
            REQUIRE(lane.measurements[i].wallEnd >= lane.spans[i].end);
}

TEST_CASE("what the paced backend can't do is refused", "[execute]")
{
    const Schedule schedule = scheduleOf("1f1b", 2, 2);
    Costs costs = unitCosts(schedule);
    CHECK_THROWS_WITH(paced(schedule, costs, {.verify = true}), Catch::Contains("use the cpu backend"));
    CHECK_THROWS_WITH(paced(repeatSteps(schedule, 2), costs, {.steps = 3}), Catch::Contains("multiple"));
    costs.model = CommModel::Blocking;
    CHECK_THROWS_WITH(paced(schedule, costs), Catch::Contains("blocking transfers can only be simulated"));
}
