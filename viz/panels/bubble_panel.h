// Where each device's time goes, for the first two runs beside each other.

#pragma once

#include "viz/charts/bubble_chart.h"
#include "viz/panels/chart_legend.h"
#include "viz/panels/run_panel.h"

#include <array>

namespace bubblescope::viz {

class BubblePanel : public RunPanel {
    Q_OBJECT

public:
    BubblePanel();

    void setRuns(const std::vector<RunPtr>& runs) override;

private:
    std::array<BubbleChart*, 2> m_charts{};
    ChartLegend* m_legend;
};

} // namespace bubblescope::viz
