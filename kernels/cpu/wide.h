// The CPU's Group for kernels/row_ops.h: loops that the compiler vectorises.
//
// A sum keeps 32 running sums, element i in sum i mod 32, and adds halves at the end: 16, 8, 4, 2, 1.
// That is the order of a warp's shuffle reduction, and it is the same for every vector width, so the
// clones for different processors give the same bits.

#pragma once

// One copy of a function for each level of the processor, picked when the program loads. Instrumented
// builds go without: the picking runs before a sanitizer is ready.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__) && !defined(__SANITIZE_UNDEFINED__) && defined(__OPTIMIZE__)
#define BUBBLESCOPE_CLONES __attribute__((target_clones("default", "arch=x86-64-v3", "arch=x86-64-v4")))
#else
#define BUBBLESCOPE_CLONES
#endif

#ifdef __clang__
#define BUBBLESCOPE_INDEPENDENT _Pragma("clang loop vectorize(assume_safety)")
#define BUBBLESCOPE_ROLLED
#else
#define BUBBLESCOPE_INDEPENDENT _Pragma("GCC ivdep")
#define BUBBLESCOPE_ROLLED _Pragma("GCC unroll 1") // unrolled early, the 32 sums are not seen as a vector
#endif

namespace bubblescope::cpu {

template <class Real>
struct Wide {
    static constexpr int lanes = 32;

    template <class Term>
    [[gnu::always_inline]] Real sum(int n, Term term) const
    {
        Real running[lanes] = {};
        int i = 0;
        for (; i + lanes <= n; i += lanes) {
            BUBBLESCOPE_INDEPENDENT
            BUBBLESCOPE_ROLLED
            for (int lane = 0; lane < lanes; ++lane)
                running[lane] += term(i + lane);
        }
        for (int lane = 0; i < n; ++i, ++lane)
            running[lane] += term(i);
        for (int half = lanes / 2; half > 0; half /= 2) {
            BUBBLESCOPE_ROLLED
            for (int lane = 0; lane < half; ++lane)
                running[lane] += running[lane + half];
        }
        return running[0];
    }

    /// Of at least one term. A term that is not a number may be passed over.
    template <class Term>
    [[gnu::always_inline]] Real max(int n, Term term) const
    {
        Real running[lanes];
        for (int lane = 0; lane < lanes; ++lane)
            running[lane] = term(lane < n ? lane : 0);
        int i = lanes;
        for (; i + lanes <= n; i += lanes) {
            BUBBLESCOPE_ROLLED
            for (int lane = 0; lane < lanes; ++lane) {
                const Real value = term(i + lane);
                running[lane] = running[lane] < value ? value : running[lane];
            }
        }
        for (int lane = 0; i < n; ++i, ++lane) {
            const Real value = term(i);
            running[lane] = running[lane] < value ? value : running[lane];
        }
        for (int half = lanes / 2; half > 0; half /= 2) {
            BUBBLESCOPE_ROLLED
            for (int lane = 0; lane < half; ++lane)
                running[lane] = running[lane] < running[lane + half] ? running[lane + half] : running[lane];
        }
        return running[0];
    }

    /// The iterations must not depend on each other; each may overwrite what it alone reads.
    template <class Action>
    [[gnu::always_inline]] void each(int n, Action action) const
    {
        BUBBLESCOPE_INDEPENDENT
        for (int i = 0; i < n; ++i)
            action(i);
    }
};

} // namespace bubblescope::cpu
