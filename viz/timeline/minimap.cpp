#include "viz/timeline/minimap.h"

#include "viz/theme/theme.h"
#include "viz/timeline/rows.h"

#include <QFutureWatcher>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QtConcurrent>
#include <QToolTip>
#include <QWheelEvent>

#include <cmath>

namespace bubblescope::viz {
namespace {

constexpr std::size_t densityParts = 1200;
constexpr double edgeReach = 5;
constexpr double narrowest = 6; ///< pixels of the frame, so that it can be taken hold of

void addSpan(Density& density, const TimeRange& span, std::size_t work, double weight)
{
    const Nanoseconds begin = std::max(span.begin, density.range.begin);
    const Nanoseconds end = std::min(span.end, density.range.end);
    if (end <= begin)
        return;
    const double part = static_cast<double>(density.range.length()) / static_cast<double>(density.parts.size());
    const double from = static_cast<double>(begin - density.range.begin) / part;
    const double to = static_cast<double>(end - density.range.begin) / part;
    const auto last = std::min(density.parts.size() - 1, static_cast<std::size_t>(to));
    for (auto at = static_cast<std::size_t>(from); at <= last; ++at) {
        const double inside = std::min(to, static_cast<double>(at) + 1) - std::max(from, static_cast<double>(at));
        density.parts[at][work] += static_cast<float>(std::max(0.0, inside) * weight);
    }
}

} // namespace

double Density::busy(std::size_t part) const
{
    double sum = 0;
    for (const float work : parts[part])
        sum += work;
    return sum;
}

Density densityOf(const RunView& run, const TimeRange& range, std::size_t parts)
{
    Density density{range, std::vector<std::array<float, workCount>>(parts)};
    const auto columns = columnsOfRun(run);
    const double weight = 1.0 / std::max(1, columns->devices());
    if (range.empty())
        return density;
    for (const LaneColumns& lane : columns->lanes)
        if (lane.kind == LaneKind::Compute && lane.index == 0)
            for (const SpanChunk& chunk : lane.subLanes.front().chunks())
                for (std::uint32_t i = 0; i < chunk.count; ++i) {
                    const SpanKind& kind = chunk.kinds[chunk.kind[i]];
                    addSpan(density, {chunk.start(i), chunk.end(i)},
                            static_cast<std::size_t>(kind.named ? Work::Filler : kind.work), weight);
                }
    return density;
}

Minimap::Minimap(RangeController& range, QWidget* parent) : QWidget(parent), m_range(range)
{
    setAccessibleName(tr("Minimap"));
    setAccessibleDescription(tr("How busy run A is over all time, and which part is visible"));
    setMouseTracking(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&range, &RangeController::visibleChanged, this, qOverload<>(&QWidget::update));
    connect(&range, &RangeController::selectionChanged, this, qOverload<>(&QWidget::update));
    connect(&range, &RangeController::traceChanged, this, qOverload<>(&QWidget::update));
}

void Minimap::setRun(RunPtr run)
{
    if (run == m_run)
        return;
    m_run = std::move(run);
    if (!m_run) {
        m_density = {};
        m_picture = {};
        update();
        return;
    }
    auto* watcher = new QFutureWatcher<Density>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, asked = m_run] {
        watcher->deleteLater();
        if (asked != m_run)
            return; // another run came in the meantime
        m_density = watcher->result();
        m_picture = {};
        update();
    });
    watcher->setFuture(QtConcurrent::run([asked = m_run] {
        return densityOf(*asked, {asked->idle.begin, asked->idle.end}, densityParts);
    }));
}

void Minimap::setEnds(double left, double right)
{
    m_left = left;
    m_right = right;
    m_picture = {};
    update();
}

QSize Minimap::sizeHint() const
{
    return {100, static_cast<int>(std::lround(fontMetrics().height() * 1.9))};
}

QRectF Minimap::area() const
{
    const double margin = std::round(fontMetrics().height() * 0.2);
    return {m_left, margin, std::max(1.0, m_right - m_left), height() - 2 * margin};
}

TimeAxis Minimap::axis() const
{
    const QRectF whole = area();
    return {m_range.trace(), whole.left(), whole.width()};
}

QRectF Minimap::frame() const
{
    const QRectF whole = area();
    double left = timeToPixel(axis(), m_range.visible().begin);
    double right = timeToPixel(axis(), m_range.visible().end);
    if (right - left < narrowest) {
        const double middle = (left + right) / 2;
        left = std::clamp(middle - narrowest / 2, whole.left(), whole.right() - narrowest);
        right = left + narrowest;
    }
    return {left, whole.top(), right - left, whole.height()};
}

void Minimap::paintDensity(QPainter& painter) const
{
    const QRectF whole = area();
    const Theme& theme = currentTheme();
    for (std::size_t part = 0; part < m_density.parts.size(); ++part) {
        const double length = static_cast<double>(m_density.range.length()) / static_cast<double>(densityParts);
        const auto begin = m_density.range.begin + static_cast<Nanoseconds>(static_cast<double>(part) * length);
        const auto end = m_density.range.begin + static_cast<Nanoseconds>(static_cast<double>(part + 1) * length);
        const double from = timeToPixel(axis(), begin);
        const double to = timeToPixel(axis(), end);
        double bottom = whole.bottom();
        for (std::size_t work = 0; work < workCount; ++work) {
            const double tall = std::min(1.0F, m_density.parts[part][work]) * whole.height();
            if (tall <= 0)
                continue;
            painter.fillRect(QRectF(from, bottom - tall, to - from + 0.3, tall), theme.work[work]);
            bottom -= tall;
        }
    }
}

