#include "viz/timeline/row_raster.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace bubblescope::viz {
namespace {

/// `share` of 256 of the upper colour.
QRgb mix(QRgb below, QRgb above, int share)
{
    // Red and blue in one multiplication, green in another: they don't reach into each other.
    const auto rest = static_cast<std::uint32_t>(256 - share);
    const auto part = static_cast<std::uint32_t>(share);
    const std::uint32_t redBlue = ((below & 0xff00ffU) * rest + (above & 0xff00ffU) * part + 0x800080U) >> 8;
    const std::uint32_t green = ((below & 0x00ff00U) * rest + (above & 0x00ff00U) * part + 0x008000U) >> 8;
    return 0xff000000U | (redBlue & 0xff00ffU) | (green & 0x00ff00U);
}

int shareOf(float share)
{
    return std::clamp(static_cast<int>(share * 256 + 0.5F), 0,
                      256); // NOLINT(bugprone-incorrect-roundings): not below 0
}

/// A wide bar in whole pixels, beyond the image too; the ends are crisp on purpose. Rounds the same on both sides of 0.
Stretch endsOf(const BarRect& rect)
{
    const auto whole = [](double x) { return static_cast<int>(wholeBelow(std::clamp(x, -1e6, 1e6) + 0.5)); };
    return {whole(rect.left), whole(rect.right)};
}

/// The part of it that is in the image.
Stretch stretchOf(const BarRect& rect, int width)
{
    const Stretch ends = endsOf(rect);
    const int left = std::clamp(ends.left, 0, width);
    return {left, std::clamp(ends.right, left, width)};
}

class RowComposer {
public:
    RowComposer(QImage& image, const RasterRow& place, const RowPaint& paint, const PixelGrid& grid,
                RowScratch& scratch)
        : m_image(image)
        , m_place(place)
        , m_paint(paint)
        , m_grid(grid)
        , m_scratch(scratch)
        , m_column(static_cast<int>(grid.first - place.first))
        , m_width(grid.count)
        , m_period(std::max(4, static_cast<int>(std::lround(8 * place.scale))))
        , m_stroke(std::max(1, static_cast<int>(std::lround(place.scale))))
    {
    }

    void compose()
    {
        layRow(m_paint.row, m_paint.index, m_paint.colours, m_grid, m_place.scale, m_scratch.geometry);
        composeBackground();
        m_scratch.lowerPlain.clear();
        fillBars();
        const bool split = !m_scratch.lowerPlain.empty();
        const int half = split ? m_place.height / 2 : m_place.height;
        writeLines(0, half, m_scratch.plain, m_scratch.striped);
        if (split)
            writeLines(half, m_place.height, m_scratch.lowerPlain, m_scratch.lowerStriped);
        cutCorners();
        for (const MomentMark& mark : m_scratch.geometry.moments)
            drawMoment(mark);
    }

private:
    /// Columns [first, second) whose middles are in the run: there, what isn't busy is idle.
    std::pair<int, int> idleColumns() const
    {
        const TimeRange& within = m_paint.row.idleWithin;
        if (within.empty())
            return {0, 0};
        const auto column = [this](Nanoseconds time) {
            const double x = m_grid.position(time) - static_cast<double>(m_grid.first) - 0.5;
            return static_cast<int>(-wholeBelow(-std::clamp(x, 0.0, static_cast<double>(m_width))));
        };
        return {column(within.begin), column(within.end)};
    }

    /// Idle time, canvas, and what is too narrow for bars.
    void composeBackground()
    {
        const QRgb canvas = m_paint.theme.canvas.rgb();
        const QRgb hatch = m_paint.theme.hatch.rgb();
        const QRgb line = m_paint.theme.hatchLine.rgb();
        const auto [idleFrom, idleTo] = idleColumns();
        m_scratch.plain.resize(static_cast<std::size_t>(m_width));
        m_scratch.striped.resize(static_cast<std::size_t>(m_width));
        const MixedPixel* pixel = m_scratch.geometry.pixels.data();
        QRgb* plain = m_scratch.plain.data();
        QRgb* striped = m_scratch.striped.data();
        for (int x = 0; x < m_width; ++x, ++pixel, ++plain, ++striped) {
            const bool idle = x >= idleFrom && x < idleTo && pixel->busy < 1 - 1e-4F;
            *plain = idle ? hatch : canvas;
            *striped = idle ? line : canvas;
            const float wide = pixel->summed ? 0 : pixel->wide;
            if (pixel->narrow > 0) {
                // Beside a wide bar, what is left of the pixel counts as all of it.
                const int share = wide <= 0      ? shareOf(pixel->narrow)
                                  : wide < 0.99F ? shareOf(pixel->narrow / (1 - wide))
                                                 : 0;
                const QRgb colour = pixel->colour();
                *plain = mix(*plain, colour, share);
                *striped = mix(*striped, colour, share);
            } else if (wide > 0.5F) {
                *plain = *striped = canvas;
            }
        }
    }

