// Seq1F1B: 1F1B over the slices of sequences.
//
//     0: 0.0 0.1 1.0 1.1 2.0 B0.1 2.1 B0.0 …      microbatch.slice, two slices, four stages
//     3:     0.0 0.1 B0.1 1.0 B0.0 …
//
// Forwards run microbatch after microbatch with ascending slices, backwards with descending ones: a slice's keys
// and values get gradients from all later slices of its sequence. So the last slice has to be through before the
// first backward, which adds slices − 1 forwards to 1F1B's warm-up.

#include "core/schedule/catalog/catalog.h"
#include "core/schedule/catalog/slices.h"

#include <algorithm>

namespace bubblescope::catalog {
namespace {

Schedule generate(const RecipeRequest& request)
{
    const Slicing slicing = sliceEqually(request);
    const Shape shape = slicedPipe(request, slicing);
    ScheduleBuilder builder(shape);
    builder.schedule().slicing = slicing;
    for (int stage = 0; stage < request.devices; ++stage) {
        SliceLane lane(builder, stage, request.microbatches, shape.slices);
        const int warmup = request.devices - stage - 2 + shape.slices;
        for (int i = 0; i < warmup && lane.hasForward(); ++i)
            lane.forward();
        while (lane.hasBackward()) {
            if (lane.hasForward())
                lane.forward();
            lane.backward();
        }
    }
    builder.placeLooped();
    builder.endSynchronousStep();
    return builder.finish();
}

std::optional<Theory> theory(const RecipeRequest& request, const Costs& costs)
{
    if (!uniformAndFree(costs) || !equalSlices(request))
        return std::nullopt;
    const int slices = request.number("slices");
    const Nanoseconds perMicrobatch = meanCost(costs, Work::Forward) + meanCost(costs, Work::Backward);
    const int units = std::min(request.devices + slices - 1, request.microbatches * slices);
    return Theory{(request.devices - 1) * perMicrobatch / slices, "makespan", double(units) / slices,
                  "derived: 1F1B's bubble with slices for microbatches, (p-1)(F+B)/k; p+k-1 slices on device 0"};
}

} // namespace

const RecipeInfo seq1f1b{
    .id = "seq1f1b",
    .title = "Seq1F1B",
    .paper =
        "Sun et al. 2024, Seq1F1B: Efficient Sequence-Level Pipeline Parallelism for Large Language Model Training, "
        "arXiv 2406.03488",
    .idea = "1F1B whose unit is a slice of a sequence: a bubble and a memory divided by the number of slices.",
    .page = R"(Each microbatch is cut along its sequence into k slices. Causal attention lets slice j+1 enter a stage as
soon as slice j has left it, since it needs only the keys and values of earlier tokens. Stage s runs
p-s-2+k forwards, then alternates one forward and one backward, and drains.

    forwards    0.0 0.1 1.0 1.1 2.0 2.1 …       microbatch.slice, ascending
    backwards   0.1 0.0 1.1 1.0 2.1 2.0 …       slices descending inside a microbatch

Backwards go from the last slice to the first, because the keys and values of a slice collect gradients from
every later slice. With k=1 the schedule is 1F1B.

The unit of work is k times smaller, so with equal slices the bubble and the activations that fill the pipeline are too:
the bubble is (p-1)(F+B)/k and device 0 holds p+k-1 slices.

Later slices see more context. `attention=0.5` says that attention over the whole sequence costs half as much as
everything else; then slices of equal length (`sizes=even`) cost more and more, and `sizes=balanced` cuts
shorter ones towards the end, of equal cost to the nearest of `units`. `overhead` is what a slice costs beside its
tokens (kernels lose efficiency on few tokens); `sizes=auto` then takes number and lengths from TeraPipe's programme.
`lengths=6+4+3+3` sets them. `--cost` speaks of a microbatch in one piece.

Use it for long sequences and few microbatches. The closed forms are derived by us and agree with the simulation;
the order is that of the published code.)",
    .formulas = "idle per device (p-1)(F+B)/k with equal slices; peak min(p-s+k-1, mk)/k activations on stage s",
    .parameters = sliceParameters(2),
    .constraints = "any number of microbatches and slices of 1 or more; balanced: no more slices than units",
    .problems = sliceProblems,
    .warnings = sliceWarnings,
    .generate = generate,
    .theory = theory,
};

} // namespace bubblescope::catalog
