// The bubble has several definitions. Each has a name here, and no number is shown without one.
//
//     idle / total      idle ÷ (devices × makespan)                          (p−1)/(vm+p−1)
//     idle / ideal      idle ÷ (devices × ideal time): Megatron's "bubble time fraction"   (p−1)/(vm)
//     span rate         (longest span of a device − its work) ÷ that span: the zero-bubble paper's

#pragma once

#include "core/analyze/idle.h"

#include <string>
#include <vector>

namespace bubblescope {

enum class BubbleDefinition : std::uint8_t { IdleOverTotal, IdleOverIdeal, SpanRate };

struct BubbleMeasure {
    BubbleDefinition definition = BubbleDefinition::IdleOverTotal;
    const char* id = "";      ///< JSON field: "idle_over_total", "idle_over_ideal", "span_rate"
    const char* name = "";    ///< for people
    const char* formula = ""; ///< in words
    double value = 0;
};

/// The one asked for. 0 when nothing took place.
double bubbleOf(const IdleReport& report, BubbleDefinition definition);

/// All of them, the project's own first.
std::vector<BubbleMeasure> bubbleMeasures(const IdleReport& report);

/// Closed forms of GPipe, 1F1B and interleaved 1F1B with equal stages and free communication (Narayanan et al.,
/// arXiv 2104.04473, 2.2): p devices, m microbatches, v chunks a device.
double textbookBubble(int devices, int microbatches, int chunks, BubbleDefinition definition);

/// Fewest microbatches, a multiple of `step`, whose textbook bubble is at most `limit`.
int microbatchesForBubble(double limit, int devices, int chunks, BubbleDefinition definition, int step = 1);

/// What no order of forwards and backwards over p equal stages can beat: fill, all work of one stage, drain.
Nanoseconds lowerBound(int devices, int microbatches, Nanoseconds forward, Nanoseconds backward);

} // namespace bubblescope
