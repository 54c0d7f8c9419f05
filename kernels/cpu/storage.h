// Buffers seen as arrays of the type that is computed with.

#pragma once

#include "core/execute/arena.h"

#include <algorithm>

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

template <class Real>
Buffer zeros(Arena& arena, std::size_t count, MemoryClass memoryClass)
{
    Buffer buffer = bufferOf<Real>(arena, count, memoryClass);
    std::fill_n(elements<Real>(buffer), count, Real(0));
    return buffer;
}

} // namespace bubblescope::cpu
