#include "viz/panels/kernel_panel.h"

#include "viz/panels/chart_legend.h"
#include "viz/run/core_text.h"
#include "viz/timeline/time_text.h"
#include "viz/timeline/timeline_stack.h"

#include <QComboBox>
#include <QLabel>
#include <QSignalBlocker>
#include <QVBoxLayout>

namespace bubblescope::viz {
namespace {

constexpr std::size_t mostOpened = 2000; ///< intervals that are outlined at once

const DurationGroup* groupNamed(const std::vector<DurationGroup>& groups, const std::string& name)
{
    for (const DurationGroup& group : groups)
        if (group.name == name)
            return &group;
    return nullptr;
}

} // namespace

KernelPanel::KernelPanel() : m_name(new QComboBox)
{
    m_name->setObjectName(QStringLiteral("kernelName"));
    m_name->setAccessibleName(tr("Kernel or work whose durations are shown"));
    m_name->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto* caption = new QLabel(tr("Durations of"));
    caption->setProperty("role", "muted");
    caption->setBuddy(m_name);
    auto* head = new QHBoxLayout;
    head->setSpacing(fontMetrics().height() / 2);
    head->addWidget(caption);
    head->addWidget(m_name);
    head->addStretch(1);
    auto* row = new QHBoxLayout;
    for (int slot = 0; slot < static_cast<int>(m_charts.size()); ++slot) {
        auto* chart = new HistogramChart;
        m_charts[static_cast<std::size_t>(slot)] = chart;
        row->addWidget(chart, 1);
        connect(chart, &HistogramChart::binClicked, this,
                [this, slot](Nanoseconds least, Nanoseconds most) { openBin(slot, least, most); });
    }
    auto* column = new QVBoxLayout(this);
    setPanelMargins(*column);
    column->addLayout(head);
    column->addLayout(row, 1);
    connect(m_name, &QComboBox::currentIndexChanged, this, &KernelPanel::showCharts);
}

void KernelPanel::setRuns(const std::vector<RunPtr>& runs)
{
    const std::vector<RunPtr> first = firstRuns(runs, m_charts.size());
    if (first == m_runs)
        return;
    m_runs = first;
    m_job.start(
        [first](const Progress& progress) {
            std::vector<Groups> groups;
            for (const RunPtr& run : first) {
                progress.check();
                groups.push_back(run->columns ? durationsByName(*run->columns) : durationsByName(run->trace));
            }
            return groups;
        },
        [this](const std::vector<Groups>& groups) {
            m_groups = groups;
            showNames();
            showCharts();
        });
}

void KernelPanel::showNames()
{
    const QSignalBlocker quiet(m_name);
    const QString chosen = m_name->currentData().toString();
    m_name->clear();
    for (const Groups& groups : m_groups)
        for (const DurationGroup& group : groups) {
            const QString name = QString::fromStdString(group.name);
            const QString title = spanTitle(group.name);
            if (m_name->findData(name) < 0)
                m_name->addItem(title.size() > 60 ? title.left(59) + QStringLiteral("…") : title, name);
        }
    m_name->setCurrentIndex(std::max(0, m_name->findData(chosen)));
}

void KernelPanel::showCharts()
{
    const std::string name = m_name->currentData().toString().toStdString();
    for (std::size_t slot = 0; slot < m_charts.size(); ++slot) {
        m_charts[slot]->setVisible(slot < m_groups.size());
        if (slot >= m_groups.size())
            continue;
        const DurationGroup* group = groupNamed(m_groups[slot], name);
        const QString letter = TimelineStack::letterOf(static_cast<int>(slot));
        const QString head = letter + QStringLiteral(" · ") + titleWithLabel(*m_runs[slot]) + QStringLiteral(" · ");
        m_charts[slot]->setGroup(
            group != nullptr ? *group : DurationGroup(),
            head + (group != nullptr
                        ? tr("%1 times, %2 in all").arg(group->durations.size()).arg(timeText(group->total))
                        : tr("has none of these")));
    }
}

void KernelPanel::openBin(int slot, Nanoseconds least, Nanoseconds most)
{
    const RunView& run = *m_runs[static_cast<std::size_t>(slot)];
    const std::string name = m_name->currentData().toString().toStdString();
    const std::vector<DurationPlace> places = run.columns ? placesOf(*run.columns, name, least, most, mostOpened)
                                                          : placesOf(run.trace, name, least, most, mostOpened);
    std::vector<RunInterval> intervals;
    intervals.reserve(places.size());
    for (const DurationPlace& place : places)
        intervals.push_back({slot, place.device, place.lane, {place.start, place.end}});
    Q_EMIT intervalsAsked(intervals);
}

} // namespace bubblescope::viz
