// Which of many choices nobody beats in both of two figures, such as bubble rate and peak memory.

#pragma once

#include <cstddef>
#include <vector>

namespace bubblescope {

/// Two figures of one choice; less is better in both.
struct Tradeoff {
    double first = 0;
    double second = 0;
};

/// Places of those that no other is at least as good as in both and better in one, by `first`; of equal ones the first.
std::vector<std::size_t> paretoFront(const std::vector<Tradeoff>& choices);

} // namespace bubblescope
