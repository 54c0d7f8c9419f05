#include "core/trace/lane_columns.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <tuple>

using namespace bubblescope;

namespace {

/// Everything of a span as one comparable value.
using SpanKey = std::tuple<Nanoseconds, Nanoseconds, std::pair<std::uint64_t, std::uint64_t>, std::uint32_t,
                           std::uint32_t, std::int32_t>;

SpanKey keyOf(const Span& span)
{
    return {span.start,
            span.end,
            span.name == 0 ? span.task.key() : std::pair<std::uint64_t, std::uint64_t>(),
            span.name == 0 ? span.task.flags : 0,
            span.name,
            span.version};
}

Span kernel(Nanoseconds start, Nanoseconds end, std::uint32_t name = 1)
{
    Span span;
    span.start = start;
    span.end = end;
    span.name = name;
    return span;
}

Span forward(Nanoseconds start, Nanoseconds end, int microbatch, std::uint32_t flags = 0)
{
    Span span;
    span.start = start;
    span.end = end;
    span.task.microbatch = Microbatch(microbatch);
    span.task.flags = flags;
    return span;
}

LaneColumns pack(BlockPool& pool, const std::vector<Span>& spans)
{
    LaneColumnsWriter writer(pool);
    for (std::size_t i = 0; i < spans.size(); ++i)
        writer.add(entryOf(spans[i], static_cast<std::uint32_t>(i)));
    return writer.finish();
}

/// All spans that columns hold, and whether each sub-lane is free of overlaps and by start.
std::vector<SpanKey> keysOf(const LaneColumns& lane, const std::vector<Span>& original, bool& sound)
{
    std::vector<SpanKey> keys;
    const auto take = [&](const SpanEntry& entry) {
        keys.push_back(keyOf(spanOf(entry)));
        sound = sound && keyOf(original[entry.source]) == keys.back();
    };
    for (const SpanColumns& subLane : lane.subLanes)
        for (std::size_t i = 0; i < subLane.size(); ++i) {
            for (const SpanEntry& entry : subLane.entries(i))
                take(entry);
            sound = sound && (i == 0 || subLane.start(i) >= subLane.end(i - 1));
        }
    for (std::size_t i = 0; i < lane.moments.size(); ++i)
        take(lane.moments.entry(i));
    std::sort(keys.begin(), keys.end());
    return keys;
}

std::vector<SpanKey> sortedKeys(const std::vector<Span>& spans)
{
    std::vector<SpanKey> keys;
    for (const Span& span : spans)
        keys.push_back(keyOf(span));
    std::sort(keys.begin(), keys.end());
    return keys;
}

/// Spans of all kinds in one lane: overlapping, nested, equal, without length, tasks and kernels, versions.
std::vector<Span> mixture(unsigned seed, std::size_t count, Nanoseconds step)
{
    std::mt19937 random(seed);
    std::vector<Span> spans;
    Nanoseconds time = -50;
    for (std::size_t i = 0; i < count; ++i) {
        time += static_cast<Nanoseconds>(random() % 3) * step;
        Span span =
            random() % 4 == 0 ? kernel(time, time, 1 + random() % 5) : forward(time, time, int(random() % 1000));
        span.end = time + static_cast<Nanoseconds>(random() % 5) * step;
        if (span.name == 0) {
            span.task.work = static_cast<Work>(random() % workCount);
            span.task.stage = Stage(random() % 70'000);
            span.task.slice = Slice(random() % 3);
            span.task.pipe = Pipe(random() % 2);
            span.task.part = Part(random() % 9);
            span.version = random() % 2 == 0 ? noVersion : static_cast<std::int32_t>(random() % 7);
        }
        spans.push_back(span);
    }
    return spans;
}

} // namespace

TEST_CASE("spans of a lane survive packing, whatever overlaps, is nested or equal", "[trace][columns]")
{
    BlockPool pool;
    for (unsigned seed = 0; seed < 20; ++seed) {
        // Steps from nanoseconds to seconds: 32 bits hold some of the times and not others.
        const Nanoseconds step = seed % 4 == 0 ? 3'000'000'000 : seed % 4 == 1 ? 1 : seed % 4 == 2 ? 40'000'000 : 1000;
        const std::vector<Span> spans = mixture(seed, 3000 + seed * 20, step);
        const LaneColumns lane = pack(pool, spans);
        bool sound = true;
        CHECK(keysOf(lane, spans, sound) == sortedKeys(spans));
        CHECK(sound);
        CHECK(lane.spans() == spans.size());
    }
}

TEST_CASE("what overlaps goes one sub-lane lower, what touches doesn't", "[trace][columns]")
{
    BlockPool pool;
    // 0 ▇▇▇▇▇▇▇▇▇▇▇▇   ▇▇▇▇
    // 1   ▇▇▇▇▇▇   ▇▇▇
    // 2     ▇▇
    const std::vector<Span> spans{kernel(0, 100), kernel(10, 60),  kernel(20, 40),
                                  kernel(60, 70), kernel(90, 120), kernel(120, 150)};
    const LaneColumns lane = pack(pool, spans);
    REQUIRE(lane.subLanes.size() == 3);
    CHECK(lane.subLanes[0].size() == 2);
    CHECK(lane.subLanes[1].size() == 3);
    CHECK(lane.subLanes[2].size() == 1);
    CHECK(lane.subLanes[0].start(1) == 120);
    CHECK(lane.subLanes[1].start(1) == 60);
    REQUIRE(lane.cover.size() == 1); // busy without a pause from 0 to 150
    CHECK(lane.cover.start(0) == 0);
    CHECK(lane.cover.end(0) == 150);
}

TEST_CASE("equal kernels stand below each other, tasks of one unit in one place", "[trace][columns]")
{
    BlockPool pool;
    const LaneColumns equal = pack(pool, {kernel(5, 9), kernel(5, 9), kernel(5, 9)});
    CHECK(equal.subLanes.size() == 3);
    const LaneColumns unit =
        pack(pool, {forward(5, 9, 1, Task::joinedFlag), forward(5, 9, 2), forward(9, 12, 3), forward(9, 12, 4)});
    REQUIRE(unit.subLanes.size() == 2); // the last two are no unit
    CHECK(unit.subLanes[0].size() == 2);
    REQUIRE(unit.subLanes[0].entries(0).size() == 2);
    CHECK(unit.subLanes[0].entries(0)[1].number == 2);
    CHECK(unit.subLanes[0].entries(1).size() == 1);
    CHECK(unit.spans() == 4);
}

TEST_CASE("spans without length stay, each of them", "[trace][columns]")
{
    BlockPool pool;
    const LaneColumns lane = pack(pool, {kernel(0, 10), kernel(4, 4), kernel(4, 4), kernel(10, 10), kernel(10, 20)});
    CHECK(lane.subLanes.size() == 1);
    REQUIRE(lane.moments.size() == 3);
    CHECK(lane.moments.start(1) == 4);
    CHECK(lane.moments.end(1) == 4);
}

TEST_CASE("a span is found by time, also across chunks", "[trace][columns]")
{
    BlockPool pool;
    std::vector<Span> spans;
    for (int i = 0; i < 200'000; ++i)
        spans.push_back(forward(i * 10, i * 10 + 7, i));
    const LaneColumns lane = pack(pool, spans);
    const SpanColumns& columns = lane.subLanes.front();
    CHECK(columns.chunks().size() == 4);
    std::mt19937 random(7);
    for (int i = 0; i < 1000; ++i) {
        const auto time = static_cast<Nanoseconds>(random() % 2'000'000);
        const auto index = static_cast<std::size_t>(time / 10) + (time % 10 >= 7 ? 1 : 0);
        CHECK(columns.firstEndingAfter(time) == index);
        CHECK(columns.firstStartingFrom(time) == static_cast<std::size_t>((time + 9) / 10));
    }
    CHECK(columns.firstEndingAfter(5'000'000) == columns.size());
    CHECK(columns.entry(199'999).number == 199'999);
    // 14 bytes a span: the pool holds nothing else.
    CHECK(pool.bytes() < spans.size() * 14 + 1000);
}

TEST_CASE("a trace and its columns say the same about their whole", "[trace][columns]")
{
    Trace trace;
    trace.names = {"", "gemm"};
    trace.lanes.push_back({Device(0), LaneKind::Compute, 0, {kernel(30, 40), kernel(35, 90)}, {}});
    trace.lanes.push_back({Device(3), LaneKind::Send, 1, {forward(-5, -5, 0)}, {}});
    const TraceColumns columns = columnsOf(trace);
    CHECK(columns.begin == trace.begin());
    CHECK(columns.end == trace.end());
    CHECK(columns.devices() == trace.devices());
    CHECK(columns.spanCount() == trace.spanCount());
    REQUIRE(columns.lanes.size() == 2);
    CHECK(columns.lanes[1].kind == LaneKind::Send);
    CHECK(columns.lanes[1].index == 1);
    CHECK(columns.lanes[1].device == 3);
    CHECK(columnsOf(Trace()).end == 0);
}
