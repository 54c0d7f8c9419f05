#include "viz/charts/memory_chart.h"

#include "viz/charts/plot_style.h"
#include "viz/run/core_text.h"
#include "viz/timeline/time_text.h"

#include <QApplication>

#include <map>
#include <numeric>

namespace bubblescope::viz {
namespace {

double inActivations(std::int64_t live)
{
    return static_cast<double>(live) / static_cast<double>(ActivationDeltas::one);
}

std::int64_t liveAt(const ActivationCurve& curve, Nanoseconds time)
{
    const auto after = std::partition_point(curve.steps.begin(), curve.steps.end(),
                                            [time](const ActivationCurve::Step& step) { return step.time <= time; });
    return after == curve.steps.begin() ? 0 : std::prev(after)->live;
}

/// Hue for eight devices, then dashes.
QPen linePen(const Theme& theme, std::size_t device)
{
    QPen pen(theme.series[device % theme.series.size()], 1.6);
    pen.setStyle(device / theme.series.size() % 2 == 1 ? Qt::DashLine : Qt::SolidLine);
    return pen;
}

/// "0–3, 7"
QString rangesText(std::vector<int> numbers)
{
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    QStringList parts;
    for (std::size_t begin = 0; begin < numbers.size();) {
        std::size_t end = begin + 1;
        while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1)
            ++end;
        parts << (end - begin == 1 ? QString::number(numbers[begin])
                                   : QStringLiteral("%1–%2").arg(numbers[begin]).arg(numbers[end - 1]));
        begin = end;
    }
    return parts.join(QStringLiteral(", "));
}

} // namespace

std::size_t deviceWithPeak(const RunView& run)
{
    std::size_t most = 0;
    for (std::size_t device = 1; device < run.memory.size(); ++device)
        if (run.memory[device].peak > run.memory[most].peak)
            most = device;
    return most;
}

QString peakText(const RunView& run)
{
    if (run.memory.empty())
        return {};
    const std::size_t device = deviceWithPeak(run);
    const ActivationCurve& curve = run.memory[device];
    std::map<int, std::vector<int>> microbatches; // by stage
    for (const Task& task : curve.holders)
        microbatches[task.stage].push_back(task.microbatch);
    QStringList parts;
    for (const auto& [stage, numbers] : microbatches)
        parts << MemoryChart::tr("stage %1 of microbatches %2").arg(stage).arg(rangesText(numbers));
    return MemoryChart::tr("%1 holds %2 activations at %3: %4")
        .arg(deviceName(run, static_cast<int>(device)), countText(curve.peakActivations()), timeText(curve.peakAt),
             parts.isEmpty() ? MemoryChart::tr("nothing") : parts.join(QStringLiteral("; ")));
}

std::vector<TimeRange> peakTimes(const RunView& run)
{
    std::vector<TimeRange> times;
    if (run.memory.empty())
        return times;
    const std::size_t device = deviceWithPeak(run);
    const std::vector<Task>& holders = run.memory[device].holders;
    for (const TraceLane& lane : run.trace.lanes)
        for (const Span& span : lane.spans)
            if (lane.device == device && span.name == 0 &&
                std::find(holders.begin(), holders.end(), span.task) != holders.end())
                times.push_back({span.start, span.end});
    return times;
}

MemoryChart::MemoryChart(QWidget* parent) : Chart(parent)
{
    setMinimumHeight(120);
    setAccessibleName(tr("Live activations over time"));
    MemoryChart::rebuild();
}

void MemoryChart::setRun(RunPtr run, const QString& title)
{
    m_run = std::move(run);
    setTitle(title);
    rebuild();
}

void MemoryChart::setVisibleRange(const TimeRange& range)
{
    m_range = range;
    if (!range.empty())
        xAxis->setRange(inMilliseconds(range.begin), inMilliseconds(range.end));
    replot(rpQueuedReplot);
}

void MemoryChart::setLimit(double activations)
{
    if (m_limit == activations)
        return;
    m_limit = activations;
    rebuild();
}

void MemoryChart::setCursorTime(std::optional<Nanoseconds> time)
{
    m_cursorTime = time;
    if (m_cursor == nullptr)
        return;
    m_cursor->setVisible(time.has_value());
    const double at = inMilliseconds(time.value_or(0));
    m_cursor->start->setCoords(at, 0);
    m_cursor->end->setCoords(at, 1);
    replot(rpQueuedReplot);
}

