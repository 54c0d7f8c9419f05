// What is done to a document, one after the other and never on the GUI thread.
//
//     run(save) ─► run(keep runs) ─► run(read the list)      a document has one writer, so its jobs have an order
//
// A job that takes longer than a blink says how far it is, and can be cancelled.

#pragma once

#include "core/base/progress.h"

#include <QObject>
#include <QString>

#include <deque>
#include <functional>
#include <memory>

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

    bool busy() const { return m_current != nullptr; }

    /// Calls `next` as soon as no job is left; at once when there is none.
    void whenIdle(std::function<void()> next);

    /// Ends the job that runs; those that wait go on.
    void cancel();

Q_SIGNALS:
    /// Of a job that has run for longer than a blink. `fraction` below 0: unknown.
    void progress(double fraction, const QString& what);
    void idle();

private:
    struct Job {
        QString what;
        Work work;
        Done done;
    };

    void startNext();
    void finish(const Job& job, const JobEnd& end);
    std::shared_ptr<Progress> progressOf(const QString& what);

    std::deque<Job> m_waiting;
    std::deque<std::function<void()>> m_whenIdle;
    std::shared_ptr<Progress> m_current;
};

} // namespace bubblescope::viz
