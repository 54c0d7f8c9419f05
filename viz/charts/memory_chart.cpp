#include "viz/charts/memory_chart.h"

#include "viz/charts/plot_style.h"
#include "viz/timeline/time_text.h"

#include <QApplication>
#include <QHelpEvent>
#include <QToolTip>

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

std::size_t deviceWithPeak(const RunView& run)
{
    std::size_t most = 0;
    for (std::size_t device = 1; device < run.memory.size(); ++device)
        if (run.memory[device].peak > run.memory[most].peak)
            most = device;
    return most;
}

} // namespace

MemoryChart::MemoryChart(QWidget* parent) : QCustomPlot(parent), m_theme(&currentTheme())
{
    setMinimumHeight(120);
    setAccessibleName(tr("Live activations over time"));
    rebuild();
}

void MemoryChart::setRun(RunPtr run, const QString& title)
{
    m_run = std::move(run);
    m_title = title;
    rebuild();
}

void MemoryChart::setTheme(const Theme& theme)
{
    m_theme = &theme;
    rebuild();
}

void MemoryChart::setVisibleRange(const TimeRange& range)
{
    m_range = range;
    if (!range.empty())
        xAxis->setRange(inMilliseconds(range.begin), inMilliseconds(range.end));
    replot(rpQueuedReplot);
}

void MemoryChart::rebuild()
{
    clearPlottables();
    clearItems();
    stylePlot(*this, *m_theme);
    setPlotTitle(*this, m_title, *m_theme);
    const bool hasData = m_run && !m_run->memory.empty();
    axisRect()->setVisible(hasData);
    if (!hasData) {
        replot(rpQueuedReplot);
        return;
    }
    xAxis->setLabel(tr("time, ms"));
    yAxis->setLabel(tr("live activations"));
    for (std::size_t device = 0; device < m_run->memory.size(); ++device) {
        const ActivationCurve& curve = m_run->memory[device];
        QCPGraph* graph = addGraph();
        graph->setLineStyle(QCPGraph::lsStepLeft);
        graph->setPen(linePen(*m_theme, device));
        graph->setName(deviceName(*m_run, static_cast<int>(device)));
        graph->addData(inMilliseconds(m_run->idle.begin), 0);
        for (const ActivationCurve::Step& step : curve.steps)
            graph->addData(inMilliseconds(step.time), inActivations(step.live));
        graph->addData(inMilliseconds(m_run->idle.end),
                       curve.steps.empty() ? 0 : inActivations(curve.steps.back().live));
    }
    const double highest = std::max(1.0, m_run->peakActivations());
    yAxis->setRange(0, highest * 1.18);
    const TimeRange range = m_range.empty() ? TimeRange{m_run->idle.begin, m_run->idle.end} : m_range;
    xAxis->setRange(inMilliseconds(range.begin), inMilliseconds(range.end));
    markPeak();
    replot(rpQueuedReplot);
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
    tracer->setPen(QPen(m_theme->text, 1.5));
    tracer->setBrush(m_theme->series[device % m_theme->series.size()]);
    tracer->position->setCoords(inMilliseconds(curve.peakAt), inActivations(curve.peak));
    auto* label = new QCPItemText(this);
    label->setText(tr("peak %1 on %2 at %3")
                       .arg(countText(curve.peakActivations()), deviceName(*m_run, static_cast<int>(device)).toLower(),
                            timeText(curve.peakAt)));
    label->setColor(m_theme->text);
    label->setFont(QApplication::font());
    label->setPositionAlignment(Qt::AlignLeft | Qt::AlignBottom);
    label->setPadding(QMargins(6, 0, 0, 4));
    label->position->setCoords(inMilliseconds(curve.peakAt), inActivations(curve.peak));
}

QString MemoryChart::hintAt(const QPointF& position) const
{
    if (!m_run || m_run->memory.empty() || !axisRect()->rect().contains(position.toPoint()))
        return {};
    const auto time = static_cast<Nanoseconds>(std::llround(xAxis->pixelToCoord(position.x()) * 1e6));
    QStringList lines{timeText(time)};
    for (std::size_t device = 0; device < std::min<std::size_t>(m_run->memory.size(), 16); ++device)
        lines << tr("%1: %2").arg(deviceName(*m_run, static_cast<int>(device)),
                                  countText(inActivations(liveAt(m_run->memory[device], time))));
    return lines.join(QLatin1Char('\n'));
}

bool MemoryChart::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), hintAt(help->pos()), this);
        return true;
    }
    return QCustomPlot::event(event);
}

void MemoryChart::changeEvent(QEvent* event)
{
    QCustomPlot::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_theme != &currentTheme())
        setTheme(currentTheme());
}

} // namespace bubblescope::viz
