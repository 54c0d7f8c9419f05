// Matrix products, and what has to be true of the BLAS that computes them.
//
// Everything above calls gemm(); only this file pair knows OpenBLAS. A worker computes with one BLAS
// thread: more would change bits and take cores from the other workers. Which OpenBLAS is loaded is
// decided by the system's alternatives, and its serial flavour computes wrong numbers when several
// threads call it, so it is refused.

#pragma once

#include <string>

namespace bubblescope::cpu {

/// A factor of a product: row-major, `stride` elements from one row to the next.
template <class Real>
struct Factor {
    const Real* data = nullptr;
    int stride = 0;
    bool transposed = false;
};

/// Where a product goes: rows × columns, row-major.
template <class Real>
struct Target {
    Real* data;
    int rows;
    int columns;
    int stride;
};

enum class Onto { Nothing, Target }; ///< overwrite the target or add to it

/// target (+)= a · b, with `inner` the extent that is summed over.
void gemm(Factor<float> a, Factor<float> b, int inner, Onto onto, Target<float> target);
void gemm(Factor<double> a, Factor<double> b, int inner, Onto onto, Target<double> target);

/// The flavours of OpenBLAS as openblas_get_parallel() numbers them.
enum class BlasFlavour { Serial = 0, Pthread = 1, OpenMp = 2 };

BlasFlavour blasFlavour();

/// Throws Error, naming the package that is right, for a flavour that cannot be called from threads.
void refuseUnsafe(BlasFlavour flavour);

/// Once per program before the first product, from the main thread: refuses or sets one thread per call.
void checkBlas();

/// Once in every thread that will compute.
void enterBlasThread();

/// For the doctor and for a run's provenance: bits depend on each of these.
struct BlasDescription {
    std::string config;  ///< version and build options
    std::string flavour; ///< serial, pthread or openmp
    std::string core;    ///< the processor whose kernels were picked
};

BlasDescription blasDescription();

} // namespace bubblescope::cpu
