#include "core/trace/column_cache.h"

#include "core/base/error.h"
#include "core/trace/column_codec.h"
#include "core/trace/run_rows.h"
#include "core/trace/trace_sink.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <tuple>

namespace bubblescope {
namespace {

/// Names of the parts of a lane beside its sub-lanes, which count from 0.
constexpr int momentsPart = -1;
constexpr int coverPart = -2;

/// Rows between two looks at the progress.
constexpr std::size_t stretch = 65'536;

/// What the rows of a run look like now, without reading them all: every lane's count and last row.
std::string stampOf(const Database& database, int run)
{
    std::string stamp = fmt::format("{}", columnCodecVersion);
    Statement lanes(database, "SELECT lane, spans FROM lane WHERE run = ? ORDER BY lane");
    Statement last(database, "SELECT start, seq, duration FROM span WHERE run = ? AND lane = ? "
                             "ORDER BY start DESC, seq DESC LIMIT 1");
    lanes.bind(1, run);
    while (lanes.step()) {
        stamp += fmt::format(" {}", lanes.integer(1));
        if (last.bind(1, run).bind(2, lanes.integer(0)).step())
            stamp += fmt::format(":{}:{}:{}", last.integer(0), last.integer(1), last.integer(2));
        last.reset();
    }
    return stamp;
}

std::string storedStamp(const Database& database, int run)
{
    Statement select(database, "SELECT cache_stamp FROM run WHERE id = ?");
    return select.bind(1, run).step() ? select.text(0) : std::string();
}

/// Reads one lane's rows.
class RowColumnsReader {
public:
    RowColumnsReader(const Database& database, int run)
        : m_names(database)
        , m_spans(database,
                  fmt::format("SELECT {} FROM span WHERE run = ? AND lane = ? ORDER BY start, seq", spanColumns))
    {
        m_spans.bind(1, run);
    }

    template <class EachStretch>
    void read(std::uint32_t lane, LaneColumnsWriter& into, std::vector<std::string>& texts, EachStretch eachStretch)
    {
        m_spans.bind(2, lane);
        std::uint32_t index = 0;
        while (m_spans.step()) {
            into.add(entryOf(spanOfRow(m_spans, m_names, texts), index));
            if (++index % stretch == 0)
                eachStretch(stretch);
        }
        m_spans.reset();
    }

private:
    NameMap m_names;
    Statement m_spans;
};

void encodePart(EncodedColumns& into, EncodedColumns::Row row, const SpanColumns& spans)
{
    for (std::size_t i = 0; i < spans.chunks().size(); ++i) {
        row.seq = static_cast<int>(i);
        row.data = encodeChunk(spans.chunks()[i]);
        into.rows.push_back(row);
    }
}

void encodeLanes(EncodedColumns& into, bool preview, const TraceColumns& columns)
{
    for (std::size_t i = 0; i < columns.lanes.size(); ++i) {
        const LaneColumns& lane = columns.lanes[i];
        const int number = static_cast<int>(i);
        for (std::size_t subLane = 0; subLane < lane.subLanes.size(); ++subLane)
            encodePart(into, {preview, number, static_cast<int>(subLane), 0, {}}, lane.subLanes[subLane]);
        encodePart(into, {preview, number, momentsPart, 0, {}}, lane.moments);
        encodePart(into, {preview, number, coverPart, 0, {}}, lane.cover);
    }
}

/// Which lanes there are and how many chunks each part has: what isn't listed isn't complete.
nlohmann::json listOf(const TraceColumns& columns)
{
    nlohmann::json lanes = nlohmann::json::array();
    for (const LaneColumns& lane : columns.lanes) {
        nlohmann::json subLanes = nlohmann::json::array();
        for (const SpanColumns& subLane : lane.subLanes)
            subLanes.push_back(subLane.chunks().size());
        lanes.push_back({{"device", lane.device.value},
                         {"kind", static_cast<int>(lane.kind)},
                         {"index", lane.index},
                         {"parts", subLanes},
                         {"moments", lane.moments.chunks().size()},
                         {"cover", lane.cover.chunks().size()}});
    }
    return lanes;
}

/// Reads the chunks of one kind in the order in which they were listed.
class ChunkReader {
public:
    ChunkReader(const Database& database, int run, CachePart what, BlockPool& pool)
        : m_pool(&pool)
        , m_select(database, "SELECT data FROM chunk WHERE run = ? AND preview = ? AND lane = ? AND part = ? "
                             "ORDER BY seq")
    {
        m_select.bind(1, run).bind(2, what == CachePart::Preview ? 1 : 0);
    }

