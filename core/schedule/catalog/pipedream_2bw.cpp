// PipeDream-2BW: 1F1B without a flush, an update after every m microbatches, two weight buffers.
//
//     m = 4, microbatch   0 1 2 3 4 5 6 7 8 9 …      F and B of a microbatch read the same version on every stage
//     version             0 0 0 0 0 0 0 0 1 1 …      max(i div m − 1, 0)

#include "core/schedule/catalog/asynchronous.h"
#include "core/schedule/catalog/catalog.h"

namespace bubblescope::catalog {
namespace {

Schedule generate(const RecipeRequest& request)
{
    Semantics semantics;
    semantics.updateEvery = updateEvery(request);
    semantics.forwardReads = Semantics::ForwardReads::Delayed;
    semantics.backwardReads = Semantics::BackwardReads::AsForward;
    semantics.maxVersions = 2;
    semantics.maxDrift = 1;
    return endless(request, std::move(semantics));
}

std::vector<std::string> problems(const RecipeRequest& request)
{
    const int every = updateEvery(request);
    if (every >= request.devices)
        return {};
    return {
        fmt::format("{} microbatches per update are fewer than the {} devices: a microbatch would need a version of "
                    "the weights before it is made, or a third buffer. {} are the fewest, or {} devices.",
                    every, request.devices, request.devices, every)};
}

std::optional<Theory> theory(const RecipeRequest& request, const Costs& costs)
{
    return endlessTheory(request, costs, request.devices,
                         "Narayanan et al. 2020, section 3.1: no flush, so the pipeline fills and drains once per run");
}

} // namespace

const RecipeInfo pipedream2bw{
    .id = "pipedream-2bw",
    .title = "PipeDream-2BW",
    .paper = "Narayanan et al. 2020, Memory-Efficient Pipeline-Parallel DNN Training, arXiv 2006.09503",
    .idea = "1F1B that never drains, with gradients summed over m microbatches and no more than two weight buffers.",
    .page = R"(As PipeDream, but a stage updates only after every m microbatches (`every`; a step's by default). As m
is at least the depth, at most one update happens while a microbatch is in flight, and two buffers
are enough on every stage: the newest weights, and the ones before for what is still on its way.

With the 0-based microbatch i, F and B read on every stage

    version = max(i div m - 1, 0)         m=4:  0 0 0 0 0 0 0 0 1 1 1 1 2 2 2 2

so the update is W(t+1) = W(t) - nu grad f(W(t-1)): all gradients are exactly one update old, the same
on all stages, and momentum and Adam see the same delayed gradient without state of their own. The
old buffer goes when its last microbatch in flight is through.

The bubble of the filled pipeline is zero. Use it where a flush costs too much and PipeDream's p
versions are too many; the paper finds perplexities close to synchronous training with Adam.)",
    .formulas = "idle per device (p-1)(F+B) per run, none in steady state; peak min(p-s, m) activations on stage s and "
                "two weight versions; gradients are one update old",
    .parameters = {everyParameter()},
    .writesSteps = true,
    .constraints = "at least as many microbatches per update as devices",
    .problems = problems,
    .warnings = warnCutUpdate,
    .generate = generate,
    .theory = theory,
};

} // namespace bubblescope::catalog
