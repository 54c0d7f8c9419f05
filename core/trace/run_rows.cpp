#include "core/trace/run_rows.h"

#include <algorithm>
#include <cassert>

namespace bubblescope {
namespace {

/// "INSERT OR ROLLBACK … VALUES (?,…),(?,…)". Without OR ROLLBACK a statement of many rows keeps a journal of every page
/// that it touches, which makes it seven times slower; keys are unique by construction, so it never rolls back.
std::string insertSpans(int rows, int columns)
{
    std::string row = "(?";
    for (int i = 1; i < columns; ++i)
        row += ",?";
    row += ")";
    std::string sql = "INSERT OR ROLLBACK INTO span VALUES " + row;
    for (int i = 1; i < rows; ++i)
        sql += "," + row;
    return sql;
}

} // namespace

std::int64_t packTask(const Task& task)
{
    return static_cast<std::int64_t>(task.work) | static_cast<std::int64_t>(task.flags & 15U) << 6 |
           std::int64_t{task.pipe.value} << 10 | std::int64_t{task.slice.value} << 18 |
           std::int64_t{task.part.value} << 34;
}

Task unpackTask(std::int64_t packed, std::int64_t stage, std::int64_t microbatch)
{
    Task task;
    // A work of a later version reads as one that has no meaning for schedules.
    task.work = (packed & 63) < workCount ? static_cast<Work>(packed & 63) : Work::Filler;
    task.flags = static_cast<std::uint32_t>(packed >> 6 & 15);
    task.pipe = Pipe(packed >> 10 & 0xff);
    task.slice = Slice(packed >> 18 & 0xffff);
    task.part = Part(packed >> 34 & 0xffff);
    task.stage = Stage(stage);
    task.microbatch = Microbatch(microbatch);
    return task;
}

RunRows::RunRows(const Database& database, int run)
    : m_database(&database)
    , m_run(run)
    , m_manySpans(database, insertSpans(rowsAtOnce, columns))
    , m_oneSpan(database, insertSpans(1, columns))
    , m_measurement(database, "INSERT OR ROLLBACK INTO measurement VALUES (?,?,?,?,?,?,?,?)")
    , m_sample(database, "INSERT OR ROLLBACK INTO counter VALUES (?,?,?,?,?,?)")
    , m_link(database, "INSERT OR ROLLBACK INTO link VALUES (?,?,?,?,?,?,?,?,?,?)")
    , m_newString(database, "INSERT OR IGNORE INTO string (text) VALUES (?)")
    , m_findString(database, "SELECT id FROM string WHERE text = ?")
{
}

void RunRows::lane(const TraceLane& lane)
{
    Statement insert(*m_database, "INSERT INTO lane (run, lane, device, kind, number) VALUES (?,?,?,?,?)");
    insert.bind(1, m_run)
        .bind(2, static_cast<std::int64_t>(m_counts.lanes.size()))
        .bind(3, lane.device)
        .bind(4, static_cast<std::int64_t>(lane.kind))
        .bind(5, lane.index)
        .run();
    m_counts.lanes.emplace_back();
}

std::int64_t RunRows::stringId(std::uint32_t name, const std::vector<std::string>& names)
{
    if (m_counts.stringIds.size() <= name)
        m_counts.stringIds.resize(names.size(), 0);
    std::int64_t& id = m_counts.stringIds[name];
    if (id == 0) {
        m_newString.bind(1, std::string_view(names[name])).run();
        m_findString.bind(1, std::string_view(names[name])).step();
        id = m_findString.integer(0);
        m_findString.reset();
    }
    return id;
}

void RunRows::place(std::uint32_t lane, const Span& span)
{
    LaneCursor& cursor = m_counts.lanes[lane];
    assert(!cursor.any || span.start >= cursor.start); // SpanOrder has looked
    cursor.seq = cursor.any && span.start == cursor.start ? cursor.seq + 1 : 0;
    cursor.start = span.start;
    cursor.any = true;
    ++cursor.count;
    m_counts.begin = m_counts.any ? std::min(m_counts.begin, span.start) : span.start;
    m_counts.end = m_counts.any ? std::max(m_counts.end, span.end) : span.end;
    m_counts.any = true;
}

void RunRows::bindSpan(Statement& statement, int first, std::uint32_t lane, const Span& span,
                       const std::vector<std::string>& names)
{
    place(lane, span);
    statement.bind(first, m_run)
        .bind(first + 1, lane)
        .bind(first + 2, span.start)
        .bind(first + 3, m_counts.lanes[lane].seq)
        .bind(first + 4, span.duration());
    if (span.name == 0) {
        statement.bind(first + 5, packTask(span.task))
            .bind(first + 6, span.task.stage)
            .bind(first + 7, span.task.microbatch)
            .bindNull(first + 8);
    } else {
        statement.bindNull(first + 5).bindNull(first + 6).bindNull(first + 7);
        statement.bind(first + 8, stringId(span.name, names));
    }
    if (span.version == noVersion)
        statement.bindNull(first + 9);
    else
        statement.bind(first + 9, span.version);
}

void RunRows::spans(std::uint32_t lane, std::span<const Span> spans, std::span<const Measurement> measurements,
                    const std::vector<std::string>& names)
{
    std::size_t i = 0;
    if (measurements.empty())
        for (; i + rowsAtOnce <= spans.size(); i += rowsAtOnce) {
            for (int row = 0; row < rowsAtOnce; ++row)
                bindSpan(m_manySpans, row * columns + 1, lane, spans[i + static_cast<std::size_t>(row)], names);
            m_manySpans.run();
        }
    for (; i < spans.size(); ++i) {
        bindSpan(m_oneSpan, 1, lane, spans[i], names);
        m_oneSpan.run();
        if (measurements.empty())
            continue;
        const Measurement& measured = measurements[i];
        m_measurement.bind(1, m_run)
            .bind(2, lane)
            .bind(3, spans[i].start)
            .bind(4, m_counts.lanes[lane].seq)
            .bind(5, measured.ready)
            .bind(6, measured.wallStart)
            .bind(7, measured.wallEnd)
            .bind(8, measured.cpu)
            .run();
    }
}

void RunRows::samples(std::uint32_t name, Device device, std::span<const std::pair<Nanoseconds, std::int64_t>> samples,
                      const std::vector<std::string>& names)
{
    const std::int64_t id = stringId(name, names);
    std::int64_t& seq = m_counts.samples[{name, device}];
    for (const auto& [time, value] : samples)
        m_sample.bind(1, m_run).bind(2, id).bind(3, device).bind(4, seq++).bind(5, time).bind(6, value).run();
}

void RunRows::links(std::span<const Link> links)
{
    for (const Link& link : links)
        m_link.bind(1, m_run)
            .bind(2, m_counts.links++)
            .bind(3, link.from)
            .bind(4, link.to)
            .bind(5, packTask(link.producer))
            .bind(6, link.producer.stage)
            .bind(7, link.producer.microbatch)
            .bind(8, link.sent)
            .bind(9, link.arrived)
            .bind(10, link.bytes)
            .run();
}

void RunRows::totals()
{
    Statement lane(*m_database, "UPDATE lane SET spans = ?3 WHERE run = ?1 AND lane = ?2 AND spans <> ?3");
    std::int64_t spans = 0;
    for (std::size_t i = 0; i < m_counts.lanes.size(); ++i) {
        spans += m_counts.lanes[i].count;
        lane.bind(1, m_run).bind(2, static_cast<std::int64_t>(i)).bind(3, m_counts.lanes[i].count).run();
    }
    Statement run(*m_database, "UPDATE run SET spans = ?, begin_ns = ?, end_ns = ? WHERE id = ?");
    run.bind(1, spans).bind(2, m_counts.begin).bind(3, m_counts.end).bind(4, m_run).run();
}

} // namespace bubblescope
