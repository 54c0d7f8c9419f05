// The optimizer's global condition: gradients are clipped by their norm over all stages, and a step whose norm
// isn't finite is skipped.
//
//     barrier           y: every device writes down its stages' squares │ all meet │ U scales by the norm of all
//     post-validation   k down: the stage's squares; U scales by the norm of the stages up to here, at once
//                       k up: the norm of all is known; updates that had scaled by another one are taken back
//
// Squares are added in double and in the order of the homes, so both ways find the same factor, bit by bit. Replicas
// share the work of their stage's squares as they share that of its sum. What one stage writes others read after a
// message or a meeting that comes behind it in the schedule: nothing here needs a lock.

#pragma once

#include "core/execute/arena.h"

#include <cstddef>
#include <vector>

namespace bubblescope {

/// What the condition has done in a run.
struct ClipCounts {
    int clipped = 0;   ///< steps with scaled gradients
    int skipped = 0;   ///< steps without an update: the norm wasn't finite
    int rollbacks = 0; ///< steps of which updates were taken back and made again
};

/// Of the floats [from, to) of a buffer, in double.
double sumOfSquares(const Buffer& buffer, std::size_t from, std::size_t to);

class GradientNorm {
public:
    /// Most that the norm may be; 0: there is no condition. `homes`: of all stages (replicas.h).
    GradientNorm(double limit, std::size_t homes) : m_limit(limit), m_squares(homes, 0) {}

    bool limited() const { return m_limit > 0; }

    /// Sum of the squares of what the home has of this step's gradients.
    void set(std::size_t home, double squares) { m_squares[home] = squares; }

    /// What gradients are multiplied with, by the norm over the first `homes` homes: 1 within the limit, 0 for a step
    /// that is skipped.
    float factor(std::size_t homes) const;

    float factor() const { return factor(m_squares.size()); }

    /// True when an update by the norm up to its own stage isn't what the norm over all wants.
    bool disagrees() const;

    /// Called once per step, always from the same lane.
    void count(bool rollback);

    const ClipCounts& counts() const { return m_counts; }

private:
    float factorFor(double squares) const;

    double m_limit;
    std::vector<double> m_squares; ///< by home
    ClipCounts m_counts;
};

} // namespace bubblescope
