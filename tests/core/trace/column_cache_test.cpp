#include "core/base/error.h"
#include "core/trace/column_cache.h"
#include "core/trace/column_codec.h"
#include "core/trace/document.h"

#include <catch2/catch.hpp>
#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <random>
#include <unistd.h>

using namespace bubblescope;

namespace {

/// A document in a folder of its own.
struct Folder {
    Folder() : path(std::filesystem::temp_directory_path() / ("columns-" + std::to_string(getpid())))
    {
        std::filesystem::create_directories(path);
    }

    ~Folder() { std::filesystem::remove_all(path); }

    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    std::string file() const { return (path / "demo.bscope").string(); }

    /// As somebody else would change it.
    void sql(const std::string& text) const
    {
        sqlite3* handle = nullptr;
        REQUIRE(sqlite3_open(file().c_str(), &handle) == SQLITE_OK);
        CHECK(sqlite3_exec(handle, text.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
        sqlite3_close(handle);
    }

    std::filesystem::path path;
};

Trace randomTrace(unsigned seed, std::size_t spans)
{
    std::mt19937 random(seed);
    Trace trace;
    trace.names = {"", "gemm", "all \"quotes\" ümlaut"};
    for (int lane = 0; lane < 3; ++lane) {
        TraceLane& made = trace.lanes.emplace_back();
        made.device = Device(lane);
        made.kind = lane == 2 ? LaneKind::Send : LaneKind::Compute;
        Nanoseconds time = lane == 1 ? -1000 : 50;
        for (std::size_t i = 0; i < spans; ++i) {
            Span span;
            span.start = time;
            // Lane 1 is sparse: hours between spans. Lane 2 overlaps.
            span.end = time + static_cast<Nanoseconds>(random() % 4) * (lane == 1 ? 2'000'000'000'000 : 900);
            if (random() % 3 == 0)
                span.name = 1 + random() % 2;
            else {
                span.task.work = static_cast<Work>(random() % workCount);
                span.task.stage = Stage(random() % 7);
                span.task.microbatch = Microbatch(static_cast<int>(random() % 5000) - 1);
                span.version = lane == 0 && random() % 2 == 0 ? static_cast<int>(random() % 9) : noVersion;
            }
            time = (lane == 2 ? span.start : span.end) + static_cast<Nanoseconds>(random() % 3) * 400;
            made.spans.push_back(span);
        }
    }
    return trace;
}

bool equal(const SpanEntry& a, const SpanEntry& b)
{
    return a.start == b.start && a.end == b.end && a.kind == b.kind && a.number == b.number && a.version == b.version &&
           a.source == b.source;
}

bool equal(const SpanColumns& a, const SpanColumns& b)
{
    if (a.size() != b.size() || a.longest() != b.longest())
        return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        const auto left = a.entries(i);
        const auto right = b.entries(i);
        if (!std::equal(left.begin(), left.end(), right.begin(), right.end(),
                        [](const SpanEntry& x, const SpanEntry& y) { return equal(x, y); }))
            return false;
    }
    return true;
}

bool equal(const TraceColumns& a, const TraceColumns& b)
{
    bool same = a.lanes.size() == b.lanes.size() && a.names == b.names && a.begin == b.begin && a.end == b.end;
    for (std::size_t i = 0; same && i < a.lanes.size(); ++i) {
        const LaneColumns& left = a.lanes[i];
        const LaneColumns& right = b.lanes[i];
        same = left.device == right.device && left.kind == right.kind && left.index == right.index &&
               left.subLanes.size() == right.subLanes.size() && equal(left.moments, right.moments) &&
               equal(left.cover, right.cover);
        for (std::size_t subLane = 0; same && subLane < left.subLanes.size(); ++subLane)
            same = equal(left.subLanes[subLane], right.subLanes[subLane]);
    }
    return same;
}

/// A stored run with its cache.
int storeCached(const Folder& folder, const Trace& trace)
{
    Document document = Document::openOrCreate(folder.file());
    const int run = document.addRun({}, trace);
    REQUIRE(document.writeColumnCache(run, document.readColumns(run)));
    return run;
}

} // namespace

TEST_CASE("columns from rows are those of the trace", "[trace][columns]")
{
    const Folder folder;
    const Trace trace = randomTrace(1, 3000);
    Document document = Document::create(folder.file());
    const int run = document.addRun({}, trace);
    const TraceColumns columns = document.readColumns(run);
    const TraceColumns expected = columnsOf(document.readTrace(run));
    CHECK(equal(columns, expected));
    CHECK(columns.spanCount() == trace.spanCount());
    CHECK_FALSE(document.hasColumnCache(run));
    CHECK_FALSE(document.readPreview(run));
    CHECK_THROWS_AS(document.readColumns(99), Error);
}

TEST_CASE("what the cache gives back is what the rows say", "[trace][columns]")
{
    const Folder folder;
    const int run = storeCached(folder, randomTrace(2, 4000));
    const Document document = Document::open(folder.file(), Document::Mode::ReadOnly);
    CHECK(document.hasColumnCache(run));
    CHECK(equal(document.readColumns(run), columnsOf(document.readTrace(run))));
    CHECK(document.check().empty());
}

TEST_CASE("a run that changes leaves no stale cache", "[trace][columns]")
{
    const Folder folder;
    const int run = storeCached(folder, randomTrace(3, 500));
    const Trace other = randomTrace(4, 500);
    {
        Document document = Document::open(folder.file(), Document::Mode::ReadWrite);
        document.replaceTrace(run, other);
        CHECK_FALSE(document.hasColumnCache(run));
        CHECK(equal(document.readColumns(run), columnsOf(document.readTrace(run))));
        REQUIRE(document.writeColumnCache(run, document.readColumns(run)));
    }
    // Somebody with an SQLite shell: a row that is edited, and one that is added.
    folder.sql("UPDATE span SET duration = duration + 7 WHERE run = 1 AND lane = 0 AND seq = 0");
    {
        Document document = Document::open(folder.file(), Document::Mode::ReadWrite);
        CHECK_FALSE(document.hasColumnCache(run));
        CHECK(equal(document.readColumns(run), columnsOf(document.readTrace(run))));
        REQUIRE(document.writeColumnCache(run, document.readColumns(run)));
    }
    folder.sql("INSERT INTO span (run, lane, start, seq, duration, task, stage, microbatch) "
               "VALUES (1, 0, 9000000000, 0, 5, 0, 0, 0)");
    const Document document = Document::open(folder.file(), Document::Mode::ReadOnly);
    CHECK_FALSE(document.hasColumnCache(run));
    CHECK(document.readColumns(run).spanCount() == other.spanCount() + 1);
}

TEST_CASE("a damaged cache is none", "[trace][columns]")
{
    const std::vector<std::string> damages{
        "UPDATE chunk SET data = substr(data, 1, length(data) / 2)",
        "UPDATE chunk SET data = zeroblob(length(data))",
        "UPDATE chunk SET data = substr(data, 1, 60) || x'55' || substr(data, 62)",
        "DELETE FROM chunk WHERE lane = 1",
        "DELETE FROM chunk_list",
        "UPDATE chunk_list SET list = '{\"names\":'",
        "UPDATE chunk_list SET list = '{\"names\":[1]}'",
        "UPDATE run SET cache_stamp = 'another'",
    };
    for (const std::string& damage : damages) {
        const Folder folder;
        const int run = storeCached(folder, randomTrace(5, 300));
        folder.sql(damage);
        const Document document = Document::open(folder.file(), Document::Mode::ReadOnly);
        INFO(damage);
        CHECK(equal(document.readColumns(run), columnsOf(document.readTrace(run))));
        CHECK_FALSE(document.readPreview(run));
    }
}

TEST_CASE("a cache that can't be written is no error", "[trace][columns]")
{
    const Folder folder;
    const Trace trace = randomTrace(6, 100);
    const int run = Document::create(folder.file()).addRun({}, trace);
    Document document = Document::open(folder.file(), Document::Mode::ReadOnly);
    CHECK_FALSE(document.writeColumnCache(run, document.readColumns(run)));
    CHECK(document.readColumns(run).spanCount() == trace.spanCount());
}

TEST_CASE("reading columns can be cancelled", "[trace][columns]")
{
    const Folder folder;
    const int run = storeCached(folder, randomTrace(7, 100));
    const Document document = Document::open(folder.file(), Document::Mode::ReadOnly);
    Progress progress;
    progress.cancel();
    CHECK_THROWS_AS(document.readColumns(run, progress), Cancelled);
}

TEST_CASE("a preview has few spans and the same busy time", "[trace][columns]")
{
    std::mt19937 random(8);
    Trace trace;
    TraceLane& lane = trace.lanes.emplace_back();
    Nanoseconds time = 0;
    std::array<Nanoseconds, 3> busy{};
    for (int i = 0; i < 100'000; ++i) {
        Span span;
        span.start = time;
        span.end = time + 1 + static_cast<Nanoseconds>(random() % 1000);
        span.task.work = static_cast<Work>(random() % 3);
        span.task.microbatch = Microbatch(i);
        busy[static_cast<std::size_t>(span.task.work)] += span.duration();
        time = span.end + static_cast<Nanoseconds>(random() % 300);
        lane.spans.push_back(span);
    }
    const TraceColumns columns = columnsOf(trace);
    const TraceColumns preview = previewOf(columns, 8000);
    CHECK(preview.spanCount() <= 8000);
    CHECK(preview.spanCount() > 1000);
    CHECK(preview.begin == columns.begin);
    CHECK(preview.end == columns.end);
    REQUIRE(preview.lanes.size() == 1);
    std::array<Nanoseconds, 3> previewed{};
    const SpanColumns& spans = preview.lanes[0].subLanes[0];
    for (std::size_t i = 0; i < spans.size(); ++i) {
        const SpanEntry entry = spans.entry(i);
        previewed[static_cast<std::size_t>(entry.kind.work)] += entry.end - entry.start;
        CHECK((i == 0 || entry.start >= spans.end(i - 1)));
    }
    CHECK(previewed == busy);
}
