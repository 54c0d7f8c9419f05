// The engine with a small model: what it computes, and how it ends.

#include "core/base/error.h"
#include "core/execute/measured_costs.h"
#include "core/simulate/simulate.h"
#include "tests/support/execution.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <chrono>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>

using namespace bubblescope;
using namespace bubblescope::test;

namespace {

RunResult verified(const Schedule& schedule, const ToyMaker& maker, std::vector<int> partition = {})
{
    return run(schedule, unitCosts(schedule), toyBackend(maker, schedule, std::move(partition)), {.verify = true});
}

std::string swapOnLane(Schedule& schedule, int device, const std::string& a, const std::string& b)
{
    const Lane& lane = schedule.lanes[schedule.computeLane(Device(device))];
    const auto begin = schedule.tasks.begin() + lane.begin;
    const auto end = schedule.tasks.begin() + lane.end;
    std::iter_swap(std::find(begin, end, *taskFromText(a)), std::find(begin, end, *taskFromText(b)));
    return a;
}

} // namespace

TEST_CASE("gradients have the bits of one device where microbatches are added in order", "[execute]")
{
    const auto recipe = GENERATE(as<std::string>(), "gpipe", "1f1b", "zb-h1", "zb-h2");
    const auto devices = GENERATE(1, 2, 3, 4, 8);
    const auto microbatches = GENERATE(2, 4, 12);
    CAPTURE(recipe, devices, microbatches);
    Schedule schedule;
    try {
        schedule = scheduleOf(recipe, devices, microbatches);
    } catch (const Error&) {
        return; // a shape that the recipe doesn't build
    }
    const ToyMaker maker;
    const RunResult result = verified(schedule, maker);
    REQUIRE(result.state == RunResult::State::Complete);
    REQUIRE(result.verify.ran);
    CHECK(result.verify.bitsExpected);
    CHECK(result.verify.bitEqual);
    CHECK(result.verify.passed);
    CHECK(result.verify.maxRelativeGradientError == 0);
    CHECK(result.verify.loss == result.losses.at(0));
    CHECK(result.leakedBytes == 0);
}

TEST_CASE("gradients agree to the order of additions where it differs", "[execute]")
{
    const Schedule schedule = scheduleOf("gpipe:backward=lifo", 4, 16);
    const ToyMaker maker;
    const RunResult result = verified(schedule, maker);
    CHECK_FALSE(result.verify.bitsExpected);
    CHECK(result.verify.passed);
    CHECK(result.verify.maxRelativeGradientError < 1e-5);
}

TEST_CASE("chunks and uneven partitions compute the same gradients", "[execute]")
{
    const ToyMaker maker;
    const Schedule chunks = scheduleOf("interleaved-1f1b", 2, 4);
    CHECK(verified(chunks, maker).verify.bitEqual);
    CHECK(verified(chunks, maker, {3, 1, 2, 1}).verify.bitEqual);
    const Schedule plain = scheduleOf("1f1b", 3, 5);
    CHECK(verified(plain, maker, {1, 5, 2}).verify.bitEqual);
}

TEST_CASE("recomputed activations give the same bits", "[execute]")
{
    const Schedule plain = scheduleOf("1f1b", 3, 4);
    ScheduleBuilder builder(plain.shape);
    for (const Lane& lane : plain.lanes) {
        for (TaskId id = lane.begin; id < lane.end; ++id) {
            Task task = plain.tasks[id];
            if (task.work == Work::Backward) {
                task.work = Work::Recompute;
                builder.compute(lane.device, task);
                task.work = Work::Backward;
            }
            if (onGrid(task.work))
                builder.compute(lane.device, task);
        }
    }
    builder.endSynchronousStep();
    const Schedule schedule = builder.finish();
    ToyMaker maker;
    maker.recompute = true;
    Backend backend = toyBackend(maker, schedule);
    backend.recompute = true;
    const RunResult result = run(schedule, unitCosts(schedule), backend, {.verify = true});
    CHECK(result.state == RunResult::State::Complete);
    CHECK(result.verify.bitEqual);
    CHECK(run(plain, unitCosts(plain), backend, {.verify = true}).verify.bitEqual); // R inside B
}

