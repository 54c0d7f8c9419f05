// Where spans go while something runs: into a document (RunWriter) or into memory (TraceCollector).
//
//     producer ──append──► TraceSink ──flush (every 250 ms)──► document ──► readers
//
// A seam, because the world behind it is slow. Called from one thread: workers fill buffers of their
// own, and one thread hands these over.

#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
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

/// Holds what a sink promises about the batches of one lane: spans by start, all measured or none.
class SpanOrder {
public:
    /// Throws Failure when the batch breaks the promise; otherwise remembers where it ended.
    void check(const SpanBatch& batch);

private:
    bool m_any = false;
    bool m_measured = false;
    Nanoseconds m_last = 0;
};

/// Numbers lanes in the order of their first use. The lanes here hold no spans.
class LaneTable {
public:
    std::uint32_t number(Device device, LaneKind kind, int index);

    const std::vector<TraceLane>& lanes() const { return m_lanes; }

private:
    std::map<std::tuple<Device, LaneKind, int>, std::uint32_t> m_numbers;
    std::vector<TraceLane> m_lanes;
};

/// Numbers texts in the order of their first use; "" is 0.
class NameTable {
public:
    std::uint32_t number(std::string_view text);

    const std::vector<std::string>& names() const { return m_names; }

private:
    std::map<std::string, std::uint32_t, std::less<>> m_numbers{{"", 0}};
    std::vector<std::string> m_names{""};
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
    LaneTable m_lanes;
    NameTable m_names;
    std::vector<SpanOrder> m_orders;
};

/// Hands a whole trace to a sink: lanes, spans, counters, links. Names are translated.
void write(TraceSink& sink, const Trace& trace);

/// Sorts lanes by (device, kind, index), as Trace::lanes has them.
void sortLanes(std::vector<TraceLane>& lanes);

} // namespace bubblescope
