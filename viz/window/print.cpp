#include "viz/window/print.h"

#include "core/base/error.h"
#include "viz/render/render.h"

#include <QApplication>
#include <QPainter>
#include <QPrinter>

namespace bubblescope::viz {
namespace {

/// More bars than this are printed as a picture: a printer's file with millions of shapes opens nowhere.
constexpr std::size_t mostShapes = 50'000;

/// The layout is made for the screen's pixels; a page is this many of them wide.
constexpr double pageWidth = 1000;

bool fewShapes(const std::vector<RunPtr>& runs)
{
    std::size_t all = 0;
    for (const RunPtr& run : runs)
        all += run->trace.spanCount();
    return all <= mostShapes;
}

} // namespace

void printRuns(QPrinter& printer, const std::vector<RunPtr>& runs, const QString& title)
{
    if (runs.empty())
        throw Error(QApplication::translate("Print", "There is nothing to print: show a run first.").toStdString());
    QPainter painter;
    if (!painter.begin(&printer))
        throw Failure(QApplication::translate("Print", "The printer or its file can't be written. Choose another one.")
                          .toStdString());
    const QSizeF page = QSizeF(printer.width(), printer.height()) * (pageWidth / printer.width());
    painter.scale(printer.width() / pageWidth, printer.width() / pageWidth);
    const QFont font = QApplication::font();
    const double heading = QFontMetricsF(font).height() * 2;
    const auto drawHeading = [&](int number) {
        painter.setFont(font);
        painter.setPen(lightTheme().mutedText);
        const QRectF line(0, 0, page.width(), heading);
        painter.drawText(line, Qt::AlignLeft | Qt::AlignTop, title);
        painter.drawText(line, Qt::AlignRight | Qt::AlignTop, QString::number(number));
    };
    drawHeading(1);
    RenderOptions options;
    const QSizeF wanted = timelineSize(runs, font, static_cast<int>(pageWidth));
    paintPicture(painter, QRectF(0, heading, page.width(), std::min(wanted.height(), page.height() - heading)), runs,
                 options, fewShapes(runs));
    if (!printer.newPage())
        throw Failure(QApplication::translate("Print", "The printer stopped after the first page.").toStdString());
    drawHeading(2);
    const double half = (page.height() - heading) / 2;
    options.view = RenderView::Bubbles;
    paintPicture(painter, QRectF(0, heading, page.width(), std::min(half, page.width() / 2) - heading), runs, options,
                 true);
    options.view = RenderView::Memory;
    paintPicture(
        painter,
        QRectF(0, heading + std::min(half, page.width() / 2), page.width(), std::min(half, page.width() / 2) - heading),
        runs, options, true);
}

} // namespace bubblescope::viz
