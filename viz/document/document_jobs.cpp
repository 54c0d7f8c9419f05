#include "viz/document/document_jobs.h"

#include "viz/document/background.h"

#include <QElapsedTimer>
#include <QPointer>
#include <QTimer>

#include <algorithm>
#include <mutex>

namespace bubblescope::viz {
namespace {

constexpr int blinkMs = 100;   ///< what takes longer is shown
constexpr int refreshMs = 100; ///< between two looks at the progress

JobEnd endOf(const DocumentJobs::Work& work, const Progress& progress)
{
    try {
        work(progress);
    } catch (const Cancelled&) {
        return {{}, true};
    } catch (const std::exception& error) {
        return {QString::fromUtf8(error.what()), false};
    }
    return {};
}

/// Lets a report through now and then, and the first one after a blink.
class Metronome {
public:
    Metronome() { m_clock.start(); }

    bool due()
    {
        const std::lock_guard guard(m_mutex);
        if (m_clock.elapsed() < m_next)
            return false;
        m_next = m_clock.elapsed() + refreshMs;
        return true;
    }

private:
    std::mutex m_mutex;
    QElapsedTimer m_clock;
    qint64 m_next = blinkMs;
};

} // namespace

DocumentJobs::DocumentJobs(QObject* parent) : QObject(parent) {}

DocumentJobs::~DocumentJobs()
{
    cancel();
}

void DocumentJobs::run(const QString& what, Work work, Done done)
{
    m_waiting.push_back({what, std::move(work), std::move(done)});
    if (!busy())
        startNext();
}

void DocumentJobs::whenIdle(std::function<void()> next)
{
    if (busy())
        m_whenIdle.push_back(std::move(next));
    else
        next();
}

void DocumentJobs::cancel()
{
    if (m_current)
        m_current->cancel();
    cancelReading();
}

void DocumentJobs::cancelReading()
{
    for (const auto& reading : m_readings)
        reading->cancel();
}

std::shared_ptr<Progress> DocumentJobs::progressOf(const QString& what)
{
    const auto metronome = std::make_shared<Metronome>();
    const auto mine = std::make_shared<std::weak_ptr<Progress>>();
    const QPointer<DocumentJobs> self(this);
    auto progress = std::make_shared<Progress>([self, metronome, what, mine](double fraction, const std::string&) {
        if (!metronome->due())
            return;
        QMetaObject::invokeMethod(
            qApp,
            [self, fraction, what, mine] {
                if (self && self->alive(*mine))
                    Q_EMIT self->progress(fraction, what);
            },
            Qt::QueuedConnection);
    });
    *mine = progress;
    return progress;
}

bool DocumentJobs::alive(const std::weak_ptr<Progress>& mine) const
{
    const auto progress = mine.lock();
    return progress &&
           (progress == m_current || std::find(m_readings.begin(), m_readings.end(), progress) != m_readings.end());
}

void DocumentJobs::start(const Job& job, const std::shared_ptr<Progress>& mine, Done finished)
{
    // Work that reports nothing is shown all the same.
    QTimer::singleShot(blinkMs, this, [this, what = job.what, mine = std::weak_ptr(mine)] {
        if (alive(mine))
            Q_EMIT progress(-1, what);
    });
    const auto work = [what = job.work, mine] { return endOf(what, *mine); };
    inBackground(this, work, std::move(finished));
}

void DocumentJobs::startNext()
{
    Job job = std::move(m_waiting.front());
    m_waiting.pop_front();
    m_current = progressOf(job.what);
    start(job, m_current, [this, job](const JobEnd& end) { finish(job, end); });
}

void DocumentJobs::read(const QString& what, Work work, Done done)
{
    const Job job{what, std::move(work), std::move(done)};
    const auto mine = m_readings.emplace_back(progressOf(what));
    start(job, mine, [this, job, mine](const JobEnd& end) { finishReading(job, mine, end); });
}

void DocumentJobs::finishReading(const Job& job, const std::shared_ptr<Progress>& mine, const JobEnd& end)
{
    m_readings.erase(std::find(m_readings.begin(), m_readings.end(), mine));
    if (job.done)
        job.done(end);
    if (!busy() && !reading())
        Q_EMIT idle();
}

void DocumentJobs::finish(const Job& job, const JobEnd& end)
{
    m_current.reset();
    if (!m_waiting.empty())
        startNext();
    const bool last = !busy();
    if (job.done)
        job.done(end);
    if (!last || busy())
        return;
    if (!reading())
        Q_EMIT idle();
    while (!busy() && !m_whenIdle.empty()) {
        const auto next = std::move(m_whenIdle.front());
        m_whenIdle.pop_front();
        next();
    }
}

} // namespace bubblescope::viz
