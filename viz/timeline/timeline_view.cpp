#include "viz/timeline/timeline_view.h"

#include "viz/timeline/pick_text.h"
#include "viz/timeline/time_badge.h"
#include "viz/timeline/time_text.h"

#include <QElapsedTimer>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QTimer>
#include <QToolTip>
#include <QWheelEvent>

namespace bubblescope::viz {

TimelineView::TimelineView(RangeController& range, QWidget* parent) : QWidget(parent), m_range(range)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&range, &RangeController::visibleChanged, this, qOverload<>(&QWidget::update));
    connect(&range, &RangeController::selectionChanged, this, qOverload<>(&QWidget::update));
    connect(&range, &RangeController::cursorChanged, this, qOverload<>(&QWidget::update));
}

void TimelineView::setPicture(RunPicture picture)
{
    const bool sameRun = m_picture.run && picture.run && m_picture.run->number == picture.run->number;
    // The colours of a large run are worth keeping; its rows are the same as long as as many are shown.
    const bool sameRows = m_picture.run == picture.run && m_picture.rows.size() == picture.rows.size();
    if (sameRows && picture.run && picture.run->columns)
        picture.colours = m_picture.colours;
    picture.colouring = m_picture.colouring;
    m_picture = std::move(picture);
    setAccessibleName(tr("Timeline %1").arg(m_picture.letter));
    setAccessibleDescription(m_picture.run ? titleWithLabel(*m_picture.run) + QStringLiteral(", ") + m_picture.facts
                                           : QString());
    if (!sameRun)
        m_picked = {};
    dropImage();
    updateHeight();
    update();
}

void TimelineView::setRowHeight(double height)
{
    m_rowHeight = height;
    dropImage();
    updateHeight();
    update();
}

void TimelineView::setCriticalPathShown(bool shown)
{
    m_critical = shown;
    update();
}

void TimelineView::setColouring(const Colouring& colouring)
{
    m_picture.colouring = colouring;
    update();
}

void TimelineView::setFrameTimeShown(bool shown)
{
    m_frameTimeShown = shown;
    m_frameTimes.clear();
    update();
}

void TimelineView::setPicked(Pick pick)
{
    m_picked = pick;
    update();
}

void TimelineView::setIntervals(std::vector<RunInterval> intervals)
{
    m_intervals = std::move(intervals);
    update();
}

void TimelineView::updateHeight()
{
    setFixedHeight(sizeHint().height());
}

QSize TimelineView::sizeHint() const
{
    const TimelineMetrics metrics(font());
    return {600,
            static_cast<int>(std::ceil(heightOfRun(metrics, static_cast<int>(m_picture.rows.size()), m_rowHeight)))};
}

RunLayout TimelineView::layout() const
{
    return layoutRun(QRectF(rect()), static_cast<int>(m_picture.rows.size()), TimelineMetrics(font()), m_rowHeight);
}

Pick TimelineView::hit(const QPointF& position) const
{
    const RunLayout places = layout();
    const int row = rowAt(places.band, position.y());
    if (row < 0 || position.x() < places.frame.left() || position.x() > places.frame.right())
        return {};
    const TimeAxis axis = places.axis(m_range.visible());
    const Nanoseconds time = pixelToTime(axis, position.x());
    const Nanoseconds slop = pixelToTime(axis, position.x() + 3) - time;
    const TimelineRow& there = m_picture.rows[static_cast<std::size_t>(row)];
    // A gap is hit exactly before a bar is hit nearly: bars of a few pixels need the slop, gaps between them don't lose by it.
    if (const int moment = momentAt(there, time, slop); moment >= 0)
        return {Pick::Kind::Bar, row, moment};
    if (const int bar = barAt(there, time); bar >= 0)
        return {Pick::Kind::Bar, row, bar};
    if (const Pick gap{Pick::Kind::Gap, row, gapAt(there, time)}; gap.index >= 0 && timeOf(there, gap).length() > slop)
        return gap;
    if (const int bar = barAt(there, time, slop); bar >= 0)
        return {Pick::Kind::Bar, row, bar};
    return {};
}

TimeRange TimelineView::rangeOf(const Pick& pick) const
{
    if (pick.kind == Pick::Kind::None)
        return {};
    return timeOf(m_picture.rows[static_cast<std::size_t>(pick.row)], pick);
}

QPointF TimelineView::centreOf(const Pick& pick) const
{
    const RunLayout places = layout();
    const TimeRange range = rangeOf(pick);
    return {timeToPixel(places.axis(m_range.visible()), range.begin + range.length() / 2),
            places.rowRect(pick.row).center().y()};
}

