#include "viz/panels/theory_panel.h"

#include "viz/charts/theory_model.h"
#include "viz/panels/figure_table.h"

#include <QHeaderView>
#include <QVBoxLayout>

namespace bubblescope::viz {

TheoryPanel::TheoryPanel() : m_model(new TheoryModel(this))
{
    auto* table = new FigureTable(m_model, tr("Theory against measurement"));
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    connect(table, &FigureTable::problem, this, &RunPanel::problem);
    connect(table, &FigureTable::opened, this,
            [this](const QModelIndex& index) { Q_EMIT intervalsAsked(m_model->intervalsAt(index)); });
    auto* column = new QVBoxLayout(this);
    setPanelMargins(*column);
    column->addWidget(table);
}

void TheoryPanel::setRuns(const std::vector<RunPtr>& runs)
{
    m_model->setRuns(runs);
}

} // namespace bubblescope::viz
