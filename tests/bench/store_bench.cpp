// Writing and reading a document: rows a second and bytes a span.
//
// 64 lanes, spans in the order of their arrival, one transaction per 65,536 spans, as a recording
// writes them. The baseline of the ratios is a plain rowid table filled and read in the same run with
// single-row inserts: what SQLite does when nobody thinks about it.

#include "bench.h"
#include "core/schedule/registry.h"
#include "core/simulate/simulate.h"
#include "core/trace/document.h"
#include "core/trace/run_follower.h"
#include "core/trace/run_writer.h"
#include "core/trace/sqlite.h"

#include <fmt/format.h>
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace bubblescope::bench {
namespace {

constexpr int lanes = 64;
constexpr int batch = 16; // spans that a lane hands over at once

/// On a busy machine the CPU time is the one that tells.
struct Time {
    double wall = 0;
    double cpu = 0;
};

class Stopwatch {
public:
    Time time() const
    {
        const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - m_begin;
        return {wall.count(), static_cast<double>(std::clock() - m_cpu) / CLOCKS_PER_SEC};
    }

private:
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
    std::clock_t m_cpu = std::clock();
};

struct Row {
    const char* name;
    Time time;
    std::uintmax_t bytes; // 0: not a question
};

void print(const Row& row, std::size_t spans, const Time& baseline)
{
    const auto count = static_cast<double>(spans);
    fmt::print("  {:<42} {:>6.2f} M/s {:>6.2f} M/s of CPU {:>5.2f} x", row.name, count / row.time.wall / 1e6,
               count / row.time.cpu / 1e6, baseline.cpu / row.time.cpu);
    if (row.bytes > 0)
        fmt::print("  {:>5.1f} B/span", static_cast<double>(row.bytes) / count);
    fmt::print("\n");
}

/// Interleaved 1F1B on 64 devices, later than 4.3 s so that times take their full size.
struct Prediction {
    Trace trace;
    RunHeader header;
};

Prediction predict(int microbatches)
{
    const RecipeInfo& info = recipe("interleaved-1f1b");
    const RecipeRequest request{lanes, 2, microbatches, parseRecipe(info.id).parameters};
    const Schedule schedule = buildSchedule(info, request);
    Costs costs(schedule.shape.stages);
    costs.set(Work::Forward, unit);
    costs.set(Work::Backward, 2 * unit);
    Prediction prediction{traceOf(schedule, simulate(schedule, costs)), {}};
    prediction.header.recipe = info.id;
    prediction.header.orders = ordersText(schedule);
    return prediction;
}

/// Calls append(lane, spans) round robin over the lanes.
template <class Append>
void inOrderOfArrival(const Trace& trace, Append append)
{
    for (std::size_t at = 0;; at += batch) {
        bool any = false;
        for (std::uint32_t lane = 0; lane < trace.lanes.size(); ++lane) {
            const std::vector<Span>& spans = trace.lanes[lane].spans;
            if (at >= spans.size())
                continue;
            append(lane, std::span(spans).subspan(at, std::min<std::size_t>(batch, spans.size() - at)));
            any = true;
        }
        if (!any)
            return;
    }
}

Time writeBaseline(const std::string& path, const Trace& trace)
{
    const Stopwatch watch;
    const Database database(path, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE);
    database.exec("PRAGMA page_size = 16384; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
                  "CREATE TABLE span (run, lane, start, seq, duration, task, stage, microbatch, name)");
    Statement insert(database, "INSERT INTO span VALUES (1,?,?,0,?,?,?,?,NULL)");
    std::size_t pending = 0;
    database.exec("BEGIN");
    inOrderOfArrival(trace, [&](std::uint32_t lane, std::span<const Span> spans) {
        for (const Span& span : spans)
            insert.bind(1, lane)
                .bind(2, span.start)
                .bind(3, span.duration())
                .bind(4, static_cast<std::int64_t>(span.task.work))
                .bind(5, span.task.stage)
                .bind(6, span.task.microbatch)
                .run();
        if ((pending += spans.size()) >= RunWriter::mostPending) {
            database.exec("COMMIT; BEGIN");
            pending = 0;
        }
    });
    database.exec("COMMIT; PRAGMA wal_checkpoint(TRUNCATE)");
    return watch.time();
}

Time readBaseline(const std::string& path)
{
    const Stopwatch watch;
    const Database database(path, SQLITE_OPEN_READONLY);
    Statement select(database, "SELECT * FROM span");
    std::vector<TraceLane> read(lanes);
    while (select.step()) {
        Span span;
        span.start = select.integer(2);
        span.end = span.start + select.integer(4);
        span.task.stage = Stage(select.integer(6));
        span.task.microbatch = Microbatch(select.integer(7));
        read[static_cast<std::size_t>(select.integer(1))].spans.push_back(span);
    }
    return watch.time();
}

Time record(const std::string& path, const Prediction& prediction)
{
    const Stopwatch watch;
    Document document = Document::create(path);
    const std::unique_ptr<RunWriter> writer = document.record(prediction.header);
    for (const TraceLane& lane : prediction.trace.lanes)
        writer->lane(lane.device, lane.kind, lane.index);
    inOrderOfArrival(prediction.trace, [&](std::uint32_t lane, std::span<const Span> spans) {
        writer->append({lane, spans, {}});
    });
    writer->finish({});
    return watch.time(); // closing, with the last checkpoint, comes after: see storeAtOnce
}

Time storeAtOnce(const std::string& path, const Prediction& prediction)
{
    const Stopwatch watch;
    Document::create(path).addRun(prediction.header, prediction.trace);
    return watch.time();
}

Time readRun(const std::string& path)
{
    const Stopwatch watch;
    const Trace trace = Document::open(path, Document::Mode::ReadOnly).readTrace(1);
    return watch.time();
}

double followRun(const std::string& path)
{
    RunFollower follower(path, 1);
    Trace trace;
    append(trace, follower.poll());
    const Stopwatch watch; // what a poll costs when there is nothing new
    constexpr int polls = 100;
    for (int i = 0; i < polls; ++i)
        append(trace, follower.poll());
    return watch.time().wall / polls;
}

} // namespace

void benchStore()
{
    const std::string folder =
        (std::filesystem::temp_directory_path() / fmt::format("bubblescope-bench-{}", getpid())).string();
    std::filesystem::create_directory(folder);
    const Prediction prediction = predict(8192);
    const std::size_t spans = prediction.trace.spanCount();
    fmt::print("store: {} spans on {} lanes; ratios are of CPU time, to a rowid table in this run\n", spans, lanes);

    const Time written = writeBaseline(folder + "/rowid.db", prediction.trace);
    const Time recorded = record(folder + "/recorded.bscope", prediction);
    const Time stored = storeAtOnce(folder + "/stored.bscope", prediction);
    const Time readPlain = readBaseline(folder + "/rowid.db");
    const Time read = readRun(folder + "/stored.bscope");
    const auto size = [&](const char* name) { return std::filesystem::file_size(folder + "/" + name); };
    print({"rowid table, single rows, arrival order", written, size("rowid.db")}, spans, written);
    print({"recorded into span, arrival order", recorded, size("recorded.bscope")}, spans, written);
    print({"stored at once, closing included", stored, size("stored.bscope")}, spans, written);
    print({"rowid table, read into lanes", readPlain, 0}, spans, readPlain);
    print({"span, opened and read into a trace", read, 0}, spans, readPlain);
    fmt::print("  a poll of {} lanes with nothing new: {:.0f} us\n", lanes, followRun(folder + "/stored.bscope") * 1e6);
    std::filesystem::remove_all(folder);
}

} // namespace bubblescope::bench
