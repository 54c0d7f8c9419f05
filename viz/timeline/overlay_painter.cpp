#include "viz/timeline/overlay_painter.h"

#include "viz/timeline/time_text.h"

#include <QFontMetricsF>
#include <QPainterPath>

#include <cmath>

namespace bubblescope::viz {
namespace {

QColor withAlpha(QColor colour, int alpha)
{
    colour.setAlpha(alpha);
    return colour;
}

int deviceRow(const RunPicture& picture, int device)
{
    for (std::size_t row = 0; row < picture.rows.size(); ++row)
        if (picture.rows[row].device == device && isComputeRow(*picture.run, picture.rows[row]))
            return static_cast<int>(row);
    return -1;
}

} // namespace

OverlayPainter::OverlayPainter(QPainter& painter, const RunPicture& picture, const RunLayout& layout,
                               const TimeRange& visible, const QFont& font)
    : m_painter(painter), m_picture(picture), m_layout(layout), m_axis(layout.axis(visible)), m_font(font)
{
}

void OverlayPainter::paintSelection(const TimeRange& selection, bool withLength) const
{
    const Theme& theme = currentTheme();
    const QRectF& frame = m_layout.frame;
    const double from = std::max(frame.left(), pixel(selection.begin));
    const double to = std::min(frame.right(), pixel(selection.end));
    if (selection.empty() || to <= from)
        return;
    m_painter.fillRect(QRectF(from, frame.top(), to - from, frame.height()), withAlpha(theme.accent, 45));
    m_painter.setPen(QPen(theme.accent, 2));
    for (const double edge : {pixel(selection.begin), pixel(selection.end)})
        if (edge >= frame.left() && edge <= frame.right())
            m_painter.drawLine(QPointF(edge, frame.top()), QPointF(edge, frame.bottom()));
    if (!withLength)
        return;
    const QFontMetricsF metrics(m_font);
    const QString text = timeText(selection.length());
    const double width = metrics.horizontalAdvance(text) + metrics.averageCharWidth() * 2;
    const double left =
        std::clamp((from + to - width) / 2, frame.left(), std::max(frame.left(), frame.right() - width));
    const QRectF badge(left, frame.top() - metrics.height() * 1.15 - 1, width, metrics.height() * 1.15);
    m_painter.setRenderHint(QPainter::Antialiasing);
    m_painter.setPen(Qt::NoPen);
    m_painter.setBrush(theme.accent);
    m_painter.drawRoundedRect(badge, 3, 3);
    m_painter.setRenderHint(QPainter::Antialiasing, false);
    m_painter.setFont(m_font);
    m_painter.setPen(theme.accentText);
    m_painter.drawText(badge, Qt::AlignCenter, text);
}

void OverlayPainter::paintIntervals(const std::vector<RunInterval>& intervals) const
{
    m_painter.setPen(QPen(currentTheme().accent, 2));
    m_painter.setBrush(withAlpha(currentTheme().accent, 50));
    for (std::size_t row = 0; row < m_picture.rows.size(); ++row)
        for (const RunInterval& interval : intervals) {
            const TraceLane& lane = m_picture.run->trace.lanes[static_cast<std::size_t>(m_picture.rows[row].lane)];
            if (interval.device != m_picture.rows[row].device || interval.lane != lane.kind)
                continue;
            const double from = std::max(m_layout.frame.left(), pixel(interval.time.begin));
            const double to = std::min(m_layout.frame.right(), pixel(interval.time.end));
            const QRectF place = m_layout.rowRect(static_cast<int>(row));
            if (to > from)
                m_painter.drawRect(QRectF(from, place.top(), std::max(2.0, to - from), place.height()));
        }
}

void OverlayPainter::paintMatches(const SpanMatches& matches) const
{
    m_painter.save();
    m_painter.setClipRect(m_layout.frame);
    for (std::size_t index = 0; index < m_picture.rows.size(); ++index) {
        const TimelineRow& row = m_picture.rows[index];
        const QRectF place = m_layout.rowRect(static_cast<int>(index));
        const auto lane = static_cast<std::size_t>(row.lane);
        if (lane >= matches.lanes.size())
            continue;
        paintMatches(row.bars.spans(), matches.lanes[lane].parts[static_cast<std::size_t>(row.subLane)], place);
        if (row.subLane == 0)
            paintMatches(row.bars.moments(), matches.lanes[lane].parts.back(), place);
    }
    m_painter.restore();
}

void OverlayPainter::paintMatches(const SpanColumns& spans, const std::vector<std::uint32_t>& found,
                                  const QRectF& place) const
{
    const Theme& theme = currentTheme();
    const double pixelTime = static_cast<double>(m_axis.range.length()) / std::max(1.0, m_axis.width);
    auto match = std::partition_point(found.begin(), found.end(),
                                      [&](std::uint32_t span) { return spans.end(span) < m_axis.range.begin; });
    while (match != found.end() && spans.start(*match) < m_axis.range.end) {
        const double from = pixel(spans.start(*match));
        const double to = std::max(from + 2, pixel(spans.end(*match)) - 1);
        const QRectF bar(from, place.top(), to - from, place.height());
        m_painter.fillRect(QRectF(from, place.bottom() - 3, to - from, 3), theme.match);
        if (to - from > 6) { // its letters and its colour stay as they are
            m_painter.setPen(QPen(theme.match, 3));
            m_painter.setBrush(Qt::NoBrush);
            m_painter.drawRect(bar.adjusted(1.5, 1.5, -1.5, -1.5));
        } else {
            m_painter.fillRect(bar, withAlpha(theme.match, 90));
        }
        // The next one that begins in another pixel: thousands in one are one tint.
        const auto next = spans.start(*match) + static_cast<Nanoseconds>(pixelTime) + 1;
        match =
            std::partition_point(match + 1, found.end(), [&](std::uint32_t span) { return spans.start(span) < next; });
    }
}

QRectF OverlayPainter::barPlace(const Pick& pick) const
{
    const TimeRange time = timeOf(m_picture.rows[static_cast<std::size_t>(pick.row)], pick);
    const QRectF row = m_layout.rowRect(pick.row);
    return {pixel(time.begin), row.top(), std::max(1.0, pixel(time.end) - pixel(time.begin) - 1), row.height()};
}

void OverlayPainter::paintArrow(const QPointF& from, const QPointF& to, bool chosen) const
{
    const Theme& theme = currentTheme();
    const double bend = std::max(14.0, std::min(60.0, std::abs(to.x() - from.x()) / 2));
    QPainterPath path(from);
    path.cubicTo(from + QPointF(bend, 0), to - QPointF(bend, 0), to);
    const double head = chosen ? 7 : 6;
    QPainterPath tip(to);
    tip.lineTo(to + QPointF(-head, -head * 0.55));
    tip.lineTo(to + QPointF(-head, head * 0.55));
    tip.closeSubpath();
    // A rim of the canvas keeps the arrow readable over bars of any colour.
    m_painter.setBrush(Qt::NoBrush);
    m_painter.setPen(QPen(theme.canvas, chosen ? 4.5 : 3.5));
    m_painter.drawPath(path);
    m_painter.setPen(QPen(theme.text, chosen ? 2.2 : 1.2, chosen ? Qt::SolidLine : Qt::DashLine));
    m_painter.drawPath(path);
    m_painter.setPen(QPen(theme.canvas, 1));
    m_painter.setBrush(theme.text);
    m_painter.drawPath(tip);
}

void OverlayPainter::paintArrows(const Pick& picked, const FlowArrows& arrows, std::size_t successor,
                                 std::size_t predecessor) const
{
    if (picked.kind != Pick::Kind::Bar || arrows.empty())
        return;
    m_painter.save();
    m_painter.setClipRect(m_layout.frame);
    m_painter.setRenderHint(QPainter::Antialiasing);
    const QRectF own = barPlace(picked);
    // Along its own row an arrow goes below the letters of what it passes.
    const auto height = [&](const Pick& other) { return other.row == picked.row ? 0.86 : 0.5; };
    const auto out = [](const QRectF& bar, double at) { return QPointF(bar.right(), bar.top() + at * bar.height()); };
    const auto in = [](const QRectF& bar, double at) { return QPointF(bar.left(), bar.top() + at * bar.height()); };
    for (std::size_t i = 0; i < arrows.before.size(); ++i) {
        const double at = height(arrows.before[i]);
        paintArrow(out(barPlace(arrows.before[i]), at), in(own, at), i == predecessor);
    }
    for (std::size_t i = 0; i < arrows.after.size(); ++i) {
        const double at = height(arrows.after[i]);
        paintArrow(out(own, at), in(barPlace(arrows.after[i]), at), i == successor);
    }
    m_painter.restore();
}

QRectF placeOfFlag(const TimeFlag& flag, const RunPicture& picture, const RunLayout& layout, const TimeAxis& axis,
                   const QFont& font)
{
    const double x = timeToPixel(axis, flag.time.begin);
    if (x < layout.frame.left() - 1 || x > layout.frame.right())
        return {};
    const double side = std::round(QFontMetricsF(font).height() * 0.7);
    const int row = flag.device < 0 ? -1 : deviceRow(picture, flag.device);
    const double top = row < 0 ? layout.frame.top() - side - 1 : layout.rowRect(row).top() + 1;
    return {x, top, side * 0.95, side * 0.7};
}

QRectF OverlayPainter::flagPlace(const TimeFlag& flag) const
{
    return placeOfFlag(flag, m_picture, m_layout, m_axis, m_font);
}

int OverlayPainter::rowOfDevice(int device) const
{
    return device < 0 ? -1 : deviceRow(m_picture, device);
}

void OverlayPainter::paintFlags(const std::vector<TimeFlag>& flags) const
{
    const Theme& theme = currentTheme();
    for (const TimeFlag& flag : flags) {
        const QColor colour = flag.temporary ? theme.mutedText : theme.note;
        const int row = rowOfDevice(flag.device);
        const QRectF over = row < 0 ? m_layout.frame : m_layout.rowRect(row);
        const double from = std::max(over.left(), pixel(flag.time.begin));
        const double to = std::min(over.right(), pixel(flag.time.end));
        m_painter.save();
        if (to - from >= 1) {
            m_painter.fillRect(QRectF(from, over.top(), to - from, over.height()),
                               withAlpha(colour, row < 0 ? 28 : 60));
            m_painter.setPen(QPen(colour, 1, Qt::DashLine));
            m_painter.drawLine(QPointF(to, over.top()), QPointF(to, over.bottom()));
        }
        if (const QRectF cloth = flagPlace(flag); !cloth.isEmpty()) {
            m_painter.setPen(QPen(colour, flag.chosen ? 2 : 1, flag.temporary ? Qt::DashLine : Qt::SolidLine));
            m_painter.drawLine(QPointF(cloth.left(), cloth.top()), QPointF(cloth.left(), over.bottom()));
            m_painter.setRenderHint(QPainter::Antialiasing);
            QPainterPath path(cloth.topLeft());
            path.lineTo(cloth.right(), cloth.top());
            path.lineTo(cloth.right() - cloth.width() * 0.3, cloth.center().y());
            path.lineTo(cloth.right(), cloth.bottom());
            path.lineTo(cloth.left(), cloth.bottom());
            path.closeSubpath();
            m_painter.setPen(flag.chosen ? QPen(theme.text, 1.5) : QPen(Qt::NoPen));
            m_painter.setBrush(colour);
            m_painter.drawPath(path);
        }
        m_painter.restore();
    }
}

void OverlayPainter::paintCursor(Nanoseconds time, bool underBadge) const
{
    const double x = pixel(time);
    const QRectF& frame = m_layout.frame;
    if (x < frame.left() || x > frame.right())
        return;
    m_painter.setPen(QPen(currentTheme().cursor, 1));
    m_painter.drawLine(QPointF(x, underBadge ? frame.top() - 3 : m_layout.area.top()),
                       QPointF(x, m_layout.area.bottom()));
}

} // namespace bubblescope::viz
