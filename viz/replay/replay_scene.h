// Frames of a replay without a window: timelines with the playhead, and the state below them.
//
// What doesn't move is painted once; a frame is a copy of it with the rest on top. frame() may be called on any
// thread.

#pragma once

#include "viz/replay/replay_paint.h"
#include "viz/replay/state_picture.h"
#include "viz/timeline/alignment.h"

#include <QImage>
#include <QSize>

namespace bubblescope::viz {

struct ReplayLook {
    QSize size;       ///< logical pixels
    double scale = 1; ///< physical pixels per logical one
    bool dark = false;
    Upcoming upcoming = Upcoming::Dimmed;
    QFont font;
};

class ReplayScene {
public:
    /// `range` is what the time axis shows; `offsets` says how much later each run is on it.
    ReplayScene(const std::vector<RunPtr>& runs, TimeRange range, const ReplayLook& look,
                const std::vector<Nanoseconds>& offsets = {});

    /// Height at which everything has room, at a width in logical pixels.
    static int heightFor(const std::vector<RunPtr>& runs, int width, const QFont& font);

    QImage frame(Nanoseconds time) const;

private:
    void paintStill();
    void paintRun(QPainter& painter, std::size_t slot) const;

    TimeRange ownRange(std::size_t slot) const { return shifted(m_range, -m_runs[slot].offset()); }

    QRectF stateArea() const;

    ReplayLook m_look;
    TimeRange m_range;
    const Theme& m_theme;
    TimelineMetrics m_metrics;
    std::vector<ReplayRun> m_runs;
    std::vector<RunPicture> m_pictures;
    std::vector<RunLayout> m_places;
    double m_stateTop = 0;
    QImage m_still;
};

} // namespace bubblescope::viz
