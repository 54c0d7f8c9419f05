// The experiment that is being edited: what the form, the partition bar and the undo stack work on.
//
// An Experiment has one number of chunks; two schedules side by side may need different ones, and then
// a partition fits only one of them. A Draft keeps them apart and makes the Experiment of each. A schedule
// may also have an order by hand, which then stands in the place of its family's.

#pragma once

#include "core/custom_order.h"
#include "core/partition/partition.h"

#include <array>

namespace bubblescope::viz {

inline constexpr int draftSlots = 2; ///< A and B

struct Draft {
    Experiment common; ///< all but schedules and chunks; partition and speeds are of A's stages
    std::array<RecipeSpec, draftSlots> schedule;
    std::array<int, draftSlots> chunks{0, 0};     ///< 0: what the recipe needs
    std::vector<int> ownPartition;                ///< of B, where it has another number of stages than A
    std::array<CustomOrderPtr, draftSlots> order; ///< null: the family's own

    /// Chunks that a schedule is planned with.
    int chunksOf(int slot) const;

    /// Virtual stages of a schedule.
    int virtualStages(int slot) const;

    /// B is divided like A where it has as many stages; otherwise it has a partition of its own.
    bool partitionShared() const { return virtualStages(0) == virtualStages(1); }

    /// What is predicted, executed and stored for one schedule. A partition that doesn't have the schedule's number of
    /// stages is left out (an even one is used); speeds go with the part of the model that they are of.
    Experiment experimentFor(int slot) const;

    /// Layers of each stage, even where none was set.
    std::vector<int> partition(int slot = 0) const;

    void setPartition(int slot, const std::vector<int>& layers);

    /// Another family or another number of chunks. A partition that doesn't fit any more is dropped; B's stays what it
    /// was. An order by hand goes.
    void setSchedule(int slot, const RecipeSpec& spec, int chunksWanted);

    /// Speed of each of A's stages; 1 where none was set.
    std::vector<double> speeds() const;

    /// Cost of a layer relative to a plain one; the embedding counts to the first and the head to the last.
    std::vector<double> layerCosts() const { return bubblescope::layerCosts(common.model); }
};

/// 1F1B beside ZB-H1 on four devices, 24 layers.
Draft firstDraft();

/// The draft that a stored experiment came from; the second schedule may be empty. Of an order by hand it has the
/// family.
Draft draftOf(const Experiment& experiment, const std::string& recipeA, const std::string& recipeB);

} // namespace bubblescope::viz
