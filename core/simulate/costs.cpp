#include "core/simulate/costs.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace bubblescope {

const char* commModelName(CommModel model)
{
    static constexpr const char* names[] = {"latency", "link", "blocking"};
    return names[static_cast<std::size_t>(model)];
}

Nanoseconds Hop::occupation(std::int64_t bytes) const
{
    return bytesPerSecond > 0
               ? static_cast<Nanoseconds>(std::llround(static_cast<double>(bytes) * 1e9 / bytesPerSecond))
               : 0;
}

void Costs::set(Work work, Nanoseconds duration)
{
    m_durations[static_cast<std::size_t>(work)].assign(static_cast<std::size_t>(m_stages), duration);
}

void Costs::set(Work work, Stage stage, Nanoseconds duration)
{
    auto& row = m_durations[static_cast<std::size_t>(work)];
    row.resize(static_cast<std::size_t>(m_stages), 0);
    row[stage] = duration;
}

Nanoseconds Costs::unitDuration(const Schedule& schedule, TaskId first, TaskId end) const
{
    Nanoseconds sum = 0;
    for (TaskId id = first; id < end; ++id)
        sum += duration(id, schedule.tasks[id]);
    return end - first > 1 && pair >= 0 ? pair : sum;
}

void Costs::setHop(Device from, Device to, Hop hop, int devices)
{
    if (pairs.empty()) {
        pairDevices = static_cast<std::size_t>(devices);
        pairs.assign(pairDevices * pairDevices, everyHop);
    }
    pairs[static_cast<std::size_t>(from) * pairDevices + to] = hop;
}

void Costs::shareOut(const Schedule& schedule, int sequence)
{
    slices = {};
    const Shape& shape = schedule.shape;
    Slicing slicing = schedule.slicing;
    if (slicing.empty() && shape.slices <= 1)
        return;
    if (slicing.empty()) // an order that was read: slices of equal length
        slicing = {.cuts = {{std::vector<int>(static_cast<std::size_t>(shape.slices), 1)}},
                   .whole = static_cast<double>(shape.slices)};
    int longest = 0;
    for (const SliceCut& cut : slicing.cuts)
        longest = std::max(longest, std::accumulate(cut.lengths.begin(), cut.lengths.end(), 0));
    const int tokens = slicing.tokens && sequence > 0 ? sequence : longest;
    slices.offloaded = slicing.offloaded;
    slices.sums.push_back(0);
    slices.messages.push_back(0);
    for (const SliceCut& cut : slicing.cuts) {
        slices.first.push_back(static_cast<std::uint32_t>(slices.sums.size()) - 1);
        for (const double work : sliceWork(slicing, cut))
            slices.sums.push_back(slices.sums.back() + work / slicing.workOfOne);
        for (const int length : cut.lengths)
            slices.messages.push_back(slices.messages.back() + static_cast<double>(length) / tokens);
    }
}

std::int64_t Costs::messageBytes(Payload payload, Stage producer) const
{
    if (activationBytes.empty() || !travels(payload))
        return 0;
    // A gradient has the size of the activations that it belongs to: those that entered the producer's stage.
    const int boundary = payload == Payload::Gradient ? producer - 1 : static_cast<int>(producer);
    return boundary < 0 ? 0 : activationBytes[static_cast<std::size_t>(boundary)];
}

std::int64_t Costs::messageBytes(Payload payload, const Task& producer) const
{
    const std::int64_t whole = messageBytes(payload, producer.stage);
    return slices.empty() ? whole : SliceShares::part(whole, slices.messages, slices.at(producer));
}

} // namespace bubblescope
