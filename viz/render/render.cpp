#include "viz/render/render.h"

#include "core/base/error.h"
#include "viz/charts/chart_render.h"
#include "viz/timeline/timeline_stack.h"

#include <QApplication>
#include <QFileInfo>
#include <QPageLayout>
#include <QPdfWriter>
#include <QSvgGenerator>

namespace bubblescope::viz {
namespace {

struct Scene {
    std::vector<RunPicture> pictures;
    TimelineMetrics metrics;
    double padding = 8;

    Scene(const std::vector<RunPtr>& runs, const QFont& font) : pictures(picturesOf(runs, RowOptions{})), metrics(font)
    {
    }

    int rows() const
    {
        int count = 0;
        for (const RunPicture& picture : pictures)
            count += static_cast<int>(picture.rows.size());
        return count;
    }

    double heightWith(double row) const
    {
        double height = metrics.rulerHeight + metrics.legendHeight + 2 * padding;
        for (const RunPicture& picture : pictures)
            height += heightOfRun(metrics, static_cast<int>(picture.rows.size()), row);
        return height;
    }
};

QSize sizeOf(const std::vector<RunPtr>& runs, const RenderOptions& options)
{
    if (!options.size.isEmpty())
        return options.size;
    constexpr int width = 1200;
    if (options.view == RenderView::Timeline)
        return timelineSize(runs, QApplication::font(), width);
    return {width, 420};
}

[[noreturn]] void refuse(const QString& path)
{
    throw Error("{} can't be written: the folder is missing or read-only. Choose another place.", path.toStdString());
}

void renderPng(const std::vector<RunPtr>& runs, const QString& path, const RenderOptions& options, QSize size)
{
    QImage image(size * options.scale, QImage::Format_RGB32);
    image.setDevicePixelRatio(options.scale);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::TextAntialiasing);
    paintPicture(painter, QRectF(QPointF(), size), runs, options, false);
    painter.end();
    if (!image.save(path, "PNG"))
        refuse(path);
}

void renderSvg(const std::vector<RunPtr>& runs, const QString& path, const RenderOptions& options, QSize size)
{
    QSvgGenerator generator;
    generator.setFileName(path);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(), size));
    generator.setResolution(96); // points of the fonts become the pixels of the layout
    generator.setTitle(QStringLiteral("Bubblescope"));
    QPainter painter;
    if (!painter.begin(&generator))
        refuse(path);
    paintPicture(painter, QRectF(QPointF(), size), runs, options, true);
}

void renderPdf(const std::vector<RunPtr>& runs, const QString& path, const RenderOptions& options, QSize size)
{
    QPdfWriter writer(path);
    writer.setTitle(QStringLiteral("Bubblescope"));
    writer.setResolution(96);
    writer.setPageSize(QPageSize(QSizeF(size) * 0.75, QPageSize::Point)); // 96 pixels are 72 points
    writer.setPageMargins(QMarginsF());
    QPainter painter;
    if (!painter.begin(&writer))
        refuse(path);
    paintPicture(painter, QRectF(QPointF(), size), runs, options, true);
}

} // namespace

QSize timelineSize(const std::vector<RunPtr>& runs, const QFont& font, int width)
{
    const Scene scene(runs, font);
    const double row = scene.rows() > 24 ? scene.metrics.smallestRow * 1.4 : scene.metrics.pleasantRow;
    return {width, static_cast<int>(std::ceil(scene.heightWith(row)))};
}

void paintTimelines(QPainter& painter, const QRectF& area, const std::vector<RunPtr>& runs, const Theme& theme,
                    const QFont& font, bool vectors)
{
    const Scene scene(runs, font);
    const TimeRange visible = rangeOfRuns(runs);
    const double room = area.height() - scene.heightWith(0);
    const double row =
        std::max(4.0, std::min(std::floor(room / std::max(1, scene.rows())), scene.metrics.pleasantRow * 1.6));
    double top = area.top() + scene.padding;
    RunLayout places;
    std::vector<const RunPicture*> shown;
    for (const RunPicture& picture : scene.pictures) {
        const int rows = static_cast<int>(picture.rows.size());
        const double height = heightOfRun(scene.metrics, rows, row);
        places = layoutRun(QRectF(area.left(), top, area.width(), height), rows, scene.metrics, row);
        const RunPainter run(picture, places, visible, theme, font);
        run.paintHeader(painter);
        run.paintLabels(painter);
        if (vectors)
            run.paintRowsAsVectors(painter);
        else
            painter.drawImage(places.frame.topLeft(), run.rasterRows(painter.device()->devicePixelRatioF()));
        run.paintFrame(painter);
        shown.push_back(&picture);
        top += height;
    }
    const double right = area.right() - scene.metrics.margin / 2;
    paintRuler(painter, QRectF(area.left(), top, right - area.left(), scene.metrics.rulerHeight), places.axis(visible),
               theme, font);
    top += scene.metrics.rulerHeight;
    paintLegend(painter, QRectF(places.frame.left(), top, places.frame.width(), scene.metrics.legendHeight), shown,
                theme, font);
}

void paintPicture(QPainter& painter, const QRectF& area, const std::vector<RunPtr>& runs, const RenderOptions& options,
                  bool vectors)
{
    const Theme& theme = options.dark ? darkTheme() : lightTheme();
    painter.fillRect(area, theme.canvas);
    const QFont font = QApplication::font();
    switch (options.view) {
    case RenderView::Timeline:
        paintTimelines(painter, area, runs, theme, font, vectors);
        break;
    case RenderView::Bubbles:
        paintBubbleCharts(painter, area, runs, theme);
        break;
    case RenderView::Memory:
        paintMemoryCharts(painter, area, runs, theme);
        break;
    }
}

void render(const std::vector<RunPtr>& runs, const QString& path, const RenderOptions& options)
{
    if (runs.empty())
        throw Error("there is nothing to draw: name at least one run, such as demo.bscope:1.");
    const QString ending = QFileInfo(path).suffix().toLower();
    const QSize size = sizeOf(runs, options);
    if (ending == QLatin1String("png"))
        renderPng(runs, path, options, size);
    else if (ending == QLatin1String("svg"))
        renderSvg(runs, path, options, size);
    else if (ending == QLatin1String("pdf"))
        renderPdf(runs, path, options, size);
    else
        throw Error("'{}' doesn't end in .png, .svg or .pdf, the pictures that can be written.", path.toStdString());
}

} // namespace bubblescope::viz
