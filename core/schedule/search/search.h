// The best schedule under a memory limit: every family of the catalogue, in every variant, simulated with
// the experiment's costs and held to the limit.
//
//     experiment, limit ──► plan and simulate each variant ──► fits? ──► best of each family, sorted
//                                                         └─► left out, with the reason
//
// Families that keep a limit themselves (a parameter `limit`) are given it. What isn't the same training
// (other weights, parts of the model left out) can't win and is left out.
//
// Costs are those of a whole device: with v chunks each chunk costs 1/v of what is given, so that
// families with and without chunks do the same work.

#pragma once

#include "core/base/progress.h"
#include "core/experiment.h"

#include <string>
#include <vector>

namespace bubblescope {

/// A variant that fits.
struct SearchCandidate {
    Experiment experiment; ///< with this one schedule; plan() builds it again
    Nanoseconds makespan = 0;
    Nanoseconds lowerBound = 0; ///< no schedule of this sort is shorter
    double bubbleRate = 0;      ///< idle ÷ (devices × makespan)
    double peakActivations = 0; ///< of the device that holds most
    double weightCopies = 1;    ///< times that the model's weights are held by all devices together
    bool oneChunk = false;      ///< stage s stays on device s, in one piece

    const RecipeSpec& spec() const { return experiment.schedules.front(); }

    /// 0.02: two per cent longer than the lower bound.
    double aboveBound() const
    {
        return lowerBound > 0 ? static_cast<double>(makespan) / static_cast<double>(lowerBound) - 1 : 0;
    }
};

struct SearchLeftOut {
    std::string id;
    std::string reason; ///< a sentence
};

struct SearchResult {
    double limit = 0;                        ///< activations; 0: none
    std::vector<SearchCandidate> candidates; ///< the best variant of each family that fits, best first
    std::vector<SearchCandidate> variants;   ///< every variant that was simulated and fits, in the order tried
    std::vector<SearchLeftOut> leftOut;
    Nanoseconds lowerBound = 0;         ///< of any schedule: all work spread evenly, or one microbatch there and back
    Nanoseconds oneChunkLowerBound = 0; ///< of those that keep each stage in one piece, under the limit
    int tried = 0;                      ///< variants that were simulated
    int skipped = 0;                    ///< variants beside a family's default that the budget of tasks left out
};

/// Uses the experiment's sizes, costs and memory; its schedules don't matter, and `memoryLimit` 0 means none.
/// Throws Cancelled, and Error for sizes or costs that no family can take.
SearchResult searchSchedules(const Experiment& experiment, const Progress& progress);

} // namespace bubblescope
