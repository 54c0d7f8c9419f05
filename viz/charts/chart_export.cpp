#include "viz/charts/chart_export.h"

#include "core/base/error.h"
#include "viz/charts/chart.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QPdfWriter>
#include <QSaveFile>
#include <QSvgGenerator>

namespace bubblescope::viz {
namespace {

[[noreturn]] void refuse(const QString& path)
{
    throw Error("{} can't be written: the folder is missing or read-only, or the disk is full. Choose another place.",
                path.toStdString());
}

/// Vectors, whatever the device.
void paintOn(Chart& chart, QPaintDevice& device, QSize size, const QString& path)
{
    QCPPainter painter;
    if (!painter.begin(&device))
        refuse(path);
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    chart.toPainter(&painter, size.width(), size.height());
    if (!painter.end())
        refuse(path);
}

void savePng(Chart& chart, const QString& path, QSize size)
{
    const double ratio = chart.devicePixelRatioF();
    QImage image = chart.toPixmap(size.width(), size.height(), ratio).toImage();
    image.setDevicePixelRatio(ratio);
    image.setDotsPerMeterX(static_cast<int>(96 * ratio / 0.0254));
    image.setDotsPerMeterY(static_cast<int>(96 * ratio / 0.0254));
    if (!image.save(path, "PNG"))
        refuse(path);
}

void saveSvg(Chart& chart, const QString& path, QSize size)
{
    QSvgGenerator generator;
    generator.setFileName(path);
    generator.setSize(size);
    generator.setViewBox(QRect(QPoint(), size));
    generator.setResolution(96); // points of the fonts become the pixels of the layout
    generator.setTitle(chart.title());
    paintOn(chart, generator, size, path);
}

void savePdf(Chart& chart, const QString& path, QSize size)
{
    QPdfWriter writer(path);
    writer.setTitle(chart.title());
    writer.setResolution(96);
    writer.setPageSize(QPageSize(QSizeF(size) * 0.75, QPageSize::Point)); // 96 pixels are 72 points
    writer.setPageMargins(QMarginsF());
    paintOn(chart, writer, size, path);
}

/// A title as the name of a file.
QString fileNameOf(const QString& title, const QString& ending)
{
    QString name;
    for (const QChar letter : title)
        if (letter.isLetterOrNumber() || letter == QLatin1Char('-'))
            name += letter;
        else if (!name.isEmpty() && !name.endsWith(QLatin1Char('-')))
            name += QLatin1Char('-');
    while (name.endsWith(QLatin1Char('-')))
        name.chop(1);
    return (name.isEmpty() ? QStringLiteral("chart") : name) + QLatin1Char('.') + ending;
}

/// Asks where, and hands the path on. The sentence of what went wrong, or nothing.
template <class Save>
QString askWhere(QWidget& parent, const QString& title, const QString& format, Save save)
{
    const QString ending = format.toLower();
    QFileDialog dialog(&parent, QCoreApplication::translate("ChartExport", "Save as %1").arg(format));
    dialog.setAcceptMode(QFileDialog::AcceptSave);
    dialog.setNameFilter(QStringLiteral("%1 (*.%2)").arg(format, ending));
    dialog.setDefaultSuffix(ending);
    dialog.selectFile(fileNameOf(title, ending));
    if (dialog.exec() != QDialog::Accepted || dialog.selectedFiles().isEmpty())
        return {};
    try {
        save(dialog.selectedFiles().constFirst());
    } catch (const Error& error) {
        return QString::fromUtf8(error.what());
    }
    return {};
}

} // namespace

QString formatName(ChartFormat format)
{
    switch (format) {
    case ChartFormat::Png:
        return QStringLiteral("PNG");
    case ChartFormat::Svg:
        return QStringLiteral("SVG");
    case ChartFormat::Pdf:
        return QStringLiteral("PDF");
    case ChartFormat::Csv:
        return QStringLiteral("CSV");
    }
    return {};
}

void saveChart(Chart& chart, const QString& path)
{
    const QSize size = chart.size().expandedTo({160, 120});
    const QString ending = QFileInfo(path).suffix().toLower();
    if (ending == QLatin1String("png"))
        savePng(chart, path, size);
    else if (ending == QLatin1String("svg"))
        saveSvg(chart, path, size);
    else if (ending == QLatin1String("pdf"))
        savePdf(chart, path, size);
    else if (ending == QLatin1String("csv"))
        saveTable(chart.table(), path);
    else
        throw Error("'{}' doesn't end in .png, .svg, .pdf or .csv, the files that a chart can be saved as.",
                    path.toStdString());
}

void saveTable(const ChartTable& table, const QString& path)
{
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(toCsv(table).toUtf8()) < 0 || !file.commit())
        refuse(path);
}

QString askAndSave(Chart& chart, ChartFormat format)
{
    return askWhere(chart, chart.title(), formatName(format), [&](const QString& path) { saveChart(chart, path); });
}

void copyPicture(Chart& chart)
{
    auto* data = new QMimeData;
    data->setImageData(chart.toPixmap(chart.width(), chart.height(), chart.devicePixelRatioF()).toImage());
    data->setText(toTabs(chart.table()));
    QApplication::clipboard()->setMimeData(data);
}

void copyTable(const ChartTable& table)
{
    auto* data = new QMimeData;
    data->setText(toTabs(table));
    data->setData(QStringLiteral("text/csv"), toCsv(table).toUtf8());
    QApplication::clipboard()->setMimeData(data);
}

QString askAndSaveTable(QWidget& parent, const ChartTable& table, const QString& title)
{
    return askWhere(parent, title, QStringLiteral("CSV"), [&](const QString& path) { saveTable(table, path); });
}

} // namespace bubblescope::viz
