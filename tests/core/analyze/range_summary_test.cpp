#include "core/analyze/range_summary.h"
#include "core/analyze/task_flow.h"
#include "core/base/error.h"
#include "tests/core/analyze/planned.h"

#include <catch2/catch.hpp>

namespace bubblescope::test {
namespace {

constexpr Nanoseconds half = unit / 2;

/// 1F1B of two devices and two microbatches, drawn by hand:
///
///     0   F0 F1 .. .. B0 B0 .. B1 B1
///     1   .. F0 B0 B0 F1 B1 B1 .. ..
Planned drawn()
{
    return planned(experiment(2, 2), "1f1b");
}

std::string names(const Schedule& schedule, const std::vector<TaskId>& tasks)
{
    std::string text;
    for (const TaskId task : tasks)
        text += (text.empty() ? "" : " ") + toText(schedule.tasks[task]);
    return text;
}

} // namespace

TEST_CASE("A range counts the parts of tasks that lie inside it", "[analyze]")
{
    const Planned run = drawn();
    const RangeSummary summary =
        summariseRange(columnsOf(traceOf(run.schedule(), run.timing)), run.idle, 3 * half, 9 * half); // 1.5 to 4.5
    REQUIRE(summary.kinds.size() == 2);
    const KindSummary& forward = summary.kinds[0];
    CHECK(forward.work == Work::Forward); // F1 of device 0, F0 and F1 of device 1: half of each
    CHECK(forward.count == 3);
    CHECK(forward.sum == 3 * half);
    CHECK(forward.average() == half);
    CHECK(forward.shortest == half);
    CHECK(forward.longest == half);
    CHECK(summary.share(forward.sum) == Approx(0.25)); // 1.5 of 2 × 3
    const KindSummary& backward = summary.kinds[1];
    CHECK(backward.work == Work::Backward); // a quarter of device 0's B0, all of device 1's
    CHECK(backward.count == 2);
    CHECK(backward.sum == 5 * half);
    CHECK(backward.shortest == half);
    CHECK(backward.longest == 4 * half);
    REQUIRE(summary.devices.size() == 2);
    CHECK(summary.devices[0].busy == 2 * half);
    CHECK(summary.devices[0].idle == 4 * half);
    CHECK(text(summary.devices[0].cause) == "warmup 2");
    CHECK(summary.devices[1].busy == 6 * half);
    CHECK(summary.devices[1].idle == 0);
}

TEST_CASE("Beyond the end of a run there is neither work nor idle time", "[analyze]")
{
    const Planned run = drawn();
    const TraceColumns trace = columnsOf(traceOf(run.schedule(), run.timing));
    const RangeSummary tail = summariseRange(trace, run.idle, 8 * unit, 12 * unit);
    CHECK(tail.inside == unit);
    CHECK(tail.devices[0].busy == unit);
    CHECK(tail.devices[0].idle == 0);
    CHECK(tail.devices[1].busy == 0);
    CHECK(text(tail.devices[1].cause) == "drain 1");
    const RangeSummary nothing = summariseRange(trace, run.idle, 20 * unit, 30 * unit);
    CHECK(nothing.kinds.empty());
    CHECK(nothing.inside == 0);
    CHECK(nothing.devices[0].idle == 0);
    CHECK(summariseRange(trace, run.idle, 5, 5).share(7) == 0);
}

TEST_CASE("The whole of a run gives the report of the run", "[analyze]")
{
    const Planned run = planned(experiment(4, 8, "F=1,I=1,W=1"), "zb-h1");
    const RangeSummary all =
        summariseRange(columnsOf(traceOf(run.schedule(), run.timing)), run.idle, run.timing.begin, run.timing.finish);
    for (std::size_t device = 0; device < 4; ++device) {
        CHECK(all.devices[device].busy == run.idle.devices[device].busy);
        CHECK(all.devices[device].cause == run.idle.devices[device].cause);
    }
    CHECK(all.kinds[0].count == 32); // 4 stages × 8 microbatches
    CHECK(all.kinds[0].sum == 32 * unit);
}

TEST_CASE("Causes of a gap that is cut sum to the part inside", "[analyze]")
{
    IdleReport idle;
    idle.end = 10;
    idle.devices.resize(1);
    Gap gap{Device(0), 0, 10, noTask, {}};
    gap.cause[static_cast<std::size_t>(IdleCause::Warmup)] = 3;
    gap.cause[static_cast<std::size_t>(IdleCause::Dependency)] = 3;
    gap.cause[static_cast<std::size_t>(IdleCause::Imbalance)] = 4;
    idle.gaps = {gap};
    const CauseTimes causes = summariseRange(TraceColumns(), idle, 0, 5).devices[0].cause;
    CHECK(causes[static_cast<std::size_t>(IdleCause::Warmup)] == 2); // 1.5, 3 and 5 rounded
    CHECK(causes[static_cast<std::size_t>(IdleCause::Dependency)] == 1);
    CHECK(causes[static_cast<std::size_t>(IdleCause::Imbalance)] == 2);
}

TEST_CASE("Kernels are summed by name, and a sum can be cancelled", "[analyze]")
{
    Trace trace;
    trace.names = {"", "gemm", "copy"};
    TraceLane lane;
    Span span;
    for (const auto& [start, end, name] : {std::tuple{0, 10, 2U}, {10, 40, 1U}, {35, 50, 2U}}) {
        span.start = start;
        span.end = end;
        span.name = name;
        lane.spans.push_back(span);
    }
    trace.lanes = {lane};
    const TraceColumns columns = columnsOf(trace);
    const RangeSummary summary = summariseRange(columns, {}, 5, 45);
    REQUIRE(summary.kinds.size() == 2);
    CHECK(summary.kinds[0].name == "gemm");
    CHECK(summary.kinds[0].sum == 30);
    CHECK(summary.kinds[1].name == "copy");
    CHECK(summary.kinds[1].count == 2);
    CHECK(summary.kinds[1].sum == 15);
    CHECK(summary.kinds[1].average() == 7);
    Progress progress;
    progress.cancel();
    CHECK_THROWS_AS(summariseRange(columns, {}, 5, 45, progress), Cancelled);
}

TEST_CASE("Where no gaps are listed, what isn't busy is idle and unexplained", "[analyze]")
{
    const Planned run = drawn();
    IdleReport bare = run.idle;
    bare.gaps.clear();
    const TraceColumns trace = columnsOf(traceOf(run.schedule(), run.timing));
    const RangeSummary summary = summariseRange(trace, bare, 3 * half, 9 * half);
    CHECK(summary.devices[0].busy == 2 * half);
    CHECK(text(summary.devices[0].cause) == "unexplained 2");
    CHECK(summary.devices[1].busy == 6 * half);
}

TEST_CASE("Arrows go to the tasks that hand data on, not to neighbours of the lane", "[analyze]")
{
    const Planned run = drawn();
    const TaskFlow flow(run.schedule());
    const auto before = [&](const char* task) {
        return names(run.schedule(), flow.predecessors(taskNamed(run.schedule(), task)));
    };
    const auto after = [&](const char* task) {
        return names(run.schedule(), flow.successors(taskNamed(run.schedule(), task)));
    };
    CHECK(before("0F0").empty());
    CHECK(before("1F0") == "0F0");
    CHECK(before("0B1") == "0F1 1B1");
    CHECK(after("0F0") == "0B0 1F0");
    CHECK(after("1F1") == "1B1");
    std::vector<bool> shown(run.schedule().tasks.size(), true);
    shown[taskNamed(run.schedule(), "1F0")] = false;
    CHECK(names(run.schedule(), shownSuccessors(flow, taskNamed(run.schedule(), "0F0"), shown)) == "0B0 1B0");
    CHECK(names(run.schedule(), shownPredecessors(flow, taskNamed(run.schedule(), "1B0"), shown)) == "0F0");
}

} // namespace bubblescope::test