TEST_CASE("a wrong gradient is found, and the tensor is named", "[execute]")
{
    ToyMaker maker;
    maker.wrongBlock = 2;
    const auto recipe = GENERATE(as<std::string>(), "1f1b", "gpipe:backward=lifo");
    const RunResult result = verified(scheduleOf(recipe, 4, 8), maker);
    CHECK(result.state == RunResult::State::Complete);
    CHECK_FALSE(result.verify.passed);
    CHECK(result.verify.worstTensor == "block2");
    CHECK(result.verify.maxRelativeGradientError == Approx(1e-3).epsilon(0.01));
    CHECK_THAT(result.verify.sentence, Catch::Contains("block2") && Catch::Contains("1e-05"));
}

TEST_CASE("a difference that only bits show is found where bits are expected", "[execute]")
{
    ToyMaker maker;
    maker.wrongBlock = 1;
    maker.wrongBy = 1e-6F;
    const RunResult result = verified(scheduleOf("1f1b", 4, 8), maker);
    CHECK_FALSE(result.verify.passed);
    CHECK_THAT(result.verify.sentence, Catch::Contains("bits should be equal"));
    CHECK(verified(scheduleOf("gpipe:backward=lifo", 4, 8), maker).verify.passed);
}

TEST_CASE("several steps train: the loss falls, is reported in order and is the same for every schedule", "[execute]")
{
    ToyMaker maker;
    std::vector<double> reported;
    const auto onLoss = [&](int step, double loss) {
        CHECK(step == static_cast<int>(reported.size()));
        reported.push_back(loss);
    };
    const Schedule schedule = scheduleOf("1f1b", 4, 8);
    const RunResult result =
        run(schedule, unitCosts(schedule), toyBackend(maker, schedule), {.steps = 30, .onLoss = onLoss});
    REQUIRE(result.state == RunResult::State::Complete);
    REQUIRE(result.losses.size() == 30);
    CHECK(reported == result.losses);
    CHECK(result.losses.back() < result.losses.front());
    const Schedule other = scheduleOf("zb-h1", 4, 8);
    CHECK(run(other, unitCosts(other), toyBackend(maker, other), {.steps = 30}).losses == result.losses);
    const Schedule alone = scheduleOf("gpipe", 1, 8);
    CHECK(run(alone, unitCosts(alone), toyBackend(maker, alone, {4}), {.steps = 30}).losses == result.losses);
    const Schedule listed = repeatSteps(schedule, 3);
    const RunResult several =
        run(listed, unitCosts(schedule), toyBackend(maker, schedule), {.steps = 30, .verify = true});
    CHECK(several.losses == result.losses);
    CHECK(several.verify.bitEqual);
    CHECK(several.verify.loss == result.losses[0]);
}

TEST_CASE("the recorded trace holds every task of every step, with its clocks and its memory", "[execute]")
{
    const Schedule schedule = scheduleOf("zb-h1", 4, 8);
    const ToyMaker maker;
    TraceCollector sink;
    const Progress progress;
    const RunResult result =
        execute({schedule, unitCosts(schedule)}, toyBackend(maker, schedule), {.steps = 2, .cores = 2}, sink, progress);
    const Trace recorded = sink.take();
    CHECK(recorded.spanCount() == 2 * schedule.tasks.size());
    CHECK(result.trace.spanCount() == recorded.spanCount());
    CHECK(result.label == RunLabel::Replayed);
    CHECK_FALSE(result.restated);
    CHECK_THAT(result.provenance["label_sentence"].get<std::string>(), Catch::Contains("4 workers shared 2 cores"));
    std::set<Task> seen;
    for (const TraceLane& lane : recorded.lanes) {
        REQUIRE(lane.measurements.size() == lane.spans.size());
        for (std::size_t i = 0; i < lane.spans.size(); ++i) {
            const Measurement& measured = lane.measurements[i];
            seen.insert(lane.spans[i].task);
            REQUIRE(measured.ready <= measured.wallStart);
            REQUIRE(measured.wallStart <= measured.wallEnd);
            REQUIRE((i == 0 || lane.spans[i - 1].end <= lane.spans[i].start));
            REQUIRE((lane.spans[i].task.work == Work::Barrier || lane.spans[i].duration() == measured.cpu));
        }
    }
    CHECK(seen.size() == recorded.spanCount());
    CHECK(recorded.links.size() == 2U * 2 * 3 * 8); // activations and gradients over three boundaries
    for (const Link& link : recorded.links)
        CHECK(link.bytes == 8 * 4);
    const auto activations =
        std::find_if(recorded.counters.begin(), recorded.counters.end(), [](const Counter& counter) {
            return counter.name == "memory.activation" && counter.device == Device(0);
        });
    REQUIRE(activations != recorded.counters.end());
    CHECK(activations->samples.back().second == 0);
    CHECK(replayTiming(result.trace, schedule, 1).makespan() > 0);
}

