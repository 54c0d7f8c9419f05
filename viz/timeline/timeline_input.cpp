// Mouse and keys of a timeline.

#include "viz/timeline/timeline_view.h"

#include <QGuiApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

namespace bubblescope::viz {
namespace {

constexpr double edgeReach = 5; ///< pixels beside an edge that still take hold of it
constexpr double mostRowHeight = 400;

} // namespace

void TimelineView::pick(Pick pick)
{
    if (pick == m_picked)
        return;
    setPicked(pick);
    Q_EMIT pickChanged(pick);
}

void TimelineView::stepAlongLane(int by)
{
    if (m_picture.rows.empty())
        return;
    if (m_picked.kind == Pick::Kind::None) {
        if (!m_picture.rows.front().bars.empty())
            pick({Pick::Kind::Bar, 0, 0});
    } else if (const Pick found = neighbour(m_picture.rows[static_cast<std::size_t>(m_picked.row)], m_picked, by);
               found.kind != Pick::Kind::None)
        pick(found);
    m_range.reveal(shifted(rangeOf(m_picked), m_offset));
}

void TimelineView::stepToRow(int by)
{
    const int row = m_picked.kind == Pick::Kind::None ? 0 : m_picked.row + by;
    if (row < 0 || static_cast<std::size_t>(row) >= m_picture.rows.size())
        return;
    const TimeRange here = m_picked.kind == Pick::Kind::None ? visible() : rangeOf(m_picked);
    const TimelineRow& there = m_picture.rows[static_cast<std::size_t>(row)];
    const Nanoseconds at = here.begin + here.length() / 2;
    if (const int bar = barAt(there, at); bar >= 0)
        pick({Pick::Kind::Bar, row, bar});
    else if (const int gap = gapAt(there, at); gap >= 0)
        pick({Pick::Kind::Gap, row, gap});
    else if (!there.bars.empty()) // the nearest of a lane without gaps
        pick({Pick::Kind::Bar, row, static_cast<int>(std::min(firstVisibleBar(there, at), there.bars.size() - 1))});
}

void TimelineView::followFlow(bool forward)
{
    const std::vector<Pick>& ends = forward ? m_arrows.after : m_arrows.before;
    if (ends.empty())
        return;
    pick(ends[std::min(forward ? m_successor : m_predecessor, ends.size() - 1)]);
    m_range.reveal(shifted(rangeOf(m_picked), m_offset));
}

void TimelineView::chooseFlow(bool forward)
{
    const std::vector<Pick>& ends = forward ? m_arrows.after : m_arrows.before;
    std::size_t& chosen = forward ? m_successor : m_predecessor;
    if (!ends.empty())
        chosen = (chosen + 1) % ends.size();
    update();
}

void TimelineView::moveEdge(bool begin, int direction)
{
    const Nanoseconds step = std::max<Nanoseconds>(1, m_range.visible().length() / 100) * direction;
    TimeRange range = m_range.selection();
    if (range.empty()) {
        // A selection begins at the pick, at the pointer, or in the middle.
        const TimeRange picked = rangeOf(m_picked);
        const Nanoseconds middle = m_range.visible().begin + m_range.visible().length() / 2;
        const Nanoseconds at = m_range.cursor().value_or(middle);
        range = picked.empty() ? TimeRange{at, at} : shifted(picked, m_offset);
    }
    (begin ? range.begin : range.end) += step;
    range.begin = std::clamp(range.begin, m_range.trace().begin, m_range.trace().end);
    range.end = std::clamp(range.end, m_range.trace().begin, m_range.trace().end);
    if (range.begin > range.end)
        std::swap(range.begin, range.end);
    m_range.setSelection(range);
    m_range.reveal({begin ? range.begin : range.end, begin ? range.begin : range.end});
}

bool TimelineView::zoomOrPan(TimelineCommand command)
{
    const Nanoseconds middle = m_range.visible().begin + m_range.visible().length() / 2;
    const Nanoseconds at = underMouse() && m_range.cursor() ? *m_range.cursor() : middle;
    switch (command) {
    case TimelineCommand::ZoomIn:
        m_range.zoom(at, 1.3);
        return true;
    case TimelineCommand::ZoomOut:
        m_range.zoom(at, 1 / 1.3);
        return true;
    case TimelineCommand::PanLeft:
        m_range.pan(-0.15);
        return true;
    case TimelineCommand::PanRight:
        m_range.pan(0.15);
        return true;
    case TimelineCommand::Fit:
        if (m_range.selection().empty() && m_picked.kind != Pick::Kind::None)
            m_range.fit(shifted(rangeOf(m_picked), m_offset));
        else
            m_range.fit();
        return true;
    case TimelineCommand::Back:
        m_range.back();
        return true;
    case TimelineCommand::Forward:
        m_range.forward();
        return true;
    default:
        return false;
    }
}

bool TimelineView::run(TimelineCommand command)
{
    if (zoomOrPan(command))
        return true;
    switch (command) {
    case TimelineCommand::Previous:
    case TimelineCommand::Next:
        stepAlongLane(command == TimelineCommand::Next ? 1 : -1);
        return true;
    case TimelineCommand::RowUp:
    case TimelineCommand::RowDown:
        stepToRow(command == TimelineCommand::RowDown ? 1 : -1);
        return true;
    case TimelineCommand::FlowForward:
    case TimelineCommand::FlowBack:
        followFlow(command == TimelineCommand::FlowForward);
        return true;
    case TimelineCommand::OtherSuccessor:
    case TimelineCommand::OtherPredecessor:
        chooseFlow(command == TimelineCommand::OtherSuccessor);
        return true;
    case TimelineCommand::SelectEvent:
        if (m_picked.kind != Pick::Kind::None) {
            m_range.setSelection(shifted(rangeOf(m_picked), m_offset));
            Q_EMIT rangeSelected();
        }
        return true;
    case TimelineCommand::SelectAll:
        m_range.setSelection(m_range.trace());
        Q_EMIT rangeSelected();
        return true;
    case TimelineCommand::EndEarlier:
    case TimelineCommand::EndLater:
        moveEdge(false, command == TimelineCommand::EndLater ? 1 : -1);
        return true;
    case TimelineCommand::BeginEarlier:
    case TimelineCommand::BeginLater:
        moveEdge(true, command == TimelineCommand::BeginLater ? 1 : -1);
        return true;
    default:
        return false;
    }
}

void TimelineView::keyPressEvent(QKeyEvent* event)
{
    const auto command = timelineCommand(*event, keyPlacesKnown());
    if (command)
        Q_EMIT commandAsked(*command);
    else
        QWidget::keyPressEvent(event);
}

Nanoseconds TimelineView::alignedAt(double x) const
{
    const Nanoseconds time = pixelToTime(layout().axis(m_range.visible()), x);
    return std::clamp(time, m_range.visible().begin, m_range.visible().end);
}

TimelineView::Drag TimelineView::edgeAt(double x) const
{
    if (m_range.selection().empty())
        return Drag::None;
    const TimeAxis axis = layout().axis(m_range.visible());
    const double begin = std::abs(timeToPixel(axis, m_range.selection().begin) - x);
    const double end = std::abs(timeToPixel(axis, m_range.selection().end) - x);
    if (std::min(begin, end) > edgeReach)
        return Drag::None;
    return begin < end ? Drag::Begin : Drag::End;
}

int TimelineView::heightEdgeAt(const QPointF& position) const
{
    const RunLayout places = layout();
    if (position.x() >= places.frame.left())
        return -1;
    for (int row = 0; row < places.band.count; ++row)
        if (std::abs(position.y() - places.rowRect(row).bottom()) <= places.band.gap)
            return row;
    return -1;
}

bool TimelineView::pressLabel(const QPointF& position)
{
    const RunLayout places = layout();
    if (position.x() >= places.frame.left())
        return false;
    m_heightRow = heightEdgeAt(position);
    if (m_heightRow >= 0) {
        m_drag = Drag::Height;
        return true;
    }
    const int row = rowAt(places.band, position.y());
    if (row >= 0 && lanesArrow(row).contains(position)) {
        Q_EMIT lanesToggled(m_picture.rows[static_cast<std::size_t>(row)].device);
        return true;
    }
    return false;
}

void TimelineView::mousePressEvent(QMouseEvent* event)
{
    if (!m_picture.run)
        return;
    const QPointF position = event->position();
    m_pressed = position;
    m_pressedRange = m_range.visible();
    if (event->button() == Qt::MiddleButton)
        m_drag = Drag::ZoomTo;
    if (event->button() != Qt::LeftButton)
        return;
    if (const TimeFlag* flag = flagAt(position)) {
        Q_EMIT flagClicked(flag->id);
        return;
    }
    if (pressLabel(position))
        return;
    const Drag edge = edgeAt(position.x());
    if (event->modifiers().testFlag(Qt::ShiftModifier))
        m_drag = Drag::Pan;
    else if (edge != Drag::None && position.y() >= layout().frame.top()) {
        m_drag = edge;
        m_fixedEdge = edge == Drag::Begin ? m_range.selection().end : m_range.selection().begin;
    } else
        m_drag = Drag::Press;
}

void TimelineView::dragTo(const QPointF& position)
{
    const TimeAxis axis = layout().axis(m_range.visible());
    const Nanoseconds time = alignedAt(position.x());
    switch (m_drag) {
    case Drag::Select:
    case Drag::ZoomTo: {
        const Nanoseconds from = alignedAt(m_pressed.x());
        m_range.setSelection({std::min(from, time), std::max(from, time)});
        break;
    }
    case Drag::Begin:
    case Drag::End:
        m_range.setSelection({std::min(m_fixedEdge, time), std::max(m_fixedEdge, time)});
        break;
    case Drag::Pan: {
        const double share = (m_pressed.x() - position.x()) / std::max(1.0, axis.width);
        m_range.setVisible(panBy(m_pressedRange,
                                 static_cast<Nanoseconds>(share * static_cast<double>(m_pressedRange.length())),
                                 m_range.trace()));
        break;
    }
    case Drag::Height: {
        const double smallest = TimelineMetrics(font()).smallestRow * 0.5;
        m_ownHeights[rowKey(m_heightRow)] =
            std::clamp(position.y() - layout().rowRect(m_heightRow).top(), smallest, mostRowHeight);
        setRowHeight(m_rowHeight);
        Q_EMIT rowHeightsChanged();
        break;
    }
    case Drag::None:
    case Drag::Press:
        break;
    }
}

void TimelineView::showCursorShape(const QPointF& position)
{
    const bool inFrame = position.x() >= layout().frame.left() && position.y() >= layout().frame.top();
    if (inFrame && edgeAt(position.x()) != Drag::None)
        setCursor(Qt::SizeHorCursor);
    else if (heightEdgeAt(position) >= 0)
        setCursor(Qt::SizeVerCursor);
    else
        unsetCursor();
}

void TimelineView::mouseMoveEvent(QMouseEvent* event)
{
    if (!m_picture.run)
        return;
    const QPointF position = event->position();
    if (m_drag != Drag::Height)
        m_range.setCursor(alignedAt(position.x()));
    if (m_drag == Drag::Press && (position - m_pressed).manhattanLength() >= 4)
        m_drag = Drag::Select;
    if (m_drag == Drag::None)
        showCursorShape(position);
    else
        dragTo(position);
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event)
{
    const Drag drag = std::exchange(m_drag, Drag::None);
    if (drag == Drag::ZoomTo && (event->position() - m_pressed).manhattanLength() >= 4) {
        const TimeRange wanted = m_range.selection();
        m_range.setSelection({});
        if (!wanted.empty())
            m_range.setVisible(wanted);
    } else if (drag == Drag::Press) {
        m_range.setSelection({});
        pick(hit(event->position()));
    } else if (drag == Drag::Select || drag == Drag::Begin || drag == Drag::End) {
        Q_EMIT rangeSelected();
    }
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (!m_picture.run)
        return;
    if (const int row = heightEdgeAt(event->position()); row >= 0) {
        m_ownHeights.erase(rowKey(row));
        Q_EMIT rowHeightsChanged();
        return;
    }
    if (pressLabel(event->position()))
        return;
    const TimeRange wanted = rangeOf(hit(event->position()));
    if (!wanted.empty())
        m_range.setVisible(shifted({wanted.begin - wanted.length(), wanted.end + wanted.length()}, m_offset));
}

void TimelineView::wheelEvent(QWheelEvent* event)
{
    const double notches = (event->angleDelta().y() != 0 ? event->angleDelta().y() : event->angleDelta().x()) / 120.0;
    const bool control = event->modifiers().testFlag(Qt::ControlModifier);
    if (event->modifiers().testFlag(Qt::ShiftModifier) || event->angleDelta().y() == 0) {
        m_range.pan(-0.1 * notches);
    } else if (control != m_wheelZooms) {
        const TimeAxis axis = layout().axis(m_range.visible());
        m_range.zoom(pixelToTime(axis, event->position().x()), std::pow(1.25, notches));
    } else {
        event->ignore(); // rows belong to the scroll area
        return;
    }
    event->accept();
}

void TimelineView::leaveEvent(QEvent*)
{
    m_range.setCursor(std::nullopt);
}

} // namespace bubblescope::viz
