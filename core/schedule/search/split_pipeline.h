// One chunk a device, backward split in I and W: the ground on which zb-auto and the exact solver search.
//
//     FFFFIWFIWFIWFIWIWIWIWIWW     device 0     microbatches are equal, so the k-th F of every lane is
//     FFFIFIWFIWFIWFIWIWIWIWW      device 1     microbatch k's, and likewise I and W: a lane is a word
//
// That the k-th task of a kind is microbatch k's loses nothing: any other order keeps its times and its
// memory when its microbatches are numbered anew by rank on every stage.

#pragma once

#include "core/schedule/registry.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace bubblescope {

struct SplitPipeline {
    enum Kind : std::uint8_t { F, I, W };

    int stages = 1;
    int microbatches = 1;
    std::vector<std::array<Nanoseconds, 3>> cost; ///< by stage and kind
    std::vector<Nanoseconds> down;                ///< by stage: what its activation needs to reach the next stage
    std::vector<Nanoseconds> up;                  ///< by stage: what its gradient needs to reach the previous stage
    std::array<std::int64_t, 3> held{};           ///< change of live activations by kind, in millionths; sums to 0
    std::int64_t limit = INT64_MAX;               ///< most live activations of a device, in millionths

    /// Costs and deltas of a request; without them F=I=W=1, released at W.
    explicit SplitPipeline(const RecipeRequest& request);

    /// Least limit under which one microbatch after another can run.
    std::int64_t smallestLimit() const;

    /// Room that F, I or W must find: an F also leaves room for an I that adds something.
    std::int64_t needs(Kind kind) const;

    static Kind kindOf(char letter) { return letter == 'F' ? F : letter == 'I' ? I : W; }
};

/// Words over F, I and W, one for each stage.
using SplitLanes = std::vector<std::string>;

struct SplitMeasure {
    Nanoseconds makespan = 0;
    Nanoseconds span = 0;  ///< longest interval between a device's first start and last end: the paper's cost
    std::int64_t peak = 0; ///< of the device that holds most, in millionths
};

/// What is to be shortest: the makespan, or the longest interval between a device's first start and last
/// end (the zero-bubble paper's cost). Every task starts as soon as its order allows.
enum class SplitObjective : std::uint8_t { Makespan, Span };

Nanoseconds valueOf(const SplitMeasure& measure, SplitObjective objective);

/// Start as soon as possible, nothing else. Lanes that wait for each other never end: INT64_MAX.
SplitMeasure measure(const SplitPipeline& pipeline, const SplitLanes& lanes);

} // namespace bubblescope
