// The best lengths of slices: TeraPipe's dynamic programme (Li et al. 2021, section 3.3).
//
// Through P stages that take t₁ … t_K for the slices of everything that runs, the time is Σ t + (P−1) max t. For a bound
// on the longest slice, the sum is the shortest path over the tokens; the bound sweeps the distinct latencies,
//
//     f(b, n) = min over the last slice's length l of f(b, n−l) + t(b, l, n−l), t ≤ bound
//     g(B)    = min over the last group's size b   of g(B−b) + f(b, L)
//
// and ends when P · bound alone exceeds the best time. O(bounds × (B L² + B²)).

#pragma once

#include "core/base/progress.h"

#include <functional>
#include <vector>

namespace bubblescope {

struct SliceProblem {
    int length = 1;       ///< L, in whatever unit slices are made of
    int stages = 1;       ///< P
    int sequences = 1;    ///< B, of equal length
    int largestGroup = 1; ///< most sequences that run together; 1: each on its own

    /// Time of `group` sequences' slice of `length` behind `context` on one stage.
    std::function<double(int group, int length, int context)> latency;
};

struct SliceSizes {
    struct Group {
        int sequences = 1;
        std::vector<int> lengths; ///< in the order of the sequence
    };

    double time = 0;
    double slowest = 0; ///< latency of the slowest slice
    std::vector<Group> groups;
};

/// Bounds closer to each other than this share of the largest latency count as one.
inline constexpr double sliceBoundTolerance = 1e-7;

/// Of equal times the one with the smallest bound. Looks at `progress` between bounds.
SliceSizes bestSliceSizes(const SliceProblem& problem, const Progress& progress = {});

} // namespace bubblescope
