// What stands at one place of the time axis when runs are stacked.
//
//     A  ──F F B B──          offset 0: the axis is A's own time
//     B  ────F F B B──        first backward: B moves left until its first backward lies below A's

#pragma once

#include "viz/run/run_view.h"
#include "viz/timeline/coordinates.h"

#include <vector>

namespace bubblescope::viz {

enum class Alignment { Time, Step, FirstBackward, End };

/// The moment of a run that is put below the others'. A run without a backward has the begin of its step there.
Nanoseconds anchorOf(const RunView& run, Alignment alignment);

/// What is added to a run's own times to get aligned time, by slot; 0 for the first.
std::vector<Nanoseconds> offsetsOf(const std::vector<RunPtr>& runs, Alignment alignment);

inline TimeRange shifted(const TimeRange& range, Nanoseconds by)
{
    return {range.begin + by, range.end + by};
}

} // namespace bubblescope::viz
