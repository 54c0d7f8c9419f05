#include "core/trace/trace.h"

#include "core/base/error.h"
#include "core/schedule/ordinals.h"
#include "core/schedule/versions.h"
#include "core/trace/trace_sink.h"

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <tuple>

namespace bubblescope {
namespace {

/// Send and receive are told apart by what they carry and to whom, as in lower().
Part messagePart(Payload payload, Device peer)
{
    return Part((static_cast<unsigned>(payload) << 12) | peer.value);
}

Task transferTask(const Task& producer, Work work, Payload payload, Device peer)
{
    Task task = producer;
    task.work = work;
    task.part = messagePart(payload, peer);
    task.flags = 0;
    return task;
}

TraceLane& laneFor(std::vector<TraceLane>& lanes, Device device, LaneKind kind)
{
    const auto found = std::find_if(lanes.begin(), lanes.end(), [&](const TraceLane& lane) {
        return lane.device == device && lane.kind == kind && lane.index == 0;
    });
    return found != lanes.end() ? *found : lanes.emplace_back(TraceLane{device, kind, 0, {}, {}});
}

void addTransfers(const Schedule& schedule, const Timing& timing, Trace& trace)
{
    trace.links.reserve(timing.transfers.size());
    for (const Transfer& transfer : timing.transfers) {
        const Task& producer = schedule.tasks[transfer.producer];
        const auto add = [&](Device device, LaneKind kind, Work work, Device peer) {
            laneFor(trace.lanes, device, kind)
                .spans.push_back(
                    {transfer.start, transfer.end, transferTask(producer, work, transfer.payload, peer), 0});
        };
        add(transfer.from, LaneKind::Send, Work::Send, transfer.to);
        add(transfer.to, LaneKind::Receive, Work::Receive, transfer.from);
        trace.links.push_back({transfer.from, transfer.to, producer, transfer.start, transfer.arrival, 0});
    }
    for (TraceLane& lane : trace.lanes)
        if (lane.kind == LaneKind::Send || lane.kind == LaneKind::Receive)
            std::stable_sort(lane.spans.begin(), lane.spans.end(),
                             [](const Span& a, const Span& b) { return a.start < b.start; });
    sortLanes(trace.lanes);
}

/// Finds tasks of a schedule by their identity in one of the trace's steps.
class TaskFinder {
public:
    TaskFinder(const Schedule& schedule, int step) : m_schedule(schedule), m_ordinals(schedule), m_step(step) {}

    /// The task as the first step has it. See repeatSteps().
    Task inFirstStep(Task task) const
    {
        task.microbatch = Microbatch(task.microbatch - m_step * m_schedule.shape.steps * m_ordinals.perStep(task));
        return task;
    }

    /// `hint` is where it stands when the trace has the order of the schedule.
    TaskId find(const Task& task, TaskId hint)
    {
        if (hint < m_schedule.tasks.size() && m_schedule.tasks[hint] == task)
            return hint;
        if (m_index.empty())
            makeIndex();
        const auto found =
            std::lower_bound(m_index.begin(), m_index.end(), task,
                             [this](TaskId id, const Task& wanted) { return m_schedule.tasks[id] < wanted; });
        return found != m_index.end() && m_schedule.tasks[*found] == task ? *found : noTask;
    }

private:
    void makeIndex()
    {
        m_index.reserve(m_schedule.tasks.size());
        for (std::uint32_t id = 0; id < m_schedule.tasks.size(); ++id)
            m_index.emplace_back(id);
        std::sort(m_index.begin(), m_index.end(),
                  [this](TaskId a, TaskId b) { return m_schedule.tasks[a] < m_schedule.tasks[b]; });
    }

