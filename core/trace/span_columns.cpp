#include "core/trace/span_columns.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <limits>

namespace bubblescope {
namespace {

/// The index of a kind has 16 bits; the rest is for the tasks that are joined to a chunk's last span.
constexpr std::size_t mostKinds = 60'000;

constexpr Nanoseconds mostNarrow = std::numeric_limits<std::uint32_t>::max();

template <class Value>
const Value* copyInto(BlockPool& pool, const std::vector<Value>& values)
{
    auto* const place = pool.take<Value>(values.size());
    std::memcpy(place, values.data(), values.size() * sizeof(Value));
    return place;
}

SpanEntry compose(const SpanKind& kind, std::uint32_t number, std::int32_t version, std::uint32_t source)
{
    SpanEntry entry;
    entry.kind = kind;
    entry.number = number;
    entry.version = version;
    entry.source = source;
    return entry;
}

} // namespace

SpanEntry entryOf(const Span& span, std::uint32_t source)
{
    SpanEntry entry;
    entry.start = span.start;
    entry.end = span.end;
    entry.version = span.version;
    entry.source = source;
    if (span.name != 0) {
        entry.kind.named = true;
        entry.kind.work = Work::Filler;
        entry.number = span.name;
        return entry;
    }
    entry.kind = {span.task.work,  static_cast<std::uint8_t>(span.task.flags & 15U),
                  span.task.pipe,  false,
                  span.task.slice, span.task.stage,
                  span.task.part};
    entry.number = static_cast<std::uint32_t>(span.task.microbatch.value);
    return entry;
}

Span spanOf(const SpanEntry& entry)
{
    Span span;
    span.start = entry.start;
    span.end = entry.end;
    span.version = entry.version;
    if (entry.kind.named) {
        span.name = entry.number;
        return span;
    }
    span.task.work = entry.kind.work;
    span.task.flags = entry.kind.flags;
    span.task.pipe = entry.kind.pipe;
    span.task.slice = entry.kind.slice;
    span.task.stage = entry.kind.stage;
    span.task.part = entry.kind.part;
    span.task.microbatch = Microbatch(static_cast<std::int32_t>(entry.number));
    return span;
}

SpanEntry SpanChunk::entry(std::uint32_t i) const
{
    SpanEntry entry = compose(kinds[kind[i]], number[i], version ? version[i] : noVersion, sourceOf(i));
    entry.start = start(i);
    entry.end = end(i);
    return entry;
}

std::pair<std::size_t, std::size_t> SpanChunk::joinsOf(std::uint32_t i) const
{
    const auto from =
        std::partition_point(joins.begin(), joins.end(), [i](const SpanJoin& join) { return join.at < i; });
    auto to = from;
    while (to != joins.end() && to->at == i)
        ++to;
    return {static_cast<std::size_t>(from - joins.begin()), static_cast<std::size_t>(to - joins.begin())};
}

SpanEntry SpanChunk::joinEntry(const SpanJoin& join) const
{
    SpanEntry entry = compose(kinds[join.kind], join.number, join.version, join.source);
    entry.start = start(join.at);
    entry.end = end(join.at);
    return entry;
}

SpanColumns::Place SpanColumns::place(std::size_t index) const
{
    const auto after = std::partition_point(m_chunks.begin(), m_chunks.end(),
                                            [index](const SpanChunk& chunk) { return chunk.first <= index; });
    const auto chunk = static_cast<std::size_t>(after - m_chunks.begin()) - 1;
    return {chunk, static_cast<std::uint32_t>(index - m_chunks[chunk].first)};
}

Nanoseconds SpanColumns::start(std::size_t index) const
{
    const Place at = place(index);
    return m_chunks[at.chunk].start(at.at);
}

Nanoseconds SpanColumns::end(std::size_t index) const
{
    const Place at = place(index);
    return m_chunks[at.chunk].end(at.at);
}

SpanEntry SpanColumns::entry(std::size_t index) const
{
    const Place at = place(index);
    return m_chunks[at.chunk].entry(at.at);
}

std::vector<SpanEntry> SpanColumns::entries(std::size_t index) const
{
    const Place at = place(index);
    const SpanChunk& chunk = m_chunks[at.chunk];
    std::vector<SpanEntry> all{chunk.entry(at.at)};
    const auto [first, last] = chunk.joinsOf(at.at);
    for (std::size_t join = first; join < last; ++join)
        all.push_back(chunk.joinEntry(chunk.joins[join]));
    return all;
}

std::size_t SpanColumns::firstEndingAfter(Nanoseconds time) const
{
    const auto chunk = std::partition_point(m_chunks.begin(), m_chunks.end(), [time](const SpanChunk& candidate) {
        return candidate.end(candidate.count - 1) <= time;
    });
    if (chunk == m_chunks.end())
        return m_size;
    std::uint32_t low = 0;
    std::uint32_t high = chunk->count;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (chunk->end(middle) <= time)
            low = middle + 1;
        else
            high = middle;
    }
    return chunk->first + low;
}

