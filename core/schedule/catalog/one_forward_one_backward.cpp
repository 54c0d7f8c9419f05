// 1F1B (PipeDream-Flush, DAPPLE): warm up with p − 1 − stage forwards, then alternate F and B.
//
//     0: F0 F1 F2 F3             B0    F4 B1    F5 …
//     1:    F0 F1 F2          B0    F3 B1    F4 …
//     2:       F0 F1       B0    F2 B1    F3 …
//     3:          F0 B0    F1 B1    F2 …
//
// Eager-1F1B (Alpa's overlap-friendly 1F1B) is the same with twice the warm-up, so that activations
// can travel while both devices compute: more memory for less sensitivity to latency.

#include "core/schedule/catalog/catalog.h"
#include "core/schedule/catalog/common.h"

#include <algorithm>

namespace bubblescope::catalog {
namespace {

/// `warmup(stage)` forwards first; then a forward (while there are any) and a backward by turns.
template <class Warmup>
Schedule alternate(const RecipeRequest& request, Warmup warmup)
{
    const int m = request.microbatches;
    ScheduleBuilder builder(singlePipe(request));
    for (int stage = 0; stage < request.devices; ++stage) {
        int forward = 0;
        const auto addForward = [&] { builder.compute(Device(stage), task(Work::Forward, stage, forward++)); };
        while (forward < std::min(m, warmup(stage)))
            addForward();
        for (int backward = 0; backward < m; ++backward) {
            if (forward < m)
                addForward();
            builder.compute(Device(stage), task(Work::Backward, stage, backward));
        }
    }
    builder.placeLooped();
    builder.endSynchronousStep();
    return builder.finish();
}

Schedule generatePlain(const RecipeRequest& request)
{
    const int p = request.devices;
    return alternate(request, [p](int stage) { return p - 1 - stage; });
}

Schedule generateEager(const RecipeRequest& request)
{
    const int p = request.devices;
    // 2(p − stage) − 1 forwards stand before the first backward; alternate() adds the last of them.
    return alternate(request, [p](int stage) { return 2 * (p - stage) - 2; });
}

std::optional<Theory> theory(const RecipeRequest& request, const Costs& costs, int activations)
{
    if (!uniformAndFree(costs))
        return std::nullopt;
    const Nanoseconds perMicrobatch = meanCost(costs, Work::Forward) + meanCost(costs, Work::Backward);
    return Theory{(request.devices - 1) * perMicrobatch, "makespan",
                  double(std::min(request.microbatches, activations)),
                  "Narayanan et al. 2020, section 3.2: (p-1)(F+B) per device"};
}

std::optional<Theory> theoryPlain(const RecipeRequest& request, const Costs& costs)
{
    return theory(request, costs, request.devices);
}

std::optional<Theory> theoryEager(const RecipeRequest& request, const Costs& costs)
{
    return theory(request, costs, 2 * request.devices - 1);
}

} // namespace

const RecipeInfo oneForwardOneBackward{
    .id = "1f1b",
    .title = "1F1B",
    .paper =
        "Narayanan et al. 2020, Memory-Efficient Pipeline-Parallel DNN Training (PipeDream-Flush), arXiv 2006.09503; "
        "Fan et al. 2020, DAPPLE, arXiv 2007.01045",
    .idea = "Warm up with p-1-stage forwards, then alternate one forward and one backward.",
    .page = R"(Stage s runs p-1-s forwards to fill the pipeline behind it, then alternates one forward and one
backward, and drains the remaining backwards. The bubble is that of GPipe; the gain is memory: no
stage holds more than p-s microbatches, whatever m is.

The alternation runs in lock step, so each hop's latency is paid again in every round trip:
with p=4, m=8, F=1, B=2 the makespan is 33, 41 and 49 for latencies of 0, 0.5 and 1.

Use it as the baseline. Most frameworks call it their default.)",
    .formulas = "idle per device (p-1)(F+B); bubble rate (p-1)/(m+p-1); peak min(p-s, m) activations on stage s",
    .constraints = "any m of 1 or more; fewer than p microbatches leave stages without work",
    .problems = noProblems,
    .warnings = warnFewMicrobatches,
    .generate = generatePlain,
    .theory = theoryPlain,
};

const RecipeInfo eagerOneForwardOneBackward{
    .id = "eager-1f1b",
    .title = "Eager 1F1B",
    .paper = "Zhuang et al. 2022, On Optimizing the Communication of Model Parallelism (Alpa), arXiv 2211.05322",
    .idea = "1F1B with twice the warm-up, so that activations travel while both ends compute.",
    .page = R"(Stage s runs 2(p-s)-1 forwards before its first backward, then alternates. Without communication
costs the time is that of 1F1B. With latency c per hop it pays 2(p-1)c in all instead of once per
round trip: p=4, m=8, F=1, B=2 takes 33, 36 and 39 for c of 0, 0.5 and 1 (1F1B: 33, 41, 49).

The price is memory: min(m, 2(p-s)-1) activations on stage s.)",
    .formulas = "idle per device (p-1)(F+B) without latency; makespan (m+p-1)(F+B)+2(p-1)c with latency c of at most F "
                "and m a multiple of p; peak min(m, 2(p-s)-1) activations on stage s",
    .constraints = "any m of 1 or more; fewer than p microbatches leave stages without work",
    .problems = noProblems,
    .warnings = warnFewMicrobatches,
    .generate = generateEager,
    .theory = theoryEager,
};

} // namespace bubblescope::catalog