    SpanColumns part(std::size_t lane, int part, std::size_t chunks)
    {
        SpanColumns spans;
        m_select.bind(3, static_cast<std::int64_t>(lane)).bind(4, part);
        while (m_select.step())
            spans.append(decodeChunk(m_select.blob(0), *m_pool));
        m_select.reset();
        if (spans.chunks().size() != chunks)
            throw Error("The document's cache lacks chunks.");
        return spans;
    }

private:
    BlockPool* m_pool;
    Statement m_select;
};

TraceColumns readLanesOfCache(const Database& database, int run, CachePart what, const nlohmann::json& list,
                              const Progress& progress)
{
    TraceColumns columns;
    columns.pool = std::make_shared<BlockPool>();
    columns.names = list.at("names").get<std::vector<std::string>>();
    ChunkReader reader(database, run, what, *columns.pool);
    const nlohmann::json& lanes = list.at(what == CachePart::Preview ? "preview" : "lanes");
    columns.lanes.resize(lanes.size());
    for (std::size_t i = 0; i < lanes.size(); ++i) {
        progress.check();
        progress.report(static_cast<double>(i) / static_cast<double>(lanes.size()), "reading");
        LaneColumns& lane = columns.lanes[i];
        lane.device = Device(lanes[i].at("device").get<int>());
        lane.kind = static_cast<LaneKind>(std::clamp(lanes[i].at("kind").get<int>(), 0, int(LaneKind::Host)));
        lane.index = static_cast<std::uint8_t>(lanes[i].at("index").get<int>());
        const auto parts = lanes[i].at("parts").get<std::vector<std::size_t>>();
        for (std::size_t subLane = 0; subLane < parts.size(); ++subLane)
            lane.subLanes.push_back(reader.part(i, static_cast<int>(subLane), parts[subLane]));
        if (lane.subLanes.empty())
            throw Error("The document's cache is damaged.");
        lane.moments = reader.part(i, momentsPart, lanes[i].at("moments").get<std::size_t>());
        lane.cover = reader.part(i, coverPart, lanes[i].at("cover").get<std::size_t>());
    }
    measure(columns);
    // A preview's last span ends a little early; its axis is that of the run all the same.
    columns.begin = list.at("begin").get<Nanoseconds>();
    columns.end = list.at("end").get<Nanoseconds>();
    return columns;
}

/// One span per kind for each block of neighbours, in the room that they have together.
class PreviewWriter {
public:
    PreviewWriter(LaneColumnsWriter& writer, std::size_t blockSize) : m_writer(writer), m_blockSize(blockSize) {}

    void add(const SpanEntry& entry)
    {
        if (m_count == 0)
            m_next = entry.start;
        ++m_count;
        SpanEntry sum = entry;
        if (!sum.kind.named)
            sum.number = 0;
        sum.kind.flags = 0;
        sum.start = 0;
        sum.end = entry.end - entry.start;
        const auto same = std::find_if(m_sums.begin(), m_sums.end(), [&sum](const SpanEntry& known) {
            return known.kind == sum.kind && known.number == sum.number;
        });
        if (same != m_sums.end())
            same->end += sum.end;
        else if (m_sums.size() < mostKinds)
            m_sums.push_back(sum);
        else
            m_sums.back().end += sum.end;
        if (m_count == m_blockSize)
            flush();
    }

    void flush()
    {
        for (SpanEntry& sum : m_sums) {
            sum.start = m_next;
            sum.end += m_next;
            m_next = sum.end;
            sum.source = m_written++;
            m_writer.add(sum);
        }
        m_sums.clear();
        m_count = 0;
    }

private:
    static constexpr std::size_t mostKinds = 8;

