#include "tests/support/order_bounds.h"

#include "core/schedule/task_index.h"

#include <map>

namespace bubblescope::test {
namespace {

using Bits = std::vector<bool>;

/// Which tasks have surely ended when a task starts: those that it waits for, directly or not. Units and groups start
/// together, so their members wait for the same.
class Ancestors {
public:
    explicit Ancestors(const Schedule& schedule) : m_schedule(schedule), m_before(schedule.tasks.size())
    {
        const TaskIndex index(schedule);
        m_needs.resize(schedule.tasks.size());
        for (TaskId id{}; id < schedule.tasks.size(); ++id)
            if (schedule.dataflow.grid && index.grid().contains(schedule.tasks[id]))
                index.grid().forEachPredecessor(schedule.tasks[id], [&](std::uint32_t slot, Payload payload) {
                    if (index.at(slot) != noTask)
                        m_needs[id].push_back({index.at(slot), id, payload});
                });
        for (const Edge& edge : schedule.dataflow.edges)
            m_needs[edge.to].push_back(edge);
        for (const Lane& lane : schedule.lanes)
            for (TaskId first = lane.begin; first < lane.end;) {
                const TaskId end = schedule.unitEnd(first);
                m_starts.push_back({});
                for (TaskId id = first; id < end; ++id)
                    m_starts.back().push_back(id);
                if (first > lane.begin)
                    m_needs[first].push_back({TaskId(first - 1), first, Payload::None});
                first = end;
            }
        mergeGroups();
        while (advance()) {
        }
    }

    const std::vector<Edge>& needs(TaskId id) const { return m_needs[id]; }

    /// True when `earlier` has surely ended at the start of `later`.
    bool ended(TaskId earlier, TaskId later) const { return m_before[later][earlier]; }

private:
    void mergeGroups()
    {
        std::map<TaskId, std::size_t> startOf;
        for (std::size_t i = 0; i < m_starts.size(); ++i)
            startOf[m_starts[i].front()] = i;
        for (const Group& group : m_schedule.groups) {
            std::vector<TaskId>& all = m_starts[startOf[m_schedule.groupMembers[group.begin]]];
            for (std::uint32_t i = group.begin + 1; i < group.end; ++i) {
                all.push_back(m_schedule.groupMembers[i]);
                m_starts[startOf[m_schedule.groupMembers[i]]].clear();
            }
        }
        std::erase_if(m_starts, [](const std::vector<TaskId>& start) { return start.empty(); });
    }

    /// Settles every start whose needs are settled. False when nothing is left, or nothing can be done.
    bool advance()
    {
        const std::size_t left = m_starts.size();
        std::erase_if(m_starts, [this](const std::vector<TaskId>& members) {
            Bits before(m_schedule.tasks.size(), false);
            for (const TaskId id : members)
                for (const Edge& need : m_needs[id]) {
                    const Bits& theirs = m_before[need.from];
                    if (theirs.empty())
                        return false;
                    before[need.from] = true;
                    for (std::size_t i = 0; i < theirs.size(); ++i)
                        before[i] = before[i] || theirs[i];
                }
            for (const TaskId id : members)
                m_before[id] = before;
            return true;
        });
        return m_starts.size() < left;
    }

    const Schedule& m_schedule;
    std::vector<std::vector<Edge>> m_needs;
    std::vector<Bits> m_before;                ///< by task; empty: not settled yet
    std::vector<std::vector<TaskId>> m_starts; ///< tasks that start together, not settled yet
};

} // namespace

std::vector<int> mostInFlight(const Schedule& schedule)
{
    const Ancestors ancestors(schedule);
    std::vector<std::pair<TaskId, TaskId>> tensors; // from producer to consumer
    for (TaskId id{}; id < schedule.tasks.size(); ++id)
        for (const Edge& need : ancestors.needs(id))
            if (need.payload == Payload::Activation || need.payload == Payload::Gradient)
                tensors.emplace_back(need.from, id);
    std::vector<int> most;
    for (int device = 0; device < schedule.shape.devices; ++device) {
        const Lane& lane = schedule.lanes[schedule.computeLane(Device(device))];
        most.push_back(0);
        for (TaskId first = lane.begin; first < lane.end;) {
            const TaskId end = schedule.unitEnd(first);
            int waiting = 0;
            for (const auto& [producer, consumer] : tensors)
                waiting += producer >= lane.begin && producer < end && !(consumer >= first && consumer < end) &&
                                   !ancestors.ended(consumer, first)
                               ? 1
                               : 0;
            most.back() = std::max(most.back(), waiting);
            first = end;
        }
    }
    return most;
}

std::vector<std::vector<TaskId>> maybeAway(const Schedule& schedule)
{
    const Ancestors ancestors(schedule);
    const TaskIndex index(schedule);
    std::map<TaskId, TaskId> reloadOf; // by F
    for (TaskId id{}; id < schedule.tasks.size(); ++id)
        if (Task task = schedule.tasks[id]; task.work == Work::Reload) {
            task.work = Work::Forward;
            reloadOf[index.find(task)] = id;
        }
    std::vector<std::vector<TaskId>> away(schedule.tasks.size());
    for (const Lane& lane : schedule.lanes) {
        if (lane.kind != LaneKind::Compute)
            continue;
        for (TaskId id = lane.begin; id < lane.end; ++id)
            for (const auto& [forward, reload] : reloadOf)
                if (forward >= lane.begin && forward < id && !ancestors.ended(reload, id))
                    away[id].push_back(forward);
    }
    return away;
}

} // namespace bubblescope::test
