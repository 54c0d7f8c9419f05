// Stages that stand on several devices: gradients are summed, in one order, and replicas stay alike.

#include "core/base/error.h"
#include "core/execute/replicas.h"
#include "tests/support/execution.h"

#include <catch2/catch.hpp>

#include <map>
#include <memory>

using namespace bubblescope;
using namespace bubblescope::test;
using Ref = ScheduleBuilder::Ref;

namespace {

enum class Sum { Barrier, AllReduce };

/// All-reduce tasks of every stage on collective lanes, each after the last backward of its home.
void addAllReduces(ScheduleBuilder& builder, const std::vector<std::pair<Task, std::pair<Device, Ref>>>& lastBackwards)
{
    std::map<Stage, std::vector<Ref>> members;
    for (const auto& [last, place] : lastBackwards) {
        const auto part = static_cast<int>(members[last.stage].size());
        const int lane = last.pipe; // a device has a stage of each pipe
        const Ref sum =
            builder.add(builder.lane(place.first, LaneKind::Collective, lane),
                        {.work = Work::AllReduce, .pipe = last.pipe, .stage = last.stage, .part = Part(part)});
        builder.edge(place.second, sum);
        members[last.stage].push_back(sum);
    }
    for (const auto& [stage, group] : members)
        builder.group(group);
}

/// The updates that endSynchronousStep() writes have to wait for the sums.
Schedule finished(ScheduleBuilder& builder, Sum sum)
{
    builder.endSynchronousStep();
    builder.schedule().semantics.replicas = Semantics::Replicas::SumBeforeUpdate;
    Schedule schedule = builder.finish();
    if (sum == Sum::AllReduce)
        for (TaskId id{}; id < schedule.tasks.size(); ++id)
            if (const Task& update = schedule.tasks[id]; update.work == Work::Update)
                for (TaskId other{}; other < schedule.tasks.size(); ++other)
                    if (const Task& task = schedule.tasks[other];
                        task.work == Work::AllReduce && task.stage == update.stage && task.pipe == update.pipe &&
                        schedule.deviceOf(other) == schedule.deviceOf(id))
                        schedule.dataflow.edges.push_back({other, id, Payload::None});
    std::stable_sort(schedule.dataflow.edges.begin(), schedule.dataflow.edges.end(),
                     [](const Edge& a, const Edge& b) { return a.to < b.to; });
    return schedule;
}

/// Two pipes over the same devices in opposite directions: all forwards, then all backwards.
Schedule twoWays(int devices, int first, int second, Sum sum)
{
    ScheduleBuilder builder({.devices = devices, .stages = devices, .pipes = 2, .microbatches = {first, second}});
    std::vector<std::pair<Task, std::pair<Device, Ref>>> last;
    for (int device = 0; device < devices; ++device) {
        for (const Work work : {Work::Forward, Work::Backward})
            for (const int pipe : {0, 1}) {
                const int stage = pipe == 0 ? device : devices - 1 - device;
                Ref ref;
                Task task{.work = work, .pipe = Pipe(pipe), .stage = Stage(stage)};
                for (int i = 0; i < (pipe == 0 ? first : second); ++i) {
                    task.microbatch = Microbatch(i);
                    ref = builder.compute(Device(device), task);
                }
                if (work == Work::Backward)
                    last.push_back({task, {Device(device), ref}});
            }
    }
    if (sum == Sum::AllReduce)
        addAllReduces(builder, last);
    return finished(builder, sum);
}

/// One pipe of two stages, the first on `replicas` devices in turn.
Schedule roundRobin(int replicas, int microbatches)
{
    ScheduleBuilder builder({.devices = replicas + 1, .stages = 2, .microbatches = {microbatches}});
    for (const Work work : {Work::Forward, Work::Backward})
        for (int i = 0; i < microbatches; ++i)
            builder.compute(Device(i % replicas), {.work = work, .stage = Stage(0), .microbatch = Microbatch(i)});
    for (int i = 0; i < microbatches; ++i)
        for (const Work work : {Work::Forward, Work::Backward})
            builder.compute(Device(replicas), {.work = work, .stage = Stage(1), .microbatch = Microbatch(i)});
    return finished(builder, Sum::Barrier);
}

void checkTrains(const Schedule& schedule, const ToyMaker& maker)
{
    const RunResult result =
        run(schedule, unitCosts(schedule), toyBackend(maker, schedule), {.steps = 3, .verify = true});
    INFO(result.sentence << result.verify.sentence);
    REQUIRE(result.state == RunResult::State::Complete); // which it isn't when replicas have come apart
    CHECK(result.verify.passed);
    CHECK_FALSE(result.verify.bitsExpected);
    CHECK(result.verify.loss == Approx(result.verify.referenceLoss).epsilon(1e-6));
    CHECK(result.losses.size() == 3);
    CHECK(result.leakedBytes == 0);
}

} // namespace

