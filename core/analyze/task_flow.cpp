#include "core/analyze/task_flow.h"

#include <algorithm>
#include <set>

namespace bubblescope {
namespace {

void makeUnique(std::vector<TaskId>& tasks)
{
    std::sort(tasks.begin(), tasks.end());
    tasks.erase(std::unique(tasks.begin(), tasks.end()), tasks.end());
}

/// Walks on from what isn't shown until something is.
template <class Step>
std::vector<TaskId> walk(TaskId task, const std::vector<bool>& shown, Step step)
{
    std::vector<TaskId> found;
    std::set<TaskId> seen{task};
    std::vector<TaskId> open = step(task);
    while (!open.empty()) {
        const TaskId next = open.back();
        open.pop_back();
        if (!seen.insert(next).second)
            continue;
        if (shown[next]) {
            found.push_back(next);
            continue;
        }
        const std::vector<TaskId> further = step(next);
        open.insert(open.end(), further.begin(), further.end());
    }
    makeUnique(found);
    return found;
}

} // namespace

TaskFlow::TaskFlow(const Schedule& schedule) : m_schedule(schedule), m_index(schedule) {}

std::vector<TaskId> TaskFlow::predecessors(TaskId task) const
{
    std::vector<TaskId> tasks;
    const Task& own = m_schedule.tasks[task];
    if (m_schedule.dataflow.grid && m_index.grid().contains(own))
        m_index.grid().forEachPredecessor(own, [&](std::uint32_t slot, Payload) {
            if (const TaskId other = m_index.at(slot); other != noTask)
                tasks.push_back(other);
        });
    const std::vector<Edge>& edges = m_schedule.dataflow.edges; // sorted by `to`
    auto edge = std::lower_bound(edges.begin(), edges.end(), task,
                                 [](const Edge& each, TaskId wanted) { return each.to < wanted; });
    for (; edge != edges.end() && edge->to == task; ++edge)
        tasks.push_back(edge->from);
    makeUnique(tasks);
    return tasks;
}

std::vector<TaskId> TaskFlow::successors(TaskId task) const
{
    std::vector<TaskId> tasks;
    const Task& own = m_schedule.tasks[task];
    if (m_schedule.dataflow.grid && m_index.grid().contains(own))
        m_index.grid().forEachSuccessor(own, [&](std::uint32_t slot, Payload) {
            if (const TaskId other = m_index.at(slot); other != noTask)
                tasks.push_back(other);
        });
    for (const Edge& edge : m_schedule.dataflow.edges)
        if (edge.from == task)
            tasks.push_back(edge.to);
    makeUnique(tasks);
    return tasks;
}

std::vector<TaskId> shownPredecessors(const TaskFlow& flow, TaskId task, const std::vector<bool>& shown)
{
    return walk(task, shown, [&flow](TaskId each) { return flow.predecessors(each); });
}

std::vector<TaskId> shownSuccessors(const TaskFlow& flow, TaskId task, const std::vector<bool>& shown)
{
    return walk(task, shown, [&flow](TaskId each) { return flow.successors(each); });
}

} // namespace bubblescope
