#include "core/execute/recorder.h"

namespace bubblescope {
namespace {

Span shownSpan(const Span& span, const Measurement& measurement, ShownTime shown)
{
    Span result = span;
    if (shown == ShownTime::Wall) {
        result.start = measurement.wallStart;
        result.end = measurement.wallEnd;
    }
    return result;
}

} // namespace

std::string memoryCounterName(MemoryClass memoryClass)
{
    static constexpr const char* names[memoryClasses] = {"activation", "boundary",        "gradient",  "message",
                                                         "weight",     "weight_gradient", "optimizer", "workspace"};
    return std::string("memory.") + names[static_cast<std::size_t>(memoryClass)];
}

LaneLog::LaneLog(std::size_t spans, std::size_t links, bool memory)
    : m_spans(std::make_unique_for_overwrite<Span[]>(spans)) // pages are touched when they are used
    , m_measurements(std::make_unique_for_overwrite<Measurement[]>(spans))
    , m_samples(memory ? std::make_unique_for_overwrite<MemorySample[]>(spans) : nullptr)
    , m_links(std::make_unique_for_overwrite<LinkRecord[]>(links))
{
}

Recorder::Recorder(const RunPlan& plan, std::uint32_t rounds, bool memory) : m_plan(plan)
{
    for (std::uint32_t lane = 0; lane < plan.lanes().size(); ++lane) {
        const Lane& of = plan.lane(lane);
        std::size_t spans = of.size();
        std::size_t links = 0;
        const auto countLinks = [&](TaskId id) {
            plan.forEachInput(id, [&](const RunPlan::Input& input) { links += input.link ? 1 : 0; });
        };
        for (TaskId id = of.begin; id < of.end; ++id) {
            countLinks(id);
            if (plan.schedule().tasks[id].work != Work::Check)
                continue;
            const auto [first, end] = plan.repeatedBy(id); // every step may have to be rolled back
            spans += end - first;
            for (TaskId again = first; again < end; ++again)
                countLinks(again);
        }
        const bool samples = memory && of.kind == LaneKind::Compute;
        m_logs.push_back(std::make_unique<LaneLog>(spans * rounds, links * rounds, samples));
    }
    m_cursors.resize(m_logs.size());
}

void Recorder::begin(TraceSink& sink, ShownTime shown)
{
    m_sink = &sink;
    m_shown = shown;
    for (std::uint32_t lane = 0; lane < m_logs.size(); ++lane) {
        const Lane& of = m_plan.lane(lane);
        m_cursors[lane].lane = sink.lane(of.device, of.kind, of.index);
    }
}

void Recorder::handOver()
{
    for (std::uint32_t lane = 0; lane < m_logs.size(); ++lane)
        give(*m_sink, *m_logs[lane], m_plan.lane(lane).device, m_cursors[lane], m_shown);
    m_sink->flush();
}

Trace Recorder::trace(ShownTime shown) const
{
    TraceCollector collector;
    for (std::uint32_t lane = 0; lane < m_logs.size(); ++lane) {
        const Lane& of = m_plan.lane(lane);
        Cursor cursor;
        cursor.lane = collector.lane(of.device, of.kind, of.index);
        give(collector, *m_logs[lane], of.device, cursor, shown);
    }
    return collector.take();
}

std::size_t Recorder::spanCount() const
{
    std::size_t count = 0;
    for (const auto& log : m_logs)
        count += log->count();
    return count;
}

void Recorder::give(TraceSink& sink, const LaneLog& log, Device device, Cursor& cursor, ShownTime shown) const
{
    const std::size_t links = log.linkCount(); // first: a link is recorded before the span that it leads to
    const std::size_t end = log.count();
    std::vector<Span> spans;
    std::vector<Measurement> measurements;
    std::array<std::vector<std::pair<Nanoseconds, std::int64_t>>, memoryClasses> samples;
    for (std::size_t i = cursor.spans; i < end; ++i) {
        spans.push_back(shownSpan(log.span(i), log.measurement(i), shown));
        measurements.push_back(log.measurement(i));
        const MemorySample* sample = log.sample(i);
        for (std::size_t kind = 0; sample && kind < samples.size(); ++kind) {
            if (sample->live[kind] == cursor.last.live[kind])
                continue;
            cursor.last.live[kind] = sample->live[kind];
            samples[kind].emplace_back(spans.back().end, sample->live[kind]);
        }
    }
    if (!spans.empty())
        sink.append({cursor.lane, spans, measurements});
    for (std::size_t kind = 0; kind < samples.size(); ++kind)
        if (!samples[kind].empty())
            sink.counter(memoryCounterName(static_cast<MemoryClass>(kind)), device, samples[kind]);
    std::vector<Link> arrived;
    for (std::size_t i = cursor.links; i < links; ++i) {
        arrived.push_back(log.link(i).link);
        if (shown == ShownTime::Wall) {
            arrived.back().sent = log.link(i).sentWall;
            arrived.back().arrived = log.link(i).arrivedWall;
        }
    }
    if (!arrived.empty())
        sink.links(arrived);
    cursor.spans = end;
    cursor.links = links;
}

} // namespace bubblescope
