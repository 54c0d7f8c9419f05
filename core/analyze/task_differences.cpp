#include "core/analyze/task_differences.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <tuple>

namespace bubblescope {
namespace {

/// How one trace divides the work.
struct Division {
    int stages = 0;
    int slices = 0;
    std::vector<int> first; ///< by pipe: its lowest microbatch
    std::vector<int> count; ///< by pipe: its microbatches
    bool splits = false;    ///< has I and W
    bool whole = false;     ///< has B

    int pipes() const { return static_cast<int>(count.size()); }
};

template <class Visitor>
void forEachTask(const Trace& trace, Visitor&& visit)
{
    for (const TraceLane& lane : trace.lanes) {
        if (lane.kind != LaneKind::Compute)
            continue;
        Nanoseconds reached = trace.begin();
        for (const Span& span : lane.spans) {
            if (span.name == 0 && isCompute(span.task.work))
                visit(lane, span, std::max<Nanoseconds>(0, span.start - reached));
            reached = std::max(reached, span.end);
        }
    }
}

Division divisionOf(const Trace& trace)
{
    Division division;
    std::vector<std::pair<int, int>> range; // by pipe
    forEachTask(trace, [&](const TraceLane&, const Span& span, Nanoseconds) {
        const Task& task = span.task;
        if (!onGrid(task.work))
            return;
        division.stages = std::max(division.stages, task.stage + 1);
        division.slices = std::max(division.slices, task.slice + 1);
        division.splits = division.splits || task.work == Work::InputGradient;
        division.whole = division.whole || task.work == Work::Backward;
        const int microbatch = task.microbatch;
        while (range.size() <= task.pipe)
            range.emplace_back(microbatch, microbatch);
        auto& [lowest, highest] = range[task.pipe];
        lowest = std::min(lowest, microbatch);
        highest = std::max(highest, microbatch);
    });
    for (const auto& [lowest, highest] : range) {
        division.first.push_back(lowest);
        division.count.push_back(highest - lowest + 1);
    }
    return division;
}

/// What of a task's identity counts in the comparison.
struct Rule {
    int stagesTogether = 1;
    bool joinSlices = false;
    bool countPipes = false;

    Task operator()(Task task, const Division& division) const
    {
        const std::size_t pipe = task.pipe;
        if (pipe < division.first.size() && onGrid(task.work)) {
            int number = task.microbatch - division.first[pipe];
            for (std::size_t before = 0; countPipes && before < pipe; ++before)
                number += division.count[before];
            task.microbatch = Microbatch(number);
        }
        task.pipe = countPipes ? Pipe() : task.pipe;
        task.slice = joinSlices ? Slice() : task.slice;
        task.stage = Stage(task.stage / stagesTogether);
        task.work = task.work == Work::Backward ? Work::InputGradient : task.work;
        task.flags = 0;
        return task;
    }
};

void add(std::optional<TaskTimes>& times, Device device, const Span& span, Nanoseconds idleBefore)
{
    if (!times) {
        times = TaskTimes{device, span.start, span.end, span.duration(), idleBefore};
        return;
    }
    if (span.start < times->start) {
        times->device = device;
        times->idleBefore = idleBefore;
    }
    times->start = std::min(times->start, span.start);
    times->end = std::max(times->end, span.end);
    times->duration += span.duration();
}

/// How many stages of the finer run make one of the coarser; 1 where that doesn't come out even.
int stagesTogether(int own, int other)
{
    return other > 0 && own > other && own % other == 0 ? own / other : 1;
}

std::string plural(int count, const char* what)
{
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : "s");
}

void remarkOnStages(const Division& a, const Division& b, std::vector<std::string>& remarks)
{
    if (a.stages == b.stages || a.stages == 0 || b.stages == 0)
        return;
    const bool finerB = b.stages > a.stages;
    const int together = finerB ? stagesTogether(b.stages, a.stages) : stagesTogether(a.stages, b.stages);
    const std::string counts = fmt::format("A has {}, B has {}", plural(a.stages, "stage"), plural(b.stages, "stage"));
    if (together > 1)
        remarks.push_back(fmt::format("{}: {} stages of {} together are set against one of {}.", counts, together,
                                      finerB ? "B" : "A", finerB ? "A" : "B"));
    else
        remarks.push_back(fmt::format("{}: stages of the same number are compared, although they hold different "
                                      "layers, and the others have no partner.",
                                      counts));
}

std::vector<std::string> remarksOn(const Division& a, const Division& b, const TaskDifferences& result)
{
    std::vector<std::string> remarks;
    if (a.stages == 0 || b.stages == 0) {
        remarks.push_back(fmt::format("{} names no stages and microbatches, so tasks can't be matched.",
                                      a.stages == 0 && b.stages == 0 ? "Neither run"
                                      : a.stages == 0                ? "Run A"
                                                                     : "Run B"));
        return remarks;
    }
    if (a.splits != b.splits)
        remarks.push_back(
            fmt::format("{} computes both gradients in one task, {} in two: B is set against I, and W has "
                        "no partner.",
                        a.splits ? "B" : "A", a.splits ? "A" : "B"));
    remarkOnStages(a, b, remarks);
    if (a.slices != b.slices)
        remarks.push_back("The runs cut microbatches into slices differently: whole microbatches are compared.");
    if (a.pipes() != b.pipes())
        remarks.push_back(fmt::format("A has {}, B has {}: microbatches are counted through the pipes, pipe 0 first.",
                                      plural(a.pipes(), "pipe"), plural(b.pipes(), "pipe")));
    if (result.onlyA > 0 || result.onlyB > 0)
        remarks.push_back(fmt::format("{} only in A and {} only in B have no partner.",
                                      plural(static_cast<int>(result.onlyA), "task"),
                                      plural(static_cast<int>(result.onlyB), "task")));
    return remarks;
}

} // namespace

