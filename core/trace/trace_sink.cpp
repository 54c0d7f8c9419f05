#include "core/trace/trace_sink.h"

#include "core/base/error.h"

#include <algorithm>

namespace bubblescope {

void SpanOrder::check(const SpanBatch& batch)
{
    const bool measured = !batch.measurements.empty();
    if (measured && batch.measurements.size() != batch.spans.size())
        throw Failure(fmt::format("Lane {}: {} spans came with {} measurements.", batch.lane, batch.spans.size(),
                                  batch.measurements.size()));
    for (const Span& span : batch.spans) {
        if (m_any && span.start < m_last)
            throw Failure(
                fmt::format("Lane {}: a span starts at {} ns, before the one that came last ({} ns). Spans of a "
                            "lane are kept by start.",
                            batch.lane, span.start, m_last));
        if (m_any && m_measured != measured)
            throw Failure(fmt::format("Lane {}: some spans come with measurements and some without.", batch.lane));
        m_any = true;
        m_measured = measured;
        m_last = span.start;
    }
}

std::uint32_t LaneTable::number(Device device, LaneKind kind, int index)
{
    const auto [entry, isNew] =
        m_numbers.try_emplace({device, kind, index}, static_cast<std::uint32_t>(m_lanes.size()));
    if (isNew)
        m_lanes.push_back({device, kind, static_cast<std::uint8_t>(index), {}, {}});
    return entry->second;
}

std::uint32_t NameTable::number(std::string_view text)
{
    if (const auto known = m_numbers.find(text); known != m_numbers.end())
        return known->second;
    m_names.emplace_back(text);
    return m_numbers.emplace(text, static_cast<std::uint32_t>(m_names.size() - 1)).first->second;
}

std::uint32_t TraceCollector::lane(Device device, LaneKind kind, int index)
{
    const std::uint32_t number = m_lanes.number(device, kind, index);
    if (number == m_trace.lanes.size()) {
        m_trace.lanes.push_back(m_lanes.lanes()[number]);
        m_orders.emplace_back();
    }
    return number;
}

std::uint32_t TraceCollector::name(std::string_view text)
{
    return m_names.number(text);
}

void TraceCollector::append(const SpanBatch& batch)
{
    m_orders.at(batch.lane).check(batch);
    TraceLane& lane = m_trace.lanes[batch.lane];
    lane.spans.insert(lane.spans.end(), batch.spans.begin(), batch.spans.end());
    lane.measurements.insert(lane.measurements.end(), batch.measurements.begin(), batch.measurements.end());
}

void TraceCollector::counter(std::string_view name, Device device,
                             std::span<const std::pair<Nanoseconds, std::int64_t>> samples)
{
    auto counter = std::find_if(m_trace.counters.begin(), m_trace.counters.end(),
                                [&](const Counter& known) { return known.name == name && known.device == device; });
    if (counter == m_trace.counters.end())
        counter = m_trace.counters.insert(counter, {std::string(name), device, {}});
    counter->samples.insert(counter->samples.end(), samples.begin(), samples.end());
}

void TraceCollector::links(std::span<const Link> links)
{
    m_trace.links.insert(m_trace.links.end(), links.begin(), links.end());
}

Trace TraceCollector::take()
{
    m_trace.names = m_names.names();
    Trace trace = std::move(m_trace);
    *this = TraceCollector();
    sortLanes(trace.lanes);
    return trace;
}

void write(TraceSink& sink, const Trace& trace)
{
    for (const TraceLane& lane : trace.lanes) {
        const std::uint32_t number = sink.lane(lane.device, lane.kind, lane.index);
        std::vector<Span> spans = lane.spans;
        for (Span& span : spans)
            if (span.name != 0)
                span.name = sink.name(trace.names.at(span.name));
        sink.append({number, spans, lane.measurements});
    }
    for (const Counter& counter : trace.counters)
        sink.counter(counter.name, counter.device, counter.samples);
    sink.links(trace.links);
}

void sortLanes(std::vector<TraceLane>& lanes)
{
    std::stable_sort(lanes.begin(), lanes.end(), [](const TraceLane& a, const TraceLane& b) {
        return std::tuple(a.device.value, a.kind, a.index) < std::tuple(b.device.value, b.kind, b.index);
    });
}

} // namespace bubblescope
