#include "viz/timeline/run_painter.h"

#include "viz/timeline/rows_image.h"
#include "viz/timeline/time_text.h"

#include <QFontMetricsF>

namespace bubblescope::viz {
namespace {

QFont scaled(QFont font, double factor, bool bold = false)
{
    if (font.pointSizeF() > 0)
        font.setPointSizeF(font.pointSizeF() * factor);
    else
        font.setPixelSize(std::max(1, static_cast<int>(font.pixelSize() * factor)));
    font.setBold(bold);
    return font;
}

} // namespace

TimelineMetrics::TimelineMetrics(const QFont& font)
{
    const QFontMetricsF metrics(font);
    const double line = metrics.height();
    headerHeight = std::ceil(line * 1.9);
    labelWidth = std::ceil(metrics.horizontalAdvance(QStringLiteral("Device 000")) + line);
    frameMargin = 2;
    rowGap = 3;
    smallestRow = std::ceil(line * 0.78);
    pleasantRow = std::ceil(line * 1.95);
    rulerHeight = std::ceil(line * 1.9);
    legendHeight = std::ceil(line * 1.8);
    margin = std::ceil(line * 1.1);
}

TimeAxis RunLayout::axis(const TimeRange& visible) const
{
    return {visible, frame.left() + 1, frame.width() - 2};
}

QRectF RunLayout::rowRect(int row) const
{
    return {frame.left(), rowTop(band, row), frame.width(), viz::rowHeight(band, row)};
}

double heightOfRun(const TimelineMetrics& metrics, int rows, double rowHeight)
{
    return metrics.headerHeight + 2 * metrics.frameMargin + rows * (rowHeight + metrics.rowGap) - metrics.rowGap + 2;
}

double heightOfRun(const TimelineMetrics& metrics, const std::vector<double>& rowHeights)
{
    double height = heightOfRun(metrics, 0, 0);
    for (const double row : rowHeights)
        height += row + metrics.rowGap;
    return height;
}

RunLayout layoutRun(const QRectF& area, int rows, const TimelineMetrics& metrics, double rowHeight)
{
    RunLayout layout;
    layout.area = area;
    layout.header =
        QRectF(area.left() + metrics.margin, area.top(), area.width() - 2 * metrics.margin, metrics.headerHeight);
    const double left = area.left() + metrics.margin + metrics.labelWidth;
    layout.frame = QRectF(left, layout.header.bottom(), std::max(1.0, area.right() - metrics.margin - left),
                          heightOfRun(metrics, rows, rowHeight) - metrics.headerHeight);
    layout.labels = QRectF(area.left() + metrics.margin, layout.frame.top(), metrics.labelWidth, layout.frame.height());
    layout.band = {layout.frame.top() + metrics.frameMargin + 1, rowHeight, metrics.rowGap, rows, {}};
    return layout;
}

RunLayout layoutRun(const QRectF& area, const std::vector<double>& rowHeights, const TimelineMetrics& metrics)
{
    RunLayout layout = layoutRun(area, 0, metrics, 0);
    layout.frame.setHeight(heightOfRun(metrics, rowHeights) - metrics.headerHeight);
    layout.labels.setHeight(layout.frame.height());
    layout.band = bandOf(layout.band.top, metrics.rowGap, rowHeights);
    return layout;
}

const PictureColours& coloursOf(const RunPicture& picture, const Theme& theme)
{
    if (!picture.colours)
        picture.colours = std::make_shared<PictureColours>(picture.rows);
    const RunView* const run = picture.run.get();
    static const std::vector<std::string> none;
    picture.colours->colour(picture.rows, theme, picture.colouring,
                            !run           ? none
                            : run->columns ? run->columns->names
                                           : run->trace.names);
    return *picture.colours;
}

RunPainter::RunPainter(const RunPicture& picture, const RunLayout& layout, const TimeRange& visible, const Theme& theme,
                       const QFont& font)
    : m_picture(picture), m_layout(layout), m_visible(visible), m_theme(theme), m_font(font)
{
}

QFont barFont(const QFont& font, double height)
{
    const double factor = std::clamp(height / QFontMetricsF(font).height() * 0.92, 0.72, 0.95);
    return scaled(font, factor, true);
}

void RunPainter::paintHeader(QPainter& painter) const
{
    const QFontMetricsF metrics(m_font);
    const double side = std::ceil(metrics.height() * 1.25);
    QRectF badge(m_layout.header.left(), m_layout.header.center().y() - side / 2, side, side);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(m_theme.accent);
    painter.drawRoundedRect(badge, 3, 3);
    const QFont bold = scaled(m_font, 1.0, true);
    painter.setFont(bold);
    painter.setPen(m_theme.accentText);
    painter.drawText(badge, Qt::AlignCenter, m_picture.letter);

    painter.setPen(m_theme.text);
    const QFont heading = scaled(m_font, 1.08, true);
    painter.setFont(heading);
    QRectF rest = m_layout.header.adjusted(side + metrics.averageCharWidth() * 1.4, 0, 0, 0);
    painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, m_picture.run->title);
    rest.adjust(QFontMetricsF(heading).horizontalAdvance(m_picture.run->title) + metrics.averageCharWidth() * 1.2, 0, 0,
                0);
    painter.setFont(m_font);
    painter.setPen(m_theme.mutedText);
    const QString kind = titleWithLabel(*m_picture.run).mid(m_picture.run->title.size() + 3);
    painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter, kind);
    const double used = metrics.horizontalAdvance(kind) + metrics.averageCharWidth() * 2;
    const QRectF facts = rest.adjusted(used, 0, 0, 0);
    painter.drawText(facts, Qt::AlignRight | Qt::AlignVCenter,
                     metrics.elidedText(m_picture.facts, Qt::ElideRight, facts.width()));
    painter.restore();
}

