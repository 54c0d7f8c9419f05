// What lies over the rows of one run: selection, outlines, search matches, arrows, flags, cursor.
//
// Painted anew with every frame over the cached image of the rows; costs what is visible of it.

#pragma once

#include "viz/timeline/flow_arrows.h"
#include "viz/timeline/interval.h"
#include "viz/timeline/run_painter.h"
#include "viz/timeline/span_search.h"

#include <optional>

namespace bubblescope::viz {

/// A note or a mark at a time of a run, or on one of its devices.
struct TimeFlag {
    qint64 id = 0;
    TimeRange time;  ///< a moment: begin = end
    int device = -1; ///< −1: of the whole run
    QString text;
    bool temporary = false;
    bool chosen = false;
};

class OverlayPainter {
public:
    OverlayPainter(QPainter& painter, const RunPicture& picture, const RunLayout& layout, const TimeRange& visible,
                   const QFont& font);

    void paintSelection(const TimeRange& selection, bool withLength) const;
    void paintIntervals(const std::vector<RunInterval>& intervals) const;
    void paintMatches(const SpanMatches& matches) const;

    /// `successor` and `predecessor` are the ones that the keys go along.
    void paintArrows(const Pick& picked, const FlowArrows& arrows, std::size_t successor,
                     std::size_t predecessor) const;
    void paintFlags(const std::vector<TimeFlag>& flags) const;
    void paintCursor(Nanoseconds time, bool underBadge) const;

    /// Where a flag's cloth is; empty when it isn't visible.
    QRectF flagPlace(const TimeFlag& flag) const;

private:
    double pixel(Nanoseconds time) const { return timeToPixel(m_axis, time); }

    QRectF barPlace(const Pick& pick) const;
    void paintMatches(const SpanColumns& spans, const std::vector<std::uint32_t>& found, const QRectF& place) const;
    void paintArrow(const QPointF& from, const QPointF& to, bool chosen) const;
    int rowOfDevice(int device) const;

    QPainter& m_painter;
    const RunPicture& m_picture;
    const RunLayout& m_layout;
    TimeAxis m_axis;
    QFont m_font;
};

/// The same place without painting, for hit tests.
QRectF placeOfFlag(const TimeFlag& flag, const RunPicture& picture, const RunLayout& layout, const TimeAxis& axis,
                   const QFont& font);

} // namespace bubblescope::viz
