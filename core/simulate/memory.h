// Live memory over time, per device (ir.md 5).
//
// A task allocates at its start and releases at its end; at one instant releases come first.

#pragma once

#include "core/simulate/simulate.h"

#include <array>
#include <string>
#include <vector>

namespace bubblescope {

/// Change of live activations, in millionths of one, by work: `atStart` and `atEnd` of the task.
struct ActivationDeltas {
    struct Delta {
        std::int64_t atStart = 0;
        std::int64_t atEnd = 0;
    };

    static constexpr std::int64_t one = 1'000'000;
    std::array<Delta, workCount> of{};
};

/// "F=1,I=-0.5,W=-0.5": F counts at its start, the others at their end. The sum over a microbatch must be 0.
ActivationDeltas parseMemory(const std::string& text, bool splitsBackward);

/// Live activations of one device, in millionths of one activation of a whole device
/// (a stage counts 1/chunks, a slice 1/slices).
struct ActivationCurve {
    struct Step {
        Nanoseconds time = 0;
        std::int64_t live = 0; ///< after everything that happens at this time
    };

    std::vector<Step> steps;   ///< only when asked for
    std::int64_t peak = 0;
    Nanoseconds peakAt = 0;    ///< first moment of the peak
    std::vector<Task> holders; ///< F tasks whose activations live at the peak; only when asked for

    double peakActivations() const { return static_cast<double>(peak) / static_cast<double>(ActivationDeltas::one); }
};

/// One curve per device. `detailed` also fills steps and holders.
std::vector<ActivationCurve> activationCurves(const Schedule& schedule, const Timing& timing,
                                              const ActivationDeltas& deltas, bool detailed);

} // namespace bubblescope
