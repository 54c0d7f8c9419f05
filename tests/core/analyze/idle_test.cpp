#include "core/analyze/idle.h"
#include "core/base/error.h"
#include "tests/core/analyze/planned.h"

#include <catch2/catch.hpp>

#include <random>

namespace bubblescope::test {
namespace {

void requireSums(const Planned& run)
{
    REQUIRE(run.idle.devices.size() == static_cast<std::size_t>(run.schedule().shape.devices));
    std::vector<CauseTimes> ofGaps(run.idle.devices.size());
    std::vector<Nanoseconds> length(run.idle.devices.size(), 0);
    for (const Gap& gap : run.idle.gaps) {
        Nanoseconds parts = 0;
        for (std::size_t i = 0; i < gap.cause.size(); ++i) {
            REQUIRE(gap.cause[i] >= 0);
            parts += gap.cause[i];
            ofGaps[gap.device][i] += gap.cause[i];
        }
        REQUIRE(parts == gap.length());
        length[gap.device] += parts;
    }
    for (std::size_t device = 0; device < run.idle.devices.size(); ++device) {
        const DeviceIdle& idle = run.idle.devices[device];
        REQUIRE(ofGaps[device] == idle.cause);
        REQUIRE(length[device] == idle.idle);
        REQUIRE(idle.busy + idle.idle == run.idle.makespan());
    }
}

std::string allText(const IdleReport& report)
{
    std::string all;
    for (const DeviceIdle& device : report.devices)
        all += fmt::format("{}: {}\n", units(device.idle), text(device.cause));
    return all;
}

} // namespace

TEST_CASE("1F1B with equal stages waits only while it fills and empties", "[analyze]")
{
    const Planned run = planned(experiment(4, 8), "1f1b");
    CHECK(allText(run.idle) == "9: warmup 6, drain 3\n"
                               "9: warmup 5, drain 4\n"
                               "9: warmup 4, drain 5\n"
                               "9: warmup 3, drain 6\n");
    CHECK(run.idle.makespan() == 33 * unit);
    CHECK(run.idle.bubbleRate() == Approx(9.0 / 33));
    requireSums(run);
}

TEST_CASE("A slow stage shows as imbalance on its victims and not on itself", "[analyze]")
{
    Experiment slow = experiment(4, 8);
    slow.stageSpeed = {1, 1, 0.8, 1};
    const Planned run = planned(slow, "1f1b");
    CHECK(run.idle.makespan() == 38250000);
    CHECK(allText(run.idle) == "14.25: warmup 6.4375, drain 3.125, imbalance 4.6875\n"
                               "14.25: warmup 5.5, drain 4.0625, imbalance 4.6875\n"
                               "8.25: warmup 3.75, drain 4.5\n"
                               "14.25: warmup 3.1875, drain 6.375, imbalance 4.6875\n");
    CHECK(text(gapBefore(run, "0B0")) == "[4,10.75) warmup 6.4375, imbalance 0.3125");
    CHECK(text(gapBefore(run, "0B1")) == "[13.75,14.5) imbalance 0.75");
    CHECK(text(gapBefore(run, "3F2")) == "[9.25,10) imbalance 0.75");
    requireSums(run);
}

TEST_CASE("Transfers add communication to the idle time of every device", "[analyze]")
{
    Experiment far = experiment(4, 8);
    far.comm = 0.5;
    const Planned run = planned(far, "1f1b");
    CHECK(run.idle.makespan() == 41 * unit);
    CHECK(allText(run.idle) == "17: warmup 6, drain 3, communication 8\n"
                               "17: warmup 5, drain 4, communication 8\n"
                               "17: warmup 4, drain 5, communication 8\n"
                               "17: warmup 3, drain 6, communication 8\n");
    requireSums(run);
}

TEST_CASE("ZB-H1 fills the drain with weight gradients: what is left is warmup", "[analyze]")
{
    const Planned run = planned(experiment(4, 8, "F=1,I=1,W=1"), "zb-h1");
    CHECK(allText(run.idle) == "3: warmup 3\n3: warmup 3\n3: warmup 3\n3: warmup 3\n");
    CHECK(text(gapBefore(run, "0I0")) == "[4,7) warmup 3");
    CHECK(text(gapBefore(run, "1F0")) == "[0,1) warmup 1");
    CHECK(text(gapBefore(run, "1I0")) == "[4,6) warmup 2");
    CHECK(text(gapBefore(run, "3F0")) == "[0,3) warmup 3");
    CHECK(run.idle.devices[0].span() == 27 * unit);
    requireSums(run);
}

TEST_CASE("ZB-H1 with a slow stage keeps its warmup and gains imbalance", "[analyze]")
{
    Experiment slow = experiment(4, 8, "F=1,I=1,W=1");
    slow.stageSpeed = {1, 1, 0.8, 1};
    const Planned run = planned(slow, "zb-h1");
    for (const int device : {0, 1, 3})
        CHECK(text(run.idle.devices[static_cast<std::size_t>(device)].cause) == "warmup 3.1875, imbalance 5.5625");
    CHECK(text(run.idle.devices[2].cause) == "warmup 2.75");
    const Gap gap = gapBefore(run, "0I5");
    CHECK(gap.start == 22 * unit);
    CHECK(gap.end == 23750000);
    requireSums(run);
}

TEST_CASE("ZB-H2 starts late on the last device and ends early on the first", "[analyze]")
{
    const Planned run = planned(experiment(4, 8, "F=1,I=1,W=1"), "zb-h2");
    CHECK(allText(run.idle) == "3: drain 3\n3: warmup 1, drain 2\n3: warmup 2, drain 1\n3: warmup 3\n");
    for (const DeviceIdle& device : run.idle.devices)
        CHECK(device.span() == device.spanBusy); // no bubble inside the span: the paper's measure
    requireSums(run);
}

TEST_CASE("GPipe waits before the first backward", "[analyze]")
{
    const Planned run = planned(experiment(4, 8), "gpipe");
    CHECK(text(run.idle.devices[0].cause) == "warmup 9");
    CHECK(text(run.idle.devices[3].cause) == "warmup 3, drain 6");
    requireSums(run);
}

TEST_CASE("The barrier between two steps of ZB-H2 is synchronisation", "[analyze]")
{
    Experiment two = experiment(4, 8, "F=1,I=1,W=1");
    two.steps = 2;
    const Planned run = planned(two, "zb-h2");
    CHECK(run.idle.makespan() == 54 * unit);
    for (const DeviceIdle& device : run.idle.devices) {
        CHECK(device.idle == 6 * unit);
        CHECK(device.cause[static_cast<std::size_t>(IdleCause::Synchronisation)] == 3 * unit);
    }
    requireSums(run);
}

TEST_CASE("A barrier that only ends steps which fill and empty anyway adds nothing", "[analyze]")
{
    Experiment two = experiment(4, 8);
    two.steps = 2;
    const Planned run = planned(two, "1f1b");
    CHECK(allText(run.idle) == "18: warmup 12, drain 6\n"
                               "18: warmup 10, drain 8\n"
                               "18: warmup 8, drain 10\n"
                               "18: warmup 6, drain 12\n");
    requireSums(run);
}

TEST_CASE("Time in blocking transfers is idle with cause communication", "[analyze]")
{
    Experiment blocking = experiment(4, 8);
    blocking.comm = 0.5;
    blocking.commModel = "blocking";
    const Planned run = planned(blocking, "1f1b");
    requireSums(run);
    for (const DeviceIdle& device : run.idle.devices) {
        CHECK(device.busy == 24 * unit);
        CHECK(device.cause[static_cast<std::size_t>(IdleCause::Communication)] == run.idle.makespan() - 33 * unit);
    }
    CHECK(run.idle.makespan() > 41 * unit);
}

TEST_CASE("A busy link is communication too", "[analyze]")
{
    Experiment link = experiment(4, 8);
    link.commModel = "link";
    link.model.layers = 4;
    link.bandwidth = 4.0 * 128 * 64 / 0.0005; // half a unit for each message
    const Planned run = planned(link, "1f1b");
    requireSums(run);
    CHECK(run.idle.makespan() >= 41 * unit);
    CHECK(run.idle.devices[0].cause[static_cast<std::size_t>(IdleCause::Communication)] ==
          run.idle.makespan() - 33 * unit);
}

TEST_CASE("Data that comes late is arrival", "[analyze]")
{
    Planned run = planned(experiment(2, 2), "1f1b");
    run.plan.costs.release = {2 * unit, 0};
    run.timing = simulate(run.schedule(), run.plan.costs);
    run.idle = explainIdle(run.schedule(), run.plan.costs, run.timing);
    requireSums(run);
    // The window begins with the first task, so only what comes after counts: nothing is late then.
    CHECK(run.idle.totalCauses()[static_cast<std::size_t>(IdleCause::Arrival)] == 0);
    run.plan.costs.release = {0, 4 * unit};
    run.timing = simulate(run.schedule(), run.plan.costs);
    run.idle = explainIdle(run.schedule(), run.plan.costs, run.timing);
    requireSums(run);
    CHECK(run.idle.devices[0].cause[static_cast<std::size_t>(IdleCause::Arrival)] > 0);
}

TEST_CASE("An all-reduce before the update is synchronisation", "[analyze]")
{
    // One forward and backward a device, nothing between them, then a collective of 1.5 on the compute lanes' own communicator.
    ScheduleBuilder builder({.devices = 2, .stages = 2, .microbatches = {1}});
    std::vector<ScheduleBuilder::Ref> group;
    std::vector<ScheduleBuilder::Ref> last;
    for (int device = 0; device < 2; ++device) {
        builder.compute(Device(device), {.work = Work::Forward, .stage = Stage(device)});
        last.push_back(builder.compute(Device(device), {.work = Work::Backward, .stage = Stage(device)}));
    }
    for (int device = 0; device < 2; ++device) {
        group.push_back(builder.add(builder.lane(Device(device), LaneKind::Collective),
                                    {.work = Work::AllReduce, .part = Part(device)}));
        builder.edge(last[static_cast<std::size_t>(device)], group.back());
    }
    for (int device = 0; device < 2; ++device)
        builder.edge(group[static_cast<std::size_t>(device)],
                     builder.compute(Device(device), {.work = Work::Update, .stage = Stage(device)}),
                     Payload::Gradient);
    builder.group(group);
    builder.placeLooped();
    Planned run;
    run.plan.schedule = builder.finish();
    run.plan.costs = Costs(2);
    run.plan.costs.set(Work::Forward, unit);
    run.plan.costs.set(Work::Backward, 2 * unit);
    run.plan.costs.set(Work::AllReduce, 3 * unit / 2);
    run.timing = simulate(run.schedule(), run.plan.costs);
    run.idle = explainIdle(run.schedule(), run.plan.costs, run.timing);
    CHECK(allText(run.idle) == "4.5: warmup 3, synchronisation 1.5\n"
                               "4.5: warmup 1, drain 2, synchronisation 1.5\n");
    requireSums(run);
}

TEST_CASE("A late reload is memory", "[analyze]")
{
    ScheduleBuilder builder({.devices = 1, .stages = 1, .microbatches = {1}});
    const auto forward = builder.compute(Device(0), {.work = Work::Forward});
    const auto backward = builder.compute(Device(0), {.work = Work::Backward});
    const auto lane = builder.lane(Device(0), LaneKind::CopyOut);
    const auto out = builder.add(lane, {.work = Work::Offload});
    const auto in = builder.add(lane, {.work = Work::Reload});
    builder.edge(forward, out);
    builder.edge(out, in);
    builder.edge(in, backward);
    Planned run;
    run.plan.schedule = builder.finish();
    run.plan.costs = Costs(1);
    run.plan.costs.set(Work::Forward, unit);
    run.plan.costs.set(Work::Backward, unit);
    run.plan.costs.set(Work::Offload, unit);
    run.plan.costs.set(Work::Reload, unit);
    run.timing = simulate(run.schedule(), run.plan.costs);
    run.idle = explainIdle(run.schedule(), run.plan.costs, run.timing);
    CHECK(allText(run.idle) == "2: memory 2\n");
    requireSums(run);
}

TEST_CASE("A joined unit counts once as busy", "[analyze]")
{
    ScheduleBuilder builder({.devices = 1, .stages = 1, .microbatches = {2}});
    builder.compute(Device(0), {.work = Work::Forward});
    builder.join(builder.compute(Device(0), {.work = Work::Forward, .microbatch = Microbatch(1)}));
    builder.compute(Device(0), {.work = Work::Backward});
    builder.compute(Device(0), {.work = Work::Backward, .microbatch = Microbatch(1)});
    Planned run;
    run.plan.schedule = builder.finish();
    run.plan.costs = Costs(1);
    run.plan.costs.set(Work::Forward, unit);
    run.plan.costs.set(Work::Backward, 2 * unit);
    run.timing = simulate(run.schedule(), run.plan.costs);
    run.idle = explainIdle(run.schedule(), run.plan.costs, run.timing);
    CHECK(run.idle.devices[0].busy == 6 * unit);
    CHECK(run.idle.devices[0].idle == 0);
    requireSums(run);
}

TEST_CASE("Causes add up for any costs, transfers and steps", "[analyze]")
{
    std::mt19937 random(7);
    const auto below = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
    const std::string recipes[] = {"gpipe", "gpipe:backward=lifo", "1f1b", "eager-1f1b", "zb-h1", "zb-h2"};
    const std::string models[] = {"latency", "link", "blocking"};
    for (int round = 0; round < 150; ++round) {
        Experiment any = experiment(1 + below(6), 1 + below(12));
        const std::string& recipe = recipes[below(6)];
        any.steps = 1 + below(3);
        any.comm = below(3) * 0.25;
        any.commModel = models[below(3)];
        for (int stage = 0; stage < any.stages; ++stage)
            any.stageCosts.push_back(
                {{"F", 0.25 * below(8)}, {"I", 0.37 * below(5)}, {"W", 0.2 * below(4)}, {"U", below(2) * 0.5}});
        CAPTURE(round, recipe, any.stages, any.microbatches, any.steps, any.comm, any.commModel);
        Planned run;
        try {
            run = planned(any, recipe);
        } catch (const Error&) {
            continue; // a shape that the family doesn't have
        }
        requireSums(run);
        CHECK(run.idle.totalCauses()[static_cast<std::size_t>(IdleCause::Unexplained)] == 0);
        CHECK(run.idle.totalCauses()[static_cast<std::size_t>(IdleCause::Jitter)] == 0);
    }
}

TEST_CASE("One slow task of a measured run is jitter, a late start unexplained", "[analyze]")
{
    Planned run = planned(experiment(4, 8), "1f1b");
    Costs measured = run.plan.costs;
    measured.perTask.clear();
    for (TaskId id{}; id < run.schedule().tasks.size(); ++id)
        measured.perTask.push_back(run.plan.costs.duration(id, run.schedule().tasks[id]));
    measured.perTask[taskNamed(run.schedule(), "2B3")] += unit;
    run.timing = simulate(run.schedule(), measured);
    run.idle = explainMeasuredIdle(run.schedule(), measured, run.timing);
    requireSums(run);
    CHECK(text(run.idle.devices[0].cause) == "warmup 6, drain 3, jitter 1");
    CHECK(text(run.idle.devices[2].cause) == "warmup 4, drain 5");

    for (Nanoseconds* time :
         {&run.timing.start[taskNamed(run.schedule(), "0U0")], &run.timing.end[taskNamed(run.schedule(), "0U0")]})
        *time += 2 * unit;
    run.timing.finish += 2 * unit;
    run.idle = explainMeasuredIdle(run.schedule(), measured, run.timing);
    requireSums(run);
    CHECK(text(run.idle.devices[0].cause) == "warmup 6, drain 3, jitter 1, unexplained 2");
}

} // namespace bubblescope::test