void RunPainter::paintLabels(QPainter& painter) const
{
    const QFontMetricsF metrics(m_font);
    const QFont small = scaled(m_font, 0.86);
    const QFontMetricsF smallMetrics(small);
    painter.save();
    for (std::size_t index = 0; index < m_picture.rows.size(); ++index) {
        const TimelineRow& row = m_picture.rows[index];
        const double top = rowTop(m_layout.band, static_cast<int>(index));
        const double tall = viz::rowHeight(m_layout.band, static_cast<int>(index));
        QRectF place(m_layout.labels.left(), top, m_layout.labels.width() - metrics.averageCharWidth() * 1.4, tall);
        const QFont strong = scaled(m_font, tall >= metrics.height() * 0.9 ? 0.95 : 0.8, true);
        const QFontMetricsF strongMetrics(strong);
        const bool twoLines = tall >= strongMetrics.height() + smallMetrics.height() * 0.72;
        const bool compute = !row.caption.isEmpty() || !row.gaps.empty();
        painter.setFont(compute ? strong : small);
        painter.setPen(compute ? m_theme.text : m_theme.mutedText);
        if (!twoLines || row.caption.isEmpty()) {
            painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, row.label);
            continue;
        }
        const double both = strongMetrics.height() + smallMetrics.height() * 0.85;
        place.setTop(place.center().y() - both / 2);
        place.setHeight(strongMetrics.height());
        painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, row.label);
        place.moveTop(place.top() + strongMetrics.height() * 0.86);
        painter.setFont(small);
        painter.setPen(m_theme.mutedText);
        painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, row.caption);
    }
    painter.restore();
}

RowGeometry RunPainter::geometryOfRow(std::size_t row) const
{
    RowGeometry geometry;
    const PixelGrid grid = PixelGrid::of({m_visible, 0, m_layout.frame.width() - 2});
    layRow(m_picture.rows[row], row, coloursOf(m_picture, m_theme), grid, 1, geometry);
    return geometry;
}

QImage RunPainter::rasterRows(double scale) const
{
    RowsImage image;
    LabelCache labels;
    image.show({m_picture, m_layout, m_visible, m_theme, m_font, scale}, labels);
    while (image.lacksLabels())
        image.show({m_picture, m_layout, m_visible, m_theme, m_font, scale}, labels);
    return image.image().copy();
}

