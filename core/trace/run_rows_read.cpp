#include "core/base/error.h"
#include "core/trace/run_rows.h"

#include <algorithm>
#include <limits>

namespace bubblescope {

NameMap::NameMap(const Database& database) : m_database(&database) {}

std::uint32_t NameMap::index(std::int64_t id, std::vector<std::string>& names)
{
    const auto [entry, isNew] = m_index.try_emplace(id, static_cast<std::uint32_t>(names.size()));
    if (isNew) {
        Statement find(*m_database, "SELECT text FROM string WHERE id = ?");
        names.push_back(find.bind(1, id).step() ? find.text(0) : fmt::format("name {}", id));
    }
    return entry->second;
}

Span spanOfRow(const Statement& row, NameMap& names, std::vector<std::string>& texts)
{
    Span span;
    span.start = row.integer(0);
    span.end = span.start + row.integer(1);
    if (row.isNull(5))
        span.task = unpackTask(row.integer(2), row.integer(3), row.integer(4));
    else
        span.name = names.index(row.integer(5), texts);
    if (!row.isNull(6))
        span.version = static_cast<std::int32_t>(row.integer(6));
    return span;
}

// The row value comparison is a range of the primary key: only what is new is touched.
SpanReader::SpanReader(const Database& database, int run)
    : m_spans(database, fmt::format("SELECT {}, seq FROM span WHERE run = ? AND lane = ? AND (start, seq) > (?, ?) "
                                    "ORDER BY start, seq",
                                    spanColumns))
    , m_measurements(database, "SELECT start, seq, ready, wall_start, wall_end, cpu FROM measurement "
                               "WHERE run = ? AND lane = ? AND (start, seq) > (?, ?) ORDER BY start, seq")
{
    m_spans.bind(1, run);
    m_measurements.bind(1, run);
}

void SpanReader::read(std::uint32_t lane, LaneCursor& cursor, TraceLane& into, NameMap& names,
                      std::vector<std::string>& texts)
{
    const LaneCursor from = cursor.any ? cursor : LaneCursor{false, std::numeric_limits<Nanoseconds>::lowest(), -1, 0};
    const std::size_t first = into.spans.size();
    m_spans.bind(2, lane).bind(3, from.start).bind(4, from.seq);
    while (m_spans.step()) {
        cursor.seq = m_spans.integer(7);
        into.spans.push_back(spanOfRow(m_spans, names, texts));
    }
    m_spans.reset();
    if (into.spans.size() == first)
        return;
    cursor.any = true;
    cursor.start = into.spans.back().start;
    cursor.count += static_cast<std::int64_t>(into.spans.size() - first);
    readMeasurements(lane, from, into);
}

void SpanReader::readMeasurements(std::uint32_t lane, const LaneCursor& from, TraceLane& into)
{
    m_measurements.bind(2, lane).bind(3, from.start).bind(4, from.seq);
    while (m_measurements.step())
        into.measurements.push_back({m_measurements.integer(2), m_measurements.integer(3), m_measurements.integer(4),
                                     m_measurements.integer(5)});
    m_measurements.reset();
    // All spans of a lane are measured or none: they are written together.
    if (!into.measurements.empty() && into.measurements.size() != into.spans.size())
        throw Error("Lane {} has {} spans and {} measurements: the document is damaged.", lane, into.spans.size(),
                    into.measurements.size());
}

std::vector<TraceLane> readLanes(const Database& database, int run, std::vector<std::int64_t>& counts)
{
    Statement statement(database, "SELECT device, kind, number, spans FROM lane WHERE run = ? ORDER BY lane");
    statement.bind(1, run);
    std::vector<TraceLane> lanes;
    counts.clear();
    while (statement.step()) {
        TraceLane lane;
        lane.device = Device(statement.integer(0));
        lane.kind =
            static_cast<LaneKind>(std::clamp<std::int64_t>(statement.integer(1), 0, std::int64_t(LaneKind::Host)));
        lane.index = static_cast<std::uint8_t>(statement.integer(2));
        lanes.push_back(std::move(lane));
        counts.push_back(statement.integer(3));
    }
    return lanes;
}

std::vector<Counter> readCounters(const Database& database, int run,
                                  std::map<std::pair<std::int64_t, std::int64_t>, std::int64_t>& seen)
{
    // One skip per series through the primary key, instead of a scan of all samples.
    Statement series(database, "SELECT name, device FROM counter WHERE run = ? AND (name, device) > (?, ?) "
                               "ORDER BY name, device LIMIT 1");
    Statement samples(database,
                      "SELECT time, value FROM counter WHERE run = ? AND name = ? AND device = ? AND seq >= ? "
                      "ORDER BY seq");
    Statement text(database, "SELECT text FROM string WHERE id = ?");
    std::vector<Counter> counters;
    std::pair<std::int64_t, std::int64_t> key{-1, -1};
    while (series.bind(1, run).bind(2, key.first).bind(3, key.second).step()) {
        key = {series.integer(0), series.integer(1)};
        series.reset();
        std::int64_t& seq = seen[key];
        Counter counter;
        counter.device = Device(key.second);
        samples.bind(1, run).bind(2, key.first).bind(3, key.second).bind(4, seq);
        while (samples.step())
            counter.samples.emplace_back(samples.integer(0), samples.integer(1));
        samples.reset();
        seq += static_cast<std::int64_t>(counter.samples.size());
        if (counter.samples.empty())
            continue;
        if (text.bind(1, key.first).step())
            counter.name = text.text(0);
        text.reset();
        counters.push_back(std::move(counter));
    }
    return counters;
}

std::vector<Link> readLinks(const Database& database, int run, std::int64_t& seen)
{
    Statement statement(database, "SELECT from_device, to_device, task, stage, microbatch, sent, arrived, bytes "
                                  "FROM link WHERE run = ? AND seq >= ? ORDER BY seq");
    statement.bind(1, run).bind(2, seen);
    std::vector<Link> links;
    while (statement.step()) {
        Link link;
        link.from = Device(statement.integer(0));
        link.to = Device(statement.integer(1));
        link.producer = unpackTask(statement.integer(2), statement.integer(3), statement.integer(4));
        link.sent = statement.integer(5);
        link.arrived = statement.integer(6);
        link.bytes = statement.integer(7);
        links.push_back(link);
    }
    seen += static_cast<std::int64_t>(links.size());
    return links;
}

} // namespace bubblescope
