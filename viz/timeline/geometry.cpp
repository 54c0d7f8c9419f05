#include "viz/timeline/geometry.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bubblescope::viz {
namespace {

/// A block of the index no longer than this many pixels is taken as evenly filled.
constexpr double evenBlock = 1.34;

/// What is drawn may stand out this far beyond its own pixels.
constexpr std::int64_t margin = 4;

/// What narrow bars put into one pixel.
struct NarrowSum {
    float red = 0;
    float green = 0;
    float blue = 0;
    float share = 0;

    void add(double part, QRgb colour)
    {
        const auto weight = static_cast<float>(part);
        share += weight;
        red += weight * static_cast<float>(qRed(colour));
        green += weight * static_cast<float>(qGreen(colour));
        blue += weight * static_cast<float>(qBlue(colour));
    }
};

/// Where the walk is: one span, with its edges in pixels.
class SpanCursor {
public:
    SpanCursor(const SpanIndex& index, const PixelGrid& grid)
        : m_index(index), m_anchor(grid.anchor), m_perNanosecond(1 / grid.length), m_colours(index.coloursOf(0))
    {
        enter(0, 0);
    }

    std::size_t chunkIndex() const { return m_number; }

    std::uint32_t at() const { return m_at; }

    std::size_t span() const { return m_chunk->first + m_at; }

    double from() const { return m_from; }

    double to() const { return m_to; }

    const ChunkColours& colours() const { return m_colours; }

    void enter(std::size_t chunk, std::uint32_t at)
    {
        m_number = chunk;
        m_chunk = &m_index.spans().chunks()[chunk];
        m_colours = m_index.coloursOf(chunk);
        m_offset = static_cast<double>(m_chunk->base - m_anchor);
        m_at = at;
        load();
    }

    /// False at the last one.
    bool advance()
    {
        if (m_at + 1 < m_chunk->count) {
            ++m_at;
            load();
            return true;
        }
        if (m_number + 1 == m_index.spans().chunks().size())
            return false;
        enter(m_number + 1, 0);
        return true;
    }

private:
    void load()
    {
        if (m_chunk->narrowStart) {
            const double start = static_cast<double>(m_chunk->narrowStart[m_at]) + m_offset;
            m_from = start * m_perNanosecond;
            m_to = (start + static_cast<double>(m_chunk->narrowDuration[m_at])) * m_perNanosecond;
            return;
        }
        m_from = static_cast<double>(m_chunk->wideStart[m_at] - m_anchor) * m_perNanosecond;
        m_to = static_cast<double>(m_chunk->end(m_at) - m_anchor) * m_perNanosecond;
    }

    const SpanIndex& m_index;
    Nanoseconds m_anchor;
    double m_perNanosecond;
    ChunkColours m_colours;
    const SpanChunk* m_chunk = nullptr;
    std::size_t m_number = 0;
    std::uint32_t m_at = 0;
    double m_offset = 0;
    double m_from = 0;
    double m_to = 0;
};

/// Goes over the pixels of a grid and says for each what of some spans is in it. There must be spans.
class RowScan {
public:
    RowScan(const SpanIndex& index, const PixelGrid& grid)
        : m_index(index)
        , m_blocks(index.blocks())
        , m_grid(grid)
        , m_end(grid.last() + margin)
        , m_even(static_cast<Nanoseconds>(evenBlock * grid.length))
        , m_cursor(index, grid)
    {
    }

    /// `Pixels` gets narrow(pixel, sum), summed(pixel, sum) and
    /// wide(index, from, to, colours of first and last task).
    template <class Pixels>
    void run(Pixels& pixels)
    {
        std::int64_t pixel = m_grid.first - margin;
        seek(m_grid.timeOf(pixel));
        while (pixel < m_end)
            pixel = step(pixel, pixels);
    }

private:
    Nanoseconds blockStart(std::size_t block) const { return m_blocks[block].start; }

    void seek(Nanoseconds time)
    {
        const auto* const after =
            std::partition_point(m_blocks + 1, m_blocks + m_index.blockCount(),
                                 [time](const SpanIndex::Block& block) { return block.start <= time; });
        m_block = static_cast<std::size_t>(after - m_blocks) - 1;
        enterBlock();
    }

    /// The chunk that holds m_block.
    std::size_t blockChunk()
    {
        while (m_blockChunk + 1 < m_index.spans().chunks().size() && m_index.firstBlock(m_blockChunk + 1) <= m_block)
            ++m_blockChunk;
        return m_blockChunk;
    }

