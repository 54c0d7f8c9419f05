// Where an executor or a recorder hands over what it has seen, while it goes on.
//
// All members are called from one thread, which is never a worker: a slow sink delays the next
// hand-over, not the run. A sink that can't take more (disk full) throws; the run then ends as failed.

#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <span>
#include <vector>

namespace bubblescope {

class TraceSink {
public:
    virtual ~TraceSink() = default;

    /// Before anything else: the lanes, without spans. Lanes are named by their index here from now on.
    virtual void begin(const std::vector<TraceLane>& lanes) = 0;

    /// Spans of one lane, by start, in order over all calls. `measurements` is parallel to `spans` or empty.
    virtual void append(std::uint32_t lane, std::span<const Span> spans, std::span<const Measurement> measurements) = 0;

    /// Messages in no particular order.
    virtual void appendLinks(std::span<const Link> links) = 0;

    /// More samples of the counter with this name and device; the first call makes it.
    virtual void appendCounter(const Counter& counter) = 0;

    /// Everything given so far is void, lanes apart: it will be given again with other times. Happens once
    /// at most, at the end of a run that was thought to be measured and turned out to be shared (executor.md 2.3).
    virtual void discard() = 0;
};

/// Keeps a whole run in memory.
class MemorySink final : public TraceSink {
public:
    void begin(const std::vector<TraceLane>& lanes) override;
    void append(std::uint32_t lane, std::span<const Span> spans, std::span<const Measurement> measurements) override;
    void appendLinks(std::span<const Link> links) override;
    void appendCounter(const Counter& counter) override;
    void discard() override;

    const Trace& trace() const { return m_trace; }

    Trace take() { return std::move(m_trace); }

private:
    Trace m_trace;
};

/// For runs that nobody records.
class NullSink final : public TraceSink {
public:
    void begin(const std::vector<TraceLane>&) override {}

    void append(std::uint32_t, std::span<const Span>, std::span<const Measurement>) override {}

    void appendLinks(std::span<const Link>) override {}

    void appendCounter(const Counter&) override {}

    void discard() override {}
};

} // namespace bubblescope
