#include "viz/panels/bubble_panel.h"

#include "viz/charts/chart_render.h"
#include "viz/timeline/timeline_stack.h"

#include <QHBoxLayout>
#include <QScrollArea>
#include <QVBoxLayout>

namespace bubblescope::viz {

BubblePanel::BubblePanel(TimelineStack& stack) : m_stack(stack), m_legend(new ChartLegend(&paintCauseLegend))
{
    auto* content = new QWidget;
    content->setProperty("surface", "canvas");
    content->setAttribute(Qt::WA_StyledBackground);
    auto* row = new QHBoxLayout(content);
    row->setContentsMargins(0, 0, 0, 0);
    for (int slot = 0; slot < static_cast<int>(m_charts.size()); ++slot) {
        auto* chart = new BubbleChart;
        m_charts[static_cast<std::size_t>(slot)] = chart;
        row->addWidget(chart, 1, Qt::AlignTop);
        connect(chart, &BubbleChart::segmentClicked, this,
                [this, chart, slot](int device, const std::optional<IdleCause>& cause) {
                    std::vector<RunInterval> intervals;
                    for (const TimeRange& time : timesOf(*chart->run(), device, cause))
                        intervals.push_back({slot, device, LaneKind::Compute, time});
                    Q_EMIT intervalsAsked(intervals);
                });
    }
    auto* scroll = new QScrollArea; // many devices make tall charts
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFocusPolicy(Qt::NoFocus);
    auto* column = new QVBoxLayout(this);
    setPanelMargins(*column);
    column->addWidget(scroll, 1);
    column->addWidget(m_legend);
    connect(&stack, &TimelineStack::pickChanged, this, &BubblePanel::showPick);
}

void BubblePanel::setRuns(const std::vector<RunPtr>& runs)
{
    for (std::size_t slot = 0; slot < m_charts.size(); ++slot) {
        const RunPtr run = slot < runs.size() ? runs[slot] : nullptr;
        m_charts[slot]->setRun(run, run ? bubbleChartTitle(static_cast<int>(slot), *run) : QString());
        m_charts[slot]->setVisible(run != nullptr);
    }
    m_legend->setRuns(firstRuns(runs, m_charts.size()));
    showPick(m_stack.picked());
}

void BubblePanel::showPick(const StackPick& pick)
{
    for (int slot = 0; slot < static_cast<int>(m_charts.size()); ++slot) {
        BubbleChart& chart = *m_charts[static_cast<std::size_t>(slot)];
        const bool here = pick.slot == slot && pick.pick.kind != Pick::Kind::None && chart.run();
        if (!here) {
            chart.setOutlined(-1, std::nullopt);
            continue;
        }
        const TimelineRow& row =
            m_stack.views()[static_cast<std::size_t>(slot)]->picture().rows[static_cast<std::size_t>(pick.pick.row)];
        std::optional<IdleCause> cause;
        if (pick.pick.kind == Pick::Kind::Gap) {
            const std::size_t gap = row.gaps[static_cast<std::size_t>(pick.pick.index)].gap;
            if (gap < chart.run()->idle.gaps.size())
                cause = chart.run()->idle.gaps[gap].mainCause();
        }
        chart.setOutlined(row.device, cause);
    }
}

} // namespace bubblescope::viz
