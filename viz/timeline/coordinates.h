// Where a time is on screen and what lies under a pixel: plain functions, no widgets.
//
//     begin            end         left        left+width
//       |── TimeAxis ──|    ──►      |── pixels ──|
//
// Times are integers, pixels are doubles, because a pixel may be a fraction of a physical one.

#pragma once

#include "core/schedule/task.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace bubblescope::viz {

/// A half-open interval of time.
struct TimeRange {
    Nanoseconds begin = 0;
    Nanoseconds end = 0;

    Nanoseconds length() const { return end - begin; }

    bool empty() const { return end <= begin; }

    friend bool operator==(const TimeRange& a, const TimeRange& b) { return a.begin == b.begin && a.end == b.end; }

    friend bool operator!=(const TimeRange& a, const TimeRange& b) { return !(a == b); }
};

/// A visible range laid on pixels.
struct TimeAxis {
    TimeRange range;
    double left = 0;
    double width = 0;
};

/// The narrowest range that can be seen: what is shorter has no pixels of its own.
inline constexpr Nanoseconds narrowestRange = 100;

/// Left edge when the range is empty, so that nothing is drawn far away.
inline double timeToPixel(const TimeAxis& axis, Nanoseconds time)
{
    if (axis.range.empty())
        return axis.left;
    return axis.left +
           static_cast<double>(time - axis.range.begin) / static_cast<double>(axis.range.length()) * axis.width;
}

/// The begin of the range when the axis has no width. Round trips are exact to half a pixel's time.
inline Nanoseconds pixelToTime(const TimeAxis& axis, double pixel)
{
    if (axis.width <= 0)
        return axis.range.begin;
    const double share = (pixel - axis.left) / axis.width;
    return axis.range.begin + static_cast<Nanoseconds>(std::llround(share * static_cast<double>(axis.range.length())));
}

/// `wanted` moved, and shortened if need be, until it lies inside `whole`.
inline TimeRange clampRange(TimeRange wanted, const TimeRange& whole)
{
    const Nanoseconds length =
        std::min(std::max(wanted.length(), std::min(narrowestRange, whole.length())), whole.length());
    const Nanoseconds begin = std::clamp(wanted.begin, whole.begin, whole.end - length);
    return {begin, begin + length};
}

/// `factor` above 1 zooms in. The time `at` stays where it is on screen, unless the whole has no room for that.
inline TimeRange zoomAround(const TimeRange& visible, Nanoseconds at, double factor, const TimeRange& whole)
{
    const double length =
        std::clamp(static_cast<double>(visible.length()) / factor,
                   static_cast<double>(std::min(narrowestRange, whole.length())), static_cast<double>(whole.length()));
    const double share =
        visible.empty() ? 0.5 : static_cast<double>(at - visible.begin) / static_cast<double>(visible.length());
    const auto begin = at - static_cast<Nanoseconds>(std::llround(share * length));
    return clampRange({begin, begin + static_cast<Nanoseconds>(std::llround(length))}, whole);
}

inline TimeRange panBy(const TimeRange& visible, Nanoseconds by, const TimeRange& whole)
{
    return clampRange({visible.begin + by, visible.end + by}, whole);
}

/// Rows below each other: all of one height, or each of its own.
struct RowBand {
    double top = 0;
    double height = 1; ///< of a bar, where rows have no heights of their own
    double gap = 0;    ///< between two bars
    int count = 0;
    std::vector<double> tops; ///< of each row and of what would follow the last; empty: rows of one height

    double pitch() const { return height + gap; }

    double bottom() const
    {
        if (!tops.empty())
            return tops.back() - (count == 0 ? 0 : gap);
        return count == 0 ? top : top + count * pitch() - gap;
    }
};

inline double rowTop(const RowBand& band, int row)
{
    return band.tops.empty() ? band.top + row * band.pitch() : band.tops[static_cast<std::size_t>(row)];
}

inline double rowHeight(const RowBand& band, int row)
{
    const auto at = static_cast<std::size_t>(row);
    return band.tops.empty() ? band.height : band.tops[at + 1] - band.tops[at] - band.gap;
}

/// Rows with these heights, the first at `top`.
inline RowBand bandOf(double top, double gap, const std::vector<double>& heights)
{
    RowBand band{top, heights.empty() ? 1 : heights.front(), gap, static_cast<int>(heights.size()), {top}};
    for (const double height : heights)
        band.tops.push_back(band.tops.back() + height + gap);
    return band;
}

/// The first row that ends below y; `count` when none does.
inline int firstRowBelow(const RowBand& band, double y)
{
    int row = 0;
    while (row < band.count && rowTop(band, row) + rowHeight(band, row) <= y)
        ++row;
    return row;
}

/// −1 above, below and between the rows.
inline int rowAt(const RowBand& band, double y)
{
    if (y < band.top || band.pitch() <= 0)
        return -1;
    const int row =
        band.tops.empty()
            ? static_cast<int>((y - band.top) / band.pitch())
            : static_cast<int>(std::upper_bound(band.tops.begin(), band.tops.end(), y) - band.tops.begin()) - 1;
    return row < band.count && y < rowTop(band, row) + rowHeight(band, row) ? row : -1;
}

/// Distance of two ticks of a ruler: 1, 2 or 5 times a power of ten, so that at most `most` fit in the range.
inline Nanoseconds tickStep(Nanoseconds length, int most)
{
    if (length <= 0 || most <= 0)
        return 1;
    Nanoseconds decade = 1;
    for (;;) {
        for (const Nanoseconds factor : {1, 2, 5})
            if (length / (decade * factor) < most)
                return decade * factor;
        decade *= 10;
    }
}

/// The first tick at or after `begin`; correct for negative times.
inline Nanoseconds firstTick(Nanoseconds begin, Nanoseconds step)
{
    const Nanoseconds floor = begin / step - (begin % step < 0 ? 1 : 0);
    return floor * step >= begin ? floor * step : (floor + 1) * step;
}

} // namespace bubblescope::viz
