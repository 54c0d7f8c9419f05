// Bubble definitions, from a report and in closed form.

#include "core/analyze/bubble.h"

#include "core/base/error.h"

#include <algorithm>

namespace bubblescope {
namespace {

/// The device with the longest span; of equal ones the busiest.
double spanRate(const IdleReport& report)
{
    const auto longest =
        std::max_element(report.devices.begin(), report.devices.end(), [](const DeviceIdle& a, const DeviceIdle& b) {
            return std::pair(a.span(), a.spanBusy) < std::pair(b.span(), b.spanBusy);
        });
    if (longest == report.devices.end() || longest->span() <= 0)
        return 0;
    return static_cast<double>(longest->span() - longest->spanBusy) / static_cast<double>(longest->span());
}

} // namespace

double bubbleOf(const IdleReport& report, BubbleDefinition definition)
{
    switch (definition) {
    case BubbleDefinition::IdleOverTotal:
        return report.bubbleRate();
    case BubbleDefinition::IdleOverIdeal:
        return report.totalBusy() > 0
                   ? static_cast<double>(report.totalIdle()) / static_cast<double>(report.totalBusy())
                   : 0;
    case BubbleDefinition::SpanRate:
        return spanRate(report);
    }
    return 0;
}

std::vector<BubbleMeasure> bubbleMeasures(const IdleReport& report)
{
    std::vector<BubbleMeasure> measures = {
        {BubbleDefinition::IdleOverTotal, "idle_over_total", "bubble rate", "idle ÷ (devices × makespan)", 0},
        {BubbleDefinition::IdleOverIdeal, "idle_over_ideal", "bubble time fraction (Megatron)",
         "idle ÷ busy, i.e. over the ideal time", 0},
        {BubbleDefinition::SpanRate, "span_rate", "bubble rate in the span (zero-bubble papers)",
         "(longest time from a device's first to its last task − its work) ÷ that time", 0},
    };
    for (BubbleMeasure& measure : measures)
        measure.value = bubbleOf(report, measure.definition);
    return measures;
}

double textbookBubble(int devices, int microbatches, int chunks, BubbleDefinition definition)
{
    const double idle = devices - 1;
    const double ideal = static_cast<double>(microbatches) * chunks;
    // In 1F1B and its relatives device 0 starts first and ends last: its span is the makespan.
    return definition == BubbleDefinition::IdleOverIdeal ? idle / ideal : idle / (ideal + idle);
}

int microbatchesForBubble(double limit, int devices, int chunks, BubbleDefinition definition, int step)
{
    if (!(limit > 0) || !(limit < 1e9) || devices < 1 || chunks < 1 || step < 1)
        throw Error("A bubble of {} with {} devices and {} chunks can't be asked for: the limit has to be above 0, "
                    "e.g. 0.1 for 10 %.",
                    limit, devices, chunks);
    // idle ≤ limit · (ideal + idle) or idle ≤ limit · ideal; a hair of tolerance keeps 0.1 · 70 = 7 on the right side.
    const double idle = devices - 1;
    const double ideal = definition == BubbleDefinition::IdleOverIdeal ? idle / limit : idle * (1 - limit) / limit;
    const double microbatches = std::max(1.0, ideal / chunks);
    if (microbatches > 1e9)
        throw Error("A bubble of {} needs more than 1000000000 microbatches.", limit);
    int found = std::max(step, static_cast<int>(microbatches) / step * step);
    while (textbookBubble(devices, found, chunks, definition) > limit * (1 + 1e-12))
        found += step;
    return found;
}

Nanoseconds lowerBound(int devices, int microbatches, Nanoseconds forward, Nanoseconds backward)
{
    return (static_cast<Nanoseconds>(microbatches) + devices - 1) * (forward + backward);
}

} // namespace bubblescope
