// Goes over the pixels of a row and says for each what of its spans is in it; geometry.cpp draws the conclusions.
//
//     block shorter than a pixel or so   ──► the sums of the index: no span is touched
//     anything longer                    ──► span by span, in one loop over all such blocks that follow each other
//
// Which way a pixel goes is decided by its place and the blocks alone, never by where the scan began.

#pragma once

#include "viz/timeline/geometry.h"

#include <algorithm>
#include <cstring>
#include <limits>

namespace bubblescope::viz {

/// A block of the index no longer than this many pixels is taken as evenly filled; twice as long in a coarse picture.
inline constexpr double evenBlock = 1.34;

/// What is drawn may stand out this far beyond its own pixels.
inline constexpr std::int64_t scanMargin = 4;

/// There must be spans.
class RowScan {
public:
    RowScan(const SpanIndex& index, const PixelGrid& grid)
        : m_index(index)
        , m_blocks(index.blocks())
        , m_grid(grid)
        , m_end(grid.last() + scanMargin)
        , m_endTime(grid.timeOf(m_end))
        , m_even(static_cast<Nanoseconds>((grid.coarse ? 2 : 1) * evenBlock * grid.length))
        , m_perNanosecond(1 / grid.length)
    {
    }

    /// `Pixels` gets narrow(pixel, sum), summed(pixel, sum) and
    /// wide(index, from, to, colours of first and last task).
    template <class Pixels>
    void run(Pixels& pixels)
    {
        std::int64_t pixel = m_grid.first - scanMargin;
        seek(m_grid.timeOf(pixel));
        while (pixel < m_end)
            pixel = step(pixel, pixels);
    }

private:
    Nanoseconds blockStart(std::size_t block) const { return m_blocks[block].start; }

    bool even(std::size_t block) const { return blockStart(block + 1) - blockStart(block) <= m_even; }

    void seek(Nanoseconds time)
    {
        const auto* const after =
            std::partition_point(m_blocks + 1, m_blocks + m_index.blockCount(),
                                 [time](const SpanIndex::Block& block) { return block.start <= time; });
        m_block = static_cast<std::size_t>(after - m_blocks) - 1;
    }

    /// The last block that starts at `time` or before; the first one when none does.
    void gallop(Nanoseconds time)
    {
        const std::size_t count = m_index.blockCount();
        std::size_t stride = 1;
        while (m_block + stride < count && blockStart(m_block + stride) <= time) {
            m_block += stride;
            stride *= 2;
        }
        for (stride /= 2; stride > 0; stride /= 2)
            if (m_block + stride < count && blockStart(m_block + stride) <= time)
                m_block += stride;
    }

    /// The chunk that holds m_block.
    std::size_t blockChunk()
    {
        while (m_blockChunk + 1 < m_index.spans().chunks().size() && m_index.firstBlock(m_blockChunk + 1) <= m_block)
            ++m_blockChunk;
        return m_blockChunk;
    }

    /// The walk goes on at the first span of m_block unless it is there or further already.
    void enterBlock()
    {
        const std::size_t chunk = blockChunk();
        const auto from = static_cast<std::uint32_t>(m_block - m_index.firstBlock(chunk)) * SpanIndex::blockSize;
        if (m_chunk < chunk || (m_chunk == chunk && m_at < from)) {
            m_chunk = chunk;
            m_at = from;
        }
    }

    /// Busy time and colours before `time`, which lies in m_block.
    ColourSum sumBefore(Nanoseconds time)
    {
        const SpanIndex::Block& block = m_blocks[m_block];
        const SpanIndex::Block& next = m_blocks[m_block + 1];
        if (time <= block.start)
            return block.before;
        if (time >= next.start)
            return next.before;
        if (!even(m_block))
            return m_index.beforeIn(m_block, blockChunk(), time);
        const double share = static_cast<double>(time - block.start) / static_cast<double>(next.start - block.start);
        const auto between = [share](std::int64_t from, std::int64_t to) {
            return from + static_cast<std::int64_t>(share * static_cast<double>(to - from));
        };
        return {between(block.before.red, next.before.red), between(block.before.green, next.before.green),
                between(block.before.blue, next.before.blue), between(block.before.busy, next.before.busy)};
    }

