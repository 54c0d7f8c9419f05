// The list of runs: the predictions that follow the form, the one being executed, and what is stored.

#pragma once

#include "viz/document/workbench.h"

#include <QAbstractListModel>
#include <QStyledItemDelegate>

namespace bubblescope::viz {

class RunModel : public QAbstractListModel {
    Q_OBJECT

public:
    enum Role {
        NumberRole = Qt::UserRole, ///< as in Workbench
        LetterRole,                ///< "A" where the run is shown, else empty
        FactsRole,                 ///< "36.5 ms · bubble 31.4 %"
    };

    explicit RunModel(Workbench& workbench, QObject* parent = nullptr);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

    int numberAt(int row) const { return m_entries[static_cast<std::size_t>(row)].number; }

    /// −1 when there is none.
    int rowOf(int number) const;

private:
    struct Entry {
        int number = 0;
        QString title;
        QString letter;
        QString facts;
        QString hint;
    };

    std::vector<Entry> entriesNow() const;
    void refresh();

    Workbench& m_workbench;
    std::vector<Entry> m_entries;
};

/// A card with the letter, the title and the facts of a run.
class RunDelegate : public QStyledItemDelegate {
    Q_OBJECT

public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

} // namespace bubblescope::viz
