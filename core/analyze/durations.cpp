#include "core/analyze/durations.h"

#include <algorithm>
#include <cmath>

namespace bubblescope {
namespace {

constexpr double logarithmicFrom = 30; ///< longest ÷ shortest from which a linear axis hides the short ones

using Names = std::vector<std::string>;

std::string nameOf(const Names& names, const Span& span)
{
    return span.name != 0 && span.name < names.size() ? names[span.name] : std::string(workName(span.task.work).name);
}

/// One number per name, so that millions of spans cost no text each.
std::size_t numberOf(const Names& names, const Span& span)
{
    return span.name != 0 && span.name < names.size() ? workCount + span.name
                                                      : static_cast<std::size_t>(span.task.work);
}

/// Calls visit(device, kind, span) until it returns false.
template <class Visitor>
void forEachSpan(const Trace& trace, Visitor&& visit)
{
    for (const TraceLane& lane : trace.lanes)
        for (const Span& span : lane.spans)
            if (!visit(lane.device, lane.kind, span))
                return;
}

template <class Visitor>
void forEachSpan(const TraceColumns& columns, Visitor&& visit)
{
    for (const LaneColumns& lane : columns.lanes)
        for (const SpanColumns& spans : lane.subLanes)
            for (const SpanChunk& chunk : spans.chunks())
                for (std::uint32_t i = 0; i < chunk.count; ++i)
                    if (!visit(lane.device, lane.kind, spanOf(chunk.entry(i))))
                        return;
}

template <class Spans>
std::vector<DurationGroup> groupsOf(const Spans& spans)
{
    const Names& names = spans.names;
    std::vector<DurationGroup> groups(workCount + names.size());
    forEachSpan(spans, [&](Device, LaneKind, const Span& span) {
        if (span.duration() <= 0)
            return true;
        DurationGroup& group = groups[numberOf(names, span)];
        if (group.durations.empty())
            group.name = nameOf(names, span);
        group.durations.push_back(span.duration());
        group.total += span.duration();
        return true;
    });
    groups.erase(std::remove_if(groups.begin(), groups.end(),
                                [](const DurationGroup& group) { return group.durations.empty(); }),
                 groups.end());
    for (DurationGroup& group : groups)
        std::sort(group.durations.begin(), group.durations.end());
    std::stable_sort(groups.begin(), groups.end(),
                     [](const DurationGroup& a, const DurationGroup& b) { return a.total > b.total; });
    return groups;
}

template <class Spans>
std::vector<DurationPlace> placesIn(const Spans& spans, const std::string& name, Nanoseconds least, Nanoseconds most,
                                    std::size_t limit)
{
    std::vector<DurationPlace> places;
    forEachSpan(spans, [&](Device device, LaneKind kind, const Span& span) {
        const Nanoseconds duration = span.duration();
        if (duration >= least && duration < most && nameOf(spans.names, span) == name)
            places.push_back({device, kind, span.start, span.end});
        return places.size() < limit;
    });
    return places;
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
    return groupsOf(trace);
}

std::vector<DurationGroup> durationsByName(const TraceColumns& columns)
{
    return groupsOf(columns);
}

std::vector<DurationPlace> placesOf(const Trace& trace, const std::string& name, Nanoseconds least, Nanoseconds most,
                                    std::size_t limit)
{
    return placesIn(trace, name, least, most, limit);
}

std::vector<DurationPlace> placesOf(const TraceColumns& columns, const std::string& name, Nanoseconds least,
                                    Nanoseconds most, std::size_t limit)
{
    return placesIn(columns, name, least, most, limit);
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
