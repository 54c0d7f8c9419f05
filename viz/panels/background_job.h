// Work of a panel on another thread: the latest order wins, progress comes back, and it can be cancelled.
//
//     m_job.start([=](const Progress& progress) { return sweep(…, progress); }, [this](const Lines& lines) { show(lines); });
//
// What the work throws as Error arrives as a sentence; Cancelled arrives as nothing.

#pragma once

#include "core/base/progress.h"

#include <QFutureWatcher>
#include <QObject>
#include <QtConcurrent>

#include <memory>
#include <mutex>
#include <optional>

namespace bubblescope::viz {

class BackgroundJob : public QObject {
    Q_OBJECT

public:
    using QObject::QObject;

    ~BackgroundJob() override { cancel(); }

    /// Calls `done` on this thread with what `work` returned, unless another order came or it was cancelled.
    template <class Work, class Done>
    void start(Work work, Done done)
    {
        using Value = decltype(work(std::declval<const Progress&>()));

        struct Outcome {
            std::optional<Value> value;
            QString sentence;
        };

        cancel();
        const int order = ++m_order;
        m_owner = std::make_shared<Owner>();
        m_owner->job = this;
        m_progress = std::make_shared<Progress>([owner = m_owner](double fraction, const std::string& message) {
            owner->report(fraction, QString::fromStdString(message));
        });
        m_running = true;
        auto* watcher = new QFutureWatcher<Outcome>(this);
        connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, order, done] {
            watcher->deleteLater();
            if (order != m_order || !m_running)
                return;
            m_running = false;
            const Outcome outcome = watcher->result();
            if (outcome.value)
                done(*outcome.value);
            Q_EMIT finished(outcome.sentence);
        });
        const auto run = [work = std::move(work), progress = m_progress]() -> Outcome {
            try {
                return {work(*progress), {}};
            } catch (const Cancelled&) {
                return {};
            } catch (const std::runtime_error& error) {
                return {std::nullopt, QString::fromUtf8(error.what())};
            }
        };
        watcher->setFuture(QtConcurrent::run(run));
        Q_EMIT started();
    }

    /// Nothing of what runs arrives any more.
    void cancel();

    bool running() const { return m_running; }

Q_SIGNALS:
    void started();
    void progress(double fraction, const QString& message);

    /// With the sentence of what went wrong, or empty.
    void finished(const QString& sentence);

private:
    /// Whom the work reports to. Work that nobody waits for any more runs on until it checks, and reports to nobody.
    struct Owner {
        void report(double fraction, const QString& message);

        std::mutex mutex;
        BackgroundJob* job = nullptr;
    };

    std::shared_ptr<Progress> m_progress;
    std::shared_ptr<Owner> m_owner;
    int m_order = 0;
    bool m_running = false;
};

} // namespace bubblescope::viz
