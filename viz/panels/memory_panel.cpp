#include "viz/panels/memory_panel.h"

#include "viz/charts/chart_render.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace bubblescope::viz {

MemoryPanel::MemoryPanel(RangeController& range) : m_legend(new ChartLegend(&paintDeviceLegend))
{
    auto* row = new QHBoxLayout;
    for (MemoryChart*& chart : m_charts) {
        chart = new MemoryChart;
        row->addWidget(chart, 1);
        connect(&range, &RangeController::visibleChanged, chart, &MemoryChart::setVisibleRange);
        chart->setVisibleRange(range.visible());
    }
    auto* column = new QVBoxLayout(this);
    setPanelMargins(*column);
    column->addLayout(row, 1);
    column->addWidget(m_legend);
}

void MemoryPanel::setRuns(const std::vector<RunPtr>& runs)
{
    for (std::size_t slot = 0; slot < m_charts.size(); ++slot) {
        const RunPtr run = slot < runs.size() ? runs[slot] : nullptr;
        m_charts[slot]->setRun(run, run ? memoryChartTitle(static_cast<int>(slot), *run) : QString());
        m_charts[slot]->setVisible(run != nullptr);
    }
    m_legend->setRuns(firstRuns(runs, m_charts.size()));
}

} // namespace bubblescope::viz
