// The end of the model: final norm, head and cross-entropy.
//
// F forms the logits and overwrites them by their gradient at once, since the loss needs nothing
// else. Per token F keeps 2h + V + 2 elements (x, normalised x, gradient of the logits, statistics)
// and I leaves h + V, plus 2h per microbatch.

#pragma once

#include "core/execute/arena.h"
#include "kernels/cpu/parameters.h"

#include <cstdint>

namespace bubblescope::cpu {

struct HeadShape {
    int tokens;
    int hidden;
    int vocabulary;

    /// Elements of what lives from F to W.
    std::size_t kept() const { return static_cast<std::size_t>(tokens) * (hidden + vocabulary); }

    std::size_t statistics() const { return 2 * static_cast<std::size_t>(tokens); }

    std::size_t normGradients() const { return 2 * static_cast<std::size_t>(hidden); }

    std::size_t backwardWorkspace() const { return static_cast<std::size_t>(tokens) * hidden; }
};

struct HeadStash {
    Buffer input;         ///< x, until I turns it into dx
    Buffer kept;          ///< normalised x, d(logits)
    Buffer statistics;    ///< until I
    Buffer normGradients; ///< from I
};

/// The head's tensors inside a set.
template <class Element>
struct HeadSet {
    Element* scale;
    Element* shift;
    Element* weight;
};

/// F: returns the mean loss of the microbatch; the gradients are those of weight · loss.
template <class Real>
double headForward(const HeadShape& shape, HeadSet<const Real> weights, HeadStash& stash, const std::int32_t* targets,
                   Real weight, Arena& arena);

/// I: returns the gradient of the head's input.
template <class Real>
Buffer headInputGradient(const HeadShape& shape, HeadSet<const Real> weights, HeadStash& stash, Arena& arena);

/// W: adds to the gradients and empties the stash.
template <class Real>
void headWeightGradient(const HeadShape& shape, HeadStash& stash, HeadSet<Real> gradients);

} // namespace bubblescope::cpu
