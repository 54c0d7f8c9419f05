#include "viz/timeline/span_index.h"

#include <algorithm>
#include <array>

namespace bubblescope::viz {

QRgb ColourSum::mixed() const
{
    if (busy <= 0)
        return qRgb(0, 0, 0);
    const auto channel = [this](std::int64_t sum) { return static_cast<int>((sum + busy / 2) / busy); };
    return qRgb(channel(red), channel(green), channel(blue));
}

QRgb ChunkColours::withJoins(std::uint32_t i, QRgb first) const
{
    const auto [from, to] = m_chunk->joinsOf(i);
    if (from == to)
        return first;
    ColourSum sum;
    sum.add(first, 1);
    for (std::size_t join = from; join < to; ++join)
        sum.add(of(m_chunk->joins[join].kind, m_chunk->joins[join].number), 1);
    return sum.mixed();
}

SpanIndex::SpanIndex(const SpanColumns& spans, BlockPool& pool) : m_spans(&spans)
{
    std::size_t kinds = 0;
    for (const SpanChunk& chunk : spans.chunks()) {
        m_firstBlock.push_back(m_blockCount);
        m_firstKind.push_back(kinds);
        m_blockCount += (chunk.count + blockSize - 1) / blockSize;
        kinds += chunk.kinds.size();
    }
    m_firstBlock.push_back(m_blockCount);
    m_palette.kinds.assign(kinds, qRgb(0, 0, 0));
    m_palette.cycle.assign(1, qRgb(0, 0, 0));
    m_blocks = pool.take<Block>(m_blockCount + 1);
}

void SpanIndex::makeTints()
{
    std::vector<QRgb>& cycle = m_palette.cycle;
    const std::vector<QRgb>& kinds = m_palette.kinds;
    if (std::find(kinds.begin(), kinds.end(), ChunkColours::byNumber) == kinds.end())
        cycle.resize(1); // a large run may have many names, and most rows have none
    while ((cycle.size() & (cycle.size() - 1)) != 0)
        cycle.push_back(cycle.front());
    m_tints.clear();
    for (const QRgb number : cycle)
        m_tints.emplace_back(number);
    m_places.clear();
    for (const QRgb kind : kinds) {
        if (kind == ChunkColours::byNumber) {
            m_places.push_back({0, static_cast<std::uint32_t>(cycle.size() - 1)});
            continue;
        }
        m_places.push_back({static_cast<std::uint32_t>(m_tints.size()), 0});
        m_tints.emplace_back(kind);
    }
}

namespace {

/// Of the spans of a block: sixteen products of 32 and 8 bits are exact in a double.
struct TintSum {
    void add(double time, const Tint& tint)
    {
        part[0] += time * static_cast<double>(tint.red);
        part[1] += time * static_cast<double>(tint.green);
        part[2] += time * static_cast<double>(tint.blue);
        part[3] += time * static_cast<double>(tint.one);
    }

    void addTo(ColourSum& sum) const
    {
        sum.red += static_cast<std::int64_t>(part[0]);
        sum.green += static_cast<std::int64_t>(part[1]);
        sum.blue += static_cast<std::int64_t>(part[2]);
        sum.busy += static_cast<std::int64_t>(part[3]);
    }

    std::array<double, 4> part{};
};

} // namespace

/// The common case, in a loop without questions: what this takes is what a change of colours takes.
void SpanIndex::colourPlainChunk(std::size_t index, Block*& block, ColourSum& sum) const
{
    const SpanChunk& chunk = m_spans->chunks()[index];
    const ChunkTints tints = tintsOf(index);
    for (std::uint32_t from = 0; from < chunk.count; from += blockSize) {
        *block++ = {chunk.base + chunk.narrowStart[from], sum};
        const std::uint32_t to = std::min(chunk.count, from + blockSize);
        TintSum part;
        for (std::uint32_t i = from; i < to; ++i)
            part.add(chunk.narrowDuration[i], tints.tint(i));
        part.addTo(sum);
    }
}

void SpanIndex::colour(SpanPalette palette)
{
    m_palette = std::move(palette);
    makeTints();
    ColourSum sum;
    Block* block = m_blocks;
    for (std::size_t index = 0; index < m_spans->chunks().size(); ++index) {
        const SpanChunk& chunk = m_spans->chunks()[index];
        if (chunk.narrowStart && chunk.joins.empty() && m_palette.hits.empty()) {
            colourPlainChunk(index, block, sum);
            continue;
        }
        const ChunkColours colours = coloursOf(index);
        for (std::uint32_t from = 0; from < chunk.count; from += blockSize) {
            *block++ = {chunk.start(from), sum};
            const std::uint32_t to = std::min(chunk.count, from + blockSize);
            for (std::uint32_t i = from; i < to; ++i)
                sum.add(colours(i), chunk.duration(i));
        }
    }
    const bool empty = m_spans->empty();
    *block = {empty ? 0 : m_spans->chunks().back().end(m_spans->chunks().back().count - 1), sum};
}

ColourSum SpanIndex::beforeIn(std::size_t block, std::size_t chunk, Nanoseconds time) const
{
    const SpanChunk& spans = m_spans->chunks()[chunk];
    ColourSum sum = m_blocks[block].before;
    const auto from = static_cast<std::uint32_t>(block - m_firstBlock[chunk]) * blockSize;
    const std::uint32_t to = std::min(spans.count, from + blockSize);
    const ChunkColours colours = coloursOf(chunk);
    if (spans.narrowStart && colours.plain()) {
        const ChunkTints tints = tintsOf(chunk);
        const auto until = static_cast<double>(time - spans.base);
        TintSum part;
        for (std::uint32_t i = from; i < to && spans.narrowStart[i] < until; ++i)
            part.add(std::min(static_cast<double>(spans.narrowDuration[i]), until - spans.narrowStart[i]),
                     tints.tint(i));
        part.addTo(sum);
        return sum;
    }
    for (std::uint32_t i = from; i < to; ++i) {
        const Nanoseconds start = spans.start(i);
        if (start >= time)
            break;
        sum.add(colours(i), std::min(spans.duration(i), time - start));
    }
    return sum;
}

ColourSum SpanIndex::before(Nanoseconds time) const
{
    const Block* const after = std::partition_point(m_blocks, m_blocks + m_blockCount,
                                                    [time](const Block& block) { return block.start < time; });
    if (after == m_blocks)
        return {};
    const auto block = static_cast<std::size_t>(after - m_blocks) - 1;
    const auto chunk = std::upper_bound(m_firstBlock.begin(), m_firstBlock.end() - 1, block) - m_firstBlock.begin() - 1;
    return beforeIn(block, static_cast<std::size_t>(chunk), time);
}

} // namespace bubblescope::viz