    /// The cursor goes to the first span of m_block unless it is there or further already.
    void enterBlock()
    {
        const std::size_t chunk = blockChunk();
        const auto from = static_cast<std::uint32_t>(m_block - m_index.firstBlock(chunk)) * SpanIndex::blockSize;
        if (m_cursor.chunkIndex() < chunk || (m_cursor.chunkIndex() == chunk && m_cursor.at() < from))
            m_cursor.enter(chunk, from);
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

    bool even(std::size_t block) const { return blockStart(block + 1) - blockStart(block) <= m_even; }

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
            enterBlock();
            return walk(pixel, pixels);
        }
        const ColourSum before = m_knownPixel == pixel ? m_sum : sumBefore(from);
        gallop(to);
        m_sum = sumBefore(to);
        m_known = to;
        m_knownPixel = pixel + 1;
        pixels.summed(pixel, m_sum - before);
        return pixel + 1;
    }

    /// Span by span through one pixel; the pixel to go on with.
    template <class Pixels>
    std::int64_t walk(std::int64_t pixel, Pixels& pixels)
    {
        const auto left = static_cast<double>(pixel);
        const double right = left + 1;
        while (m_cursor.to() <= left)
            if (!m_cursor.advance())
                return m_end;
        if (m_cursor.from() >= right)
            return wholeBelow(m_cursor.from());
        NarrowSum sum;
        std::int64_t next = pixel + 1;
        for (bool more = true; more && m_cursor.from() < right; more = m_cursor.advance()) {
            const double from = m_cursor.from();
            const double to = m_cursor.to();
            if (to - from >= wideBar) {
                pixels.wide(m_cursor.span(), from, to, m_cursor.colours().both(m_cursor.at()));
                next = std::max(next, wholeBelow(to));
            } else {
                sum.add(std::min(to, right) - std::max(from, left), m_cursor.colours()(m_cursor.at()));
            }
            if (to >= right)
                break;
        }
        if (sum.share > 0)
            pixels.narrow(pixel, sum);
        return next;
    }

    const SpanIndex& m_index;
    const SpanIndex::Block* m_blocks;
    const PixelGrid& m_grid;
    std::int64_t m_end;
    Nanoseconds m_even;
    SpanCursor m_cursor; // of the walk; never behind m_block when it is used
    std::size_t m_block = 0;
    std::size_t m_blockChunk = 0;
    std::int64_t m_knownPixel =
        std::numeric_limits<std::int64_t>::min(); // whose begin is m_known, with m_sum before it
    Nanoseconds m_known = 0;
    ColourSum m_sum;
};

template <class Pixels>
void scan(const SpanIndex& index, const PixelGrid& grid, Pixels& pixels)
{
    if (index.blockCount() > 0)
        RowScan(index, grid).run(pixels);
}

/// Puts what the scan of a row finds into its geometry.
class BarPixels {
public:
    BarPixels(RowGeometry& geometry, const PixelGrid& grid, double separation)
        : m_geometry(geometry), m_grid(grid), m_separation(separation)
    {
    }

    void narrow(std::int64_t pixel, const NarrowSum& sum)
    {
        if (MixedPixel* const at = find(pixel)) {
            at->narrow += sum.share;
            at->red += sum.red;
            at->green += sum.green;
            at->blue += sum.blue;
        }
    }

    void summed(std::int64_t pixel, const ColourSum& sum)
    {
        if (MixedPixel* const at = find(pixel)) {
            const double share = 1 / m_grid.length;
            at->summed = true;
            at->narrow = static_cast<float>(static_cast<double>(sum.busy) * share);
            at->red = static_cast<float>(static_cast<double>(sum.red) * share);
            at->green = static_cast<float>(static_cast<double>(sum.green) * share);
            at->blue = static_cast<float>(static_cast<double>(sum.blue) * share);
        }
    }

    void wide(std::size_t bar, double from, double to, const std::pair<QRgb, QRgb>& colours)
    {
        if (static_cast<std::ptrdiff_t>(bar) <= m_lastWide)
            return;
        m_lastWide = static_cast<std::ptrdiff_t>(bar);
        const auto first = static_cast<double>(m_grid.first);
        m_geometry.bars.push_back(
            {from - first, to - m_separation - first, static_cast<int>(bar), colours.first, colours.second});
        const auto begin = std::max(m_grid.first, wholeBelow(from));
        const auto end = std::min(m_grid.last(), -wholeBelow(-to));
        for (std::int64_t pixel = begin; pixel < end; ++pixel)
            find(pixel)->wide += static_cast<float>(std::min(to, static_cast<double>(pixel + 1)) -
                                                    std::max(from, static_cast<double>(pixel)));
    }

private:
    MixedPixel* find(std::int64_t pixel)
    {
        if (pixel < m_grid.first || pixel >= m_grid.last())
            return nullptr;
        return &m_geometry.pixels[static_cast<std::size_t>(pixel - m_grid.first)];
    }

