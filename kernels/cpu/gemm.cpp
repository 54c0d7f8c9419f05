// OpenBLAS behind gemm().

#include "kernels/cpu/gemm.h"

#include "core/base/error.h"

#include <cblas.h>

#include <dlfcn.h>

namespace bubblescope::cpu {
namespace {

CBLAS_TRANSPOSE transposition(bool transposed)
{
    return transposed ? CblasTrans : CblasNoTrans;
}

const char* flavourName(BlasFlavour flavour)
{
    switch (flavour) {
    case BlasFlavour::Serial:
        return "serial";
    case BlasFlavour::Pthread:
        return "pthread";
    case BlasFlavour::OpenMp:
        return "openmp";
    }
    return "unknown";
}

} // namespace

void gemm(Factor<float> a, Factor<float> b, int inner, Onto onto, Target<float> target)
{
    cblas_sgemm(CblasRowMajor, transposition(a.transposed), transposition(b.transposed), target.rows, target.columns,
                inner, 1.0f, a.data, a.stride, b.data, b.stride, onto == Onto::Target ? 1.0f : 0.0f, target.data,
                target.stride);
}

void gemm(Factor<double> a, Factor<double> b, int inner, Onto onto, Target<double> target)
{
    cblas_dgemm(CblasRowMajor, transposition(a.transposed), transposition(b.transposed), target.rows, target.columns,
                inner, 1.0, a.data, a.stride, b.data, b.stride, onto == Onto::Target ? 1.0 : 0.0, target.data,
                target.stride);
}

BlasFlavour blasFlavour()
{
    return static_cast<BlasFlavour>(openblas_get_parallel());
}

void refuseUnsafe(BlasFlavour flavour)
{
    if (flavour == BlasFlavour::Pthread || flavour == BlasFlavour::OpenMp)
        return;
    throw Error("The OpenBLAS that was loaded is the {} flavour, which computes wrong numbers when several workers "
                "use it at once. Install the package libopenblas0-pthread and choose it with "
                "'update-alternatives --config libopenblas.so.0-x86_64-linux-gnu'.",
                flavourName(flavour));
}

void checkBlas()
{
    refuseUnsafe(blasFlavour());
    enterBlasThread();
}

void enterBlasThread()
{
    // For the whole library in the pthread flavour, for the calling thread in the openmp flavour,
    // which moreover listens to OpenMP's own setting. That library is there only if OpenBLAS brought it.
    openblas_set_num_threads(1);
    if (blasFlavour() != BlasFlavour::OpenMp)
        return;
    using SetThreads = void (*)(int);
    if (auto* setThreads = reinterpret_cast<SetThreads>(dlsym(RTLD_DEFAULT, "omp_set_num_threads")))
        setThreads(1);
}

BlasDescription blasDescription()
{
    return {openblas_get_config(), flavourName(blasFlavour()), openblas_get_corename()};
}

} // namespace bubblescope::cpu
