// One search at a time over the shown runs, on another thread; a newer one cancels it.

#pragma once

#include "viz/timeline/span_search.h"

#include <QObject>

#include <memory>
#include <vector>

namespace bubblescope::viz {

class SearchJob : public QObject {
    Q_OBJECT

public:
    explicit SearchJob(QObject* parent = nullptr) : QObject(parent) {}

    ~SearchJob() override { cancel(); }

    void start(const std::vector<RunPtr>& runs, const SearchQuery& query);
    void cancel();

    bool running() const { return m_progress != nullptr; }

Q_SIGNALS:
    /// By slot. Not sent by a search that was cancelled.
    void found(const std::vector<bubblescope::viz::MatchesPtr>& matches);

private:
    std::shared_ptr<Progress> m_progress; // of the running one
};

} // namespace bubblescope::viz
