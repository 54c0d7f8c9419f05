#include "core/simulate/simulate.h"

#include "core/base/error.h"
#include "core/simulate/blocking.h"
#include "core/simulate/prepared_schedule.h"

#include <queue>

#include <algorithm>
#include <set>
#include <tuple>
#include <unordered_map>

namespace bubblescope {
namespace {

constexpr Nanoseconds notYet = -1; // values below mean: lane −(value + 2) waits here
constexpr std::size_t gridWorks = 5;
constexpr std::uint32_t prefetchDistance = 8; // tasks: two cache lines of tasks, one of starts

/// A completion of the time-ordered engine; ties by lane and task keep it deterministic.
struct Completion {
    Nanoseconds end;
    std::uint32_t lane;
    TaskId first;

    friend bool operator>(const Completion& a, const Completion& b)
    {
        return std::tie(a.end, a.lane, a.first.value) > std::tie(b.end, b.lane, b.first.value);
    }
};

/// One run. Plain: every stage has one device and only the grid rule holds, which is what large
/// simulations are. Ordered: completions take effect in the order of time (link model).
template <bool Plain, bool Ordered>
class Run {
public:
    Run(PreparedSchedule& state, const Costs& costs, Timing& timing, SimulateOptions options)
        : m_state(state)
        , m_schedule(state.schedule)
        , m_costs(costs)
        , m_timing(timing)
        , m_options(options)
        , m_lanes(state.schedule.lanes.size())
    {
    }

    void operator()()
    {
        prepare();
        for (auto lane = static_cast<std::uint32_t>(m_lanes.size()); lane-- > 0;)
            m_work.push_back(lane);
        drain();
        if constexpr (Ordered) {
            while (!m_completions.empty()) {
                const Completion next = m_completions.top();
                m_completions.pop();
                complete(next.lane, next.first, next.end);
                drain();
            }
        }
        checkComplete();
    }

private:
    struct LaneState {
        TaskId head{};
        TaskId end{};
        std::uint32_t extra = 0;      // slot of the next task that isn't on the grid
        std::uint32_t edge = 0;       // next explicit edge
        Nanoseconds free = 0;         // end of the previous unit
        Nanoseconds waiting = notYet; // next lane that waits where this one does
        std::uint32_t waitsFor = Grid::noSlot;
        bool parked = false; // in a group that hasn't started, or running (ordered)
    };

    struct GroupState {
        std::uint32_t arrived = 0;
        Nanoseconds ready = 0;
    };

    void prepare()
    {
        m_timing.start.resize(m_schedule.tasks.size());
        m_timing.end.resize(m_schedule.tasks.size());
        m_timing.transfers.clear();
        m_state.end.resize(m_state.slots);
        if (m_state.grid.hasOptional()) { // an absent slot is nothing to wait for
            std::fill(m_state.end.begin(), m_state.end.begin() + m_state.grid.slots(), 0);
            for (const std::uint32_t slot : m_state.slotsInUse)
                m_state.end[slot] = notYet;
            std::fill(m_state.end.begin() + m_state.grid.slots(), m_state.end.end(), notYet);
        } else {
            std::fill(m_state.end.begin(), m_state.end.end(), notYet);
        }
        for (std::size_t i = 0; i < m_lanes.size(); ++i) {
            m_lanes[i].head = m_schedule.lanes[i].begin;
            m_lanes[i].end = m_schedule.lanes[i].end;
            m_lanes[i].extra = m_state.firstExtraSlot[i];
            m_lanes[i].edge = m_state.firstEdge[i];
        }
        m_groups.assign(m_schedule.groups.size(), {});
        if constexpr (Ordered) {
            m_sendFree.assign(65536, 0);
            m_receiveFree.assign(65536, 0);
        }
        prepareLatencies();
        if constexpr (Plain) {
            const auto stages = static_cast<std::size_t>(m_schedule.shape.allStages());
            m_state.duration.resize(gridWorks * stages);
            for (std::size_t work = 0; work < gridWorks; ++work)
                for (std::size_t stage = 0; stage < stages; ++stage)
                    m_state.duration[work * stages + stage] = m_costs.duration(static_cast<Work>(work), Stage(stage));
        }
    }

