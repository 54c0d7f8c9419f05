#include "viz/edit/order_overlay.h"

#include "viz/inspector/inspector_text.h"

#include <QEvent>
#include <QPainter>

#include <algorithm>
#include <set>

namespace bubblescope::viz {
namespace {

constexpr std::size_t mostMarks = 400; ///< more would hide what they mark

/// A triangle with an exclamation mark.
void paintSign(QPainter& painter, const QPointF& corner, double size, const Theme& theme)
{
    QPolygonF triangle;
    triangle << corner + QPointF(size / 2, 0) << corner + QPointF(size, size) << corner + QPointF(0, size);
    painter.setPen(QPen(theme.canvas, 1));
    painter.setBrush(theme.error);
    painter.drawPolygon(triangle);
    painter.setPen(QPen(theme.canvas, std::max(1.0, size / 8)));
    const double x = corner.x() + size / 2;
    painter.drawLine(QPointF(x, corner.y() + size * 0.38), QPointF(x, corner.y() + size * 0.66));
    painter.drawPoint(QPointF(x, corner.y() + size * 0.84));
}

} // namespace

OrderOverlay::OrderOverlay(TimelineView& view) : QWidget(&view), m_view(view)
{
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setAttribute(Qt::WA_NoSystemBackground);
    setFocusPolicy(Qt::NoFocus);
    setObjectName(QStringLiteral("orderOverlay"));
    view.installEventFilter(this);
    refresh();
    show();
}

void OrderOverlay::refresh()
{
    setGeometry(m_view.rect());
    update();
}

bool OrderOverlay::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize)
        refresh();
    return QWidget::eventFilter(watched, event);
}

void OrderOverlay::setEditing(bool editing)
{
    m_editing = editing;
    update();
}

void OrderOverlay::setDrop(std::optional<std::pair<int, Nanoseconds>> drop)
{
    m_drop = drop;
    update();
}

std::vector<OrderOverlay::Mark> OrderOverlay::marksOf(const RunView& run)
{
    std::vector<Mark> marks;
    std::set<TaskId> seen;
    for (const Problem& problem : run.problems)
        for (const TaskId task : problem.tasks)
            if (marks.size() < mostMarks && seen.insert(task).second)
                marks.push_back({task, false});
    for (const Problem& problem : run.problems)
        for (const TaskId task : problem.blocked)
            if (marks.size() < mostMarks && seen.insert(task).second)
                marks.push_back({task, true});
    return marks;
}

QRectF OrderOverlay::placeOf(TaskId task) const
{
    const RunPicture& picture = m_view.picture();
    const Pick pick = pickOf(picture, task);
    if (pick.kind == Pick::Kind::None)
        return {};
    const TimelineRow& row = picture.rows[static_cast<std::size_t>(pick.row)];
    const RunLayout places = m_view.layout();
    const TimeAxis axis = places.axis(m_view.visible());
    const TimeRange time = timeOf(row, pick);
    const double left = std::max(places.frame.left(), timeToPixel(axis, time.begin));
    const double right = std::min(places.frame.right(), timeToPixel(axis, time.end));
    const QRectF line = places.rowRect(pick.row);
    return right > left ? QRectF(left, line.top(), right - left, line.height()) : QRectF();
}

void OrderOverlay::paintMark(QPainter& painter, const Mark& mark) const
{
    const Theme& theme = currentTheme();
    const QRectF place = placeOf(mark.task);
    if (place.isEmpty())
        return;
    painter.setBrush(Qt::NoBrush);
    painter.setPen(mark.victim ? QPen(theme.text, 1.5, Qt::DotLine) : QPen(theme.error, 2.5));
    painter.drawRoundedRect(place.adjusted(0.5, 0.5, -0.5, -0.5), 2, 2);
    if (!mark.victim)
        paintSign(painter, place.topLeft() - QPointF(2, 3), std::min(place.height() * 0.6, 12.0), theme);
}

/// Lines from each head of a cycle to what it waits for.
void OrderOverlay::paintWaits(QPainter& painter) const
{
    const Theme& theme = currentTheme();
    painter.setBrush(theme.error);
    for (const Problem& problem : m_view.picture().run->problems) {
        if (problem.kind != Problem::Kind::Deadlock)
            continue;
        for (std::size_t i = 0; i + 1 < problem.tasks.size(); i += 2) {
            const QRectF waiting = placeOf(problem.tasks[i]);
            const QRectF late = placeOf(problem.tasks[i + 1]);
            if (waiting.isEmpty() || late.isEmpty())
                continue;
            // Along a lane it runs below what is written on the bars.
            const bool along = waiting.top() == late.top();
            const QPointF below(0, along ? waiting.height() * 0.32 : 0);
            const QPointF from = waiting.center() + below;
            const QPointF to = late.center() + below;
            painter.setPen(QPen(theme.error, 1.5, Qt::DashLine));
            painter.drawLine(from, to);
            painter.setPen(Qt::NoPen);
            painter.drawEllipse(to, 3, 3);
        }
    }
}

void OrderOverlay::paintDrop(QPainter& painter) const
{
    const RunLayout places = m_view.layout();
    const double x = timeToPixel(places.axis(m_view.visible()), m_drop->second);
    const QRectF row = places.rowRect(m_drop->first);
    const Theme& theme = currentTheme();
    painter.setPen(QPen(theme.text, 3));
    painter.drawLine(QPointF(x, row.top() - 3), QPointF(x, row.bottom() + 3));
    painter.setBrush(theme.text);
    painter.setPen(Qt::NoPen);
    QPolygonF tip;
    tip << QPointF(x - 5, row.top() - 7) << QPointF(x + 5, row.top() - 7) << QPointF(x, row.top() - 1);
    painter.drawPolygon(tip);
}

void OrderOverlay::paintEvent(QPaintEvent*)
{
    const RunPicture& picture = m_view.picture();
    if (!picture.run)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme& theme = currentTheme();
    if (m_editing) {
        painter.setPen(QPen(theme.accent, 1.5, Qt::DashLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(m_view.layout().frame.adjusted(1, 1, -1, -1), 3, 3);
    }
    if (!picture.run->problems.empty()) {
        paintWaits(painter);
        for (const Mark& mark : marksOf(*picture.run))
            paintMark(painter, mark);
    }
    if (m_drop)
        paintDrop(painter);
}

} // namespace bubblescope::viz
