#include "core/analyze/durations.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace bubblescope {
namespace {

constexpr double logarithmicFrom = 30; ///< longest ÷ shortest from which a linear axis hides the short ones

std::string nameOf(const Trace& trace, const Span& span)
{
    return span.name != 0 && span.name < trace.names.size() ? trace.names[span.name]
                                                            : std::string(workName(span.task.work).name);
}

/// One number per name, so that millions of spans cost no text each.
std::size_t numberOf(const Trace& trace, const Span& span)
{
    return span.name != 0 && span.name < trace.names.size() ? workCount + span.name
                                                            : static_cast<std::size_t>(span.task.work);
}

} // namespace

Nanoseconds DurationGroup::quantile(double share) const
{
    if (durations.empty())
        return 0;
    const double last = static_cast<double>(durations.size() - 1);
    return durations[static_cast<std::size_t>(std::lround(std::clamp(share, 0.0, 1.0) * last))];
}

std::vector<DurationGroup> durationsByName(const Trace& trace)
{
    std::vector<DurationGroup> groups(workCount + trace.names.size());
    for (const TraceLane& lane : trace.lanes)
        for (const Span& span : lane.spans) {
            if (span.duration() <= 0)
                continue;
            DurationGroup& group = groups[numberOf(trace, span)];
            if (group.durations.empty())
                group.name = nameOf(trace, span);
            group.durations.push_back(span.duration());
            group.total += span.duration();
        }
    groups.erase(std::remove_if(groups.begin(), groups.end(),
                                [](const DurationGroup& group) { return group.durations.empty(); }),
                 groups.end());
    for (DurationGroup& group : groups)
        std::sort(group.durations.begin(), group.durations.end());
    std::stable_sort(groups.begin(), groups.end(),
                     [](const DurationGroup& a, const DurationGroup& b) { return a.total > b.total; });
    return groups;
}

std::vector<DurationPlace> placesOf(const Trace& trace, const std::string& name, Nanoseconds least, Nanoseconds most,
                                    std::size_t limit)
{
    std::vector<DurationPlace> places;
    for (const TraceLane& lane : trace.lanes)
        for (const Span& span : lane.spans) {
            const Nanoseconds duration = span.duration();
            if (duration < least || duration >= most || nameOf(trace, span) != name)
                continue;
            places.push_back({lane.device, lane.kind, span.start, span.end});
            if (places.size() >= limit)
                return places;
        }
    return places;
}

Histogram histogramOf(const std::vector<Nanoseconds>& ascending, int bins)
{
    Histogram histogram;
    if (ascending.empty() || bins < 1)
        return histogram;
    const auto shortest = static_cast<double>(std::max<Nanoseconds>(1, ascending.front()));
    const auto longest = static_cast<double>(std::max<Nanoseconds>(1, ascending.back()));
    histogram.logarithmic = longest / shortest >= logarithmicFrom;
    if (longest <= shortest) { // all alike: one bin around the value
        histogram.edges = {shortest * 0.95, shortest * 1.05};
        histogram.counts = {ascending.size()};
        return histogram;
    }
    for (int edge = 0; edge <= bins; ++edge) {
        const double share = static_cast<double>(edge) / bins;
        histogram.edges.push_back(histogram.logarithmic ? shortest * std::pow(longest / shortest, share)
                                                        : shortest + (longest - shortest) * share);
    }
    histogram.edges.back() = std::nextafter(longest, 2 * longest) + 1; // the longest is inside
    histogram.counts.assign(static_cast<std::size_t>(bins), 0);
    for (const Nanoseconds duration : ascending) {
        const auto after = std::upper_bound(histogram.edges.begin(), histogram.edges.end(),
                                            static_cast<double>(std::max<Nanoseconds>(1, duration)));
        const auto bin = std::clamp<std::ptrdiff_t>(after - histogram.edges.begin() - 1, 0, bins - 1);
        ++histogram.counts[static_cast<std::size_t>(bin)];
    }
    return histogram;
}

} // namespace bubblescope
