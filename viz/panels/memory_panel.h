// Live activations over time, for the first two runs beside each other; the time axis is that of the timelines.

#pragma once

#include "viz/charts/memory_chart.h"
#include "viz/panels/chart_legend.h"
#include "viz/panels/run_panel.h"
#include "viz/timeline/range_controller.h"

#include <array>

namespace bubblescope::viz {

class MemoryPanel : public RunPanel {
    Q_OBJECT

public:
    explicit MemoryPanel(RangeController& range);

    void setRuns(const std::vector<RunPtr>& runs) override;

private:
    std::array<MemoryChart*, 2> m_charts{};
    ChartLegend* m_legend;
};

} // namespace bubblescope::viz
