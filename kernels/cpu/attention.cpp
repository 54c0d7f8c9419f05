// Per sequence and head: S = Q Kᵀ, P = softmax(scale·S) below the diagonal, O = P V; and back:
//
//     dV = Pᵀ dO     dP = dO Vᵀ     dS = scale · P (dP − rowsum(dO O))     dQ = dS K     dK = dSᵀ Q

#include "kernels/cpu/attention.h"

#include "kernels/cpu/gemm.h"
#include "kernels/cpu/ops.h"
#include "kernels/cpu/wide.h"
#include "kernels/row_ops.h"

#include <algorithm>
#include <cmath>

namespace bubblescope::cpu {
namespace {

/// Softmax of what each row may see: the whole context and its own first r + 1 scores; zero to the right of them.
template <class Real>
BUBBLESCOPE_CLONES void causalSoftmax(Extent extent, Real scale, Real* scores, Real* logSumExp)
{
    const int context = extent.columns - extent.rows;
    for (int r = 0; r < extent.rows; ++r) {
        Real* row = scores + static_cast<std::ptrdiff_t>(r) * extent.columns;
        logSumExp[r] = softmaxRow(Wide<Real>(), scale, row, context + r + 1);
        std::fill(row + context + r + 1, row + extent.columns, Real(0));
    }
}

template <class Real>
BUBBLESCOPE_CLONES void causalSoftmaxAgain(Extent extent, Real scale, const Real* logSumExp, Real* scores)
{
    const int context = extent.columns - extent.rows;
    for (int r = 0; r < extent.rows; ++r) {
        Real* row = scores + static_cast<std::ptrdiff_t>(r) * extent.columns;
        softmaxAgainRow(Wide<Real>(), scale, logSumExp[r], row, context + r + 1);
        std::fill(row + context + r + 1, row + extent.columns, Real(0));
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
BUBBLESCOPE_CLONES void softmaxGradient(Extent extent, int headSize, HeadView<const Real> out,
                                        HeadView<const Real> dOut, const Real* probabilities, Real* gradient)
{
    const Real scale = Real(1) / std::sqrt(Real(headSize));
    const int context = extent.columns - extent.rows;
    for (int r = 0; r < extent.rows; ++r) {
        const Real* o = out.row(r);
        const Real* d = dOut.row(r);
        const Real dot = Wide<Real>().sum(headSize, [=](int i) { return o[i] * d[i]; });
        const Real* p = probabilities + static_cast<std::ptrdiff_t>(r) * extent.columns;
        Real* g = gradient + static_cast<std::ptrdiff_t>(r) * extent.columns;
        Wide<Real>().each(context + r + 1, [=](int i) { g[i] = scale * p[i] * (g[i] - dot); });
        std::fill(g + context + r + 1, g + extent.columns, Real(0));
    }
}

template <class Real>
void copyRows(Extent extent, const Real* from, HeadView<Real> to)
{
    for (int r = 0; r < extent.rows; ++r)
        std::copy_n(from + static_cast<std::ptrdiff_t>(r) * extent.columns, extent.columns, to.row(r));
}

/// One head of one sequence: where its rows and columns start, and how many rows there are.
struct Head {
    int rows;
    std::ptrdiff_t inQkv;
    std::ptrdiff_t inOut;
    std::ptrdiff_t inLogSumExp;
    int batchRow;
    std::ptrdiff_t column;

    Head(const AttentionShape& shape, int b, int a, int first, int length)
        : rows(length)
        , inQkv((static_cast<std::ptrdiff_t>(b) * shape.sequence + first) * 3 * shape.hidden() +
                std::ptrdiff_t{a} * shape.headSize)
        , inOut((static_cast<std::ptrdiff_t>(b) * shape.sequence + first) * shape.hidden() +
                std::ptrdiff_t{a} * shape.headSize)
        , inLogSumExp((static_cast<std::ptrdiff_t>(b) * shape.heads + a) * shape.sequence + first)
        , batchRow(b)
        , column(std::ptrdiff_t{a} * shape.headSize)
    {
    }
};

template <class Visitor>
void forEachHead(const AttentionShape& shape, Visitor&& visit)
{
    const std::span<const int> sequences = shape.packed.empty() ? std::span(&shape.sequence, 1) : shape.packed;
    for (int b = 0; b < shape.batch; ++b)
        for (int a = 0; a < shape.heads; ++a) {
            int first = 0;
            for (const int length : sequences) {
                visit(Head(shape, b, a, first, length));
                first += length;
            }
        }
}

/// Keys and values that a head attends to, one slice after the other, its own last.
template <class Real>
struct Attended {
    int tokens;
    int firstColumn; ///< of the scores
    HeadView<const Real> keys;
    HeadView<const Real> values;
    HeadView<Real> keyGradients;
    HeadView<Real> valueGradients;
};

/// Calls visit(Attended) for the earlier slices of a head.
template <class Real, class Visitor>
void forEachEarlier(const AttentionShape& shape, const Head& head, std::span<const EarlierSlice<Real>> earlier,
                    Visitor&& visit)
{
    const int h = shape.hidden();
    int column = 0;
    for (const EarlierSlice<Real>& slice : earlier) {
        const std::ptrdiff_t rows = static_cast<std::ptrdiff_t>(head.batchRow) * slice.tokens;
        const std::ptrdiff_t at = rows * slice.stride + head.column;
        Real* gradients = slice.gradients ? slice.gradients + rows * 2 * h + head.column : nullptr;
        visit(Attended<Real>{slice.tokens,
                             column,
                             {slice.keys + at, slice.stride},
                             {slice.values + at, slice.stride},
                             {gradients, 2 * h},
                             {gradients ? gradients + h : nullptr, 2 * h}});
        column += slice.tokens;
    }
}

/// `left` · keysᵀ (or valuesᵀ) of all attended tokens: rows × (context + own) scores.
template <class Real>
void productWithAll(const Extent& extent, Factor<Real> left, int inner, const Attended<Real>& slice,
                    HeadView<const Real> right, Real* scores)
{
    gemm(left, Factor<Real>{right.data, right.stride, true}, inner, Onto::Nothing,
         Target<Real>{scores + slice.firstColumn, extent.rows, slice.tokens, extent.columns});
}

/// Where the forward writes, for all heads.
template <class Real>
struct ForwardResult {
    Real* scores;
    Real* logSumExp;
    Real* out;
};

template <class Real>
void headForward(const AttentionShape& shape, const Head& head, std::span<const EarlierSlice<Real>> earlier,
                 const Real* qkv, const ForwardResult<Real>& result)
{
    Real* const scores = result.scores;
    const int d = shape.headSize;
    const int h = shape.hidden();
    const Real* q = qkv + head.inQkv;
    const Extent extent{head.rows, shape.context + head.rows};
    const Attended<Real> own{head.rows, shape.context, {q + h, 3 * h}, {q + 2 * h, 3 * h}, {}, {}};
    const Factor<Real> queries{q, 3 * h};
    forEachEarlier(shape, head, earlier,
                   [&](const Attended<Real>& slice) { productWithAll(extent, queries, d, slice, slice.keys, scores); });
    productWithAll(extent, queries, d, own, own.keys, scores);
    causalSoftmax(extent, Real(1) / std::sqrt(Real(d)), scores, result.logSumExp + head.inLogSumExp);
    Onto onto = Onto::Nothing;
    const auto weigh = [&](const Attended<Real>& slice) {
        gemm(Factor<Real>{scores + slice.firstColumn, extent.columns},
             Factor<Real>{slice.values.data, slice.values.stride}, slice.tokens, onto,
             Target<Real>{result.out + head.inOut, head.rows, d, h});
        onto = Onto::Target;
    };
    forEachEarlier(shape, head, earlier, weigh);
    weigh(own);
}

template <class Real>
void headBackward(const AttentionShape& shape, const Head& head, std::span<const EarlierSlice<Real>> earlier,
                  const AttentionBackward<Real>& task, Real* qkv, Real* scratch)
{
    const int d = shape.headSize;
    const int h = shape.hidden();
    const Extent extent{head.rows, shape.context + head.rows};
    const HeadView<Real> q{qkv + head.inQkv, 3 * h};
    const HeadView<Real> k{q.data + h, 3 * h};
    const HeadView<Real> v{q.data + 2 * h, 3 * h};
    const Real* dOut = task.outputGradient + head.inOut;

    const auto square = static_cast<std::ptrdiff_t>(extent.rows) * extent.columns;
    const auto strip = static_cast<std::ptrdiff_t>(extent.rows) * d;
    Real* p = scratch;
    Real* dS = p + square;
    Real* dQ = dS + square;
    Real* dK = dQ + strip;
    Real* dV = dK + strip;
    const Attended<Real> own{head.rows, shape.context, {k.data, k.stride}, {v.data, v.stride}, {dK, d}, {dV, d}};

    const auto scores = [&](const Attended<Real>& slice) {
        productWithAll(extent, Factor<Real>{q.data, q.stride}, d, slice, slice.keys, p);
    };
    const auto probabilities = [&](const Attended<Real>& slice) {
        productWithAll(extent, Factor<Real>{dOut, h}, d, slice, slice.values, dS);
    };
    Onto onto = Onto::Nothing;
    const auto queryGradient = [&](const Attended<Real>& slice) {
        gemm(Factor<Real>{dS + slice.firstColumn, extent.columns}, Factor<Real>{slice.keys.data, slice.keys.stride},
             slice.tokens, onto, Target<Real>{dQ, extent.rows, d, d});
        onto = Onto::Target;
    };
    const auto gradients = [&](const Attended<Real>& slice, Onto add) {
        gemm(Factor<Real>{p + slice.firstColumn, extent.columns, true}, Factor<Real>{dOut, h}, extent.rows, add,
             Target<Real>{slice.valueGradients.data, slice.tokens, d, slice.valueGradients.stride});
        gemm(Factor<Real>{dS + slice.firstColumn, extent.columns, true}, Factor<Real>{q.data, q.stride}, extent.rows,
             add, Target<Real>{slice.keyGradients.data, slice.tokens, d, slice.keyGradients.stride});
    };
    forEachEarlier(shape, head, earlier, scores);
    scores(own);
    causalSoftmaxAgain(extent, Real(1) / std::sqrt(Real(d)), task.logSumExp + head.inLogSumExp, p);
    forEachEarlier(shape, head, earlier, probabilities);
    probabilities(own);
    softmaxGradient<Real>(extent, d, {task.out + head.inOut, h}, {dOut, h}, p, dS);
    forEachEarlier(shape, head, earlier, queryGradient);
    queryGradient(own);
    forEachEarlier(shape, head, earlier, [&](const Attended<Real>& slice) { gradients(slice, Onto::Target); });
    gradients(own, Onto::Nothing);

    const Extent rows{extent.rows, d};
    copyRows(rows, dQ, q); // only now: the products above still read queries, keys and values
    copyRows(rows, dK, k);
    copyRows(rows, dV, v);
}

} // namespace

template <class Real>
void attentionForward(const AttentionShape& shape, const Real* qkv, Real* out, Real* logSumExp, Real* scratch,
                      std::span<const EarlierSlice<Real>> earlier)
{
    const ForwardResult<Real> result{scratch, logSumExp, out};
    forEachHead(shape, [&](const Head& head) { headForward(shape, head, earlier, qkv, result); });
}

template <class Real>
void attentionBackward(const AttentionShape& shape, const AttentionBackward<Real>& task, Real* qkv, Real* scratch,
                       std::span<const EarlierSlice<Real>> earlier)
{
    forEachHead(shape, [&](const Head& head) { headBackward(shape, head, earlier, task, qkv, scratch); });
}

// NOLINTBEGIN(bugprone-macro-parentheses): Real is a type
#define BUBBLESCOPE_INSTANTIATE(Real)                                                                                  \
    template void attentionForward<Real>(const AttentionShape&, const Real*, Real*, Real*, Real*,                      \
                                         std::span<const EarlierSlice<Real>>);                                         \
    template void attentionBackward<Real>(const AttentionShape&, const AttentionBackward<Real>&, Real*, Real*,         \
                                          std::span<const EarlierSlice<Real>>);

BUBBLESCOPE_INSTANTIATE(float)
BUBBLESCOPE_INSTANTIATE(double)

#undef BUBBLESCOPE_INSTANTIATE
// NOLINTEND(bugprone-macro-parentheses)

} // namespace bubblescope::cpu
