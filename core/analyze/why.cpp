// The walk and the sentences of the inspector.

#include "core/analyze/why.h"

#include "core/analyze/text.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>

namespace bubblescope {

namespace {

/// Live activations at a moment: the last step at or before it.
std::int64_t liveAt(const ActivationCurve& curve, Nanoseconds time)
{
    const auto after =
        std::upper_bound(curve.steps.begin(), curve.steps.end(), time,
                         [](Nanoseconds moment, const ActivationCurve::Step& step) { return moment < step.time; });
    return after == curve.steps.begin() ? 0 : std::prev(after)->live;
}

} // namespace

void markHeldBack(const Schedule& schedule, const WaitGraph& graph, const ActivationDeltas& deltas, double limit,
                  IdleReport& report)
{
    const std::vector<ActivationCurve> curves = activationCurves(schedule, graph.timing(), deltas, true);
    const std::int64_t takes = deltas.of[static_cast<std::size_t>(Work::Forward)].atStart;
    for (Gap& gap : report.gaps) {
        gap.heldBack = false;
        if (gap.before == noTask)
            continue;
        const Lane& lane = schedule.lanes[schedule.laneOf(gap.before)];
        auto forward = TaskId(gap.before + 1);
        while (forward < lane.end && schedule.tasks[forward].work != Work::Forward)
            ++forward;
        if (forward >= lane.end || schedule.tasks[gap.before].work == Work::Forward)
            continue;
        const ActivationCurve& curve = curves[gap.device];
        const double with = static_cast<double>(liveAt(curve, gap.start) * curve.parts + takes) /
                            static_cast<double>(ActivationDeltas::one * curve.parts);
        gap.heldBack = graph.inputsReady(forward) < gap.end && with > limit;
    }
}

Why why(const Schedule& schedule, const WaitGraph& graph, const std::vector<Nanoseconds>& slack, const Gap& gap)
{
    Why why;
    why.cause = gap.mainCause();
    why.chain = graph.chain(gap);
    if (!why.chain.empty())
        why.waitsFor = why.chain.front();
    std::map<std::uint16_t, Nanoseconds> byDevice;
    for (const ChainTile& tile : why.chain)
        if (tile.kind != ChainTile::Kind::Arrival)
            byDevice[tile.device] += tile.length();
    for (const auto& [device, time] : byDevice)
        if (time > why.lateTime) {
            why.late = Device(device);
            why.lateTime = time;
        }
    if (gap.before != noTask && gap.before < schedule.tasks.size())
        why.slack = slack[gap.before];
    return why;
}

namespace {

std::string waitText(const Schedule& schedule, const ChainTile& tile)
{
    std::string task = tile.task == noTask ? "?" : toText(schedule.tasks[tile.task]);
    switch (tile.kind) {
    case ChainTile::Kind::Task:
        return fmt::format("the end of {} on device {}", task, tile.device.value);
    case ChainTile::Kind::Transfer:
        return fmt::format("the result of {}, on its way from device {}", task, tile.device.value);
    case ChainTile::Kind::GroupMember:
        return fmt::format("{}, which several devices do together", task);
    case ChainTile::Kind::Copy:
        return fmt::format("the copy {} on device {}", task, tile.device.value);
    case ChainTile::Kind::Arrival:
        return fmt::format("the data of {} to arrive", task);
    case ChainTile::Kind::Overhead:
        return fmt::format("nothing that is recorded: {} could have begun {} earlier", task, timeText(tile.length()));
    }
    return task;
}

std::string causesText(const Gap& gap)
{
    std::string text;
    for (std::size_t i = 0; i < gap.cause.size(); ++i)
        if (gap.cause[i] > 0) {
            const auto cause = static_cast<IdleCause>(i);
            text += fmt::format("{}{} {} ({})", text.empty() ? "" : "; ", idleCauseName(cause), timeText(gap.cause[i]),
                                idleCauseMeaning(cause));
        }
    return text;
}

} // namespace

std::string whyText(const Schedule& schedule, const Why& why, const Gap& gap)
{
    const std::string next = gap.before == noTask ? "the end of the run" : toText(schedule.tasks[gap.before]);
    std::string text = fmt::format("Device {} is idle for {} before {}, from {} to {}.\n", gap.device.value,
                                   timeText(gap.length()), next, timeText(gap.start), timeText(gap.end));
    text += fmt::format("Why: {}.\n", causesText(gap));
    if (gap.heldBack)
        text += "A later forward was ready, but with it the device would have passed the memory limit.\n";
    if (!why.chain.empty())
        text += fmt::format("It waits for {}.\n", waitText(schedule, why.waitsFor));
    if (why.lateTime > 0)
        text += fmt::format("Device {} is what it waits for longest: {} of {}.\n", why.late.value,
                            timeText(why.lateTime), timeText(gap.length()));
    if (gap.before == noTask)
        return text;
    if (why.slack > 0)
        text +=
            fmt::format("{} could begin another {} later before the end moves: filling this gap alone gains nothing.\n",
                        next, timeText(why.slack));
    else
        text += fmt::format("{} is on the critical path: if it began earlier, the run could end earlier.\n", next);
    return text;
}

std::string whyText(const Schedule& schedule, const Costs& costs, const Timing& timing, const Gap& gap)
{
    const WaitGraph graph(schedule, costs, timing);
    return whyText(schedule, why(schedule, graph, graph.slack(), gap), gap);
}

} // namespace bubblescope
