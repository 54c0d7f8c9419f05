// Per sequence and head: S = Q Kᵀ, P = softmax(scale·S) below the diagonal, O = P V; and back:
//
//     dV = Pᵀ dO     dP = dO Vᵀ     dS = scale · P (dP − rowsum(dO O))     dQ = dS K     dK = dSᵀ Q

#include "kernels/cpu/attention.h"

#include "kernels/cpu/gemm.h"
#include "kernels/cpu/wide.h"
#include "kernels/row_ops.h"

#include <algorithm>
#include <cmath>

namespace bubblescope::cpu {
namespace {

/// Softmax of each row's first r + 1 scores; zero to the right of them.
template <class Real>
BUBBLESCOPE_CLONES void causalSoftmax(int sequence, Real scale, Real* scores, Real* logSumExp)
{
    for (int r = 0; r < sequence; ++r) {
        Real* row = scores + static_cast<std::ptrdiff_t>(r) * sequence;
        logSumExp[r] = softmaxRow(Wide<Real>(), scale, row, r + 1);
        std::fill(row + r + 1, row + sequence, Real(0));
    }
}

template <class Real>
BUBBLESCOPE_CLONES void causalSoftmaxAgain(int sequence, Real scale, const Real* logSumExp, Real* scores)
{
    for (int r = 0; r < sequence; ++r) {
        Real* row = scores + static_cast<std::ptrdiff_t>(r) * sequence;
        softmaxAgainRow(Wide<Real>(), scale, logSumExp[r], row, r + 1);
        std::fill(row + r + 1, row + sequence, Real(0));
    }
}

/// One head's columns inside a wider matrix.
template <class Real>
struct HeadView {
    Real* data;
    int stride;

    Real* row(int index) const { return data + static_cast<std::ptrdiff_t>(index) * stride; }
};

/// Overwrites dP by dS = scale · P (dP − rowsum(dO O)).
template <class Real>
BUBBLESCOPE_CLONES void softmaxGradient(const AttentionShape& shape, HeadView<const Real> out,
                                        HeadView<const Real> dOut, const Real* probabilities, Real* gradient)
{
    const Real scale = Real(1) / std::sqrt(Real(shape.headSize));
    for (int r = 0; r < shape.sequence; ++r) {
        const Real* o = out.row(r);
        const Real* d = dOut.row(r);
        const Real dot = Wide<Real>().sum(shape.headSize, [=](int i) { return o[i] * d[i]; });
        const Real* p = probabilities + static_cast<std::ptrdiff_t>(r) * shape.sequence;
        Real* g = gradient + static_cast<std::ptrdiff_t>(r) * shape.sequence;
        Wide<Real>().each(r + 1, [=](int i) { g[i] = scale * p[i] * (g[i] - dot); });
        std::fill(g + r + 1, g + shape.sequence, Real(0));
    }
}

template <class Real>
void copyRows(const AttentionShape& shape, const Real* from, HeadView<Real> to)
{
    for (int r = 0; r < shape.sequence; ++r)
        std::copy_n(from + static_cast<std::ptrdiff_t>(r) * shape.headSize, shape.headSize, to.row(r));
}

/// Where the columns of (sequence b, head a) start.
struct HeadOffset {
    std::ptrdiff_t inQkv;
    std::ptrdiff_t inOut;
    std::ptrdiff_t inLogSumExp;

