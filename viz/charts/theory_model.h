// Theory, prediction and measurement side by side: a row per shown run, a column per figure, each
// saying which definition it is.

#pragma once

#include "viz/run/run_view.h"

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

private:
    std::vector<RunPtr> m_runs;
};

} // namespace bubblescope::viz
