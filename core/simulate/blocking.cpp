#include "core/simulate/blocking.h"

#include "core/schedule/lower.h"

namespace bubblescope {
namespace {

/// The costs of the lowered program: the same tasks, and each transfer as long as its hop takes.
Costs loweredCosts(const Schedule& schedule, const Lowered& lowered, const Costs& costs)
{
    Costs program = costs;
    program.model = CommModel::Latency;
    program.everyHop = {};
    program.pairs.clear();
    program.perTask.assign(lowered.schedule.tasks.size(), 0);
    for (TaskId id{}; id < schedule.tasks.size(); ++id)
        program.perTask[lowered.newId[id]] = costs.duration(id, schedule.tasks[id]);
    for (std::size_t i = 0; i < lowered.messages.size(); ++i) {
        const Message& message = lowered.messages[i];
        const Hop& hop = costs.hop(message.from, message.to);
        const std::int64_t bytes = costs.messageBytes(message.payload, schedule.tasks[message.producer]);
        program.perTask[lowered.send[i]] = program.perTask[lowered.receive[i]] = hop.latency + hop.occupation(bytes);
    }
    return program;
}

} // namespace

Timing simulateBlocking(const Schedule& schedule, const Costs& costs, SimulateOptions options)
{
    // The program is that of free transfers, whatever they cost here: a fixed program can only get
    // slower when its transfers do.
    Costs order = costs;
    order.model = CommModel::Latency;
    order.everyHop = {};
    order.pairs.clear();
    const Timing free = simulate(schedule, order, options);
    const Lowered lowered = lower(schedule, free.start, free.end, TransferLanes::Compute);
    // Transfers always tie; groups of the schedule itself as the options say.
    Schedule program = lowered.schedule;
    if (!options.tieGroups) {
        program.groups.erase(program.groups.begin(),
                             program.groups.begin() + static_cast<std::ptrdiff_t>(schedule.groups.size()));
        for (const TaskId member : schedule.groupMembers)
            program.tasks[lowered.newId[member]].flags &= ~Task::groupedFlag;
    }
    const Timing ran = simulate(program, loweredCosts(schedule, lowered, costs));
    Timing timing;
    timing.start.resize(schedule.tasks.size());
    timing.end.resize(schedule.tasks.size());
    for (TaskId id{}; id < schedule.tasks.size(); ++id) {
        timing.start[id] = ran.start[lowered.newId[id]];
        timing.end[id] = ran.end[lowered.newId[id]];
    }
    for (std::size_t i = 0; i < lowered.messages.size(); ++i) {
        const Message& message = lowered.messages[i];
        const TaskId send = lowered.send[i];
        timing.transfers.push_back({message.producer, message.from, message.to, message.payload, ran.start[send],
                                    ran.end[send], ran.end[send]});
    }
    timing.begin = ran.begin;
    timing.finish = ran.finish;
    return timing;
}

} // namespace bubblescope
