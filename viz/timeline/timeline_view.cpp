// What a timeline shows and where; timeline_input.cpp has mouse and keys.

#include "viz/timeline/timeline_view.h"

#include "viz/timeline/pick_text.h"
#include "viz/timeline/time_badge.h"
#include "viz/timeline/time_text.h"

#include <QElapsedTimer>
#include <QHelpEvent>
#include <QTimer>
#include <QToolTip>

#include <algorithm>

namespace bubblescope::viz {
namespace {

constexpr double otherLanes = 0.62; ///< height of a lane that isn't the compute lane

} // namespace

TimelineView::TimelineView(RangeController& range, QWidget* parent) : QWidget(parent), m_range(range)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAttribute(Qt::WA_OpaquePaintEvent); // every pixel is painted here: nothing of what is below is needed
    constexpr int restMs = 120;
    m_moving.setSingleShot(true);
    m_moving.setInterval(restMs);
    connect(&m_moving, &QTimer::timeout, this, qOverload<>(&QWidget::update));
    connect(&range, &RangeController::visibleChanged, this, &TimelineView::noteMove);
    connect(&range, &RangeController::selectionChanged, this, qOverload<>(&QWidget::update));
    connect(&range, &RangeController::cursorChanged, this, qOverload<>(&QWidget::update));
}

/// A pan is cheap as it is: only a zoom draws everything anew.
void TimelineView::noteMove()
{
    if (m_coarseWhileMoving && m_range.visible().length() != m_shownLength)
        m_moving.start();
    m_shownLength = m_range.visible().length();
    update();
}

void TimelineView::setPicture(RunPicture picture)
{
    const bool sameRun = m_picture.run && picture.run && m_picture.run->number == picture.run->number;
    // Rows move when lanes open; the pick stays on its lane.
    const bool hadPick = m_picked.kind != Pick::Kind::None;
    const int lane = hadPick ? m_picture.rows[static_cast<std::size_t>(m_picked.row)].lane : -1;
    const int subLane = hadPick ? m_picture.rows[static_cast<std::size_t>(m_picked.row)].subLane : 0;
    // The colours of a large run are worth keeping, as long as its rows are the same.
    const auto sameLane = [](const TimelineRow& a, const TimelineRow& b) {
        return a.lane == b.lane && a.subLane == b.subLane;
    };
    const bool sameRows =
        m_picture.run == picture.run &&
        std::equal(m_picture.rows.begin(), m_picture.rows.end(), picture.rows.begin(), picture.rows.end(), sameLane);
    if (sameRows && picture.run && picture.run->columns)
        picture.colours = m_picture.colours;
    picture.colouring = m_picture.colouring;
    m_picture = std::move(picture);
    setAccessibleName(tr("Timeline %1").arg(m_picture.letter));
    setAccessibleDescription(m_picture.run ? titleWithLabel(*m_picture.run) + QStringLiteral(", ") + m_picture.facts
                                           : QString());
    if (!sameRun) {
        m_picked = {};
        m_ownHeights.clear();
    } else if (lane >= 0) {
        m_picked.row = rowOfLane(lane, subLane);
        if (!holds(m_picked))
            m_picked = {};
    }
    findArrows();
    dropImage();
    updateHeight();
    update();
}

void TimelineView::setOffset(Nanoseconds offset)
{
    m_offset = offset;
    update();
}

TimeRange TimelineView::selection() const
{
    return m_range.selection().empty() ? TimeRange{} : shifted(m_range.selection(), -m_offset);
}

void TimelineView::setRowHeight(double height)
{
    m_rowHeight = height;
    dropImage();
    updateHeight();
    update();
}

QString TimelineView::rowKey(int row) const
{
    const TimelineRow& there = m_picture.rows[static_cast<std::size_t>(row)];
    const QString name = laneName(*m_picture.run, there.lane);
    return there.subLane == 0 ? name : name + QStringLiteral(" · ") + there.label;
}

bool TimelineView::holds(const Pick& pick) const
{
    if (pick.row < 0 || static_cast<std::size_t>(pick.row) >= m_picture.rows.size())
        return false;
    const TimelineRow& row = m_picture.rows[static_cast<std::size_t>(pick.row)];
    const std::size_t count = pick.kind == Pick::Kind::Gap ? row.gaps.size() : row.bars.size();
    return pick.kind != Pick::Kind::None && static_cast<std::size_t>(pick.index) < count;
}

