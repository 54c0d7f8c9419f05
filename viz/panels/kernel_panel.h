// Which durations the kernels of a name, or the tasks of a work, have: for the first two runs beside each other.

#pragma once

#include "viz/charts/histogram_chart.h"
#include "viz/panels/background_job.h"
#include "viz/panels/run_panel.h"

#include <array>

class QComboBox;

namespace bubblescope::viz {

class KernelPanel : public RunPanel {
    Q_OBJECT

public:
    KernelPanel();

    void setRuns(const std::vector<RunPtr>& runs) override;

    const std::array<HistogramChart*, 2>& charts() const { return m_charts; }

    BackgroundJob& job() { return m_job; }

private:
    using Groups = std::vector<DurationGroup>;

    void showNames();
    void showCharts();
    void openBin(int slot, Nanoseconds least, Nanoseconds most);

    QComboBox* m_name;
    std::array<HistogramChart*, 2> m_charts{};
    std::vector<RunPtr> m_runs; ///< at most two
    std::vector<Groups> m_groups;
    BackgroundJob m_job{this};
};

} // namespace bubblescope::viz
