#include "viz/timeline/search_job.h"

#include <QFutureWatcher>
#include <QtConcurrent>

namespace bubblescope::viz {

void SearchJob::cancel()
{
    if (m_progress)
        m_progress->cancel();
    m_progress.reset();
}

void SearchJob::start(const std::vector<RunPtr>& runs, const SearchQuery& query)
{
    cancel();
    m_progress = std::make_shared<Progress>();
    using Found = std::vector<MatchesPtr>;
    auto* watcher = new QFutureWatcher<Found>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, own = m_progress] {
        watcher->deleteLater();
        if (own != m_progress)
            return; // cancelled: what it found is of no use
        m_progress.reset();
        Q_EMIT found(watcher->result());
    });
    watcher->setFuture(QtConcurrent::run([runs, query, progress = m_progress] {
        Found found;
        try {
            for (const RunPtr& run : runs)
                found.push_back(std::make_shared<SpanMatches>(findSpans(*run, query, *progress)));
        } catch (const Cancelled&) {
            found.clear();
        }
        return found;
    }));
}

} // namespace bubblescope::viz
