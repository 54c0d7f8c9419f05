// What of a row is visible, in pixels: the one place where they are decided.
//
//     TimelineRow × colours × PixelGrid ── geometryOf() ──► wide bars | mixed pixels | moments
//
// Both painters, the one into an image and the one into vectors, only convert and draw this, and
// tests compare it without a screen. What is narrower than a few pixels isn't drawn one by one: it is
// mixed pixel by pixel, from the spans where a pixel holds a few, and from the sums of the index where it
// holds many. So the cost follows the pixels and not the spans.
//
// A pixel is what it is by its number on the grid alone: a picture that was moved by whole pixels
// and completed at its edge is the same as one drawn anew.

#pragma once

#include "viz/theme/theme.h"
#include "viz/timeline/colouring.h"
#include "viz/timeline/rows.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace bubblescope::viz {

/// std::floor and std::llround are calls into a library on processors that everybody has; these are not.
inline std::int64_t wholeBelow(double value)
{
    const auto cut = static_cast<std::int64_t>(value);
    return cut - (value < static_cast<double>(cut) ? 1 : 0);
}

inline std::int64_t nearestWhole(double value)
{
    return static_cast<std::int64_t>(value + (value < 0 ? -0.5 : 0.5));
}

/// Pixels of equal length in time, numbered from an anchor.
struct PixelGrid {
    Nanoseconds anchor = 0;
    double length = 1;      ///< nanoseconds of a pixel
    std::int64_t first = 0; ///< number of the first one that is wanted
    int count = 0;
    bool coarse = false; ///< sums instead of spans sooner, at half the cost and twice the error: while it moves

    /// The grid of an axis: its first pixel begins where the range begins.
    static PixelGrid of(const TimeAxis& axis)
    {
        const double width = std::max(1.0, axis.width);
        return {axis.range.begin, std::max(1e-6, static_cast<double>(axis.range.length()) / width), 0,
                static_cast<int>(std::ceil(width)), false};
    }

    /// In pixels from the anchor.
    double position(Nanoseconds time) const { return static_cast<double>(time - anchor) / length; }

    Nanoseconds timeOf(std::int64_t pixel) const { return anchor + nearestWhole(static_cast<double>(pixel) * length); }

    std::int64_t last() const { return first + count; }

    friend bool operator==(const PixelGrid& a, const PixelGrid& b)
    {
        return a.anchor == b.anchor && a.length == b.length && a.first == b.first && a.count == b.count &&
               a.coarse == b.coarse;
    }
};

struct BarRect {
    double left = 0; ///< from the first pixel of the grid
    double right = 0;
    int bar = 0; ///< index in TimelineRow::bars
    QRgb upper = 0;
    QRgb lower = 0; ///< of the last task of a joined unit; else as upper
};

/// A moment, or several in one pixel.
struct MomentMark {
    double x = 0;
    int bar = 0; ///< of the first one
    int count = 1;
};

/// One pixel: what covers it, in shares of its length.
struct MixedPixel {
    float red = 0; ///< times narrow
    float green = 0;
    float blue = 0;
    float narrow = 0;    ///< bars too narrow to be drawn alone
    float wide = 0;      ///< bars that are drawn alone
    float busy = 0;      ///< anything of the lane
    bool summed = false; ///< from the index: narrow holds wide bars too

    QRgb colour() const
    {
        if (narrow <= 0)
            return 0;
        const float per = 1 / narrow;
        const auto channel = [per](float sum) { // not below 0, and no call for each of a million pixels
            return std::clamp(static_cast<int>(sum * per + 0.5F), 0, 255); // NOLINT(bugprone-incorrect-roundings)
        };
        return qRgb(channel(red), channel(green), channel(blue));
    }
};

struct GapRect {
    double left = 0;
    double right = 0;
    int gap = 0;
};

struct RowGeometry {
    std::vector<BarRect> bars;
    std::vector<MixedPixel> pixels; ///< one for each pixel of the grid
    std::vector<MomentMark> moments;
};

/// Bars at least this wide (pixels of the grid) are drawn alone.
inline constexpr double wideBar = 3.0;

/// `separation` is taken from the right of wide bars, so that neighbours stay apart. The vectors of
/// `geometry` are filled anew; who keeps it keeps their memory.
void layRow(const TimelineRow& row, std::size_t index, const PictureColours& colours, const PixelGrid& grid,
            double separation, RowGeometry& geometry);

/// Idle times as rectangles, for drawing with vectors; what is narrower than a pixel is joined.
std::vector<GapRect> gapRects(const TimelineRow& row, const TimeAxis& axis);

/// How many bars of a row are at least partly inside a stretch, moments too.
std::size_t barsInside(const TimelineRow& row, TimeRange range);

} // namespace bubblescope::viz
