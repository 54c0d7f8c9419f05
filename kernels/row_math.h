// Elementary functions of the kernels, written from multiply, add and bit casts.
//
// libm's are slow and do not vectorise; these do, and the same source gives the same bits on a CPU
// and, compiled without fused multiply-add, on a GPU. The double versions are libm's: they serve
// numeric differentiation, which needs exactness and no speed.

#pragma once

#include <cmath>
#include <cstdint>

#ifdef __CUDACC__
#define BUBBLESCOPE_HD __host__ __device__
#else
#define BUBBLESCOPE_HD
#endif

namespace bubblescope {

/// e^x, relative error below 1.5e-7 for |x| <= 87; beyond that it stays at the value for ±87.
BUBBLESCOPE_HD inline float exponential(float x)
{
    // Clamped as an integer: GCC turns a clamp by comparison into branches around the polynomial,
    // and the vectorised loop then computes every branch.
    const auto bits = __builtin_bit_cast(std::uint32_t, x);
    const auto limit = static_cast<std::int32_t>(__builtin_bit_cast(std::uint32_t, 87.0f));
    auto magnitude = static_cast<std::int32_t>(bits & 0x7fffffffU);
    magnitude = magnitude < limit ? magnitude : limit;
    x = __builtin_bit_cast(float, static_cast<std::uint32_t>(magnitude) | (bits & 0x80000000U));

    // x = n ln 2 + r with |r| <= ln 2 / 2. Adding 1.5·2²³ rounds to an integer, which then stands in
    // the low bits; ln 2 is taken off in two parts so that r loses nothing.
    constexpr float rounder = 12582912.0f;
    const float shifted = x * 1.44269504f + rounder;
    const float n = shifted - rounder;
    const float r = (x - n * 0.693145752f) - n * 1.42860677e-6f;

    float p = 1.0f / 5040; // Taylor's series; the next term is below 6e-9
    p = p * r + 1.0f / 720;
    p = p * r + 1.0f / 120;
    p = p * r + 1.0f / 24;
    p = p * r + 1.0f / 6;
    p = p * r + 0.5f;
    p = p * r + 1.0f;
    p = p * r + 1.0f;

    const std::uint32_t power = (__builtin_bit_cast(std::uint32_t, shifted) << 23) + 0x3f800000U; // 2ⁿ
    return p * __builtin_bit_cast(float, power);
}

BUBBLESCOPE_HD inline double exponential(double x)
{
    return std::exp(x);
}

/// GELU in its tanh form, x·sigmoid(2z) with z = √(2/π)(x + 0.044715x³): only exponentials are needed.
template <class Real>
BUBBLESCOPE_HD inline Real gelu(Real x)
{
    const Real twice = Real(1.5957691216057308) * (x + Real(0.044715) * x * x * x);
    return x / (Real(1) + exponential(-twice));
}

template <class Real>
BUBBLESCOPE_HD inline Real geluDerivative(Real x)
{
    const Real twice = Real(1.5957691216057308) * (x + Real(0.044715) * x * x * x);
    const Real slope = Real(1.5957691216057308) * (Real(1) + Real(3 * 0.044715) * x * x);
    const Real e = exponential(-twice);
    const Real sigmoid = Real(1) / (Real(1) + e);
    return sigmoid + x * slope * (e * sigmoid * sigmoid); // e·sigmoid is 1 − sigmoid without cancellation
}

} // namespace bubblescope
