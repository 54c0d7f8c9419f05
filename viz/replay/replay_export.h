// A replay as a file: an animated WebP, or numbered PNGs.
//
//     runs × ReplayExport ── frames ──► OUT.webp            written under another name first, then renamed
//                                  └──► OUT-0001.png …      written into a folder of their own first, then moved
//
// So a cancelled or failed export leaves nothing behind and an earlier file as it was.

#pragma once

#include "core/base/progress.h"
#include "viz/replay/replay_scene.h"

#include <QString>

namespace bubblescope::viz {

struct ReplayExport {
    static constexpr int mostFrames = 20'000;

    QString path;    ///< its ending decides: .webp or .png
    QSize size;      ///< physical pixels; empty: 1200 wide and as high as needed
    double type = 0; ///< size of the type, 1 as on screen; 0: grows with pictures wider than 1280
    int framesPerSecond = 20;
    double speed = 0;                 ///< as of the player; 0: ten seconds
    TimeRange range;                  ///< empty: the whole runs
    std::vector<Nanoseconds> offsets; ///< how much later each run is on the axis; empty: they aren't
    bool forever = true;
    bool dark = false;
    Upcoming upcoming = Upcoming::Dimmed;
};

/// Which moments become frames, and when they are shown.
class ReplayFrames {
public:
    ReplayFrames(TimeRange range, double speed, int framesPerSecond);

    /// The begin, the end, and what lies between them in the frames' distance.
    std::int64_t count() const { return m_count; }

    Nanoseconds timeOf(std::int64_t frame) const;

    /// When a frame appears, counted from the begin; rounded each for itself, so that nothing adds up.
    int appearsAt(std::int64_t frame) const;

    /// The last frame rests for a second.
    int duration() const { return appearsAt(m_count - 1) + restMilliseconds; }

    static constexpr int restMilliseconds = 1000;

private:
    TimeRange m_range;
    double m_step; // nanoseconds of the run per frame
    int m_framesPerSecond;
    std::int64_t m_count;
};

/// Everything that was left open filled in. Throws Error with a sentence for what can't be.
ReplayExport completed(ReplayExport wanted, const std::vector<RunPtr>& runs, const QFont& font);

/// How many frames, how long: "241 frames · 12.0 s".
QString summaryOf(const ReplayExport& complete);

/// Throws Error, Failure or Cancelled. Runs on any thread.
void exportReplay(const std::vector<RunPtr>& runs, const ReplayExport& complete, const QFont& font,
                  const Progress& progress);

/// "replay.png" and 12 → "replay-0012.png".
QString numberedPng(const QString& path, std::int64_t number);

} // namespace bubblescope::viz
