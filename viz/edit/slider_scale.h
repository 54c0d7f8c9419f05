// How a slider's way stands for a quantity: plain functions, no widgets.
//
//     linear        0 ─────┼───── 1        chunks
//     logarithmic   1 ─2─4─┼─16── 256      microbatches, speed, bandwidth
//     cubic         0 ──┼──────── 1        latency: fine near 0, which it reaches

#pragma once

#include <algorithm>
#include <cmath>

namespace bubblescope::viz {

struct SliderScale {
    enum class Kind { Linear, Logarithmic, Cubic };

    Kind kind = Kind::Linear;
    double minimum = 0;
    double maximum = 1;
    int decimals = 0;
    bool unlimitedEnd = false; ///< the right end stands for 0, which means "no limit"

    static constexpr int steps = 1000; ///< positions of the slider, from 0

    /// To what a person would have typed: as many decimals as are shown.
    double rounded(double value) const
    {
        const double power = std::pow(10.0, decimals);
        return std::round(value * power) / power;
    }

    double valueAt(int position) const
    {
        if (unlimitedEnd && position >= steps)
            return 0;
        const double share = std::clamp(position, 0, steps) / static_cast<double>(steps);
        switch (kind) {
        case Kind::Logarithmic:
            return rounded(minimum * std::pow(maximum / minimum, share));
        case Kind::Cubic:
            return rounded(minimum + (maximum - minimum) * share * share * share);
        case Kind::Linear:
            break;
        }
        return rounded(minimum + (maximum - minimum) * share);
    }

    /// What lies outside stands at the nearer end.
    int positionOf(double value) const
    {
        if (unlimitedEnd && value <= 0)
            return steps;
        const double inside = std::clamp(value, minimum, maximum);
        double share = maximum > minimum ? (inside - minimum) / (maximum - minimum) : 0;
        if (kind == Kind::Logarithmic && maximum > minimum)
            share = std::log(inside / minimum) / std::log(maximum / minimum);
        else if (kind == Kind::Cubic)
            share = std::cbrt(share);
        const int position = static_cast<int>(std::lround(share * steps));
        return unlimitedEnd ? std::min(position, steps - 1) : position;
    }
};

} // namespace bubblescope::viz
