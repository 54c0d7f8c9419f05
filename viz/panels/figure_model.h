// A table of figures as a model: columns that say what they mean, rows by number, and the intervals behind each cell.

#pragma once

#include "viz/timeline/interval.h"

#include <QAbstractTableModel>

#include <functional>
#include <vector>

namespace bubblescope::viz {

struct FigureColumn {
    QString heading;
    QString meaning; ///< tooltip of the heading
    std::function<QString(int row)> text;
    std::function<QVariant(int row)> key; ///< what it is sorted by; null: the text, which then stands at the left
    std::function<std::vector<RunInterval>(int row)> intervals = nullptr; ///< null: those of the row
};

class FigureModel : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role { KeyRole = Qt::UserRole };

    using QAbstractTableModel::QAbstractTableModel;

    void set(std::vector<FigureColumn> columns, int rows,
             std::function<std::vector<RunInterval>(int row)> intervals = nullptr);

    /// What the figure of a cell was computed from.
    std::vector<RunInterval> intervalsAt(const QModelIndex& index) const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    std::vector<FigureColumn> m_columns;
    int m_rows = 0;
    std::function<std::vector<RunInterval>(int row)> m_intervals;
};

/// "+3.00 ms", "−3.00 ms": a difference.
QString signedTime(Nanoseconds time);

} // namespace bubblescope::viz
