// Bubble rate and throughput over the values of any number of the experiment, for A, B and other schedules.
//
// Computed in the background whenever the draft or a choice changes while the tab is in front. A click on a point
// makes it the draft: its value, and where it is another schedule, that one as B.

#pragma once

#include "viz/charts/sweep_chart.h"
#include "viz/document/workbench.h"
#include "viz/panels/background_job.h"
#include "viz/panels/run_panel.h"

class QComboBox;
class QDoubleSpinBox;
class QHBoxLayout;
class QMenu;
class QSpinBox;

namespace bubblescope::viz {

class JobBar;

class SweepPanel : public RunPanel {
    Q_OBJECT

public:
    explicit SweepPanel(Workbench& workbench);

    void setRuns(const std::vector<RunPtr>& runs) override;

    SweepChart& bubbleChart() { return *m_bubble; }

    SweepChart& throughputChart() { return *m_throughput; }

    BackgroundJob& job() { return m_job; }

private:
    void buildControls(QHBoxLayout& row);
    void buildFamilies();
    const SweepParameter& parameter() const;
    void showLimits();
    void sweepNow();
    void sweepIfChanged();
    void openPoint(int line, int point);
    std::vector<Experiment> experiments() const;

    Workbench& m_workbench;
    QComboBox* m_parameter = nullptr;
    QDoubleSpinBox* m_from = nullptr;
    QDoubleSpinBox* m_to = nullptr;
    QSpinBox* m_points = nullptr;
    QMenu* m_families = nullptr;
    SweepChart* m_bubble;
    SweepChart* m_throughput;
    BackgroundJob m_job{this};
    JobBar* m_bar;
    std::string m_swept; ///< what the charts show, as text
};

/// The draft that a point of a sweep stands for. `spec` other than A's and B's becomes B.
Draft draftOfPoint(Draft draft, const SweepParameter& parameter, double value, const RecipeSpec& spec);

} // namespace bubblescope::viz
