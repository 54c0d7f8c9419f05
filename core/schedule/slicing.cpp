#include "core/schedule/slicing.h"

#include <cmath>
#include <numeric>

namespace bubblescope {

std::vector<double> sliceWork(const Slicing& slicing, const SliceCut& cut)
{
    const auto work = [&](double length, double context) {
        const double l = length / slicing.whole;
        const double c = context / slicing.whole;
        return l + slicing.attention * l * (2 * c + l);
    };
    std::vector<double> result;
    if (!cut.sequences.empty()) {
        double sum = slicing.overhead;
        for (const int length : cut.sequences)
            sum += work(length, 0);
        return {sum};
    }
    int context = 0;
    for (const int length : cut.lengths) {
        result.push_back(slicing.overhead + work(length, context));
        context += length;
    }
    return result;
}

std::vector<int> sliceBounds(const Slicing& slicing, const SliceCut& cut, int tokens)
{
    const int all = std::accumulate(cut.lengths.begin(), cut.lengths.end(), 0);
    std::vector<int> bounds{0};
    int end = 0;
    for (const int length : cut.lengths) {
        end += length;
        bounds.push_back(slicing.tokens ? end : static_cast<int>(std::lround(static_cast<double>(end) * tokens / all)));
    }
    return bounds;
}

Slicing uncut(const Slicing& slicing)
{
    Slicing whole = slicing;
    for (SliceCut& cut : whole.cuts)
        cut.lengths = {std::accumulate(cut.lengths.begin(), cut.lengths.end(), 0)};
    return whole;
}

} // namespace bubblescope
