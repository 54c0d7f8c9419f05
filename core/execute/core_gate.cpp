#include "core/execute/core_gate.h"

namespace bubblescope {

bool CoreGate::enter(std::uint32_t lane, Nanoseconds virtualTime)
{
    if (m_open)
        return true;
    std::unique_lock lock(m_mutex);
    if (m_stopped)
        return false;
    if (m_free > 0) {
        --m_free;
        return true;
    }
    Waiter waiter;
    const auto place = m_waiting.emplace(std::pair(virtualTime, lane), &waiter).first;
    waiter.wake.wait(lock, [&] { return waiter.admitted || m_stopped; });
    if (!waiter.admitted)
        m_waiting.erase(place);
    return waiter.admitted;
}

void CoreGate::leave()
{
    if (m_open)
        return;
    const std::lock_guard lock(m_mutex);
    if (m_waiting.empty()) {
        ++m_free;
        return;
    }
    Waiter* next = m_waiting.begin()->second;
    m_waiting.erase(m_waiting.begin());
    next->admitted = true;
    next->wake.notify_one(); // under the lock: the waiter lives on its thread's stack
}

void CoreGate::stop()
{
    if (m_open)
        return;
    const std::lock_guard lock(m_mutex);
    m_stopped = true;
    for (const auto& [place, waiter] : m_waiting)
        waiter->wake.notify_one();
}

} // namespace bubblescope
