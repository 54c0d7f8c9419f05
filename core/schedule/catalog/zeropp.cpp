// ZeroPP: pipeline and sharded data parallelism without tensor parallelism. Breadth-first inside units of
// U microbatches, the backward split, W where a device would wait.
//
//     0: F0.0 F1.0 F0.1 F1.1      I0.1 I1.1 I0.0 I1.0   F2.0 F3.0 …      p=2, v=2, U=2, microbatch.chunk
//     1: F0.0 F1.0 F0.1 F1.1 I0.1 I1.1 I0.0 I1.0 W0.1   F2.0 F3.0 …
//
// Each unit gathers the weights of a chunk once forwards and once backwards, however many microbatches it
// has: the larger the unit, the fewer gathers and the more memory.

#include "core/schedule/catalog/catalog.h"
#include "core/schedule/catalog/common.h"
#include "core/schedule/catalog/gap_filling.h"
#include "core/schedule/catalog/sharding.h"

#include <algorithm>

namespace bubblescope::catalog {
namespace {

int unitOf(const RecipeRequest& request)
{
    const int unit = request.number("unit");
    return unit > 0 ? unit : std::min(request.devices, request.microbatches);
}

/// Most chunk activations of a device. Those of a unit have to fit; device 0 waits for 2(p−1) I's between a
/// unit's last F and its first I, which as many W of the unit before can fill.
int limitOf(const RecipeRequest& request)
{
    const int limit = request.number("limit");
    return limit > 0 ? limit : unitOf(request) * request.chunks + 2 * (request.devices - 1);
}

std::vector<Task> unitOrder(const RecipeRequest& request, int device)
{
    const int unit = unitOf(request);
    std::vector<Task> order;
    for (int begin = 0; begin < request.microbatches; begin += unit) {
        const int end = std::min(begin + unit, request.microbatches);
        for (int chunk = 0; chunk < request.chunks; ++chunk)
            for (int i = begin; i < end; ++i)
                order.push_back(task(Work::Forward, chunk * request.devices + device, i));
        for (int chunk = request.chunks; chunk-- > 0;)
            for (int i = begin; i < end; ++i)
                order.push_back(task(Work::InputGradient, chunk * request.devices + device, i));
    }
    return order;
}

Schedule generate(const RecipeRequest& request)
{
    const Shape shape = singlePipe(request);
    std::vector<std::vector<Task>> lanes;
    for (int device = 0; device < request.devices; ++device)
        lanes.push_back(unitOrder(request, device));
    lanes = fillGaps(lanes, shape, planningCosts(request.costs, shape), limitOf(request));
    ScheduleBuilder builder(shape);
    for (int device = 0; device < request.devices; ++device) {
        const std::vector<Task>& order = lanes[static_cast<std::size_t>(device)];
        for (const Task& task : order)
            builder.compute(Device(device), task);
        addSharding(builder, Device(device), order, unitOf(request));
    }
    builder.placeLooped();
    builder.endSynchronousStep();
    return builder.finish();
}

std::vector<std::string> problems(const RecipeRequest& request)
{
    std::vector<std::string> sentences;
    const int unit = request.number("unit");
    if (unit > request.microbatches)
        sentences.push_back(fmt::format("unit={} is larger than the {} microbatches. 1 to {} work.", unit,
                                        request.microbatches, request.microbatches));
    const int held = std::min(unitOf(request), request.microbatches) * request.chunks;
    const int limit = request.number("limit");
    if (limit > 0 && limit < held)
        sentences.push_back(fmt::format("limit={} is less than the {} chunk activations of one unit ({} microbatches, "
                                        "{} chunks). limit={} is the smallest that works, or smaller units.",
                                        limit, held, held / request.chunks, request.chunks, held));
    return sentences;
}

} // namespace

const RecipeInfo zeroPp{
    .id = "zeropp",
    .title = "ZeroPP",
    .paper = "Tang et al. 2024, Adaptive Blockwise Task-interleaved Pipeline Parallelism, arXiv 2402.03791",
    .idea = "Breadth-first units of microbatches over sharded weights, with W filling the gaps.",
    .page = R"(Instead of tensor parallelism, weights are sharded over data-parallel replicas and gathered when a chunk
needs them. The m microbatches run in scheduling units of U (`unit=U`, as many as stages by default). Inside a
unit everything is breadth first as in `bfpp`: F of all its microbatches on chunk 0, then on chunk 1, …; then I
of the last chunk, of the one before, …. So the weights of a chunk are gathered once for its burst of
forwards and once for its burst of I: 2v ceil(m/U) gathers (task `g`) a step, and a reduction (`c`) after
the last W of each unit and chunk. W needs no weights and goes wherever the device would wait for its next F or
I, or at the end.

U trades memory and gathers for each other: U=m is `bfpp` with filled gaps, U=p holds about what interleaved
zero bubble holds. `limit=K` bounds the chunk activations of a device, counted until W: before an F that would
exceed it the oldest W runs. The default, Uv + 2(p-1), is what it takes to fill the wait of device 0 between a
unit's forwards and its first I with W of the unit before.

Only the abstract of the paper was at hand: units, bursts and the filling are derived from it, and the order of
each device follows the costs that were given.)",
    .formulas = "no closed form published",
    .parameters =
        {{"unit", "microbatches of a unit; 0: as many as stages", "0", {}, 0, 10'000'000},
         {"limit", "most chunk activations of a device; 0: enough to fill the gaps", "0", {}, 0, 1'000'000'000}},
    .defaultChunks = 2,
    .maximumChunks = 64,
    .splitsBackward = true,
    .constraints = "unit from 1 to m; limit of unit*v or more",
    .problems = problems,
    .warnings = warnFewMicrobatches,
    .generate = generate,
};

} // namespace bubblescope::catalog