TEST_CASE("the executed activations are the simulated ones", "[execute]")
{
    const auto recipe = GENERATE(as<std::string>(), "gpipe", "1f1b");
    const Schedule schedule = scheduleOf(recipe, 4, 8);
    const ToyMaker maker;
    const RunResult result = run(schedule, unitCosts(schedule), toyBackend(maker, schedule), {});
    const auto curves =
        activationCurves(schedule, simulate(schedule, unitCosts(schedule)), parseMemory("", false), false);
    for (const Counter& counter : result.trace.counters) {
        if (counter.name != "memory.activation" || counter.device == Device(3)) // the head keeps one more tensor
            continue;
        std::int64_t peak = 0;
        for (const auto& [time, bytes] : counter.samples)
            peak = std::max(peak, bytes);
        // F keeps two tensors of 8 floats. Samples are taken at ends, where B's own microbatch is gone.
        CHECK(peak == static_cast<std::int64_t>(curves[counter.device].peakActivations()) * 2 * 8 * 4);
    }
}

TEST_CASE("a failure names its device and its task, and what was recorded before is kept", "[execute]")
{
    const Schedule schedule = scheduleOf("1f1b", 8, 16);
    ToyMaker maker;
    maker.onTask = [](char work, int block, const DataKey& key) {
        if (work == 'F' && block == 3 && key.microbatch == 16 + 5)
            throw std::runtime_error("out of imaginary memory");
    };
    const RunResult result = run(schedule, unitCosts(schedule), toyBackend(maker, schedule), {.steps = 2});
    CHECK(result.state == RunResult::State::Failed);
    CHECK(result.sentence == "device 3 failed at 3F21: out of imaginary memory");
    CHECK(result.losses.size() == 1);
    CHECK(result.trace.spanCount() >= schedule.tasks.size());
    CHECK(result.leakedBytes == 0);
}

TEST_CASE("a failure in the warm-up or on the one device says so", "[execute]")
{
    const Schedule schedule = scheduleOf("1f1b", 2, 2);
    ToyMaker maker;
    maker.onTask = [](char work, int, const DataKey&) {
        if (work == 'W')
            throw std::runtime_error("no");
    };
    const RunResult result = run(schedule, unitCosts(schedule), toyBackend(maker, schedule), {});
    CHECK(result.state == RunResult::State::Failed);
    CHECK_THAT(result.sentence, Catch::Contains("failed at") && Catch::Contains("in the warm-up step"));
    CHECK(result.trace.spanCount() == 0);
}

TEST_CASE("cancelling ends a run within a task", "[execute]")
{
    const Schedule schedule = scheduleOf("1f1b", 4, 8);
    Progress progress;
    std::atomic<int> after{0};
    ToyMaker maker;
    maker.onTask = [&](char work, int block, const DataKey& key) {
        if (work == 'F' && block == 2 && key.microbatch == 8 * 100)
            progress.cancel();
        after += progress.cancelled() ? 1 : 0;
        std::this_thread::sleep_for(std::chrono::microseconds(100));
    };
    TraceCollector sink;
    const RunResult result = execute({schedule, unitCosts(schedule)}, toyBackend(maker, schedule),
                                     {.steps = 1'000'000 / 1000}, sink, progress);
    CHECK(result.state == RunResult::State::Cancelled);
    CHECK(result.sentence == "Cancelled.");
    CHECK(result.leakedBytes == 0);
    CHECK(result.trace.spanCount() > 0);
    CHECK(result.trace.spanCount() < 900 * schedule.tasks.size());
}

