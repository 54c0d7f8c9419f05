#include "viz/replay/export_job.h"

#include "core/base/error.h"

#include <QtConcurrent>

namespace bubblescope::viz {

ReplayExportJob::ReplayExportJob(QObject* parent) : QObject(parent)
{
    m_poll.setInterval(100);
    connect(&m_poll, &QTimer::timeout, this, [this] { Q_EMIT progress(m_state->fraction); });
    connect(&m_watcher, &QFutureWatcherBase::finished, this, &ReplayExportJob::conclude);
}

ReplayExportJob::~ReplayExportJob()
{
    m_watcher.disconnect(this);
    cancel();
    m_watcher.waitForFinished();
}

void ReplayExportJob::start(const std::vector<RunPtr>& runs, const ReplayExport& complete, const QFont& font)
{
    if (running())
        return;
    m_state = std::make_shared<State>();
    m_watcher.setFuture(QtConcurrent::run([state = m_state, runs, complete, font]() -> Outcome {
        try {
            exportReplay(runs, complete, font, state->progress);
            return {true, {}};
        } catch (const Cancelled&) {
            return {false, {}};
        } catch (const std::runtime_error& error) {
            return {false, QString::fromUtf8(error.what())};
        } catch (const std::bad_alloc&) {
            return {false, ReplayExportJob::tr("There isn't enough memory for these frames. Choose a smaller size or a "
                                               "shorter range.")};
        }
    }));
    m_poll.start();
    Q_EMIT progress(0);
}

void ReplayExportJob::cancel()
{
    if (m_state)
        m_state->progress.cancel();
}

void ReplayExportJob::conclude()
{
    m_poll.stop();
    m_state.reset();
    const Outcome outcome = m_watcher.result();
    Q_EMIT finished(outcome.done, outcome.sentence);
}

} // namespace bubblescope::viz
