// Each function walks the rows of its tokens; products go to gemm().

#include "kernels/cpu/vocabulary.h"

#include "kernels/cpu/linear.h"
#include "kernels/cpu/wide.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace bubblescope::cpu {
namespace {

template <class Real>
Real* row(Real* matrix, int index, int columns)
{
    return matrix + static_cast<std::ptrdiff_t>(index) * columns;
}

LinearShape linear(const ShardShape& shape)
{
    return {shape.tokens, shape.hidden, shape.shard.count};
}

} // namespace

VocabularyShard vocabularyShard(int vocabulary, int shards, int index)
{
    const int each = vocabulary / shards;
    const int larger = vocabulary % shards;
    return {index * each + std::min(index, larger), each + (index < larger ? 1 : 0)};
}

template <class Real>
BUBBLESCOPE_CLONES void shardEmbed(const ShardShape& shape, const std::int32_t* tokens, const Real* table, Real* out)
{
    for (int t = 0; t < shape.tokens; ++t) {
        Real* to = row(out, t, shape.hidden);
        if (shape.shard.contains(tokens[t]))
            std::copy_n(row(table, tokens[t] - shape.shard.first, shape.hidden), shape.hidden, to);
        else
            std::fill_n(to, shape.hidden, Real(0));
    }
}

template <class Real>
BUBBLESCOPE_CLONES void shardEmbedBackward(const ShardShape& shape, const std::int32_t* tokens, const Real* gradient,
                                           Real* table)
{
    for (int t = 0; t < shape.tokens; ++t) {
        if (!shape.shard.contains(tokens[t]))
            continue;
        const Real* from = row(gradient, t, shape.hidden);
        Real* to = row(table, tokens[t] - shape.shard.first, shape.hidden);
        Wide<Real>().each(shape.hidden, [=](int c) { to[c] += from[c]; });
    }
}

template <class Real>
BUBBLESCOPE_CLONES void sumInOrder(std::size_t count, std::span<const Real* const> parts, Real* out)
{
    if (parts[0] != out)
        std::copy_n(parts[0], count, out);
    for (std::size_t k = 1; k < parts.size(); ++k)
        addTo(count, parts[k], out);
}

template <class Real>
BUBBLESCOPE_CLONES void shardLogits(const ShardShape& shape, const Real* x, const Real* weight,
                                    const std::int32_t* targets, Real* logits, TokenStatistics<Real>* statistics)
{
    const int columns = shape.shard.count;
    if (columns == 0) { // weighs nothing against any other shard
        std::fill_n(statistics, shape.tokens, TokenStatistics<Real>{std::numeric_limits<Real>::lowest(), 0, 0});
        return;
    }
    std::fill_n(logits, shape.logits(), Real(0));
    linearForward(linear(shape), x, weight, logits);
    for (int t = 0; t < shape.tokens; ++t) {
        const Real* logit = row(logits, t, columns);
        const LossStatistics<Real> s = lossStatistics(Wide<Real>(), logit, columns);
        const Real target = shape.shard.contains(targets[t]) ? logit[targets[t] - shape.shard.first] : Real(0);
        statistics[t] = {s.largest, s.total, target};
    }
}

template <class Real>
BUBBLESCOPE_CLONES void shardProducts(const ShardShape& shape, const Real* weight, const std::int32_t* targets,
                                      const TokenStatistics<Real>* statistics, Real* logits, Real* products)
{
    const int columns = shape.shard.count;
    Real* targetRows = products + shape.boundary();
    std::fill_n(products, 2 * shape.boundary(), Real(0));
    if (columns == 0)
        return;
    for (int t = 0; t < shape.tokens; ++t) {
        Real* logit = row(logits, t, columns);
        const Real largest = statistics[t].largest;
        Wide<Real>().each(columns, [=](int c) { logit[c] = exponential(logit[c] - largest); });
        if (!shape.shard.contains(targets[t]))
            continue;
        const Real* column = weight + (targets[t] - shape.shard.first);
        Real* to = row(targetRows, t, shape.hidden);
        for (int i = 0; i < shape.hidden; ++i)
            to[i] = column[static_cast<std::ptrdiff_t>(i) * columns];
    }
    linearInputGradient(linear(shape), logits, weight, products);
}

template <class Real>
void mergeStatistics(int tokens, std::span<const TokenStatistics<Real>* const> shards, TokenStatistics<Real>* merged)
{
    for (int t = 0; t < tokens; ++t) {
        TokenStatistics<Real> all{shards[0][t].largest, 0, 0};
        for (const TokenStatistics<Real>* shard : shards)
            all.largest = std::max(all.largest, shard[t].largest);
        for (const TokenStatistics<Real>* shard : shards) {
            all.total += shard[t].total * exponential(shard[t].largest - all.largest);
            all.target += shard[t].target;
        }
        merged[t] = all;
    }
}

