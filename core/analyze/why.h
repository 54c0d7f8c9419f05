// One idle gap explained to a person: cause, what it waits for, who is late, what there is to gain.

#pragma once

#include "core/analyze/wait_graph.h"
#include "core/simulate/memory.h"

#include <string>
#include <vector>

namespace bubblescope {

struct Why {
    IdleCause cause = IdleCause::Dependency; ///< the largest part of the gap
    std::vector<ChainTile> chain;            ///< from the end of the gap back to its start
    ChainTile waitsFor;                      ///< first tile of the chain
    Device late{};                           ///< the device with most tile time
    Nanoseconds lateTime = 0;                ///< how much of the gap that device covers
    Nanoseconds slack = 0;                   ///< of the task that follows: how much later it could have started
};

/// Flags the gaps in which a later forward of the lane was ready, but with it the device would have held more than
/// `limit` activations. The order decided so, not the clock: a remark beside the causes, not one of them.
void markHeldBack(const Schedule& schedule, const WaitGraph& graph, const ActivationDeltas& deltas, double limit,
                  IdleReport& report);

/// `slack` is what graph.slack() gave: it is asked for once, gaps often.
Why why(const Schedule& schedule, const WaitGraph& graph, const std::vector<Nanoseconds>& slack, const Gap& gap);

/// Full sentences, one a line: for the inspector and for `report`.
std::string whyText(const Schedule& schedule, const Why& why, const Gap& gap);

/// Both at once, for a single gap.
std::string whyText(const Schedule& schedule, const Costs& costs, const Timing& timing, const Gap& gap);

} // namespace bubblescope
