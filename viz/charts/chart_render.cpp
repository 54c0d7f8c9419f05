#include "viz/charts/chart_render.h"

#include "viz/charts/bubble_chart.h"
#include "viz/charts/memory_chart.h"

#include <QApplication>
#include <QFontMetricsF>

#include <cmath>

namespace bubblescope::viz {
namespace {

QString letter(int slot)
{
    return {QChar(u'A' + slot)};
}

/// Up to three charts in a row, in cells of one size.
template <class Chart>
void paintCharts(QPainter& painter, const QRectF& area, const std::vector<RunPtr>& runs, const Theme& theme,
                 QString (*title)(int, const RunView&))
{
    const int columns = static_cast<int>(std::min<std::size_t>(3, runs.size()));
    const int rows = (static_cast<int>(runs.size()) + columns - 1) / columns;
    const QSizeF cell(std::floor(area.width() / columns), std::floor(area.height() / rows));
    for (int slot = 0; slot < static_cast<int>(runs.size()); ++slot) {
        Chart chart;
        chart.setTheme(theme);
        chart.setRun(runs[static_cast<std::size_t>(slot)], title(slot, *runs[static_cast<std::size_t>(slot)]));
        painter.save();
        const int row = slot / columns;
        painter.translate(area.left() + (slot % columns) * cell.width(), area.top() + row * cell.height());
        QCPPainter vectors;
        chart.setViewport(QRect(0, 0, static_cast<int>(cell.width()), static_cast<int>(cell.height())));
        QPicture picture;
        vectors.begin(&picture);
        vectors.setMode(QCPPainter::pmVectorized);
        vectors.setMode(QCPPainter::pmNoCaching);
        chart.toPainter(&vectors, static_cast<int>(cell.width()), static_cast<int>(cell.height()));
        vectors.end();
        painter.drawPicture(0, 0, picture);
        painter.restore();
    }
}

} // namespace

QString bubbleChartTitle(int slot, const RunView& run)
{
    return QCoreApplication::translate("Charts", "%1 · %2 · where each device's time goes")
        .arg(letter(slot), titleWithLabel(run));
}

QString memoryChartTitle(int slot, const RunView& run)
{
    return QCoreApplication::translate("Charts", "%1 · %2 · live activations").arg(letter(slot), titleWithLabel(run));
}

void paintBubbleCharts(QPainter& painter, const QRectF& area, const std::vector<RunPtr>& runs, const Theme& theme)
{
    const QFont font = QApplication::font();
    const double legend = QFontMetricsF(font).height() * 1.8;
    paintCharts<BubbleChart>(painter, area.adjusted(8, 8, -8, -legend), runs, theme, &bubbleChartTitle);
    paintCauseLegend(painter, QRectF(area.left() + legend, area.bottom() - legend, area.width(), legend), runs, theme,
                     font);
}

void paintMemoryCharts(QPainter& painter, const QRectF& area, const std::vector<RunPtr>& runs, const Theme& theme)
{
    const QFont font = QApplication::font();
    const double legend = QFontMetricsF(font).height() * 1.8;
    paintCharts<MemoryChart>(painter, area.adjusted(8, 8, -8, -legend), runs, theme, &memoryChartTitle);
    paintDeviceLegend(painter, QRectF(area.left() + legend, area.bottom() - legend, area.width() - legend, legend),
                      runs, theme, font);
}

} // namespace bubblescope::viz