TEST_CASE("two pipes train on different data, and their replicas stay alike", "[execute]")
{
    const auto sum = GENERATE(Sum::Barrier, Sum::AllReduce);
    const auto devices = GENERATE(2, 3, 4);
    const auto second = GENERATE(2, 3);
    CAPTURE(devices, second);
    if (devices == 3 && sum == Sum::AllReduce)
        return; // the middle device would have both members of a group: covered by the barrier
    checkTrains(twoWays(devices, 2, second, sum), ToyMaker());
}

TEST_CASE("a stage may stand on several devices of one pipe", "[execute]")
{
    const auto replicas = GENERATE(2, 3);
    checkTrains(roundRobin(replicas, 6), ToyMaker());
}

TEST_CASE("the loss of two pipes is that of one pipe with all the data", "[execute]")
{
    const ToyMaker maker;
    const Schedule both = twoWays(2, 4, 4, Sum::AllReduce);
    const Schedule one = scheduleOf("gpipe", 2, 8);
    const std::vector<double> losses = run(both, unitCosts(both), toyBackend(maker, both), {.steps = 5}).losses;
    const std::vector<double> expected = run(one, unitCosts(one), toyBackend(maker, one), {.steps = 5}).losses;
    REQUIRE(losses.size() == 5);
    for (std::size_t step = 0; step < losses.size(); ++step)
        CHECK(losses[step] == Approx(expected[step]).epsilon(1e-6));
}

TEST_CASE("replicas are summed in one order, and a bit of difference is found", "[execute]")
{
    const Schedule schedule = roundRobin(3, 3);
    Replicas replicas(schedule);
    REQUIRE(replicas.homes().size() == 4);
    const ToyMaker maker;
    Arena arena;
    std::vector<std::unique_ptr<StageModule>> modules;
    for (std::size_t home = 0; home < 4; ++home) {
        modules.push_back(maker.make({.firstBlock = home < 3 ? 0 : 1}, {}, arena));
        replicas.settle(home, *modules.back());
        for (std::size_t i = 0; i < 64; ++i) // sums that depend on the order of their parts
            modules.back()->gradientBuffer().floats()[i] = home == 1 ? -1e8F : home == 0 ? 1e8F : 0.5F;
    }
    CHECK_THAT(replicas.difference(&StageModule::gradientBuffer), Catch::Contains("devices 0 and 1"));
    for (std::size_t home = 0; home < 3; ++home)
        replicas.sumShare(home);
    CHECK(replicas.difference(&StageModule::gradientBuffer).empty());
    for (std::size_t i = 0; i < 64; ++i)
        CHECK(modules[2]->gradientBuffer().floats()[i] == 0.5F);
    modules[2]->weightBuffer().floats()[63] += 1e-6F;
    CHECK_THAT(replicas.difference(&StageModule::weightBuffer),
               Catch::Contains("stage 0 isn't the same on devices 0 and 2"));
}

TEST_CASE("replicas whose gradients nothing sums are refused", "[execute]")
{
    const ToyMaker maker;
    const auto refusal = [&](const Schedule& schedule) {
        try {
            run(schedule, unitCosts(schedule), toyBackend(maker, schedule), {.checkFirst = false});
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("none");
    };
    Schedule silent = twoWays(2, 2, 2, Sum::Barrier);
    silent.semantics.replicas = Semantics::Replicas::None;
    CHECK_THAT(refusal(silent), Catch::Contains("Stage 0 stands on devices 0 and 1, but the schedule doesn't say"));
    Schedule alone = twoWays(2, 2, 2, Sum::Barrier);
    alone.groups.clear();
    CHECK_THAT(refusal(alone), Catch::Contains("neither an all-reduce nor a barrier"));
    Schedule half = twoWays(2, 2, 2, Sum::AllReduce);
    half.tasks[half.groupMembers[half.groups[0].begin]].pipe = Pipe(1);
    CHECK_THAT(refusal(half), Catch::Contains("The all-reduce of stage"));
}
