// Spans as columns: 14 bytes each, so that ten million fit and are read at the speed of memory.
//
//     SpanColumns ──► chunks of at most 65,536 spans:   base + start[i]  u32      when
//                                                       duration[i]      u32
//                                                       number[i]        u32      microbatch, or name
//                                                       kind[i]          u16 ──► kinds: all else of a task
//
// Spans of one SpanColumns don't overlap and stand in the order of time (packing is the business of
// lane_columns.h). Where 32 bits don't hold the times, a chunk is short or has 64. Two tasks that form
// one unit are one span here; its other tasks stand in `joins`. Chunks are written once and then shared.

#pragma once

#include "core/base/block_pool.h"
#include "core/trace/trace.h"

#include <cstdint>
#include <unordered_map>
#include <utility>
#include <vector>

namespace bubblescope {

/// What many spans of a chunk have in common: everything of a task but its microbatch.
struct SpanKind {
    Work work = Work::Forward;
    std::uint8_t flags = 0; ///< of the task
    Pipe pipe{};
    bool named = false; ///< no task: the number is an index into the trace's names
    Slice slice{};
    Stage stage{};
    Part part{};

    /// Identity as two comparable values.
    std::pair<std::uint64_t, std::uint16_t> key() const
    {
        const std::uint64_t high = (std::uint64_t{stage.value} << 48) | (std::uint64_t{slice.value} << 32);
        return {high | (std::uint64_t{named} << 24) | (std::uint64_t{pipe.value} << 16) | (std::uint64_t{flags} << 8) |
                    static_cast<std::uint64_t>(work),
                part.value};
    }

    friend bool operator==(const SpanKind& a, const SpanKind& b) { return a.key() == b.key(); }
};

/// A span without its place among others.
struct SpanEntry {
    Nanoseconds start = 0;
    Nanoseconds end = 0;
    SpanKind kind;
    std::uint32_t number = 0; ///< microbatch, or name of a named one
    std::int32_t version = noVersion;
    std::uint32_t source = 0; ///< its index in the lane as recorded
};

SpanEntry entryOf(const Span& span, std::uint32_t source);
Span spanOf(const SpanEntry& entry);

/// One more task of the unit that a span stands for.
struct SpanJoin {
    std::uint32_t at = 0; ///< index in the chunk
    std::uint16_t kind = 0;
    std::uint32_t number = 0;
    std::int32_t version = noVersion;
    std::uint32_t source = 0;
};

struct SpanChunk {
    std::size_t first = 0; ///< index of its first span in the SpanColumns
    std::uint32_t count = 0;
    Nanoseconds base = 0;
    const std::uint32_t* narrowStart = nullptr; ///< from base; null: a wide chunk
    const std::uint32_t* narrowDuration = nullptr;
    const Nanoseconds* wideStart = nullptr;
    const Nanoseconds* wideDuration = nullptr;
    const std::uint32_t* number = nullptr;
    const std::uint16_t* kind = nullptr;
    const std::int32_t* version = nullptr; ///< null: noVersion for all
    const std::uint32_t* source = nullptr; ///< null: sourceBase + index
    std::uint32_t sourceBase = 0;
    std::vector<SpanKind> kinds;
    std::vector<SpanJoin> joins; ///< by at

    Nanoseconds start(std::uint32_t i) const { return narrowStart ? base + narrowStart[i] : wideStart[i]; }

    Nanoseconds duration(std::uint32_t i) const { return narrowStart ? narrowDuration[i] : wideDuration[i]; }

    Nanoseconds end(std::uint32_t i) const { return start(i) + duration(i); }

    std::uint32_t sourceOf(std::uint32_t i) const { return source ? source[i] : sourceBase + i; }

    SpanEntry entry(std::uint32_t i) const;

    /// The joins of a span: [first, last).
    std::pair<std::size_t, std::size_t> joinsOf(std::uint32_t i) const;
    SpanEntry joinEntry(const SpanJoin& join) const;
};

class SpanColumns {
public:
    static constexpr std::uint32_t chunkSize = 65'536;

    struct Place {
        std::size_t chunk = 0;
        std::uint32_t at = 0;
    };

    std::size_t size() const { return m_size; }

    bool empty() const { return m_size == 0; }

    const std::vector<SpanChunk>& chunks() const { return m_chunks; }

    Place place(std::size_t index) const;

    Nanoseconds start(std::size_t index) const;
    Nanoseconds end(std::size_t index) const;
    SpanEntry entry(std::size_t index) const;

    /// Every task of the unit that this span stands for; one for nearly all.
    std::vector<SpanEntry> entries(std::size_t index) const;

    /// The first span that ends after `time`; size() when there is none.
    std::size_t firstEndingAfter(Nanoseconds time) const;

    /// The first span that starts at `time` or later.
    std::size_t firstStartingFrom(Nanoseconds time) const;

    Nanoseconds longest() const { return m_longest; }

    void append(SpanChunk chunk);

private:
    std::vector<SpanChunk> m_chunks;
    std::size_t m_size = 0;
    Nanoseconds m_longest = 0;
};

/// Writes a SpanColumns span by span, in the order of their starts.
class SpanColumnsWriter {
public:
    explicit SpanColumnsWriter(BlockPool& pool) : m_pool(&pool) {}

    void add(const SpanEntry& entry);

    /// Another task of the unit that the last span stands for.
    void join(const SpanEntry& entry);

    /// The columns; the writer is empty afterwards.
    SpanColumns finish();

private:
    /// A wide chunk is only worth its bytes where narrow ones would hold less than this.
    static constexpr std::size_t fewSpans = 1024;

    std::uint16_t kindIndex(const SpanKind& kind);
    void closeChunk();
    void storeTimes(SpanChunk& chunk);

    BlockPool* m_pool;
    SpanColumns m_columns;
    bool m_wide = false;
    bool m_versions = false;
    bool m_scattered = false; // sources don't follow each other
    std::vector<Nanoseconds> m_starts;
    std::vector<Nanoseconds> m_durations;
    std::vector<std::uint32_t> m_numbers;
    std::vector<std::uint16_t> m_kindOf;
    std::vector<std::int32_t> m_versionOf;
    std::vector<std::uint32_t> m_sources;
    std::vector<SpanKind> m_kinds;
    std::vector<SpanJoin> m_joins;
    std::uint16_t m_lastKind = 0;

    struct KeyHash {
        std::size_t operator()(const std::pair<std::uint64_t, std::uint16_t>& key) const
        {
            return (key.first ^ (std::uint64_t{key.second} << 20)) * 0x9e3779b97f4a7c15U >> 7;
        }
    };

    std::unordered_map<std::pair<std::uint64_t, std::uint16_t>, std::uint16_t, KeyHash> m_kindIndex;
};

} // namespace bubblescope