void RunPainter::paintRowAsVectors(QPainter& painter, std::size_t index) const
{
    const RowGeometry geometry = geometryOfRow(index);
    const QRectF place = m_layout.rowRect(static_cast<int>(index)).adjusted(1, 0, -1, 0);
    const auto rect = [&place](double from, double to) {
        from = std::max(from, -8.0);
        return QRectF(place.left() + from, place.top(), std::min(to, place.width() + 8) - from, place.height());
    };
    painter.setPen(Qt::NoPen);
    for (const GapRect& gap : gapRects(m_picture.rows[index], {m_visible, 0, place.width()})) {
        painter.fillRect(rect(gap.left, gap.right), m_theme.hatch);
        paintHatch(painter, rect(gap.left, gap.right), m_theme.hatchLine);
        painter.setPen(Qt::NoPen);
    }
    for (std::size_t pixel = 0; pixel < geometry.pixels.size(); ++pixel)
        if (const MixedPixel& mixed = geometry.pixels[pixel]; mixed.narrow > 0) {
            const auto from = static_cast<double>(pixel);
            painter.fillRect(rect(from, from + std::min(1.0, static_cast<double>(mixed.narrow))),
                             QColor(mixed.colour()));
        }
    painter.setRenderHint(QPainter::Antialiasing);
    for (const BarRect& bar : geometry.bars) {
        QRectF body = rect(bar.left, bar.right);
        painter.setBrush(QColor(bar.upper));
        painter.drawRoundedRect(body, 2, 2);
        if (bar.lower == bar.upper)
            continue;
        body.setTop(body.center().y());
        painter.setBrush(QColor(bar.lower));
        painter.drawRoundedRect(body, 2, 2);
    }
    painter.setPen(QPen(m_theme.canvas, 1));
    painter.setBrush(m_theme.text);
    const double half = std::min(5.0, place.height() / 2);
    for (const MomentMark& mark : geometry.moments) {
        const QPointF centre(place.left() + mark.x, place.center().y());
        painter.drawPolygon(QPolygonF({centre - QPointF(0, half), centre + QPointF(half * 0.8, 0),
                                       centre + QPointF(0, half), centre - QPointF(half * 0.8, 0)}));
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

void RunPainter::paintRowsAsVectors(QPainter& painter) const
{
    painter.save();
    painter.setClipRect(m_layout.frame);
    painter.fillRect(m_layout.frame, m_theme.canvas);
    LabelCache labels;
    BarLabels letters(painter, labels, m_picture, m_theme);
    for (std::size_t index = 0; index < m_picture.rows.size(); ++index) {
        paintRowAsVectors(painter, index);
        const QRectF place = m_layout.rowRect(static_cast<int>(index)).adjusted(1, 0, -1, 0);
        letters.use(barFont(m_font, place.height()));
        for (const BarRect& bar : geometryOfRow(index).bars)
            letters.paint(index, bar, place, 1);
    }
    painter.restore();
}

void RunPainter::paintFrame(QPainter& painter) const
{
    painter.save();
    painter.setPen(m_theme.border);
    painter.setBrush(Qt::NoBrush);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.drawRoundedRect(m_layout.frame.adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    painter.restore();
}

void RunPainter::paintCriticalPath(QPainter& painter) const
{
    if (m_picture.run->slack.empty())
        return;
    QVector<QRectF> outlines;
    for (std::size_t index = 0; index < m_picture.rows.size(); ++index) {
        const QRectF place = m_layout.rowRect(static_cast<int>(index));
        for (const BarRect& rect : geometryOfRow(index).bars)
            if (m_picture.rows[index].bars.critical(static_cast<std::size_t>(rect.bar)))
                outlines.append(QRectF(place.left() + 1 + rect.left + 0.75, place.top() + 0.75,
                                       rect.right - rect.left - 1.5, place.height() - 1.5));
    }
    painter.setPen(QPen(m_theme.cursor, 1.5));
    painter.setBrush(Qt::NoBrush);
    painter.drawRects(outlines);
}

void RunPainter::paintMarks(QPainter& painter, const RunPaintOptions& options) const
{
    painter.save();
    painter.setClipRect(m_layout.frame);
    if (options.criticalPath)
        paintCriticalPath(painter);
    const Pick& pick = options.picked;
    if (pick.kind != Pick::Kind::None && pick.row >= 0 && static_cast<std::size_t>(pick.row) < m_picture.rows.size()) {
        const TimelineRow& row = m_picture.rows[static_cast<std::size_t>(pick.row)];
        const auto index = static_cast<std::size_t>(pick.index);
        const TimeAxis axis = m_layout.axis(m_visible);
        const bool gap = pick.kind == Pick::Kind::Gap;
        if (index < (gap ? row.gaps.size() : row.bars.size())) {
            const double from = timeToPixel(axis, gap ? row.gaps[index].start : row.bars[index].start);
            const double to = timeToPixel(axis, gap ? row.gaps[index].end : row.bars[index].end);
            const QRectF place = m_layout.rowRect(pick.row);
            painter.setRenderHint(QPainter::Antialiasing);
            painter.setPen(QPen(m_theme.text, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(
                QRectF(from, place.top(), std::max(3.0, to - from - 1), place.height()).adjusted(0, 1, 0, -1), 2, 2);
        }
    }
    painter.restore();
}

} // namespace bubblescope::viz