    template <class Pixels>
    std::int64_t step(std::int64_t pixel, Pixels& pixels)
    {
        const Nanoseconds from = m_knownPixel == pixel ? m_known : m_grid.timeOf(pixel);
        gallop(from);
        if (m_block + 1 == m_index.blockCount() && from >= blockStart(m_block + 1))
            return m_end; // behind the last span
        const Nanoseconds to = m_grid.timeOf(pixel + 1);
        const bool inside = blockStart(m_block) <= from;
        const std::size_t whole = m_block + (inside ? 2 : 1);
        const bool many = (inside && even(m_block)) || (whole <= m_index.blockCount() && blockStart(whole) <= to);
        if (!many) {
            const std::int64_t last = endOfWalk(pixel);
            enterBlock();
            walk(pixel, last, pixels);
            return last;
        }
        const ColourSum before = m_knownPixel == pixel ? m_sum : sumBefore(from);
        gallop(to);
        m_sum = sumBefore(to);
        m_known = to;
        m_knownPixel = pixel + 1;
        pixels.summed(pixel, m_sum - before);
        return pixel + 1;
    }

    /// Pixels that end before the next even block have no block that would be summed.
    std::int64_t endOfWalk(std::int64_t pixel) const
    {
        std::size_t block = m_block;
        while (block < m_index.blockCount() && blockStart(block) < m_endTime && !even(block))
            ++block;
        if (block == m_index.blockCount() || blockStart(block) >= m_endTime)
            return m_end;
        return std::clamp(wholeBelow(m_grid.position(blockStart(block))), pixel + 1, m_end);
    }

    /// Span by span through pixels [first, last).
    template <class Pixels>
    void walk(std::int64_t first, std::int64_t last, Pixels& pixels)
    {
        const std::vector<SpanChunk>& chunks = m_index.spans().chunks();
        for (;;) {
            const SpanChunk& chunk = chunks[m_chunk];
            const ChunkColours colours = m_index.coloursOf(m_chunk);
            const bool done =
                !chunk.narrowStart ? walkChunk(WideTimes{chunk, m_grid.anchor}, colours, first, last, pixels)
                : colours.plain()
                    ? walkChunk(NarrowTimes(chunk, m_grid.anchor), m_index.tintsOf(m_chunk), first, last, pixels)
                    : walkChunk(NarrowTimes(chunk, m_grid.anchor), colours, first, last, pixels);
            if (done || m_chunk + 1 == chunks.size())
                return;
            ++m_chunk;
            m_at = 0;
        }
    }

    /// When spans of a chunk are, in nanoseconds from the anchor.
    struct NarrowTimes {
        NarrowTimes(const SpanChunk& of, Nanoseconds anchor)
            : chunk(of)
            , starts(of.narrowStart)
            , durations(of.narrowDuration)
            , offset(static_cast<double>(of.base - anchor))
        {
        }

        double start(std::uint32_t i) const { return static_cast<double>(starts[i]) + offset; }

        double duration(std::uint32_t i) const { return static_cast<double>(durations[i]); }

        const SpanChunk& chunk;
        const std::uint32_t* starts;
        const std::uint32_t* durations;
        double offset;
    };

    struct WideTimes {
        double start(std::uint32_t i) const { return static_cast<double>(chunk.wideStart[i] - anchor); }

        double duration(std::uint32_t i) const { return static_cast<double>(chunk.wideDuration[i]); }

        const SpanChunk& chunk;
        Nanoseconds anchor;
    };

