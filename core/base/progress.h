// How long work reports back and learns that nobody wants its result any more.

#pragma once

#include "core/base/error.h"

#include <atomic>
#include <functional>
#include <string>

namespace bubblescope {

/// Given to every computation that may take longer than a blink. All members may be called from any thread.
class Progress {
public:
    using Sink = std::function<void(double fraction, const std::string& message)>;

    Progress() = default;

    explicit Progress(Sink sink) : m_sink(std::move(sink)) {}

    /// `fraction` from 0 to 1; below 0 means "unknown".
    void report(double fraction, const std::string& message) const
    {
        if (m_sink)
            m_sink(fraction, message);
    }

    void cancel() { m_cancelled.store(true, std::memory_order_relaxed); }

    bool cancelled() const { return m_cancelled.load(std::memory_order_relaxed); }

    /// Throws Cancelled once cancel() was called.
    void check() const
    {
        if (cancelled())
            throw Cancelled();
    }

private:
    Sink m_sink;
    std::atomic<bool> m_cancelled{false};
};

} // namespace bubblescope
