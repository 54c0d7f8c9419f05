// The pool behind an Arena: counters per class and a free list by capacity, under one mutex.
//
// Arena and buffers share the pool's ownership, so a buffer that outlives its arena stays valid.

#include "core/execute/arena.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <cstring>
#include <map>
#include <mutex>
#include <new>
#include <utility>

namespace bubblescope {
namespace {

constexpr std::size_t alignment = 64; // a cache line, and the widest vector register

// Capacities are rounded up and the peak counts sizes: what a great many buffers may differ by.
constexpr std::int64_t roundingSlack = 1 << 20;

std::byte* allocate(std::size_t capacity)
{
    return static_cast<std::byte*>(::operator new(capacity, std::align_val_t(alignment)));
}

void deallocate(std::byte* bytes)
{
    ::operator delete(bytes, std::align_val_t(alignment));
}

std::size_t roundedUp(std::size_t bytes)
{
    return (bytes + alignment - 1) / alignment * alignment;
}

} // namespace

class ArenaPool {
public:
    ArenaPool() = default;
    ArenaPool(const ArenaPool&) = delete;
    ArenaPool& operator=(const ArenaPool&) = delete;

    ~ArenaPool()
    {
        for (const auto& [capacity, bytes] : m_free)
            deallocate(bytes);
    }

    /// Gives memory of at least `size` bytes and its capacity.
    std::pair<std::byte*, std::size_t> take(std::size_t size, MemoryClass memoryClass)
    {
        {
            const std::lock_guard lock(m_mutex);
            const auto found = m_free.lower_bound(size);
            // A much larger one is left for a much larger request.
            if (found != m_free.end() && found->first <= 2 * roundedUp(size)) {
                const auto [capacity, bytes] = *found;
                m_free.erase(found);
                m_freeBytes -= static_cast<std::int64_t>(capacity);
                charge(static_cast<std::int64_t>(size), memoryClass);
                return {bytes, capacity};
            }
        }
        std::byte* bytes = allocate(roundedUp(size)); // outside the lock: new pages are slow
        const std::lock_guard lock(m_mutex);
        charge(static_cast<std::int64_t>(size), memoryClass);
        return {bytes, roundedUp(size)};
    }

    void put(std::byte* bytes, std::size_t size, std::size_t capacity, MemoryClass memoryClass)
    {
        {
            const std::lock_guard lock(m_mutex);
            charge(-static_cast<std::int64_t>(size), memoryClass);
            if (m_freeBytes + static_cast<std::int64_t>(capacity) <= m_peakTotal + roundingSlack) {
                m_free.emplace(capacity, bytes);
                m_freeBytes += static_cast<std::int64_t>(capacity);
                return;
            }
        }
        deallocate(bytes);
    }

    void account(std::int64_t bytes, MemoryClass memoryClass)
    {
        const std::lock_guard lock(m_mutex);
        charge(bytes, memoryClass);
    }

    void reclassify(std::int64_t bytes, MemoryClass from, MemoryClass to)
    {
        const std::lock_guard lock(m_mutex);
        charge(-bytes, from);
        charge(bytes, to);
    }

    std::int64_t live(MemoryClass memoryClass) const
    {
        const std::lock_guard lock(m_mutex);
        return m_live[static_cast<std::size_t>(memoryClass)];
    }

    std::int64_t peak(MemoryClass memoryClass) const
    {
        const std::lock_guard lock(m_mutex);
        return m_peak[static_cast<std::size_t>(memoryClass)];
    }

    std::int64_t liveTotal() const
    {
        const std::lock_guard lock(m_mutex);
        return m_liveTotal;
    }

    std::int64_t peakTotal() const
    {
        const std::lock_guard lock(m_mutex);
        return m_peakTotal;
    }

private:
    void charge(std::int64_t bytes, MemoryClass memoryClass)
    {
        const auto index = static_cast<std::size_t>(memoryClass);
        m_live[index] += bytes;
        m_peak[index] = std::max(m_peak[index], m_live[index]);
        m_liveTotal += bytes;
        m_peakTotal = std::max(m_peakTotal, m_liveTotal);
        assert(m_live[index] >= 0 && "more bytes returned to an arena than it gave");
    }

    mutable std::mutex m_mutex;
    std::multimap<std::size_t, std::byte*> m_free; // by capacity
    std::int64_t m_freeBytes = 0;
    std::array<std::int64_t, memoryClasses> m_live{};
    std::array<std::int64_t, memoryClasses> m_peak{};
    std::int64_t m_liveTotal = 0;
    std::int64_t m_peakTotal = 0;
};

Buffer::Buffer(Buffer&& other) noexcept
    : m_bytes(std::exchange(other.m_bytes, nullptr))
    , m_size(std::exchange(other.m_size, 0))
    , m_capacity(std::exchange(other.m_capacity, 0))
    , m_pool(std::move(other.m_pool))
    , m_class(other.m_class)
{
}

Buffer& Buffer::operator=(Buffer&& other) noexcept
{
    if (this != &other) {
        reset();
        m_bytes = std::exchange(other.m_bytes, nullptr);
        m_size = std::exchange(other.m_size, 0);
        m_capacity = std::exchange(other.m_capacity, 0);
        m_pool = std::move(other.m_pool);
        m_class = other.m_class;
    }
    return *this;
}

void Buffer::rebind(Arena& arena, MemoryClass memoryClass)
{
    if (!m_bytes)
        return;
    const auto bytes = static_cast<std::int64_t>(m_size);
    if (m_pool == arena.m_pool) {
        m_pool->reclassify(bytes, m_class, memoryClass);
    } else {
        m_pool->account(-bytes, m_class);
        m_pool = arena.m_pool;
        m_pool->account(bytes, memoryClass);
    }
    m_class = memoryClass;
}

void Buffer::reset()
{
    if (!m_bytes)
        return;
    m_pool->put(std::exchange(m_bytes, nullptr), std::exchange(m_size, 0), std::exchange(m_capacity, 0), m_class);
    m_pool.reset();
}

Arena::Arena() : m_pool(std::make_shared<ArenaPool>()) {}

Arena::~Arena() = default;

Buffer Arena::get(std::size_t bytes, MemoryClass memoryClass)
{
    Buffer buffer;
    if (bytes == 0)
        return buffer;
    const auto [memory, capacity] = m_pool->take(bytes, memoryClass);
    buffer.m_bytes = memory;
    buffer.m_size = bytes;
    buffer.m_capacity = capacity;
    buffer.m_pool = m_pool;
    buffer.m_class = memoryClass;
    return buffer;
}

Buffer Arena::copyOf(const Buffer& original, MemoryClass memoryClass)
{
    Buffer copy = get(original.size(), memoryClass);
    if (copy)
        std::memcpy(copy.bytes(), original.bytes(), original.size());
    return copy;
}

std::int64_t Arena::liveBytes(MemoryClass memoryClass) const
{
    return m_pool->live(memoryClass);
}

std::int64_t Arena::peakBytes(MemoryClass memoryClass) const
{
    return m_pool->peak(memoryClass);
}

std::int64_t Arena::liveBytes() const
{
    return m_pool->liveTotal();
}

std::int64_t Arena::peakBytes() const
{
    return m_pool->peakTotal();
}

} // namespace bubblescope
