#include "viz/timeline/geometry.h"

#include <algorithm>
#include <cmath>

namespace bubblescope::viz {
namespace {

/// Mixes narrow bars pixel by pixel; bars come in the order of time, so one pixel is open at a time.
class SliverMixer {
public:
    SliverMixer(std::vector<Sliver>& slivers, double left, double right)
        : m_slivers(slivers), m_left(left), m_right(right)
    {
    }

    void add(double from, double to, QRgb colour)
    {
        from = std::max(from, m_left);
        to = std::min(to, m_right);
        while (from < to) {
            const int pixel = static_cast<int>(std::floor(from));
            const double upTo = std::min(to, pixel + 1.0);
            addTo(pixel, upTo - from, colour);
            from = upTo;
        }
    }

    void close()
    {
        if (m_weight <= 0)
            return;
        const auto channel = [this](double sum) { return static_cast<int>(std::lround(sum / m_weight)); };
        m_slivers.push_back({m_pixel, static_cast<float>(std::min(1.0, m_weight)),
                             qRgb(channel(m_red), channel(m_green), channel(m_blue))});
        m_weight = m_red = m_green = m_blue = 0;
    }

private:
    void addTo(int pixel, double weight, QRgb colour)
    {
        if (pixel != m_pixel) {
            close();
            m_pixel = pixel;
        }
        m_weight += weight;
        m_red += weight * qRed(colour);
        m_green += weight * qGreen(colour);
        m_blue += weight * qBlue(colour);
    }

    std::vector<Sliver>& m_slivers;
    double m_left;
    double m_right;
    int m_pixel = -1;
    double m_weight = 0;
    double m_red = 0;
    double m_green = 0;
    double m_blue = 0;
};

} // namespace

QColor barColour(const Theme& theme, Work work, int shade)
{
    const QColor& base = theme.of(work);
    if (shade == 0)
        return base;
    // Later chunks tend towards the canvas, in at most four steps: hue tells the work, lightness the chunk.
    const double towards = std::min(0.44, 0.16 * shade);
    const auto mix = [towards](int from, int to) {
        return static_cast<int>(std::lround(from + (to - from) * towards));
    };
    const QColor& canvas = theme.canvas;
    return {mix(base.red(), canvas.red()), mix(base.green(), canvas.green()), mix(base.blue(), canvas.blue())};
}

RowGeometry geometryOf(const TimelineRow& row, const TimeAxis& axis, const Theme& theme, double separation)
{
    RowGeometry geometry;
    const double right = axis.left + axis.width;
    SliverMixer mixer(geometry.slivers, axis.left, right);
    for (std::size_t index = firstVisibleBar(row, axis.range.begin); index < row.bars.solid(); ++index) {
        const Bar bar = row.bars[index];
        if (bar.start >= axis.range.end)
            break;
        const double from = timeToPixel(axis, bar.start);
        const double to = timeToPixel(axis, bar.end);
        if (to - from >= wideBar)
            geometry.bars.push_back(
                {std::max(from, axis.left - 8), std::min(to - separation, right + 8), static_cast<int>(index)});
        else
            mixer.add(from, to, barColour(theme, bar.work, bar.shade).rgb());
    }
    mixer.close();
    for (std::size_t index = row.gaps.firstEndingAfter(axis.range.begin); index < row.gaps.size(); ++index) {
        const GapBar gap = row.gaps[index];
        if (gap.start >= axis.range.end)
            break;
        const double from = std::max(axis.left, timeToPixel(axis, gap.start));
        const double to = std::min(right, timeToPixel(axis, gap.end));
        // Neighbouring gaps of less than a pixel are one hatched stretch.
        if (!geometry.gaps.empty() && to - from < 1 && from - geometry.gaps.back().right < 1)
            geometry.gaps.back().right = std::max(to, geometry.gaps.back().right);
        else
            geometry.gaps.push_back({from, to, static_cast<int>(index)});
    }
    return geometry;
}

} // namespace bubblescope::viz
