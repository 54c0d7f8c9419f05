#include "core/schedule/schedule.h"

#include "core/schedule/ordinals.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

namespace bubblescope {

const char* laneKindName(LaneKind kind)
{
    static constexpr const char* names[] = {"compute", "send", "receive", "collective", "copy-in", "copy-out", "host"};
    return names[static_cast<std::size_t>(kind)];
}

int Shape::microbatchesPerStep() const
{
    return std::accumulate(microbatches.begin(), microbatches.end(), 0);
}

LaneId Schedule::laneOf(TaskId task) const
{
    const auto after =
        std::upper_bound(lanes.begin(), lanes.end(), task, [](TaskId id, const Lane& lane) { return id < lane.end; });
    return LaneId(after - lanes.begin());
}

LaneId Schedule::computeLane(Device device) const
{
    const auto found = std::find_if(lanes.begin(), lanes.end(), [device](const Lane& lane) {
        return lane.device == device && lane.kind == LaneKind::Compute && lane.index == 0;
    });
    return LaneId(found - lanes.begin());
}

ScheduleBuilder::ScheduleBuilder(Shape shape)
{
    m_schedule.shape = std::move(shape);
}

std::uint32_t ScheduleBuilder::lane(Device device, LaneKind kind, int index)
{
    for (std::uint32_t i = 0; i < m_lanes.size(); ++i) {
        const Lane& lane = m_lanes[i].lane;
        if (lane.device == device && lane.kind == kind && lane.index == index)
            return i;
    }
    m_lanes.push_back({Lane{device, kind, static_cast<std::uint8_t>(index), {}, {}}, {}});
    return static_cast<std::uint32_t>(m_lanes.size() - 1);
}

ScheduleBuilder::Ref ScheduleBuilder::compute(Device device, const Task& task)
{
    if (device >= m_computeLane.size())
        m_computeLane.resize(device + 1U, 0);
    if (m_computeLane[device] == 0)
        m_computeLane[device] = lane(device) + 1;
    return add(m_computeLane[device] - 1, task);
}

ScheduleBuilder::Ref ScheduleBuilder::add(std::uint32_t lane, const Task& task)
{
    m_lanes[lane].tasks.push_back(task);
    return {lane, static_cast<std::uint32_t>(m_lanes[lane].tasks.size() - 1)};
}

void ScheduleBuilder::join(Ref first)
{
    m_lanes[first.lane].tasks[first.position].flags |= Task::joinedFlag;
}

void ScheduleBuilder::edge(Ref from, Ref to, Payload payload)
{
    m_edges.push_back({from, to, payload});
}

void ScheduleBuilder::group(const std::vector<Ref>& members)
{
    m_groups.push_back(members);
}

void ScheduleBuilder::place(Pipe pipe, Stage stage, std::vector<Device> devices)
{
    auto& homes = m_schedule.placement.homes;
    const auto stages = static_cast<std::size_t>(m_schedule.shape.allStages());
    homes.resize(stages * static_cast<std::size_t>(m_schedule.shape.pipes));
    homes[pipe * stages + stage] = std::move(devices);
}

void ScheduleBuilder::placeLooped()
{
    for (int stage = 0; stage < m_schedule.shape.stages; ++stage)
        place(Pipe{}, Stage(stage), {Device(stage % m_schedule.shape.devices)});
}

void ScheduleBuilder::endSynchronousStep()
{
    std::vector<Ref> barrier;
    std::map<std::pair<Pipe, Stage>, int> replicas; // of a stage, so far
    for (std::uint32_t lane = 0; lane < m_lanes.size(); ++lane) {
        if (m_lanes[lane].lane.kind != LaneKind::Compute)
            continue;
        std::set<std::pair<Pipe, Stage>> worked;
        for (const Task& task : m_lanes[lane].tasks)
            if (onGrid(task.work))
                worked.insert({task.pipe, task.stage});
        if (worked.empty())
            continue;
        const Part member{m_lanes[lane].lane.device.value};
        barrier.push_back(add(lane, {.work = Work::Barrier, .part = member}));
        for (const auto& [pipe, stage] : worked)
            add(lane, {.work = Work::Update, .pipe = pipe, .stage = stage, .part = Part(replicas[{pipe, stage}]++)});
    }
    // The norm that the barrier stands for is that of the summed gradients.
    for (std::uint32_t lane = 0; lane < m_lanes.size(); ++lane) {
        const auto& tasks = m_lanes[lane].tasks;
        const auto last =
            std::find_if(tasks.rbegin(), tasks.rend(), [](const Task& task) { return task.work == Work::AllReduce; });
        for (const Ref member : barrier)
            if (last != tasks.rend() && member.lane != lane &&
                m_lanes[member.lane].lane.device == m_lanes[lane].lane.device)
                edge({lane, static_cast<std::uint32_t>(tasks.rend() - last - 1)}, member);
    }
    if (barrier.size() > 1)
        group(barrier);
    m_schedule.semantics.updateEvery = m_schedule.shape.microbatches.front();
    m_schedule.semantics.stepBarrier = Semantics::StepBarrier::Group;
}

Schedule ScheduleBuilder::finish()
{
    std::vector<std::uint32_t> order(m_lanes.size());
    std::iota(order.begin(), order.end(), 0U);
    std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
        const auto key = [](const Lane& lane) { return std::tuple(lane.device.value, lane.kind, lane.index); };
        return key(m_lanes[a].lane) < key(m_lanes[b].lane);
    });
    std::size_t total = 0;
    for (const PendingLane& pending : m_lanes)
        total += pending.tasks.size();
    m_schedule.tasks.reserve(total);
    for (const std::uint32_t i : order) {
        PendingLane& pending = m_lanes[i];
        pending.lane.begin = TaskId(m_schedule.tasks.size());
        m_schedule.tasks.insert(m_schedule.tasks.end(), pending.tasks.begin(), pending.tasks.end());
        pending.lane.end = TaskId(m_schedule.tasks.size());
        m_schedule.lanes.push_back(pending.lane);
    }
    const auto resolve = [this](Ref ref) {
        assert(ref.position < m_lanes[ref.lane].tasks.size());
        return TaskId(m_lanes[ref.lane].lane.begin + ref.position);
    };
    for (const PendingEdge& pending : m_edges)
        m_schedule.dataflow.edges.push_back({resolve(pending.from), resolve(pending.to), pending.payload});
    std::stable_sort(m_schedule.dataflow.edges.begin(), m_schedule.dataflow.edges.end(),
                     [](const Edge& a, const Edge& b) {
                         return std::pair(a.to.value, a.from.value) < std::pair(b.to.value, b.from.value);
                     });
    for (const std::vector<Ref>& members : m_groups) {
        const auto begin = static_cast<std::uint32_t>(m_schedule.groupMembers.size());
        for (const Ref member : members) {
            const TaskId id = resolve(member);
            m_schedule.tasks[id].flags |= Task::groupedFlag;
            m_schedule.groupMembers.push_back(id);
        }
        m_schedule.groups.push_back({begin, static_cast<std::uint32_t>(m_schedule.groupMembers.size())});
    }
    m_lanes.clear();
    m_edges.clear();
    m_groups.clear();
    return std::move(m_schedule);
}

