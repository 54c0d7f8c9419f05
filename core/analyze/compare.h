// Two runs or more side by side: which is faster, by how much, and which idle time it got rid of.
//
// All differences are against the first run. Runs of different length are compared by time per microbatch, and it is said.

#pragma once

#include "core/analyze/report.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace bubblescope {

/// One run against the first.
struct RunDifference {
    double speedUp = 1;                    ///< time of the first ÷ time of this one; above 1 is faster
    Nanoseconds makespan = 0;              ///< this − first, as all below
    Nanoseconds idle = 0;                  ///< over all devices
    CauseTimes cause{};                    ///< over all devices
    std::vector<CauseTimes> causeOfDevice; ///< only where both runs have the same devices
    std::vector<Nanoseconds> idleOfDevice;
    double bubbleRate = 0;
    double peakActivations = 0;                ///< of the device that holds most
    IdleCause mostRemoved = IdleCause::Warmup; ///< the cause that shrank most; meaningful when removed > 0
    Nanoseconds removed = 0;                   ///< by how much, over all devices
};

struct Comparison {
    std::vector<RunReport> runs;
    std::vector<RunDifference> differences; ///< by run; of the first all zero
    std::size_t fastest = 0;
    bool sameWork = true;             ///< same steps and microbatches: makespans compare directly
    std::vector<std::string> remarks; ///< sentences: different labels, lengths, communication models
};

/// Throws Error for fewer than two runs.
Comparison compareRuns(std::vector<RunReport> runs);

nlohmann::json toJson(const Comparison& comparison);
std::string toText(const Comparison& comparison);

} // namespace bubblescope