TEST_CASE("cancelling wakes paced workers out of their sleep", "[execute]")
{
    const Schedule schedule = scheduleOf("1f1b", 16, 16);
    Costs costs(16);
    costs.set(Work::Forward, 3'600'000'000'000); // an hour
    Progress progress;
    std::jthread canceller([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(30));
        progress.cancel();
    });
    TraceCollector sink;
    const RunResult result = execute({schedule, costs}, Backend(), {}, sink, progress);
    CHECK(result.state == RunResult::State::Cancelled);
    CHECK(result.trace.spanCount() == 0);
}

TEST_CASE("an order that can't complete is refused, or found as a deadlock with names", "[execute]")
{
    Schedule schedule = scheduleOf("1f1b", 2, 4);
    swapOnLane(schedule, 0, "0F2", "0B0");
    swapOnLane(schedule, 0, "0B0", "0F0"); // device 0 begins with the backward of a forward that it hasn't done
    ToyMaker maker;
    CHECK_THROWS_AS(run(schedule, unitCosts(schedule), toyBackend(maker, schedule), {}), Error);
    const RunResult result =
        run(schedule, unitCosts(schedule), toyBackend(maker, schedule), {.warmup = 0, .checkFirst = false});
    CHECK(result.state == RunResult::State::Failed);
    CHECK(result.sentence == "Deadlock: device 0 stands before 0B0 and waits for 1B0 of device 1; "
                             "device 1 stands before 1F0 and waits for 0F0 of device 0.");
    CHECK(result.leakedBytes == 0);
}

TEST_CASE("queues of one message can be too small for an order, and that is said at once", "[execute]")
{
    const ToyMaker maker;
    const Schedule gpipe = scheduleOf("gpipe", 4, 8);
    CHECK(run(gpipe, unitCosts(gpipe), toyBackend(maker, gpipe), {.capacity = 1}).state == RunResult::State::Complete);
    // Device 0 makes all forwards before it takes a gradient; device 1 wants to give one back after each.
    ScheduleBuilder builder({.devices = 2, .stages = 2, .microbatches = {4}});
    for (const char* text : {"0F0", "0F1", "0F2", "0F3", "0B0", "0B1", "0B2", "0B3"})
        builder.compute(Device(0), *taskFromText(text));
    for (const char* text : {"1F0", "1B0", "1F1", "1B1", "1F2", "1B2", "1F3", "1B3"})
        builder.compute(Device(1), *taskFromText(text));
    const Schedule schedule = builder.finish();
    const auto with = [&](int capacity) {
        return run(schedule, unitCosts(schedule), toyBackend(maker, schedule), {.warmup = 0, .capacity = capacity});
    };
    CHECK(with(2).state == RunResult::State::Complete);
    CHECK(with(0).state == RunResult::State::Complete);
    CHECK(with(1).sentence == "Deadlock: device 0 cannot hand over 0F3 to device 1, whose queue is full; "
                              "device 1 cannot hand over 1B1 to device 0, whose queue is full.");
}

TEST_CASE("a sink that fails ends the run as failed", "[execute]")
{
    struct FullDisk final : TraceSink {
        std::uint32_t lane(Device, LaneKind, int) override { return 0; }

        std::uint32_t name(std::string_view) override { return 0; }

        void append(const SpanBatch&) override {}

        void counter(std::string_view, Device, std::span<const std::pair<Nanoseconds, std::int64_t>>) override {}

        void links(std::span<const Link>) override {}

        void flush() override { throw Failure("the disk is full"); }
    } sink;

    const Schedule schedule = scheduleOf("1f1b", 4, 8);
    const ToyMaker maker;
    const Progress progress;
    const RunResult result = execute({schedule, unitCosts(schedule)}, toyBackend(maker, schedule), {}, sink, progress);
    CHECK(result.state == RunResult::State::Failed);
    CHECK_THAT(result.sentence, Catch::Contains("the disk is full"));
    CHECK(result.trace.spanCount() > 0); // all of them, unless a hand-over was due before the end
    CHECK(result.leakedBytes == 0);
}

