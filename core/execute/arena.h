// Device memory that counts itself: every buffer belongs to an arena and to a class of memory.
//
// The arena's counters *are* the measured memory curve: the engine reads `liveBytes` at the start and
// the end of each task and compares it with what the simulator said. Freed buffers are kept and
// handed out again, because mapping and zeroing fresh pages costs more than a small layer does.

#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace bubblescope {

/// What a buffer holds (ir.md 5). Workspace is reported apart from the others.
enum class MemoryClass : std::uint8_t {
    Activation,
    Boundary,
    Gradient,
    Message,
    Weight,
    WeightGradient,
    Optimizer,
    Workspace
};

inline constexpr int memoryClasses = 8;

class Arena;
class ArenaPool;

/// Move-only handle on `size` bytes, 64-byte aligned; returns to its arena when destroyed. It may
/// outlive its arena (a message caught by a failure), whose memory then goes with the last buffer.
class Buffer {
public:
    Buffer() = default;
    Buffer(Buffer&& other) noexcept;
    Buffer& operator=(Buffer&& other) noexcept;
    Buffer(const Buffer&) = delete;
    Buffer& operator=(const Buffer&) = delete;

    ~Buffer() { reset(); }

    explicit operator bool() const { return m_bytes != nullptr; }

    float* floats() { return reinterpret_cast<float*>(m_bytes); }

    const float* floats() const { return reinterpret_cast<const float*>(m_bytes); }

    std::byte* bytes() { return m_bytes; }

    const std::byte* bytes() const { return m_bytes; }

    std::size_t size() const { return m_size; }

    MemoryClass memoryClass() const { return m_class; }

    /// Moves the account of this buffer to another arena or class (a message that arrives, an input that becomes a stash).
    void rebind(Arena& arena, MemoryClass memoryClass);

    void reset();

private:
    friend class Arena;
    std::byte* m_bytes = nullptr;
    std::size_t m_size = 0;
    std::size_t m_capacity = 0;
    std::shared_ptr<ArenaPool> m_pool;
    MemoryClass m_class = MemoryClass::Activation;
};

/// All memory of one device. Thread-safe, since a message's buffer may be freed by its receiver.
class Arena {
public:
    Arena();
    Arena(const Arena&) = delete;
    Arena& operator=(const Arena&) = delete;
    ~Arena();

    /// Contents are undefined. `bytes` may be 0, which gives an empty Buffer.
    Buffer get(std::size_t bytes, MemoryClass memoryClass);

    /// The same bytes again.
    Buffer copyOf(const Buffer& original, MemoryClass memoryClass);

    std::int64_t liveBytes(MemoryClass memoryClass) const;
    std::int64_t peakBytes(MemoryClass memoryClass) const;

    /// Over all classes together; the peak is that of the sum, not the sum of the peaks.
    std::int64_t liveBytes() const;
    std::int64_t peakBytes() const;

private:
    friend class Buffer;
    std::shared_ptr<ArenaPool> m_pool;
};

} // namespace bubblescope
