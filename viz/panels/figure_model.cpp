#include "viz/panels/figure_model.h"

#include "viz/timeline/time_text.h"

namespace bubblescope::viz {

void FigureModel::set(std::vector<FigureColumn> columns, int rows,
                      std::function<std::vector<RunInterval>(int row)> intervals)
{
    beginResetModel();
    m_columns = std::move(columns);
    m_rows = rows;
    m_intervals = std::move(intervals);
    endResetModel();
}

std::vector<RunInterval> FigureModel::intervalsAt(const QModelIndex& index) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const FigureColumn& column = m_columns[static_cast<std::size_t>(index.column())];
    if (column.intervals)
        return column.intervals(index.row());
    return m_intervals ? m_intervals(index.row()) : std::vector<RunInterval>{};
}

int FigureModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : m_rows;
}

int FigureModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_columns.size());
}

QVariant FigureModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const FigureColumn& column = m_columns[static_cast<std::size_t>(index.column())];
    switch (role) {
    case Qt::DisplayRole:
        return column.text(index.row());
    case KeyRole:
        return column.key ? column.key(index.row()) : QVariant(column.text(index.row()));
    case Qt::TextAlignmentRole:
        return {(column.key ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter};
    default:
        return {};
    }
}

QVariant FigureModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical || section < 0 || section >= columnCount())
        return {};
    const FigureColumn& column = m_columns[static_cast<std::size_t>(section)];
    switch (role) {
    case Qt::DisplayRole:
        return column.heading;
    case Qt::ToolTipRole:
        return column.meaning;
    case Qt::TextAlignmentRole:
        return {(column.key ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter};
    default:
        return {};
    }
}

QString signedTime(Nanoseconds time)
{
    if (time == 0)
        return QStringLiteral("0");
    return (time > 0 ? QStringLiteral("+") : QStringLiteral("−")) + timeText(time > 0 ? time : -time);
}

} // namespace bubblescope::viz
