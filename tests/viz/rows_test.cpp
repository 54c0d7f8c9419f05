#include "tests/viz/support.h"
#include "viz/timeline/rows.h"

#include <catch2/catch.hpp>

#include <sstream>

using namespace bubblescope;
using namespace bubblescope::viz;

namespace {

Span kernel(Nanoseconds start, Nanoseconds end)
{
    Span span;
    span.start = start;
    span.end = end;
    span.name = 1;
    return span;
}

/// One lane of kernels, as an import has it.
RunView imported(std::vector<Span> spans)
{
    RunView run;
    run.label = RunLabel::Imported;
    run.trace.names = {"", "gemm"};
    run.trace.lanes.push_back({Device(0), LaneKind::Compute, 0, std::move(spans), {}});
    run.idle = gapsOf(run.trace);
    return run;
}

/// The same run as a large one is held: columns instead of a trace.
RunView large(const RunView& run)
{
    RunView copy = run;
    copy.columns = std::make_shared<const TraceColumns>(columnsOf(run.trace));
    for (TraceLane& lane : copy.trace.lanes)
        lane.spans.clear();
    copy.idle = idleOf(*copy.columns);
    return copy;
}

/// "bar 0-10, moment 10, gap 10-20": all that the keyboard reaches from the first bar on.
std::string walk(const TimelineRow& row, Pick from, int by, bool gaps = true)
{
    std::ostringstream text;
    while (from.kind != Pick::Kind::None) {
        const TimeRange time = timeOf(row, from);
        const bool gap = from.kind == Pick::Kind::Gap;
        if (gap || time.length() > 0)
            text << (gap ? "gap " : "bar ") << time.begin << '-' << time.end << ' ';
        else
            text << "moment " << time.begin << ' ';
        from = neighbour(row, from, by, gaps);
    }
    return text.str();
}

} // namespace

TEST_CASE("overlapping kernels of a lane get rows of their own", "[viz][rows]")
{
    const RunView run = imported({kernel(0, 10), kernel(5, 20), kernel(8, 12), kernel(30, 40)});
    for (const RunView& each : {run, large(run)}) {
        const auto rows = rowsOf(each);
        REQUIRE(rows.size() == 3);
        CHECK(rows[0].bars.size() == 2);
        CHECK(rows[1].bars[0].start == 5);
        CHECK(rows[1].bars[0].end == 20);
        CHECK(rows[2].bars[0].span == 2);
        CHECK(rows[1].label == "overlap 1");
        CHECK(rows[1].gaps.empty());
        // Idle is when no row of the lane is busy.
        CHECK(gapAt(rows[0], 15) == -1);
        REQUIRE(gapAt(rows[0], 25) >= 0);
        CHECK(timeOf(rows[0], {Pick::Kind::Gap, 0, gapAt(rows[0], 25)}) == TimeRange{20, 30});
    }
}

TEST_CASE("a row is walked through bars, moments and gaps in the order of time, both ways", "[viz][rows]")
{
    const RunView run = imported({kernel(0, 10), kernel(10, 10), kernel(10, 10), kernel(20, 30), kernel(25, 25),
                                  kernel(30, 40), kernel(45, 45), kernel(50, 60)});
    for (const RunView& each : {run, large(run)}) {
        const auto rows = rowsOf(each);
        REQUIRE(rows.size() == 1);
        CHECK(walk(rows[0], {Pick::Kind::Bar, 0, 0}, 1) ==
              "bar 0-10 moment 10 moment 10 gap 10-20 bar 20-30 moment 25 bar 30-40 gap 40-50 moment 45 bar 50-60 ");
        CHECK(walk(rows[0], {Pick::Kind::Bar, 0, 3}, -1) ==
              "bar 50-60 moment 45 gap 40-50 bar 30-40 moment 25 bar 20-30 gap 10-20 moment 10 moment 10 bar 0-10 ");
        CHECK(walk(rows[0], {Pick::Kind::Bar, 0, 0}, 1, false) ==
              "bar 0-10 moment 10 moment 10 bar 20-30 moment 25 bar 30-40 moment 45 bar 50-60 ");
    }
}

TEST_CASE("moments are hit near by, bars and gaps by their time", "[viz][rows]")
{
    const RunView run = imported({kernel(0, 100), kernel(50, 50), kernel(200, 300)});
    for (const RunView& each : {run, large(run)}) {
        const auto rows = rowsOf(each);
        const TimelineRow& row = rows[0];
        const int moment = static_cast<int>(row.bars.solid());
        CHECK(barAt(row, 47, 3) == moment);
        CHECK(barAt(row, 46, 3) == 0);
        CHECK(barAt(row, 50) == 0);
        CHECK(barAt(row, 102, 3) == 0);
        CHECK(barAt(row, 198, 3) == 1);
        CHECK(barAt(row, 150, 3) == -1);
        CHECK(gapAt(row, 150) >= 0);
        CHECK(gapAt(row, 99) == -1);
        CHECK(row.bars[static_cast<std::size_t>(moment)].moment());
        CHECK(row.bars.inside({100, 201}) == std::pair<std::size_t, std::size_t>(1, 2));
        CHECK(row.bars.inside({100, 200}) == std::pair<std::size_t, std::size_t>(1, 1));
        CHECK(row.bars.momentsInside({50, 51}).second == row.bars.size());
    }
}

TEST_CASE("a large run knows busy and idle time of its devices without a list of gaps", "[viz][rows]")
{
    const RunView small = imported({kernel(0, 10), kernel(5, 20), kernel(30, 40)});
    const RunView run = large(small);
    REQUIRE(run.idle.devices.size() == 1);
    CHECK(run.idle.gaps.empty());
    CHECK(run.idle.devices[0].busy == 30);
    CHECK(run.idle.devices[0].idle == 10);
    CHECK(run.bubbleRate() == Approx(small.bubbleRate()));
    CHECK(run.makespan() == 40);
}

TEST_CASE("the two tasks of a joined unit are one bar that knows both", "[viz][rows]")
{
    const auto rows = rowsOf(*test::predicted("dualpipe", 4, 16));
    bool any = false;
    for (const TimelineRow& row : rows) {
        CHECK(row.subLane == 0); // units are no overlaps
        for (std::size_t i = 0; i < row.bars.solid(); ++i) {
            if (!row.bars[i].joined)
                continue;
            any = true;
            const auto spans = row.bars.spansOf(i);
            REQUIRE(spans.size() >= 2);
            CHECK(spans[0].start == spans[1].start);
            CHECK(spans[0].end == spans[1].end);
            CHECK(spans[0].task != spans[1].task);
            CHECK(row.bars[i].lowerWork == spans.back().task.work);
        }
    }
    CHECK(any);
}
