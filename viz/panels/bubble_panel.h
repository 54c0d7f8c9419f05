// Where each device's time goes, for the first two runs beside each other.
//
// A click on a piece of a bar outlines its intervals in the timelines; idle time picked there is outlined here.

#pragma once

#include "viz/charts/bubble_chart.h"
#include "viz/panels/chart_legend.h"
#include "viz/panels/run_panel.h"

#include <array>

namespace bubblescope::viz {

class TimelineStack;
struct StackPick;

class BubblePanel : public RunPanel {
    Q_OBJECT

public:
    explicit BubblePanel(TimelineStack& stack);

    void setRuns(const std::vector<RunPtr>& runs) override;

    const std::array<BubbleChart*, 2>& charts() const { return m_charts; }

private:
    void showPick(const StackPick& pick);

    TimelineStack& m_stack;
    std::array<BubbleChart*, 2> m_charts{};
    ChartLegend* m_legend;
};

} // namespace bubblescope::viz
