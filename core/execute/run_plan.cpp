#include "core/execute/run_plan.h"

#include "core/execute/streamed_weights.h"
#include "core/schedule/grid.h"
#include "core/schedule/versions.h"
#include "core/simulate/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <unordered_set>

namespace bubblescope {
namespace {

/// Arrival delays: constant per hop (latency), or those that queueing gives in the simulated plan (link).
class Transfers {
public:
    Transfers(const Schedule& schedule, const Costs& costs) : m_schedule(schedule), m_costs(costs)
    {
        if (costs.model != CommModel::Link)
            return;
        const Timing timing = simulate(schedule, costs);
        for (const Transfer& transfer : timing.transfers)
            m_queued[{transfer.producer, transfer.to}] = transfer.arrival - timing.end[transfer.producer];
    }

    Nanoseconds delay(TaskId producer, Device from, Device to, Payload payload) const
    {
        if (from == to || !travels(payload))
            return 0;
        if (m_costs.model == CommModel::Link) {
            const auto found = m_queued.find({producer, to});
            return found == m_queued.end() ? 0 : found->second;
        }
        const Hop& hop = m_costs.hop(from, to);
        return hop.latency + hop.occupation(m_costs.messageBytes(payload, m_schedule.tasks[producer]));
    }

private:
    const Schedule& m_schedule;
    const Costs& m_costs;
    std::map<std::pair<TaskId, Device>, Nanoseconds> m_queued;
};

/// What goes along an edge.
RunPlan::Cargo cargoOf(const Task& producer, const Task& consumer, Payload payload)
{
    using Cargo = RunPlan::Cargo;
    const auto passOfShard = [](Work work) { return work >= Work::EmbeddingForward && work <= Work::VocabularyT; };
    if (producer.work == Work::AllReduce && propagatesGradient(consumer.work))
        return Cargo::InputGradient;
    if (travels(payload) &&
        (passOfShard(producer.work) || passOfShard(consumer.work) || consumer.work == Work::Broadcast))
        return Cargo::Operand;
    const bool takesActivations = consumer.work == Work::Forward || consumer.work == Work::Filler;
    if ((takesActivations && payload == Payload::Activation) ||
        (propagatesGradient(consumer.work) && payload == Payload::Gradient))
        return Cargo::Operand;
    if ((producer.work == Work::Gather || producer.work == Work::LoadWeights) && onGrid(consumer.work))
        return Cargo::Weights;
    if ((consumer.work == Work::ReduceScatter || consumer.work == Work::StoreGradients) && onGrid(producer.work))
        return Cargo::Gradients;
    return Cargo::None;
}

} // namespace

RunPlan::RunPlan(const Schedule& schedule, const Costs& costs, bool modelled)
    : m_schedule(schedule), m_ordinals(schedule)
{
    findLanes();
    findGroups();
    if (asynchronous(schedule) && !streamsWeights(schedule))
        m_versions = versionsRead(schedule, TaskIndex(schedule));
    connect(modelled ? costs : Costs(costs.stages())); // real transfers take their own time
    if (modelled) {
        setDurations(costs);
        m_release = costs.release;
    }
}

void RunPlan::findLanes()
{
    m_laneOfTask.resize(m_schedule.tasks.size());
    for (std::uint32_t lane = 0; lane < m_schedule.lanes.size(); ++lane) {
        if (m_schedule.lanes[lane].size() == 0)
            continue;
        for (TaskId id = m_schedule.lanes[lane].begin; id < m_schedule.lanes[lane].end; ++id)
            m_laneOfTask[id] = static_cast<std::uint32_t>(m_lanes.size());
        const bool sameDevice =
            !m_lanes.empty() && m_schedule.lanes[m_lanes.back()].device == m_schedule.lanes[lane].device;
        m_deviceNumber.push_back(m_lanes.empty() ? 0 : m_deviceNumber.back() + (sameDevice ? 0 : 1));
        m_lanes.emplace_back(lane);
    }
}

std::pair<TaskId, TaskId> RunPlan::tasksOf(Device device) const
{
    const auto own = [&](const Lane& lane) { return lane.device == device; };
    const auto first = std::find_if(m_schedule.lanes.begin(), m_schedule.lanes.end(), own);
    const auto last = std::find_if_not(first, m_schedule.lanes.end(), own);
    return first == last ? std::pair(TaskId{}, TaskId{}) : std::pair(first->begin, std::prev(last)->end);
}

void RunPlan::findGroups()
{
    m_groupOf.assign(m_schedule.tasks.size(), noGroup);
    for (std::uint32_t group = 0; group < m_schedule.groups.size(); ++group)
        for (std::uint32_t i = m_schedule.groups[group].begin; i < m_schedule.groups[group].end; ++i)
            m_groupOf[m_schedule.groupMembers[i]] = group;
}

/// Makes the ports of a plan, consumer by consumer.
class RunPlan::Wiring {
public:
    Wiring(RunPlan& plan, const Costs& costs)
        : m_plan(plan), m_transfers(plan.m_schedule, costs), m_outputs(plan.m_schedule.tasks.size())
    {
    }

