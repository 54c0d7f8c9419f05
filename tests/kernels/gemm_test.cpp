// One product behind one function, and the BLAS flavours that may compute it.

#include "core/base/error.h"
#include "kernels/cpu/gemm.h"

#include <catch2/catch.hpp>

#include <vector>

using namespace bubblescope;
using namespace bubblescope::cpu;

TEMPLATE_TEST_CASE("gemm multiplies row-major matrices, transposed or added to the target", "", float, double)
{
    // a = [1 2 3; 4 5 6], b = [1 0; 2 1; 0 3]: a·b = [5 11; 14 23]
    const std::vector<TestType> a{1, 2, 3, 4, 5, 6};
    const std::vector<TestType> aTransposed{1, 4, 2, 5, 3, 6};
    const std::vector<TestType> b{1, 0, -1, 2, 1, -1, 0, 3, -1}; // a third column that the stride skips
    std::vector<TestType> c{100, 100, 100, 100};
    gemm({a.data(), 3}, {b.data(), 3}, 3, Onto::Nothing, {c.data(), 2, 2, 2});
    CHECK(c == std::vector<TestType>{5, 11, 14, 23});
    gemm({aTransposed.data(), 2, true}, {b.data(), 3}, 3, Onto::Target, {c.data(), 2, 2, 2});
    CHECK(c == std::vector<TestType>{10, 22, 28, 46});
}

TEST_CASE("the serial OpenBLAS is refused with the package that is right")
{
    CHECK_THROWS_WITH(refuseUnsafe(BlasFlavour::Serial), Catch::Contains("libopenblas0-pthread"));
    CHECK_THROWS_AS(refuseUnsafe(BlasFlavour::Serial), Error);
    CHECK_NOTHROW(refuseUnsafe(BlasFlavour::Pthread));
    CHECK_NOTHROW(refuseUnsafe(BlasFlavour::OpenMp));
}

TEST_CASE("the loaded BLAS is fit and describes itself")
{
    CHECK_NOTHROW(checkBlas());
    const BlasDescription description = blasDescription();
    CHECK_THAT(description.config, Catch::Contains("OpenBLAS"));
    CHECK((description.flavour == "pthread" || description.flavour == "openmp"));
    CHECK_FALSE(description.core.empty());
}
