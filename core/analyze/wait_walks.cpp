// The questions that the graph answers: what set a start, what covers a gap, what may slip.

#include "core/analyze/wait_graph.h"

#include <algorithm>
#include <tuple>

namespace bubblescope {

/// The wait whose end is latest; ties as idle.h says.
const WaitGraph::Wait* WaitGraph::binding(std::uint32_t node) const
{
    const Wait* best = nullptr;
    const auto key = [&](const Wait& wait) {
        return std::tuple(-(m_nodes[wait.node].end + wait.delay), wait.tie, wait.from.value);
    };
    for (std::uint32_t i = m_waitBegin[node]; i < m_waitBegin[node + 1]; ++i)
        if (best == nullptr || key(m_waits[i]) < key(*best))
            best = &m_waits[i];
    return best;
}

TaskId WaitGraph::bindingPredecessor(TaskId task) const
{
    const std::uint32_t node = m_nodeOfTask[task];
    const Wait* wait = binding(node);
    if (wait == nullptr || m_nodes[wait->node].end + wait->delay < m_nodes[node].release)
        return noTask;
    return wait->from;
}

std::vector<StartConstraint> WaitGraph::constraints(TaskId task) const
{
    using Kind = StartConstraint::Kind;
    const std::uint32_t node = m_nodeOfTask[task];
    const Wait* first = binding(node);
    const Nanoseconds release = m_nodes[node].release;
    const bool released = release > 0 && (first == nullptr || m_nodes[first->node].end + first->delay < release);
    const LaneId own = m_schedule.laneOf(task);
    std::vector<StartConstraint> all;
    if (release > 0)
        all.push_back({Kind::Release, noTask, {}, release, release, released});
    for (std::uint32_t i = m_waitBegin[node]; i < m_waitBegin[node + 1]; ++i) {
        const Wait& wait = m_waits[i];
        const Node& before = m_nodes[wait.node];
        Kind kind = wait.tie == Tie::Arrival || before.kind == ChainTile::Kind::Transfer ? Kind::Arrival : Kind::Data;
        if (wait.tie == Tie::Lane)
            kind = m_schedule.laneOf(wait.from) == own ? Kind::Lane : Kind::Group;
        all.push_back({kind, wait.from, m_schedule.deviceOf(wait.from), before.end, before.end + wait.delay,
                       &wait == first && !released});
    }
    std::stable_sort(all.begin(), all.end(), [](const StartConstraint& a, const StartConstraint& b) {
        return std::pair(a.ready, a.binding) < std::pair(b.ready, b.binding);
    });
    return all;
}

Nanoseconds WaitGraph::inputsReady(TaskId task) const
{
    const std::uint32_t node = m_nodeOfTask[task];
    Nanoseconds ready = std::max(m_nodes[node].release, m_timing.begin);
    for (std::uint32_t i = m_waitBegin[node]; i < m_waitBegin[node + 1]; ++i)
        if (m_waits[i].tie != Tie::Lane)
            ready = std::max(ready, m_nodes[m_waits[i].node].end + m_waits[i].delay);
    return ready;
}

/// The unit that ends last; of several the first one that took time.
std::uint32_t WaitGraph::lastNode() const
{
    std::uint32_t last = noNode;
    const auto key = [&](std::uint32_t node) {
        return std::pair(m_nodes[node].end, m_nodes[node].end > m_nodes[node].start);
    };
    for (std::uint32_t node = 0; node < m_nodes.size(); ++node)
        if (last == noNode || key(node) > key(last))
            last = node;
    return last;
}

namespace {

/// Collects tiles from the end of a gap towards its start, without holes and without overlap.
class Tiling {
public:
    explicit Tiling(const Gap& gap) : m_begin(gap.start), m_time(gap.end) {}

    bool done() const { return m_time <= m_begin; }

    /// Covers down to `start`; nothing when that is already covered.
    void cover(ChainTile::Kind kind, TaskId task, Device device, Nanoseconds start)
    {
        const Nanoseconds from = std::max(start, m_begin);
        if (from >= m_time)
            return;
        m_tiles.push_back({kind, task, device, from, m_time});
        m_time = from;
    }

