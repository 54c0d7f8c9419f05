// All runs as a table to sort: the predictions that follow the form, the one being executed, and what is stored.

#pragma once

#include "viz/document/workbench.h"

#include <QAbstractTableModel>

namespace bubblescope::viz {

class RunTable : public QAbstractTableModel {
    Q_OBJECT

public:
    enum Role {
        KeyRole = Qt::UserRole, ///< what a column is sorted by
        NumberRole,             ///< as in Workbench
    };

    /// In the order on screen.
    enum Column { Shown, Title, Kind, Makespan, Bubble, Peak, Throughput, Verified, Schedule, Date, Spans, columns };

    explicit RunTable(Workbench& workbench, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

private:
    struct Row {
        int number = 0;
        int slot = -1; ///< of its letter; −1: not shown
        QString title;
        QString kind;
        Nanoseconds makespan = -1; ///< below 0: unknown, as all of these
        double bubble = -1;
        double peak = -1;
        double throughput = -1;
        QString verified;
        QString schedule;
        std::int64_t created = 0; ///< Unix time in ms; 0: now
        std::int64_t spans = -1;
        QString note;
    };

    static void takeRun(Row& row, const RunView& run);
    static void takeStored(Row& row, const RunInfo& info);
    std::vector<Row> rowsNow() const;
    void refresh();
    QVariant textOf(const Row& row, int column) const;
    QVariant keyOf(const Row& row, int column) const;

    Workbench& m_workbench;
    std::vector<Row> m_rows;
};

} // namespace bubblescope::viz