    /// `id` needs what `producer` makes.
    void need(TaskId id, TaskId producer, Payload payload)
    {
        const std::uint32_t from = m_plan.m_laneOfTask[producer];
        const std::uint32_t to = m_plan.m_laneOfTask[id];
        const Cargo cargo = cargoOf(m_plan.m_schedule.tasks[producer], m_plan.m_schedule.tasks[id], payload);
        if (from == to) {
            if (cargo == Cargo::Operand)
                m_plan.m_localSource[id] = producer;
            return;
        }
        const Device source = m_plan.lane(from).device;
        const Device target = m_plan.lane(to).device;
        const bool crosses = source != target && travels(payload);
        const auto key = (std::uint64_t{producer.value} << 32) | (std::uint64_t{to} << 4) |
                         (static_cast<std::uint64_t>(cargo) << 1) | (crosses ? 1U : 0U);
        const PortId port(m_plan.m_ports.size());
        if (!m_known.insert(key).second)
            return; // an earlier task of this lane has taken it
        m_plan.m_ports.push_back({producer, from, to, crosses || cargo != Cargo::None});
        m_plan.m_consumer.push_back(id);
        m_plan.m_inputs.push_back({port, cargo, crosses});
        m_outputs[producer].push_back({port, m_transfers.delay(producer, source, target, payload), cargo});
    }

