#include "core/schedule/deadlock.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace bubblescope {
namespace {

constexpr std::uint32_t none = 0xffffffffU;
constexpr std::size_t mostNamed = 12; ///< devices named one by one in a sentence

/// The worklist over lanes: a lane runs on while its head is ready, otherwise it parks on the first
/// unfinished task that it needs and is woken by it.
class Runner {
public:
    Runner(const Schedule& schedule, const TaskIndex& index)
        : m_schedule(schedule)
        , m_index(index)
        , m_laneOf(schedule.tasks.size())
        , m_firstWaiter(schedule.tasks.size(), none)
        , m_nextWaiter(schedule.lanes.size(), none)
        , m_arrived(schedule.lanes.size(), false)
    {
        for (std::uint32_t lane = 0; lane < schedule.lanes.size(); ++lane) {
            m_head.push_back(schedule.lanes[lane].begin);
            std::fill(m_laneOf.begin() + schedule.lanes[lane].begin, m_laneOf.begin() + schedule.lanes[lane].end, lane);
            m_runnable.push_back(lane);
        }
        if (!schedule.dataflow.edges.empty()) {
            m_edgesUpTo.assign(schedule.tasks.size() + 1, 0);
            for (const Edge& edge : schedule.dataflow.edges)
                ++m_edgesUpTo[edge.to + 1U];
            for (std::size_t i = 1; i < m_edgesUpTo.size(); ++i)
                m_edgesUpTo[i] += m_edgesUpTo[i - 1];
        }
        if (!schedule.groups.empty()) {
            m_groupOf.assign(schedule.tasks.size(), none);
            m_arrivals.assign(schedule.groups.size(), 0);
            for (std::uint32_t group = 0; group < schedule.groups.size(); ++group)
                for (std::uint32_t i = schedule.groups[group].begin; i < schedule.groups[group].end; ++i)
                    m_groupOf[schedule.groupMembers[i]] = group;
        }
    }

    void run()
    {
        while (!m_runnable.empty()) {
            const std::uint32_t lane = m_runnable.back();
            m_runnable.pop_back();
            while (advance(lane)) {
            }
        }
    }

    /// Notes the order of completion from now on.
    void note() { m_place.assign(m_schedule.tasks.size(), none); }

    std::vector<std::uint32_t> takePlaces() { return std::move(m_place); }

    std::vector<BlockedLane> blocked() const
    {
        std::vector<BlockedLane> lanes;
        for (std::uint32_t lane = 0; lane < m_head.size(); ++lane) {
            if (m_head[lane] >= m_schedule.lanes[lane].end)
                continue;
            const auto [waiter, needs] = firstNeed(m_head[lane]);
            lanes.push_back({LaneId(lane), m_head[lane], waiter, needs});
        }
        return lanes;
    }

    LaneId laneOf(TaskId task) const { return LaneId(m_laneOf[task]); }

private:
    struct Need {
        TaskId waiter = noTask;
        TaskId needs = noTask;
    };

    bool done(TaskId task) const { return task < m_head[m_laneOf[task]]; }

    /// The first unfinished predecessor of the unit that begins at `first`; noTask when it is ready.
    Need unfinished(TaskId first) const
    {
        const TaskId end = m_schedule.unitEnd(first);
        Need need;
        const auto visit = [&](TaskId waiter, TaskId from) {
            if (need.needs == noTask && from != noTask && (from < first || from >= end) && !done(from))
                need = {waiter, from};
        };
        for (TaskId id = first; id < end && need.needs == noTask; ++id) {
            const Task& task = m_schedule.tasks[id];
            if (m_schedule.dataflow.grid && m_index.grid().contains(task))
                m_index.grid().forEachPredecessor(task,
                                                  [&](std::uint32_t slot, Payload) { visit(id, m_index.at(slot)); });
            if (!m_edgesUpTo.empty())
                for (std::uint32_t e = m_edgesUpTo[id]; e < m_edgesUpTo[id + 1U]; ++e)
                    visit(id, m_schedule.dataflow.edges[e].from);
        }
        return need;
    }

    /// As `unfinished`, and for a group whose own needs are met: a member that isn't at the head of its lane.
    Need firstNeed(TaskId first) const
    {
        const Need need = unfinished(first);
        if (need.needs != noTask || m_groupOf.empty() || m_groupOf[first] == none)
            return need;
        const Group& group = m_schedule.groups[m_groupOf[first]];
        for (std::uint32_t i = group.begin; i < group.end; ++i) {
            const TaskId member = m_schedule.groupMembers[i];
            if (!m_arrived[m_laneOf[member]] || m_head[m_laneOf[member]] != member)
                return {first, member};
        }
        return need;
    }

