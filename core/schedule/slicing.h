// How the microbatches of a step are cut along the sequence into slices.
//
//     one cut for all    |   0   |  1  | 2 |             later slices see more context, so they may be shorter
//     a cut for each     |  0  |  1  | 2 |   |0|0|0|     a long sequence in slices; short ones share one slice
//
// The work of a slice of l tokens behind c others of its sequence is overhead + l + attention · l (2c + l), with
// l and c in units of `whole`. Without overhead, slices cost together what their sequence costs in one piece.

#pragma once

#include <cstddef>
#include <vector>

namespace bubblescope {

/// One microbatch.
struct SliceCut {
    std::vector<int> lengths;        ///< of slices 0, 1 … in the order of the sequence
    std::vector<int> sequences = {}; ///< lengths of the sequences that share the only slice; empty: one sequence
};

struct Slicing {
    std::vector<SliceCut> cuts; ///< by microbatch of the step; a single one stands for all; none: nothing is cut
    bool tokens = false;        ///< lengths are tokens; otherwise they are scaled to the sequences of the model
    double whole = 1;           ///< the length that `attention` and `overhead` speak of
    double attention = 0;       ///< of a whole sequence, relative to its other work
    double overhead = 0;        ///< of each slice, relative to a whole sequence without attention
    double workOfOne = 1;       ///< work that costs what a microbatch's duration says
    std::vector<double> offloaded =
        {}; ///< by slice of the single cut: part of its activations that o and h move; empty: all

    double offloadedPart(std::size_t slice) const { return slice < offloaded.size() ? offloaded[slice] : 1; }

    bool empty() const { return cuts.empty(); }

    const SliceCut& cut(int microbatch) const { return cuts[static_cast<std::size_t>(microbatch) % cuts.size()]; }
};

/// The work of every slice of a cut.
std::vector<double> sliceWork(const Slicing& slicing, const SliceCut& cut);

/// First token of every slice, and the end, in a sequence of `tokens`: lengths that aren't tokens are scaled, and
/// rounded to the nearest token.
std::vector<int> sliceBounds(const Slicing& slicing, const SliceCut& cut, int tokens);

/// The same microbatches, none of them cut: what one device computes without a pipeline.
Slicing uncut(const Slicing& slicing);

} // namespace bubblescope
