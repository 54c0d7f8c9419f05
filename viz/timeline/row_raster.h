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
    double scale = 1; ///< physical pixels per logical one
};

/// Bars, slivers and hatched gaps of one row. `geometry` is in physical pixels of the image (x from 0).
void rasteriseRow(QImage& image, const RasterRow& place, const TimelineRow& row, const RowGeometry& geometry,
                  const Theme& theme);

} // namespace bubblescope::viz
