// Host memory: where the kept tensors of a microbatch wait while the device has no room for them.
//
//     o: stage ──detach──► copies in host memory        h: copies on the device ──attach──► stage
//
// One for all devices, so a microbatch may come back on another device than the one that it left.

#pragma once

#include "core/execute/stage_module.h"

#include <map>
#include <memory>
#include <mutex>
#include <utility>

namespace bubblescope {

class HostMemory {
public:
    /// Takes away what the stage keeps for the key.
    void store(Stage stage, const DataKey& key, StageModule& module);

    /// Gives it to `module`, whose device has `arena`. Throws Failure when it isn't here.
    void load(Stage stage, const DataKey& key, StageModule& module, Arena& arena);

    /// A sentence naming the first key that nobody took back; empty when there is none.
    std::string leftover() const;

    void clear() { m_kept.clear(); }

    const Arena& arena() const { return m_arena; }

private:
    mutable std::mutex m_mutex; ///< of the map; copies are made outside it
    Arena m_arena;
    std::map<std::pair<Stage, DataKey>, std::unique_ptr<KeptState>> m_kept;
};

} // namespace bubblescope
