// Paints one run: header, device labels, frame, rows, letters. Used by the widget and by --render, so
// that a saved picture is what was on screen.
//
//     [A] 1F1B · predicted                          36.5 ms · bubble 31.4 % · peak 4 activations
//     Device 0  ┌──────────────────────────────────────────────────────────────┐
//       69.6 %  │ 0 1 2 3 ////////  0   4   1 …                                  │
//               └──────────────────────────────────────────────────────────────┘

#pragma once

#include "viz/theme/theme.h"
#include "viz/timeline/geometry.h"
#include "viz/timeline/label_cache.h"
#include "viz/timeline/rows.h"

#include <QFont>
#include <QImage>
#include <QPainter>
#include <QRectF>

#include <memory>

namespace bubblescope::viz {

/// A run and what is said about it in its header.
struct RunPicture {
    RunPtr run;
    std::vector<TimelineRow> rows;
    QString letter; ///< "A"
    QString facts;  ///< right part of the header
    Colouring colouring;
    mutable std::shared_ptr<PictureColours> colours; ///< of the rows; coloursOf() makes it when it is needed
};

/// The colours of a picture's rows in a theme, made or renewed if need be. One thread at a time.
const PictureColours& coloursOf(const RunPicture& picture, const Theme& theme);

/// Places inside the area of one run, in logical pixels.
struct RunLayout {
    QRectF area;
    QRectF header;
    QRectF labels;
    QRectF frame;
    RowBand band;

    TimeAxis axis(const TimeRange& visible) const;
    QRectF rowRect(int row) const;
};

/// Sizes that follow the font.
struct TimelineMetrics {
    explicit TimelineMetrics(const QFont& font);

    double headerHeight = 0;
    double labelWidth = 0;  ///< left of the frame
    double frameMargin = 0; ///< between frame and first row
    double rowGap = 0;
    double smallestRow = 0; ///< below this, labels don't fit
    double pleasantRow = 0;
    double rulerHeight = 0;
    double legendHeight = 0;
    double margin = 0; ///< right of the frame
};

double heightOfRun(const TimelineMetrics& metrics, int rows, double rowHeight);
double heightOfRun(const TimelineMetrics& metrics, const std::vector<double>& rowHeights);
RunLayout layoutRun(const QRectF& area, int rows, const TimelineMetrics& metrics, double rowHeight);
RunLayout layoutRun(const QRectF& area, const std::vector<double>& rowHeights, const TimelineMetrics& metrics);

struct RunPaintOptions {
    bool criticalPath = false;
    Pick picked;
};

class RunPainter {
public:
    RunPainter(const RunPicture& picture, const RunLayout& layout, const TimeRange& visible, const Theme& theme,
               const QFont& font);

    void paintHeader(QPainter& painter) const;
    void paintLabels(QPainter& painter) const;

    /// The rows with their letters as an image of the frame's size at `scale` physical pixels per logical
    /// one. A widget keeps a RowsImage instead.
    QImage rasterRows(double scale) const;

    /// The same with vector operations, for SVG and PDF.
    void paintRowsAsVectors(QPainter& painter) const;

    void paintFrame(QPainter& painter) const;
    void paintMarks(QPainter& painter, const RunPaintOptions& options) const;

private:
    RowGeometry geometryOfRow(std::size_t row) const;
    void paintRowAsVectors(QPainter& painter, std::size_t index) const;
    void paintCriticalPath(QPainter& painter) const;

    const RunPicture& m_picture;
    const RunLayout& m_layout;
    TimeRange m_visible;
    const Theme& m_theme;
    QFont m_font;
};

/// The letters inside bars of this height.
QFont barFont(const QFont& font, double height);

/// Idle time as lines, which every format and viewer has; pattern brushes are lost in many SVG viewers.
void paintHatch(QPainter& painter, const QRectF& area, const QColor& colour, double distance = 8);

void paintRuler(QPainter& painter, const QRectF& area, const TimeAxis& axis, const Theme& theme, const QFont& font);

/// The works that the runs contain, and idle time.
void paintLegend(QPainter& painter, const QRectF& area, const std::vector<const RunPicture*>& pictures,
                 const Theme& theme, const QFont& font);

/// "36.5 ms · bubble 31.4 % · peak 4 activations · 1.21 × faster than A". A run that took place is set against
/// its own prediction instead: "2.1 % longer than predicted (A)". `reference` is null for what has none.
QString factsOf(const RunView& run, const RunView* reference, const QString& letter);

} // namespace bubblescope::viz
