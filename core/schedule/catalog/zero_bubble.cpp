// ZB-H1 and ZB-H2 (zero bubble, handcrafted): split the backward and let W fill the gaps.
//
//     ZB-H1   0: F0 F1 F2 F3          I0 W0 F4 I1 W1 F5 …
//             3:          F0 I0 F1 I1 F2 I2 F3 I3 W0 F4 …
//
// Both follow one rule with two numbers, the forwards before the first I and the most microbatches
// between F and W: H1 keeps 1F1B's memory (p−r and p), H2 doubles the warm-up (2(p−r)−1 and 2p−1).

#include "core/schedule/catalog/catalog.h"
#include "core/schedule/catalog/split_step.h"

#include <algorithm>

namespace bubblescope::catalog {
namespace {

/// All lanes by the rule of search/split_heuristics.h.
SplitLanes lanesBy(SplitRule (*rule)(int, int), const RecipeRequest& request)
{
    SplitLanes lanes;
    for (int stage = 0; stage < request.devices; ++stage)
        lanes.push_back(ruleLane(rule(stage, request.devices), request.microbatches));
    return lanes;
}

/// The light variant (zb-h1-quick-start): 1F1B's order; only the first r backwards, the last one of
/// the steady phase and those of the drain are split, and W waits until `stage` of them are pending.
std::vector<Task> lightLane(int stage, int p, int m)
{
    const int warmup = std::min(p - 1 - stage, m);
    const int steady = m - warmup;
    std::vector<Task> lane;
    const auto add = [&](Work work, int microbatch) { lane.push_back(task(work, stage, microbatch)); };
    std::vector<int> pending;
    std::size_t done = 0;
    const auto split = [&](int microbatch) {
        add(Work::InputGradient, microbatch);
        pending.push_back(microbatch);
    };
    for (int i = 0; i < warmup; ++i)
        add(Work::Forward, i);
    for (int i = 0; i < steady; ++i) {
        add(Work::Forward, warmup + i);
        if (stage > 0 && (i < stage || i == steady - 1))
            split(i);
        else
            add(Work::Backward, i);
    }
    for (int i = steady; i < m; ++i) {
        if (stage == 0) {
            add(Work::Backward, i);
            continue;
        }
        split(i);
        if (i >= stage)
            add(Work::WeightGradient, pending[done++]);
    }
    while (done < pending.size())
        add(Work::WeightGradient, pending[done++]);
    return lane;
}

Schedule generateH1(const RecipeRequest& request)
{
    if (request.parameter("variant") == "full")
        return splitSteps(request, tasksOf(lanesBy(ruleH1, request)));
    StepLanes lanes;
    for (int stage = 0; stage < request.devices; ++stage)
        lanes.push_back(lightLane(stage, request.devices, request.microbatches));
    return splitSteps(request, lanes);
}

Schedule generateH2(const RecipeRequest& request)
{
    return splitSteps(request, tasksOf(lanesBy(ruleH2, request)));
}

/// The closed forms hold for the span of a device, for W no longer than F, and for enough microbatches.
std::optional<Theory> theory(const RecipeRequest& request, const Costs& costs, int weightShare, int live,
                             const char* source)
{
    const Nanoseconds forward = meanCost(costs, Work::Forward);
    const Nanoseconds input = meanCost(costs, Work::InputGradient);
    const Nanoseconds weight = meanCost(costs, Work::WeightGradient);
    const Nanoseconds perHop = forward + input - weightShare * weight;
    if (!uniformAndFree(costs) || request.microbatches < live || weight > forward || perHop < 0)
        return std::nullopt;
    return Theory{(request.devices - 1) * perHop, "span", double(live), source};
}

std::optional<Theory> theoryH1(const RecipeRequest& request, const Costs& costs)
{
    if (request.parameter("variant") == "light")
        return std::nullopt;
    return theory(request, costs, 1, request.devices,
                  "Qi et al. 2023, Table 2: (p-1)(F+I-W) inside a device's span, p activations");
}

std::optional<Theory> theoryH2(const RecipeRequest& request, const Costs& costs)
{
    return theory(request, costs, 2, 2 * request.devices - 1,
                  "Qi et al. 2023, Table 2: (p-1)(F+I-2W) inside a device's span, 2p-1 activations");
}

std::vector<std::string> warningsH2(const RecipeRequest& request)
{
    std::vector<std::string> sentences = warnFewMicrobatches(request);
    const int enough = 2 * request.devices - 1;
    if (sentences.empty() && request.microbatches < enough)
        sentences.push_back(
            fmt::format("ZB-H2 reaches its zero bubble from {} microbatches on (2p-1); with {} some idle time stays.",
                        enough, request.microbatches));
    return sentences;
}

constexpr std::string_view paper = "Qi et al. 2023, Zero Bubble Pipeline Parallelism, arXiv 2401.10241";

} // namespace

const RecipeInfo zeroBubbleH1{
    .id = "zb-h1",
    .title = "ZB-H1",
    .paper = paper,
    .idea = "Split the backward into I and W; W waits and fills gaps, at the memory of 1F1B.",
    .page = R"(The backward is split: I computes the gradient for the previous stage and is sent at once, W
computes the weight gradients and may wait. Chains of I run faster than chains of full backwards,
and the postponed W fill the drain. Every device keeps at most p microbatches between F and W,
which is what device 0 of 1F1B holds.

`variant=light` is the small patch for Megatron: 1F1B's order with only some backwards split; about
half of the gain.

With p=4, m=8 and F=I=W=1 the makespan is 27 instead of 33.

`update=post-validation` (see zb-h2) takes the barrier away, but gains nothing here: all devices end together.)",
    .formulas = "idle inside a device's span (p-1)(F+I-W); peak p activations counted until W",
    .parameters = {{"variant", "full, or the light patch of 1F1B", "full", {"full", "light"}}, updateParameter()},
    .splitsBackward = true,
    .writesSteps = true,
    .constraints = "any m of 1 or more; the closed form holds for m of p or more",
    .problems = noProblems,
    .warnings = warnFewMicrobatches,
    .generate = generateH1,
    .theory = theoryH1,
};

