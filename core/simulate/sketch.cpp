#include "core/simulate/sketch.h"

#include "core/schedule/task_index.h"

#include <algorithm>
#include <limits>
#include <optional>

namespace bubblescope {
namespace {

class Sketch {
public:
    Sketch(const Schedule& schedule, const Costs& costs)
        : m_schedule(schedule), m_costs(costs), m_index(schedule), m_device(schedule.tasks.size())
    {
        m_timing.start.assign(schedule.tasks.size(), 0);
        m_timing.end.assign(schedule.tasks.size(), notYet);
        m_free.assign(schedule.lanes.size(), 0);
        for (const Lane& lane : schedule.lanes) {
            m_next.push_back(lane.begin);
            std::fill(m_device.begin() + lane.begin, m_device.begin() + lane.end, lane.device);
        }
    }

    Timing run()
    {
        for (bool moved = true; moved;) {
            moved = false;
            for (std::size_t lane = 0; lane < m_next.size(); ++lane)
                while (m_next[lane] < m_schedule.lanes[lane].end && place(lane, false))
                    moved = true;
            if (!moved)
                moved = force();
        }
        m_timing.begin = m_timing.start.empty() ? 0 : *std::min_element(m_timing.start.begin(), m_timing.start.end());
        m_timing.finish = m_timing.end.empty() ? 0 : *std::max_element(m_timing.end.begin(), m_timing.end.end());
        return std::move(m_timing);
    }

private:
    static constexpr Nanoseconds notYet = -1;

    /// The lane that stands still longest goes on. False when all are done.
    bool force()
    {
        std::size_t chosen = m_next.size();
        for (std::size_t lane = 0; lane < m_next.size(); ++lane)
            if (m_next[lane] < m_schedule.lanes[lane].end && (chosen == m_next.size() || m_free[lane] < m_free[chosen]))
                chosen = lane;
        return chosen < m_next.size() && place(chosen, true);
    }

    /// Places the next unit of a lane; false when it waits for something that hasn't run.
    bool place(std::size_t lane, bool anyway)
    {
        const TaskId first = m_next[lane];
        const TaskId end = std::min(m_schedule.unitEnd(first), m_schedule.lanes[lane].end);
        Nanoseconds start = m_free[lane];
        for (TaskId id = first; id < end; ++id) {
            const std::optional<Nanoseconds> ready = readyAt(id, first, end, anyway);
            if (!ready)
                return false;
            start = std::max(start, *ready);
        }
        const Nanoseconds finish = start + lengthOf(first, end);
        for (TaskId id = first; id < end; ++id) {
            m_timing.start[id] = start;
            m_timing.end[id] = finish;
        }
        m_free[lane] = finish;
        m_next[lane] = end;
        return true;
    }

    /// Tasks that somebody typed may be of stages that have no cost.
    Nanoseconds lengthOf(TaskId first, TaskId end) const
    {
        for (TaskId id = first; id < end; ++id)
            if (m_schedule.tasks[id].stage >= m_costs.stages())
                return unit;
        return m_costs.unitDuration(m_schedule, first, end);
    }

    std::optional<Nanoseconds> readyAt(TaskId id, TaskId first, TaskId end, bool anyway) const
    {
        Nanoseconds ready = 0;
        bool waits = false;
        const auto after = [&](TaskId from, Payload payload) {
            if (from == noTask || (from >= first && from < end))
                return;
            if (m_timing.end[from] == notYet)
                waits = true;
            else
                ready = std::max(ready, m_timing.end[from] + delay(from, id, payload));
        };
        const Task& task = m_schedule.tasks[id];
        if (m_index.grid().contains(task))
            m_index.grid().forEachPredecessor(
                task, [&](std::uint32_t slot, Payload payload) { after(m_index.at(slot), payload); });
        const auto& edges = m_schedule.dataflow.edges;
        auto edge =
            std::lower_bound(edges.begin(), edges.end(), id, [](const Edge& e, TaskId to) { return e.to < to; });
        for (; edge != edges.end() && edge->to == id; ++edge)
            after(edge->from, edge->payload);
        if (waits && !anyway)
            return std::nullopt;
        return ready;
    }

    Nanoseconds delay(TaskId from, TaskId to, Payload payload) const
    {
        const Task& producer = m_schedule.tasks[from];
        if (!travels(payload) || m_device[from] == m_device[to] || producer.stage >= m_costs.stages())
            return 0;
        const Hop& hop = m_costs.hop(m_device[from], m_device[to]);
        return hop.latency + hop.occupation(m_costs.messageBytes(payload, producer));
    }

    const Schedule& m_schedule;
    const Costs& m_costs;
    TaskIndex m_index;
    std::vector<Device> m_device; // by task
    std::vector<TaskId> m_next;   // by lane
    std::vector<Nanoseconds> m_free;
    Timing m_timing;
};

} // namespace

Timing sketch(const Schedule& schedule, const Costs& costs)
{
    return Sketch(schedule, costs).run();
}

} // namespace bubblescope
