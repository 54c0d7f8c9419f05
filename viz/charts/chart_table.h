// What a chart shows, as a table: the form in which its values leave the program.

#pragma once

#include <QString>
#include <QStringList>

#include <vector>

class QAbstractItemModel;

namespace bubblescope::viz {

struct ChartTable {
    QStringList headings; ///< with units: "idle_ms"
    std::vector<QStringList> rows;
};

/// Comma separated values (RFC 4180): a heading line, a decimal point whatever the language is.
QString toCsv(const ChartTable& table);

/// Separated by tabs, as spreadsheets take it from the clipboard.
QString toTabs(const ChartTable& table);

/// A number with all its digits, a decimal point, and no grouping.
QString cellText(double number);

/// The display texts of a model, in its order.
ChartTable tableOf(const QAbstractItemModel& model);

} // namespace bubblescope::viz
