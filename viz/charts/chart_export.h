// A chart as a file or on the clipboard: one implementation for all of them.

#pragma once

#include "viz/charts/chart_table.h"

#include <QString>

class QWidget;

namespace bubblescope::viz {

class Chart;

enum class ChartFormat { Png, Svg, Pdf, Csv };

inline constexpr ChartFormat chartFormats[] = {ChartFormat::Png, ChartFormat::Svg, ChartFormat::Pdf, ChartFormat::Csv};

/// "PNG"; in small letters the ending of its files.
QString formatName(ChartFormat format);

/// Writes what the ending of `path` says, as large as on screen; pictures in pixels with all that the screen has.
/// Throws Error with a sentence.
void saveChart(Chart& chart, const QString& path);

/// Writes a table as CSV. Throws Error with a sentence.
void saveTable(const ChartTable& table, const QString& path);

/// Asks for a file first. Says why it didn't work; empty when it did or nobody wanted it any more.
QString askAndSave(Chart& chart, ChartFormat format);

/// The picture, and its values beside it for programs that take text.
void copyPicture(Chart& chart);

/// With tabs as text and as text/csv.
void copyTable(const ChartTable& table);

/// The same as askAndSave for figures that stand in a table.
QString askAndSaveTable(QWidget& parent, const ChartTable& table, const QString& title);

} // namespace bubblescope::viz
