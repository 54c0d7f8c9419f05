// PACI: 1F1B without a flush and without a stash: F and B read whatever the weights are, which change
// only after every K microbatches of the stage.
//
//     stage p−2, K=2   F0 F1 B0 F2 B1 U0 F3 B2 F4 B3 U1 …      F2 read version 0, B2 reads 1

#include "core/schedule/catalog/asynchronous.h"
#include "core/schedule/catalog/catalog.h"

namespace bubblescope::catalog {
namespace {

Schedule generate(const RecipeRequest& request)
{
    Semantics semantics;
    semantics.updateEvery = updateEvery(request);
    semantics.forwardReads = Semantics::ForwardReads::Latest;
    semantics.backwardReads = Semantics::BackwardReads::Latest;
    semantics.maxVersions = 1;
    semantics.maxDrift = (request.devices - 2 + semantics.updateEvery) / semantics.updateEvery; // ⌈(p−1)/K⌉
    return endless(request, std::move(semantics));
}

std::optional<Theory> theory(const RecipeRequest& request, const Costs& costs)
{
    return endlessTheory(request, costs, request.devices,
                         "derived: no flush, so the pipeline fills and drains once per run");
}

} // namespace

const RecipeInfo paci{
    .id = "paci",
    .title = "PACI",
    .paper = "Elam et al. 2026, Breaking the Bubble: Asynchronous Pipeline Parallel Training with Bounded Weight "
             "Inconsistency, arXiv 2606.07881",
    .idea = "1F1B that never drains, with one copy of the weights that changes only after every K microbatches.",
    .page = R"(No flush and no stash: forward and backward of a microbatch read the newest weights of their stage and
so may read different ones. What keeps this in bounds is that a stage updates only after every K of
its microbatches (`every`; a step's by default). With w = p-1-s and the 0-based microbatch i

    F(i) reads version floor(max(0, i-w) / K),  B(i) reads floor(i / K)

so the two are at most ceil(w/K) updates apart; K of p-1 or more gives at most one on every stage.
Input gradients are formed with the weights of the backward from the activations of the forward.

One copy of the weights, the activations of 1F1B (p-s), and a bubble of zero once the pipeline is full.

Of the paper only the abstract was at hand: the order (1F1B) and the two formulas were derived from it.)",
    .formulas = "idle per device (p-1)(F+B) per run, none in steady state; peak min(p-s, m) activations on stage s and "
                "one weight version; F and B of a microbatch at most ceil((p-1-s)/K) updates apart",
    .parameters = {everyParameter()},
    .writesSteps = true,
    .constraints = "any m and K of 1 or more",
    .problems = noProblems,
    .warnings = warnCutUpdate,
    .generate = generate,
    .theory = theory,
};

} // namespace bubblescope::catalog