    void prepareLatencies()
    {
        const auto stages = static_cast<std::size_t>(m_schedule.shape.allStages());
        m_state.actLatency.assign(m_state.home.size(), 0);
        m_state.gradLatency.assign(m_state.home.size(), 0);
        if (!m_state.deviceOfSlot.empty())
            return;
        const auto last = static_cast<std::size_t>(m_schedule.shape.stages) - 1;
        for (std::size_t i = 0; i < m_state.home.size(); ++i) {
            const std::size_t stage = i % stages;
            if (stage > 0)
                m_state.actLatency[i] =
                    delay(m_state.home[i - 1], m_state.home[i], Payload::Activation, Task{.stage = Stage(stage - 1)});
            if (stage < last)
                m_state.gradLatency[i] =
                    delay(m_state.home[i + 1], m_state.home[i], Payload::Gradient, Task{.stage = Stage(stage + 1)});
        }
    }

    /// Latency model: what passes between the producer's end and the arrival.
    Nanoseconds delay(Device from, Device to, Payload payload, const Task& producer) const
    {
        if (from == to || !travels(payload) || from == Device{0xffff} || to == Device{0xffff})
            return 0;
        const Hop& hop = m_costs.hop(from, to);
        return hop.latency + (hop.bytesPerSecond > 0 ? hop.occupation(m_costs.messageBytes(payload, producer)) : 0);
    }

    void drain()
    {
        if constexpr (Plain && !Ordered) {
            drainPlain();
        } else {
            while (!m_work.empty()) {
                const std::uint32_t lane = m_work.back();
                m_work.pop_back();
                while (advance(lane)) {
                }
            }
        }
    }

    /// What large simulations spend their time in: single tasks of the grid, one after another, on
    /// whichever lane can go on. The same rule as collect(), with everything that a run needs at hand;
    /// tasks of another sort (updates, groups, joined units) go through advance().
    void drainPlain() // NOLINT(readability-function-*): one loop on purpose, every call in it costs
    {
        const GridRule::Plain rule = m_state.grid.rule().plain();
        const Task* const tasks = m_schedule.tasks.data();
        Nanoseconds* const done = m_state.end.data();
        Nanoseconds* const starts = m_timing.start.data();
        Nanoseconds* const ends = m_timing.end.data();
        const Nanoseconds* const durations = m_state.duration.data();
        const Nanoseconds* const actLatency = m_state.actLatency.data();
        const Nanoseconds* const gradLatency = m_state.gradLatency.data();
        const auto stages = static_cast<std::uint32_t>(m_schedule.shape.allStages());
        LaneState* const lanes = m_lanes.data();
        while (!m_work.empty()) {
            const std::uint32_t laneIndex = m_work.back();
            m_work.pop_back();
            LaneState& lane = lanes[laneIndex];
            std::uint32_t id = lane.head;
            Nanoseconds free = lane.free;
            for (;;) {
                if (id >= lane.end || !isPlain(tasks[id])) {
                    lane.head = TaskId(id);
                    lane.free = free;
                    if (!advance(laneIndex))
                        break;
                    id = lane.head;
                    free = lane.free;
                    continue;
                }
                const Task& task = tasks[id];
                const std::uint32_t at = task.pipe * stages + task.stage;
                const std::uint32_t forward = rule.forward(task);
                std::uint32_t own = forward;
                std::uint32_t missing = Grid::noSlot;
                Nanoseconds ready = free;
                const auto needs = [&](std::uint32_t slot, Nanoseconds latency) {
                    const Nanoseconds end = done[slot];
                    missing = end < 0 ? slot : missing;
                    ready = std::max(ready, end + latency);
                };
                if (task.work == Work::Forward) {
                    if (task.stage > 0 && task.stage < rule.stages)
                        needs(forward - rule.works, actLatency[at]);
                } else if (task.work == Work::WeightGradient) {
                    needs(forward + GridRule::backwardColumn, 0);
                    own = forward + GridRule::weightColumn;
                } else {
                    needs(forward, 0);
                    if (task.stage + 1U < rule.stages)
                        needs(forward + rule.works + GridRule::backwardColumn, gradLatency[at]);
                    own = forward + GridRule::backwardColumn;
                }
                if (missing != Grid::noSlot) {
                    lane.head = TaskId(id);
                    lane.free = free;
                    park(laneIndex, lane, missing);
                    break;
                }
                // Dozens of lanes take turns, too many streams for the processor to follow on its own.
                __builtin_prefetch(tasks + id + prefetchDistance);
                __builtin_prefetch(starts + id + prefetchDistance, 1);
                __builtin_prefetch(ends + id + prefetchDistance, 1);
                free = ready + durations[static_cast<std::uint32_t>(task.work) * stages + task.stage];
                starts[id] = ready;
                ends[id] = free;
                Nanoseconds waiting = done[own];
                done[own] = free;
                for (; waiting < notYet; waiting = lanes[static_cast<std::size_t>(-waiting - 2)].waiting)
                    m_work.push_back(static_cast<std::uint32_t>(-waiting - 2));
                ++id;
            }
        }
    }