QString TimelineView::hintAt(const QPointF& position) const
{
    if (!m_picture.run)
        return {};
    const Pick there = hit(position);
    const QString hint = pickHint(m_picture, there);
    if (there.kind != Pick::Kind::Bar)
        return hint;
    // What shares its pixel with others isn't seen alone.
    const TimeAxis axis = layout().axis(m_range.visible());
    const double pixel = std::floor(position.x());
    const TimeRange range{pixelToTime(axis, pixel), pixelToTime(axis, pixel + 1)};
    const std::size_t inside = barsInside(m_picture.rows[static_cast<std::size_t>(there.row)], range);
    if (inside < 3 || rangeOf(there).length() >= range.length())
        return hint;
    return hint + QStringLiteral("\n") + tr("one of %n here", nullptr, static_cast<int>(inside));
}

void TimelineView::pick(Pick pick)
{
    if (pick == m_picked)
        return;
    m_picked = pick;
    update();
    Q_EMIT pickChanged(pick);
}

void TimelineView::stepAlongLane(int by)
{
    Pick next = m_picked;
    if (next.kind == Pick::Kind::None || m_picture.rows.empty()) {
        if (m_picture.rows.empty() || m_picture.rows.front().bars.empty())
            return;
        pick({Pick::Kind::Bar, 0, 0});
        return;
    }
    const TimelineRow& row = m_picture.rows[static_cast<std::size_t>(next.row)];
    if (const Pick found = neighbour(row, next, by); found.kind != Pick::Kind::None)
        pick(found);
    const TimeRange there = rangeOf(m_picked);
    if (there.begin < m_range.visible().begin || there.end > m_range.visible().end)
        m_range.setVisible(
            {there.begin - m_range.visible().length() / 4, there.begin + m_range.visible().length() * 3 / 4});
}

void TimelineView::stepToRow(int by)
{
    const int row = m_picked.kind == Pick::Kind::None ? 0 : m_picked.row + by;
    if (row < 0 || static_cast<std::size_t>(row) >= m_picture.rows.size())
        return;
    const TimeRange here = m_picked.kind == Pick::Kind::None ? m_range.visible() : rangeOf(m_picked);
    const TimelineRow& there = m_picture.rows[static_cast<std::size_t>(row)];
    const Nanoseconds at = here.begin + here.length() / 2;
    if (const int bar = barAt(there, at); bar >= 0)
        pick({Pick::Kind::Bar, row, bar});
    else if (const int gap = gapAt(there, at); gap >= 0)
        pick({Pick::Kind::Gap, row, gap});
}

bool TimelineView::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const QString hint = hintAt(help->pos());
        if (hint.isEmpty())
            QToolTip::hideText();
        else
            QToolTip::showText(help->globalPos(), hint, this);
        return true;
    }
    return QWidget::event(event);
}

void TimelineView::paintEvent(QPaintEvent* event)
{
    QElapsedTimer timer;
    timer.start();
    QPainter painter(this);
    const Theme& theme = currentTheme();
    if (!m_picture.run) {
        painter.fillRect(rect(), theme.canvas);
        return;
    }
    const RunLayout places = layout();
    const RunPainter run(m_picture, places, m_range.visible(), theme, font());
    const double pitch = std::max(1.0, places.band.pitch());
    const int firstRow = static_cast<int>((event->rect().top() - places.band.top) / pitch);
    const int lastRow = static_cast<int>((event->rect().bottom() - places.band.top) / pitch) + 1;
    m_image.show({m_picture, places, m_range.visible(), theme, font(), devicePixelRatioF()}, m_labels, firstRow,
                 lastRow);
    paintSides(painter, run, places);
    painter.drawImage(places.frame.topLeft(), m_image.image());
    run.paintFrame(painter);
    run.paintMarks(painter, {m_critical, m_picked});
    paintOverlay(painter, places);
    const qint64 taken = timer.nsecsElapsed();
    if (m_frameTimeShown)
        paintFrameTime(painter, places, taken);
    if (m_image.lacksLabels())
        QTimer::singleShot(0, this, qOverload<>(&QWidget::update));
    Q_EMIT painted(taken);
}