    void finish()
    {
        m_plan.m_outputBegin.assign(1, 0);
        for (const std::vector<Output>& of : m_outputs) {
            m_plan.m_outputs.insert(m_plan.m_outputs.end(), of.begin(), of.end());
            m_plan.m_outputBegin.push_back(static_cast<std::uint32_t>(m_plan.m_outputs.size()));
        }
    }

private:
    RunPlan& m_plan;
    Transfers m_transfers;
    std::unordered_set<std::uint64_t> m_known;  // (producer, consumer lane, cargo, crosses)
    std::vector<std::vector<Output>> m_outputs; // by producer
};

/// Empty when there is no R.
static std::vector<bool> recomputedTasks(const Schedule& schedule, const Grid& grid,
                                         const std::vector<TaskId>& taskOfSlot)
{
    std::vector<bool> recomputed;
    for (Task task : schedule.tasks) {
        if (task.work != Work::Recompute || !grid.contains(task))
            continue;
        recomputed.resize(schedule.tasks.size(), false);
        for (const Work work : {Work::Forward, Work::Backward}) { // B and I share a slot
            task.work = work;
            if (const TaskId id = taskOfSlot[grid.slot(task)]; id != noTask)
                recomputed[id] = true;
        }
    }
    return recomputed;
}

void RunPlan::connect(const Costs& costs)
{
    const Grid grid(m_schedule);
    std::vector<TaskId> taskOfSlot(grid.slots(), noTask);
    for (std::uint32_t id = 0; id < m_schedule.tasks.size(); ++id)
        if (grid.contains(m_schedule.tasks[id]))
            taskOfSlot[grid.slot(m_schedule.tasks[id])] = TaskId(id);
    Wiring wiring(*this, costs);
    m_localSource.assign(m_schedule.tasks.size(), noTask);
    m_inputBegin.assign(1, 0);
    auto edge = m_schedule.dataflow.edges.begin();
    for (TaskId id{}; id < m_schedule.tasks.size(); ++id) {
        const Task& task = m_schedule.tasks[id];
        m_entry.push_back(task.work == Work::Forward && grid.neighbourStage(task, -1) < 0);
        if (m_schedule.dataflow.grid && grid.contains(task))
            grid.forEachPredecessor(task, [&](std::uint32_t slot, Payload payload) {
                if (taskOfSlot[slot] != noTask)
                    wiring.need(id, taskOfSlot[slot], payload);
            });
        for (; edge != m_schedule.dataflow.edges.end() && edge->to == id; ++edge)
            wiring.need(id, edge->from, edge->payload);
        m_inputBegin.push_back(static_cast<std::uint32_t>(m_inputs.size()));
    }
    wiring.finish();
    m_recomputed = recomputedTasks(m_schedule, grid, taskOfSlot);
}

void RunPlan::setDurations(const Costs& costs)
{
    m_duration.assign(m_schedule.tasks.size(), 0);
    for (const Lane& lane : m_schedule.lanes)
        for (TaskId first = lane.begin; first < lane.end; first = m_schedule.unitEnd(first)) {
            const TaskId end = m_schedule.unitEnd(first);
            m_duration[first] = end - first == 1 ? costs.duration(first, m_schedule.tasks[first])
                                                 : costs.unitDuration(m_schedule, first, end);
        }
    for (const Group& group : m_schedule.groups) {
        Nanoseconds longest = 0;
        for (std::uint32_t i = group.begin; i < group.end; ++i)
            longest = std::max(longest, m_duration[m_schedule.groupMembers[i]]);
        for (std::uint32_t i = group.begin; i < group.end; ++i)
            m_duration[m_schedule.groupMembers[i]] = longest;
    }
}

Task RunPlan::inRound(const Task& task, std::uint32_t round) const
{
    if (round == 0)
        return task;
    const int stride = m_ordinals.perStep(task) * m_schedule.shape.steps;
    Task shifted = task;
    shifted.microbatch = Microbatch(task.microbatch + static_cast<int>(round) * stride);
    return shifted;
}

std::pair<TaskId, TaskId> RunPlan::repeatedBy(TaskId check) const
{
    const TaskId begin = lane(m_laneOfTask[check]).begin;
    TaskId first = check;
    while (first > begin && m_schedule.tasks[first - 1U].work == Work::Forward)
        first = TaskId(first - 1U);
    const bool validates = first > begin && m_schedule.tasks[first - 1U].work == Work::Update;
    return {validates ? first : check, check};
}

bool RunPlan::validates(TaskId task) const
{
    const TaskId first = repeatedBy(task).first;
    return m_schedule.tasks[task].work == Work::Check && first > lane(m_laneOfTask[task]).begin &&
           m_schedule.tasks[first - 1U].work == Work::Update;
}

bool RunPlan::repeated(TaskId forward) const
{
    TaskId next = forward;
    while (next < lane(m_laneOfTask[forward]).end && m_schedule.tasks[next].work == Work::Forward)
        ++next;
    return next != forward && next < lane(m_laneOfTask[forward]).end && validates(next);
}

std::vector<PortId> RunPlan::staleAfter(TaskId check) const
{
    std::vector<PortId> stale;
    const TaskId end = lane(m_laneOfTask[check]).end;
    for (TaskId id(check + 1U); id < end && m_schedule.tasks[id].work != Work::Update; ++id)
        forEachInput(id, [&](const Input& input) {
            if (input.cargo == Cargo::Operand && repeated(m_ports[input.port].producer))
                stale.push_back(input.port);
        });
    return stale;
}

std::string RunPlan::laneName(std::uint32_t lane) const
{
    const Lane& of = this->lane(lane);
    if (of.kind == LaneKind::Compute && of.index == 0)
        return fmt::format("device {}", of.device.value);
    return fmt::format("device {} ({} {})", of.device.value, laneKindName(of.kind), of.index);
}

ExchangeLayout RunPlan::layout(int capacity) const
{
    ExchangeLayout layout;
    layout.lanes = static_cast<std::uint32_t>(m_lanes.size());
    layout.ports = m_ports;
    for (const Group& group : m_schedule.groups)
        layout.groupMembers.push_back(group.end - group.begin);
    layout.groupMembers.push_back(layout.lanes); // startGroup()
    layout.groupMembers.resize(layout.groupMembers.size() + deviceCount());
    for (std::uint32_t lane = 0; lane < m_lanes.size(); ++lane)
        ++layout.groupMembers[roundGroup(lane)];
    layout.capacity = capacity;
    layout.describe = [this](std::uint32_t lane, const Wait& wait) { return describe(lane, wait); };
    return layout;
}

std::string RunPlan::describe(std::uint32_t lane, const Wait& wait) const
{
    const auto text = [&](TaskId id) { return toText(m_schedule.tasks[id]); };
    switch (wait.kind) {
    case Wait::Kind::Message:
        return fmt::format("{} stands before {} and waits for {} of {}", laneName(lane), text(m_consumer[wait.id]),
                           text(m_ports[wait.id].producer), laneName(m_ports[wait.id].from));
    case Wait::Kind::Credit:
        return fmt::format("{} cannot hand over {} to {}, whose queue is full", laneName(lane),
                           text(m_ports[wait.id].producer), laneName(m_ports[wait.id].to));
    case Wait::Kind::Group:
        if (wait.id < m_schedule.groups.size())
            return fmt::format("{} waits for the other members of the group of {}", laneName(lane),
                               text(m_schedule.groupMembers[m_schedule.groups[wait.id].begin]));
        return laneName(lane) + (wait.id == startGroup() ? " waits for the others to begin"
                                                         : " waits for the other lanes of its device to end the step");
    case Wait::Kind::Nothing:
        break;
    }
    return laneName(lane) + " waits";
}

} // namespace bubblescope
