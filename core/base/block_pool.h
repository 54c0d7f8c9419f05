// Memory for columns: growing blocks of up to 32 MiB on huge pages, given back all at once.
//
// The first touch of a small page costs more than filling it, and columns of a large run have tens of
// thousands of them. So there are few large blocks, and what grows is written once, at its final size.

#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <vector>

namespace bubblescope {

class BlockPool {
public:
    static constexpr std::size_t smallestBlock = std::size_t{256} << 10; ///< a small run has no more
    static constexpr std::size_t largestBlock = std::size_t{32} << 20;

    BlockPool() = default;
    ~BlockPool();
    BlockPool(const BlockPool&) = delete;
    BlockPool& operator=(const BlockPool&) = delete;

    /// Room for `count` values, not initialised; lives as long as the pool.
    template <class Value>
    Value* take(std::size_t count)
    {
        static_assert(std::is_trivially_copyable_v<Value> && alignof(Value) <= alignment);
        return static_cast<Value*>(takeBytes(count * sizeof(Value)));
    }

    std::size_t bytes() const { return m_bytes; } ///< handed out so far

private:
    static constexpr std::size_t alignment = 16;

    struct Block {
        std::byte* begin = nullptr;
        std::size_t size = 0;
    };

    void* takeBytes(std::size_t size);

    std::vector<Block> m_blocks;
    std::size_t m_used = 0; // of the last block
    std::size_t m_bytes = 0;
};

} // namespace bubblescope
