// A linear layer y = x W + b and its two backward halves, as one product each.

#pragma once

#include "kernels/cpu/gemm.h"
#include "kernels/cpu/ops.h"

namespace bubblescope::cpu {

struct LinearShape {
    int rows; ///< tokens
    int inputs;
    int outputs;
};

/// y += x W. The bias, and for a residual what y is added to, are put into y before.
template <class Real>
void linearForward(LinearShape shape, const Real* x, const Real* weight, Real* y)
{
    gemm(Factor<Real>{x, shape.inputs}, Factor<Real>{weight, shape.outputs}, shape.inputs, Onto::Target,
         Target<Real>{y, shape.rows, shape.outputs, shape.outputs});
}

/// dx = dy Wᵀ.
template <class Real>
void linearInputGradient(LinearShape shape, const Real* dy, const Real* weight, Real* dx)
{
    gemm(Factor<Real>{dy, shape.outputs}, Factor<Real>{weight, shape.outputs, true}, shape.outputs, Onto::Nothing,
         Target<Real>{dx, shape.rows, shape.inputs, shape.inputs});
}

/// dW += xᵀ dy, db += column sums of dy (unless null).
template <class Real>
void linearWeightGradient(LinearShape shape, const Real* x, const Real* dy, Real* weight, Real* bias)
{
    gemm(Factor<Real>{x, shape.inputs, true}, Factor<Real>{dy, shape.outputs}, shape.rows, Onto::Target,
         Target<Real>{weight, shape.inputs, shape.outputs, shape.outputs});
    if (bias)
        addColumnSums(Extent{shape.rows, shape.outputs}, dy, bias);
}

} // namespace bubblescope::cpu
