// Tasks on lanes beside compute: gathers and reduce-scatters of sharded weights, offload and reload.

#include "core/base/error.h"
#include "tests/support/execution.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>

using namespace bubblescope;
using namespace bubblescope::test;
using Ref = ScheduleBuilder::Ref;

namespace {

Task taskOf(Work work, int stage, int microbatch)
{
    return {.work = work, .stage = Stage(stage), .microbatch = Microbatch(microbatch)};
}

/// GPipe in which each stage's weights are gathered before its forwards and again before its backwards; gradients
/// are reduced after every `unit` microbatches.
Schedule sharded(int devices, int microbatches, int unit)
{
    ScheduleBuilder builder({.devices = devices, .stages = devices, .microbatches = {microbatches}});
    std::vector<Ref> reduced;
    for (int device = 0; device < devices; ++device) {
        const std::uint32_t lane = builder.lane(Device(device), LaneKind::Collective);
        const auto collective = [&](Work work, int ordinal) {
            return builder.add(lane, taskOf(work, device, ordinal));
        };
        const Ref forwards = collective(Work::Gather, 0);
        const Ref backwards = collective(Work::Gather, 1);
        for (int i = 0; i < microbatches; ++i) {
            const Ref forward = builder.compute(Device(device), taskOf(Work::Forward, device, i));
            if (i == 0)
                builder.edge(forwards, forward, Payload::Weight);
        }
        for (int i = 0; i < microbatches; ++i) {
            const Ref backward = builder.compute(Device(device), taskOf(Work::Backward, device, i));
            if (i == 0)
                builder.edge(backwards, backward, Payload::Weight);
            if ((i + 1) % unit != 0 && i + 1 < microbatches)
                continue;
            reduced.push_back(collective(Work::ReduceScatter, i / unit));
            builder.edge(backward, reduced.back());
            builder.edge(reduced.back(), {builder.lane(Device(device)), static_cast<std::uint32_t>(2 * microbatches)});
        }
    }
    builder.placeLooped();
    builder.endSynchronousStep();
    return builder.finish();
}

/// 1F1B whose microbatches leave device 0 after their forward and come back before their backward.
Schedule offloaded(int devices, int microbatches)
{
    const Schedule plain = scheduleOf("1f1b", devices, microbatches);
    ScheduleBuilder builder(plain.shape);
    std::map<Task, Ref> at;
    for (const Lane& lane : plain.lanes)
        for (TaskId id = lane.begin; id < lane.end; ++id)
            if (onGrid(plain.tasks[id].work))
                at[plain.tasks[id]] = builder.compute(lane.device, plain.tasks[id]);
    const std::uint32_t out = builder.lane(Device(0), LaneKind::CopyOut);
    const std::uint32_t in = builder.lane(Device(0), LaneKind::CopyIn);
    for (int i = 0; i < microbatches; ++i) {
        const Ref offload = builder.add(out, taskOf(Work::Offload, 0, i));
        const Ref reload = builder.add(in, taskOf(Work::Reload, 0, i));
        builder.edge(at.at(taskOf(Work::Forward, 0, i)), offload, Payload::Stash);
        builder.edge(offload, reload, Payload::Stash);
        builder.edge(reload, at.at(taskOf(Work::Backward, 0, i)), Payload::Stash);
    }
    builder.placeLooped();
    builder.endSynchronousStep();
    return builder.finish();
}

RunResult checkTrains(const Schedule& schedule, int devices, int microbatches)
{
    const ToyMaker maker;
    const RunResult result =
        run(schedule, unitCosts(schedule), toyBackend(maker, schedule), {.steps = 3, .verify = true});
    INFO(result.sentence << result.verify.sentence);
    REQUIRE(result.state == RunResult::State::Complete);
    CHECK(result.verify.passed);
    CHECK(result.leakedBytes == 0);
    const Schedule plain = scheduleOf("gpipe", devices, microbatches);
    const std::vector<double> expected = run(plain, unitCosts(plain), toyBackend(maker, plain), {.steps = 3}).losses;
    REQUIRE(result.losses.size() == 3);
    for (std::size_t step = 0; step < 3; ++step)
        CHECK(result.losses[step] == Approx(expected[step]).epsilon(1e-6));
    return result;
}

std::int64_t peakOf(const RunResult& result, const std::string& name, int device)
{
    std::int64_t peak = 0;
    for (const Counter& counter : result.trace.counters)
        if (counter.name == name && counter.device == Device(device))
            for (const auto& [time, bytes] : counter.samples)
                peak = std::max(peak, bytes);
    return peak;
}

} // namespace

