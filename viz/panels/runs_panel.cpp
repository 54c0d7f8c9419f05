#include "viz/panels/runs_panel.h"

#include "viz/panels/figure_table.h"
#include "viz/runs/run_table.h"
#include "viz/timeline/timeline_stack.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QSortFilterProxyModel>
#include <QVBoxLayout>

namespace bubblescope::viz {

RunsPanel::RunsPanel(Workbench& workbench)
    : m_workbench(workbench), m_model(new RunTable(workbench, this)), m_sorted(new QSortFilterProxyModel(this))
{
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(RunTable::KeyRole);
    m_table = new FigureTable(m_sorted, tr("All runs"));
    m_table->setObjectName(QStringLiteral("allRuns"));
    m_table->setSortingEnabled(true);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder); // as in the document, until a person sorts
    m_table->installEventFilter(this);
    connect(m_table, &FigureTable::problem, this, &RunPanel::problem);
    connect(m_table, &QTableView::doubleClicked, this,
            [this](const QModelIndex& index) { m_workbench.toggleShown(index.data(RunTable::NumberRole).toInt()); });
    auto* column = new QVBoxLayout(this);
    setPanelMargins(*column);
    column->addWidget(m_table);
}

void RunsPanel::setRuns(const std::vector<RunPtr>&)
{
    if (!m_sized || m_table->columnWidth(RunTable::Title) == 0)
        m_table->resizeColumnsToContents();
    m_sized = m_sorted->rowCount() > 0;
}

bool RunsPanel::eventFilter(QObject* watched, QEvent* event)
{
    const auto* key = event->type() == QEvent::KeyPress || event->type() == QEvent::ShortcutOverride
                          ? static_cast<QKeyEvent*>(event)
                          : nullptr;
    const QModelIndex current = m_table->currentIndex();
    if (watched != m_table || key == nullptr || !current.isValid() ||
        (key->modifiers() & ~Qt::ShiftModifier) != Qt::NoModifier)
        return RunPanel::eventFilter(watched, event);
    const int slot = key->key() - Qt::Key_A;
    const bool letter = slot >= 0 && slot < TimelineStack::mostRuns;
    if (!letter && key->key() != Qt::Key_Space)
        return RunPanel::eventFilter(watched, event);
    if (event->type() == QEvent::ShortcutOverride) {
        event->accept(); // before a menu or the timelines take it
        return true;
    }
    const int number = current.data(RunTable::NumberRole).toInt();
    const int shown = static_cast<int>(m_workbench.shown().size());
    if (letter)
        m_workbench.show(number, std::min(slot, shown));
    else
        m_workbench.toggleShown(number);
    return true;
}

} // namespace bubblescope::viz
