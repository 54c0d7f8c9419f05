#include "core/schedule/lower.h"

#include "core/schedule/grid.h"

#include <algorithm>
#include <cassert>
#include <tuple>
#include <unordered_map>

namespace bubblescope {
namespace {

/// Tells apart the messages that one (stage, microbatch, …) may send: payload and peer.
Part messagePart(Payload payload, Device peer)
{
    return Part((static_cast<unsigned>(payload) << 12) | peer.value);
}

/// Where each grid task stands, by slot.
std::vector<TaskId> taskOfSlot(const Schedule& schedule, const Grid& grid)
{
    std::vector<TaskId> ids(grid.slots(), noTask);
    for (TaskId id{}; id < schedule.tasks.size(); ++id)
        if (grid.contains(schedule.tasks[id]))
            ids[grid.slot(schedule.tasks[id])] = id;
    return ids;
}

/// A transfer task to be put into a lane.
struct Insertion {
    TaskId before{};        // id of the original; the lane's end puts it last
    std::uint32_t order;    // position in the global order
    std::uint32_t message;
    bool send;
};

/// Writes one lane of the lowered schedule: the original tasks with the insertions among them.
void writeLane(const Schedule& from, const Lane& lane, std::vector<Insertion>& insertions, Lowered& out)
{
    std::stable_sort(insertions.begin(), insertions.end(), [](const Insertion& a, const Insertion& b) {
        return std::tie(a.before.value, a.order) < std::tie(b.before.value, b.order);
    });
    Schedule& to = out.schedule;
    Lane copy = lane;
    copy.begin = TaskId(to.tasks.size());
    auto next = insertions.begin();
    const auto insertUpTo = [&](TaskId id) {
        for (; next != insertions.end() && next->before <= id; ++next) {
            const Message& message = out.messages[next->message];
            Task task = from.tasks[message.producer];
            task.work = next->send ? Work::Send : Work::Receive;
            task.part = messagePart(message.payload, next->send ? message.to : message.from);
            task.flags = 0;
            (next->send ? out.send : out.receive)[next->message] = TaskId(to.tasks.size());
            to.tasks.push_back(task);
        }
    };
    for (TaskId id = lane.begin; id < lane.end; ++id) {
        insertUpTo(id);
        out.newId[id] = TaskId(to.tasks.size());
        to.tasks.push_back(from.tasks[id]);
    }
    insertUpTo(lane.end);
    copy.end = TaskId(to.tasks.size());
    to.lanes.push_back(copy);
}

/// Everything but tasks and lanes: sizes, semantics, and edges and groups under their new ids.
void copyRest(const Schedule& from, Lowered& out)
{
    Schedule& to = out.schedule;
    to.shape = from.shape;
    to.paths = from.paths;
    to.pathOfMicrobatch = from.pathOfMicrobatch;
    to.placement = from.placement;
    to.semantics = from.semantics;
    to.dataflow.grid = from.dataflow.grid;
    for (const Edge& edge : from.dataflow.edges)
        to.dataflow.edges.push_back({out.newId[edge.from], out.newId[edge.to], edge.payload});
    to.groups = from.groups;
    for (const TaskId member : from.groupMembers)
        to.groupMembers.push_back(out.newId[member]);
}

void tieTransfers(Lowered& out)
{
    Schedule& to = out.schedule;
    for (std::size_t i = 0; i < out.messages.size(); ++i) {
        const auto begin = static_cast<std::uint32_t>(to.groupMembers.size());
        for (const TaskId id : {out.send[i], out.receive[i]}) {
            to.tasks[id].flags |= Task::groupedFlag;
            to.groupMembers.push_back(id);
        }
        to.groups.push_back({begin, begin + 2});
    }
}

/// Transfers on lanes of their own need edges: producer → send, receive → consumer.
void linkTransfers(Lowered& out)
{
    Schedule& to = out.schedule;
    for (std::size_t i = 0; i < out.messages.size(); ++i) {
        to.dataflow.edges.push_back({out.newId[out.messages[i].producer], out.send[i], Payload::None});
        to.dataflow.edges.push_back({out.receive[i], out.newId[out.messages[i].consumer], Payload::None});
    }
}

} // namespace

std::vector<Message> messagesOf(const Schedule& schedule)
{
    const Grid grid(schedule);
    const std::vector<TaskId> ids = taskOfSlot(schedule, grid);
    std::vector<Device> device(schedule.tasks.size());
    for (const Lane& lane : schedule.lanes)
        for (TaskId id = lane.begin; id < lane.end; ++id)
            device[id] = lane.device;
    std::unordered_map<std::uint64_t, std::size_t> known; // (producer, device) → message
    std::vector<Message> messages;
    const auto add = [&](TaskId from, TaskId to, Payload payload) {
        if (from == noTask || to == noTask || !travels(payload) || device[from] == device[to])
            return;
        const auto [entry, isNew] = known.try_emplace((std::uint64_t{from.value} << 16) | device[to].value, messages.size());
        if (isNew)
            messages.push_back({from, to, device[from], device[to], payload});
        else if (to < messages[entry->second].consumer)
            messages[entry->second].consumer = to;
    };
    for (TaskId id{}; id < schedule.tasks.size(); ++id)
        if (schedule.dataflow.grid && grid.contains(schedule.tasks[id]))
            grid.forEachPredecessor(schedule.tasks[id], [&](std::uint32_t slot, Payload payload) { add(ids[slot], id, payload); });
    for (const Edge& edge : schedule.dataflow.edges)
        add(edge.from, edge.to, edge.payload);
    std::sort(messages.begin(), messages.end(), [](const Message& a, const Message& b) {
        return std::tie(a.producer.value, a.to.value) < std::tie(b.producer.value, b.to.value);
    });
    return messages;
}

Lowered lower(const Schedule& schedule, const std::vector<Nanoseconds>& start, const std::vector<Nanoseconds>& end, TransferLanes lanes)
{
    assert(start.size() == schedule.tasks.size() && end.size() == schedule.tasks.size());
    Lowered out;
    out.messages = messagesOf(schedule);
    std::sort(out.messages.begin(), out.messages.end(), [&](const Message& a, const Message& b) {
        return std::tuple(end[a.producer], a.from.value, a.to.value, schedule.tasks[a.producer].key()) <
               std::tuple(end[b.producer], b.from.value, b.to.value, schedule.tasks[b.producer].key());
    });
    out.send.assign(out.messages.size(), noTask);
    out.receive.assign(out.messages.size(), noTask);
    out.newId.assign(schedule.tasks.size(), noTask);

    // Every device's transfers, in the global order. On the compute lane a send stands after its
    // producer's unit and a receive before the first unit that starts at or after that moment.
    std::vector<std::vector<Insertion>> insertions(schedule.lanes.size());
    if (lanes == TransferLanes::Compute) {
        for (std::uint32_t i = 0; i < out.messages.size(); ++i) {
            const Message& message = out.messages[i];
            const LaneId producer = schedule.laneOf(message.producer);
            const LaneId consumer = schedule.laneOf(message.consumer);
            TaskId unit = message.producer;
            while (schedule.tasks[unit].joined())
                ++unit;
            insertions[producer].push_back({TaskId(unit + 1), i, i, true});
            const Lane& lane = schedule.lanes[consumer];
            TaskId first = TaskId(std::lower_bound(start.begin() + lane.begin, start.begin() + lane.end, end[message.producer]) - start.begin());
            insertions[consumer].push_back({std::min(first, message.consumer), i, i, false});
        }
    }
    for (std::size_t lane = 0; lane < schedule.lanes.size(); ++lane)
        writeLane(schedule, schedule.lanes[lane], insertions[lane], out);
    if (lanes == TransferLanes::Own) {
        std::vector<std::pair<Lane, std::vector<Insertion>>> own;
        const auto ownLane = [&](Device device, LaneKind kind) -> std::vector<Insertion>& {
            for (auto& [lane, list] : own)
                if (lane.device == device && lane.kind == kind)
                    return list;
            own.push_back({Lane{device, kind, 0, TaskId{}, TaskId{}}, {}});
            return own.back().second;
        };
        for (std::uint32_t i = 0; i < out.messages.size(); ++i) {
            ownLane(out.messages[i].from, LaneKind::Send).push_back({TaskId{}, i, i, true});
            ownLane(out.messages[i].to, LaneKind::Receive).push_back({TaskId{}, i, i, false});
        }
        std::sort(own.begin(), own.end(), [](const auto& a, const auto& b) {
            return std::pair(a.first.device.value, a.first.kind) < std::pair(b.first.device.value, b.first.kind);
        });
        for (auto& [lane, list] : own)
            writeLane(schedule, lane, list, out);
    }
    copyRest(schedule, out);
    if (lanes == TransferLanes::Own)
        linkTransfers(out);
    tieTransfers(out);
    std::stable_sort(out.schedule.dataflow.edges.begin(), out.schedule.dataflow.edges.end(),
                     [](const Edge& a, const Edge& b) { return a.to < b.to; });
    return out;
}

} // namespace bubblescope
