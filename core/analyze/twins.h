// The twins of a simulation: the same orders, each with one more piece of reality (ir.md 3.1).
//
//     0  equal stages, nothing else     warmup, drain, dependency
//     1  release times                  arrival
//     2  real costs                     imbalance
//     3  transfers                      communication
//     4  groups and collectives         synchronisation
//     5  copies                         memory
//     6  measured: each task's own      jitter
//
// A level that adds nothing is left out, so that equal stages without communication need one simulation.

#pragma once

#include "core/analyze/idle.h"

#include <vector>

namespace bubblescope {

struct Twin {
    IdleCause cause = IdleCause::Warmup; ///< of what it adds; level 0 stands for warmup, drain and dependency
    Costs costs;
    SimulateOptions options;
};

/// In the order of levels. The last twin of a prediction is the prediction itself.
std::vector<Twin> makeTwins(const Schedule& schedule, const Costs& costs, const Timing& timing, bool measured);

} // namespace bubblescope
