// In which order the devices of a pipeline with a sharded vocabulary work; vocabulary.cpp ties them together.

#pragma once

#include "core/schedule/schedule.h"

#include <vector>

namespace bubblescope::catalog {

/// A pass of one device. The shard's passes are of the first stage (embedding) and of the last (head).
struct Pass {
    Work work;
    int stage;
    int microbatch;
};

using Order = std::vector<Pass>;

/// How long F and B last, relative to each other.
struct PassTimes {
    Nanoseconds forward = 1;
    Nanoseconds backward = 2;
};

/// By device: 1F1B in the order of the paper's code. `barriers` is 2 for Algorithm 1, 1 for Algorithm 2.
std::vector<Order> alternatingVocabularyOrders(int devices, int microbatches, int barriers, PassTimes times);

/// By device: V-Half, two chunks each.
std::vector<Order> vHalfVocabularyOrders(int devices, int microbatches, int barriers);

Shape vHalfShape(int devices, int microbatches);

} // namespace bubblescope::catalog