    /// Runs the head of the lane if it can; false when the lane ends or waits.
    bool advance(std::uint32_t lane)
    {
        const TaskId first = m_head[lane];
        if (first >= m_schedule.lanes[lane].end || m_arrived[lane])
            return false;
        const Need need = unfinished(first);
        if (need.needs != noTask) {
            m_nextWaiter[lane] = m_firstWaiter[need.needs];
            m_firstWaiter[need.needs] = lane;
            return false;
        }
        if (!m_groupOf.empty() && m_groupOf[first] != none)
            return arrive(lane, m_groupOf[first]);
        finish(lane, m_schedule.unitEnd(first));
        return true;
    }

    /// The lane's member is ready; the last one to come lets all of them through.
    bool arrive(std::uint32_t lane, std::uint32_t groupId)
    {
        m_arrived[lane] = true;
        const Group& group = m_schedule.groups[groupId];
        if (++m_arrivals[groupId] < group.end - group.begin)
            return false;
        for (std::uint32_t i = group.begin; i < group.end; ++i) {
            const std::uint32_t other = m_laneOf[m_schedule.groupMembers[i]];
            m_arrived[other] = false;
            if (other != lane)
                m_runnable.push_back(other);
            finish(other, TaskId(m_schedule.groupMembers[i] + 1U));
        }
        return true;
    }

    void finish(std::uint32_t lane, TaskId end)
    {
        for (TaskId id = m_head[lane]; id < end; ++id) {
            for (std::uint32_t waiter = m_firstWaiter[id]; waiter != none; waiter = m_nextWaiter[waiter])
                m_runnable.push_back(waiter);
            m_firstWaiter[id] = none;
            if (!m_place.empty())
                m_place[id] = m_completed++;
        }
        m_head[lane] = end;
    }

    const Schedule& m_schedule;
    const TaskIndex& m_index;
    std::vector<std::uint32_t> m_laneOf;
    std::vector<std::uint32_t> m_firstWaiter; // by task: a lane that waits for it
    std::vector<std::uint32_t> m_nextWaiter;  // by lane: the next lane that waits for the same task
    std::vector<bool> m_arrived;              // by lane: its head is a group member that is ready
    std::vector<TaskId> m_head;
    std::vector<std::uint32_t> m_runnable;
    std::vector<std::uint32_t> m_edgesUpTo; // by task: begin of its edges; empty without edges
    std::vector<std::uint32_t> m_groupOf;   // by task; empty without groups
    std::vector<std::uint32_t> m_arrivals;  // by group
    std::vector<std::uint32_t> m_place;     // by task; empty unless noted
    std::uint32_t m_completed = 0;
};

/// "device 2", or with the lane where it isn't the compute lane.
std::string place(const Lane& lane)
{
    std::string text = fmt::format("device {}", lane.device.value);
    if (lane.kind != LaneKind::Compute)
        text += fmt::format(" ({} lane {})", laneKindName(lane.kind), lane.index);
    return text;
}

bool sameGroup(const Schedule& schedule, TaskId a, TaskId b)
{
    if (!schedule.tasks[a].grouped() || !schedule.tasks[b].grouped())
        return false;
    return std::any_of(schedule.groups.begin(), schedule.groups.end(), [&](const Group& group) {
        const auto begin = schedule.groupMembers.begin() + group.begin;
        const auto end = schedule.groupMembers.begin() + group.end;
        return std::find(begin, end, a) != end && std::find(begin, end, b) != end;
    });
}

std::string needText(const Schedule& schedule, const BlockedLane& blocked)
{
    const std::string waiter = toText(schedule.tasks[blocked.waiter]);
    const std::string needs = toText(schedule.tasks[blocked.needs]);
    const LaneId needed = schedule.laneOf(blocked.needs);
    const std::string where = needed == blocked.lane ? "later on the same lane" : "of " + place(schedule.lanes[needed]);
    const std::string at = place(schedule.lanes[blocked.lane]);
    if (sameGroup(schedule, blocked.waiter, blocked.needs))
        return fmt::format("{} stands at {}, which has to start together with {} {}", at, waiter, needs, where);
    return fmt::format("{} stands at {}, which needs {} {}", at, waiter, needs, where);
}

std::string numbers(const std::vector<Device>& devices)
{
    std::vector<int> named;
    for (std::size_t i = 0; i < devices.size() && i < mostNamed; ++i)
        named.push_back(devices[i]);
    std::string text = fmt::format("{}", fmt::join(named, ", "));
    if (devices.size() > mostNamed)
        text += fmt::format(" and {} more", devices.size() - mostNamed);
    return text;
}

void sortUnique(std::vector<Device>& devices)
{
    std::sort(devices.begin(), devices.end());
    devices.erase(std::unique(devices.begin(), devices.end()), devices.end());
}

std::string cycleText(const Schedule& schedule, const Stuck& stuck, const Problem& problem,
                      const std::vector<std::size_t>& cycle)
{
    std::string text = problem.devices.size() == 1
                           ? fmt::format("Device {} waits for itself: ", problem.devices[0].value)
                           : fmt::format("Devices {} wait for each other: ", numbers(problem.devices));
    for (std::size_t i = 0; i < cycle.size() && i < mostNamed; ++i)
        text += (i > 0 ? "; " : "") + needText(schedule, stuck.lanes[cycle[i]]);
    text += cycle.size() > mostNamed ? "; and so on." : ".";
    if (problem.victims.empty())
        return text;
    text += problem.victims.size() == 1 ? fmt::format(" Device {} waits because of them", numbers(problem.victims))
                                        : fmt::format(" Devices {} wait because of them", numbers(problem.victims));
    std::vector<std::string> heads;
    for (const BlockedLane& lane : stuck.lanes)
        if (lane.cycle < 0 && heads.size() < mostNamed)
            heads.push_back(
                fmt::format("{} at {}", place(schedule.lanes[lane.lane]), toText(schedule.tasks[lane.head])));
    return text + fmt::format(" ({}).", fmt::join(heads, ", "));
}

} // namespace