const RecipeInfo zeroBubbleH2{
    .id = "zb-h2",
    .title = "ZB-H2",
    .paper = paper,
    .idea = "Twice the warm-up of 1F1B and W at the end: no bubble inside a device's span, at twice the memory.",
    .page = R"(Device r runs 2(p-r)-1 forwards before its first I, which removes the wait for it, and the
postponed W make every device's work a parallelogram: with F=I=W no device ever waits between its first
forward and its last W. The makespan still holds the slant of the parallelogram, (p-1)F; it vanishes over
many steps only where the optimizer needs no barrier (post-validation).

The price is memory: 2p-1 activations on every device.

`update=post-validation` is that (section 4 of the paper). Norm and overflow of the gradients go down the stages with
`k` tasks, each stage adds its part, updates at once with what it knows, and begins the next step. The full norm comes
back up inside the next step's warm-up; a stage whose update doesn't agree with it takes it back and updates again.
So steps follow each other at the distance of the longest span instead of the makespan: with p=4, m=8 and F=I=W=1
three steps take 27, 51, 75 instead of 27, 54, 81. The way of a norm counts as free. Where it comes back, just before
the first I of each stage, was chosen by us: the chain of I that begins behind it on the last stage hides it.

`run --clip-norm X` makes this real: gradients of a step are scaled down to norm X, and a step whose norm isn't finite
is skipped. As the norm grows from stage to stage, the first stage is wrong about every clipped step, so each of them is
rolled back: X should be reached seldom. Until an update is validated, a stage keeps a copy of its weights, gradients
and optimizer state. Ours: the copy gives the very bits back, where the paper runs AdamW backwards. The forwards that a
stage has run of the next step are then dropped and run again, on all stages, in time that no schedule lists; a trace
shows them twice.)",
    .formulas = "idle inside a device's span (p-1)(F+I-2W); peak 2p-1 activations counted until W",
    .parameters = {updateParameter()},
    .splitsBackward = true,
    .writesSteps = true,
    .constraints = "any m of 1 or more; the closed form holds for m of 2p-1 or more",
    .problems = noProblems,
    .warnings = warningsH2,
    .generate = generateH2,
    .theory = theoryH2,
};

} // namespace bubblescope::catalog
