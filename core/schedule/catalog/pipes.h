// What bidirectional families share: several pipes over the same devices, each with all stages of the model.
//
//     pipe 0   device 0 → 1 → … → p−1        every stage has a home in each pipe, with weights of its own; at the
//     pipe 1   device p−1 → … → 1 → 0        end of a step its gradients are summed over the homes, then all update

#pragma once

#include "core/schedule/catalog/common.h"

#include <vector>

namespace bubblescope::catalog {

class PipesWriter {
public:
    /// `homes`: of every stage, for each pipe. Microbatches are dealt out in turn.
    PipesWriter(const RecipeRequest& request, std::vector<std::vector<Device>> homes);

    int microbatches(int pipe) const { return m_microbatches[static_cast<std::size_t>(pipe)]; }

    /// Appends to the lane of the stage's home in that pipe.
    ScheduleBuilder::Ref add(Work work, int pipe, int stage, int microbatch);

    void join(ScheduleBuilder::Ref first) { m_builder.join(first); }

    /// Per stage an all-reduce over its homes after their last B or W, then barrier and updates.
    Schedule finish();

private:
    std::vector<int> m_microbatches;
    ScheduleBuilder m_builder;
    std::vector<std::vector<Device>> m_homes;
    std::vector<std::vector<ScheduleBuilder::Ref>> m_last; ///< B or W of each stage, for each pipe
};

/// Homes of the stages when pipe 0 visits them as given and pipe 1 is its mirror image.
std::vector<std::vector<Device>> mirrored(const std::vector<Device>& homes, int devices);

/// A sentence for an odd number of devices.
std::vector<std::string> refuseOddDevices(const RecipeRequest& request, std::string_view title);

} // namespace bubblescope::catalog
