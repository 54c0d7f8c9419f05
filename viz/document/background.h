// From core to window: work on another thread, and errors as sentences.

#pragma once

#include "core/base/error.h"

#include <QFutureWatcher>
#include <QString>
#include <QtConcurrent>

#include <utility>

namespace bubblescope::viz {

/// Runs `work` on another thread and hands its value to `done` on this one, unless `context` is gone.
template <class Work, class Done>
void inBackground(QObject* context, Work work, Done done)
{
    using Value = decltype(work());
    auto* watcher = new QFutureWatcher<Value>(context);
    QObject::connect(watcher, &QFutureWatcherBase::finished, context, [watcher, done] {
        watcher->deleteLater();
        done(watcher->result());
    });
    watcher->setFuture(QtConcurrent::run(std::move(work)));
}

template <class Value>
struct Outcome {
    Value value{};
    QString error;
};

/// What went wrong becomes a sentence at the boundary between core and window.
template <class Work>
auto sentenced(Work work) -> Outcome<decltype(work())>
{
    try {
        return {work(), {}};
    } catch (const std::exception& error) {
        return {{}, QString::fromUtf8(error.what())};
    }
}

} // namespace bubblescope::viz
