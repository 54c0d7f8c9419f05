// GNNPipe: the layers of a graph network on the devices, chunks of one graph as microbatches.
//
//     epoch 0   0: F0 F1 F2 F3             B0    B1 …       F1 reads the neighbours of chunk 0 as they are now,
//     epoch 1   0: F5 F6 F7 F4 …                            those of chunks 2 and 3 as they were an epoch ago
//
// A chunk needs its neighbours' embeddings at every layer, and some of them stand in other chunks. Those
// that were worked on earlier in the epoch are there; of the others the last epoch's are used, and no
// gradient flows through them. The order of the chunks changes from epoch to epoch, so that no chunk
// always sees old neighbours.

#include "core/schedule/catalog/catalog.h"
#include "core/schedule/catalog/common.h"

#include <algorithm>
#include <numeric>
#include <random>

namespace bubblescope::catalog {
namespace {

/// The chunks of an epoch in the order in which they are worked on. The first epoch goes 0 … m−1.
std::vector<int> chunkOrder(const RecipeRequest& request, int epoch)
{
    std::vector<int> chunks(static_cast<std::size_t>(request.microbatches));
    std::iota(chunks.begin(), chunks.end(), 0);
    const std::string& order = request.parameter("epochs");
    if (epoch == 0 || order == "same")
        return chunks;
    if (order == "rotate") {
        std::rotate(chunks.begin(), chunks.begin() + epoch % request.microbatches, chunks.end());
        return chunks;
    }
    std::mt19937_64 random(static_cast<std::uint64_t>(request.number("seed")) * 10'007 +
                           static_cast<std::uint64_t>(epoch));
    for (std::size_t i = chunks.size(); i > 1; --i) // by hand: std::shuffle differs between libraries
        std::swap(chunks[i - 1], chunks[random() % i]);
    return chunks;
}

/// One epoch with its chunks in the order 0 … m−1.
Schedule epoch(const RecipeRequest& request)
{
    const int p = request.devices;
    const int m = request.microbatches;
    ScheduleBuilder builder(singlePipe(request));
    for (int stage = 0; stage < p; ++stage) {
        std::optional<ScheduleBuilder::Ref> before;
        int forward = 0;
        const auto addForward = [&] {
            const auto at = builder.compute(Device(stage), task(Work::Forward, stage, forward++));
            if (before) // the embeddings of all chunks before it, kept on the device
                builder.edge(*before, at, Payload::Stash);
            before = at;
        };
        const int warmup = request.parameter("order") == "gpipe" ? m : p - 1 - stage;
        while (forward < std::min(m, warmup))
            addForward();
        for (int backward = 0; backward < m; ++backward) {
            if (forward < m)
                addForward();
            builder.compute(Device(stage), task(Work::Backward, stage, backward));
        }
    }
    builder.placeLooped();
    builder.endSynchronousStep();
    builder.schedule().semantics.staleState = Semantics::StaleState::PreviousStep;
    return builder.finish();
}

Schedule generate(const RecipeRequest& request)
{
    Schedule all = repeatSteps(epoch(request), request.steps);
    const int m = request.microbatches;
    std::vector<std::vector<int>> orders;
    for (int step = 0; step < request.steps; ++step)
        orders.push_back(chunkOrder(request, step));
    for (Task& task : all.tasks)
        if (onGrid(task.work)) {
            const int step = task.microbatch / m;
            const std::vector<int>& order = orders[static_cast<std::size_t>(step)];
            task.microbatch = Microbatch(step * m + order[static_cast<std::size_t>(task.microbatch % m)]);
        }
    return all;
}

std::optional<Theory> theory(const RecipeRequest& request, const Costs& costs)
{
    if (!uniformAndFree(costs))
        return std::nullopt;
    const Nanoseconds perChunk = meanCost(costs, Work::Forward) + meanCost(costs, Work::Backward);
    const int m = request.microbatches;
    const int held = request.parameter("order") == "gpipe" ? m : std::min(m, request.devices);
    return Theory{(request.devices - 1) * perChunk, "makespan", double(held),
                  "derived: that of the order without the graph, (p-1)(F+B) per device and epoch"};
}

} // namespace

const RecipeInfo gnnPipe{
    .id = "gnnpipe",
    .title = "GNNPipe",
    .paper = "Chen et al. 2023, GNNPipe: Scaling Deep GNN Training with Pipelined Model Parallelism, arXiv 2308.10087",
    .idea = "The layers of a graph network are split over devices; chunks of the graph pass through as microbatches.",
    .page = R"(Graph networks are usually split by vertices, and then every layer exchanges embeddings. Here each
device holds some layers for the whole graph. The vertices are cut into m chunks, which pass through
the layers as microbatches do: what travels is one chunk's embeddings per hop.

A chunk's vertices have neighbours in other chunks. Chunks that came earlier in this epoch have left
fresh embeddings on the device; of the others it takes those of the epoch before (historical
embeddings). Backward treats both as constants: no gradient flows into another chunk. Weights change
once an epoch, so the schedule is synchronous in its weights and stale by one epoch in its inputs.

The order of the chunks is turned by one from epoch to epoch (`epochs=rotate`) or drawn anew
(`epochs=shuffle`, from `seed`); `same` leaves the first chunk with old neighbours for ever. F and B
follow 1F1B or GPipe (`order`).

Derived by us: the paper's body was not at hand. That gradients stop at fresh neighbours of other
chunks, too, is our reading; 1F1B leaves no other, since their backward may already be done.

Use it for deep graph networks on many devices. It costs a store of all layers' embeddings, and
convergence where chunks cut many edges.)",
    .formulas = "idle per device and epoch (p-1)(F+B); bubble rate (p-1)/(m+p-1) with m chunks; peak as the order's: "
                "min(p-s, m) chunks on stage s with 1f1b, m with gpipe",
    .parameters = {{"order", "order of the forwards and backwards of an epoch", "1f1b", {"1f1b", "gpipe"}},
                   {"epochs", "what becomes of the order of the chunks", "rotate", {"rotate", "shuffle", "same"}},
                   {"seed", "of epochs=shuffle", "1", {}, 0, 1'000'000'000}},
    .writesSteps = true,
    .constraints = "any number of chunks of 1 or more; one layer or more per device",
    .problems = noProblems,
    .warnings = warnFewMicrobatches,
    .generate = generate,
    .theory = theory,
};

} // namespace bubblescope::catalog