void Minimap::renewPicture()
{
    const Theme& theme = currentTheme();
    const QSize wanted = size() * devicePixelRatioF();
    if (m_picture.size() == wanted && m_pictureTrace == m_range.trace() && m_pictureTheme == &theme)
        return;
    m_picture = QImage(wanted, QImage::Format_RGB32);
    m_picture.setDevicePixelRatio(devicePixelRatioF());
    m_picture.fill(theme.canvas);
    m_pictureTrace = m_range.trace();
    m_pictureTheme = &theme;
    QPainter painter(&m_picture);
    painter.fillRect(area(), theme.hatch);
    painter.setClipRect(area());
    paintDensity(painter);
}

void Minimap::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = currentTheme();
    const QRectF whole = area();
    renewPicture();
    painter.drawImage(0, 0, m_picture);
    const QRectF shown = frame();
    QColor veil = theme.canvas;
    veil.setAlpha(170);
    painter.fillRect(QRectF(whole.topLeft(), QPointF(shown.left(), whole.bottom())), veil);
    painter.fillRect(QRectF(QPointF(shown.right(), whole.top()), whole.bottomRight()), veil);
    if (!m_range.selection().empty()) {
        const double from = timeToPixel(axis(), m_range.selection().begin);
        const double to = timeToPixel(axis(), m_range.selection().end);
        painter.fillRect(QRectF(from, whole.bottom() - 3, std::max(1.0, to - from), 3), theme.accent);
    }
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.border, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(whole.adjusted(0.5, 0.5, -0.5, -0.5));
    painter.setPen(QPen(theme.accent, 1.5));
    painter.drawRect(shown.adjusted(0.75, 0.75, -0.75, -0.75));
    painter.setPen(Qt::NoPen);
    painter.setBrush(theme.accent);
    const double grip = whole.height() * 0.42;
    for (const double edge : {shown.left(), shown.right()})
        painter.drawRoundedRect(QRectF(edge - 2, whole.center().y() - grip / 2, 4, grip), 2, 2);
}

Minimap::Drag Minimap::partAt(double x) const
{
    const QRectF shown = frame();
    if (std::abs(x - shown.left()) <= edgeReach && x < shown.center().x())
        return Drag::Begin;
    if (std::abs(x - shown.right()) <= edgeReach)
        return Drag::End;
    return x > shown.left() && x < shown.right() && !m_range.showsAll() ? Drag::Frame : Drag::New;
}

void Minimap::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton)
        return;
    m_pressed = event->position().x();
    m_pressedRange = m_range.visible();
    m_drag = partAt(m_pressed);
}

void Minimap::mouseMoveEvent(QMouseEvent* event)
{
    const double x = event->position().x();
    const Nanoseconds time = std::clamp(pixelToTime(axis(), x), m_range.trace().begin, m_range.trace().end);
    const auto between = [](Nanoseconds a, Nanoseconds b) { return TimeRange{std::min(a, b), std::max(a, b)}; };
    switch (m_drag) {
    case Drag::None:
        switch (partAt(x)) {
        case Drag::Begin:
        case Drag::End:
            setCursor(Qt::SizeHorCursor);
            break;
        case Drag::Frame:
            setCursor(Qt::OpenHandCursor);
            break;
        default:
            setCursor(Qt::CrossCursor);
        }
        break;
    case Drag::Frame:
        m_range.setVisible(
            panBy(m_pressedRange, pixelToTime(axis(), x) - pixelToTime(axis(), m_pressed), m_range.trace()));
        break;
    case Drag::Begin:
        m_range.setVisible(between(time, m_pressedRange.end));
        break;
    case Drag::End:
        m_range.setVisible(between(m_pressedRange.begin, time));
        break;
    case Drag::New:
        if (std::abs(x - m_pressed) >= 4)
            m_range.setVisible(between(pixelToTime(axis(), m_pressed), time));
        break;
    }
}

void Minimap::mouseReleaseEvent(QMouseEvent* event)
{
    // A click beside the frame brings the frame there.
    if (m_drag == Drag::New && std::abs(event->position().x() - m_pressed) < 4 && !m_range.showsAll()) {
        const Nanoseconds begin = pixelToTime(axis(), m_pressed) - m_range.visible().length() / 2;
        m_range.setVisible({begin, begin + m_range.visible().length()});
    }
    m_drag = Drag::None;
}

void Minimap::mouseDoubleClickEvent(QMouseEvent*)
{
    m_range.showAll();
}

void Minimap::wheelEvent(QWheelEvent* event)
{
    m_range.zoom(pixelToTime(axis(), event->position().x()), std::pow(1.25, event->angleDelta().y() / 120.0));
    event->accept();
}

bool Minimap::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(),
                           tr("How busy run A is. Drag the frame to pan, its edges to zoom, beside it for a new frame; "
                              "double-click shows everything."),
                           this);
        return true;
    }
    return QWidget::event(event);
}

} // namespace bubblescope::viz
