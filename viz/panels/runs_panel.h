// All runs of the document and the predictions, to sort and to show: Space shows or hides the row, the letters A to H
// give it that place.

#pragma once

#include "viz/document/workbench.h"
#include "viz/panels/run_panel.h"

class QSortFilterProxyModel;

namespace bubblescope::viz {

class FigureTable;
class RunTable;

class RunsPanel : public RunPanel {
    Q_OBJECT

public:
    explicit RunsPanel(Workbench& workbench);

    /// The table follows the workbench by itself.
    void setRuns(const std::vector<RunPtr>& runs) override;

    FigureTable& table() { return *m_table; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    Workbench& m_workbench;
    RunTable* m_model;
    QSortFilterProxyModel* m_sorted;
    FigureTable* m_table;
    bool m_sized = false;
};

} // namespace bubblescope::viz
