// The operations of a transformer between its matrix products, on row-major matrices.
//
// Templates instantiated for float, which runs, and double, with which the same code is checked by
// numeric differentiation. Nothing here allocates, keeps state or knows about microbatches.

#pragma once

#include "kernels/row_ops.h"

#include <cstddef>
#include <cstdint>

namespace bubblescope::cpu {

struct Extent {
    int rows;
    int columns;
};

/// out[r] = bias for every row.
template <class Real>
void spreadBias(Extent extent, const Real* bias, Real* out);

/// out[r] = in[r] + bias for every row; out may be in.
template <class Real>
void addBias(Extent extent, const Real* in, const Real* bias, Real* out);

/// sums[c] += Σ_r in[r][c], over the rows in ascending order.
template <class Real>
void addColumnSums(Extent extent, const Real* in, Real* sums);

/// onto[i] += in[i].
template <class Real>
void addTo(std::size_t count, const Real* in, Real* onto);

/// Scale and shift of a layer norm, one of each per column.
template <class Real>
struct NormParameters {
    const Real* scale;
    const Real* shift;
};

/// Layer norm of each row; statistics are kept for the backward.
template <class Real>
void normForward(Extent extent, const Real* x, NormParameters<Real> parameters, NormStatistics<Real>* statistics,
                 Real* y);

/// What the backward of a layer norm reads and where it leaves the sums for scale and shift.
template <class Real>
struct NormBackward {
    const Real* scale;
    const NormStatistics<Real>* statistics;
    const Real* outputGradient;
    const Real* residual; ///< added to the input's gradient; may be null
    Real* scaleGradient;  ///< overwritten by this microbatch's column sums
    Real* shiftGradient;
};

/// Overwrites x by the gradient of the norm's input (+ residual).
template <class Real>
void normBackward(Extent extent, const NormBackward<Real>& task, Real* x);

/// y = GELU(x).
template <class Real>
void geluForward(std::size_t count, const Real* x, Real* y);

/// Overwrites x by dy · GELU'(x).
template <class Real>
void geluBackward(std::size_t count, const Real* dy, Real* x);

/// Overwrites each row of logits by weight · its gradient; returns the mean cross-entropy of the rows.
template <class Real>
double crossEntropy(Extent extent, const std::int32_t* targets, Real weight, Real* logits);

/// out[t] = token row + position row; `extent.rows` is a multiple of the sequence's length.
template <class Real>
void embed(Extent extent, int sequence, const std::int32_t* tokens, const Real* tokenTable, const Real* positionTable,
           Real* out);

/// Adds each row to its token's and its position's row, in the order of the tokens.
template <class Real>
void embedBackward(Extent extent, int sequence, const std::int32_t* tokens, const Real* gradient, Real* tokenTable,
                   Real* positionTable);

/// Adds its position's row to each row of x.
template <class Real>
void addPositions(Extent extent, int sequence, const Real* positionTable, Real* x);

/// Adds each row to its position's row.
template <class Real>
void positionsBackward(Extent extent, int sequence, const Real* gradient, Real* positionTable);

/// value −= rate · gradient.
template <class Real>
void sgd(std::size_t count, Real rate, const Real* gradient, Real* value);

/// One step of SGD with momentum.
template <class Real>
void momentumSgd(std::size_t count, const MomentumStep<Real>& step, const Real* gradient, Real* value, Real* velocity);

/// One AdamW step; `first` and `second` are the running moments.
template <class Real>
void adamW(std::size_t count, const AdamStep<Real>& step, const Real* gradient, Real* value, Real* first, Real* second);

} // namespace bubblescope::cpu
