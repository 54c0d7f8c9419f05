#include "viz/panels/figure_table.h"

#include "viz/charts/chart_export.h"

#include <QAction>
#include <QHeaderView>
#include <QKeyEvent>

#include <set>

namespace bubblescope::viz {

FigureTable::FigureTable(QAbstractItemModel* model, const QString& name, QWidget* parent) : QTableView(parent)
{
    setModel(model);
    setAccessibleName(name);
    setShowGrid(false);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setFrameShape(QFrame::NoFrame);
    setCornerButtonEnabled(false);
    setWordWrap(false);
    setTabKeyNavigation(false); // Tab leaves the table
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    verticalHeader()->setHighlightSections(false);
    verticalHeader()->setDefaultSectionSize(fontMetrics().height() * 3 / 2);
    verticalHeader()->setMinimumSectionSize(fontMetrics().height() * 3 / 2);
    auto* copy = new QAction(tr("Copy rows") + QStringLiteral("\tCtrl+C"), this);
    connect(copy, &QAction::triggered, this, &FigureTable::copyRows);
    auto* save = new QAction(tr("Save as CSV …"), this);
    connect(save, &QAction::triggered, this, &FigureTable::saveRows);
    addActions({copy, save});
    setContextMenuPolicy(Qt::ActionsContextMenu);
    connect(this, &QTableView::clicked, this, &FigureTable::opened);
}

bool FigureTable::event(QEvent* event)
{
    // Before the window's own Ctrl+C.
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->matches(QKeySequence::Copy)) {
        event->accept();
        return true;
    }
    return QTableView::event(event);
}

void FigureTable::keyPressEvent(QKeyEvent* event)
{
    if (event->matches(QKeySequence::Copy))
        return copyRows();
    if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && currentIndex().isValid())
        Q_EMIT opened(currentIndex());
    else
        QTableView::keyPressEvent(event);
}

void FigureTable::copyRows()
{
    ChartTable table = tableOf(*model());
    std::set<int> rows; // in the order on screen
    for (const QModelIndex& index : selectionModel()->selectedIndexes())
        rows.insert(index.row());
    if (!rows.empty()) {
        std::vector<QStringList> kept;
        for (const int row : rows)
            kept.push_back(table.rows[static_cast<std::size_t>(row)]);
        table.rows = std::move(kept);
    }
    copyTable(table);
}

void FigureTable::saveRows()
{
    const QString sentence = askAndSaveTable(*this, tableOf(*model()), accessibleName());
    if (!sentence.isEmpty())
        Q_EMIT problem(sentence);
}

} // namespace bubblescope::viz
