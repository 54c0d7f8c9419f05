#include "viz/panels/background_job.h"

namespace bubblescope::viz {

void BackgroundJob::Owner::report(double fraction, const QString& message)
{
    const std::lock_guard lock(mutex);
    if (job != nullptr)
        QMetaObject::invokeMethod(
            job, [to = job, fraction, message] { Q_EMIT to->progress(fraction, message); }, Qt::QueuedConnection);
}

void BackgroundJob::cancel()
{
    if (m_owner) {
        const std::lock_guard lock(m_owner->mutex);
        m_owner->job = nullptr;
    }
    if (!m_running)
        return;
    m_progress->cancel();
    m_running = false;
    Q_EMIT finished(QString());
}

} // namespace bubblescope::viz