    /// F, B, I or W on its own: neither a member of a group nor joined.
    static bool isPlain(const Task& task) { return task.work <= Work::WeightGradient && task.flags == 0; }

    /// The lane waits for the task of `slot`; whoever finishes that puts it back to work.
    void park(std::uint32_t laneIndex, LaneState& lane, std::uint32_t slot)
    {
        lane.waiting = m_state.end[slot];
        lane.waitsFor = slot;
        m_state.end[slot] = -static_cast<Nanoseconds>(laneIndex) - 2;
    }

    /// Runs the unit at the head of a lane; false when the lane is at its end or has to wait.
    bool advance(std::uint32_t laneIndex)
    {
        LaneState& lane = m_lanes[laneIndex];
        if (lane.head >= lane.end || lane.parked)
            return false;
        const Device device = m_schedule.lanes[laneIndex].device;
        const TaskId first = lane.head;
        const TaskId last = m_schedule.unitEnd(first);
        Nanoseconds ready = lane.free;
        std::uint32_t edge = lane.edge;
        for (TaskId id = first; id < last; ++id) {
            const std::uint32_t slot = collect(id, device, edge, ready);
            if (slot != Grid::noSlot) {
                park(laneIndex, lane, slot);
                return false;
            }
        }
        lane.edge = edge;
        if (m_schedule.tasks[first].grouped() && m_options.tieGroups)
            joinGroup(laneIndex, first, ready);
        else
            placeUnit(laneIndex, first, last, ready,
                      last - first == 1 ? m_costs.duration(first, m_schedule.tasks[first])
                                        : m_costs.unitDuration(m_schedule, first, last));
        return true;
    }

    /// Raises `ready` by every predecessor of the task; returns the first unfinished one's slot.
    std::uint32_t collect(TaskId id, Device device, std::uint32_t& edge, Nanoseconds& ready)
    {
        const Task& task = m_schedule.tasks[id];
        std::uint32_t missing = Grid::noSlot;
        if (Plain ? onGrid(task.work) : m_schedule.dataflow.grid && m_state.grid.contains(task)) {
            m_state.grid.forEachPredecessor(task, [&](std::uint32_t slot, Payload payload) {
                const Nanoseconds end = m_state.end[slot];
                if (end < 0)
                    missing = slot;
                else
                    ready = std::max(ready, arrival(task, device, slot, payload, end));
            });
        }
        if constexpr (!Plain) {
            const auto& edges = m_schedule.dataflow.edges;
            for (; missing == Grid::noSlot && edge < edges.size() && edges[edge].to == id; ++edge) {
                const std::uint32_t slot = m_state.edgeSlot[edge];
                if (m_state.end[slot] < 0) {
                    missing = slot;
                    break;
                }
                ready = std::max(ready, explicitArrival(edge, device));
            }
            if (task.work == Work::Forward && !m_costs.release.empty() && m_state.grid.neighbourStage(task, -1) < 0)
                ready = std::max(ready, m_costs.release[static_cast<std::size_t>(task.microbatch)]);
        }
        return missing;
    }

    Nanoseconds arrival(const Task& task, Device device, std::uint32_t slot, Payload payload, Nanoseconds end) const
    {
        if constexpr (Plain && !Ordered) {
            const std::size_t at = task.pipe * static_cast<std::size_t>(m_schedule.shape.allStages()) + task.stage;
            if (payload == Payload::Activation)
                return end + m_state.actLatency[at];
            return payload == Payload::Gradient ? end + m_state.gradLatency[at] : end;
        } else {
            if (!travels(payload))
                return end;
            const Task producer = m_state.grid.taskAt(slot);
            const Device from = deviceOf(producer, slot);
            if constexpr (Ordered)
                return queuedArrival(slot, from, device, end);
            return end + delay(from, device, payload, producer);
        }
    }

    Device deviceOf(const Task& producer, std::uint32_t slot) const
    {
        if (!m_state.deviceOfSlot.empty())
            return m_state.deviceOfSlot[slot];
        return m_state.home[producer.pipe * static_cast<std::size_t>(m_schedule.shape.allStages()) + producer.stage];
    }