    LaneColumnsWriter& m_writer;
    std::size_t m_blockSize;
    std::size_t m_count = 0;
    Nanoseconds m_next = 0;
    std::uint32_t m_written = 0;
    std::vector<SpanEntry> m_sums;
};

SpanColumns previewOfPart(const SpanColumns& spans, BlockPool& pool, std::size_t blockSize)
{
    LaneColumnsWriter writer(pool);
    PreviewWriter preview(writer, blockSize);
    for (const SpanChunk& chunk : spans.chunks())
        for (std::uint32_t i = 0; i < chunk.count; ++i)
            preview.add(chunk.entry(i));
    preview.flush();
    return std::move(writer.finish().subLanes.front());
}

} // namespace

TraceColumns readRowColumns(const Database& database, int run, const Progress& progress)
{
    TraceColumns columns;
    columns.pool = std::make_shared<BlockPool>();
    std::vector<std::int64_t> counts;
    std::vector<TraceLane> lanes = readLanes(database, run, counts);
    RowColumnsReader reader(database, run);
    LaneColumnsWriter writer(*columns.pool);
    std::size_t done = 0;
    double all = 1;
    for (const std::int64_t count : counts)
        all += static_cast<double>(std::max<std::int64_t>(0, count));
    for (std::uint32_t i = 0; i < lanes.size(); ++i) {
        progress.check();
        reader.read(i, writer, columns.names, [&](std::size_t rows) {
            progress.check();
            progress.report(std::min(1.0, static_cast<double>(done += rows) / all), "reading");
        });
        LaneColumns& lane = columns.lanes.emplace_back(writer.finish());
        lane.device = lanes[i].device;
        lane.kind = lanes[i].kind;
        lane.index = lanes[i].index;
    }
    std::stable_sort(columns.lanes.begin(), columns.lanes.end(), [](const LaneColumns& a, const LaneColumns& b) {
        return std::tie(a.device.value, a.kind, a.index) < std::tie(b.device.value, b.kind, b.index);
    });
    measure(columns);
    return columns;
}

bool freshCache(const Database& database, int run)
{
    const std::string stamp = storedStamp(database, run);
    return !stamp.empty() && stamp == stampOf(database, run);
}

std::optional<TraceColumns> readCache(const Database& database, int run, CachePart part, const Progress& progress)
{
    try {
        if (!freshCache(database, run))
            return std::nullopt;
        Statement select(database, "SELECT list FROM chunk_list WHERE run = ?");
        if (!select.bind(1, run).step())
            return std::nullopt;
        return readLanesOfCache(database, run, part, nlohmann::json::parse(select.text(0)), progress);
    } catch (const Error&) {
        return std::nullopt; // a cache that can't be read is none: the rows are the truth
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
}

EncodedColumns encodeColumns(const TraceColumns& columns)
{
    EncodedColumns encoded;
    const TraceColumns preview = previewOf(columns);
    encodeLanes(encoded, true, preview);
    encodeLanes(encoded, false, columns);
    const nlohmann::json list{{"names", columns.names},
                              {"begin", columns.begin},
                              {"end", columns.end},
                              {"preview", listOf(preview)},
                              {"lanes", listOf(columns)}};
    encoded.list = list.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    return encoded;
}

void writeCache(const Database& database, int run, const EncodedColumns& columns)
{
    dropCache(database, run);
    Statement insert(database, "INSERT INTO chunk (run, preview, lane, part, seq, data) VALUES (?,?,?,?,?,?)");
    insert.bind(1, run);
    for (const EncodedColumns::Row& row : columns.rows)
        insert.bind(2, row.preview ? 1 : 0)
            .bind(3, row.lane)
            .bind(4, row.part)
            .bind(5, row.seq)
            .bindBlob(6, row.data)
            .run();
    Statement(database, "INSERT INTO chunk_list VALUES (?,?)")
        .bind(1, run)
        .bind(2, std::string_view(columns.list))
        .run();
    const std::string stamp = stampOf(database, run);
    Statement(database, "UPDATE run SET cache_stamp = ? WHERE id = ?")
        .bind(1, std::string_view(stamp))
        .bind(2, run)
        .run();
}

void dropCache(const Database& database, int run)
{
    for (const char* sql : {"DELETE FROM chunk WHERE run = ?", "DELETE FROM chunk_list WHERE run = ?",
                            "UPDATE run SET cache_stamp = '' WHERE id = ? AND cache_stamp <> ''"})
        Statement(database, sql).bind(1, run).run();
}

TraceColumns previewOf(const TraceColumns& columns, std::size_t most)
{
    TraceColumns preview;
    preview.pool = std::make_shared<BlockPool>();
    preview.names = columns.names;
    preview.begin = columns.begin;
    preview.end = columns.end;
    // Eight kinds in a block are many: half of it is what most blocks need.
    const std::size_t blockSize = std::max<std::size_t>(1, columns.spanCount() * 8 / std::max<std::size_t>(most, 1));
    for (const LaneColumns& lane : columns.lanes) {
        LaneColumns& made = preview.lanes.emplace_back();
        made.device = lane.device;
        made.kind = lane.kind;
        made.index = lane.index;
        for (const SpanColumns& subLane : lane.subLanes)
            made.subLanes.push_back(previewOfPart(subLane, *preview.pool, blockSize));
        made.cover = previewOfPart(lane.cover, *preview.pool, blockSize);
    }
    return preview;
}

} // namespace bubblescope
