// Executes by starting `bubblescope run` as a child and following the document that it writes.
//
//     start() ──► QProcess ──writes──► document ──RunFollower, every 100 ms──► liveChanged, progress
//
// The window neither loads CUDA nor links kernels, and a crash of the work isn't one of the window.

#pragma once

#include "viz/run/run_view.h"

#include <QObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QTimer>

#include <memory>
#include <vector>

namespace bubblescope {
class RunFollower;
}

namespace bubblescope::viz {

/// What is executed: one schedule of an experiment each.
struct ExecutionOrder {
    std::vector<Experiment> experiments; ///< with one schedule each
    std::vector<CustomOrderPtr> orders;  ///< by hand, by experiment; null or missing: the family's
    std::vector<QString> titles;
    QString backend = QStringLiteral("cpu");
    int steps = 5;
    QString document; ///< path; runs are added to it
    int lastRun = 0;  ///< highest number of a run that is there already
};

class Execution : public QObject {
    Q_OBJECT

public:
    explicit Execution(QObject* parent = nullptr);
    ~Execution() override;

    /// The command line's program: beside this one, unless BUBBLESCOPE_PROGRAM says otherwise.
    static QString program();

    void start(const ExecutionOrder& order);

    /// Asks the child to end; it finishes its document first. Asked twice, it is killed.
    void cancel();

    bool running() const { return m_process != nullptr; }

Q_SIGNALS:
    /// `fraction` below 0: unknown.
    void progress(double fraction, const QString& text);
    void liveChanged(const RunPtr& run);
    /// All done, or ended: an empty sentence is success.
    void finished(const QString& sentence);

private:
    void startNext();
    QString writeOrder(const CustomOrder& order) const;
    void poll();
    void findRun();
    void publish();
    void onFinished(int code, QProcess::ExitStatus status);
    void end(const QString& sentence);

    ExecutionOrder m_order;
    std::size_t m_next = 0;
    std::unique_ptr<QTemporaryDir> m_folder;
    QProcess* m_process = nullptr;
    QTimer m_timer;
    std::unique_ptr<RunFollower> m_follower;
    RunView m_head;
    Trace m_trace;
    int m_run = 0;
    bool m_cancelled = false;
};

/// The newest step of a trace that is still growing, its times counted from the step's begin.
Trace newestStep(const Trace& trace, int microbatchesPerStep, int& step);

} // namespace bubblescope::viz