std::vector<double> TimelineView::rowHeights() const
{
    std::vector<double> heights;
    const double smallest = TimelineMetrics(font()).smallestRow * 0.8;
    for (std::size_t row = 0; row < m_picture.rows.size(); ++row) {
        const auto own = m_ownHeights.empty() ? m_ownHeights.end() : m_ownHeights.find(rowKey(static_cast<int>(row)));
        if (own != m_ownHeights.end())
            heights.push_back(own->second);
        else if (isComputeRow(*m_picture.run, m_picture.rows[row]))
            heights.push_back(m_rowHeight);
        else
            heights.push_back(std::min(m_rowHeight, std::max(smallest, std::floor(m_rowHeight * otherLanes))));
    }
    return heights;
}

double TimelineView::sharedRows() const
{
    double rows = 0;
    for (std::size_t row = 0; row < m_picture.rows.size(); ++row)
        if (m_ownHeights.empty() || m_ownHeights.count(rowKey(static_cast<int>(row))) == 0)
            rows += isComputeRow(*m_picture.run, m_picture.rows[row]) ? 1 : otherLanes;
    return rows;
}

double TimelineView::fixedHeight() const
{
    const TimelineMetrics metrics(font());
    double height = heightOfRun(metrics, static_cast<int>(m_picture.rows.size()), 0);
    for (std::size_t row = 0; row < m_picture.rows.size() && !m_ownHeights.empty(); ++row)
        if (const auto own = m_ownHeights.find(rowKey(static_cast<int>(row))); own != m_ownHeights.end())
            height += own->second;
    return height;
}

void TimelineView::forgetRowHeights()
{
    m_ownHeights.clear();
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
    findArrows();
    update();
}

void TimelineView::findArrows()
{
    m_arrows = flowOf(m_picture, m_picked);
    m_successor = mainFlow(m_picture, m_picked, m_arrows.after);
    m_predecessor = mainFlow(m_picture, m_picked, m_arrows.before);
}

void TimelineView::setIntervals(std::vector<RunInterval> intervals)
{
    m_intervals = std::move(intervals);
    update();
}

void TimelineView::setMatches(MatchesPtr matches)
{
    m_matches = std::move(matches);
    update();
}

void TimelineView::setFlags(std::vector<TimeFlag> flags)
{
    m_flags = std::move(flags);
    update();
}

void TimelineView::updateHeight()
{
    setFixedHeight(sizeHint().height());
}

QSize TimelineView::sizeHint() const
{
    return {600, static_cast<int>(std::ceil(heightOfRun(TimelineMetrics(font()), rowHeights())))};
}

RunLayout TimelineView::layout() const
{
    return layoutRun(QRectF(rect()), rowHeights(), TimelineMetrics(font()));
}

int TimelineView::rowOfLane(int lane, int subLane) const
{
    for (std::size_t row = 0; row < m_picture.rows.size(); ++row)
        if (m_picture.rows[row].lane == lane && m_picture.rows[row].subLane == subLane)
            return static_cast<int>(row);
    return -1;
}

Pick TimelineView::barOf(const MatchPlace& place) const
{
    const int row = rowOfLane(place.lane, place.moment ? 0 : place.part);
    if (row < 0)
        return {};
    const std::size_t solid = place.moment ? m_picture.rows[static_cast<std::size_t>(row)].bars.solid() : 0;
    return {Pick::Kind::Bar, row, static_cast<int>(solid + place.index)};
}

Pick TimelineView::hit(const QPointF& position) const
{
    const RunLayout places = layout();
    const int row = rowAt(places.band, position.y());
    if (row < 0 || position.x() < places.frame.left() || position.x() > places.frame.right() || m_picture.run->preview)
        return {};
    const TimeAxis axis = places.axis(visible());
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
    if (pick.kind == Pick::Kind::None || static_cast<std::size_t>(pick.row) >= m_picture.rows.size())
        return {};
    return timeOf(m_picture.rows[static_cast<std::size_t>(pick.row)], pick);
}

QPointF TimelineView::centreOf(const Pick& pick) const
{
    const RunLayout places = layout();
    const TimeRange range = rangeOf(pick);
    return {timeToPixel(places.axis(visible()), range.begin + range.length() / 2),
            places.rowRect(pick.row).center().y()};
}

QRectF TimelineView::lanesArrow(int row, const RunLayout& places) const
{
    if (!m_picture.rows[static_cast<std::size_t>(row)].hasLanes)
        return {};
    const double side = std::round(QFontMetricsF(font()).height() * 1.1);
    const QRectF place = places.rowRect(row);
    return {places.labels.left() - side * 0.45, place.center().y() - std::min(side, place.height()) / 2, side,
            std::min(side, place.height())};
}

