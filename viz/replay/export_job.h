// An export of a replay in the background: started, followed, cancelled.

#pragma once

#include "viz/replay/replay_export.h"

#include <QFutureWatcher>
#include <QObject>
#include <QTimer>

#include <atomic>
#include <memory>

namespace bubblescope::viz {

class ReplayExportJob : public QObject {
    Q_OBJECT

public:
    explicit ReplayExportJob(QObject* parent = nullptr);

    /// Cancels and waits for the frame that is being drawn.
    ~ReplayExportJob() override;

    void start(const std::vector<RunPtr>& runs, const ReplayExport& complete, const QFont& font);
    void cancel();

    bool running() const { return m_state != nullptr; }

Q_SIGNALS:
    void progress(double fraction);
    /// `sentence` says what went wrong; empty with `done` false when it was cancelled.
    void finished(bool done, const QString& sentence);

private:
    struct State {
        std::atomic<double> fraction{0};
        Progress progress{[this](double share, const std::string&) { fraction = share; }};
    };

    struct Outcome {
        bool done = false;
        QString sentence;
    };

    void conclude();

    std::shared_ptr<State> m_state;
    QFutureWatcher<Outcome> m_watcher;
    QTimer m_poll;
};

} // namespace bubblescope::viz
