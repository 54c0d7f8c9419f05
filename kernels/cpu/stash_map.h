// What a stage keeps of each piece of data between its passes.
//
// Copy lanes take a stash out and bring it back while the compute lane works on others, so the map
// locks itself. A stash belongs to one task at a time and needs no lock.

#pragma once

#include "core/execute/stage_module.h"

#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace bubblescope::cpu {

template <class Stash>
class StashMap {
public:
    /// A new stash; null where there is one for the key already.
    Stash* add(const DataKey& key, Stash stash = Stash())
    {
        const std::lock_guard lock(m_mutex);
        const auto [place, isNew] = m_stashes.try_emplace(key, std::move(stash));
        return isNew ? &place->second : nullptr;
    }

    /// Null where nothing is kept for the key. Stays valid until the stash is taken or erased.
    Stash* find(const DataKey& key)
    {
        const std::lock_guard lock(m_mutex);
        const auto found = m_stashes.find(key);
        return found == m_stashes.end() ? nullptr : &found->second;
    }

    std::optional<Stash> take(const DataKey& key)
    {
        const std::lock_guard lock(m_mutex);
        auto node = m_stashes.extract(key);
        return node.empty() ? std::nullopt : std::optional<Stash>(std::move(node.mapped()));
    }

    void erase(const DataKey& key) { take(key); }

    std::vector<DataKey> keys() const
    {
        const std::lock_guard lock(m_mutex);
        std::vector<DataKey> keys;
        for (const auto& [key, stash] : m_stashes)
            keys.push_back(key);
        return keys;
    }

private:
    mutable std::mutex m_mutex;
    std::map<DataKey, Stash> m_stashes;
};

} // namespace bubblescope::cpu
