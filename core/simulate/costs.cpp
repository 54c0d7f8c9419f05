#include "core/simulate/costs.h"

#include <algorithm>
#include <cmath>

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

std::int64_t Costs::messageBytes(Payload payload, Stage producer) const
{
    if (activationBytes.empty() || !travels(payload))
        return 0;
    // A gradient has the size of the activations that it belongs to: those that entered the producer's stage.
    const int boundary = payload == Payload::Gradient ? producer - 1 : static_cast<int>(producer);
    return boundary < 0 ? 0 : activationBytes[static_cast<std::size_t>(boundary)];
}

} // namespace bubblescope