    std::vector<ChainTile> take() { return std::move(m_tiles); }

private:
    Nanoseconds m_begin;
    Nanoseconds m_time;
    std::vector<ChainTile> m_tiles;
};

} // namespace

std::vector<ChainTile> WaitGraph::chain(const Gap& gap) const
{
    Tiling tiling(gap);
    std::uint32_t node = gap.before == noTask ? lastNode() : m_nodeOfTask[gap.before];
    TaskId task = gap.before;
    if (node == noNode)
        return {};
    if (gap.before == noTask) {
        task = m_nodes[node].first;
        tiling.cover(m_nodes[node].kind, task, m_nodes[node].device, m_nodes[node].start);
    }
    for (std::size_t steps = 0; !tiling.done() && steps <= m_nodes.size(); ++steps) {
        const Wait* wait = binding(node);
        const Nanoseconds reached = wait == nullptr ? INT64_MIN : m_nodes[wait->node].end + wait->delay;
        const Nanoseconds release = m_nodes[node].release;
        if (const Nanoseconds ready = std::max(reached, release); ready > INT64_MIN)
            tiling.cover(ChainTile::Kind::Overhead, task, m_nodes[node].device, ready);
        if (release > reached) { // before it, there was nothing to wait for but the outside world
            tiling.cover(ChainTile::Kind::Arrival, task, m_nodes[node].device, INT64_MIN);
            break;
        }
        if (wait == nullptr)
            break;
        const Node& before = m_nodes[wait->node];
        if (wait->delay > 0)
            tiling.cover(ChainTile::Kind::Transfer, wait->from, m_nodes[m_nodeOfTask[wait->from]].device, before.end);
        tiling.cover(before.kind, wait->from, before.device, before.start);
        node = wait->node;
        task = wait->from;
    }
    if (!tiling.done())
        tiling.cover(ChainTile::Kind::Overhead, task, m_nodes[node].device, INT64_MIN);
    return tiling.take();
}

std::vector<Nanoseconds> WaitGraph::slack() const
{
    // Latest ends, from the back: a node is settled when all that wait for it are.
    std::vector<std::uint32_t> waiters(m_nodes.size(), 0);
    for (const Wait& wait : m_waits)
        ++waiters[wait.node];
    std::vector<Nanoseconds> latest(m_nodes.size(), m_timing.finish);
    std::vector<std::uint32_t> settled;
    for (std::uint32_t node = 0; node < m_nodes.size(); ++node)
        if (waiters[node] == 0)
            settled.push_back(node);
    while (!settled.empty()) {
        const std::uint32_t node = settled.back();
        settled.pop_back();
        const Nanoseconds start = latest[node] - (m_nodes[node].end - m_nodes[node].start);
        for (std::uint32_t i = m_waitBegin[node]; i < m_waitBegin[node + 1]; ++i) {
            const Wait& wait = m_waits[i];
            latest[wait.node] = std::min(latest[wait.node], start - wait.delay);
            if (--waiters[wait.node] == 0)
                settled.push_back(wait.node);
        }
    }
    std::vector<Nanoseconds> slack(m_schedule.tasks.size());
    for (std::size_t id = 0; id < slack.size(); ++id)
        slack[id] = std::max<Nanoseconds>(0, latest[m_nodeOfTask[id]] - m_nodes[m_nodeOfTask[id]].end);
    return slack;
}

std::vector<TaskId> WaitGraph::criticalPath() const
{
    const std::vector<Nanoseconds> own = slack();
    std::vector<TaskId> path;
    for (TaskId id{}; id < m_schedule.tasks.size(); ++id)
        if (own[id] == 0 && m_timing.end[id] > m_timing.start[id])
            path.push_back(id);
    std::stable_sort(path.begin(), path.end(),
                     [&](TaskId a, TaskId b) { return m_timing.start[a] < m_timing.start[b]; });
    return path;
}

std::vector<ChainTile> waitingChain(const Schedule& schedule, const Costs& costs, const Timing& timing, const Gap& gap)
{
    return WaitGraph(schedule, costs, timing).chain(gap);
}

TaskId bindingPredecessor(const Schedule& schedule, const Costs& costs, const Timing& timing, TaskId task)
{
    return WaitGraph(schedule, costs, timing).bindingPredecessor(task);
}

std::vector<Nanoseconds> slack(const Schedule& schedule, const Costs& costs, const Timing& timing)
{
    return WaitGraph(schedule, costs, timing).slack();
}

} // namespace bubblescope
