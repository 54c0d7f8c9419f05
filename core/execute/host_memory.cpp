#include "core/execute/host_memory.h"

#include "core/base/error.h"

#include <cstring>

namespace bubblescope {
namespace {

/// Every buffer becomes a copy in the arena; what it was goes back to where it came from.
void moveTo(Arena& arena, KeptState& state)
{
    for (Buffer* buffer : state.buffers()) {
        if (!*buffer)
            continue;
        Buffer copy = arena.get(buffer->size(), buffer->memoryClass());
        std::memcpy(copy.bytes(), buffer->bytes(), buffer->size());
        *buffer = std::move(copy);
    }
}

} // namespace

void HostMemory::store(Stage stage, const DataKey& key, StageModule& module)
{
    std::unique_ptr<KeptState> state = module.detach(key);
    moveTo(m_arena, *state);
    const std::lock_guard lock(m_mutex);
    m_kept[{stage, key}] = std::move(state);
}

void HostMemory::load(Stage stage, const DataKey& key, StageModule& module, Arena& arena)
{
    std::unique_ptr<KeptState> state;
    {
        const std::lock_guard lock(m_mutex);
        if (const auto found = m_kept.find({stage, key}); found != m_kept.end()) {
            state = std::move(found->second);
            m_kept.erase(found);
        }
    }
    if (!state)
        throw Failure("it isn't in host memory");
    moveTo(arena, *state);
    module.attach(key, std::move(state));
}

std::string HostMemory::leftover() const
{
    const std::lock_guard lock(m_mutex);
    if (m_kept.empty())
        return "";
    const auto& [stage, key] = m_kept.begin()->first;
    return fmt::format("microbatch {} of stage {} was left in host memory", key.microbatch.value, stage.value);
}

} // namespace bubblescope