void MemoryChart::rebuild()
{
    clearPlottables();
    clearItems();
    m_cursor = nullptr;
    applyStyle();
    const bool hasData = m_run && !m_run->memory.empty();
    axisRect()->setVisible(hasData);
    if (!hasData) {
        replot(rpQueuedReplot);
        return;
    }
    xAxis->setLabel(tr("time, ms"));
    yAxis->setLabel(tr("live activations"));
    for (std::size_t device = 0; device < m_run->memory.size(); ++device)
        addLine(device);
    fitHeight();
    const TimeRange range = m_range.empty() ? TimeRange{m_run->idle.begin, m_run->idle.end} : m_range;
    xAxis->setRange(inMilliseconds(range.begin), inMilliseconds(range.end));
    markPeak();
    markLimit();
    m_cursor = new QCPItemLine(this);
    m_cursor->setPen(QPen(theme().cursor, 1));
    for (QCPItemPosition* end : {m_cursor->start, m_cursor->end}) {
        end->setTypeX(QCPItemPosition::ptPlotCoords);
        end->setTypeY(QCPItemPosition::ptAxisRectRatio);
    }
    setCursorTime(m_cursorTime);
    replot(rpQueuedReplot);
}

void MemoryChart::addLine(std::size_t device)
{
    const ActivationCurve& curve = m_run->memory[device];
    QCPGraph* graph = addGraph();
    graph->setLineStyle(QCPGraph::lsStepLeft);
    graph->setPen(linePen(theme(), device));
    graph->setName(deviceName(*m_run, static_cast<int>(device)));
    QVector<double> times{inMilliseconds(m_run->idle.begin)};
    QVector<double> values{0};
    for (const ActivationCurve::Step& step : curve.steps) {
        times << inMilliseconds(step.time);
        values << inActivations(step.live);
    }
    times << inMilliseconds(m_run->idle.end);
    values << values.back();
    graph->setData(times, values, true);
}

void MemoryChart::fitHeight()
{
    // A limit far above everything would flatten the curves: it is then said at the upper edge.
    const double highest = std::max(1.0, m_run->peakActivations());
    yAxis->setRange(0, std::max(highest, std::min(m_limit, highest * 2)) * 1.18);
}

void paintDeviceLegend(QPainter& painter, const QRectF& area, const std::vector<RunPtr>& runs, const Theme& theme,
                       const QFont& font)
{
    const RunView* widest = nullptr;
    for (const RunPtr& run : runs)
        if (!widest || run->memory.size() > widest->memory.size())
            widest = run.get();
    if (!widest)
        return;
    const QFontMetricsF metrics(font);
    const double side = metrics.height();
    double x = area.left();
    painter.save();
    painter.setFont(font);
    for (std::size_t device = 0; device < widest->memory.size(); ++device) {
        const QString name = deviceName(*widest, static_cast<int>(device));
        const double width = side * 2.2 + metrics.horizontalAdvance(name);
        if (x + width > area.right())
            break; // the rest is in the tooltip
        painter.setPen(linePen(theme, device));
        painter.drawLine(QPointF(x, area.center().y()), QPointF(x + side, area.center().y()));
        painter.setPen(theme.mutedText);
        painter.drawText(QRectF(x + side * 1.4, area.top(), width, area.height()), Qt::AlignLeft | Qt::AlignVCenter,
                         name);
        x += width;
    }
    painter.restore();
}

