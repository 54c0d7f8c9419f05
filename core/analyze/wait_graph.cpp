// Building the graph: nodes from units, groups and transfers; waits from lanes, the grid rule, edges and
// messages. The walks stand in wait_walks.cpp.

#include "core/analyze/wait_graph.h"

#include "core/schedule/task_index.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace bubblescope {

namespace {

std::uint64_t messageKey(TaskId producer, Device to)
{
    return std::uint64_t{producer} << 16 | to;
}

ChainTile::Kind kindOf(const Lane& lane, const Task& task)
{
    if (task.grouped() || lane.kind == LaneKind::Collective)
        return ChainTile::Kind::GroupMember;
    if (lane.kind == LaneKind::CopyIn || lane.kind == LaneKind::CopyOut)
        return ChainTile::Kind::Copy;
    if (lane.kind == LaneKind::Send || lane.kind == LaneKind::Receive)
        return ChainTile::Kind::Transfer;
    return ChainTile::Kind::Task;
}

} // namespace

WaitGraph::WaitGraph(const Schedule& schedule, const Costs& costs, const Timing& timing)
    : m_schedule(schedule), m_costs(costs), m_timing(timing)
{
    makeNodes();
    addTransfers();
    addLaneWaits();
    addDataWaits();
    finishWaits();
}

void WaitGraph::makeNodes()
{
    std::unordered_map<std::uint32_t, std::uint32_t> groupOf; // by member
    for (std::uint32_t group = 0; group < m_schedule.groups.size(); ++group)
        for (std::uint32_t i = m_schedule.groups[group].begin; i < m_schedule.groups[group].end; ++i)
            groupOf[m_schedule.groupMembers[i]] = group;
    std::vector<std::uint32_t> nodeOfGroup(m_schedule.groups.size(), noNode);
    m_nodeOfTask.assign(m_schedule.tasks.size(), noNode);
    for (const Lane& lane : m_schedule.lanes) {
        for (TaskId id = lane.begin; id < lane.end;) {
            const TaskId end = m_schedule.unitEnd(id);
            const auto group = groupOf.find(id);
            std::uint32_t node = group == groupOf.end() ? noNode : nodeOfGroup[group->second];
            if (node == noNode) {
                node = static_cast<std::uint32_t>(m_nodes.size());
                m_nodes.push_back(
                    {id, lane.device, kindOf(lane, m_schedule.tasks[id]), m_timing.start[id], m_timing.end[id], 0});
            } else {
                m_nodes[node].start = std::max(m_nodes[node].start, m_timing.start[id]);
                m_nodes[node].end = std::max(m_nodes[node].end, m_timing.end[id]);
            }
            if (group != groupOf.end())
                nodeOfGroup[group->second] = node;
            for (; id < end; ++id)
                m_nodeOfTask[id] = node;
        }
    }
}

void WaitGraph::addTransfers()
{
    for (const Transfer& transfer : m_timing.transfers) {
        const auto node = static_cast<std::uint32_t>(m_nodes.size());
        m_nodes.push_back(
            {transfer.producer, transfer.from, ChainTile::Kind::Transfer, transfer.start, transfer.end, 0});
        addWait(node, m_nodeOfTask[transfer.producer], transfer.producer, 0, Tie::Data);
    }
}

void WaitGraph::addWait(std::uint32_t node, std::uint32_t predecessor, TaskId from, Nanoseconds delay, Tie tie)
{
    if (node != predecessor)
        m_pending.push_back({node, {predecessor, from, delay, tie}});
}