TaskDifferences compareTasks(const Trace& a, const Trace& b)
{
    const Division divisionA = divisionOf(a);
    const Division divisionB = divisionOf(b);
    Rule rule;
    rule.joinSlices = divisionA.slices != divisionB.slices;
    rule.countPipes = divisionA.pipes() != divisionB.pipes();
    Rule ruleA = rule;
    Rule ruleB = rule;
    ruleA.stagesTogether = stagesTogether(divisionA.stages, divisionB.stages);
    ruleB.stagesTogether = stagesTogether(divisionB.stages, divisionA.stages);

    using Key = std::tuple<int, int, int, std::pair<std::uint64_t, std::uint64_t>>; // work, stage, microbatch, the rest
    const auto keyOf = [](const Task& task) {
        return Key(static_cast<int>(task.work), task.stage, task.microbatch, task.key());
    };
    std::map<Key, TaskDifference> found;
    forEachTask(a, [&](const TraceLane& lane, const Span& span, Nanoseconds idleBefore) {
        const Task task = ruleA(span.task, divisionA);
        TaskDifference& difference = found[keyOf(task)];
        difference.task = task;
        add(difference.a, lane.device, span, idleBefore);
    });
    forEachTask(b, [&](const TraceLane& lane, const Span& span, Nanoseconds idleBefore) {
        const Task task = ruleB(span.task, divisionB);
        TaskDifference& difference = found[keyOf(task)];
        difference.task = task;
        add(difference.b, lane.device, span, idleBefore);
    });

    TaskDifferences result;
    result.tasks.reserve(found.size());
    const bool bothWhole = !divisionA.splits && !divisionB.splits;
    for (auto& [key, difference] : found) {
        if (bothWhole && difference.task.work == Work::InputGradient)
            difference.task.work = Work::Backward; // what both call it
        result.matched += difference.matched() ? 1 : 0;
        result.onlyA += difference.b ? 0 : 1;
        result.onlyB += difference.a ? 0 : 1;
        result.tasks.push_back(difference);
    }
    result.remarks = remarksOn(divisionA, divisionB, result);
    return result;
}

std::vector<DeviceDifference> compareDevices(const IdleReport& a, const IdleReport& b)
{
    std::vector<DeviceDifference> devices(std::max(a.devices.size(), b.devices.size()));
    for (std::size_t device = 0; device < devices.size(); ++device) {
        devices[device].device = static_cast<int>(device);
        if (device < a.devices.size())
            devices[device].a = a.devices[device];
        if (device < b.devices.size())
            devices[device].b = b.devices[device];
    }
    return devices;
}

std::vector<FilledBubble> filledBubbles(const IdleReport& idle, const Trace& working)
{
    std::vector<const TraceLane*> laneOf;
    for (const TraceLane& lane : working.lanes)
        if (lane.kind == LaneKind::Compute && lane.index == 0) {
            laneOf.resize(std::max<std::size_t>(laneOf.size(), lane.device + 1U), nullptr);
            laneOf[lane.device] = &lane;
        }
    std::vector<FilledBubble> bubbles;
    for (const Gap& gap : idle.gaps) {
        if (gap.device >= laneOf.size() || laneOf[gap.device] == nullptr)
            continue;
        const std::vector<Span>& spans = laneOf[gap.device]->spans;
        FilledBubble bubble;
        bubble.gap = gap;
        Nanoseconds reached = gap.start; // a joined unit counts once
        const auto first =
            std::partition_point(spans.begin(), spans.end(), [&](const Span& span) { return span.end <= gap.start; });
        for (auto span = first; span != spans.end() && span->start < gap.end; ++span) {
            const Nanoseconds start = std::max(span->start, gap.start);
            const Nanoseconds end = std::min(span->end, gap.end);
            if (end <= start)
                continue;
            bubble.by.push_back({span->task, start, end});
            bubble.filled += std::max<Nanoseconds>(0, end - std::max(start, reached));
            reached = std::max(reached, end);
        }
        if (bubble.filled > 0)
            bubbles.push_back(std::move(bubble));
    }
    std::stable_sort(bubbles.begin(), bubbles.end(),
                     [](const FilledBubble& a, const FilledBubble& b) { return a.filled > b.filled; });
    return bubbles;
}

} // namespace bubblescope