    RowGeometry& m_geometry;
    const PixelGrid& m_grid;
    double m_separation;
    std::ptrdiff_t m_lastWide = -1;
};

/// Notes only when the lane is busy.
class BusyPixels {
public:
    BusyPixels(std::vector<MixedPixel>& pixels, const PixelGrid& grid) : m_pixels(pixels), m_grid(grid) {}

    void narrow(std::int64_t pixel, const NarrowSum& sum) { add(pixel, static_cast<double>(sum.share)); }

    void summed(std::int64_t pixel, const ColourSum& sum) { add(pixel, static_cast<double>(sum.busy) / m_grid.length); }

    void wide(std::size_t bar, double from, double to, const std::pair<QRgb, QRgb>&)
    {
        if (static_cast<std::ptrdiff_t>(bar) <= m_lastWide)
            return;
        m_lastWide = static_cast<std::ptrdiff_t>(bar);
        const auto begin = std::max(m_grid.first, wholeBelow(from));
        const auto end = std::min(m_grid.last(), -wholeBelow(-to));
        for (std::int64_t pixel = begin; pixel < end; ++pixel)
            add(pixel, std::min(to, static_cast<double>(pixel + 1)) - std::max(from, static_cast<double>(pixel)));
    }

private:
    void add(std::int64_t pixel, double share)
    {
        if (pixel >= m_grid.first && pixel < m_grid.last())
            m_pixels[static_cast<std::size_t>(pixel - m_grid.first)].busy += static_cast<float>(share);
    }

    std::vector<MixedPixel>& m_pixels;
    const PixelGrid& m_grid;
    std::ptrdiff_t m_lastWide = -1;
};

/// One mark for all moments of a pixel.
void layMoments(const TimelineRow& row, const PixelGrid& grid, std::vector<MomentMark>& marks)
{
    const SpanColumns& moments = row.bars.moments();
    constexpr std::int64_t reach = 8 * margin; // a mark is wider than its pixel
    std::size_t index = moments.firstStartingFrom(grid.timeOf(grid.first - reach));
    while (index < moments.size()) {
        const double x = grid.position(moments.start(index));
        const auto pixel = wholeBelow(x);
        if (pixel >= grid.last() + reach)
            break;
        const std::size_t next = std::max(index + 1, moments.firstStartingFrom(grid.timeOf(pixel + 1)));
        marks.push_back({x - static_cast<double>(grid.first), static_cast<int>(row.bars.solid() + index),
                         static_cast<int>(next - index)});
        index = next;
    }
}

} // namespace

QRgb MixedPixel::colour() const
{
    if (narrow <= 0)
        return 0;
    const float per = 1 / narrow;
    const auto channel = [per](float sum) { return std::clamp(static_cast<int>(sum * per + 0.5F), 0, 255); };
    return qRgb(channel(red), channel(green), channel(blue));
}

void layRow(const TimelineRow& row, std::size_t index, const PictureColours& colours, const PixelGrid& grid,
            double separation, RowGeometry& geometry)
{
    geometry.bars.clear();
    geometry.moments.clear();
    geometry.pixels.assign(static_cast<std::size_t>(grid.count), MixedPixel());
    BarPixels pixels(geometry, grid, separation);
    scan(colours.bars(index), grid, pixels);
    if (const SpanIndex* const cover = colours.cover(index)) {
        BusyPixels busy(geometry.pixels, grid);
        scan(*cover, grid, busy);
    } else {
        for (MixedPixel& pixel : geometry.pixels)
            pixel.busy = pixel.narrow + (pixel.summed ? 0 : pixel.wide);
    }
    layMoments(row, grid, geometry.moments);
}

std::vector<GapRect> gapRects(const TimelineRow& row, const TimeAxis& axis)
{
    std::vector<GapRect> rects;
    for (std::size_t index = row.gaps.firstEndingAfter(axis.range.begin); index < row.gaps.size(); ++index) {
        const GapBar gap = row.gaps[index];
        if (gap.start >= axis.range.end)
            break;
        if (gap.end <= gap.start)
            continue;
        const double from = std::max(axis.left, timeToPixel(axis, gap.start));
        const double to = std::min(axis.left + axis.width, timeToPixel(axis, gap.end));
        // Neighbouring gaps of less than a pixel are one hatched stretch.
        if (!rects.empty() && to - from < 1 && from - rects.back().right < 1)
            rects.back().right = std::max(to, rects.back().right);
        else
            rects.push_back({from, to, static_cast<int>(index)});
    }
    return rects;
}

std::size_t barsInside(const TimelineRow& row, TimeRange range)
{
    const auto [first, last] = row.bars.inside(range);
    const auto [firstMoment, lastMoment] = row.bars.momentsInside(range);
    return last - first + (lastMoment - firstMoment);
}

} // namespace bubblescope::viz
