// What of a row is visible, as plain rectangles along x: the one place where pixels are decided.
//
//     TimelineRow × TimeAxis ── geometryOf() ──► wide bars | slivers | gaps
//
// Both painters, the one into an image and the one into vectors, only convert and draw this, and
// tests compare it without a screen. What is narrower than a few pixels isn't drawn one by one: it is
// mixed into slivers, one per pixel, so the cost follows the pixels and not the spans. A larger trace
// needs another way to fill slivers (sums over blocks of spans), and nothing else.

#pragma once

#include "viz/theme/theme.h"
#include "viz/timeline/rows.h"

#include <vector>

namespace bubblescope::viz {

struct BarRect {
    double left = 0;
    double right = 0;
    int bar = 0; ///< index in TimelineRow::bars
};

/// One pixel with bars too narrow to be drawn alone.
struct Sliver {
    int pixel = 0;
    float coverage = 0; ///< 0 … 1
    QRgb colour = 0;    ///< mixed by duration
};

struct GapRect {
    double left = 0;
    double right = 0;
    int gap = 0;
};

struct RowGeometry {
    std::vector<BarRect> bars;
    std::vector<Sliver> slivers;
    std::vector<GapRect> gaps;
};

/// Bars at least this wide (pixels of the axis) are drawn alone.
inline constexpr double wideBar = 3.0;

/// `separation` is taken from the right of wide bars, so that neighbours stay apart.
RowGeometry geometryOf(const TimelineRow& row, const TimeAxis& axis, const Theme& theme, double separation);

/// The colour of a bar: by its work, lighter for later chunks of the device.
QColor barColour(const Theme& theme, Work work, int shade);

} // namespace bubblescope::viz
