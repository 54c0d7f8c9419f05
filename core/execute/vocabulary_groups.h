// The exchanges of a vocabulary that the devices share: what members of a group bring, what each takes.
//
//     b, g    the root's tensor, a copy for everybody       c, two barriers   the merged scores, for everybody
//     x, y    the sum, for the root                         c, one barrier    the same; the gradient for the root
//
// All members bring what they have before they meet. Each then makes its own result out of what the
// others have brought, and what was brought goes once all are done: so nothing here needs a lock.

#pragma once

#include "core/execute/vocabulary_module.h"
#include "core/schedule/schedule.h"

#include <vector>

namespace bubblescope {

/// True when the schedule has passes of vocabulary shards.
bool sharesVocabulary(const Schedule& schedule);

class VocabularyGroups {
public:
    struct Result {
        Buffer data;
        Buffer inputGradient; ///< of the last stage's output
    };

    explicit VocabularyGroups(const Schedule& schedule);

    /// False: the schedule has no shards, and nothing else here means anything.
    bool any() const { return !m_devices.empty(); }

    std::size_t shards() const { return m_devices.size(); }

    VocabularyShare share(Device device) const;

    /// Each device's worker tells where its shard is, before all meet for the first time.
    void settle(Device device, const VocabularyModule& module);

    /// True for a member of one of these groups.
    bool member(TaskId task) const { return any() && m_groupOf[task] != noGroup; }

    void offer(TaskId member, Buffer data) { m_offered[member] = std::move(data); }

    /// What this member takes away, out of `arena`. All members have to be there.
    Result take(TaskId member, Arena& arena) const;

    /// All members are done.
    void leave(TaskId member) { m_offered[member].reset(); }

    /// A sentence for a group that doesn't bring all shards together; else empty.
    std::string problem() const;

private:
    static constexpr std::uint32_t noGroup = 0xffffffffU;

    std::vector<TaskId> membersOf(TaskId member) const;

    const Schedule& m_schedule;
    bool m_oneBarrier = true;
    std::vector<Device> m_devices;                  ///< by shard
    std::vector<Device> m_homes;                    ///< by stage
    std::vector<std::uint32_t> m_groupOf;           ///< by task
    std::vector<Buffer> m_offered;                  ///< by task
    std::vector<const VocabularyModule*> m_modules; ///< by shard
};

} // namespace bubblescope
