// The experiment that is being edited: what the form, the partition bar and the undo stack work on.
//
// An Experiment has one number of chunks; two schedules side by side may need different ones, and then
// a partition fits only one of them. A Draft keeps them apart and makes the Experiment of each.

#pragma once

#include "core/experiment.h"

#include <array>

namespace bubblescope::viz {

inline constexpr int draftSlots = 2; ///< A and B

struct Draft {
    Experiment common; ///< all but schedules and chunks; the partition is of schedule A
    std::array<RecipeSpec, draftSlots> schedule;
    std::array<int, draftSlots> chunks{0, 0}; ///< 0: what the recipe needs

    /// Chunks that a schedule is planned with.
    int chunksOf(int slot) const;

    /// Virtual stages of a schedule.
    int virtualStages(int slot) const { return common.stages * chunksOf(slot); }

    /// What is predicted, executed and stored for one schedule. The partition is left out (an even one is
    /// used) where it doesn't have the schedule's number of stages.
    Experiment experimentFor(int slot) const;

    /// Layers of each stage of A, even where none was set.
    std::vector<int> partition() const;

    /// Cost of a layer relative to a plain one; the embedding counts to the first and the head to the last.
    std::vector<double> layerCosts() const;
};

/// 1F1B beside ZB-H1 on four devices, 24 layers.
Draft firstDraft();

/// The draft that a stored experiment came from; the second schedule may be empty.
Draft draftOf(const Experiment& experiment, const std::string& recipeA, const std::string& recipeB);

/// A partition with the cheapest slowest stage (ties: as even as possible).
std::vector<int> balancedPartition(const std::vector<double>& layerCosts, int stages);

} // namespace bubblescope::viz
