// One run on screen: paints it, and turns mouse and keys into changes of the RangeController and picks.
//
// Keys are those of timeline_keys.h: what concerns this run is done here, the rest is asked of the stack.
// Ctrl+wheel zooms at the pointer, Shift+wheel pans, a plain wheel belongs to the scroll area around (or
// zooms, as set). Left drag selects a range of time and moves its edges, Shift+drag pans, middle drag zooms
// to a range, a click picks. In the column of labels a click on the arrow opens a device's lanes and a
// drag below a label makes its row taller.
//
// Everything in here is in the run's own time; the RangeController's is aligned time, `offset` later.

#pragma once

#include "viz/timeline/alignment.h"
#include "viz/timeline/flow_arrows.h"
#include "viz/timeline/interval.h"
#include "viz/timeline/overlay_painter.h"
#include "viz/timeline/range_controller.h"
#include "viz/timeline/rows_image.h"
#include "viz/timeline/run_painter.h"
#include "viz/timeline/span_search.h"
#include "viz/timeline/timeline_keys.h"

#include <QPoint>
#include <QTimer>
#include <QWidget>

#include <map>
#include <optional>

namespace bubblescope::viz {

class TimelineView : public QWidget {
    Q_OBJECT

public:
    explicit TimelineView(RangeController& range, QWidget* parent = nullptr);

    /// A run of the same number keeps its pick and the heights of its rows.
    void setPicture(RunPicture picture);

    const RunPicture& picture() const { return m_picture; }

    /// Aligned time = the run's own time + offset.
    void setOffset(Nanoseconds offset);

    Nanoseconds offset() const { return m_offset; }

    /// What is visible and selected, in the run's own time.
    TimeRange visible() const { return shifted(m_range.visible(), -m_offset); }

    TimeRange selection() const;

    /// Height of a compute row; the stack shares the space it has among all runs. Other lanes are lower.
    void setRowHeight(double height);

    /// Heights of all rows: shared ones, or those that a person gave to single rows.
    std::vector<double> rowHeights() const;

    /// How much of the shared height the rows take (1 for a compute row), and what rows with heights of their own take.
    double sharedRows() const;
    double fixedHeight() const;

    /// Rows are as high as the others again.
    void forgetRowHeights();

    void setCriticalPathShown(bool shown);

    /// What the colours of bars mean.
    void setColouring(const Colouring& colouring);

    /// Writes the time of each frame into its corner.
    void setFrameTimeShown(bool shown);

    /// Where many rows are stacked, they are drawn coarsely until a zoom comes to rest.
    void setCoarseWhileMoving(bool coarse) { m_coarseWhileMoving = coarse; }

    void setWheelZooms(bool zooms) { m_wheelZooms = zooms; }

    /// The topmost view carries the time of the cursor and the length of the selection.
    void setCursorBadgeShown(bool shown) { m_badge = shown; }

    void setPicked(Pick pick);

    const Pick& picked() const { return m_picked; }

    /// Picks as a click does.
    void pick(Pick pick);

    /// Outlined beside the pick: where a figure comes from.
    void setIntervals(std::vector<RunInterval> intervals);

    /// Tinted: what a search found. The current one is the pick.
    void setMatches(MatchesPtr matches);
    void setFlags(std::vector<TimeFlag> flags);

    const std::vector<TimeFlag>& flags() const { return m_flags; }

    const FlowArrows& arrows() const { return m_arrows; }

    /// The arrows that ] and [ go along.
    std::size_t chosenSuccessor() const { return m_successor; }

    std::size_t chosenPredecessor() const { return m_predecessor; }

    RunLayout layout() const;

    Pick hit(const QPointF& position) const;

    /// The middle of a bar or gap, for tests and keyboard focus.
    QPointF centreOf(const Pick& pick) const;

    /// Where a click opens or closes a device's lanes; empty for rows that have none.
    QRectF lanesArrow(int row) const { return lanesArrow(row, layout()); }

    /// The row of a lane (of what overlaps in it, above 0); −1 when it isn't shown.
    int rowOfLane(int lane, int subLane = 0) const;

    /// The bar that a search found, if its lane is shown.
    Pick barOf(const MatchPlace& place) const;

    /// What a tooltip says about a place.
    QString hintAt(const QPointF& position) const;

    /// The time of a pick, in the run's own time; empty for none.
    TimeRange rangeOf(const Pick& pick) const;

    /// Does what a key does, as far as it concerns this run alone; false when it doesn't.
    bool run(TimelineCommand command);

    QSize sizeHint() const override;

Q_SIGNALS:
    void pickChanged(const Pick& pick);
    /// A key of the timelines that isn't this run's business.
    void commandAsked(TimelineCommand command);
    void lanesToggled(int device);
    void rowHeightsChanged();
    void flagClicked(qint64 id);
    /// A range was selected with the mouse, to the end.
    void rangeSelected();
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
    enum class Drag { None, Press, Select, Pan, ZoomTo, Begin, End, Height };

    void stepAlongLane(int by);
    void stepToRow(int by);
    void followFlow(bool forward);
    void chooseFlow(bool forward);
    bool zoomOrPan(TimelineCommand command);
    void moveEdge(bool begin, int direction);
    void findArrows();
    void paintOverlay(QPainter& painter, const RunLayout& places);
    void paintArrowsOfLanes(QPainter& painter, const RunLayout& places);
    QRectF lanesArrow(int row, const RunLayout& places) const;
    QString crowdAt(const QPointF& position, const RunLayout& places, const Pick& there) const;
    void updateHeight();
    Drag edgeAt(double x) const;
    int heightEdgeAt(const QPointF& position) const;
    const TimeFlag* flagAt(const QPointF& position) const;
    bool pressLabel(const QPointF& position);
    void dragTo(const QPointF& position);
    void showCursorShape(const QPointF& position);
    Nanoseconds alignedAt(double x) const;
    QString rowKey(int row) const;
    bool holds(const Pick& pick) const;

    void noteMove();
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
    bool m_coarseWhileMoving = false;
    QTimer m_moving; // runs while somebody zooms, and a little longer
    Nanoseconds m_shownLength = 0;
    QImage m_sides;                   // header above, names of rows below, as last painted
    std::vector<qint64> m_frameTimes; // of the last frames, for those who want to see them
    bool m_frameTimeShown = false;
    Nanoseconds m_offset = 0;
    double m_rowHeight = 24;
    std::map<QString, double> m_ownHeights; // by lane name
    bool m_critical = false;
    bool m_badge = false;
    bool m_wheelZooms = false;
    Pick m_picked;
    FlowArrows m_arrows;
    std::size_t m_successor = 0;
    std::size_t m_predecessor = 0;
    std::vector<RunInterval> m_intervals;
    MatchesPtr m_matches;
    std::vector<TimeFlag> m_flags;
    Drag m_drag = Drag::None;
    int m_heightRow = -1;
    QPointF m_pressed;
    TimeRange m_pressedRange;
    Nanoseconds m_fixedEdge = 0; // of the selection, while the other one is dragged
};

} // namespace bubblescope::viz
