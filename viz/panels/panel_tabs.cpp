#include "viz/panels/panel_tabs.h"

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
