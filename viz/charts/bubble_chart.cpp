#include "viz/charts/bubble_chart.h"

#include "viz/charts/plot_style.h"
#include "viz/timeline/pick_text.h"
#include "viz/timeline/time_text.h"

#include <QApplication>
#include <QFontMetricsF>
#include <QHelpEvent>
#include <QToolTip>

namespace bubblescope::viz {

std::vector<IdleCause> causesOf(const RunView& run)
{
    // The order of the picture: what the pipeline's depth costs first, what nobody can explain last.
    constexpr IdleCause order[] = {IdleCause::Warmup,        IdleCause::Dependency, IdleCause::Arrival,
                                   IdleCause::Communication, IdleCause::Imbalance,  IdleCause::Synchronisation,
                                   IdleCause::Memory,        IdleCause::Jitter,     IdleCause::Drain,
                                   IdleCause::Unexplained};
    std::vector<IdleCause> present;
    for (const IdleCause cause : order)
        if (std::any_of(run.idle.devices.begin(), run.idle.devices.end(), [cause](const DeviceIdle& device) {
                return device.cause[static_cast<std::size_t>(cause)] > 0;
            }))
            present.push_back(cause);
    return present;
}

BubbleChart::BubbleChart(QWidget* parent) : QCustomPlot(parent), m_theme(&currentTheme())
{
    setAccessibleName(tr("Where each device's time goes"));
    rebuild();
}

void BubbleChart::setRun(RunPtr run, const QString& title)
{
    m_run = std::move(run);
    m_title = title;
    updateGeometry();
    rebuild();
}

void BubbleChart::setTheme(const Theme& theme)
{
    m_theme = &theme;
    rebuild();
}

void BubbleChart::rebuild()
{
    clearPlottables();
    stylePlot(*this, *m_theme);
    setPlotTitle(*this, m_title, *m_theme);
    const bool hasData = m_run && !m_run->idle.devices.empty() && m_run->makespan() > 0;
    axisRect()->setVisible(hasData);
    if (!hasData) {
        replot(rpQueuedReplot);
        return;
    }
    const auto devices = static_cast<int>(m_run->idle.devices.size());
    QSharedPointer<QCPAxisTickerText> names(new QCPAxisTickerText);
    const int every = std::max(1, devices / 8);
    for (int device = 0; device < devices; device += every)
        names->addTick(device, deviceName(*m_run, device));
    yAxis->setTicker(names);
    yAxis->setRangeReversed(true);
    yAxis->setRange(-0.6, devices - 0.4);
    yAxis->grid()->setVisible(false);
    yAxis->setBasePen(Qt::NoPen);
    yAxis->setTickPen(Qt::NoPen);
    xAxis->setRange(0, inMilliseconds(m_run->makespan()) * 1.001);
    xAxis->setLabel(tr("ms of %1").arg(timeText(m_run->makespan())));

    QCPBars* below = nullptr;
    const auto stack = [&](const QString& name, const QColor& colour, auto&& value) {
        auto* bars = new QCPBars(yAxis, xAxis);
        bars->setName(name);
        bars->setWidth(0.72);
        bars->setBrush(colour);
        bars->setPen(QPen(m_theme->canvas, 0.5)); // a hairline keeps neighbours apart where hues are close
        bars->setStackingGap(0);
        for (int device = 0; device < devices; ++device)
            bars->addData(device, inMilliseconds(value(m_run->idle.devices[static_cast<std::size_t>(device)])));
        if (below)
            bars->moveAbove(below);
        below = bars;
    };
    stack(tr("work"), m_theme->busy, [](const DeviceIdle& device) { return device.busy; });
    for (const IdleCause cause : causesOf(*m_run))
        stack(causeTitle(cause), m_theme->of(cause),
              [cause](const DeviceIdle& device) { return device.cause[static_cast<std::size_t>(cause)]; });

    replot(rpQueuedReplot);
}

QSize BubbleChart::sizeHint() const
{
    const int devices = m_run ? static_cast<int>(m_run->idle.devices.size()) : 4;
    return {300, static_cast<int>(QFontMetricsF(QApplication::font()).height() * (1.5 * std::min(devices, 24) + 5))};
}

QSize BubbleChart::minimumSizeHint() const
{
    return {160, static_cast<int>(QFontMetricsF(QApplication::font()).height() * 8)};
}

void paintCauseLegend(QPainter& painter, const QRectF& area, const std::vector<RunPtr>& runs, const Theme& theme,
                      const QFont& font)
{
    std::vector<IdleCause> present;
    for (const RunPtr& run : runs)
        for (const IdleCause cause : causesOf(*run))
            if (std::find(present.begin(), present.end(), cause) == present.end())
                present.push_back(cause);
    const QFontMetricsF metrics(font);
    const double side = std::round(metrics.ascent() * 0.8);
    double x = area.left();
    painter.save();
    painter.setFont(font);
    const auto entry = [&](const QColor& colour, const QString& text) {
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(colour);
        painter.drawRoundedRect(QRectF(x, area.center().y() - side / 2, side, side), 2, 2);
        painter.setPen(theme.mutedText);
        painter.drawText(QRectF(x + side * 1.6, area.top(), area.right() - x, area.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, text);
        x += side * 3.6 + metrics.horizontalAdvance(text);
    };
    entry(theme.busy, BubbleChart::tr("work"));
    for (const IdleCause cause : present)
        entry(theme.of(cause), causeTitle(cause));
    painter.restore();
}

QString BubbleChart::hintAt(const QPointF& position) const
{
    if (!m_run || !axisRect()->rect().contains(position.toPoint()))
        return {};
    const int device = static_cast<int>(std::lround(yAxis->pixelToCoord(position.y())));
    const double at = xAxis->pixelToCoord(position.x());
    if (device < 0 || device >= static_cast<int>(m_run->idle.devices.size()))
        return {};
    const DeviceIdle& idle = m_run->idle.devices[static_cast<std::size_t>(device)];
    const auto sentence = [&](const QString& what, Nanoseconds time) {
        return tr("%1 · %2 %3 (%4)")
            .arg(deviceName(*m_run, device), what, timeText(time),
                 percentText(static_cast<double>(time) / static_cast<double>(m_run->makespan())));
    };
    double reached = inMilliseconds(idle.busy);
    if (at <= reached)
        return sentence(tr("work"), idle.busy);
    for (const IdleCause cause : causesOf(*m_run)) {
        const Nanoseconds time = idle.cause[static_cast<std::size_t>(cause)];
        reached += inMilliseconds(time);
        if (at <= reached)
            return sentence(causeTitle(cause), time);
    }
    return {};
}

bool BubbleChart::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), hintAt(help->pos()), this);
        return true;
    }
    return QCustomPlot::event(event);
}

void BubbleChart::changeEvent(QEvent* event)
{
    QCustomPlot::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_theme != &currentTheme())
        setTheme(currentTheme());
}

} // namespace bubblescope::viz
