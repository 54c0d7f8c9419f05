// Buffers seen as arrays of the type that is computed with.

#pragma once

#include "core/execute/arena.h"

namespace bubblescope::cpu {

template <class Real>
Real* elements(Buffer& buffer)
{
    return reinterpret_cast<Real*>(buffer.bytes());
}

template <class Real>
const Real* elements(const Buffer& buffer)
{
    return reinterpret_cast<const Real*>(buffer.bytes());
}

template <class Real>
Buffer bufferOf(Arena& arena, std::size_t count, MemoryClass memoryClass)
{
    return arena.get(count * sizeof(Real), memoryClass);
}

} // namespace bubblescope::cpu
