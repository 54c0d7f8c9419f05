#include "viz/charts/bubble_chart.h"

#include "viz/charts/plot_style.h"
#include "viz/timeline/pick_text.h"
#include "viz/timeline/time_text.h"

#include <QApplication>
#include <QFontMetricsF>

namespace bubblescope::viz {

constexpr int mostNamed = 24; ///< more devices: thinner bars, and not all of them named

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

std::vector<TimeRange> timesOf(const RunView& run, int device, std::optional<IdleCause> cause)
{
    std::vector<TimeRange> times;
    Nanoseconds reached = run.idle.begin;
    for (const Gap& gap : run.idle.gaps) {
        if (gap.device != device)
            continue;
        if (!cause && gap.start > reached)
            times.push_back({reached, gap.start});
        else if (cause && gap.cause[static_cast<std::size_t>(*cause)] > 0)
            times.push_back({gap.start, gap.end});
        reached = gap.end;
    }
    if (!cause && reached < run.idle.end)
        times.push_back({reached, run.idle.end});
    return times;
}

namespace {

std::vector<BubbleChart::Segment> segmentsOf(const RunView& run)
{
    const std::vector<IdleCause> causes = causesOf(run);
    std::vector<BubbleChart::Segment> segments;
    for (std::size_t at = 0; at < run.idle.devices.size(); ++at) {
        const DeviceIdle& device = run.idle.devices[at];
        Nanoseconds reached = 0;
        const auto add = [&](std::optional<IdleCause> cause, Nanoseconds length) {
            if (length > 0)
                segments.push_back({static_cast<int>(at), cause, reached, reached + length});
            reached += std::max<Nanoseconds>(0, length);
        };
        add(std::nullopt, device.busy);
        for (const IdleCause cause : causes)
            add(cause, device.cause[static_cast<std::size_t>(cause)]);
    }
    return segments;
}

QString segmentName(const BubbleChart::Segment& segment)
{
    return segment.cause ? causeTitle(*segment.cause) : BubbleChart::tr("work");
}

} // namespace

BubbleChart::BubbleChart(QWidget* parent) : Chart(parent)
{
    setAccessibleName(tr("Where each device's time goes"));
    connect(this, &QCustomPlot::afterLayout, this, &BubbleChart::fitLetters);
    BubbleChart::rebuild();
}

void BubbleChart::setRun(RunPtr run, const QString& title)
{
    m_run = std::move(run);
    m_segments = m_run ? segmentsOf(*m_run) : std::vector<Segment>{};
    setTitle(title);
    updateGeometry();
    rebuild();
}

void BubbleChart::rebuild()
{
    clearPlottables();
    clearItems();
    m_letters.clear();
    applyStyle();
    const bool hasData = m_run && !m_run->idle.devices.empty() && m_run->makespan() > 0;
    axisRect()->setVisible(hasData);
    if (!hasData) {
        replot(rpQueuedReplot);
        return;
    }
    const auto devices = static_cast<int>(m_run->idle.devices.size());
    QSharedPointer<QCPAxisTickerText> names(new QCPAxisTickerText);
    const int every = devices <= mostNamed ? 1 : std::max(1, devices / mostNamed);
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
    stack(tr("work"), theme().busy, std::nullopt, below);
    for (const IdleCause cause : causesOf(*m_run))
        stack(causeTitle(cause), theme().of(cause), cause, below);
    if (devices <= mostNamed)
        letter();
    outline();
    replot(rpQueuedReplot);
}

/// Colour isn't all that tells causes apart: where there is room, they are named.
void BubbleChart::letter()
{
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.85);
    for (const Segment& segment : m_segments) {
        if (!segment.cause)
            continue;
        auto* text = new QCPItemText(this);
        text->setText(segmentName(segment));
        text->setFont(small);
        text->setColor(theme().labelOn(theme().of(*segment.cause)));
        text->setPositionAlignment(Qt::AlignCenter);
        text->position->setCoords(inMilliseconds(segment.begin + (segment.end - segment.begin) / 2), segment.device);
        m_letters.push_back({text, segment});
    }
}

void BubbleChart::fitLetters()
{
    for (const Letters& letters : m_letters) {
        const QFontMetricsF metrics(letters.text->font());
        const double width = std::abs(xAxis->coordToPixel(inMilliseconds(letters.segment.end)) -
                                      xAxis->coordToPixel(inMilliseconds(letters.segment.begin)));
        const double height = std::abs(yAxis->coordToPixel(0.72) - yAxis->coordToPixel(0));
        letters.text->setVisible(width > metrics.horizontalAdvance(letters.text->text()) + metrics.height() * 0.5 &&
                                 height > metrics.height());
    }
}

