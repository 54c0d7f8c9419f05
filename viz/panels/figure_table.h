// A table of figures as all panels have it: sortable, copied with Ctrl+C, saved as CSV, opened with Return or a click.

#pragma once

#include <QTableView>

class QAbstractItemModel;

namespace bubblescope::viz {

class FigureTable : public QTableView {
    Q_OBJECT

public:
    /// `name` is what it is called for those who can't see it, and the name of its files.
    FigureTable(QAbstractItemModel* model, const QString& name, QWidget* parent = nullptr);

Q_SIGNALS:
    /// A person wants to see where this figure comes from.
    void opened(const QModelIndex& index);
    void problem(const QString& sentence);

protected:
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void copyRows();
    void saveRows();
};

} // namespace bubblescope::viz