std::vector<std::uint32_t> completionOrder(const Schedule& schedule)
{
    const TaskIndex index(schedule);
    Runner runner(schedule, index);
    runner.note();
    runner.run();
    return runner.takePlaces();
}

Stuck findStuck(const Schedule& schedule, const TaskIndex& index)
{
    Runner runner(schedule, index);
    runner.run();
    Stuck stuck;
    stuck.lanes = runner.blocked();
    // Every blocked lane waits for exactly one blocked lane, so following that ends in a cycle.
    std::vector<std::uint32_t> entry(schedule.lanes.size(), none);
    for (std::uint32_t i = 0; i < stuck.lanes.size(); ++i)
        entry[stuck.lanes[i].lane] = i;
    std::vector<std::uint32_t> seenBy(stuck.lanes.size(), none);
    for (std::uint32_t start = 0; start < stuck.lanes.size(); ++start) {
        std::uint32_t at = start;
        while (seenBy[at] == none) {
            seenBy[at] = start;
            at = entry[runner.laneOf(stuck.lanes[at].needs)];
        }
        if (seenBy[at] != start)
            continue;
        std::vector<std::size_t> cycle;
        for (; stuck.lanes[at].cycle < 0; at = entry[runner.laneOf(stuck.lanes[at].needs)]) {
            stuck.lanes[at].cycle = static_cast<int>(stuck.cycles.size());
            cycle.push_back(at);
        }
        std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
        stuck.cycles.push_back(std::move(cycle));
    }
    return stuck;
}

std::vector<Problem> describe(const Schedule& schedule, const Stuck& stuck)
{
    std::vector<Device> inSomeCycle;
    for (const BlockedLane& lane : stuck.lanes)
        if (lane.cycle >= 0)
            inSomeCycle.push_back(schedule.lanes[lane.lane].device);
    sortUnique(inSomeCycle);
    std::vector<Problem> problems;
    for (const std::vector<std::size_t>& cycle : stuck.cycles) {
        Problem problem;
        problem.kind = Problem::Kind::Deadlock;
        for (const std::size_t i : cycle) {
            problem.tasks.push_back(stuck.lanes[i].waiter);
            problem.tasks.push_back(stuck.lanes[i].needs);
            problem.devices.push_back(schedule.lanes[stuck.lanes[i].lane].device);
        }
        sortUnique(problem.devices);
        for (const BlockedLane& lane : stuck.lanes) {
            problem.blocked.push_back(lane.head);
            const Device device = schedule.lanes[lane.lane].device;
            if (!std::binary_search(inSomeCycle.begin(), inSomeCycle.end(), device))
                problem.victims.push_back(device);
        }
        sortUnique(problem.victims);
        problem.sentence = cycleText(schedule, stuck, problem, cycle);
        problems.push_back(std::move(problem));
    }
    return problems;
}

} // namespace bubblescope