/// Everything around the rows is drawn once and copied: it stays while the rows move.
void TimelineView::paintSides(QPainter& painter, const RunPainter& run, const RunLayout& places)
{
    const double scale = devicePixelRatioF();
    if (m_sides.isNull() || m_sides.size() != size() * scale) {
        m_sides = QImage(size() * scale, QImage::Format_RGB32);
        m_sides.setDevicePixelRatio(scale);
        m_sides.fill(currentTheme().canvas);
        QPainter once(&m_sides);
        once.setFont(font());
        run.paintHeader(once);
        run.paintLabels(once);
    }
    const QRectF frame = places.frame;
    const double right = std::floor(frame.right());
    const double bottom = std::floor(frame.bottom());
    for (const QRectF& part :
         {QRectF(0, 0, width(), frame.top()), QRectF(0, frame.top(), std::ceil(frame.left()), height() - frame.top()),
          QRectF(right, frame.top(), width() - right, height() - frame.top()),
          QRectF(frame.left(), bottom, frame.width(), height() - bottom)})
        painter.drawImage(part, m_sides, QRectF(part.topLeft() * scale, part.size() * scale));
}

void TimelineView::paintFrameTime(QPainter& painter, const RunLayout& places, qint64 nanoseconds)
{
    constexpr std::size_t remembered = 120;
    if (m_frameTimes.size() >= remembered)
        m_frameTimes.erase(m_frameTimes.begin());
    m_frameTimes.push_back(nanoseconds);
    std::vector<qint64> sorted = m_frameTimes;
    std::sort(sorted.begin(), sorted.end());
    const auto milliseconds = [](qint64 time) { return QString::number(static_cast<double>(time) / 1e6, 'f', 2); };
    const QString text =
        tr("%1 ms · median %2 · worst %3")
            .arg(milliseconds(nanoseconds), milliseconds(sorted[sorted.size() / 2]), milliseconds(sorted.back()));
    const QFontMetricsF metrics(font());
    const QSizeF size(metrics.horizontalAdvance(text) + metrics.averageCharWidth() * 2, metrics.height() * 1.3);
    const QRectF box(places.frame.right() - size.width() - 4, places.frame.top() + 4, size.width(), size.height());
    painter.fillRect(box, currentTheme().text);
    painter.setFont(font());
    painter.setPen(currentTheme().canvas);
    painter.drawText(box, Qt::AlignCenter, text);
}

void TimelineView::paintOverlay(QPainter& painter, const RunLayout& places)
{
    const Theme& theme = currentTheme();
    const TimeAxis axis = places.axis(m_range.visible());
    if (!m_range.selection().empty()) {
        const double from = std::max(places.frame.left(), timeToPixel(axis, m_range.selection().begin));
        const double to = std::min(places.frame.right(), timeToPixel(axis, m_range.selection().end));
        if (to > from) {
            QColor fill = theme.accent;
            fill.setAlpha(45);
            const QRectF area(from, 0, to - from, height());
            painter.fillRect(area.intersected(QRectF(from, places.frame.top(), to - from, places.frame.height())),
                             fill);
            painter.setPen(theme.accent);
            painter.drawLine(QPointF(from, places.frame.top()), QPointF(from, places.frame.bottom()));
            painter.drawLine(QPointF(to, places.frame.top()), QPointF(to, places.frame.bottom()));
        }
    }
    paintIntervals(painter, places);
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(places.frame.adjusted(-0.5, -0.5, 0.5, 0.5), 3, 3);
    }
    paintCursor(painter, places);
}

void TimelineView::paintIntervals(QPainter& painter, const RunLayout& places)
{
    const TimeAxis axis = places.axis(m_range.visible());
    QColor fill = currentTheme().accent;
    fill.setAlpha(50);
    painter.setPen(QPen(currentTheme().accent, 2));
    painter.setBrush(fill);
    for (std::size_t row = 0; row < m_picture.rows.size(); ++row)
        for (const RunInterval& interval : m_intervals) {
            const TraceLane& lane = m_picture.run->trace.lanes[static_cast<std::size_t>(m_picture.rows[row].lane)];
            if (interval.device != m_picture.rows[row].device || interval.lane != lane.kind)
                continue;
            const double from = std::max(places.frame.left(), timeToPixel(axis, interval.time.begin));
            const double to = std::min(places.frame.right(), timeToPixel(axis, interval.time.end));
            const QRectF place = places.rowRect(static_cast<int>(row));
            if (to > from)
                painter.drawRect(QRectF(from, place.top(), std::max(2.0, to - from), place.height()));
        }
}

