#include "core/schedule/ordinals.h"

#include <algorithm>

namespace bubblescope {
namespace {

/// Works whose number is the microbatch, also where a step has no task for some of them.
bool perMicrobatch(Work work)
{
    return isCompute(work) || work == Work::Offload || work == Work::Reload || work == Work::Send ||
           work == Work::Receive;
}

} // namespace

Ordinals::Ordinals(const Schedule& schedule) : m_microbatches(schedule.shape.microbatches)
{
    for (const Task& task : schedule.tasks)
        if (!perMicrobatch(task.work)) {
            int& count = m_others[{task.work, task.pipe, task.stage}];
            count = std::max(count, task.microbatch + 1);
        }
    for (auto& [key, count] : m_others)
        count = std::max(1, count / std::max(1, schedule.shape.steps));
}

int Ordinals::perStep(const Task& task) const
{
    if (perMicrobatch(task.work))
        return task.pipe < m_microbatches.size() ? m_microbatches[task.pipe] : 1;
    const auto found = m_others.find({task.work, task.pipe, task.stage});
    return found == m_others.end() ? 1 : found->second;
}

} // namespace bubblescope
