// Drawn over a timeline: problems of an order in place, and where a dragged task would go.
//
// A problem is a red outline with a sign, the wait of a deadlock a dashed line to what is waited for, a
// victim a dotted outline. Mouse and keys go through to the timeline.

#pragma once

#include "viz/timeline/timeline_view.h"

#include <QPointer>
#include <QWidget>

#include <optional>
#include <utility>

namespace bubblescope::viz {

class OrderOverlay : public QWidget {
    Q_OBJECT

public:
    /// What is outlined.
    struct Mark {
        TaskId task = noTask;
        bool victim = false; ///< it waits, but nothing is wrong with it
    };

    explicit OrderOverlay(TimelineView& view);

    /// A frame that says which timelines can be edited.
    void setEditing(bool editing);

    bool editing() const { return m_editing; }

    /// The row and time at which a dragged task would be put down; nothing ends the drag.
    void setDrop(std::optional<std::pair<int, Nanoseconds>> drop);

    /// The marks of the run that is shown: tasks of problems first, then victims.
    static std::vector<Mark> marksOf(const RunView& run);

    /// Where a task is drawn; empty when it isn't visible.
    QRectF placeOf(TaskId task) const;

    /// Follows the size of the timeline and draws anew.
    void refresh();

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void paintMark(QPainter& painter, const Mark& mark) const;
    void paintWaits(QPainter& painter) const;
    void paintDrop(QPainter& painter) const;

    TimelineView& m_view;
    bool m_editing = false;
    std::optional<std::pair<int, Nanoseconds>> m_drop;
};

} // namespace bubblescope::viz
