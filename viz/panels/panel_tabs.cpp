#include "viz/panels/panel_tabs.h"

#include "viz/charts/chart.h"

namespace bubblescope::viz {

PanelTabs::PanelTabs(QWidget* parent) : QTabWidget(parent)
{
    setAccessibleName(tr("Charts and tables"));
    setDocumentMode(true);
    connect(this, &QTabWidget::currentChanged, this, &PanelTabs::showCurrent);
}

void PanelTabs::add(RunPanel* panel, const QString& title)
{
    connect(panel, &RunPanel::intervalsAsked, this, &PanelTabs::intervalsAsked);
    connect(panel, &RunPanel::problem, this, &PanelTabs::problem);
    for (Chart* chart : panel->findChildren<Chart*>())
        connect(chart, &Chart::problem, this, &PanelTabs::problem);
    addTab(panel, title);
}

void PanelTabs::setRuns(const std::vector<RunPtr>& runs)
{
    m_runs = runs;
    showCurrent();
}

void PanelTabs::showCurrent()
{
    if (auto* panel = qobject_cast<RunPanel*>(currentWidget()))
        panel->setRuns(m_runs);
}

} // namespace bubblescope::viz
