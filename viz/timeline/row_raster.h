// Writes rows straight into an image, scanline by scanline: no painter call per span.
//
// A row has few different scanlines: one per phase of the hatch, and some at the top and bottom where
// corners are cut. Each is composed once and copied.

#pragma once

#include "viz/timeline/geometry.h"

#include <QImage>

namespace bubblescope::viz {

/// A row's place in the image, in physical pixels.
struct RasterRow {
    int top = 0;
    int height = 0;
    double scale = 1;       ///< physical pixels per logical one
    std::int64_t first = 0; ///< number on the grid of the image's first column
};

/// Columns [left, right).
struct Stretch {
    int left;
    int right;
};

/// What is composed of a row before it is written: kept by who writes many.
struct RowScratch {
    RowGeometry geometry;
    std::vector<QRgb> plain;   ///< a scanline between the lines of the hatch, upper half of joined bars
    std::vector<QRgb> striped; ///< the same where a line of the hatch goes
    std::vector<QRgb> lowerPlain;
    std::vector<QRgb> lowerStriped;
    std::vector<Stretch> rounded; ///< bars whose corners are cut
};

/// What is drawn.
struct RowPaint {
    const TimelineRow& row;
    std::size_t index; ///< of the row in its picture
    const PictureColours& colours;
    const Theme& theme;
};

/// Bars, mixed pixels, hatched idle time and moments of a row into the columns of `grid`, which lies inside
/// the image: its first pixel is column grid.first − place.first.
void rasteriseRow(QImage& image, const RasterRow& place, const RowPaint& paint, const PixelGrid& grid,
                  RowScratch& scratch);

} // namespace bubblescope::viz
