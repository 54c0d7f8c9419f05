#include "core/trace/trace_sink.h"

#include <algorithm>

namespace bubblescope {

void MemorySink::begin(const std::vector<TraceLane>& lanes)
{
    m_trace = {};
    m_trace.lanes = lanes;
}

void MemorySink::append(std::uint32_t lane, std::span<const Span> spans, std::span<const Measurement> measurements)
{
    TraceLane& to = m_trace.lanes[lane];
    to.spans.insert(to.spans.end(), spans.begin(), spans.end());
    to.measurements.insert(to.measurements.end(), measurements.begin(), measurements.end());
}

void MemorySink::appendLinks(std::span<const Link> links)
{
    m_trace.links.insert(m_trace.links.end(), links.begin(), links.end());
}

void MemorySink::appendCounter(const Counter& counter)
{
    const auto same = [&](const Counter& known) { return known.name == counter.name && known.device == counter.device; };
    const auto found = std::find_if(m_trace.counters.begin(), m_trace.counters.end(), same);
    if (found == m_trace.counters.end())
        m_trace.counters.push_back(counter);
    else
        found->samples.insert(found->samples.end(), counter.samples.begin(), counter.samples.end());
}

void MemorySink::discard()
{
    for (TraceLane& lane : m_trace.lanes) {
        lane.spans.clear();
        lane.measurements.clear();
    }
    m_trace.counters.clear();
    m_trace.links.clear();
}

} // namespace bubblescope
