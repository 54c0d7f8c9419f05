#include "viz/timeline/rows_image.h"

#include <QtConcurrent>
#include <QThreadPool>

#include <algorithm>
#include <cstring>

namespace bubblescope::viz {

RasterRow RowsImage::placeOf(const RowsView& view, std::size_t row) const
{
    const double top = rowTop(view.layout.band, static_cast<int>(row)) - view.layout.frame.top();
    const int first = static_cast<int>(std::lround(top * view.scale));
    const int last =
        static_cast<int>(std::lround((top + rowHeight(view.layout.band, static_cast<int>(row))) * view.scale));
    return {first, last - first, view.scale, m_grid.first - m_border};
}

void RowsImage::place(const RowsView& view)
{
    const PictureColours& colours = coloursOf(view.picture, view.theme);
    const QSize size(std::max(1, static_cast<int>(std::lround(view.layout.frame.width() * view.scale))),
                     std::max(1, static_cast<int>(std::lround(view.layout.frame.height() * view.scale))));
    const Stamp stamp{&colours,
                      colours.revision(),
                      &view.theme,
                      view.font,
                      size,
                      view.scale,
                      view.layout.band.height,
                      view.layout.band.gap,
                      view.layout.band.tops,
                      view.picture.rows.size()};
    if (!m_image.isNull() && stamp == m_stamp && m_range.length() == view.visible.length()) {
        const auto first = static_cast<std::int64_t>(std::llround(m_grid.position(view.visible.begin)));
        const std::int64_t by = first - m_grid.first;
        m_range = view.visible;
        m_grid.first = first;
        if (std::abs(by) < m_grid.count && (view.moving || !m_grid.coarse)) {
            follow(view, static_cast<int>(by));
            return;
        }
    } else {
        if (m_image.isNull() || !(stamp == m_stamp))
            begin(view, size);
        m_grid = PixelGrid::of({view.visible, 0, static_cast<double>(size.width() - 2 * m_border)});
    }
    m_stamp = stamp;
    m_range = view.visible;
    m_grid.coarse = view.moving;
    m_drawn.assign(view.picture.rows.size(), false);
    m_lettered.assign(view.picture.rows.size(), false);
}

/// A row overwrites all of its lines: what is between them stays as it is here unless rows stand elsewhere some day.
void RowsImage::begin(const RowsView& view, const QSize& size)
{
    m_border = std::max(1, static_cast<int>(std::lround(view.scale)));
    m_spare = std::max(64, size.width() / 4);
    m_store.clear();
    m_store.resize(static_cast<std::size_t>(size.width() + m_spare) * static_cast<std::size_t>(size.height()),
                   view.theme.canvas.rgb());
    lookAt(size, m_spare / 2);
    m_image.setDevicePixelRatio(view.scale);
}

void RowsImage::lookAt(const QSize& size, int column)
{
    m_column = column;
    const double scale = m_image.devicePixelRatio();
    m_image = QImage(reinterpret_cast<uchar*>(m_store.data() + column), size.width(), size.height(),
                     static_cast<qsizetype>(size.width() + m_spare) * static_cast<qsizetype>(sizeof(QRgb)),
                     QImage::Format_RGB32);
    m_image.setDevicePixelRatio(scale);
}

void RowsImage::follow(const RowsView& view, int by)
{
    if (by == 0)
        return;
    move(by);
    clearBorders(view.theme.canvas.rgb());
    for (std::size_t row = 0; row < m_drawn.size(); ++row)
        if (m_drawn[row])
            addEdges(view, row, by);
}

void RowsImage::move(int by)
{
    const QSize size = m_image.size();
    if (m_column + by >= 0 && m_column + by <= m_spare) {
        lookAt(size, m_column + by);
        return;
    }
    // At the end of the store: back to the other end, so that the next moves are free again.
    const int to = by > 0 ? 0 : m_spare;
    const auto bytes = static_cast<std::size_t>(m_grid.count - std::abs(by)) * sizeof(QRgb);
    for (int y = 0; y < size.height(); ++y) {
        QRgb* const line = m_store.data() + static_cast<std::ptrdiff_t>(size.width() + m_spare) * y + m_border;
        std::memmove(line + to + std::max(0, -by), line + m_column + std::max(0, by), bytes);
    }
    lookAt(size, to);
}

/// The columns of the frame, where rows were before.
void RowsImage::clearBorders(QRgb canvas)
{
    for (int y = 0; y < m_image.height(); ++y) {
        auto* const line = reinterpret_cast<QRgb*>(m_image.scanLine(y));
        std::fill_n(line, m_border, canvas);
        std::fill_n(line + m_image.width() - m_border, m_border, canvas);
    }
}

/// Where the wide bar that lies over a pixel's left edge ends (or begins); the pixel itself when there is none. Its letters
/// are in the middle of what is visible of it, so all of it is drawn anew.
int RowsImage::edgeOf(const RowsView& view, std::size_t row, std::int64_t pixel, bool right) const
{
    const int plain = static_cast<int>(pixel - m_grid.first);
    const int bar = barAt(view.picture.rows[row], m_grid.timeOf(pixel));
    if (bar < 0)
        return plain;
    const Bar there = view.picture.rows[row].bars[static_cast<std::size_t>(bar)];
    const double from = m_grid.position(there.start);
    const double to = m_grid.position(there.end);
    if (to - from < wideBar)
        return plain;
    const double edge = (right ? std::ceil(to) + 1 : std::floor(from) - 1) - static_cast<double>(m_grid.first);
    return static_cast<int>(std::clamp(edge, -1.0, m_grid.count + 1.0));
}

void RowsImage::addEdges(const RowsView& view, std::size_t row, int by)
{
    const std::int64_t first = m_grid.first;
    const std::int64_t last = m_grid.last();
    // The bars over the edges as they were, and as they are.
    const int left = std::max({0, -by, edgeOf(view, row, first, true), edgeOf(view, row, first - by, true)});
    const int right = std::min(
        {m_grid.count, m_grid.count - by, edgeOf(view, row, last, false), edgeOf(view, row, last - by, false)});
    // A mark that stands on the edge reaches inside.
    const int reach = view.picture.rows[row].bars.moments().empty() ? 0 : static_cast<int>(6 * view.scale);
    const int to = std::min(m_grid.count, left + reach);
    const int from = std::max(0, right - reach);
    if (to >= from) {
        m_pieces.push_back({row, 0, m_grid.count, {}});
        return;
    }
    if (to > 0)
        m_pieces.push_back({row, 0, to, {}});
    if (from < m_grid.count)
        m_pieces.push_back({row, from, m_grid.count, {}});
}

/// The bars that are wide enough for letters, by columns of the whole grid.
static void takeLettered(const RowGeometry& geometry, int from, double scale, std::vector<BarRect>& bars)
{
    for (BarRect bar : geometry.bars)
        if (bar.right - bar.left >= BarLabels::narrowest * scale) {
            bar.left += from;
            bar.right += from;
            bars.push_back(bar);
        }
}

void RowsImage::drawBand(const RowsView& view, std::size_t first, std::size_t last, RowScratch& scratch)
{
    const PictureColours& colours = *view.picture.colours;
    for (std::size_t i = first; i < last; ++i) {
        Piece& piece = m_pieces[i];
        PixelGrid grid = m_grid;
        grid.first += piece.from;
        grid.count = piece.to - piece.from;
        rasteriseRow(m_image, placeOf(view, piece.row), {view.picture.rows[piece.row], piece.row, colours, view.theme},
                     grid, scratch);
        takeLettered(scratch.geometry, piece.from, view.scale, piece.bars);
    }
}

void RowsImage::draw(const RowsView& view)
{
    std::int64_t pixels = 0;
    for (const Piece& piece : m_pieces)
        pixels += piece.to - piece.from;
    constexpr std::int64_t fewPixels = 50'000; // below, other threads would come too late
    const int threads = std::min(4, QThreadPool::globalInstance()->maxThreadCount());
    const auto count = threads < 2 || pixels < fewPixels ? std::size_t{1} : static_cast<std::size_t>(threads) * 4;
    m_scratches.resize(std::max(m_scratches.size(), count));
    if (count == 1) {
        drawBand(view, 0, m_pieces.size(), m_scratches.front());
        return;
    }
    m_image.bits(); // nobody else has it: now and not in the threads

    struct Band {
        std::size_t first;
        std::size_t last;
        RowScratch& scratch;
    };

    std::vector<Band> bands;
    for (std::size_t band = 0; band < count; ++band)
        bands.push_back({m_pieces.size() * band / count, m_pieces.size() * (band + 1) / count, m_scratches[band]});
    QtConcurrent::blockingMap(bands, [&](const Band& band) { drawBand(view, band.first, band.last, band.scratch); });
}

int RowsImage::write(BarLabels& letters, QPainter& painter, const RowsView& view, const Piece& piece) const
{
    if (piece.bars.empty())
        return 0;
    const double height = rowHeight(view.layout.band, static_cast<int>(piece.row));
    letters.use(barFont(view.font, height));
    if (!letters.fits(height))
        return 0;
    const RasterRow at = placeOf(view, piece.row);
    const QRectF place(m_border / view.scale, at.top / view.scale, m_grid.count / view.scale, at.height / view.scale);
    painter.setClipRect(QRectF(place.left() + piece.from / view.scale, place.top(),
                               (piece.to - piece.from) / view.scale, place.height()));
    int written = 0;
    for (const BarRect& bar : piece.bars)
        written += letters.paint(piece.row, bar, place, view.scale) ? 1 : 0;
    return written;
}

void RowsImage::letter(const RowsView& view, LabelCache& labels, int firstRow, int lastRow)
{
    m_lacksLabels = false;
    QPainter painter(&m_image);
    BarLabels letters(painter, labels, view.picture, view.theme);
    int left = mostLabels;
    for (const Piece& piece : m_pieces)
        if (m_lettered[piece.row]) // what came into sight
            left -= write(letters, painter, view, piece);
        else if (left > 0) { // a whole row that was drawn just now
            left -= write(letters, painter, view, piece);
            m_lettered[piece.row] = piece.from == 0 && piece.to == m_grid.count;
        }
    for (int row = firstRow; row < lastRow; ++row) {
        const auto index = static_cast<std::size_t>(row);
        if (m_lettered[index])
            continue;
        if (left <= 0) {
            m_lacksLabels = true;
            return;
        }
        Piece whole{index, 0, m_grid.count, {}};
        RowGeometry geometry;
        layRow(view.picture.rows[index], index, *view.picture.colours, m_grid, view.scale, geometry);
        takeLettered(geometry, 0, view.scale, whole.bars);
        left -= write(letters, painter, view, whole);
        m_lettered[index] = true;
    }
}

void RowsImage::show(const RowsView& view, LabelCache& labels, int firstRow, int lastRow)
{
    const int rows = static_cast<int>(view.picture.rows.size());
    lastRow = lastRow < 0 ? rows : std::min(lastRow, rows);
    m_pieces.clear();
    place(view);
    for (int row = std::max(0, firstRow); row < lastRow; ++row)
        if (const auto index = static_cast<std::size_t>(row); !m_drawn[index]) {
            m_pieces.push_back({index, 0, m_grid.count, {}});
            m_drawn[index] = true;
        }
    draw(view);
    letter(view, labels, std::max(0, firstRow), lastRow);
}

} // namespace bubblescope::viz
