// What took place in a range of time: per kind of work, and busy and idle per device with causes.
//
//     task        |=====|                    counts with the part inside, so that sum = count × average
//     range          |--------------|
//     idle                   |////////|      its causes count in proportion to the part inside, exact in sum

#pragma once

#include "core/analyze/idle.h"
#include "core/base/progress.h"
#include "core/trace/lane_columns.h"

#include <cstdint>
#include <string>
#include <vector>

namespace bubblescope {

/// Spans of one kind of work, or of one name where they are no tasks, over all devices.
struct KindSummary {
    Work work = Work::Filler; ///< meaningless when `name` is set
    std::string name;
    std::uint64_t count = 0;  ///< spans with a part inside
    Nanoseconds sum = 0;      ///< of the parts inside; a joined unit counts for both of its tasks
    Nanoseconds shortest = 0; ///< part inside
    Nanoseconds longest = 0;  ///< part inside

    Nanoseconds average() const { return count == 0 ? 0 : sum / static_cast<Nanoseconds>(count); }
};

struct DeviceSummary {
    Nanoseconds busy = 0; ///< of the compute lane; overlapping spans and joined units count once
    Nanoseconds idle = 0;
    CauseTimes cause{}; ///< sums to idle exactly
};

struct RangeSummary {
    Nanoseconds begin = 0;
    Nanoseconds end = 0;
    Nanoseconds inside = 0;         ///< part of the range in which the run took place: busy + idle of each device
    std::vector<KindSummary> kinds; ///< works in the order of their table, then names by falling sum
    std::vector<DeviceSummary> devices;

    Nanoseconds length() const { return end - begin; }

    /// Of the time that all devices have in the range; 0 for an empty one.
    double share(Nanoseconds time) const;
};

/// O(spans inside). Idle time that the report lists no gaps for is Unexplained. Throws Cancelled when progress says so.
RangeSummary summariseRange(const TraceColumns& trace, const IdleReport& idle, Nanoseconds begin, Nanoseconds end,
                            const Progress& progress = Progress());

} // namespace bubblescope
