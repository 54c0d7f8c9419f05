// What goes over each link: which messages between which devices, how many bytes, and how busy it is over time.
//
// From the links that a trace recorded; of a prediction without any, from the messages that its schedule sends.

#pragma once

#include "core/analyze/statistics.h"
#include "core/experiment.h"
#include "core/trace/trace.h"

#include <vector>

namespace bubblescope {

/// One message on its way.
struct LinkMessage {
    Nanoseconds start = 0;
    Nanoseconds end = 0;
    std::int64_t bytes = 0; ///< 0: unknown
    Task producer;
};

/// One direction between two devices.
struct LinkUse {
    Device from{};
    Device to{};
    std::vector<LinkMessage> messages; ///< by start
    std::int64_t bytes = 0;
    Nanoseconds busy = 0; ///< while at least one message is on its way
};

/// By (from, to). `plan` and `timing` are those of the run, or null for one whose plan is unknown.
std::vector<LinkUse> linkUse(const Trace& trace, const Plan* plan, const Timing* timing);

/// Parts of the window of equal length: share of each in which a message is on its way, from 0 to 1.
std::vector<double> busyShares(const LinkUse& link, Interval window, int parts);

} // namespace bubblescope
