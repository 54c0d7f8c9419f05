#include "viz/panels/memory_panel.h"

#include "viz/charts/chart_render.h"
#include "viz/timeline/alignment.h"

#include <QDoubleSpinBox>
#include <QGridLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace bubblescope::viz {
namespace {

constexpr int limitMerge = 900; ///< merge number: typing a limit is one step of undo

} // namespace

MemoryPanel::MemoryPanel(Workbench& workbench, RangeController& range)
    : m_workbench(workbench), m_range(range), m_limit(new QDoubleSpinBox), m_legend(new ChartLegend(&paintDeviceLegend))
{
    auto* grid = new QGridLayout;
    for (int slot = 0; slot < static_cast<int>(m_charts.size()); ++slot) {
        auto* chart = new MemoryChart;
        auto* peak = new QPushButton;
        peak->setProperty("flat", true);
        peak->setObjectName(QStringLiteral("peak%1").arg(slot));
        peak->setToolTip(tr("Shows the forwards whose activations live at the peak"));
        peak->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
        m_charts[static_cast<std::size_t>(slot)] = chart;
        m_peaks[static_cast<std::size_t>(slot)] = peak;
        grid->addWidget(chart, 0, slot);
        grid->addWidget(peak, 1, slot);
        grid->setColumnStretch(slot, 1);
        connect(chart, &MemoryChart::momentClicked, this, [this, slot](Nanoseconds time) { showMoment(slot, time); });
        connect(peak, &QPushButton::clicked, this, [this, slot] { openPeak(slot); });
    }
    connect(&range, &RangeController::visibleChanged, this, &MemoryPanel::showTimes);
    connect(&range, &RangeController::cursorChanged, this, &MemoryPanel::showTimes);
    showTimes();
    grid->setRowStretch(0, 1);
    m_limit->setObjectName(QStringLiteral("memoryLimit"));
    m_limit->setAccessibleName(tr("Memory limit of a device, in activations"));
    m_limit->setToolTip(tr("Activations that a device can hold: a line in the charts, and the limit of the search"));
    m_limit->setRange(0, 1e6);
    m_limit->setDecimals(2);
    m_limit->setSpecialValueText(tr("none"));
    connect(m_limit, qOverload<double>(&QDoubleSpinBox::valueChanged), this, [this](double value) {
        Draft draft = m_workbench.draft();
        draft.common.memoryLimit = value;
        m_workbench.edit(draft, tr("memory limit"), limitMerge);
    });
    connect(&workbench, &Workbench::draftChanged, this, &MemoryPanel::showLimit);
    auto* last = new QHBoxLayout;
    last->addWidget(m_legend, 1);
    auto* caption = new QLabel(tr("Limit"));
    caption->setProperty("role", "muted");
    caption->setBuddy(m_limit);
    last->addWidget(caption);
    last->addSpacing(fontMetrics().height() / 2);
    last->addWidget(m_limit);
    auto* column = new QVBoxLayout(this);
    setPanelMargins(*column);
    column->addLayout(grid, 1);
    column->addLayout(last);
    showLimit();
}

void MemoryPanel::setRuns(const std::vector<RunPtr>& runs)
{
    for (std::size_t slot = 0; slot < m_charts.size(); ++slot) {
        const RunPtr run = slot < runs.size() ? runs[slot] : nullptr;
        m_charts[slot]->setRun(run, run ? memoryChartTitle(static_cast<int>(slot), *run) : QString());
        m_charts[slot]->setVisible(run != nullptr);
        const QString text = run ? peakText(*run) : QString();
        m_peaks[slot]->setText(text);
        m_peaks[slot]->setAccessibleName(text);
        m_peaks[slot]->setVisible(!text.isEmpty());
    }
    m_legend->setRuns(firstRuns(runs, m_charts.size()));
}

void MemoryPanel::showLimit()
{
    const double limit = m_workbench.draft().common.memoryLimit;
    const QSignalBlocker quiet(m_limit);
    if (m_limit->value() != limit)
        m_limit->setValue(limit);
    for (MemoryChart* chart : m_charts)
        chart->setLimit(limit);
}

void MemoryPanel::setOffsets(std::vector<Nanoseconds> offsets)
{
    offsets.resize(m_offsets.size(), 0);
    std::copy(offsets.begin(), offsets.end(), m_offsets.begin());
    showTimes();
}

void MemoryPanel::showTimes()
{
    for (std::size_t slot = 0; slot < m_charts.size(); ++slot) {
        m_charts[slot]->setVisibleRange(shifted(m_range.visible(), -m_offsets[slot]));
        m_charts[slot]->setCursorTime(m_range.cursor() ? std::optional(*m_range.cursor() - m_offsets[slot])
                                                       : std::nullopt);
    }
}

void MemoryPanel::showMoment(int slot, Nanoseconds time)
{
    time += m_offsets[static_cast<std::size_t>(slot)];
    const TimeRange visible = m_range.visible();
    if (time < visible.begin || time > visible.end)
        m_range.setVisible(panBy(visible, time - visible.begin - visible.length() / 2, m_range.trace()));
    m_range.setCursor(time);
}

void MemoryPanel::openPeak(int slot)
{
    const RunPtr run = m_charts[static_cast<std::size_t>(slot)]->run();
    if (!run)
        return;
    std::vector<RunInterval> intervals;
    for (const TimeRange& time : peakTimes(*run))
        intervals.push_back({slot, static_cast<int>(deviceWithPeak(*run)), LaneKind::Compute, time});
    Q_EMIT intervalsAsked(intervals);
    showMoment(slot, run->memory[deviceWithPeak(*run)].peakAt);
}

} // namespace bubblescope::viz
