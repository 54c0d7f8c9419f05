// How busy each link is over time, for the first two runs beside each other: a row per pair of devices.

#pragma once

#include "core/analyze/link_use.h"
#include "viz/charts/heat_chart.h"
#include "viz/panels/run_panel.h"

#include <array>

namespace bubblescope::viz {

/// A map of the share of time that a message is on its way: rows "0 → 1", columns parts of the run.
HeatMap linkMap(std::shared_ptr<const std::vector<LinkUse>> links, const RunView& run, int parts);

/// The messages of a link that are on their way in a part of the run: on its send lane, or where there is none, the
/// tasks that sent them.
std::vector<RunInterval> messageIntervals(const LinkUse& link, const RunView& run, int slot, TimeRange time);

class LinkPanel : public RunPanel {
    Q_OBJECT

public:
    LinkPanel();

    void setRuns(const std::vector<RunPtr>& runs) override;

    const std::array<HeatChart*, 2>& charts() const { return m_charts; }

private:
    void openCell(int slot, int row, int column);

    std::array<HeatChart*, 2> m_charts{};
    std::array<RunPtr, 2> m_runs;
    std::array<std::shared_ptr<const std::vector<LinkUse>>, 2> m_links;
};

} // namespace bubblescope::viz
