// The tabs below the timelines: bubbles, memory, theory against measurement. They show the first two runs.

#pragma once

#include "viz/charts/bubble_chart.h"
#include "viz/charts/memory_chart.h"
#include "viz/charts/theory_model.h"
#include "viz/timeline/range_controller.h"

#include <QTabWidget>

#include <array>

namespace bubblescope::viz {

class ChartPanel : public QTabWidget {
    Q_OBJECT

public:
    explicit ChartPanel(RangeController& range, QWidget* parent = nullptr);

    void setRuns(const std::vector<RunPtr>& runs);

    const BubbleChart& bubbleChart(int slot) const { return *m_bubbles[static_cast<std::size_t>(slot)]; }

    const MemoryChart& memoryChart(int slot) const { return *m_memory[static_cast<std::size_t>(slot)]; }

private:
    class Legend;
    static constexpr int charts = 2;

    std::array<BubbleChart*, charts> m_bubbles{};
    std::array<MemoryChart*, charts> m_memory{};
    TheoryModel* m_theory;
    std::array<Legend*, 2> m_legends; ///< causes, devices
};

} // namespace bubblescope::viz