    void fillBars()
    {
        const auto fill = [](std::vector<QRgb>& line, const Stretch& stretch, QRgb colour) {
            std::fill(line.begin() + stretch.left, line.begin() + stretch.right, colour);
        };
        for (const BarRect& rect : m_scratch.geometry.bars) {
            const Stretch stretch = stretchOf(rect, m_width);
            if (stretch.left == stretch.right)
                continue;
            if (rect.lower != rect.upper && m_scratch.lowerPlain.empty()) {
                m_scratch.lowerPlain = m_scratch.plain;
                m_scratch.lowerStriped = m_scratch.striped;
            }
            fill(m_scratch.plain, stretch, rect.upper);
            fill(m_scratch.striped, stretch, rect.upper);
            if (!m_scratch.lowerPlain.empty()) {
                fill(m_scratch.lowerPlain, stretch, rect.lower);
                fill(m_scratch.lowerStriped, stretch, rect.lower);
            }
        }
    }

    /// Scanlines [from, to) of the row.
    void writeLines(int from, int to, const std::vector<QRgb>& plain, const std::vector<QRgb>& striped)
    {
        const auto bytes = static_cast<std::size_t>(m_width) * sizeof(QRgb);
        for (int y = from; y < to; ++y) {
            QRgb* const line = lineAt(y);
            if (!line)
                continue;
            if (y - from >= m_period && lineAt(y - m_period)) {
                std::memcpy(line, lineAt(y - m_period), bytes);
                continue;
            }
            std::memcpy(line, plain.data(), bytes);
            // The stripes belong to the grid, so that they move with it.
            const auto period = static_cast<std::int64_t>(m_period);
            const std::int64_t phase = ((m_grid.first + m_place.top + y) % period + period) % period;
            for (auto x = static_cast<int>((period - phase) % period) - m_period; x < m_width; x += m_period)
                for (int stripe = std::max(0, x); stripe < std::min(m_width, x + m_stroke); ++stripe)
                    line[stripe] = striped[static_cast<std::size_t>(stripe)];
        }
    }

    /// Rounds the corners of wide bars by mixing them with what is behind.
    void cutCorners()
    {
        m_scratch.rounded.clear();
        for (const BarRect& rect : m_scratch.geometry.bars)
            if (const Stretch ends = endsOf(rect); ends.right - ends.left >= 6 * m_place.scale)
                m_scratch.rounded.push_back(ends);
        if (m_scratch.rounded.empty())
            return;
        const double radius = std::min(2.5 * m_place.scale, m_place.height / 4.0);
        const int lines = static_cast<int>(std::ceil(radius));
        for (int y = 0; y < lines; ++y) {
            for (int x = 0; x < lines; ++x) {
                const double dx = std::max(0.0, radius - (x + 0.5));
                const double dy = std::max(0.0, radius - (y + 0.5));
                const double outside = std::clamp(std::sqrt(dx * dx + dy * dy) - radius + 0.5, 0.0, 1.0);
                if (outside > 0)
                    cutCorner(x, y, shareOf(static_cast<float>(outside)));
            }
        }
    }

    void cutCorner(int x, int y, int outside)
    {
        const QRgb behind = m_paint.theme.canvas.rgb();
        const auto cut = [&](QRgb* line, int at) {
            if (at >= 0 && at < m_width)
                line[at] = mix(line[at], behind, outside);
        };
        for (const int row : {y, m_place.height - 1 - y}) {
            QRgb* const line = lineAt(row);
            if (!line)
                continue;
            for (const Stretch& ends : m_scratch.rounded) {
                cut(line, ends.left + x);
                cut(line, ends.right - 1 - x);
            }
        }
    }

    /// A diamond, at least three pixels wide, with an edge that lifts it off any bar.
    void drawMoment(const MomentMark& mark)
    {
        const auto centre = static_cast<int>(std::floor(mark.x));
        const double middle = (m_place.height - 1) / 2.0;
        const double half = std::max(1.0, std::min(middle, 5.0 * m_place.scale));
        const double wide = std::max(1.0, std::min(half, 4.0 * m_place.scale));
        const QRgb inner = m_paint.theme.text.rgb();
        const QRgb edge = m_paint.theme.canvas.rgb();
        for (int y = 0; y < m_place.height; ++y) {
            QRgb* const line = lineAt(y);
            const double away = std::abs(y - middle);
            if (!line || away > half + 1)
                continue;
            const auto reach = static_cast<int>(std::lround(wide * std::max(0.0, 1 - away / (half + 0.5))));
            const int outer = reach + (half > 2 ? 1 : 0);
            for (int x = std::max(0, centre - outer); x <= std::min(m_width - 1, centre + outer); ++x)
                line[x] = away <= half && std::abs(x - centre) <= reach ? inner : edge;
        }
    }

    /// The part of a scanline that is drawn.
    QRgb* lineAt(int y) const
    {
        const int line = m_place.top + y;
        if (line < 0 || line >= m_image.height())
            return nullptr;
        return reinterpret_cast<QRgb*>(m_image.scanLine(line)) + m_column;
    }

    QImage& m_image;
    const RasterRow& m_place;
    const RowPaint& m_paint;
    const PixelGrid& m_grid;
    RowScratch& m_scratch;
    int m_column;
    int m_width;
    int m_period;
    int m_stroke;
};

} // namespace

void rasteriseRow(QImage& image, const RasterRow& place, const RowPaint& paint, const PixelGrid& grid,
                  RowScratch& scratch)
{
    RowComposer(image, place, paint, grid, scratch).compose();
}

} // namespace bubblescope::viz
