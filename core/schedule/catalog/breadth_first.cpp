// Breadth-first pipelines: all microbatches of a chunk before the next chunk.
//
//     0: 0F0 0F1 0F2 0F3  2F0 2F1 2F2 2F3 …            p=2, v=2: device 0 holds stages 0 and 2
//     1:     1F0 1F1 1F2  1F3 3F0 3F1 3F2 3F3  3B0 …
//
// Looped BFS (PyTorch) runs the backwards of a chunk from the last microbatch to the first. BFPP (Fast-LLM)
// runs them from the first to the last, and each chunk's weights are gathered once for each of its bursts.

#include "core/schedule/catalog/catalog.h"
#include "core/schedule/catalog/common.h"
#include "core/schedule/catalog/sharding.h"

namespace bubblescope::catalog {
namespace {

std::vector<Task> laneOrder(const RecipeRequest& request, int device, bool descending)
{
    const int m = request.microbatches;
    std::vector<Task> order;
    order.reserve(std::size_t{2} * static_cast<std::size_t>(request.chunks) * static_cast<std::size_t>(m));
    for (int chunk = 0; chunk < request.chunks; ++chunk)
        for (int i = 0; i < m; ++i)
            order.push_back(task(Work::Forward, chunk * request.devices + device, i));
    for (int chunk = request.chunks; chunk-- > 0;)
        for (int i = 0; i < m; ++i)
            order.push_back(task(Work::Backward, chunk * request.devices + device, descending ? m - 1 - i : i));
    return order;
}

Schedule generate(const RecipeRequest& request, bool fastLlm)
{
    ScheduleBuilder builder(singlePipe(request));
    for (int device = 0; device < request.devices; ++device) {
        const std::vector<Task> order = laneOrder(request, device, !fastLlm);
        for (const Task& task : order)
            builder.compute(Device(device), task);
        if (fastLlm)
            addSharding(builder, Device(device), order, request.microbatches);
    }
    builder.placeLooped();
    builder.endSynchronousStep();
    return builder.finish();
}

Schedule generateLooped(const RecipeRequest& request)
{
    return generate(request, false);
}

Schedule generateSharded(const RecipeRequest& request)
{
    return generate(request, true);
}

std::optional<Theory> theory(const RecipeRequest& request, const Costs& costs, bool descending)
{
    const int p = request.devices;
    // With fewer microbatches than devices a chunk waits for the one before.
    if (!uniformAndFree(costs) || request.microbatches < p || meanCost(costs, Work::Gather) != 0 ||
        meanCost(costs, Work::ReduceScatter) != 0)
        return std::nullopt;
    const Nanoseconds perChunk = meanCost(costs, Work::Forward) + meanCost(costs, Work::Backward);
    return Theory{(p - 1) * perChunk, "makespan", double(request.microbatches),
                  descending ? "as interleaved 1F1B: (p-1)(F+B)/v per device with whole-device F and B"
                             : "Lamy-Poirier 2022: (p-1)(F+B)/v per device with whole-device F and B"};
}

std::optional<Theory> theoryLooped(const RecipeRequest& request, const Costs& costs)
{
    return theory(request, costs, true);
}

std::optional<Theory> theorySharded(const RecipeRequest& request, const Costs& costs)
{
    return theory(request, costs, false);
}

constexpr std::string_view paper = "Lamy-Poirier 2022, Breadth-First Pipeline Parallelism, arXiv 2211.05953";

} // namespace

const RecipeInfo loopedBreadthFirst{
    .id = "looped-bfs",
    .title = "Looped BFS",
    .paper = paper,
    .idea = "Each device holds v chunks and runs all microbatches of one before the next.",
    .page = R"(Device r holds stages r, r+p, r+2p, …, as in interleaved 1F1B, but runs breadth first: F of all m
microbatches of chunk 0, then of chunk 1, and so on; then the backwards of the last chunk, of the one
before, and so on. The pipeline fills after one chunk's forward, so the bubble is 1/v of GPipe's, and
every chunk's work is one contiguous burst.

This is PyTorch's ScheduleLoopedBFS: within a chunk the backwards run from microbatch m-1 down to 0.
`bfpp` runs them upwards, as Fast-LLM does.

Use it where the weights or gradients of a chunk are moved as a whole (sharded data parallelism) and
memory is plentiful: every device holds the activations of all m microbatches of all its chunks, like
GPipe.

With p=4, m=8, v=2, F=1 and B=2 a chunk the makespan is 57 and the peak 16 chunks.)",
    .formulas = "idle per device (p-1)(F+B)/v with F and B of a whole device; peak v*m chunks on every device",
    .defaultChunks = 2,
    .maximumChunks = 64,
    .constraints = "any m of 1 or more; the closed form holds for m of p or more",
    .problems = noProblems,
    .warnings = warnFewMicrobatches,
    .generate = generateLooped,
    .theory = theoryLooped,
};

const RecipeInfo breadthFirst{
    .id = "bfpp",
    .title = "Breadth-first pipeline (BFPP)",
    .paper = paper,
    .idea = "Breadth-first bursts, so that sharded weights are gathered once for each chunk and direction.",
    .page = R"(The order of `looped-bfs`, with the backwards of a chunk in ascending order (Fast-LLM's), and with the
traffic of sharded data parallelism as tasks on a collective lane: `g` gathers the weights of a chunk
before its burst of forwards and again before its burst of backwards, `c` reduces and scatters its
gradients after the last backward. 2v gathers and v reductions a step are all there is, however many
microbatches there are; a depth-first order would need them for every group of microbatches.

Two buffers hold gathered weights, so the gather for a burst starts when the burst before the last has
ended and has a whole burst of time. What can't be hidden is the first gather and the last reduction:
with p=4, m=8, v=2, F=1, B=2 and `g` and `c` of 0, 1, 3 and 6 the makespan is 57, 59, 63 and 69.

How long they take is a cost: `--cost F=1,B=2,g=1,c=1`. The update waits for the device's reductions.

The lane of collectives, its order (a gather before a reduction that may start at the same time) and the
two buffers are our reading of Fast-LLM's code; the paper describes the idea.)",
    .formulas = "idle per device (p-1)(F+B)/v with F and B of a whole device, plus one gather and one reduction; peak "
                "v*m chunks on every device",
    .defaultChunks = 2,
    .maximumChunks = 64,
    .constraints = "any m of 1 or more; the closed form holds for m of p or more",
    .problems = noProblems,
    .warnings = warnFewMicrobatches,
    .generate = generateSharded,
    .theory = theorySharded,
};

} // namespace bubblescope::catalog
