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

/// Goes over the pixels of a grid and says for each what of some spans is in it.
class RowScan {
public:
    RowScan(const SpanIndex& index, const PixelGrid& grid)
        : m_index(index), m_spans(index.spans()), m_grid(grid), m_perNanosecond(1 / grid.length)
    {
    }

    /// `Pixels` gets narrow(pixel, share, colour), summed(pixel, sum) and
    /// wide(index, from, to, colours of first and last task).
    template <class Pixels>
    void run(Pixels& pixels)
    {
        if (m_spans.empty())
            return;
        const std::int64_t first = m_grid.first - margin;
        const std::int64_t last = m_grid.last() + margin;
        seek(m_grid.timeOf(first));
        for (std::int64_t pixel = first; pixel < last && m_chunk < m_spans.chunks().size();)
            pixel = step(pixel, pixels);
    }

private:
    const SpanChunk& chunk() const { return m_spans.chunks()[m_chunk]; }

    double position(Nanoseconds time) const { return static_cast<double>(time - m_grid.anchor) * m_perNanosecond; }

    Nanoseconds blockStart(std::size_t block) const { return m_index.blocks()[block].start; }

    void seek(Nanoseconds time)
    {
        const auto* const blocks = m_index.blocks();
        const auto* const after =
            std::partition_point(blocks + 1, blocks + m_index.blockCount(),
                                 [time](const SpanIndex::Block& block) { return block.start <= time; });
        m_block = static_cast<std::size_t>(after - blocks) - 1;
        enterBlock();
    }

    /// The chunk that holds m_block.
    std::size_t blockChunk()
    {
        while (m_blockChunk + 1 < m_spans.chunks().size() && m_index.firstBlock(m_blockChunk + 1) <= m_block)
            ++m_blockChunk;
        return m_blockChunk;
    }

    /// The cursor of the walk goes to the first span of m_block unless it is there or further already.
    void enterBlock()
    {
        const std::size_t chunk = blockChunk();
        if (m_chunk > chunk)
            return;
        const auto from = static_cast<std::uint32_t>(m_block - m_index.firstBlock(chunk)) * SpanIndex::blockSize;
        m_at = m_chunk < chunk ? from : std::max(m_at, from);
        m_chunk = chunk;
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
        for (; stride > 0; stride /= 2)
            while (m_block + stride < count && blockStart(m_block + stride) <= time)
                m_block += stride;
    }

    bool even(std::size_t block) const
    {
        return static_cast<double>(blockStart(block + 1) - blockStart(block)) <= evenBlock * m_grid.length;
    }

    /// Busy time and colours before `time`, which lies in m_block.
    ColourSum sumBefore(Nanoseconds time)
    {
        const SpanIndex::Block& block = m_index.blocks()[m_block];
        const SpanIndex::Block& next = m_index.blocks()[m_block + 1];
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
        const Nanoseconds from = m_grid.timeOf(pixel);
        gallop(from);
        if (m_block + 1 == m_index.blockCount() && from >= blockStart(m_block + 1))
            return m_grid.last() + margin; // behind the last span
        const Nanoseconds to = m_grid.timeOf(pixel + 1);
        const bool inside = blockStart(m_block) <= from;
        const std::size_t whole = m_block + (inside ? 2 : 1);
        const bool many = (whole <= m_index.blockCount() && blockStart(whole) <= to) || (inside && even(m_block));
        if (!many) {
            enterBlock();
            return walk(pixel, pixels);
        }
        const ColourSum before = m_known == from ? m_sum : sumBefore(from);
        gallop(to);
        m_sum = sumBefore(to);
        m_known = to;
        pixels.summed(pixel, m_sum - before);
        return pixel + 1;
    }

