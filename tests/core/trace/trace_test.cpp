#include "core/base/error.h"
#include "core/schedule/schedule.h"
#include "core/trace/run.h"
#include "core/trace/trace.h"
#include "core/trace/trace_sink.h"
#include "tests/core/trace/trace_fixtures.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace bubblescope;
using namespace bubblescope::test;
using Catch::Matchers::Contains;

namespace {

/// GPipe of two microbatches on two devices, with updates.
Schedule twoByTwo()
{
    Shape shape;
    shape.devices = 2;
    shape.stages = 2;
    shape.microbatches = {2};
    ScheduleBuilder builder(shape);
    for (int stage = 0; stage < 2; ++stage)
        for (const Work work : {Work::Forward, Work::Backward})
            for (int i = 0; i < 2; ++i)
                builder.compute(Device(stage), {.work = work, .stage = Stage(stage), .microbatch = Microbatch(i)});
    builder.placeLooped();
    builder.endSynchronousStep();
    return builder.finish();
}

Costs costsWithLink()
{
    Costs costs(2);
    costs.set(Work::Forward, unit);
    costs.set(Work::Backward, 2 * unit);
    costs.model = CommModel::Link;
    costs.everyHop = {100, 1e9};
    costs.activationBytes = {1000, 1000};
    return costs;
}

} // namespace

TEST_CASE("a trace of a simulation shows every task on its lane", "[trace]")
{
    const Schedule schedule = twoByTwo();
    Costs costs(2);
    costs.set(Work::Forward, unit);
    costs.set(Work::Backward, 2 * unit);
    const Trace trace = traceOf(schedule, simulate(schedule, costs));
    CHECK(trace.devices() == 2);
    CHECK(trace.spanCount() == schedule.tasks.size());
    CHECK(trace.begin() == 0);
    CHECK(trace.end() == 9 * unit);
    CHECK(trace.links.empty());
    CHECK(toText(trace) == "lane 0 compute 0\n"
                           "  0 1000000 0F0 flags 0\n"
                           "  1000000 2000000 0F1 flags 0\n"
                           "  5000000 7000000 0B0 flags 0\n"
                           "  7000000 9000000 0B1 flags 0\n"
                           "  9000000 9000000 0y0 flags 2\n"
                           "  9000000 9000000 0U0 flags 0\n"
                           "lane 1 compute 0\n"
                           "  1000000 2000000 1F0 flags 0\n"
                           "  2000000 3000000 1F1 flags 0\n"
                           "  3000000 5000000 1B0 flags 0\n"
                           "  5000000 7000000 1B1 flags 0\n"
                           "  9000000 9000000 0y0#1 flags 2\n"
                           "  9000000 9000000 1U0 flags 0\n");
}

TEST_CASE("transfers that occupy lanes are spans and links", "[trace]")
{
    const Schedule schedule = twoByTwo();
    const Timing timing = simulate(schedule, costsWithLink());
    const Trace trace = traceOf(schedule, timing);
    REQUIRE(timing.transfers.size() == 4);
    CHECK(trace.links.size() == 4);
    std::string lanes;
    for (const TraceLane& lane : trace.lanes)
        lanes += std::to_string(lane.device.value) + laneKindName(lane.kind) + std::to_string(lane.spans.size()) + " ";
    CHECK(lanes == "0compute6 0send2 0receive2 1compute6 1send2 1receive2 ");

    const Timing back = timingOf(trace, schedule);
    CHECK(back.start == timing.start);
    CHECK(back.end == timing.end);
    CHECK(back.begin == timing.begin);
    CHECK(back.finish == timing.finish);
    REQUIRE(back.transfers.size() == 4);
    for (std::size_t i = 0; i < 4; ++i) {
        CHECK(back.transfers[i].producer == timing.transfers[i].producer);
        CHECK(back.transfers[i].payload == timing.transfers[i].payload);
        CHECK(back.transfers[i].start == timing.transfers[i].start);
        CHECK(back.transfers[i].end == timing.transfers[i].end);
        CHECK(back.transfers[i].arrival == timing.transfers[i].arrival);
    }
}

TEST_CASE("one step of a trace of several gives the timing of that step", "[trace]")
{
    const Schedule step = twoByTwo();
    const Schedule all = repeatSteps(step, 3);
    const Timing timing = simulate(all, costsWithLink());
    const Trace trace = traceOf(all, timing);
    CHECK(timingOf(trace, all).start == timing.start);
    Nanoseconds last = -1;
    for (int k = 0; k < 3; ++k) {
        const Timing one = timingOf(trace, step, k);
        CHECK(one.begin > last);
        CHECK(one.transfers.size() == 4);
        for (std::uint32_t lane = 0; lane < step.lanes.size(); ++lane)
            for (std::uint32_t i = 0; i < step.lanes[lane].size(); ++i)
                CHECK(
                    one.start[step.lanes[lane].begin + i] ==
                    timing.start[all.lanes[lane].begin + static_cast<std::uint32_t>(k) * step.lanes[lane].size() + i]);
        last = one.begin;
    }
    CHECK_THROWS_WITH(timingOf(trace, step, 3), Contains("no span of 0F0 (device 0, step 3"));
}

TEST_CASE("a trace of another order gives the times by identity", "[trace]")
{
    const Schedule schedule = twoByTwo();
    const Timing timing = simulate(schedule, costsWithLink());
    Trace trace = traceOf(schedule, timing);
    std::swap(trace.lanes.front(), trace.lanes.back());
    for (TraceLane& lane : trace.lanes)
        std::reverse(lane.spans.begin(), lane.spans.end());
    CHECK(timingOf(trace, schedule).start == timing.start);
    trace.lanes.back().spans.pop_back();
    CHECK_THROWS_WITH(timingOf(trace, schedule), Contains("no span of 0F0"));
}

TEST_CASE("an empty trace has no extent", "[trace]")
{
    const Trace trace;
    CHECK(trace.devices() == 0);
    CHECK(trace.begin() == 0);
    CHECK(trace.end() == 0);
    CHECK(trace.spanCount() == 0);
}

TEST_CASE("a collector holds what was appended", "[trace]")
{
    TraceCollector collector;
    write(collector, richTrace());
    CHECK(toText(collector.take()) == toText(richTrace()));
    CHECK(collector.take().lanes.empty());
}

TEST_CASE("every label and state has words", "[trace]")
{
    CHECK(std::string(runLabelText(RunLabel::Replayed)) == "measured work, replayed overlap");
    CHECK(std::string(runLabelText(RunLabel::Imported)) == "imported");
    CHECK(std::string(runStateText(RunState::Recording)) == "recording");
    CHECK(std::string(runStateText(RunState::Interrupted)) == "interrupted");
}

TEST_CASE("the orders of a schedule are one line a lane", "[trace]")
{
    CHECK(ordersText(twoByTwo()) == "device 0 compute 0: 0F0 0F1 0B0 0B1 0y0 0U0\n"
                                    "device 1 compute 0: 1F0 1F1 1B0 1B1 0y0#1 1U0\n");
}
