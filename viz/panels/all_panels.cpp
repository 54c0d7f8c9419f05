#include "viz/panels/all_panels.h"

#include "viz/document/workbench.h"
#include "viz/panels/bubble_panel.h"
#include "viz/panels/compare_panel.h"
#include "viz/panels/kernel_panel.h"
#include "viz/panels/link_panel.h"
#include "viz/panels/memory_panel.h"
#include "viz/panels/panel_tabs.h"
#include "viz/panels/pareto_panel.h"
#include "viz/panels/runs_panel.h"
#include "viz/panels/sweep_panel.h"
#include "viz/panels/theory_panel.h"
#include "viz/timeline/timeline_stack.h"

#include <QCoreApplication>

namespace bubblescope::viz {
namespace {

QString tr(const char* title)
{
    return QCoreApplication::translate("Panels", title);
}

} // namespace

void addPanels(PanelTabs& tabs, Workbench& workbench, TimelineStack& stack)
{
    tabs.add(new BubblePanel(stack), tr("Bubbles"));
    tabs.add(new MemoryPanel(workbench, stack.range()), tr("Memory"));
    tabs.add(new ComparePanel, tr("Compare"));
    tabs.add(new TheoryPanel, tr("Theory vs. measured"));
    tabs.add(new RunsPanel(workbench), tr("Runs"));
    tabs.add(new SweepPanel(workbench), tr("Sweep"));
    tabs.add(new ParetoPanel(workbench), tr("Pareto"));
    tabs.add(new LinkPanel, tr("Links"));
    tabs.add(new KernelPanel, tr("Kernels"));
    QObject::connect(&tabs, &PanelTabs::intervalsAsked, &stack, &TimelineStack::showIntervals);
    QObject::connect(&tabs, &PanelTabs::problem, &workbench, &Workbench::problem);
}

} // namespace bubblescope::viz