const TimeFlag* TimelineView::flagAt(const QPointF& position) const
{
    if (!m_picture.run)
        return nullptr;
    const RunLayout places = layout();
    const TimeAxis axis = places.axis(visible());
    for (const TimeFlag& flag : m_flags)
        if (placeOfFlag(flag, m_picture, places, axis, font()).adjusted(-2, -2, 3, 4).contains(position))
            return &flag;
    return nullptr;
}

QString TimelineView::hintAt(const QPointF& position) const
{
    if (!m_picture.run)
        return {};
    if (const TimeFlag* flag = flagAt(position)) {
        const QString time = timeText(flag->time.begin) +
                             (flag->time.empty() ? QString() : QStringLiteral(" – ") + timeText(flag->time.end));
        return flag->text.isEmpty() ? time : flag->text + QLatin1Char('\n') + time;
    }
    const RunLayout places = layout();
    const int row = rowAt(places.band, position.y());
    if (row >= 0 && position.x() < places.frame.left())
        return rowKey(row) + QLatin1Char('\n') +
               (lanesArrow(row, places).contains(position) ? tr("Click opens or closes its lanes (L)")
                                                           : tr("Drag the line below it to change its height"));
    const Pick there = hit(position);
    return pickHint(m_picture, there) + crowdAt(position, places, there);
}

/// What shares its pixel with others isn't seen alone: "one of 40 here", on a line of its own.
QString TimelineView::crowdAt(const QPointF& position, const RunLayout& places, const Pick& there) const
{
    if (there.kind != Pick::Kind::Bar)
        return {};
    const TimeAxis axis = places.axis(visible());
    const double pixel = std::floor(position.x());
    const TimeRange range{pixelToTime(axis, pixel), pixelToTime(axis, pixel + 1)};
    const std::size_t inside = barsInside(m_picture.rows[static_cast<std::size_t>(there.row)], range);
    if (inside < 3 || rangeOf(there).length() >= range.length())
        return {};
    return QStringLiteral("\n") + tr("one of %n here", nullptr, static_cast<int>(inside));
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
    const TimeRange shown = visible();
    const RunPainter run(m_picture, places, shown, theme, font());
    const int firstRow = firstRowBelow(places.band, event->rect().top());
    int lastRow = firstRow;
    while (lastRow < places.band.count && rowTop(places.band, lastRow) <= event->rect().bottom() + 1)
        ++lastRow;
    m_image.show({m_picture, places, shown, theme, font(), devicePixelRatioF(), m_moving.isActive()}, m_labels,
                 firstRow, lastRow);
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
    paintArrowsOfLanes(painter, places);
    const OverlayPainter overlay(painter, m_picture, places, visible(), font());
    overlay.paintSelection(selection(), m_badge);
    overlay.paintIntervals(m_intervals);
    if (m_matches)
        overlay.paintMatches(*m_matches);
    overlay.paintArrows(m_picked, m_arrows, m_successor, m_predecessor);
    overlay.paintFlags(m_flags);
    if (hasFocus()) {
        painter.setPen(QPen(currentTheme().accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(places.frame.adjusted(-0.5, -0.5, 0.5, 0.5), 3, 3);
    }
    if (!m_range.cursor())
        return;
    overlay.paintCursor(*m_range.cursor() - m_offset, m_badge);
    if (m_badge) // the badge says the time of the axis that the runs share
        paintTimeBadge(painter, places.axis(m_range.visible()), *m_range.cursor(), places.frame.top() - 1,
                       currentTheme(), font());
}

void TimelineView::paintArrowsOfLanes(QPainter& painter, const RunLayout& places)
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(currentTheme().mutedText);
    for (int row = 0; row < places.band.count; ++row) {
        const TimelineRow& there = m_picture.rows[static_cast<std::size_t>(row)];
        if (const QRectF place = lanesArrow(row, places); !place.isEmpty()) {
            const double size = place.height() * 0.26;
            const QPointF middle = place.center();
            const QPointF closed[] = {{-size * 0.7, -size}, {size * 0.9, 0}, {-size * 0.7, size}};
            const QPointF open[] = {{-size, -size * 0.7}, {size, -size * 0.7}, {0, size * 0.9}};
            const QPointF* corners = there.lanesOpen ? open : closed;
            painter.drawPolygon(QPolygonF({middle + corners[0], middle + corners[1], middle + corners[2]}));
        }
        if (there.pinned) {
            const QRectF label =
                QRectF(places.labels.left(), places.rowRect(row).top(), 4, places.rowRect(row).height());
            painter.setBrush(currentTheme().accent);
            painter.drawRoundedRect(label.translated(places.labels.width() - 8, 0), 2, 2);
            painter.setBrush(currentTheme().mutedText);
        }
    }
    painter.restore();
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
