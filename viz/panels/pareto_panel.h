// Every schedule that fits the experiment, by bubble rate and peak memory. A click makes one schedule B of the draft.

#pragma once

#include "viz/charts/pareto_chart.h"
#include "viz/document/workbench.h"
#include "viz/panels/background_job.h"
#include "viz/panels/run_panel.h"

namespace bubblescope::viz {

class JobBar;

class ParetoPanel : public RunPanel {
    Q_OBJECT

public:
    explicit ParetoPanel(Workbench& workbench);

    void setRuns(const std::vector<RunPtr>& runs) override;

    ParetoChart& chart() { return *m_chart; }

    BackgroundJob& job() { return m_job; }

private:
    void show(const SearchResult& result);
    void showChoices();
    void openChoice(int choice);

    Workbench& m_workbench;
    ParetoChart* m_chart;
    BackgroundJob m_job{this};
    JobBar* m_bar;
    std::vector<SearchCandidate> m_choices;
    std::string m_searched; ///< the experiment that the chart shows, as text
};

} // namespace bubblescope::viz