TEST_CASE("weights are gathered for each burst and gradients reduced after it", "[execute]")
{
    const int unit = GENERATE(1, 2, 8);
    const RunResult result = checkTrains(sharded(3, 8, unit), 3, 8);
    constexpr std::int64_t stage = 8 * 8 * 4;
    for (int device = 0; device < 3; ++device) {
        const std::int64_t weights = peakOf(result, "memory.weight", device);
        CHECK(weights >= 2 * stage); // the shard and what was gathered
        CHECK(weights <= 3 * stage); // and the next burst's
    }
}

TEST_CASE("microbatches leave for host memory and come back", "[execute]")
{
    checkTrains(offloaded(4, 8), 4, 8);
}

TEST_CASE("what is offloaded is on the device no more", "[execute]")
{
    // Each forward but the first waits until the microbatch before is away, each backward for its reload only: one
    // microbatch at a time is on the device, where GPipe has all.
    constexpr int m = 5;
    ScheduleBuilder builder({.devices = 1, .stages = 1, .microbatches = {m}});
    std::vector<Ref> offloads;
    Ref before;
    for (int i = 0; i < m; ++i) {
        before = builder.compute(Device(0), taskOf(Work::Forward, 0, i));
        if (i > 0)
            builder.edge(offloads.back(), before);
        offloads.push_back(builder.add(builder.lane(Device(0), LaneKind::CopyOut), taskOf(Work::Offload, 0, i)));
        builder.edge(before, offloads.back(), Payload::Stash);
    }
    for (int i = 0; i < m; ++i) {
        const Ref reload = builder.add(builder.lane(Device(0), LaneKind::CopyIn), taskOf(Work::Reload, 0, i));
        builder.edge(offloads[static_cast<std::size_t>(i)], reload, Payload::Stash);
        builder.edge(before, reload);
        before = builder.compute(Device(0), taskOf(Work::Backward, 0, i));
        builder.edge(reload, before, Payload::Stash);
    }
    builder.placeLooped();
    builder.endSynchronousStep();
    const RunResult result = checkTrains(builder.finish(), 1, m);
    CHECK(peakOf(result, "memory.activation", 0) == 3 * 8 * 4); // input, output and the head's copy of one microbatch
}

TEST_CASE("a backward whose microbatch is still away fails with its name", "[execute]")
{
    Schedule schedule = offloaded(2, 2);
    for (std::size_t i = 0; i < schedule.dataflow.edges.size(); ++i)
        if (schedule.tasks[schedule.dataflow.edges[i].from].work == Work::Reload)
            schedule.dataflow.edges[i].from = schedule.dataflow.edges[i].to; // the reload isn't waited for
    std::erase_if(schedule.dataflow.edges, [](const Edge& edge) { return edge.from == edge.to; });
    for (Task& task : schedule.tasks) // and never comes
        if (task.work == Work::Reload)
            task.work = Work::Offload;
    ToyMaker maker;
    const RunResult result = run(schedule, unitCosts(schedule), toyBackend(maker, schedule), {.checkFirst = false});
    CHECK(result.state == RunResult::State::Failed);
    CHECK(result.leakedBytes == 0);
}

TEST_CASE("gathers of the next step wait for the update of this one, listed or in rounds", "[execute]")
{
    const Schedule step = sharded(2, 4, 4);
    const ToyMaker maker;
    const auto losses = [&](const Schedule& schedule) {
        return run(schedule, unitCosts(schedule), toyBackend(maker, schedule), {.steps = 6}).losses;
    };
    CHECK(losses(repeatSteps(step, 3)) == losses(step));
}
