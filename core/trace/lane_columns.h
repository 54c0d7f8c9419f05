// The lanes of a run as columns: what everything that draws or searches a large run works from.
//
//     spans of a lane, by start           ┌ sub-lane 0   ▇▇▇  ▇▇▇▇▇  ▇▇
//     ▇▇▇ ▇▇▇▇▇ …          ── packed ──►  ├ sub-lane 1      ▇▇▇▇            what overlaps goes one lower
//                                         └ moments      ◆        ◆        what takes no time
//
// Nothing is dropped and nothing is cut: every span is in exactly one of them, as a span of its own or
// as the other task of a joined unit.

#pragma once

#include "core/trace/span_columns.h"

#include <memory>
#include <string>
#include <vector>

namespace bubblescope {

struct LaneColumns {
    Device device{};
    LaneKind kind = LaneKind::Compute;
    std::uint8_t index = 0;
    std::vector<SpanColumns> subLanes; ///< at least one
    SpanColumns moments;               ///< by start; several may have the same
    SpanColumns cover; ///< when any sub-lane is busy, as intervals without identity; empty where there is one sub-lane

    /// When the lane is busy, without overlaps.
    const SpanColumns& busy() const { return subLanes.size() > 1 ? cover : subLanes.front(); }

    /// Spans as recorded: joined tasks count one by one.
    std::size_t spans() const;
};

struct TraceColumns {
    std::vector<LaneColumns> lanes; ///< as Trace::lanes
    std::vector<std::string> names = {""};
    Nanoseconds begin = 0; ///< earliest start; 0 when empty
    Nanoseconds end = 0;   ///< latest end; 0 when empty
    std::shared_ptr<BlockPool> pool;

    std::size_t spanCount() const;
    int devices() const;
};

/// Packs the spans of one lane after the other.
class LaneColumnsWriter {
public:
    explicit LaneColumnsWriter(BlockPool& pool) : m_pool(&pool), m_moments(pool) {}

    /// In the order of starts.
    void add(const SpanEntry& entry);

    /// The lane so far; the writer is empty afterwards.
    LaneColumns finish();

private:
    struct SubLane {
        SpanColumnsWriter writer;
        Nanoseconds end = 0;
    };

    bool joinsLast(const SpanEntry& entry) const;
    void extendCover(const SpanEntry& entry);

    BlockPool* m_pool;
    std::vector<SubLane> m_subLanes;
    std::size_t m_used = 0; // sub-lanes with spans of this lane
    SpanColumnsWriter m_moments;
    SpanEntry m_last; // that may be joined by the next one
    std::size_t m_lastSubLane = 0;
    bool m_any = false;
    std::vector<std::pair<Nanoseconds, Nanoseconds>> m_cover;
};

TraceColumns columnsOf(const Trace& trace);

/// Sets begin and end from the lanes.
void measure(TraceColumns& columns);

} // namespace bubblescope
