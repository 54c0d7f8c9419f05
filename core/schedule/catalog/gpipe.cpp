// GPipe: all forwards, then all backwards, then one update.
//
//     0: F0 F1 F2 F3                   B0    B1    B2    B3
//     1:    F0 F1 F2 F3             B0    B1    B2    B3
//     2:       F0 F1 F2 F3       B0    B1    B2    B3
//
// The order of the backwards differs by implementation: PyTorch and Alpa go 0 … m−1 (fifo), GPipe's own
// figure and torchgpipe m−1 … 0 (lifo). The makespan is the same for equal costs.

#include "core/schedule/catalog/catalog.h"
#include "core/schedule/catalog/common.h"

namespace bubblescope::catalog {
namespace {

Schedule generate(const RecipeRequest& request)
{
    const int m = request.microbatches;
    const bool lifo = request.parameter("backward") == "lifo";
    ScheduleBuilder builder(singlePipe(request));
    for (int stage = 0; stage < request.devices; ++stage) {
        for (int i = 0; i < m; ++i)
            builder.compute(Device(stage), task(Work::Forward, stage, i));
        for (int i = 0; i < m; ++i)
            builder.compute(Device(stage), task(Work::Backward, stage, lifo ? m - 1 - i : i));
    }
    builder.placeLooped();
    builder.endSynchronousStep();
    return builder.finish();
}

std::optional<Theory> theory(const RecipeRequest& request, const Costs& costs)
{
    if (!uniformAndFree(costs))
        return std::nullopt;
    const Nanoseconds perMicrobatch = meanCost(costs, Work::Forward) + meanCost(costs, Work::Backward);
    return Theory{(request.devices - 1) * perMicrobatch, "makespan", double(request.microbatches),
                  "GPipe, section 2.3: (p-1)(F+B) per device"};
}

} // namespace

const RecipeInfo gpipe{
    .id = "gpipe",
    .title = "GPipe",
    .paper = "Huang et al. 2018, GPipe: Efficient Training of Giant Neural Networks using Pipeline Parallelism, arXiv "
             "1811.06965",
    .idea = "All forwards, then all backwards, then one optimizer step.",
    .page = R"(Every device runs the forwards of all m microbatches and then all backwards, so the weights
stay the same for the whole step. Nothing could be simpler, and nothing holds more memory: each
device keeps the activations of all m microbatches until their backwards.

Backwards run 0 … m-1 (`backward=fifo`, as PyTorch and Alpa do) or m-1 … 0 (`backward=lifo`, as the
paper's figure and torchgpipe do). With equal costs the makespan is the same.

Use it to learn the idea, for few microbatches, or with recomputation when memory is plentiful.)",
    .formulas = "idle per device (p-1)(F+B); bubble rate (p-1)/(m+p-1); peak m activations on every device",
    .parameters = {{"backward", "order of the backwards", "fifo", {"fifo", "lifo"}}},
    .constraints = "any m of 1 or more",
    .problems = noProblems,
    .warnings = warnFewMicrobatches,
    .generate = generate,
    .theory = theory,
};

} // namespace bubblescope::catalog
