// Any two shown runs against each other: per device, per task, which bubbles the faster one filled, and a map of
// differences. A click opens the intervals in both runs.

#pragma once

#include "viz/panels/background_job.h"
#include "viz/panels/compare_data.h"
#include "viz/panels/run_panel.h"

#include <array>

class QComboBox;
class QLabel;
class QTabWidget;

namespace bubblescope::viz {

class FigureTable;

class ComparePanel : public RunPanel {
    Q_OBJECT

public:
    ComparePanel();

    void setRuns(const std::vector<RunPtr>& runs) override;

    /// Of the chosen runs; null while it is being computed, or with fewer than two runs.
    const std::shared_ptr<const RunComparison>& comparison() const { return m_comparison; }

    HeatChart& map() { return *m_map; }

    /// What was set against what, and what has no partner.
    QString remarks() const;

private:
    QWidget* buildTables();
    QWidget* buildMap();
    FigureTable* addTable(QTabWidget& tabs, std::size_t which, const QString& title, const QString& name);
    void showChoices();
    void compare();
    void show(const RunComparison& comparison);
    void showWorks();
    void showMap();
    void openCell(int row, int column);

    std::vector<RunPtr> m_runs;
    std::array<QComboBox*, 2> m_sides{};
    QLabel* m_summary;
    QLabel* m_remarks;
    std::array<FigureModel*, 3> m_models{}; ///< devices, tasks, bubbles
    QComboBox* m_quantity = nullptr;
    QComboBox* m_work = nullptr;
    QComboBox* m_rows = nullptr;
    HeatChart* m_map = nullptr;
    DeltaMap m_delta;
    std::shared_ptr<const RunComparison> m_comparison;
    BackgroundJob m_job{this};
};

} // namespace bubblescope::viz
