// Theory, prediction and measurement side by side: a row per shown run, a column per figure, each
// saying in its heading which definition it is ("bubble" has several, and so has "B").

#pragma once

#include "viz/run/run_view.h"
#include "viz/timeline/interval.h"

#include <QAbstractTableModel>

#include <vector>

namespace bubblescope::viz {

class TheoryModel : public QAbstractTableModel {
    Q_OBJECT

public:
    using QAbstractTableModel::QAbstractTableModel;

    void setRuns(std::vector<RunPtr> runs);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// What the figure of a cell was computed from; nothing for words and formulas.
    std::vector<RunInterval> intervalsAt(const QModelIndex& index) const;

private:
    std::vector<RunPtr> m_runs;
};

} // namespace bubblescope::viz