/// Lane order. Under the blocking model transfers stand on the compute lanes of both ends; under the link
/// model on a send and a receive lane of their own.
void WaitGraph::addLaneWaits()
{
    const bool blocking = m_costs.model == CommModel::Blocking;
    const auto firstTransfer = static_cast<std::uint32_t>(m_nodes.size() - m_timing.transfers.size());
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> transfersOf; // by device, and whether it receives
    for (std::uint32_t i = 0; i < m_timing.transfers.size(); ++i) {
        const Transfer& transfer = m_timing.transfers[i];
        transfersOf[std::uint32_t{transfer.from} * 2].push_back(firstTransfer + i);
        transfersOf[std::uint32_t{transfer.to} * 2 + (blocking ? 0 : 1)].push_back(firstTransfer + i);
    }
    const auto chain = [&](const std::vector<std::uint32_t>& items) {
        for (std::size_t i = 1; i < items.size(); ++i)
            addWait(items[i], items[i - 1], m_nodes[items[i - 1]].first, 0, Tie::Lane);
    };
    for (const Lane& lane : m_schedule.lanes) {
        std::uint32_t previous = noNode;
        TaskId last = noTask;
        std::vector<std::uint32_t> items;
        for (TaskId id = lane.begin; id < lane.end; id = m_schedule.unitEnd(id)) {
            const std::uint32_t node = m_nodeOfTask[id];
            if (blocking && lane.kind == LaneKind::Compute && lane.index == 0)
                items.push_back(node);
            else if (previous != noNode)
                addWait(node, previous, last, 0, Tie::Lane);
            previous = node;
            last = TaskId(m_schedule.unitEnd(id) - 1);
        }
        if (items.empty())
            continue;
        const auto& transfers = transfersOf[std::uint32_t{lane.device} * 2];
        items.insert(items.end(), transfers.begin(), transfers.end());
        std::stable_sort(items.begin(), items.end(), [&](std::uint32_t a, std::uint32_t b) {
            const auto key = [&](std::uint32_t node) { // at one instant the transfers come first
                return std::tuple(m_nodes[node].start, m_nodes[node].end, node < firstTransfer);
            };
            return key(a) < key(b);
        });
        chain(items);
    }
    if (!blocking)
        for (const auto& [device, transfers] : transfersOf)
            chain(transfers); // already in the order in which they were served
}

void WaitGraph::addDataWaits()
{
    const TaskIndex index(m_schedule);
    std::unordered_map<std::uint64_t, std::uint32_t> messages;
    for (std::uint32_t i = 0; i < m_timing.transfers.size(); ++i)
        messages[messageKey(m_timing.transfers[i].producer, m_timing.transfers[i].to)] = i;
    const auto firstTransfer = static_cast<std::uint32_t>(m_nodes.size() - m_timing.transfers.size());
    std::vector<Device> deviceOf(m_schedule.tasks.size());
    for (const Lane& lane : m_schedule.lanes)
        std::fill(deviceOf.begin() + lane.begin, deviceOf.begin() + lane.end, lane.device);

    const auto wait = [&](TaskId id, TaskId from, Payload payload) {
        const std::uint32_t node = m_nodeOfTask[id];
        if (!travels(payload) || deviceOf[from] == deviceOf[id])
            return addWait(node, m_nodeOfTask[from], from, 0, Tie::Data);
        if (const auto message = messages.find(messageKey(from, deviceOf[id])); message != messages.end()) {
            const Transfer& transfer = m_timing.transfers[message->second];
            return addWait(node, firstTransfer + message->second, from, transfer.arrival - transfer.end, Tie::Arrival);
        }
        const Hop& hop = m_costs.hop(deviceOf[from], deviceOf[id]);
        const Nanoseconds delay = hop.latency + hop.occupation(m_costs.messageBytes(payload, m_schedule.tasks[from]));
        addWait(node, m_nodeOfTask[from], from, delay, Tie::Arrival);
    };
    auto edge = m_schedule.dataflow.edges.begin();
    for (TaskId id{}; id < m_schedule.tasks.size(); ++id) {
        const Task& task = m_schedule.tasks[id];
        if (index.grid().contains(task))
            index.grid().forEachPredecessor(task, [&](std::uint32_t slot, Payload payload) {
                if (const TaskId from = index.at(slot); from != noTask)
                    wait(id, from, payload);
            });
        for (; edge != m_schedule.dataflow.edges.end() && edge->to == id; ++edge)
            wait(id, edge->from, edge->payload);
        if (task.work == Work::Forward && !m_costs.release.empty() && index.grid().neighbourStage(task, -1) < 0)
            m_nodes[m_nodeOfTask[id]].release = m_costs.release[static_cast<std::size_t>(task.microbatch)];
    }
}

/// Sorts the waits by node: a counting sort into one array.
void WaitGraph::finishWaits()
{
    m_waitBegin.assign(m_nodes.size() + 1, 0);
    for (const PendingWait& pending : m_pending)
        ++m_waitBegin[pending.node + 1];
    for (std::size_t i = 1; i < m_waitBegin.size(); ++i)
        m_waitBegin[i] += m_waitBegin[i - 1];
    m_waits.resize(m_pending.size());
    std::vector<std::uint32_t> next(m_waitBegin.begin(), m_waitBegin.end() - 1);
    for (const PendingWait& pending : m_pending)
        m_waits[next[pending.node]++] = pending.wait;
    m_pending = {};
}

} // namespace bubblescope
