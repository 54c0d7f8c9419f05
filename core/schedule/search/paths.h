// SkipPipe's search: which stages each microbatch visits, on which node and when, without collisions.
//
//     node 0  F0 F1 F2 …        B0 B1 …     stage 0, visited by all
//     node 1     F0    F2    B0 …           stage 1: microbatch 1 skips it
//     node 2        F1    B1 …              stage 2: microbatches 0 and 2 skip it
//
// Constraints (schedules.md 8.3): every path starts on the first stage and ends on the last one (C1),
// has the given length and no stage twice (C2), no node takes more microbatches than its memory holds
// (C3), so no stage more than all its nodes do (C4), two visits of a node don't overlap in time (C5),
// a visit follows the one before it on the path by the transfer between the nodes (C6), and the backward
// returns along the same nodes (C7).
//
// The paper resolves conflicts by a best-first search over constraints, which is exponential. Here paths
// are planned one after another around what is reserved already, so that no conflict comes up; then some
// paths, the last to end among them, are taken out and planned anew as long as that helps (large
// neighbourhood search). The result is feasible at any moment and grows better with time.

#pragma once

#include "core/base/progress.h"
#include "core/schedule/task.h"

#include <cstdint>
#include <string>
#include <vector>

namespace bubblescope {

struct PathProblem {
    std::vector<int> nodes;            ///< nodes of each stage; they are numbered on from stage to stage
    std::vector<Nanoseconds> forward;  ///< by stage
    std::vector<Nanoseconds> backward; ///< by stage
    std::vector<Nanoseconds> delay;    ///< node × node, or empty: transfers take no time
    int microbatches = 1;
    int length = 1;           ///< stages of a path
    int memory = 0;           ///< most microbatches of a node; 0: any number
    bool swaps = false;       ///< two neighbours on a path may change places
    bool drawsStages = false; ///< the stages are drawn at random instead of searched: what to compare with
    std::uint64_t seed = 1;
    int rounds = 64; ///< of taking paths out and planning them anew

    int nodeCount() const;
};

struct PathVisit {
    int stage = 0;
    int node = 0;
    Nanoseconds forward = 0;  ///< start
    Nanoseconds backward = 0; ///< start
};

struct PathPlan {
    std::vector<std::vector<PathVisit>> paths; ///< by microbatch, in the order of their first forwards
    Nanoseconds finish = 0;                    ///< of the last backward
    Nanoseconds firstFinish = 0;               ///< the same before anything was planned anew
};

/// Why no plan can exist, with the nearest numbers for which one does; empty when one does.
std::vector<std::string> pathProblems(const PathProblem& problem);

/// `problem` is one without pathProblems(). Throws Cancelled.
PathPlan findPaths(const PathProblem& problem, const Progress& progress);

} // namespace bubblescope