void MemoryChart::markPeak()
{
    const std::size_t device = deviceWithPeak(*m_run);
    const ActivationCurve& curve = m_run->memory[device];
    auto* tracer = new QCPItemTracer(this);
    tracer->setStyle(QCPItemTracer::tsCircle);
    tracer->setSize(8);
    tracer->setPen(QPen(theme().text, 1.5));
    tracer->setBrush(theme().series[device % theme().series.size()]);
    tracer->position->setCoords(inMilliseconds(curve.peakAt), inActivations(curve.peak));
    auto* label = new QCPItemText(this);
    label->setText(tr("peak %1 on %2 at %3")
                       .arg(countText(curve.peakActivations()),
                            inSentence(deviceName(*m_run, static_cast<int>(device))), timeText(curve.peakAt)));
    label->setColor(theme().text);
    label->setFont(QApplication::font());
    label->setClipToAxisRect(false);
    const bool late = curve.peakAt - m_run->idle.begin > m_run->makespan() / 2;
    label->setPositionAlignment((late ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignBottom);
    label->setPadding(QMargins(6, 0, 6, 4));
    label->position->setCoords(inMilliseconds(curve.peakAt), inActivations(curve.peak));
}

void MemoryChart::markLimit()
{
    if (m_limit <= 0)
        return;
    const double shown = std::min(m_limit, yAxis->range().upper);
    auto* line = new QCPItemStraightLine(this);
    line->setPen(QPen(theme().error, 1.4, Qt::DashLine));
    line->point1->setCoords(0, shown);
    line->point2->setCoords(1, shown);
    auto* label = new QCPItemText(this);
    label->setText(tr("limit %1").arg(countText(m_limit)));
    label->setColor(theme().error);
    label->setFont(QApplication::font());
    label->setPositionAlignment(Qt::AlignRight | (shown < m_limit ? Qt::AlignTop : Qt::AlignBottom));
    label->setPadding(QMargins(0, 0, 4, 2));
    label->setClipToAxisRect(false);
    label->position->setTypeX(QCPItemPosition::ptAxisRectRatio);
    label->position->setTypeY(QCPItemPosition::ptPlotCoords);
    label->position->setCoords(1, shown);
}

QString MemoryChart::hintAt(const QPointF& position) const
{
    if (!m_run || m_run->memory.empty() || !axisRect()->rect().contains(position.toPoint()))
        return {};
    const auto time = static_cast<Nanoseconds>(std::llround(xAxis->pixelToCoord(position.x()) * 1e6));
    QStringList lines{timeText(time)};
    std::vector<std::size_t> order(m_run->memory.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    constexpr std::size_t most = 16;
    if (order.size() > most) // those that hold most
        std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
            return liveAt(m_run->memory[a], time) > liveAt(m_run->memory[b], time);
        });
    for (std::size_t i = 0; i < std::min(order.size(), most); ++i)
        lines << tr("%1: %2").arg(deviceName(*m_run, static_cast<int>(order[i])),
                                  countText(inActivations(liveAt(m_run->memory[order[i]], time))));
    if (order.size() > most)
        lines << tr("and %n device(s) with less", nullptr, static_cast<int>(order.size() - most));
    return lines.join(QLatin1Char('\n'));
}

std::vector<QPointF> MemoryChart::marks() const
{
    std::vector<QPointF> places;
    if (!m_run)
        return places;
    const auto add = [&](const ActivationCurve& curve) {
        places.emplace_back(xAxis->coordToPixel(inMilliseconds(curve.peakAt)),
                            yAxis->coordToPixel(inActivations(curve.peak)));
    };
    const std::size_t most = deviceWithPeak(*m_run);
    for (std::size_t device = 0; device < m_run->memory.size(); ++device) {
        if (device == most)
            continue;
        add(m_run->memory[device]);
    }
    if (!m_run->memory.empty()) {
        add(m_run->memory[most]);
        std::rotate(places.begin(), places.end() - 1, places.end());
    }
    return places;
}

void MemoryChart::clickAt(const QPointF& position)
{
    if (m_run && !m_run->memory.empty() && axisRect()->rect().contains(position.toPoint()))
        Q_EMIT momentClicked(static_cast<Nanoseconds>(std::llround(xAxis->pixelToCoord(position.x()) * 1e6)));
}

ChartTable MemoryChart::table() const
{
    ChartTable table;
    table.headings << QStringLiteral("device") << QStringLiteral("time_ms") << QStringLiteral("live_activations");
    if (!m_run)
        return table;
    for (std::size_t device = 0; device < m_run->memory.size(); ++device)
        for (const ActivationCurve::Step& step : m_run->memory[device].steps)
            table.rows.push_back({deviceName(*m_run, static_cast<int>(device)), cellText(inMilliseconds(step.time)),
                                  cellText(inActivations(step.live))});
    return table;
}

} // namespace bubblescope::viz
