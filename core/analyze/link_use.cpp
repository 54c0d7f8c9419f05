#include "core/analyze/link_use.h"

#include "core/schedule/lower.h"

#include <algorithm>
#include <map>

namespace bubblescope {
namespace {

using Links = std::map<std::pair<std::uint16_t, std::uint16_t>, LinkUse>;

void add(Links& links, Device from, Device to, const LinkMessage& message)
{
    LinkUse& link = links[{from.value, to.value}];
    link.from = from;
    link.to = to;
    link.bytes += message.bytes;
    link.messages.push_back(message);
}

/// What travels when this task is done.
Payload payloadOf(const Task& producer)
{
    return propagatesGradient(producer.work) ? Payload::Gradient : Payload::Activation;
}

std::vector<Interval> intervalsOf(const LinkUse& link)
{
    std::vector<Interval> intervals;
    intervals.reserve(link.messages.size());
    for (const LinkMessage& message : link.messages)
        intervals.push_back({message.start, message.end});
    return unite(std::move(intervals));
}

} // namespace

std::vector<LinkUse> linkUse(const Trace& trace, const Plan* plan, const Timing* timing)
{
    Links links;
    for (const Link& link : trace.links) {
        const bool sizes = link.bytes == 0 && plan != nullptr && link.producer.stage < plan->costs.stages();
        const std::int64_t bytes =
            sizes ? plan->costs.messageBytes(payloadOf(link.producer), link.producer) : link.bytes;
        add(links, link.from, link.to, {link.sent, link.arrived, bytes, link.producer});
    }
    if (trace.links.empty() && plan != nullptr && timing != nullptr && !timing->end.empty())
        for (const Message& message : messagesOf(plan->schedule)) {
            const Task& producer = plan->schedule.tasks[message.producer];
            const std::int64_t bytes = plan->costs.messageBytes(message.payload, producer);
            const Hop& hop = plan->costs.hop(message.from, message.to);
            const Nanoseconds start = timing->end[message.producer];
            add(links, message.from, message.to, {start, start + hop.latency + hop.occupation(bytes), bytes, producer});
        }
    std::vector<LinkUse> result;
    for (auto& [pair, link] : links) {
        std::stable_sort(link.messages.begin(), link.messages.end(),
                         [](const LinkMessage& a, const LinkMessage& b) { return a.start < b.start; });
        for (const Interval& interval : intervalsOf(link))
            link.busy += interval.end - interval.start;
        result.push_back(std::move(link));
    }
    return result;
}

std::vector<double> busyShares(const LinkUse& link, Interval window, int parts)
{
    std::vector<double> shares(static_cast<std::size_t>(std::max(0, parts)), 0);
    const auto length = static_cast<double>(window.end - window.start) / std::max(1, parts);
    if (length <= 0)
        return shares;
    for (const Interval& interval : intervalsOf(link)) {
        const double begin = static_cast<double>(interval.start - window.start) / length;
        const double end = static_cast<double>(interval.end - window.start) / length;
        const int last = std::min(parts - 1, static_cast<int>(end));
        for (int part = std::max(0, static_cast<int>(begin)); part <= last; ++part)
            shares[static_cast<std::size_t>(part)] +=
                std::max(0.0, std::min(end, part + 1.0) - std::max(begin, static_cast<double>(part)));
    }
    return shares;
}

} // namespace bubblescope
