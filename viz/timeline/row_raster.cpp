#include "viz/timeline/row_raster.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace bubblescope::viz {
namespace {

using Scanline = std::vector<QRgb>;

QRgb mix(QRgb below, QRgb above, double share)
{
    const auto channel = [share](int from, int to) {
        return static_cast<int>(std::lround(from + (to - from) * share));
    };
    return qRgb(channel(qRed(below), qRed(above)), channel(qGreen(below), qGreen(above)),
                channel(qBlue(below), qBlue(above)));
}

struct Stretch {
    int left;
    int right;
};

/// A wide bar in whole pixels; the ends are crisp on purpose.
Stretch stretchOf(const BarRect& rect, int width)
{
    const int left = std::clamp(static_cast<int>(std::lround(rect.left)), 0, width);
    return {left, std::clamp(static_cast<int>(std::lround(rect.right)), left, width)};
}

class RowComposer {
public:
    RowComposer(QImage& image, const RasterRow& place, const TimelineRow& row, const RowGeometry& geometry,
                const Theme& theme)
        : m_image(image)
        , m_place(place)
        , m_row(row)
        , m_geometry(geometry)
        , m_theme(theme)
        , m_width(image.width())
        , m_period(std::max(4, static_cast<int>(std::lround(8 * place.scale))))
        , m_stroke(std::max(1, static_cast<int>(std::lround(place.scale))))
    {
    }

    void compose()
    {
        const bool split = std::any_of(m_geometry.bars.begin(), m_geometry.bars.end(), [this](const BarRect& rect) {
            return m_row.bars[static_cast<std::size_t>(rect.bar)].joined;
        });
        const int half = split ? m_place.height / 2 : m_place.height;
        writeLines(0, half, false);
        writeLines(half, m_place.height, true);
        cutCorners();
    }

private:
    /// Scanlines [from, to) of the row: the first period of them is composed, the others are copies.
    void writeLines(int from, int to, bool lower)
    {
        for (int y = from; y < to; ++y) {
            auto* line = lineAt(y);
            if (!line)
                continue;
            if (y - from >= m_period && lineAt(y - m_period))
                std::memcpy(line, lineAt(y - m_period), static_cast<std::size_t>(m_width) * sizeof(QRgb));
            else
                composeLine(line, m_place.top + y, lower);
        }
    }

    void composeLine(QRgb* line, int y, bool lower) const
    {
        const QRgb hatch = m_theme.hatch.rgb();
        const QRgb hatchLine = m_theme.hatchLine.rgb();
        for (const GapRect& gap : m_geometry.gaps) {
            const int right = std::min(m_width, static_cast<int>(std::lround(gap.right)));
            for (int x = std::max(0, static_cast<int>(std::lround(gap.left))); x < right; ++x)
                line[x] = (x + y) % m_period < m_stroke ? hatchLine : hatch;
        }
        for (const Sliver& sliver : m_geometry.slivers)
            if (sliver.pixel >= 0 && sliver.pixel < m_width)
                line[sliver.pixel] = mix(hatch, sliver.colour, sliver.coverage);
        for (const BarRect& rect : m_geometry.bars) {
            const Bar bar = m_row.bars[static_cast<std::size_t>(rect.bar)];
            const Work work = lower && bar.joined ? bar.lowerWork : bar.work;
            const Stretch stretch = stretchOf(rect, m_width);
            std::fill(line + stretch.left, line + stretch.right, barColour(m_theme, work, bar.shade).rgb());
        }
    }

    /// Rounds the corners of wide bars by mixing them with what is behind.
    void cutCorners()
    {
        const double radius = std::min(2.5 * m_place.scale, m_place.height / 4.0);
        const int lines = static_cast<int>(std::ceil(radius));
        for (int y = 0; y < lines; ++y) {
            for (int x = 0; x < lines; ++x) {
                const double dx = radius - (x + 0.5);
                const double dy = radius - (y + 0.5);
                const double outside = std::clamp(
                    std::sqrt(std::max(0.0, dx) * std::max(0.0, dx) + std::max(0.0, dy) * std::max(0.0, dy)) - radius +
                        0.5,
                    0.0, 1.0);
                if (outside > 0)
                    cutCorner(x, y, outside);
            }
        }
    }

    void cutCorner(int x, int y, double outside)
    {
        QRgb* const top = lineAt(y);
        QRgb* const bottom = lineAt(m_place.height - 1 - y);
        const QRgb behind = m_theme.canvas.rgb();
        for (const BarRect& rect : m_geometry.bars) {
            const Stretch stretch = stretchOf(rect, m_width);
            if (stretch.right - stretch.left < 6 * m_place.scale)
                continue;
            for (QRgb* line : {top, bottom}) {
                if (!line)
                    continue;
                if (rect.left >= 0)
                    line[stretch.left + x] = mix(line[stretch.left + x], behind, outside);
                if (rect.right <= m_width)
                    line[stretch.right - 1 - x] = mix(line[stretch.right - 1 - x], behind, outside);
            }
        }
    }

    QRgb* lineAt(int y) const
    {
        const int line = m_place.top + y;
        return line < 0 || line >= m_image.height() ? nullptr : reinterpret_cast<QRgb*>(m_image.scanLine(line));
    }

    QImage& m_image;
    const RasterRow& m_place;
    const TimelineRow& m_row;
    const RowGeometry& m_geometry;
    const Theme& m_theme;
    int m_width;
    int m_period;
    int m_stroke;
};

} // namespace

void rasteriseRow(QImage& image, const RasterRow& place, const TimelineRow& row, const RowGeometry& geometry,
                  const Theme& theme)
{
    RowComposer(image, place, row, geometry, theme).compose();
}

} // namespace bubblescope::viz