TEST_CASE("a stage that keeps something is found at the end of the step", "[execute]")
{
    const Schedule schedule = scheduleOf("1f1b", 2, 2);
    ToyMaker maker;
    maker.keepsStash = true;
    const RunResult result = run(schedule, unitCosts(schedule), toyBackend(maker, schedule), {});
    CHECK(result.state == RunResult::State::Failed);
    CHECK_THAT(result.sentence, Catch::Contains("still keeps something of 2 microbatches"));
}

TEST_CASE("what the cpu backend can't run yet is refused with the part that it is", "[execute]")
{
    const ToyMaker maker;
    Schedule schedule = scheduleOf("1f1b", 2, 2);
    const auto refusal = [&](const Schedule& refused, const Backend& backend) {
        try {
            run(refused, unitCosts(schedule), backend, {.checkFirst = false});
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("none");
    };
    CHECK_THAT(refusal(schedule, toyBackend(maker, schedule, {1, 1, 1})), Catch::Contains("3 entries for 2"));
    Backend noModel;
    noModel.kind = Backend::Kind::Cpu;
    CHECK_THAT(refusal(schedule, noModel), Catch::Contains("needs a model"));
    Schedule compensated = schedule;
    compensated.semantics.spikeCompensation = true;
    CHECK_THAT(refusal(compensated, toyBackend(maker, schedule)), Catch::Contains("need SGD with momentum"));
    Schedule moved = schedule;
    moved.tasks[moved.lanes[1].begin].stage = Stage(0);
    CHECK_THAT(refusal(moved, toyBackend(maker, schedule)), Catch::Contains("Stage 0 stands on devices 0 and 1, but"));
    Schedule sharded = schedule;
    sharded.tasks[0].work = Work::VocabularyS;
    CHECK_THAT(refusal(sharded, toyBackend(maker, schedule)), Catch::Contains("vocabulary"));
}

TEST_CASE("the label follows cores and stretch", "[execute]")
{
    CHECK(runLabel(Backend::Kind::Paced, 4, 64, 0) == RunLabel::Emulated);
    CHECK(runLabel(Backend::Kind::Cpu, 4, 4, 1.1) == RunLabel::Measured);
    CHECK(runLabel(Backend::Kind::Cpu, 4, 3, 1.0) == RunLabel::Replayed);
    CHECK(runLabel(Backend::Kind::Cpu, 4, 4, 1.2) == RunLabel::Replayed);
}

namespace {

/// Clocks that advance by a fixed step each time they are read.
struct Counting final : TimeSource {
    std::atomic<Nanoseconds> wallNow{0};
    std::atomic<Nanoseconds> cpuNow{0};
    Nanoseconds cpuStep = 1000;

    Nanoseconds wall() override { return wallNow += 100; }

    Nanoseconds threadCpu() override { return cpuNow += cpuStep; }
};

} // namespace

TEST_CASE("a run is measured when it had its cores, and restated when others used them too", "[execute]")
{
    const Schedule schedule = scheduleOf("1f1b", 1, 4);
    const ToyMaker maker;
    Counting quiet;
    const RunResult measured =
        run(schedule, unitCosts(schedule), toyBackend(maker, schedule), {.cores = 4, .time = &quiet});
    CHECK(measured.label == RunLabel::Measured);
    CHECK_FALSE(measured.restated);
    CHECK(measured.trace.lanes[0].spans[0].end == measured.trace.lanes[0].measurements[0].wallEnd);
    Counting shared;
    shared.cpuStep = 10;
    const RunResult replayed =
        run(schedule, unitCosts(schedule), toyBackend(maker, schedule), {.cores = 4, .time = &shared});
    CHECK(replayed.stretchMedian == Approx(10));
    CHECK(replayed.label == RunLabel::Replayed);
    CHECK(replayed.restated);
    CHECK(replayed.trace.lanes[0].spans[0].duration() == 10);
}
