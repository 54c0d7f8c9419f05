#include "core/execute/vocabulary_groups.h"

#include "core/base/error.h"

#include <algorithm>
#include <cstring>

namespace bubblescope {
namespace {

bool exchanges(Work work)
{
    return work == Work::AllReduce || work == Work::Broadcast || work == Work::Gather;
}

} // namespace

bool sharesVocabulary(const Schedule& schedule)
{
    return std::any_of(schedule.tasks.begin(), schedule.tasks.end(),
                       [](const Task& task) { return task.work == Work::VocabularyS; });
}

VocabularyGroups::VocabularyGroups(const Schedule& schedule) : m_schedule(schedule)
{
    if (!sharesVocabulary(schedule))
        return;
    m_homes.resize(static_cast<std::size_t>(schedule.shape.allStages()));
    for (const Lane& lane : schedule.lanes)
        for (TaskId id = lane.begin; id < lane.end; ++id) {
            const Task& task = schedule.tasks[id];
            if (task.work == Work::Forward)
                m_homes[task.stage] = lane.device;
            m_oneBarrier = m_oneBarrier && task.work != Work::Gather;
            if (task.work != Work::VocabularyS)
                continue;
            m_devices.resize(std::max<std::size_t>(m_devices.size(), task.part + 1U));
            m_devices[task.part] = lane.device;
        }
    m_modules.resize(m_devices.size());
    m_offered.resize(schedule.tasks.size());
    m_groupOf.assign(schedule.tasks.size(), noGroup);
    for (std::uint32_t group = 0; group < schedule.groups.size(); ++group)
        for (std::uint32_t i = schedule.groups[group].begin; i < schedule.groups[group].end; ++i)
            if (const TaskId id = schedule.groupMembers[i]; exchanges(schedule.tasks[id].work))
                m_groupOf[id] = group;
}

VocabularyShare VocabularyGroups::share(Device device) const
{
    const auto own = std::find(m_devices.begin(), m_devices.end(), device);
    return {static_cast<int>(m_devices.size()), static_cast<int>(own - m_devices.begin()), m_oneBarrier};
}

void VocabularyGroups::settle(Device device, const VocabularyModule& module)
{
    m_modules[static_cast<std::size_t>(share(device).index)] = &module;
}

VocabularyGroups::Result VocabularyGroups::take(TaskId member, Arena& arena) const
{
    const Task& task = m_schedule.tasks[member];
    const bool root = m_devices[task.part] == m_homes[task.stage];
    const VocabularyModule& module = *m_modules[task.part];
    const std::vector<TaskId> members = membersOf(member);
    Result result;
    if (task.work == Work::Broadcast) {
        const auto source =
            std::find_if(members.begin(), members.end(), [&](TaskId id) { return m_offered[id].size(); });
        if (source == members.end())
            throw Failure(fmt::format("nobody has brought what {} hands out", toText(task)));
        const Buffer& data = m_offered[*source];
        result.data = arena.get(data.size(), MemoryClass::Message);
        std::memcpy(result.data.bytes(), data.bytes(), data.size());
        return result;
    }
    std::vector<const Buffer*> parts;
    for (const TaskId id : members)
        parts.push_back(&m_offered[id]);
    const bool scores = task.work == Work::Gather || (m_oneBarrier && task.stage + 1 == m_schedule.shape.stages);
    if (scores)
        result.data = module.merge(parts);
    if (!root || task.work == Work::Gather)
        return result;
    if (scores)
        result.inputGradient = module.inputGradient(parts, result.data);
    else
        (task.stage == 0 ? result.data : result.inputGradient) = module.sum(parts);
    return result;
}

std::string VocabularyGroups::problem() const
{
    const auto tied = [](const Task& task) { return exchanges(task.work); };
    if (any() && std::none_of(m_schedule.tasks.begin(), m_schedule.tasks.end(), tied))
        return "The passes of the vocabulary's shards aren't tied by groups: the cpu backend can't run them so.";
    for (TaskId id{}; any() && id < m_schedule.tasks.size(); ++id)
        if (exchanges(m_schedule.tasks[id].work) &&
            (m_groupOf[id] == noGroup || membersOf(id).size() != m_devices.size()))
            return fmt::format("The group of {} doesn't bring together the {} devices that share the vocabulary.",
                               toText(m_schedule.tasks[id]), m_devices.size());
    return "";
}

/// In the order of the shards.
std::vector<TaskId> VocabularyGroups::membersOf(TaskId member) const
{
    const Group& group = m_schedule.groups[m_groupOf[member]];
    std::vector<TaskId> members(m_schedule.groupMembers.begin() + group.begin,
                                m_schedule.groupMembers.begin() + group.end);
    std::sort(members.begin(), members.end(),
              [&](TaskId a, TaskId b) { return m_schedule.tasks[a].part < m_schedule.tasks[b].part; });
    return members;
}

} // namespace bubblescope
