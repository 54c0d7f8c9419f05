// What is done to a document, never on the GUI thread.
//
//     run(save) ─► run(keep runs) ─► run(read the list)      a document has one writer, so its jobs have an order
//     read(run 1), read(run 2), …                            spans are read beside all that
//
// What takes longer than a blink says how far it is, and can be cancelled.

#pragma once

#include "core/base/progress.h"

#include <QObject>
#include <QString>

#include <deque>
#include <functional>
#include <memory>
#include <vector>

namespace bubblescope::viz {

/// How a job ended: well (an empty sentence), with a sentence, or because somebody cancelled it.
struct JobEnd {
    QString error;
    bool cancelled = false;

    bool well() const { return error.isEmpty() && !cancelled; }
};

class DocumentJobs : public QObject {
    Q_OBJECT

public:
    using Work = std::function<void(const Progress&)>;
    using Done = std::function<void(const JobEnd&)>;

    explicit DocumentJobs(QObject* parent = nullptr);
    ~DocumentJobs() override;

    /// `work` throws what went wrong; `done` is called on this thread. `what` is said while it takes long.
    void run(const QString& what, Work work, Done done);

    /// The same, but starts at once and waits for nobody: nothing is written.
    void read(const QString& what, Work work, Done done);

    /// Jobs have an order and aren't over yet. What is only read doesn't count.
    bool busy() const { return m_current != nullptr; }

    bool reading() const { return !m_readings.empty(); }

    /// Calls `next` as soon as no job is left; at once when there is none.
    void whenIdle(std::function<void()> next);

    /// Ends the job that runs, and all that is being read; the jobs that wait go on.
    void cancel();
    void cancelReading();

Q_SIGNALS:
    /// Of what has run for longer than a blink. `fraction` below 0: unknown.
    void progress(double fraction, const QString& what);
    void idle(); ///< nothing runs, and nothing is read

private:
    struct Job {
        QString what;
        Work work;
        Done done;
    };

    void startNext();
    void finish(const Job& job, const JobEnd& end);
    void finishReading(const Job& job, const std::shared_ptr<Progress>& mine, const JobEnd& end);
    void start(const Job& job, const std::shared_ptr<Progress>& mine, Done finished);
    std::shared_ptr<Progress> progressOf(const QString& what);
    bool alive(const std::weak_ptr<Progress>& mine) const;

    std::deque<Job> m_waiting;
    std::deque<std::function<void()>> m_whenIdle;
    std::shared_ptr<Progress> m_current;
    std::vector<std::shared_ptr<Progress>> m_readings;
};

} // namespace bubblescope::viz