void TimelineView::paintCursor(QPainter& painter, const RunLayout& places)
{
    if (!m_range.cursor())
        return;
    const Theme& theme = currentTheme();
    const double x = timeToPixel(places.axis(m_range.visible()), *m_range.cursor());
    if (x < places.frame.left() || x > places.frame.right())
        return;
    painter.setPen(QPen(theme.cursor, 1));
    painter.drawLine(QPointF(x, m_badge ? places.frame.top() - 3 : 0), QPointF(x, height()));
    if (m_badge)
        paintTimeBadge(painter, places.axis(m_range.visible()), *m_range.cursor(), places.frame.top() - 1, theme,
                       font());
}

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    m_pressed = event->position();
    m_pressedRange = m_range.visible();
    if (event->button() == Qt::MiddleButton)
        m_drag = Drag::ZoomTo;
    else if (event->button() == Qt::LeftButton)
        m_drag = event->modifiers().testFlag(Qt::ShiftModifier) ? Drag::Pan : Drag::Press;
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    const TimeAxis axis = layout().axis(m_range.visible());
    const Nanoseconds time =
        std::clamp(pixelToTime(axis, event->position().x()), m_range.visible().begin, m_range.visible().end);
    m_range.setCursor(time);
    if (m_drag == Drag::Press && (event->position() - m_pressed).manhattanLength() >= 4)
        m_drag = Drag::Select;
    if (m_drag == Drag::Select || m_drag == Drag::ZoomTo) {
        const Nanoseconds from = pixelToTime(axis, m_pressed.x());
        m_range.setSelection({std::min(from, time), std::max(from, time)});
    } else if (m_drag == Drag::Pan) {
        const double share = (m_pressed.x() - event->position().x()) / std::max(1.0, axis.width);
        m_range.setVisible(panBy(m_pressedRange,
                                 static_cast<Nanoseconds>(share * static_cast<double>(m_pressedRange.length())),
                                 m_range.trace()));
    }
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event)
{
    if (m_drag == Drag::ZoomTo) {
        const TimeRange wanted = m_range.selection();
        m_range.setSelection({});
        if (!wanted.empty())
            m_range.setVisible(wanted);
    } else if (m_drag == Drag::Press) {
        m_range.setSelection({});
        pick(hit(event->position()));
    }
    m_drag = Drag::None;
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event)
{
    const TimeRange wanted = rangeOf(hit(event->position()));
    if (!wanted.empty())
        m_range.setVisible({wanted.begin - wanted.length(), wanted.end + wanted.length()});
}

void TimelineView::wheelEvent(QWheelEvent* event)
{
    const double notches = (event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x()) / 120.0;
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        const TimeAxis axis = layout().axis(m_range.visible());
        m_range.zoom(pixelToTime(axis, event->position().x()), std::pow(1.25, notches));
    } else if (event->modifiers().testFlag(Qt::ShiftModifier) || event->angleDelta().y() == 0) {
        m_range.pan(-0.1 * notches);
    } else {
        event->ignore(); // rows belong to the scroll area
        return;
    }
    event->accept();
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    const Nanoseconds middle = m_range.visible().begin + m_range.visible().length() / 2;
    const Nanoseconds at = underMouse() && m_range.cursor() ? *m_range.cursor() : middle;
    if (event->modifiers() & (Qt::ControlModifier | Qt::AltModifier)) {
        QWidget::keyPressEvent(event);
        return;
    }
    switch (event->key()) {
    case Qt::Key_W:
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        m_range.zoom(at, 1.3);
        break;
    case Qt::Key_S:
    case Qt::Key_Minus:
        m_range.zoom(at, 1 / 1.3);
        break;
    case Qt::Key_A:
    case Qt::Key_Left:
        m_range.pan(-0.15);
        break;
    case Qt::Key_D:
    case Qt::Key_Right:
        m_range.pan(0.15);
        break;
    case Qt::Key_Up:
        stepToRow(-1);
        break;
    case Qt::Key_Down:
        stepToRow(1);
        break;
    case Qt::Key_Comma:
        stepAlongLane(-1);
        break;
    case Qt::Key_Period:
        stepAlongLane(1);
        break;
    case Qt::Key_F: {
        const TimeRange wanted = rangeOf(m_picked);
        if (m_range.selection().empty() && !wanted.empty() && m_range.showsAll())
            m_range.setVisible({wanted.begin - wanted.length(), wanted.end + wanted.length()});
        else
            m_range.fit();
        break;
    }
    case Qt::Key_Escape:
        m_range.setSelection({});
        pick({});
        Q_EMIT intervalsCleared();
        break;
    default:
        QWidget::keyPressEvent(event);
    }
}

void TimelineView::leaveEvent(QEvent*)
{
    m_range.setCursor(std::nullopt);
}

void TimelineView::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange ||
        event->type() == QEvent::StyleChange) {
        dropImage();
        if (event->type() == QEvent::FontChange)
            updateHeight();
        update();
    }
    QWidget::changeEvent(event);
}

} // namespace bubblescope::viz