namespace {

/// Each first gather of a stage, with the update on its device that the weights of the next step come from. Work on
/// the compute lane stands behind the update anyway.
std::vector<std::pair<TaskId, TaskId>> updatesToGather(const Schedule& step)
{
    std::map<std::tuple<Device, Pipe, Stage>, std::pair<TaskId, TaskId>> found;
    for (const Lane& lane : step.lanes)
        for (TaskId id = lane.begin; id < lane.end; ++id) {
            const Task& task = step.tasks[id];
            if (task.work != Work::Gather && task.work != Work::Update)
                continue;
            auto& [update, gather] =
                found.try_emplace({lane.device, task.pipe, task.stage}, noTask, noTask).first->second;
            if (task.work == Work::Update)
                update = id;
            else if (gather == noTask)
                gather = id;
        }
    std::vector<std::pair<TaskId, TaskId>> pairs;
    for (const auto& [key, pair] : found)
        if (pair.first != noTask && pair.second != noTask)
            pairs.push_back(pair);
    return pairs;
}

} // namespace

Schedule repeatSteps(const Schedule& step, int steps)
{
    assert(steps >= 1 && step.shape.steps == 1);
    const Ordinals ordinals(step);
    const std::vector<std::pair<TaskId, TaskId>> refreshed = updatesToGather(step);
    Schedule all = step;
    all.shape.steps = steps;
    all.tasks.clear();
    all.dataflow.edges.clear();
    all.groups.clear();
    all.groupMembers.clear();
    all.tasks.reserve(step.tasks.size() * static_cast<std::size_t>(steps));
    for (Lane& lane : all.lanes) {
        const auto begin = TaskId(all.tasks.size());
        for (int k = 0; k < steps; ++k) {
            for (TaskId id = lane.begin; id < lane.end; ++id) {
                Task task = step.tasks[id];
                if (k > 0)
                    task.microbatch = Microbatch(task.microbatch + k * ordinals.perStep(task));
                all.tasks.push_back(task);
            }
        }
        lane.begin = begin;
        lane.end = TaskId(all.tasks.size());
    }
    const auto moved = [&](TaskId id, int k) {
        const LaneId lane = step.laneOf(id);
        const Lane& old = step.lanes[lane];
        return TaskId(all.lanes[lane].begin + old.size() * static_cast<std::uint32_t>(k) + (id - old.begin));
    };
    for (int k = 0; k < steps; ++k) {
        for (const Edge& edge : step.dataflow.edges)
            all.dataflow.edges.push_back({moved(edge.from, k), moved(edge.to, k), edge.payload});
        for (const auto& [update, gather] : refreshed)
            if (k > 0)
                all.dataflow.edges.push_back({moved(update, k - 1), moved(gather, k), Payload::Weight});
        const auto members = static_cast<std::uint32_t>(all.groupMembers.size());
        for (const Group& group : step.groups)
            all.groups.push_back({members + group.begin, members + group.end});
        for (const TaskId member : step.groupMembers)
            all.groupMembers.push_back(moved(member, k));
    }
    std::stable_sort(all.dataflow.edges.begin(), all.dataflow.edges.end(),
                     [](const Edge& a, const Edge& b) { return a.to < b.to; });
    return all;
}

std::vector<std::string> laneTexts(const Schedule& schedule, LaneId lane, bool all)
{
    std::vector<std::string> texts;
    const auto shown = [&](TaskId id) { return all || isCompute(schedule.tasks[id].work); };
    for (TaskId id = schedule.lanes[lane].begin; id < schedule.lanes[lane].end;) {
        const TaskId end = schedule.unitEnd(id);
        std::string text = shown(id) ? toText(schedule.tasks[id]) : "";
        if (end - id > 1) {
            text.insert(text.begin(), '(');
            for (TaskId next(id + 1); next < end; ++next)
                text.append(";").append(toText(schedule.tasks[next]));
            text += ")";
        }
        if (!text.empty())
            texts.push_back(std::move(text));
        id = end;
    }
    return texts;
}

} // namespace bubblescope
