// The rows of one run as an image that is kept: the widget copies it, whatever moves above it.
//
//     zoom, resize, colours ──► every row anew, when it is looked at
//     pan ──► the picture moves over a wider store, and only the columns that come into sight are drawn:
//             store  |        ▒▒▒▒ image ▒▒▒▒▒▒▒▒▒|▒▒|           |   what it moves by is drawn at its edge
//
// Many rows are drawn coarsely while somebody zooms, and finely as soon as the view rests.
// Rows that nobody sees aren't drawn. Letters are part of the image, at most a thousand and a half more of them
// per frame; the rest comes with the next frames.

#pragma once

#include "viz/timeline/row_raster.h"
#include "viz/timeline/run_painter.h"

#include <QImage>

#include <vector>

namespace bubblescope::viz {

/// What the image is to show.
struct RowsView {
    const RunPicture& picture;
    const RunLayout& layout;
    TimeRange visible;
    const Theme& theme;
    QFont font;
    double scale = 1;    ///< physical pixels per logical one
    bool moving = false; ///< a coarse picture will do; once more without it when the view rests
};

class RowsImage {
public:
    /// Brings the image up to date for rows [firstRow, lastRow) of the picture; lastRow −1: all of them.
    void show(const RowsView& view, LabelCache& labels, int firstRow = 0, int lastRow = -1);

    /// Looks at memory of this RowsImage: who wants to keep it copies its pixels.
    const QImage& image() const { return m_image; }

    /// Of the grid that the columns stand on; may be off the visible range by less than half a pixel after a pan.
    const PixelGrid& grid() const { return m_grid; }

    /// Some rows wait for their letters: show it once more.
    bool lacksLabels() const { return m_lacksLabels; }

    /// Everything is drawn anew next time.
    void drop() { m_image = QImage(); }

private:
    static constexpr int mostLabels = 1500;

    /// What an image depends on beside the grid.
    struct Stamp {
        const void* colours = nullptr;
        int revision = 0;
        const Theme* theme = nullptr;
        QFont font;
        QSize size;
        double scale = 0;
        double rowHeight = 0;
        double rowGap = 0;
        std::vector<double> tops; ///< where rows have heights of their own
        std::size_t rows = 0;

        friend bool operator==(const Stamp& a, const Stamp& b)
        {
            return a.colours == b.colours && a.revision == b.revision && a.theme == b.theme && a.font == b.font &&
                   a.size == b.size && a.scale == b.scale && a.rowHeight == b.rowHeight && a.rowGap == b.rowGap &&
                   a.tops == b.tops && a.rows == b.rows;
        }
    };

    /// A part of a row that has to be drawn.
    struct Piece {
        std::size_t row = 0;
        int from = 0; ///< columns of the grid
        int to = 0;
        std::vector<BarRect> bars; ///< those that may have letters, by columns of the grid
    };

    /// Moves what can be kept, and notes what comes into sight; otherwise begins a new image.
    void place(const RowsView& view);
    void follow(const RowsView& view, int by);
    void begin(const RowsView& view, const QSize& size);
    void lookAt(const QSize& size, int column);
    void move(int by);
    void clearBorders(QRgb canvas);
    void addEdges(const RowsView& view, std::size_t row, int by);
    int edgeOf(const RowsView& view, std::size_t row, std::int64_t pixel, bool right) const;
    void draw(const RowsView& view);
    void drawBand(const RowsView& view, std::size_t first, std::size_t last, RowScratch& scratch);
    void letter(const RowsView& view, LabelCache& labels, int firstRow, int lastRow);
    int write(BarLabels& letters, QPainter& painter, const RowsView& view, const Piece& piece) const;
    RasterRow placeOf(const RowsView& view, std::size_t row) const;

    std::vector<QRgb> m_store; // kept, whatever happens to the picture: fresh memory is slow
    QImage m_image;            // a part of the store
    int m_column = 0;          // of the store: the first one of the image
    int m_spare = 0;           // columns that the store is wider
    std::vector<RowScratch> m_scratches;
    Stamp m_stamp;
    TimeRange m_range;
    PixelGrid m_grid;
    int m_border = 1;             // columns left and right that belong to the frame
    std::vector<bool> m_drawn;    // by row
    std::vector<bool> m_lettered; // by row
    std::vector<Piece> m_pieces;
    bool m_lacksLabels = false;
};

} // namespace bubblescope::viz
