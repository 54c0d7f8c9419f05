#include "viz/panels/link_panel.h"

#include "viz/charts/plot_style.h"
#include "viz/timeline/time_text.h"
#include "viz/timeline/timeline_stack.h"

#include <QCoreApplication>
#include <QHBoxLayout>
#include <QLocale>

namespace bubblescope::viz {
namespace {

constexpr int timeParts = 96;

QString linkName(const LinkUse& link)
{
    return QStringLiteral("%1 → %2").arg(int{link.from}).arg(int{link.to});
}

QString bytesText(std::int64_t bytes)
{
    return bytes > 0 ? QLocale::c().formattedDataSize(bytes) : LinkPanel::tr("unknown size");
}

TimeRange partOf(const RunView& run, int part, int parts)
{
    const auto length = static_cast<double>(run.makespan());
    const auto edge = [&](int at) {
        return run.idle.begin + static_cast<Nanoseconds>(std::llround(length * at / std::max(1, parts)));
    };
    return {edge(part), edge(part + 1)};
}

bool during(const LinkMessage& message, const TimeRange& time)
{
    return message.start < time.end && std::max(message.end, message.start + 1) > time.begin;
}

QString hintOf(const LinkUse& link, const TimeRange& time, double share, Nanoseconds makespan)
{
    std::int64_t bytes = 0;
    int count = 0;
    for (const LinkMessage& message : link.messages)
        if (during(message, time)) {
            bytes += message.bytes;
            ++count;
        }
    return LinkPanel::tr(
               "%1, %2 to %3: a message is on its way %4 of the time\n%n message(s), %5\nin all %6, %7 of the run",
               nullptr, count)
        .arg(linkName(link), timeText(time.begin), timeText(time.end), percentText(share), bytesText(bytes),
             bytesText(link.bytes),
             percentText(makespan > 0 ? static_cast<double>(link.busy) / static_cast<double>(makespan) : 0));
}

/// Where a task stands in the trace; empty when it isn't there.
TimeRange timeOfTask(const Trace& trace, Device device, const Task& task)
{
    for (const TraceLane& lane : trace.lanes)
        if (lane.device == device && lane.kind == LaneKind::Compute)
            for (const Span& span : lane.spans)
                if (span.name == 0 && span.task == task)
                    return {span.start, span.end};
    return {};
}

} // namespace

HeatMap linkMap(std::shared_ptr<const std::vector<LinkUse>> links, const RunView& run, int parts)
{
    HeatMap map;
    if (links->empty() || run.makespan() <= 0)
        return map;
    map.columns = parts;
    map.begin = inMilliseconds(run.idle.begin);
    map.end = inMilliseconds(run.idle.end);
    map.most = 1;
    map.xLabel = LinkPanel::tr("time, ms");
    map.low = LinkPanel::tr("quiet");
    map.high = LinkPanel::tr("busy");
    for (const LinkUse& link : *links) {
        map.rows << linkName(link);
        const std::vector<double> shares = busyShares(link, {run.idle.begin, run.idle.end}, parts);
        map.values.insert(map.values.end(), shares.begin(), shares.end());
    }
    map.number = [](double value) { return QString::number(std::lround(value * 100)) + QStringLiteral(" %"); };
    const TimeRange whole{run.idle.begin, run.idle.end};
    const auto time = [whole, parts](int part) {
        const auto length = static_cast<double>(whole.length());
        const auto edge = [&](int at) {
            return whole.begin + static_cast<Nanoseconds>(std::llround(length * at / parts));
        };
        return TimeRange{edge(part), edge(part + 1)};
    };
    map.hint = [links, time, values = map.values, parts, makespan = run.makespan()](int row, int column) {
        const std::size_t cell =
            static_cast<std::size_t>(row) * static_cast<std::size_t>(parts) + static_cast<std::size_t>(column);
        return hintOf((*links)[static_cast<std::size_t>(row)], time(column), values[cell], makespan);
    };
    map.cells = [links, time](int row, int column) {
        std::int64_t bytes = 0;
        for (const LinkMessage& message : (*links)[static_cast<std::size_t>(row)].messages)
            bytes += during(message, time(column)) ? message.bytes : 0;
        return QStringList{QString::number(bytes)};
    };
    map.headings << QStringLiteral("link") << QStringLiteral("time_ms") << QStringLiteral("busy_share")
                 << QStringLiteral("bytes");
    return map;
}

std::vector<RunInterval> messageIntervals(const LinkUse& link, const RunView& run, int slot, TimeRange time)
{
    const bool sendLane = std::any_of(run.trace.lanes.begin(), run.trace.lanes.end(), [&](const TraceLane& lane) {
        return lane.device == link.from && lane.kind == LaneKind::Send;
    });
    std::vector<RunInterval> intervals;
    for (const LinkMessage& message : link.messages) {
        if (!during(message, time))
            continue;
        const TimeRange at =
            sendLane ? TimeRange{message.start, message.end} : timeOfTask(run.trace, link.from, message.producer);
        if (!at.empty())
            intervals.push_back({slot, link.from, sendLane ? LaneKind::Send : LaneKind::Compute, at});
    }
    return intervals;
}

LinkPanel::LinkPanel()
{
    auto* row = new QHBoxLayout(this);
    setPanelMargins(*row);
    for (int slot = 0; slot < static_cast<int>(m_charts.size()); ++slot) {
        auto* chart = new HeatChart;
        m_charts[static_cast<std::size_t>(slot)] = chart;
        row->addWidget(chart, 1);
        connect(chart, &HeatChart::cellClicked, this,
                [this, slot](int line, int column) { openCell(slot, line, column); });
    }
}

void LinkPanel::setRuns(const std::vector<RunPtr>& runs)
{
    for (std::size_t slot = 0; slot < m_charts.size(); ++slot) {
        const RunPtr run = slot < runs.size() ? runs[slot] : nullptr;
        m_charts[slot]->setVisible(run != nullptr);
        if (run == m_runs[slot])
            continue;
        m_runs[slot] = run;
        if (!run)
            continue;
        m_links[slot] = std::make_shared<const std::vector<LinkUse>>(
            linkUse(run->trace, run->plan.get(), run->plan ? &run->timing : nullptr));
        const QString title = TimelineStack::letterOf(static_cast<int>(slot)) + QStringLiteral(" · ") +
                              titleWithLabel(*run) + QStringLiteral(" · ");
        m_charts[slot]->setMap(
            linkMap(m_links[slot], *run, timeParts),
            title + (m_links[slot]->empty() ? tr("nothing goes over links") : tr("how busy each link is")));
    }
}

void LinkPanel::openCell(int slot, int row, int column)
{
    const auto at = static_cast<std::size_t>(slot);
    if (!m_runs[at])
        return;
    m_charts[at]->setOutlined(row, column);
    Q_EMIT intervalsAsked(messageIntervals((*m_links[at])[static_cast<std::size_t>(row)], *m_runs[at], slot,
                                           partOf(*m_runs[at], column, timeParts)));
}

} // namespace bubblescope::viz
