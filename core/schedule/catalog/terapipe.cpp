// TeraPipe: GPipe over the slices of sequences.
//
//     0: 0.0 0.1 0.2 1.0 1.1 1.2             … B1.2 B1.1 B1.0 B0.2 B0.1 B0.0
//
// All forwards run in the order of the tokens, then everything backwards in the opposite order: the gradients of
// keys and values flow from later slices to earlier ones. How long the slices should be is a search of its own
// (core/schedule/search/slice_sizes.h).

#include "core/schedule/catalog/catalog.h"
#include "core/schedule/catalog/slices.h"

namespace bubblescope::catalog {
namespace {

Schedule generate(const RecipeRequest& request)
{
    const Slicing slicing = sliceEqually(request);
    const Shape shape = slicedPipe(request, slicing);
    ScheduleBuilder builder(shape);
    builder.schedule().slicing = slicing;
    const int units = request.microbatches * shape.slices;
    for (int stage = 0; stage < request.devices; ++stage) {
        const auto add = [&](Work work, int unit) {
            builder.compute(Device(stage), sliceTask(work, stage, unit / shape.slices, unit % shape.slices));
        };
        for (int unit = 0; unit < units; ++unit)
            add(Work::Forward, unit);
        for (int unit = units; unit-- > 0;)
            add(Work::Backward, unit);
    }
    builder.placeLooped();
    builder.endSynchronousStep();
    return builder.finish();
}

std::optional<Theory> theory(const RecipeRequest& request, const Costs& costs)
{
    if (!uniformAndFree(costs) || !equalSlices(request))
        return std::nullopt;
    const Nanoseconds perMicrobatch = meanCost(costs, Work::Forward) + meanCost(costs, Work::Backward);
    return Theory{(request.devices - 1) * perMicrobatch / request.number("slices"), "makespan",
                  double(request.microbatches),
                  "Li et al. 2021, section 3.3: T = sum t + (P-1) max t for equal slices"};
}

} // namespace

const RecipeInfo terapipe{
    .id = "terapipe",
    .title = "TeraPipe",
    .paper =
        "Li et al. 2021, TeraPipe: Token-Level Pipeline Parallelism for Training Large-Scale Language Models, arXiv "
        "2102.07988",
    .idea = "GPipe over slices of the sequence: a token needs earlier tokens only, so a sequence fills the pipeline "
            "itself.",
    .page = R"(A causal model lets a stage work on the first tokens of a sequence while the stage before it works
on the next ones. Every microbatch is cut into slices; all forwards run in the order of the tokens, all backwards
in the opposite order, since a slice's keys and values collect gradients from every later slice. So one
sequence alone fills the pipeline: with few and long sequences, where microbatches are scarce, this is the gain.

    forwards    0.0 0.1 0.2 1.0 1.1 1.2         microbatch.slice
    backwards   1.2 1.1 1.0 0.2 0.1 0.0

Short slices waste less time in filling and draining, and use the device worse; later ones see more context and
cost more. With `attention` (cost of a whole sequence's attention relative to its other work) and `overhead`
(what a slice costs beside its tokens, relative to a whole sequence without attention) `sizes=auto` runs the
paper's dynamic programme over `units` parts of the sequence: it fixes the slowest slice, finds the cheapest cut
that keeps to it, and sweeps all latencies that a slice can have. The time that it minimises is

    T = sum of t over all slices + (p-1) max t

`sizes=balanced` gives `slices` slices of equal cost, `lengths=6+4+3+3` sets them. `--cost` speaks of a microbatch in
one piece.

Everything is kept until its backward, as in GPipe: m activations. Seq1F1B has the same bubble and keeps less.
That several microbatches go backwards in the opposite order as well is our choice; the paper runs one batch.)",
    .formulas = "T = sum t + (p-1) max t, t of F and B together; with k equal slices idle per device (p-1)(F+B)/k; "
                "peak m activations on every device",
    .parameters = sliceParameters(4),
    .constraints = "any number of microbatches and slices of 1 or more; balanced: no more slices than units",
    .problems = sliceProblems,
    .warnings = sliceWarnings,
    .generate = generate,
    .theory = theory,
};

} // namespace bubblescope::catalog
