// Pipelined backpropagation: at every tick each stage runs the forward of one sample and the backward
// of another, then updates.
//
//     tick          0    1    2      3      4              p=3: B(i) runs 2(p−1−s) ticks after F(i)
//     0:            F0   F1   F2     F3     F4;B0 U        F and B of a tick are one unit
//     1:                 F0   F1     F2;B0 U F3;B1 U
//     2:                      F0 B0 U F1 B1 U F2 B2 U      the last stage: both of the same sample
//
// Nothing is stashed (or, on request, everything is). Two remedies for the delay: spike compensation,
// in the update, and linear weight prediction, before the forward.

#include "core/schedule/catalog/asynchronous.h"
#include "core/schedule/catalog/catalog.h"

namespace bubblescope::catalog {
namespace {

bool stashes(const RecipeRequest& request)
{
    return request.parameter("weights") == "stashed";
}

void writeStage(ScheduleBuilder& builder, int stage, int p, int total)
{
    const Device device(stage);
    const auto inside = [total](int i) { return i >= 0 && i < total; };
    for (int tick = stage; tick < total + 2 * p - 2 - stage; ++tick) {
        const int forward = tick - stage;
        const int backward = tick - (2 * p - 2 - stage);
        if (inside(forward)) {
            const auto ref = builder.compute(device, task(Work::Forward, stage, forward));
            if (inside(backward) && forward != backward)
                builder.join(ref);
        }
        if (inside(backward)) {
            builder.compute(device, task(Work::Backward, stage, backward));
            builder.compute(device, task(Work::Update, stage, backward));
        }
    }
}

Semantics semanticsOf(const RecipeRequest& request)
{
    const int p = request.devices;
    Semantics semantics;
    semantics.updateEvery = 1;
    semantics.backwardReads = stashes(request) ? Semantics::BackwardReads::AsForward : Semantics::BackwardReads::Latest;
    semantics.maxVersions = stashes(request) ? 2 * p - 1 : 1;
    semantics.maxDrift = 2 * p - 2;
    semantics.spikeCompensation = request.parameter("spike") == "yes";
    const std::string& prediction = request.parameter("predict");
    semantics.prediction = prediction == "velocity"  ? Semantics::Prediction::Velocity
                           : prediction == "weights" ? Semantics::Prediction::Weights
                                                     : Semantics::Prediction::None;
    for (int stage = 0; stage < p; ++stage)
        semantics.delay.push_back(2 * (p - 1 - stage));
    return semantics;
}

Schedule generate(const RecipeRequest& request)
{
    ScheduleBuilder builder(endlessShape(request));
    for (int stage = 0; stage < request.devices; ++stage)
        writeStage(builder, stage, request.devices, request.microbatches * request.steps);
    builder.placeLooped();
    builder.schedule().semantics = semanticsOf(request);
    return builder.finish();
}

std::vector<std::string> problems(const RecipeRequest& request)
{
    if (!stashes(request) || request.parameter("predict") == "no")
        return {};
    return {
        fmt::format("predict={} gives the forward the weights that its backward will find, and weights=stashed gives "
                    "the backward those of its forward: take weights=latest with it, or predict=no.",
                    request.parameter("predict"))};
}

std::optional<Theory> theory(const RecipeRequest& request, const Costs& costs)
{
    if (costs.pair >= 0)
        return std::nullopt;
    return endlessTheory(request, costs, 2 * request.devices - 1,
                         "derived: 2(p-1) ticks to fill and drain, in each of which a device does half of its work");
}

} // namespace

const RecipeInfo pipelinedBackprop{
    .id = "pipelined-backprop",
    .title = "Pipelined backpropagation",
    .paper = "Kosson et al. 2020, Pipelined Backpropagation at Scale: Training Large Models without Batches, arXiv "
             "2003.11666",
    .idea = "Every stage runs a forward and a backward of different samples per tick and updates at once.",
    .page = R"(Samples enter one a tick. Stage s runs F(i) at tick i+s and B(i) at tick i+2p-2-s, both in one unit,
and updates after each backward: no batches, no accumulation, no flush. Between F(i) and B(i) lie

    D = 2(p-1-s) updates     (twice those of alternating 1F1B, whose forwards wait for backwards)

so F(i) reads version max(0, i-D) and, without a stash, B(i) reads version i (`weights=latest`).
`weights=stashed` lets B(i) read what F(i) read, for D+1 versions of the weights.

Two remedies for momentum SGD, v <- m v + g, w <- w - eta v:

- `spike=yes`, spike compensation: the update is w - eta (a v + b g) with a = m^D and b = (1-m^D)/(1-m).
  What the gradient would have done during its delay is done at once; its total weight stays 1/(1-m).
- `predict=velocity` or `predict=weights`, linear weight prediction: the forward reads
  w - eta D v, or w + D (w(t) - w(t-1)), which is where the weights will be when its backward runs.

Each stage takes the D of the filled pipeline, also while it fills. The two can be combined.

The bubble of the filled pipeline is zero; it fills and drains once per run, 2p-2 ticks. Stage s holds
2(p-1-s)+1 activations, so this suits many small stages rather than few large ones. With small batches,
learning rate and momentum have to be scaled to single samples.

The paper's body wasn't at hand: formulas were derived from its abstract and checked for the total
weight of a gradient and for D = 0.)",
    .formulas = "idle per device (p-1)(F+B) per run where a tick lasts F+B (derived), none in steady state; peak "
                "min(2(p-1-s)+1, m) activations on stage s; gradients are 2(p-1-s) updates old",
    .parameters = {{"weights",
                    "what a backward reads: the newest weights, or those of its forward",
                    "latest",
                    {"latest", "stashed"}},
                   {"spike", "spike compensation in the update", "no", {"no", "yes"}},
                   {"predict",
                    "the forward reads weights predicted from the velocity or from the last change",
                    "no",
                    {"no", "velocity", "weights"}}},
    .writesSteps = true,
    .constraints = "any m of 1 or more; predict only with weights=latest",
    .problems = problems,
    .warnings = warnFewMicrobatches,
    .generate = generate,
    .theory = theory,
};

} // namespace bubblescope::catalog
