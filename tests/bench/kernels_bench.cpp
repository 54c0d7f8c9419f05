// F, I and W of one block, minima of CPU time, beside what a prototype reached on the same kind of machine.

#include "bench.h"
#include "kernels/cpu/cost.h"
#include "kernels/cpu/gemm.h"
#include "kernels/cpu/transformer.h"

#include <fmt/format.h>

#include <algorithm>
#include <ctime>
#include <memory>
#include <string>
#include <utility>

namespace bubblescope::bench {
namespace {

using namespace bubblescope::cpu;

struct Shape {
    int hidden;
    int heads;
    int sequence;
    int batch;
    double reference[3]; ///< ms of F, I, W: EPYC with AVX-512, OpenBLAS 0.3.21, one thread
};

constexpr Shape shapes[] = {
    {128, 4, 64, 1, {0.35, 0.38, 0.25}},  {128, 4, 256, 2, {3.3, 4.7, 2.1}}, {256, 4, 128, 1, {2.6, 2.9, 2.1}},
    {256, 4, 256, 4, {21.9, 26.2, 16.5}}, {512, 8, 128, 1, {9.7, 9.8, 8.3}},
};

double cpuMilliseconds()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 + static_cast<double>(time.tv_nsec) * 1e-6;
}

template <class Work>
void measure(double& best, Work work)
{
    const double begin = cpuMilliseconds();
    work();
    best = std::min(best, cpuMilliseconds() - begin);
}

Buffer numbers(Arena& arena, std::int64_t bytes, float scale)
{
    Buffer buffer = arena.get(static_cast<std::size_t>(bytes), MemoryClass::Message);
    for (std::size_t i = 0; i < buffer.size() / sizeof(float); ++i)
        buffer.floats()[i] = scale * (static_cast<float>(i * 7919 % 2003) / 1001 - 1);
    return buffer;
}

void benchShape(const Shape& shape)
{
    TransformerConfig config;
    config.hidden = shape.hidden;
    config.heads = shape.heads;
    config.sequence = shape.sequence;
    config.batch = shape.batch;
    const StageLayers layers{0, 1, false, false};
    const TransformerMaker maker(config, std::make_shared<ByteText>("any text"));
    Arena arena;
    const auto stage = maker.make(layers, {.microbatches = 1}, arena);
    double best[3] = {1e9, 1e9, 1e9};
    const int repeats = std::max(10, 64 * 200 / config.tokens());
    for (int i = 0; i < repeats; ++i) {
        const DataKey key{Microbatch(i), Slice(0), Pipe(0)};
        Buffer flow = numbers(arena, boundaryBytes(config), 1);
        measure(best[0], [&] { flow = stage->forward(key, std::move(flow)); });
        flow = numbers(arena, boundaryBytes(config), 1e-3F);
        measure(best[1], [&] { flow = stage->inputGradient(key, std::move(flow)); });
        measure(best[2], [&] { stage->weightGradient(key); });
    }
    const StageFlops flops = stageFlops(config, layers);
    const std::int64_t counts[3] = {flops.forward, flops.inputGradient, flops.weightGradient};
    fmt::print("{:>5}{:>5}{:>4}", shape.hidden, shape.sequence, shape.batch);
    for (int i = 0; i < 3; ++i)
        fmt::print("{:>9.3f} ms {:>4.0f} GFLOP/s  x{:<5.2f}", best[i], static_cast<double>(counts[i]) / best[i] / 1e6,
                   best[i] / shape.reference[i]);
    fmt::print("\n");
}

} // namespace

void benchKernels()
{
    const BlasDescription blas = blasDescription();
    fmt::print("One transformer block, {} flavour, {} kernels; x is the ratio to the prototype's time\n", blas.flavour,
               blas.core);
    fmt::print("    h    s   b        F                             I                             W\n");
    for (const Shape& shape : shapes)
        benchShape(shape);
}

} // namespace bubblescope::bench