    HeadOffset(const AttentionShape& shape, int b, int a)
        : inQkv(static_cast<std::ptrdiff_t>(b) * shape.sequence * 3 * shape.hidden() +
                std::ptrdiff_t{a} * shape.headSize)
        , inOut(static_cast<std::ptrdiff_t>(b) * shape.sequence * shape.hidden() + std::ptrdiff_t{a} * shape.headSize)
        , inLogSumExp((static_cast<std::ptrdiff_t>(b) * shape.heads + a) * shape.sequence)
    {
    }
};

template <class Real>
void headBackward(const AttentionShape& shape, const AttentionBackward<Real>& task, HeadOffset at, Real* qkv,
                  Real* scratch)
{
    const int s = shape.sequence;
    const int d = shape.headSize;
    const int h = shape.hidden();
    const HeadView<Real> q{qkv + at.inQkv, 3 * h};
    const HeadView<Real> k{q.data + h, 3 * h};
    const HeadView<Real> v{q.data + 2 * h, 3 * h};
    const Real* dOut = task.outputGradient + at.inOut;

    const auto square = static_cast<std::ptrdiff_t>(s) * s;
    const auto strip = static_cast<std::ptrdiff_t>(s) * d;
    Real* p = scratch;
    Real* dS = p + square;
    Real* dQ = dS + square;
    Real* dK = dQ + strip;
    Real* dV = dK + strip;

    gemm(Factor<Real>{q.data, 3 * h}, Factor<Real>{k.data, 3 * h, true}, d, Onto::Nothing, Target<Real>{p, s, s, s});
    causalSoftmaxAgain(s, Real(1) / std::sqrt(Real(d)), task.logSumExp + at.inLogSumExp, p);
    gemm(Factor<Real>{p, s, true}, Factor<Real>{dOut, h}, s, Onto::Nothing, Target<Real>{dV, s, d, d});
    gemm(Factor<Real>{dOut, h}, Factor<Real>{v.data, 3 * h, true}, d, Onto::Nothing, Target<Real>{dS, s, s, s});
    softmaxGradient<Real>(shape, {task.out + at.inOut, h}, {dOut, h}, p, dS);
    gemm(Factor<Real>{dS, s}, Factor<Real>{k.data, 3 * h}, s, Onto::Nothing, Target<Real>{dQ, s, d, d});
    gemm(Factor<Real>{dS, s, true}, Factor<Real>{q.data, 3 * h}, s, Onto::Nothing, Target<Real>{dK, s, d, d});

    copyRows(shape, dQ, q); // only now: the products above still read queries, keys and values
    copyRows(shape, dK, k);
    copyRows(shape, dV, v);
}

} // namespace

template <class Real>
void attentionForward(const AttentionShape& shape, const Real* qkv, Real* out, Real* logSumExp, Real* scratch)
{
    const int s = shape.sequence;
    const int d = shape.headSize;
    const int h = shape.hidden();
    for (int b = 0; b < shape.batch; ++b) {
        for (int a = 0; a < shape.heads; ++a) {
            const HeadOffset at(shape, b, a);
            const Real* q = qkv + at.inQkv;
            gemm(Factor<Real>{q, 3 * h}, Factor<Real>{q + h, 3 * h, true}, d, Onto::Nothing,
                 Target<Real>{scratch, s, s, s});
            causalSoftmax(s, Real(1) / std::sqrt(Real(d)), scratch, logSumExp + at.inLogSumExp);
            gemm(Factor<Real>{scratch, s}, Factor<Real>{q + 2 * h, 3 * h}, s, Onto::Nothing,
                 Target<Real>{out + at.inOut, s, d, h});
        }
    }
}

template <class Real>
void attentionBackward(const AttentionShape& shape, const AttentionBackward<Real>& task, Real* qkv, Real* scratch)
{
    for (int b = 0; b < shape.batch; ++b)
        for (int a = 0; a < shape.heads; ++a)
            headBackward(shape, task, HeadOffset(shape, b, a), qkv, scratch);
}

template void attentionForward<float>(const AttentionShape&, const float*, float*, float*, float*);
template void attentionForward<double>(const AttentionShape&, const double*, double*, double*, double*);
template void attentionBackward<float>(const AttentionShape&, const AttentionBackward<float>&, float*, float*);
template void attentionBackward<double>(const AttentionShape&, const AttentionBackward<double>&, double*, double*);

} // namespace bubblescope::cpu