    /// Everything that the loop needs is a local value, and most bars ask it one question: it runs for a million spans
    /// per frame. False at the end of the chunk; otherwise m_at is the span that reaches beyond the pixels.
    template <class Times, class Colours, class Pixels>
    bool walkChunk(const Times& times, const Colours& colours, std::int64_t first, std::int64_t last, Pixels& pixels)
    {
        const auto right = static_cast<double>(last);
        const double perNanosecond = m_perNanosecond;
        const std::uint32_t count = times.chunk.count;
        PixelSum<Pixels> sum(pixels, m_grid.length, first);
        for (std::uint32_t i = m_at; i < count; ++i) {
            const double start = times.start(i);
            const double duration = times.duration(i);
            if (start + duration < sum.edgeTime && start >= sum.leftTime) {
                sum.add(static_cast<float>(duration * perNanosecond), colours.tint(i));
                continue;
            }
            const double from = start * perNanosecond;
            const double to = (start + duration) * perNanosecond;
            if (to - from >= wideBar) {
                if (from < right && to > sum.left) {
                    pixels.wide(times.chunk.first + i, from, to, m_index.coloursOf(m_chunk).both(i));
                    sum.moveTo(std::min(to, right));
                }
            } else {
                sum.spread(from, std::min(to, right), colours.tint(i));
            }
            if (to >= right) {
                m_at = i;
                sum.flush();
                return true;
            }
        }
        m_at = count;
        sum.flush();
        return false;
    }

    /// The channels of a Tint, added up at once.
    using Four = float __attribute__((vector_size(16)));
    static_assert(sizeof(Four) == sizeof(Tint));

    static Four fourOf(const Tint& tint)
    {
        Four four;
        std::memcpy(&four, &tint, sizeof four);
        return four;
    }

    /// What narrow bars put into one pixel, until the next one is come to.
    template <class Pixels>
    struct PixelSum {
        PixelSum(Pixels& of, double lengthOfPixel, std::int64_t first) : pixels(of), length(lengthOfPixel)
        {
            enter(first);
        }

        void add(float share, const Tint& tint) { sum += share * fourOf(tint); }

        /// A bar that isn't in this pixel alone.
        void spread(double from, double to, const Tint& tint)
        {
            from = std::max(from, left);
            if (from >= to)
                return;
            moveTo(from);
            while (to > edge) {
                add(static_cast<float>(edge - from), tint);
                from = edge;
                moveTo(edge);
            }
            add(static_cast<float>(to - from), tint);
        }

        void moveTo(double position)
        {
            if (position < edge)
                return;
            flush();
            enter(wholeBelow(position));
        }

        void flush()
        {
            Tint mixed;
            std::memcpy(static_cast<void*>(&mixed), &sum, sizeof mixed);
            if (mixed.one > 0)
                pixels.narrow(pixel, mixed);
            sum = Four{};
        }

        void enter(std::int64_t next)
        {
            pixel = next;
            left = static_cast<double>(pixel);
            edge = left + 1;
            leftTime = left * length;
            edgeTime = edge * length;
        }

        Pixels& pixels;
        Four sum{}; ///< a Tint
        std::int64_t pixel = 0;
        double left = 0;
        double edge = 0;
        double length; ///< of a pixel, nanoseconds
        double leftTime = 0;
        double edgeTime = 0;
    };

    const SpanIndex& m_index;
    const SpanIndex::Block* m_blocks;
    const PixelGrid& m_grid;
    std::int64_t m_end;
    Nanoseconds m_endTime;
    Nanoseconds m_even;
    double m_perNanosecond;
    std::size_t m_block = 0;
    std::size_t m_blockChunk = 0;
    std::size_t m_chunk = 0; // where the walk is; never behind m_block when it goes on
    std::uint32_t m_at = 0;
    std::int64_t m_knownPixel =
        std::numeric_limits<std::int64_t>::min(); // whose begin is m_known, with m_sum before it
    Nanoseconds m_known = 0;
    ColourSum m_sum;
};

} // namespace bubblescope::viz
