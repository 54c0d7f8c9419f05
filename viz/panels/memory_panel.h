// Live activations over time, for the first two runs beside each other; the time axis is that of the timelines,
// less the run's offset where runs are aligned.
//
// Below the charts stands what makes the peak; a click on it outlines those forwards, a click into a chart moves the
// timelines' cursor there.

#pragma once

#include "viz/charts/memory_chart.h"
#include "viz/document/workbench.h"
#include "viz/panels/chart_legend.h"
#include "viz/panels/run_panel.h"
#include "viz/timeline/range_controller.h"

#include <array>

class QDoubleSpinBox;
class QPushButton;

namespace bubblescope::viz {

class MemoryPanel : public RunPanel {
    Q_OBJECT

public:
    MemoryPanel(Workbench& workbench, RangeController& range);

    void setRuns(const std::vector<RunPtr>& runs) override;

    /// How much later each run is in the timelines. The charts are in the runs' own time.
    void setOffsets(std::vector<Nanoseconds> offsets);

    const std::array<MemoryChart*, 2>& charts() const { return m_charts; }

private:
    void showLimit();
    void showTimes();
    void showMoment(int slot, Nanoseconds time);
    void openPeak(int slot);

    Workbench& m_workbench;
    RangeController& m_range;
    std::array<MemoryChart*, 2> m_charts{};
    std::array<QPushButton*, 2> m_peaks{};
    std::array<Nanoseconds, 2> m_offsets{};
    QDoubleSpinBox* m_limit;
    ChartLegend* m_legend;
};

} // namespace bubblescope::viz
