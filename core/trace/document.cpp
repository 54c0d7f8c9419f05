#include "core/trace/document.h"

#include "core/base/error.h"
#include "core/trace/document_file.h"
#include "core/trace/run_rows.h"
#include "core/trace/run_table.h"
#include "core/trace/run_writer.h"
#include "core/trace/trace_sink.h"

#include <algorithm>
#include <filesystem>

namespace bubblescope {
namespace {

/// Spans between two looks at the progress.
constexpr std::size_t stretch = 65'536;

[[noreturn]] void noSuchRun(const Database& database, int run)
{
    std::string known;
    Statement select(database, "SELECT id FROM run ORDER BY id");
    while (select.step())
        known += (known.empty() ? "" : ", ") + std::to_string(select.integer(0));
    if (known.empty())
        throw Error("{} has no run {}: it holds no runs yet.", database.path(), run);
    throw Error("{} has no run {}. Its runs are {}.", database.path(), run, known);
}

void requireRun(const Database& database, int run)
{
    Statement find(database, "SELECT 1 FROM run WHERE id = ?");
    if (!find.bind(1, run).step())
        noSuchRun(database, run);
}

void writeTrace(RunRows& rows, const Trace& trace, const Progress& progress)
{
    std::size_t done = 0;
    const std::size_t all = std::max<std::size_t>(trace.spanCount(), 1);
    for (std::uint32_t i = 0; i < trace.lanes.size(); ++i) {
        const TraceLane& lane = trace.lanes[i];
        rows.lane(lane);
        SpanOrder().check({i, lane.spans, lane.measurements});
        const std::span<const Span> spans(lane.spans);
        const std::span<const Measurement> measured(lane.measurements);
        for (std::size_t at = 0; at < spans.size(); at += stretch) {
            const std::size_t size = std::min(stretch, spans.size() - at);
            rows.spans(i, spans.subspan(at, size), measured.empty() ? measured : measured.subspan(at, size),
                       trace.names);
            progress.check();
            progress.report(static_cast<double>(done += size) / static_cast<double>(all), "saving");
        }
    }
    // Counters bring names of their own, behind those of the spans.
    std::vector<std::string> names = trace.names;
    for (const Counter& counter : trace.counters) {
        names.push_back(counter.name);
        rows.samples(static_cast<std::uint32_t>(names.size() - 1), counter.device, counter.samples, names);
    }
    rows.links(trace.links);
}

} // namespace

Document Document::create(const std::string& path)
{
    DocumentFile::create(path);
    return open(path, Mode::ReadWrite);
}

Document Document::open(const std::string& path, Mode mode, std::span<const Migration> steps)
{
    return Document(DocumentFile::open(path, mode == Mode::ReadWrite, steps));
}

Document Document::openOrCreate(const std::string& path)
{
    std::error_code ignored;
    const std::filesystem::file_status status = std::filesystem::status(path, ignored);
    const bool something = std::filesystem::exists(status) &&
                           (!std::filesystem::is_regular_file(status) || std::filesystem::file_size(path, ignored) > 0);
    return something ? open(path, Mode::ReadWrite) : create(path);
}

const std::string& Document::path() const
{
    return m_file->path();
}

bool Document::writable() const
{
    return m_file->writable();
}

std::vector<RunInfo> Document::runs() const
{
    const bool beingWritten = m_file->beingWritten();
    Transaction transaction(m_file->database(), Transaction::Kind::Read);
    return readRuns(m_file->database(), beingWritten);
}

RunInfo Document::run(int id) const
{
    const bool beingWritten = m_file->beingWritten();
    Transaction transaction(m_file->database(), Transaction::Kind::Read);
    std::optional<RunInfo> info = readRun(m_file->database(), id, beingWritten);
    if (!info)
        noSuchRun(m_file->database(), id);
    return *info;
}

Trace Document::readTrace(int run, const Progress& progress) const
{
    const Database& database = m_file->database();
    Transaction transaction(database, Transaction::Kind::Read);
    requireRun(database, run);
    Trace trace;
    std::vector<std::int64_t> counts;
    trace.lanes = readLanes(database, run, counts);
    NameMap names(database);
    SpanReader reader(database, run);
    const std::int64_t rowsOfFile =
        database.integer("PRAGMA page_count") * 16384 / 8; // a bound, should a count be damaged
    for (std::uint32_t lane = 0; lane < trace.lanes.size(); ++lane) {
        progress.check();
        progress.report(static_cast<double>(lane) / static_cast<double>(trace.lanes.size()), "reading");
        trace.lanes[lane].spans.reserve(
            static_cast<std::size_t>(std::clamp<std::int64_t>(counts[lane], 0, rowsOfFile)));
        LaneCursor cursor;
        reader.read(lane, cursor, trace.lanes[lane], names, trace.names);
    }
    std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t> samples;
    std::int64_t links = 0;
    trace.counters = readCounters(database, run, samples);
    trace.links = readLinks(database, run, links);
    sortLanes(trace.lanes);
    return trace;
}

int Document::addRun(const RunHeader& header, const Trace& trace, const RunOutcome& outcome, const Progress& progress)
{
    m_file->requireWritable();
    const Database& database = m_file->database();
    Transaction transaction(database);
    if (header.parent)
        requireRun(database, *header.parent);
    const int run = insertRun(database, header);
    RunRows rows(database, run);
    writeTrace(rows, trace, progress);
    rows.totals();
    updateOutcome(database, run, outcome);
    transaction.commit();
    return run;
}

std::unique_ptr<RunWriter> Document::record(const RunHeader& header)
{
    m_file->requireWritable();
    const Database& database = m_file->database();
    Transaction transaction(database);
    if (header.parent)
        requireRun(database, *header.parent);
    const int run = insertRun(database, header);
    transaction.commit();
    return std::make_unique<RunWriter>(m_file, run);
}

void Document::setOutcome(int run, const RunOutcome& outcome)
{
    m_file->requireWritable();
    requireRun(m_file->database(), run);
    updateOutcome(m_file->database(), run, outcome);
}

void Document::replaceTrace(int run, const Trace& trace)
{
    m_file->requireWritable();
    const Database& database = m_file->database();
    Transaction transaction(database);
    requireRun(database, run);
    deleteTraceRows(database, run);
    RunRows rows(database, run);
    writeTrace(rows, trace, Progress());
    rows.totals();
    transaction.commit();
}

void Document::deleteRun(int run)
{
    m_file->requireWritable();
    Transaction transaction(m_file->database());
    requireRun(m_file->database(), run);
    deleteRunRows(m_file->database(), run);
    transaction.commit();
}

} // namespace bubblescope