    const Schedule& m_schedule;
    const Ordinals m_ordinals;
    int m_step;
    std::vector<TaskId> m_index; // by identity; made when an order differs
};

constexpr Nanoseconds missing = std::numeric_limits<Nanoseconds>::lowest();

void takeSpans(const Trace& trace, const Schedule& schedule, TaskFinder& finder, Timing& timing)
{
    for (const TraceLane& lane : trace.lanes) {
        TaskId hint = noTask;
        for (const Span& span : lane.spans) {
            if (span.name != 0)
                continue;
            const Task task = finder.inFirstStep(span.task);
            const TaskId id = finder.find(task, hint);
            if (id >= schedule.tasks.size())
                continue; // another step, or a transfer that the schedule doesn't list
            hint = TaskId(id + 1);
            if (timing.start[id] != missing)
                continue; // repeated after a rollback: at its place in the order is the first
            timing.start[id] = span.start;
            timing.end[id] = span.end;
        }
    }
}

/// Occupations of send lanes by (device, task), to tell the end of a transfer from its arrival.
using SendEnds = std::map<std::tuple<std::uint16_t, Nanoseconds, std::pair<std::uint64_t, std::uint64_t>>, Nanoseconds>;

SendEnds sendEnds(const Trace& trace)
{
    SendEnds ends;
    for (const TraceLane& lane : trace.lanes)
        if (lane.kind == LaneKind::Send)
            for (const Span& span : lane.spans)
                if (span.name == 0)
                    ends[{lane.device.value, span.start, span.task.key()}] = span.end;
    return ends;
}

void takeLinks(const Trace& trace, TaskFinder& finder, Timing& timing)
{
    if (trace.links.empty())
        return;
    const SendEnds ends = sendEnds(trace);
    for (const Link& link : trace.links) {
        const TaskId producer = finder.find(finder.inFirstStep(link.producer), noTask);
        if (producer == noTask)
            continue;
        const Payload usual = propagatesGradient(link.producer.work) ? Payload::Gradient : Payload::Activation;
        Transfer transfer{producer, link.from, link.to, usual, link.sent, link.arrived, link.arrived};
        for (const Payload payload : {usual, Payload::KeyValue}) {
            const Task send = transferTask(link.producer, Work::Send, payload, link.to);
            const auto found = ends.find({link.from.value, link.sent, send.key()});
            if (found == ends.end())
                continue;
            transfer.payload = payload;
            transfer.end = found->second;
            break;
        }
        timing.transfers.push_back(transfer);
    }
}

} // namespace

int Trace::devices() const
{
    int count = 0;
    for (const TraceLane& lane : lanes)
        count = std::max(count, lane.device + 1);
    return count;
}

Nanoseconds Trace::begin() const
{
    Nanoseconds earliest = std::numeric_limits<Nanoseconds>::max();
    for (const TraceLane& lane : lanes)
        if (!lane.spans.empty())
            earliest = std::min(earliest, lane.spans.front().start); // spans are by start
    return earliest == std::numeric_limits<Nanoseconds>::max() ? 0 : earliest;
}

Nanoseconds Trace::end() const
{
    Nanoseconds latest = std::numeric_limits<Nanoseconds>::lowest();
    for (const TraceLane& lane : lanes)
        for (const Span& span : lane.spans)
            latest = std::max(latest, span.end);
    return latest == std::numeric_limits<Nanoseconds>::lowest() ? 0 : latest;
}

std::size_t Trace::spanCount() const
{
    std::size_t count = 0;
    for (const TraceLane& lane : lanes)
        count += lane.spans.size();
    return count;
}

const char* runLabelText(RunLabel label)
{
    static constexpr std::array texts = {"predicted", "measured", "measured work, replayed overlap",
                                         "emulated",  "recorded", "imported"};
    return texts.at(static_cast<std::size_t>(label));
}

Trace traceOf(const Schedule& schedule, const Timing& timing)
{
    Trace trace;
    trace.lanes.reserve(schedule.lanes.size());
    std::vector<std::int32_t> versions;
    if (asynchronous(schedule))
        versions = versionsRead(schedule, TaskIndex(schedule));
    for (const Lane& lane : schedule.lanes) {
        TraceLane& into = trace.lanes.emplace_back(TraceLane{lane.device, lane.kind, lane.index, {}, {}});
        into.spans.reserve(lane.size());
        for (TaskId id = lane.begin; id < lane.end; ++id)
            into.spans.push_back(
                {timing.start[id], timing.end[id], schedule.tasks[id], 0, versions.empty() ? noVersion : versions[id]});
    }
    if (!timing.transfers.empty())
        addTransfers(schedule, timing, trace);
    return trace;
}

Timing timingOf(const Trace& trace, const Schedule& schedule, int step)
{
    Timing timing;
    timing.start.assign(schedule.tasks.size(), missing);
    timing.end.assign(schedule.tasks.size(), missing);
    TaskFinder finder(schedule, step);
    takeSpans(trace, schedule, finder, timing);
    const auto lost = std::find(timing.start.begin(), timing.start.end(), missing);
    if (lost != timing.start.end()) {
        const TaskId id(lost - timing.start.begin());
        throw Error(
            "The trace holds no span of {} (device {}, step {} counted from 0), so it is not a whole trace of this "
            "schedule.",
            toText(schedule.tasks[id]), schedule.deviceOf(id).value, step);
    }
    if (!timing.start.empty()) {
        timing.begin = *std::min_element(timing.start.begin(), timing.start.end());
        timing.finish = *std::max_element(timing.end.begin(), timing.end.end());
    }
    takeLinks(trace, finder, timing);
    return timing;
}

} // namespace bubblescope