    Nanoseconds explicitArrival(std::uint32_t edge, Device device) const
    {
        const Edge& given = m_schedule.dataflow.edges[edge];
        const Nanoseconds end = m_state.end[m_state.edgeSlot[edge]];
        if (!travels(given.payload))
            return end;
        if constexpr (Ordered)
            return queuedArrival(m_state.edgeSlot[edge], m_state.edgeDevice[edge], device, end);
        return end + delay(m_state.edgeDevice[edge], device, given.payload, m_schedule.tasks[given.from]);
    }

    Nanoseconds queuedArrival(std::uint32_t slot, Device from, Device to, Nanoseconds end) const
    {
        if (from == to || from == Device{0xffff})
            return end;
        const auto found = m_arrivals.find((std::uint64_t{slot} << 16) | to.value);
        return found == m_arrivals.end() ? end : found->second;
    }

    void joinGroup(std::uint32_t laneIndex, TaskId member, Nanoseconds ready)
    {
        const auto entry =
            std::lower_bound(m_state.groupOfTask.begin(), m_state.groupOfTask.end(), std::pair(member, 0U));
        const Group& group = m_schedule.groups[entry->second];
        GroupState& state = m_groups[entry->second];
        m_lanes[laneIndex].parked = true;
        state.ready = std::max(state.ready, ready);
        if (++state.arrived < group.end - group.begin)
            return;
        Nanoseconds duration = 0;
        for (std::uint32_t i = group.begin; i < group.end; ++i) {
            const TaskId id = m_schedule.groupMembers[i];
            duration = std::max(duration, m_costs.duration(id, m_schedule.tasks[id]));
        }
        for (std::uint32_t i = group.begin; i < group.end; ++i) {
            const TaskId id = m_schedule.groupMembers[i];
            const std::uint32_t lane = m_schedule.laneOf(id);
            m_lanes[lane].parked = false;
            placeUnit(lane, id, TaskId(id + 1), state.ready, duration);
            if (lane != laneIndex)
                m_work.push_back(lane);
        }
    }

    void placeUnit(std::uint32_t laneIndex, TaskId first, TaskId last, Nanoseconds start, Nanoseconds duration)
    {
        const Nanoseconds end = start + duration;
        for (TaskId id = first; id < last; ++id) {
            m_timing.start[id] = start;
            m_timing.end[id] = end;
        }
        m_lanes[laneIndex].free = end;
        m_lanes[laneIndex].head = last;
        if constexpr (Ordered) {
            m_lanes[laneIndex].parked = true;
            m_completions.push({end, laneIndex, first});
        } else {
            complete(laneIndex, first, end);
        }
    }

    /// The unit's results are there: messages leave and waiting lanes go on.
    void complete(std::uint32_t laneIndex, TaskId first, Nanoseconds end)
    {
        LaneState& lane = m_lanes[laneIndex];
        for (TaskId id = first; id < lane.head; ++id) {
            const Task& task = m_schedule.tasks[id];
            const bool gridTask = Plain ? onGrid(task.work) : m_state.grid.contains(task);
            const std::uint32_t slot = gridTask ? m_state.grid.slot(task) : lane.extra++;
            if constexpr (Ordered)
                sendFrom(id, slot, end);
            Nanoseconds waiting = m_state.end[slot];
            m_state.end[slot] = end;
            while (waiting < notYet) {
                const auto waiter = static_cast<std::uint32_t>(-waiting - 2);
                waiting = m_lanes[waiter].waiting;
                m_work.push_back(waiter);
            }
        }
        if constexpr (Ordered) {
            lane.parked = false;
            m_work.push_back(laneIndex);
        }
    }

    /// Link model: one message to each other device that needs this task's result, in the order of consumers' devices.
    void sendFrom(TaskId id, std::uint32_t slot, Nanoseconds end)
    {
        const Task& task = m_schedule.tasks[id];
        const Device from = m_schedule.deviceOf(id);
        std::set<std::pair<std::uint16_t, Payload>> receivers;
        if (m_schedule.dataflow.grid && m_state.grid.contains(task)) {
            m_state.grid.forEachSuccessor(task, [&](std::uint32_t successor, Payload payload) {
                if (travels(payload)) {
                    const Device to = deviceOf(m_state.grid.taskAt(successor), successor);
                    if (to != from && to != Device{0xffff})
                        receivers.insert({to.value, payload});
                }
            });
        }
        for (const std::uint32_t edge : edgesFrom(id)) {
            const Edge& given = m_schedule.dataflow.edges[edge];
            const Device to = m_schedule.deviceOf(given.to);
            if (travels(given.payload) && to != from)
                receivers.insert({to.value, given.payload});
        }
        for (const auto& [to, payload] : receivers)
            transfer(id, slot, from, Device(to), payload, end);
    }

