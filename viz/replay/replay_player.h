// The clock of a replay: where it stands, whether it runs and how fast. No widgets.
//
//     position = where it was started + (clock now − clock then) × speed
//
// The position follows from the clock alone, never from how often it was asked, so that neither dropped frames nor
// rounding add up. At the end it stops, or goes on from the begin by as much as it went too far.

#pragma once

#include "viz/timeline/coordinates.h"

#include <QObject>
#include <QTimer>

#include <functional>

namespace bubblescope::viz {

class ReplayPlayer : public QObject {
    Q_OBJECT

public:
    static constexpr double fastest = 1;
    static constexpr double slowest = 0.001;

    /// Monotonic nanoseconds.
    using Clock = std::function<Nanoseconds()>;

    explicit ReplayPlayer(QObject* parent = nullptr);

    /// Time that passes for the player; tests have one of their own.
    void setClock(Clock clock);

    /// What is played. The position is kept where that is possible.
    void setRange(TimeRange range);

    const TimeRange& range() const { return m_range; }

    Nanoseconds position() const { return m_position; }

    bool playing() const { return m_playing; }

    double speed() const { return m_speed; }

    bool loops() const { return m_loops; }

    /// From the begin when it stood at the end.
    void play();
    void pause();

    void toggle() { m_playing ? pause() : play(); }

    void seek(Nanoseconds position);

    /// Clamped to what is possible.
    void setSpeed(double speed);
    void setLoops(bool loops);

    /// Stands still without forgetting that it plays, while nobody can see it.
    void setSuspended(bool suspended);

    /// Takes the time from the clock; the timer does this, often enough for the eye.
    void tick();

Q_SIGNALS:
    void positionChanged(Nanoseconds position);
    void playingChanged(bool playing);
    void speedChanged(double speed);
    void loopsChanged(bool loops);

private:
    void anchor();
    void moveTo(Nanoseconds position);
    void runTimer();

    Clock m_clock;
    QTimer m_timer;
    TimeRange m_range;
    Nanoseconds m_position = 0;
    Nanoseconds m_anchorPosition = 0;
    Nanoseconds m_anchorClock = 0;
    double m_speed = 0.001;
    bool m_playing = false;
    bool m_suspended = false;
    bool m_loops = false;
};

/// Speeds that are offered: 1, 0.5, 0.2, 0.1 … 0.001.
const std::vector<double>& replaySpeeds();

/// The fastest of them at which a replay of this length lasts ten seconds; the slowest for what is shorter.
double pleasantSpeed(Nanoseconds length);

/// "0.05 ×"
QString speedText(double speed);

} // namespace bubblescope::viz