    /// Span by span through one pixel; the pixel to go on with.
    template <class Pixels>
    std::int64_t walk(std::int64_t pixel, Pixels& pixels)
    {
        const auto left = static_cast<double>(pixel);
        while (position(chunk().end(m_at)) <= left)
            if (!advance())
                return m_grid.last() + margin;
        const double begin = position(chunk().start(m_at));
        if (begin >= left + 1)
            return static_cast<std::int64_t>(std::floor(begin));
        ChunkColours colours = m_index.coloursOf(m_chunk);
        for (double from = begin; from < left + 1;) {
            const double to = position(chunk().end(m_at));
            if (to - from >= wideBar) {
                pixels.wide(chunk().first + m_at, from, to, colours.both(m_at));
                if (to >= left + 1)
                    return std::max(pixel + 1, static_cast<std::int64_t>(std::floor(to)));
            } else {
                pixels.narrow(pixel, std::min(to, left + 1) - std::max(from, left), colours(m_at));
                if (to >= left + 1)
                    return pixel + 1;
            }
            const std::size_t old = m_chunk;
            if (!advance())
                return m_grid.last() + margin;
            if (m_chunk != old)
                colours = m_index.coloursOf(m_chunk);
            from = position(chunk().start(m_at));
        }
        return pixel + 1;
    }

    bool advance()
    {
        if (++m_at < chunk().count)
            return true;
        if (m_chunk + 1 == m_spans.chunks().size()) {
            --m_at;
            return false;
        }
        ++m_chunk;
        m_at = 0;
        return true;
    }

    const SpanIndex& m_index;
    const SpanColumns& m_spans;
    const PixelGrid& m_grid;
    double m_perNanosecond;
    std::size_t m_block = 0;
    std::size_t m_blockChunk = 0;
    std::size_t m_chunk = 0; // cursor of the walk; never behind m_block when it is used
    std::uint32_t m_at = 0;
    Nanoseconds m_known = std::numeric_limits<Nanoseconds>::min(); // where m_sum was taken
    ColourSum m_sum;
};

/// Puts what the scan of a row finds into its geometry.
class BarPixels {
public:
    BarPixels(RowGeometry& geometry, const PixelGrid& grid, double separation)
        : m_geometry(geometry), m_grid(grid), m_separation(separation)
    {
    }

    void narrow(std::int64_t pixel, double share, QRgb colour)
    {
        if (MixedPixel* const at = find(pixel)) {
            const auto weight = static_cast<float>(share);
            at->narrow += weight;
            at->red += weight * static_cast<float>(qRed(colour));
            at->green += weight * static_cast<float>(qGreen(colour));
            at->blue += weight * static_cast<float>(qBlue(colour));
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
        const auto begin = std::max(m_grid.first, static_cast<std::int64_t>(std::floor(from)));
        const auto end = std::min(m_grid.last(), static_cast<std::int64_t>(std::ceil(to)));
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

    void narrow(std::int64_t pixel, double share, QRgb)
    {
        if (pixel >= m_grid.first && pixel < m_grid.last())
            m_pixels[static_cast<std::size_t>(pixel - m_grid.first)].busy += static_cast<float>(share);
    }

    void summed(std::int64_t pixel, const ColourSum& sum)
    {
        narrow(pixel, static_cast<double>(sum.busy) / m_grid.length, 0);
    }

    void wide(std::size_t bar, double from, double to, const std::pair<QRgb, QRgb>&)
    {
        if (static_cast<std::ptrdiff_t>(bar) <= m_lastWide)
            return;
        m_lastWide = static_cast<std::ptrdiff_t>(bar);
        const auto begin = std::max(m_grid.first, static_cast<std::int64_t>(std::floor(from)));
        const auto end = std::min(m_grid.last(), static_cast<std::int64_t>(std::ceil(to)));
        for (std::int64_t pixel = begin; pixel < end; ++pixel)
            narrow(pixel, std::min(to, static_cast<double>(pixel + 1)) - std::max(from, static_cast<double>(pixel)), 0);
    }

private:
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
        const auto pixel = static_cast<std::int64_t>(std::floor(x));
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
    const auto channel = [this](float sum) { return std::clamp(static_cast<int>(sum / narrow + 0.5F), 0, 255); };
    return qRgb(channel(red), channel(green), channel(blue));
}

void layRow(const TimelineRow& row, std::size_t index, const PictureColours& colours, const PixelGrid& grid,
            double separation, RowGeometry& geometry)
{
    geometry.bars.clear();
    geometry.moments.clear();
    geometry.pixels.assign(static_cast<std::size_t>(grid.count), MixedPixel());
    BarPixels pixels(geometry, grid, separation);
    RowScan(colours.bars(index), grid).run(pixels);
    if (const SpanIndex* const cover = colours.cover(index)) {
        BusyPixels busy(geometry.pixels, grid);
        RowScan(*cover, grid).run(busy);
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