    void transfer(TaskId id, std::uint32_t slot, Device from, Device to, Payload payload, Nanoseconds end)
    {
        const Hop& hop = m_costs.hop(from, to);
        Nanoseconds& link = m_linkFree[(std::uint32_t{from.value} << 16) | to.value];
        const Nanoseconds start = std::max({end, m_sendFree[from], m_receiveFree[to], link});
        const Nanoseconds done = start + hop.occupation(m_costs.messageBytes(payload, m_schedule.tasks[id]));
        m_sendFree[from] = m_receiveFree[to] = link = done;
        const Nanoseconds arrival = done + hop.latency;
        m_arrivals[(std::uint64_t{slot} << 16) | to.value] = arrival;
        m_timing.transfers.push_back({id, from, to, payload, start, done, arrival});
    }

    const std::vector<std::uint32_t>& edgesFrom(TaskId id)
    {
        if (m_edgesFrom.empty())
            for (std::uint32_t i = 0; i < m_schedule.dataflow.edges.size(); ++i)
                m_edgesFrom[m_schedule.dataflow.edges[i].from].push_back(i);
        static const std::vector<std::uint32_t> none;
        const auto found = m_edgesFrom.find(id);
        return found == m_edgesFrom.end() ? none : found->second;
    }

    void checkComplete()
    {
        m_timing.begin = m_schedule.tasks.empty() ? 0 : m_timing.start.empty() ? 0 : firstStart();
        m_timing.finish = 0;
        std::string stuck;
        int named = 0;
        for (std::size_t i = 0; i < m_lanes.size(); ++i) {
            const LaneState& lane = m_lanes[i];
            m_timing.finish = std::max(m_timing.finish, lane.free);
            if (lane.head >= lane.end)
                continue;
            if (++named > 8) {
                stuck += named == 9 ? "; …" : "";
                continue;
            }
            const std::string head = toText(m_schedule.tasks[lane.head]);
            const std::string what = lane.parked ? std::string("the other members of its group")
                                     : lane.waitsFor < m_state.grid.slots() ? toText(m_state.grid.taskAt(lane.waitsFor))
                                                                            : std::string("a task on another lane");
            stuck += fmt::format("{}device {} stands before {} and waits for {}", stuck.empty() ? "" : "; ",
                                 m_schedule.lanes[i].device.value, head, what);
        }
        if (!stuck.empty())
            throw Error("the order can't complete: {}", stuck);
    }

    Nanoseconds firstStart() const
    {
        Nanoseconds first = INT64_MAX;
        for (const Lane& lane : m_schedule.lanes)
            if (lane.begin < lane.end)
                first = std::min(first, m_timing.start[lane.begin]);
        return first == INT64_MAX ? 0 : first;
    }

    PreparedSchedule& m_state;
    const Schedule& m_schedule;
    const Costs& m_costs;
    Timing& m_timing;
    SimulateOptions m_options;
    std::vector<LaneState> m_lanes;
    std::vector<GroupState> m_groups;
    std::vector<std::uint32_t> m_work;

    // link model
    std::priority_queue<Completion, std::vector<Completion>, std::greater<>> m_completions;
    std::unordered_map<std::uint64_t, Nanoseconds> m_arrivals; // (slot, receiving device)
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> m_edgesFrom;
    std::unordered_map<std::uint32_t, Nanoseconds> m_linkFree;
    std::vector<Nanoseconds> m_sendFree;
    std::vector<Nanoseconds> m_receiveFree;
};

} // namespace

Simulator::Simulator(const Schedule& schedule) : m_state(std::make_unique<PreparedSchedule>(schedule)) {}

Simulator::~Simulator() = default;
Simulator::Simulator(Simulator&&) noexcept = default;

void Simulator::run(const Costs& costs, Timing& timing, SimulateOptions options)
{
    if (costs.model == CommModel::Blocking)
        timing = simulateBlocking(m_state->schedule, costs, options);
    else if (costs.model == CommModel::Link)
        Run<false, true>(*m_state, costs, timing, options)();
    else if (m_state->plain(costs))
        Run<true, false>(*m_state, costs, timing, options)();
    else
        Run<false, false>(*m_state, costs, timing, options)();
}

Timing simulate(const Schedule& schedule, const Costs& costs, SimulateOptions options)
{
    Timing timing;
    Simulator(schedule).run(costs, timing, options);
    return timing;
}

} // namespace bubblescope
