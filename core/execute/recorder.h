// What the workers saw: one log per lane, written by its worker, handed over by the calling thread.
//
// A log has its full size from the start and an atomic count, so a worker pays a store per span and
// never waits for the sink. Everything stays in memory as well: spans before a failure are kept, and the
// label of a run is known only at its end.

#pragma once

#include "core/execute/arena.h"
#include "core/execute/run_plan.h"
#include "core/trace/trace_sink.h"

#include <array>
#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace bubblescope {

/// Name of the counter that holds the live bytes of a class: "memory.activation".
std::string memoryCounterName(MemoryClass memoryClass);

/// Live bytes of a device at the end of a compute task.
struct MemorySample {
    std::array<std::int64_t, memoryClasses> live{};
};

/// A message as its receiver saw it, in both clocks.
struct LinkRecord {
    Link link; ///< virtual times
    Nanoseconds sentWall = 0;
    Nanoseconds arrivedWall = 0;
};

class LaneLog {
public:
    LaneLog(std::size_t spans, std::size_t links, bool memory);

    void add(const Span& span, const Measurement& measurement)
    {
        const std::size_t at = m_count.load(std::memory_order_relaxed);
        m_spans[at] = span;
        m_measurements[at] = measurement;
        m_count.store(at + 1, std::memory_order_release);
    }

    /// Goes with the span that is added next. Nothing on lanes whose memory isn't recorded.
    void addMemory(const MemorySample& sample)
    {
        if (m_samples)
            m_samples[m_count.load(std::memory_order_relaxed)] = sample;
    }

    void addLink(const LinkRecord& link)
    {
        const std::size_t at = m_linkCount.load(std::memory_order_relaxed);
        m_links[at] = link;
        m_linkCount.store(at + 1, std::memory_order_release);
    }

    std::size_t count() const { return m_count.load(std::memory_order_acquire); }

    std::size_t linkCount() const { return m_linkCount.load(std::memory_order_acquire); }

    const Span& span(std::size_t i) const { return m_spans[i]; }

    const Measurement& measurement(std::size_t i) const { return m_measurements[i]; }

    const MemorySample* sample(std::size_t i) const { return m_samples ? &m_samples[i] : nullptr; }

    const LinkRecord& link(std::size_t i) const { return m_links[i]; }

private:
    std::unique_ptr<Span[]> m_spans;
    std::unique_ptr<Measurement[]> m_measurements;
    std::unique_ptr<MemorySample[]> m_samples;
    std::unique_ptr<LinkRecord[]> m_links;
    std::atomic<std::size_t> m_count{0};
    std::atomic<std::size_t> m_linkCount{0};
};

/// Which times a span shows.
enum class ShownTime : std::uint8_t { Wall, Virtual };

class Recorder {
public:
    Recorder(const RunPlan& plan, std::uint32_t rounds, bool memory);

    LaneLog& log(std::uint32_t lane) { return *m_logs[lane]; }

    const LaneLog& log(std::uint32_t lane) const { return *m_logs[lane]; }

    /// Makes the sink's lanes.
    void begin(TraceSink& sink, ShownTime shown);

    /// Gives the sink what has come since the last call, and lets it make that safe.
    void handOver();

    /// Everything recorded so far.
    Trace trace(ShownTime shown) const;

    std::size_t spanCount() const;

private:
    /// What a reader has taken of one lane so far.
    struct Cursor {
        std::uint32_t lane = 0; ///< the sink's number
        std::size_t spans = 0;
        std::size_t links = 0;
        MemorySample last; ///< to leave out what hasn't changed
    };

    void give(TraceSink& sink, const LaneLog& log, Device device, Cursor& cursor, ShownTime shown) const;

    const RunPlan& m_plan;
    std::vector<std::unique_ptr<LaneLog>> m_logs;
    std::vector<Cursor> m_cursors;
    TraceSink* m_sink = nullptr;
    ShownTime m_shown = ShownTime::Virtual;
};

} // namespace bubblescope
