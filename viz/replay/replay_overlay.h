// The playhead over one timeline: a sheet that lies on the view and lets the mouse through.

#pragma once

#include "viz/replay/replay_paint.h"
#include "viz/timeline/timeline_view.h"

namespace bubblescope::viz {

class ReplayOverlay : public QWidget {
    Q_OBJECT

public:
    /// A child of `view`; the topmost one carries the time.
    ReplayOverlay(TimelineView& view, RangeController& range, bool topmost);

    void setMoment(Nanoseconds time, Upcoming upcoming);

protected:
    void paintEvent(QPaintEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    TimelineView& m_view;
    RangeController& m_range;
    bool m_topmost;
    Nanoseconds m_time = 0;
    Upcoming m_upcoming = Upcoming::Dimmed;
};

} // namespace bubblescope::viz
