// Where spans go while something runs: into a document (RunWriter) or into memory (TraceCollector).
//
//     producer ──append──► TraceSink ──flush (every 250 ms)──► document ──► readers
//
// A seam, because the world behind it is slow. Called from one thread: workers fill buffers of their
// own, and one thread hands these over.

#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace bubblescope {

/// Spans of one lane, by start; none may start before the last one of the batch before.
struct SpanBatch {
    std::uint32_t lane = 0; ///< what TraceSink::lane() returned
    std::span<const Span> spans;
    std::span<const Measurement> measurements = {}; ///< parallel to spans, or empty
};

class TraceSink {
public:
    virtual ~TraceSink() = default;

    /// The number of the lane with this device, kind and index; made on first use.
    virtual std::uint32_t lane(Device device, LaneKind kind = LaneKind::Compute, int index = 0) = 0;

    /// The number to put into Span::name for this text; 0 for "".
    virtual std::uint32_t name(std::string_view text) = 0;

    /// Throws Failure for spans out of order: the lane's order is the key under which they are stored.
    virtual void append(const SpanBatch& batch) = 0;

    /// Samples of one counter of one device, by time.
    virtual void counter(std::string_view name, Device device,
                         std::span<const std::pair<Nanoseconds, std::int64_t>> samples) = 0;

    virtual void links(std::span<const Link> links) = 0;

    /// Makes everything so far safe and visible to readers.
    virtual void flush() = 0;
};

/// Collects a trace in memory.
class TraceCollector final : public TraceSink {
public:
    std::uint32_t lane(Device device, LaneKind kind = LaneKind::Compute, int index = 0) override;
    std::uint32_t name(std::string_view text) override;
    void append(const SpanBatch& batch) override;
    void counter(std::string_view name, Device device,
                 std::span<const std::pair<Nanoseconds, std::int64_t>> samples) override;
    void links(std::span<const Link> links) override;

    void flush() override {}

    /// What was collected, lanes sorted. The collector is empty afterwards.
    Trace take();

private:
    Trace m_trace;
};

/// Hands a whole trace to a sink: lanes, spans, counters, links. Names are translated.
void write(TraceSink& sink, const Trace& trace);

} // namespace bubblescope
