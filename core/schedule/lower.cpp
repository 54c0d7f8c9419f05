#include "core/schedule/lower.h"

#include "core/schedule/deadlock.h"
#include "core/schedule/grid.h"

#include <algorithm>
#include <cassert>
#include <map>
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
    TaskId before{};     // id of the original; the lane's end puts it last
    std::uint32_t order; // position in the global order
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
    to.slicing = from.slicing;
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

/// A send and a receive lane for every device that has messages, with all of them in the global order.
void addTransferLanes(const std::vector<Message>& messages, std::vector<std::pair<Lane, std::vector<Insertion>>>& lanes)
{
    std::map<std::pair<std::uint16_t, LaneKind>, std::vector<Insertion>> own;
    for (std::uint32_t i = 0; i < messages.size(); ++i) {
        own[{messages[i].from.value, LaneKind::Send}].push_back({TaskId{}, i, i, true});
        own[{messages[i].to.value, LaneKind::Receive}].push_back({TaskId{}, i, i, false});
    }
    for (auto& [key, list] : own)
        lanes.emplace_back(Lane{Device(key.first), key.second, 0, TaskId{}, TaskId{}}, std::move(list));
}

/// By task: what comes first where both fall on one moment. Needed (not empty) only where a producer takes no time.
std::vector<std::uint32_t> tieBreak(const Schedule& schedule, const std::vector<Message>& messages,
                                    const std::vector<Nanoseconds>& start, const std::vector<Nanoseconds>& end)
{
    const bool instant = std::any_of(messages.begin(), messages.end(), [&](const Message& message) {
        return start[message.producer] == end[message.producer];
    });
    return instant ? completionOrder(schedule) : std::vector<std::uint32_t>();
}

/// One insertion per message on the compute lanes of its two ends (see the head of lower.h).
std::vector<std::vector<Insertion>> insertOnCompute(const Schedule& schedule, const std::vector<Message>& messages,
                                                    const std::vector<Nanoseconds>& start,
                                                    const std::vector<Nanoseconds>& end,
                                                    const std::vector<std::uint32_t>& ties)
{
    std::vector<std::vector<Insertion>> insertions(schedule.lanes.size());
    for (std::uint32_t i = 0; i < messages.size(); ++i) {
        const Message& message = messages[i];
        TaskId unit = message.producer;
        while (schedule.tasks[unit].joined())
            ++unit;
        insertions[schedule.laneOf(message.producer)].push_back({TaskId(unit + 1), i, i, true});
        const LaneId consumer = schedule.laneOf(message.consumer);
        const Lane& lane = schedule.lanes[consumer];
        auto first = std::lower_bound(start.begin() + lane.begin, start.begin() + lane.end, end[message.producer]);
        const auto earlier = [&](auto at) { // at the same moment, and what the producer waits for may be among it
            return !ties.empty() && *at == end[message.producer] &&
                   ties[static_cast<std::size_t>(at - start.begin())] < ties[message.producer];
        };
        while (first != start.begin() + lane.end && earlier(first))
            ++first;
        insertions[consumer].push_back({TaskId(first - start.begin()), i, i, false});
    }
    return insertions;
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
        const auto [entry, isNew] =
            known.try_emplace((std::uint64_t{from.value} << 16) | device[to].value, messages.size());
        if (isNew)
            messages.push_back({from, to, device[from], device[to], payload});
        else if (to < messages[entry->second].consumer)
            messages[entry->second].consumer = to;
    };
    for (TaskId id{}; id < schedule.tasks.size(); ++id)
        if (schedule.dataflow.grid && grid.contains(schedule.tasks[id]))
            grid.forEachPredecessor(schedule.tasks[id],
                                    [&](std::uint32_t slot, Payload payload) { add(ids[slot], id, payload); });
    for (const Edge& edge : schedule.dataflow.edges)
        add(edge.from, edge.to, edge.payload);
    std::sort(messages.begin(), messages.end(), [](const Message& a, const Message& b) {
        return std::tie(a.producer.value, a.to.value) < std::tie(b.producer.value, b.to.value);
    });
    return messages;
}

Lowered lower(const Schedule& schedule, const std::vector<Nanoseconds>& start, const std::vector<Nanoseconds>& end,
              TransferLanes lanes)
{
    assert(start.size() == schedule.tasks.size() && end.size() == schedule.tasks.size());
    Lowered out;
    out.messages = messagesOf(schedule);
    const std::vector<std::uint32_t> ties = tieBreak(schedule, out.messages, start, end);
    const auto order = [&](const Message& message) {
        return std::tuple(end[message.producer], ties.empty() ? 0 : ties[message.producer], message.from.value,
                          message.to.value, schedule.tasks[message.producer].key());
    };
    std::sort(out.messages.begin(), out.messages.end(),
              [&](const Message& a, const Message& b) { return order(a) < order(b); });
    out.send.assign(out.messages.size(), noTask);
    out.receive.assign(out.messages.size(), noTask);
    out.newId.assign(schedule.tasks.size(), noTask);

    auto insertions = lanes == TransferLanes::Compute ? insertOnCompute(schedule, out.messages, start, end, ties)
                                                      : std::vector<std::vector<Insertion>>(schedule.lanes.size());
    std::vector<std::pair<Lane, std::vector<Insertion>>> written;
    for (std::size_t lane = 0; lane < schedule.lanes.size(); ++lane)
        written.emplace_back(schedule.lanes[lane], std::move(insertions[lane]));
    if (lanes == TransferLanes::Own)
        addTransferLanes(out.messages, written);
    std::sort(written.begin(), written.end(), [](const auto& a, const auto& b) {
        const auto key = [](const Lane& lane) { return std::tuple(lane.device.value, lane.kind, lane.index); };
        return key(a.first) < key(b.first);
    });
    for (auto& [lane, list] : written)
        writeLane(schedule, lane, list, out);
    copyRest(schedule, out);
    if (lanes == TransferLanes::Own)
        linkTransfers(out);
    tieTransfers(out);
    std::stable_sort(out.schedule.dataflow.edges.begin(), out.schedule.dataflow.edges.end(),
                     [](const Edge& a, const Edge& b) { return a.to < b.to; });
    return out;
}

} // namespace bubblescope