std::size_t SpanColumns::firstStartingFrom(Nanoseconds time) const
{
    const auto chunk = std::partition_point(m_chunks.begin(), m_chunks.end(), [time](const SpanChunk& candidate) {
        return candidate.start(candidate.count - 1) < time;
    });
    if (chunk == m_chunks.end())
        return m_size;
    std::uint32_t low = 0;
    std::uint32_t high = chunk->count;
    while (low < high) {
        const std::uint32_t middle = low + (high - low) / 2;
        if (chunk->start(middle) < time)
            low = middle + 1;
        else
            high = middle;
    }
    return chunk->first + low;
}

void SpanColumns::append(SpanChunk chunk)
{
    chunk.first = m_size;
    m_size += chunk.count;
    for (std::uint32_t i = 0; i < chunk.count; ++i)
        m_longest = std::max(m_longest, chunk.duration(i));
    m_chunks.push_back(std::move(chunk));
}

std::uint16_t SpanColumnsWriter::kindIndex(const SpanKind& kind)
{
    if (m_lastKind < m_kinds.size() && m_kinds[m_lastKind] == kind)
        return m_lastKind;
    const auto [found, isNew] = m_kindIndex.try_emplace(kind.key(), static_cast<std::uint16_t>(m_kinds.size()));
    if (isNew)
        m_kinds.push_back(kind);
    return m_lastKind = found->second;
}

void SpanColumnsWriter::add(const SpanEntry& entry)
{
    const Nanoseconds duration = std::max<Nanoseconds>(0, entry.end - entry.start);
    if (m_starts.size() >= SpanColumns::chunkSize || m_kinds.size() >= mostKinds)
        closeChunk();
    const bool fits = duration <= mostNarrow && (m_starts.empty() || entry.start - m_starts.front() <= mostNarrow);
    if (!fits && !m_wide) {
        if (m_starts.size() >= fewSpans)
            closeChunk();
        m_wide = duration > mostNarrow || !m_starts.empty();
    }
    assert(m_starts.empty() || entry.start >= m_starts.back());
    m_scattered = m_scattered || (!m_sources.empty() && entry.source != m_sources.back() + 1);
    m_versions = m_versions || entry.version != noVersion;
    m_starts.push_back(entry.start);
    m_durations.push_back(duration);
    m_numbers.push_back(entry.number);
    m_kindOf.push_back(kindIndex(entry.kind));
    m_versionOf.push_back(entry.version);
    m_sources.push_back(entry.source);
}

void SpanColumnsWriter::join(const SpanEntry& entry)
{
    m_joins.push_back({static_cast<std::uint32_t>(m_starts.size() - 1), kindIndex(entry.kind), entry.number,
                       entry.version, entry.source});
}

void SpanColumnsWriter::storeTimes(SpanChunk& chunk)
{
    if (m_wide) {
        chunk.wideStart = copyInto(*m_pool, m_starts);
        chunk.wideDuration = copyInto(*m_pool, m_durations);
        return;
    }
    auto* const starts = m_pool->take<std::uint32_t>(m_starts.size());
    auto* const durations = m_pool->take<std::uint32_t>(m_starts.size());
    for (std::size_t i = 0; i < m_starts.size(); ++i) {
        starts[i] = static_cast<std::uint32_t>(m_starts[i] - chunk.base);
        durations[i] = static_cast<std::uint32_t>(m_durations[i]);
    }
    chunk.narrowStart = starts;
    chunk.narrowDuration = durations;
}

void SpanColumnsWriter::closeChunk()
{
    if (!m_starts.empty()) {
        SpanChunk chunk;
        chunk.count = static_cast<std::uint32_t>(m_starts.size());
        chunk.base = m_starts.front();
        storeTimes(chunk);
        chunk.number = copyInto(*m_pool, m_numbers);
        chunk.kind = copyInto(*m_pool, m_kindOf);
        if (m_versions)
            chunk.version = copyInto(*m_pool, m_versionOf);
        chunk.sourceBase = m_sources.front();
        if (m_scattered)
            chunk.source = copyInto(*m_pool, m_sources);
        chunk.kinds = std::move(m_kinds);
        chunk.joins = std::move(m_joins);
        m_columns.append(std::move(chunk));
    }
    m_wide = m_versions = m_scattered = false;
    m_starts.clear();
    m_durations.clear();
    m_numbers.clear();
    m_kindOf.clear();
    m_versionOf.clear();
    m_sources.clear();
    m_kinds.clear();
    m_joins.clear();
    m_kindIndex.clear();
    m_lastKind = 0;
}

SpanColumns SpanColumnsWriter::finish()
{
    closeChunk();
    return std::exchange(m_columns, {});
}

} // namespace bubblescope
