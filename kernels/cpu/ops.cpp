// Rows of kernels/row_ops.h walked one after the other.

#include "kernels/cpu/ops.h"

#include "kernels/cpu/wide.h"

#include <algorithm>

namespace bubblescope::cpu {
namespace {

template <class Real>
Real* row(Real* matrix, int index, int columns)
{
    return matrix + static_cast<std::ptrdiff_t>(index) * columns;
}

} // namespace

template <class Real>
void spreadBias(Extent extent, const Real* bias, Real* out)
{
    for (int r = 0; r < extent.rows; ++r)
        std::copy_n(bias, extent.columns, row(out, r, extent.columns));
}

template <class Real>
BUBBLESCOPE_CLONES void addBias(Extent extent, const Real* in, const Real* bias, Real* out)
{
    for (int r = 0; r < extent.rows; ++r) {
        const Real* from = row(in, r, extent.columns);
        Real* to = row(out, r, extent.columns);
        Wide<Real>().each(extent.columns, [=](int c) { to[c] = from[c] + bias[c]; });
    }
}

template <class Real>
BUBBLESCOPE_CLONES void addColumnSums(Extent extent, const Real* in, Real* sums)
{
    const int columns = extent.columns;
    int r = 0;
    for (; r + 4 <= extent.rows; r += 4) { // four rows at a time: the sums are read and written less often
        const Real* a = row(in, r, columns);
        const Real* b = row(in, r + 1, columns);
        const Real* c = row(in, r + 2, columns);
        const Real* d = row(in, r + 3, columns);
        Wide<Real>().each(columns, [=](int i) { sums[i] += (a[i] + b[i]) + (c[i] + d[i]); });
    }
    for (; r < extent.rows; ++r) {
        const Real* a = row(in, r, columns);
        Wide<Real>().each(columns, [=](int i) { sums[i] += a[i]; });
    }
}

template <class Real>
void addTo(std::size_t count, const Real* in, Real* onto)
{
    for (std::size_t i = 0; i < count; ++i)
        onto[i] += in[i];
}

template <class Real>
BUBBLESCOPE_CLONES void normForward(Extent extent, const Real* x, NormParameters<Real> parameters,
                                    NormStatistics<Real>* statistics, Real* y)
{
    const int columns = extent.columns;
    for (int r = 0; r < extent.rows; ++r)
        statistics[r] = normForwardRow(Wide<Real>(), row(x, r, columns), parameters.scale, parameters.shift,
                                       row(y, r, columns), columns);
}

template <class Real>
BUBBLESCOPE_CLONES void normBackward(Extent extent, const NormBackward<Real>& task, Real* x)
{
    const int columns = extent.columns;
    Real* scaleGradient = task.scaleGradient;
    Real* shiftGradient = task.shiftGradient;
    std::fill_n(scaleGradient, columns, Real(0));
    std::fill_n(shiftGradient, columns, Real(0));
    for (int r = 0; r < extent.rows; ++r) {
        const NormStatistics<Real> s = task.statistics[r];
        const Real* dy = row(task.outputGradient, r, columns);
        Real* input = row(x, r, columns);
        Wide<Real>().each(columns, [=](int i) {
            scaleGradient[i] += dy[i] * ((input[i] - s.mean) * s.inverseDeviation);
            shiftGradient[i] += dy[i];
        });
        const Real* residual = task.residual ? row(task.residual, r, columns) : nullptr;
        normBackwardRow(Wide<Real>(), s, task.scale, dy, residual, input, columns);
    }
}

template <class Real>
BUBBLESCOPE_CLONES void geluForward(std::size_t count, const Real* x, Real* y)
{
    Wide<Real>().each(static_cast<int>(count), [=](int i) { y[i] = gelu(x[i]); });
}

template <class Real>
BUBBLESCOPE_CLONES void geluBackward(std::size_t count, const Real* dy, Real* x)
{
    Wide<Real>().each(static_cast<int>(count), [=](int i) { x[i] = dy[i] * geluDerivative(x[i]); });
}

template <class Real>
BUBBLESCOPE_CLONES double crossEntropy(Extent extent, const std::int32_t* targets, Real weight, Real* logits)
{
    double total = 0;
    for (int r = 0; r < extent.rows; ++r) {
        Real* logit = row(logits, r, extent.columns);
        const LossStatistics<Real> s = lossStatistics(Wide<Real>(), logit, extent.columns);
        total += static_cast<double>(s.largest - logit[targets[r]]) + std::log(static_cast<double>(s.total));
        lossGradientRow(Wide<Real>(), s, targets[r], weight, logit, extent.columns);
    }
    return total / extent.rows;
}

template <class Real>
BUBBLESCOPE_CLONES void embed(Extent extent, int sequence, const std::int32_t* tokens, const Real* tokenTable,
                              const Real* positionTable, Real* out)
{
    const int columns = extent.columns;
    for (int r = 0; r < extent.rows; ++r) {
        const Real* token = row(tokenTable, tokens[r], columns);
        const Real* position = row(positionTable, r % sequence, columns);
        Real* to = row(out, r, columns);
        Wide<Real>().each(columns, [=](int c) { to[c] = token[c] + position[c]; });
    }
}

template <class Real>
BUBBLESCOPE_CLONES void embedBackward(Extent extent, int sequence, const std::int32_t* tokens, const Real* gradient,
                                      Real* tokenTable, Real* positionTable)
{
    const int columns = extent.columns;
    for (int r = 0; r < extent.rows; ++r) {
        const Real* from = row(gradient, r, columns);
        Real* token = row(tokenTable, tokens[r], columns);
        Real* position = row(positionTable, r % sequence, columns);
        Wide<Real>().each(columns, [=](int c) {
            token[c] += from[c];
            position[c] += from[c];
        });
    }
}

template <class Real>
BUBBLESCOPE_CLONES void addPositions(Extent extent, int sequence, const Real* positionTable, Real* x)
{
    const int columns = extent.columns;
    for (int r = 0; r < extent.rows; ++r) {
        const Real* position = row(positionTable, r % sequence, columns);
        Real* to = row(x, r, columns);
        Wide<Real>().each(columns, [=](int c) { to[c] += position[c]; });
    }
}

template <class Real>
BUBBLESCOPE_CLONES void positionsBackward(Extent extent, int sequence, const Real* gradient, Real* positionTable)
{
    const int columns = extent.columns;
    for (int r = 0; r < extent.rows; ++r) {
        const Real* from = row(gradient, r, columns);
        Real* position = row(positionTable, r % sequence, columns);
        Wide<Real>().each(columns, [=](int c) { position[c] += from[c]; });
    }
}

template <class Real>
BUBBLESCOPE_CLONES void sgd(std::size_t count, Real rate, const Real* gradient, Real* value)
{
    Wide<Real>().each(static_cast<int>(count), [=](int i) { value[i] -= rate * gradient[i]; });
}

template <class Real>
BUBBLESCOPE_CLONES void adamW(std::size_t count, const AdamStep<Real>& step, const Real* gradient, Real* value,
                              Real* first, Real* second)
{
    const AdamStep<Real> constants = step;
    Wide<Real>().each(static_cast<int>(count),
                      [=](int i) { adamElement(constants, gradient[i], value[i], first[i], second[i]); });
}

template <class Real>
BUBBLESCOPE_CLONES void momentumSgd(std::size_t count, const MomentumStep<Real>& step, const Real* gradient,
                                    Real* value, Real* velocity)
{
    const MomentumStep<Real> constants = step;
    Wide<Real>().each(static_cast<int>(count),
                      [=](int i) { momentumElement(constants, gradient[i], value[i], velocity[i]); });
}

// NOLINTBEGIN(bugprone-macro-parentheses): Real is a type
#define BUBBLESCOPE_INSTANTIATE(Real)                                                                                  \
    template void spreadBias<Real>(Extent, const Real*, Real*);                                                        \
    template void addBias<Real>(Extent, const Real*, const Real*, Real*);                                              \
    template void addColumnSums<Real>(Extent, const Real*, Real*);                                                     \
    template void addTo<Real>(std::size_t, const Real*, Real*);                                                        \
    template void normForward<Real>(Extent, const Real*, NormParameters<Real>, NormStatistics<Real>*, Real*);          \
    template void normBackward<Real>(Extent, const NormBackward<Real>&, Real*);                                        \
    template void geluForward<Real>(std::size_t, const Real*, Real*);                                                  \
    template void geluBackward<Real>(std::size_t, const Real*, Real*);                                                 \
    template double crossEntropy<Real>(Extent, const std::int32_t*, Real, Real*);                                      \
    template void embed<Real>(Extent, int, const std::int32_t*, const Real*, const Real*, Real*);                      \
    template void embedBackward<Real>(Extent, int, const std::int32_t*, const Real*, Real*, Real*);                    \
    template void addPositions<Real>(Extent, int, const Real*, Real*);                                                 \
    template void positionsBackward<Real>(Extent, int, const Real*, Real*);                                            \
    template void sgd<Real>(std::size_t, Real, const Real*, Real*);                                                    \
    template void adamW<Real>(std::size_t, const AdamStep<Real>&, const Real*, Real*, Real*, Real*);                   \
    template void momentumSgd<Real>(std::size_t, const MomentumStep<Real>&, const Real*, Real*, Real*);

BUBBLESCOPE_INSTANTIATE(float)
BUBBLESCOPE_INSTANTIATE(double)

#undef BUBBLESCOPE_INSTANTIATE
// NOLINTEND(bugprone-macro-parentheses)

} // namespace bubblescope::cpu
