#include "viz/replay/replay_player.h"

#include <chrono>
#include <cmath>

namespace bubblescope::viz {
namespace {

constexpr int frameMilliseconds = 16;
constexpr double pleasantSeconds = 10;

Nanoseconds steadyNow()
{
    using namespace std::chrono;
    return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
}

} // namespace

ReplayPlayer::ReplayPlayer(QObject* parent) : QObject(parent), m_clock(&steadyNow)
{
    m_timer.setTimerType(Qt::PreciseTimer);
    m_timer.setInterval(frameMilliseconds);
    connect(&m_timer, &QTimer::timeout, this, &ReplayPlayer::tick);
}

void ReplayPlayer::setClock(Clock clock)
{
    m_clock = std::move(clock);
    anchor();
}

void ReplayPlayer::setRange(TimeRange range)
{
    m_range = range.empty() ? TimeRange{range.begin, range.begin} : range;
    moveTo(m_position);
    anchor();
}

void ReplayPlayer::play()
{
    if (m_playing || m_range.empty())
        return;
    if (m_position >= m_range.end)
        moveTo(m_range.begin);
    m_playing = true;
    anchor();
    runTimer();
    Q_EMIT playingChanged(true);
}

void ReplayPlayer::pause()
{
    if (!m_playing)
        return;
    m_playing = false;
    runTimer();
    Q_EMIT playingChanged(false);
}

void ReplayPlayer::seek(Nanoseconds position)
{
    moveTo(position);
    anchor();
}

void ReplayPlayer::setSpeed(double speed)
{
    speed = std::clamp(speed, slowest, fastest);
    if (speed == m_speed)
        return;
    if (m_playing && !m_suspended)
        tick(); // what has passed went at the old speed
    m_speed = speed;
    anchor();
    Q_EMIT speedChanged(speed);
}

void ReplayPlayer::setLoops(bool loops)
{
    if (loops == m_loops)
        return;
    m_loops = loops;
    Q_EMIT loopsChanged(loops);
}

void ReplayPlayer::setSuspended(bool suspended)
{
    if (suspended == m_suspended)
        return;
    if (suspended && m_playing)
        tick();
    m_suspended = suspended;
    anchor();
    runTimer();
}

void ReplayPlayer::tick()
{
    if (!m_playing || m_suspended)
        return;
    const double passed = static_cast<double>(m_clock() - m_anchorClock) * m_speed;
    const auto reached = m_anchorPosition + static_cast<Nanoseconds>(std::llround(passed));
    if (reached < m_range.end) {
        moveTo(reached);
        return;
    }
    if (m_loops) {
        moveTo(m_range.begin + (reached - m_range.begin) % m_range.length());
        anchor();
        return;
    }
    moveTo(m_range.end);
    pause();
}

void ReplayPlayer::anchor()
{
    m_anchorPosition = m_position;
    m_anchorClock = m_clock();
}

void ReplayPlayer::moveTo(Nanoseconds position)
{
    position = std::clamp(position, m_range.begin, m_range.end);
    if (position == m_position)
        return;
    m_position = position;
    Q_EMIT positionChanged(m_position);
}

void ReplayPlayer::runTimer()
{
    if (m_playing && !m_suspended)
        m_timer.start();
    else
        m_timer.stop();
}

const std::vector<double>& replaySpeeds()
{
    static const std::vector<double> speeds{1, 0.5, 0.2, 0.1, 0.05, 0.02, 0.01, 0.005, 0.002, 0.001};
    return speeds;
}

double pleasantSpeed(Nanoseconds length)
{
    for (const double speed : replaySpeeds())
        if (static_cast<double>(length) * 1e-9 / speed >= pleasantSeconds)
            return speed;
    return ReplayPlayer::slowest;
}

QString speedText(double speed)
{
    return QString::number(speed, 'g', 2) + QStringLiteral(" ×");
}

} // namespace bubblescope::viz
