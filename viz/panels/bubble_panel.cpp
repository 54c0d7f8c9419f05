#include "viz/panels/bubble_panel.h"

#include "viz/charts/chart_render.h"

#include <QHBoxLayout>
#include <QVBoxLayout>

namespace bubblescope::viz {

BubblePanel::BubblePanel() : m_legend(new ChartLegend(&paintCauseLegend))
{
    auto* row = new QHBoxLayout;
    for (BubbleChart*& chart : m_charts) {
        chart = new BubbleChart;
        row->addWidget(chart, 1, Qt::AlignTop);
    }
    auto* column = new QVBoxLayout(this);
    setPanelMargins(*column);
    column->addLayout(row);
    column->addWidget(m_legend);
    column->addStretch(1);
}

void BubblePanel::setRuns(const std::vector<RunPtr>& runs)
{
    for (std::size_t slot = 0; slot < m_charts.size(); ++slot) {
        const RunPtr run = slot < runs.size() ? runs[slot] : nullptr;
        m_charts[slot]->setRun(run, run ? bubbleChartTitle(static_cast<int>(slot), *run) : QString());
        m_charts[slot]->setVisible(run != nullptr);
    }
    m_legend->setRuns(firstRuns(runs, m_charts.size()));
}

} // namespace bubblescope::viz
