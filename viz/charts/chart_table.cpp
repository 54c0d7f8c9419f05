#include "viz/charts/chart_table.h"

#include <QAbstractItemModel>

namespace bubblescope::viz {
namespace {

QString quoted(QString cell)
{
    if (!cell.contains(QLatin1Char(',')) && !cell.contains(QLatin1Char('"')) && !cell.contains(QLatin1Char('\n')))
        return cell;
    return QLatin1Char('"') + cell.replace(QLatin1Char('"'), QLatin1String("\"\"")) + QLatin1Char('"');
}

template <class Cell>
QString joined(const ChartTable& table, QChar separator, Cell cell)
{
    QString text;
    const auto add = [&](const QStringList& row) {
        for (qsizetype column = 0; column < row.size(); ++column)
            text += (column > 0 ? QString(separator) : QString()) + cell(row[column]);
        text += QLatin1Char('\n');
    };
    add(table.headings);
    for (const QStringList& row : table.rows)
        add(row);
    return text;
}

} // namespace

QString toCsv(const ChartTable& table)
{
    return joined(table, QLatin1Char(','), quoted);
}

QString toTabs(const ChartTable& table)
{
    return joined(table, QLatin1Char('\t'), [](const QString& cell) { return cell.simplified(); });
}

QString cellText(double number)
{
    return QString::number(number, 'g', 12);
}

ChartTable tableOf(const QAbstractItemModel& model)
{
    ChartTable table;
    for (int column = 0; column < model.columnCount(); ++column)
        table.headings << model.headerData(column, Qt::Horizontal).toString();
    for (int row = 0; row < model.rowCount(); ++row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(); ++column)
            cells << model.index(row, column).data().toString();
        table.rows.push_back(cells);
    }
    return table;
}

} // namespace bubblescope::viz
