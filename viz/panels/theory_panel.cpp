#include "viz/panels/theory_panel.h"

#include "viz/charts/theory_model.h"

#include <QHeaderView>
#include <QTableView>
#include <QVBoxLayout>

namespace bubblescope::viz {

TheoryPanel::TheoryPanel() : m_model(new TheoryModel(this))
{
    auto* table = new QTableView;
    table->setModel(m_model);
    table->setAccessibleName(tr("Theory against measurement"));
    table->setShowGrid(false);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setFrameShape(QFrame::NoFrame);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    table->horizontalHeader()->setHighlightSections(false);
    table->verticalHeader()->setHighlightSections(false);
    table->setCornerButtonEnabled(false);
    auto* column = new QVBoxLayout(this);
    setPanelMargins(*column);
    column->addWidget(table);
}

void TheoryPanel::setRuns(const std::vector<RunPtr>& runs)
{
    m_model->setRuns(runs);
}

} // namespace bubblescope::viz
