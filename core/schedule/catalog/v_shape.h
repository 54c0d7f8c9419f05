// What the families on a V share: device r of p holds stages r and 2p−1−r, so that the last stage stands
// where the first does.
//
//     device 0   stage 0   stage 2p−1
//     device 1     stage 1   stage 2p−2
//     …              ↘        ↗
//     device p−1       p−1   p

#pragma once

#include "core/schedule/building_block.h"
#include "core/schedule/catalog/common.h"

namespace bubblescope::catalog {

/// Places the stages of pipe 0.
inline void place(ScheduleBuilder& builder, const std::vector<Device>& homes)
{
    for (std::size_t stage = 0; stage < homes.size(); ++stage)
        builder.place(Pipe{}, Stage(stage), {homes[stage]});
}

/// Repeat; let W fill the gaps and reorder warm-up and drain; squeeze; then once more for the drain, W following
/// from what is left.
std::vector<std::vector<Task>> splitOrders(const BuildingBlock& block, int microbatches);

/// V-Half's tasks of every device in order. `barriers`: exchanges between the last forward and the first backward, each of
/// which takes a slot at least, and in the block a period.
std::vector<std::vector<Task>> halfOrders(int devices, int microbatches, int barriers = 0);

/// True when F, I and W take the same time on every stage and messages none.
inline bool equalAndFree(const Costs& costs)
{
    return uniformAndFree(costs) && meanCost(costs, Work::Forward) == meanCost(costs, Work::InputGradient) &&
           meanCost(costs, Work::Forward) == meanCost(costs, Work::WeightGradient);
}

/// ZB-V's greedy (zb_v.cpp) under a limit of p or more activations.
std::vector<std::vector<Task>> zeroBubbleGreedy(const RecipeRequest& request, double limit);

/// A synchronous step from every device's order.
inline Schedule synchronousStep(const RecipeRequest& request, const std::vector<Device>& homes,
                                const std::vector<std::vector<Task>>& orders)
{
    ScheduleBuilder builder(singlePipe(request));
    for (std::size_t device = 0; device < orders.size(); ++device)
        for (const Task& task : orders[device])
            builder.compute(Device(device), task);
    place(builder, homes);
    builder.endSynchronousStep();
    return builder.finish();
}

} // namespace bubblescope::catalog
