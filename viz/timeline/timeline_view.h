// One run on screen: paints it, and turns mouse and keys into changes of the RangeController and picks.
//
// Keys as in Perfetto: W/S or +/− zoom, A/D or arrows pan, F fits, `,` and `.` go along the lane.
// Ctrl+wheel zooms at the pointer, Shift+wheel pans, a plain wheel belongs to the scroll area around.
// Left drag selects a time range, Shift+drag pans, middle drag zooms to a range, a click picks.

#pragma once

#include "viz/timeline/interval.h"
#include "viz/timeline/range_controller.h"
#include "viz/timeline/rows_image.h"
#include "viz/timeline/run_painter.h"

#include <QPoint>
#include <QWidget>

#include <optional>

namespace bubblescope::viz {

class TimelineView : public QWidget {
    Q_OBJECT

public:
    explicit TimelineView(RangeController& range, QWidget* parent = nullptr);

    void setPicture(RunPicture picture);

    const RunPicture& picture() const { return m_picture; }

    /// Height of a row; the stack shares the space it has among all runs.
    void setRowHeight(double height);
    void setCriticalPathShown(bool shown);

    /// What the colours of bars mean.
    void setColouring(const Colouring& colouring);

    /// Writes the time of each frame into its corner.
    void setFrameTimeShown(bool shown);

    /// The topmost view carries the time of the cursor.
    void setCursorBadgeShown(bool shown) { m_badge = shown; }

    void setPicked(Pick pick);

    const Pick& picked() const { return m_picked; }

    /// Outlined beside the pick: where a figure comes from.
    void setIntervals(std::vector<RunInterval> intervals);

    RunLayout layout() const;

    const TimeRange& visibleRange() const { return m_range.visible(); }

    Pick hit(const QPointF& position) const;

    /// The middle of a bar or gap, for tests and keyboard focus.
    QPointF centreOf(const Pick& pick) const;

    /// What a tooltip says about a place.
    QString hintAt(const QPointF& position) const;

    QSize sizeHint() const override;

Q_SIGNALS:
    void pickChanged(const Pick& pick);
    void intervalsCleared();
    /// Time that the last frame took to paint, in nanoseconds.
    void painted(qint64 nanoseconds);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    enum class Drag { None, Press, Select, Pan, ZoomTo };

    void pick(Pick pick);
    void stepAlongLane(int by);
    void stepToRow(int by);
    TimeRange rangeOf(const Pick& pick) const;
    void paintOverlay(QPainter& painter, const RunLayout& places);
    void paintIntervals(QPainter& painter, const RunLayout& places);
    void paintCursor(QPainter& painter, const RunLayout& places);
    void updateHeight();

    void paintSides(QPainter& painter, const RunPainter& run, const RunLayout& places);
    void paintFrameTime(QPainter& painter, const RunLayout& places, qint64 nanoseconds);

    void dropImage()
    {
        m_image.drop();
        m_sides = QImage();
    }

    RangeController& m_range;
    RunPicture m_picture;
    LabelCache m_labels;
    RowsImage m_image;
    QImage m_sides;                   // header above, names of rows below, as last painted
    std::vector<qint64> m_frameTimes; // of the last frames, for those who want to see them
    bool m_frameTimeShown = false;
    double m_rowHeight = 24;
    bool m_critical = false;
    bool m_badge = false;
    Pick m_picked;
    std::vector<RunInterval> m_intervals;
    Drag m_drag = Drag::None;
    QPointF m_pressed;
    TimeRange m_pressedRange;
};

} // namespace bubblescope::viz
