#include "viz/timeline/geometry.h"

#include "viz/timeline/row_scan.h"

#include <algorithm>
#include <cmath>

namespace bubblescope::viz {
namespace {

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

    void narrow(std::int64_t pixel, const Tint& sum)
    {
        if (MixedPixel* const at = find(pixel)) {
            at->red += sum.red;
            at->green += sum.green;
            at->blue += sum.blue;
            at->narrow += sum.one;
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

    void narrow(std::int64_t pixel, const Tint& sum) { add(pixel, static_cast<double>(sum.one)); }

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
    constexpr std::int64_t reach = 8 * scanMargin; // a mark is wider than its pixel
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