template <class Real>
double lossOf(int tokens, const TokenStatistics<Real>* merged)
{
    double total = 0;
    for (int t = 0; t < tokens; ++t)
        total +=
            static_cast<double>(merged[t].largest - merged[t].target) + std::log(static_cast<double>(merged[t].total));
    return total / tokens;
}

template <class Real>
BUBBLESCOPE_CLONES void sumProducts(Extent extent, std::span<const TokenStatistics<Real>* const> shards,
                                    std::span<const Real* const> products, const TokenStatistics<Real>* merged,
                                    Real weight, Real* dx)
{
    const std::ptrdiff_t boundary = static_cast<std::ptrdiff_t>(extent.rows) * extent.columns;
    for (int t = 0; t < extent.rows; ++t) {
        Real* to = row(dx, t, extent.columns);
        std::fill_n(to, extent.columns, Real(0));
        for (std::size_t k = 0; k < shards.size(); ++k) {
            const Real scale = weight * exponential(shards[k][t].largest - merged[t].largest) / merged[t].total;
            const Real* softmax = row(products[k], t, extent.columns);
            const Real* target = row(products[k] + boundary, t, extent.columns);
            Wide<Real>().each(extent.columns, [=](int c) { to[c] += scale * softmax[c] - weight * target[c]; });
        }
    }
}

template <class Real>
BUBBLESCOPE_CLONES void shardGradient(const ShardShape& shape, const std::int32_t* targets,
                                      const TokenStatistics<Real>* merged, const TokenStatistics<Real>* own,
                                      Real weight, Real* logits)
{
    const int columns = shape.shard.count;
    for (int t = 0; t < shape.tokens && columns > 0; ++t) {
        Real* logit = row(logits, t, columns);
        const int target = targets[t] - shape.shard.first; // outside the shard it equals no column
        if (own == nullptr) {
            lossGradientRow(Wide<Real>(), LossStatistics<Real>{merged[t].largest, merged[t].total}, target, weight,
                            logit, columns);
            continue;
        }
        const Real scale = weight * exponential(own[t].largest - merged[t].largest) / merged[t].total;
        Wide<Real>().each(columns, [=](int c) { logit[c] = scale * logit[c] - (c == target ? weight : Real(0)); });
    }
}

template <class Real>
void shardInputGradient(const ShardShape& shape, const Real* gradient, const Real* weight, Real* dx)
{
    if (shape.shard.count == 0)
        std::fill_n(dx, shape.boundary(), Real(0));
    else
        linearInputGradient(linear(shape), gradient, weight, dx);
}

template <class Real>
void shardWeightGradient(const ShardShape& shape, const Real* x, const Real* gradient, Real* weight)
{
    if (shape.shard.count > 0)
        linearWeightGradient<Real>(linear(shape), x, gradient, weight, nullptr);
}

// NOLINTBEGIN(bugprone-macro-parentheses): Real is a type
#define BUBBLESCOPE_INSTANTIATE(Real)                                                                                  \
    template void shardEmbed<Real>(const ShardShape&, const std::int32_t*, const Real*, Real*);                        \
    template void shardEmbedBackward<Real>(const ShardShape&, const std::int32_t*, const Real*, Real*);                \
    template void sumInOrder<Real>(std::size_t, std::span<const Real* const>, Real*);                                  \
    template void shardLogits<Real>(const ShardShape&, const Real*, const Real*, const std::int32_t*, Real*,           \
                                    TokenStatistics<Real>*);                                                           \
    template void shardProducts<Real>(const ShardShape&, const Real*, const std::int32_t*,                             \
                                      const TokenStatistics<Real>*, Real*, Real*);                                     \
    template void mergeStatistics<Real>(int, std::span<const TokenStatistics<Real>* const>, TokenStatistics<Real>*);   \
    template double lossOf<Real>(int, const TokenStatistics<Real>*);                                                   \
    template void sumProducts<Real>(Extent, std::span<const TokenStatistics<Real>* const>,                             \
                                    std::span<const Real* const>, const TokenStatistics<Real>*, Real, Real*);          \
    template void shardGradient<Real>(const ShardShape&, const std::int32_t*, const TokenStatistics<Real>*,            \
                                      const TokenStatistics<Real>*, Real, Real*);                                      \
    template void shardInputGradient<Real>(const ShardShape&, const Real*, const Real*, Real*);                        \
    template void shardWeightGradient<Real>(const ShardShape&, const Real*, const Real*, Real*);

BUBBLESCOPE_INSTANTIATE(float)
BUBBLESCOPE_INSTANTIATE(double)

#undef BUBBLESCOPE_INSTANTIATE
// NOLINTEND(bugprone-macro-parentheses)

} // namespace bubblescope::cpu
