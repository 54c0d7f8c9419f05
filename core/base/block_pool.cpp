#include "core/base/block_pool.h"

#include <algorithm>
#include <new>
#include <sys/mman.h>

namespace bubblescope {

BlockPool::~BlockPool()
{
    for (const Block& block : m_blocks)
        munmap(block.begin, block.size);
}

void* BlockPool::takeBytes(std::size_t size)
{
    size = (size + alignment - 1) / alignment * alignment;
    if (m_blocks.empty() || m_used + size > m_blocks.back().size) {
        const std::size_t next = m_blocks.empty() ? smallestBlock : std::min(largestBlock, m_blocks.back().size * 4);
        const std::size_t length = std::max(next, size);
        void* const memory = mmap(nullptr, length, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED)
            throw std::bad_alloc();
        if (length >= largestBlock / 4)
            madvise(memory, length, MADV_HUGEPAGE); // where the system has none, it works without
        m_blocks.push_back({static_cast<std::byte*>(memory), length});
        m_used = 0;
    }
    std::byte* const place = m_blocks.back().begin + m_used;
    m_used += size;
    m_bytes += size;
    return place;
}

} // namespace bubblescope
