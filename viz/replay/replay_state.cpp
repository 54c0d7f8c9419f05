#include "viz/replay/replay_state.h"

#include <algorithm>
#include <map>

namespace bubblescope::viz {
namespace {

double inActivations(std::int64_t live)
{
    return static_cast<double>(live) / static_cast<double>(ActivationDeltas::one);
}

bool isBackward(Work work)
{
    return propagatesGradient(work) || work == Work::WeightGradient;
}

/// From the begin of a forward to the end of the last backward of the same stage and microbatch on the device. Where a
/// run has backwards at all, a forward without one is held to the end: the run was interrupted.
std::vector<ActivationInterval> intervalsOfSpans(const Trace& trace)
{
    bool trains = false;
    std::map<std::pair<std::uint16_t, std::pair<std::uint64_t, std::uint64_t>>, ActivationInterval> byForward;
    for (const TraceLane& lane : trace.lanes) {
        if (lane.kind != LaneKind::Compute)
            continue;
        for (const Span& span : lane.spans) {
            if (span.name != 0 || !onGrid(span.task.work))
                continue;
            Task forward = span.task;
            forward.work = Work::Forward;
            forward.part = Part{};
            forward.flags = 0;
            const bool back = isBackward(span.task.work);
            trains = trains || back;
            auto [found, isNew] = byForward.try_emplace({lane.device, forward.key()});
            if (isNew)
                found->second = {lane.device, forward, span.start, -1};
            found->second.begin = std::min(found->second.begin, span.start);
            if (back)
                found->second.end = std::max(found->second.end, span.end);
        }
    }
    std::vector<ActivationInterval> intervals;
    const Nanoseconds end = trace.end();
    for (auto& [key, interval] : byForward) {
        if (interval.end < 0)
            interval.end = end;
        if (trains)
            intervals.push_back(interval);
    }
    std::stable_sort(intervals.begin(), intervals.end(),
                     [](const ActivationInterval& a, const ActivationInterval& b) { return a.begin < b.begin; });
    return intervals;
}

} // namespace

ReplayRun::ReplayRun(RunPtr run, Nanoseconds offset)
    : m_run(std::move(run)), m_offset(offset), m_rows(std::make_shared<const std::vector<TimelineRow>>(rowsOf(*m_run)))
{
    m_devices.resize(std::max(static_cast<std::size_t>(m_run->trace.devices()), m_run->memory.size()));
    for (const TimelineRow& row : *m_rows)
        m_devices[static_cast<std::size_t>(row.device)].rows.push_back(&row);
    if (knowsInFlight())
        indexIntervals();
    indexMemory();
}

void ReplayRun::indexIntervals()
{
    const std::vector<ActivationInterval> intervals =
        m_run->explained() ? activationIntervals(m_run->plan->schedule, m_run->timing, m_run->plan->deltas)
                           : intervalsOfSpans(m_run->trace);
    for (const ActivationInterval& interval : intervals) {
        if (interval.device >= m_devices.size())
            continue;
        DeviceIndex& index = m_devices[interval.device];
        index.intervals.push_back(interval);
        index.longest = std::max(index.longest, interval.end - interval.begin);
    }
}

void ReplayRun::indexMemory()
{
    for (std::size_t device = 0; device < m_run->memory.size(); ++device) {
        std::int64_t most = 0;
        for (const ActivationCurve::Step& step : m_run->memory[device].steps) {
            most = std::max(most, step.live);
            m_devices[device].mostSoFar.push_back(most);
        }
    }
}

std::vector<InFlight> ReplayRun::inFlightAt(const DeviceIndex& index, Nanoseconds time) const
{
    const auto earliest =
        std::partition_point(index.intervals.begin(), index.intervals.end(),
                             [&](const ActivationInterval& interval) { return interval.begin < time - index.longest; });
    std::map<std::pair<int, int>, InFlight> byMicrobatch;
    for (auto interval = earliest; interval != index.intervals.end() && interval->begin <= time; ++interval) {
        if (interval->end <= time)
            continue;
        const Task& forward = interval->forward;
        auto [found, isNew] = byMicrobatch.try_emplace({forward.pipe, forward.microbatch});
        InFlight& entry = found->second;
        if (isNew)
            entry = {forward.pipe, forward.microbatch, interval->begin, interval->end};
        entry.end = std::max(entry.end, interval->end);
    }
    std::vector<InFlight> entries;
    entries.reserve(byMicrobatch.size());
    for (const auto& [key, entry] : byMicrobatch)
        entries.push_back(entry);
    return entries;
}

DeviceMoment ReplayRun::at(int device, Nanoseconds time) const
{
    time -= m_offset;
    DeviceMoment moment;
    const DeviceIndex& index = m_devices[static_cast<std::size_t>(device)];
    for (const TimelineRow* row : index.rows)
        if (const std::size_t bar = firstVisibleBar(*row, time);
            bar < row->bars.solid() && row->bars[bar].start <= time)
            for (const Span& span : row->bars.spansOf(bar))
                moment.running.push_back(span);
    moment.inFlight = inFlightAt(index, time);
    if (static_cast<std::size_t>(device) >= m_run->memory.size())
        return moment;
    const ActivationCurve& curve = m_run->memory[static_cast<std::size_t>(device)];
    const auto step = std::partition_point(curve.steps.begin(), curve.steps.end(),
                                           [time](const ActivationCurve::Step& each) { return each.time <= time; });
    MemoryLevel level;
    level.peak = curve.peakActivations();
    if (const auto passed = static_cast<std::size_t>(step - curve.steps.begin()); passed > 0) {
        level.live = inActivations(curve.steps[passed - 1].live);
        level.mostSoFar = inActivations(index.mostSoFar[passed - 1]);
    }
    moment.memory = level;
    return moment;
}

std::optional<Nanoseconds> ReplayRun::next(Nanoseconds time) const
{
    std::optional<Nanoseconds> nearest;
    for (const TimelineRow& row : *m_rows) {
        const std::size_t bar = firstVisibleBar(row, time - m_offset); // ends after the time
        if (bar >= row.bars.solid())
            continue;
        const Bar found = row.bars[bar];
        const Nanoseconds stop = m_offset + (found.start > time - m_offset ? found.start : found.end);
        nearest = nearest ? std::min(*nearest, stop) : stop;
    }
    return nearest;
}

std::optional<Nanoseconds> ReplayRun::previous(Nanoseconds time) const
{
    std::optional<Nanoseconds> nearest;
    const auto offer = [&nearest](Nanoseconds stop) { nearest = nearest ? std::max(*nearest, stop) : stop; };
    for (const TimelineRow& row : *m_rows) {
        const std::size_t bar = firstVisibleBar(row, time - m_offset - 1); // ends at the time or after it
        if (bar < row.bars.solid() && row.bars[bar].start < time - m_offset)
            offer(m_offset + row.bars[bar].start);
        if (bar > 0)
            offer(m_offset + row.bars[bar - 1].end);
    }
    return nearest;
}

double ReplayRun::memoryLimit() const
{
    return m_run->memory.empty() ? 0 : m_run->experiment.memoryLimit;
}

double ReplayRun::memoryPeak() const
{
    return m_run->peakActivations();
}

std::optional<Nanoseconds> nextStop(const std::vector<ReplayRun>& runs, Nanoseconds time, int by)
{
    std::optional<Nanoseconds> nearest;
    for (const ReplayRun& run : runs)
        if (const auto stop = by > 0 ? run.next(time) : run.previous(time))
            nearest = !nearest ? *stop : by > 0 ? std::min(*nearest, *stop) : std::max(*nearest, *stop);
    return nearest;
}

std::pair<Nanoseconds, Nanoseconds> replayRange(const std::vector<ReplayRun>& runs)
{
    std::pair<Nanoseconds, Nanoseconds> range{0, 0};
    for (std::size_t i = 0; i < runs.size(); ++i) {
        const IdleReport& idle = runs[i].run()->idle;
        const Nanoseconds begin = idle.begin + runs[i].offset();
        const Nanoseconds end = idle.end + runs[i].offset();
        range = i == 0 ? std::pair{begin, end} : std::pair{std::min(range.first, begin), std::max(range.second, end)};
    }
    return range;
}

} // namespace bubblescope::viz