void BubbleChart::stack(const QString& name, const QColor& colour, std::optional<IdleCause> cause, QCPBars*& below)
{
    auto* bars = new QCPBars(yAxis, xAxis);
    bars->setName(name);
    bars->setWidth(0.72);
    bars->setBrush(colour);
    bars->setPen(QPen(theme().canvas, 0.5)); // a hairline keeps neighbours apart where hues are close
    bars->setStackingGap(0);
    for (std::size_t device = 0; device < m_run->idle.devices.size(); ++device) {
        const DeviceIdle& idle = m_run->idle.devices[device];
        bars->addData(static_cast<double>(device),
                      inMilliseconds(cause ? idle.cause[static_cast<std::size_t>(*cause)] : idle.busy));
    }
    if (below)
        bars->moveAbove(below);
    below = bars;
}

void BubbleChart::setOutlined(int device, std::optional<IdleCause> cause)
{
    if (device == m_outlinedDevice && cause == m_outlinedCause)
        return;
    m_outlinedDevice = device;
    m_outlinedCause = cause;
    rebuild();
}

void BubbleChart::outline()
{
    for (const Segment& segment : m_segments) {
        if (segment.device != m_outlinedDevice || segment.cause != m_outlinedCause)
            continue;
        auto* frame = new QCPItemRect(this);
        frame->setPen(QPen(theme().text, 2));
        frame->setClipToAxisRect(false);
        frame->topLeft->setCoords(inMilliseconds(segment.begin), segment.device - 0.42);
        frame->bottomRight->setCoords(inMilliseconds(segment.end), segment.device + 0.42);
    }
}

QSize BubbleChart::sizeHint() const
{
    const int devices = m_run ? static_cast<int>(m_run->idle.devices.size()) : 4;
    const double lines = devices > mostNamed ? 1.05 * devices : 1.5 * devices;
    return {300, static_cast<int>(QFontMetricsF(QApplication::font()).height() * (lines + 5))};
}

QSize BubbleChart::minimumSizeHint() const
{
    const int devices = m_run ? static_cast<int>(m_run->idle.devices.size()) : 4;
    const double line = QFontMetricsF(QApplication::font()).height();
    return {160, static_cast<int>(line * std::max(8.0, 1.05 * devices + 5))}; // every name has its line
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

const BubbleChart::Segment* BubbleChart::segmentAt(const QPointF& position) const
{
    if (!m_run || !axisRect()->rect().contains(position.toPoint()))
        return nullptr;
    const int device = static_cast<int>(std::lround(yAxis->pixelToCoord(position.y())));
    const double at = xAxis->pixelToCoord(position.x());
    for (const Segment& segment : m_segments)
        if (segment.device == device && at <= inMilliseconds(segment.end))
            return &segment;
    return nullptr;
}

QString BubbleChart::hintAt(const QPointF& position) const
{
    const Segment* segment = segmentAt(position);
    if (segment == nullptr)
        return {};
    const Nanoseconds time = segment->end - segment->begin;
    return tr("%1 · %2 %3 (%4)")
        .arg(deviceName(*m_run, segment->device), segmentName(*segment), timeText(time),
             percentText(static_cast<double>(time) / static_cast<double>(m_run->makespan())));
}

QPointF BubbleChart::centreOf(const Segment& segment) const
{
    return {xAxis->coordToPixel(inMilliseconds(segment.begin + segment.end) / 2), yAxis->coordToPixel(segment.device)};
}

std::vector<QPointF> BubbleChart::marks() const
{
    std::vector<QPointF> places;
    places.reserve(m_segments.size());
    for (const Segment& segment : m_segments)
        places.push_back(centreOf(segment));
    return places;
}

void BubbleChart::clickAt(const QPointF& position)
{
    if (const Segment* segment = segmentAt(position))
        Q_EMIT segmentClicked(segment->device, segment->cause);
}

ChartTable BubbleChart::table() const
{
    ChartTable table;
    table.headings << QStringLiteral("device") << QStringLiteral("busy_ms");
    if (!m_run)
        return table;
    const std::vector<IdleCause> causes = causesOf(*m_run);
    for (const IdleCause cause : causes)
        table.headings << QString::fromUtf8(idleCauseName(cause)) + QStringLiteral("_ms");
    for (std::size_t device = 0; device < m_run->idle.devices.size(); ++device) {
        const DeviceIdle& idle = m_run->idle.devices[device];
        QStringList row{deviceName(*m_run, static_cast<int>(device)), cellText(inMilliseconds(idle.busy))};
        for (const IdleCause cause : causes)
            row << cellText(inMilliseconds(idle.cause[static_cast<std::size_t>(cause)]));
        table.rows.push_back(row);
    }
    return table;
}

} // namespace bubblescope::viz
