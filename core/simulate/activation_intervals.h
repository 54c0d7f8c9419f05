// Which activations are live when: for every forward, the time in which its device holds what it left behind.
//
//     0F3 ├───────── held ─────────┤ 0B3        or up to W, or in two parts where a copy moves it out and back
//
// The same deltas as the curves of memory.h give these, so that at every moment a curve is the sum of its intervals.

#pragma once

#include "core/simulate/memory.h"

#include <vector>

namespace bubblescope {

struct ActivationInterval {
    Device device{};
    Task forward; ///< identity of the forward; without a part
    Nanoseconds begin = 0;
    Nanoseconds end = 0; ///< of the timing where it is never freed
};

/// By device, then begin, then identity.
std::vector<ActivationInterval> activationIntervals(const Schedule& schedule, const Timing& timing,
                                                    const ActivationDeltas& deltas);

} // namespace bubblescope
