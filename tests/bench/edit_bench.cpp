// Prediction after an edit, p=64 and m=256: what a person who drags a slider waits for.
//
// "first" is what the timelines need: the order (kept while only costs change), the simulation and every
// task's start and end. "spans" adds the trace that is drawn. "full" is what follows in the next frame:
// causes, memory and slack. A frame is 16.7 ms.

#include "bench.h"
#include "core/analyze/wait_graph.h"
#include "core/predictor.h"
#include "core/trace/trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <vector>

namespace bubblescope::bench {
namespace {

/// Milliseconds: the median of `repeats`.
template <class Work>
double milliseconds(int repeats, Work work)
{
    std::vector<double> all;
    for (int i = 0; i < repeats; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        work(i);
        all.push_back(std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - begin).count());
    }
    std::nth_element(all.begin(), all.begin() + repeats / 2, all.end());
    return all[static_cast<std::size_t>(repeats) / 2];
}

void measure(const char* family)
{
    const RecipeSpec spec = parseRecipe(family);
    Experiment experiment;
    experiment.stages = 64;
    experiment.microbatches = 256;
    experiment.model.layers = 256;
    experiment.cost = "F=1,B=2";
    Predictor predictor;
    Predicted predicted = predictor.predict(experiment, spec);
    const double cost = milliseconds(51, [&](int i) {
        experiment.comm = 0.01 * (i % 10);
        predicted = predictor.predict(experiment, spec);
    });
    const double size = milliseconds(21, [&](int i) {
        experiment.microbatches = 256 - 64 * (i % 2);
        predicted = predictor.predict(experiment, spec);
    });
    experiment.microbatches = 256;
    predicted = predictor.predict(experiment, spec);
    std::size_t spans = 0;
    const double trace = milliseconds(21, [&](int) {
        for (const TraceLane& lane : traceOf(predicted.plan->schedule, predicted.timing).lanes)
            spans += lane.spans.size();
    });
    std::size_t sum = 0;
    const double full = milliseconds(7, [&](int) {
        const Plan& plan = *predicted.plan;
        sum += explainIdle(plan.schedule, plan.costs, predicted.timing).gaps.size();
        sum += activationCurves(plan.schedule, predicted.timing, plan.deltas, true).size();
        sum += WaitGraph(plan.schedule, plan.costs, predicted.timing).slack().size();
    });
    fmt::print(
        "{:>17} {:>7} tasks   first, costs changed {:5.2f} ms   first, size changed {:5.2f} ms   spans {:5.2f} ms   "
        "full {:6.1f} ms{}\n",
        family, predicted.plan->schedule.tasks.size(), cost, size, trace, full, spans + sum == 1 ? " " : "");
}

} // namespace

void benchEdit()
{
    fmt::print("edit: prediction after an edit, p=64 m=256 (median)\n");
    for (const char* family : {"1f1b", "interleaved-1f1b"})
        measure(family);
}

} // namespace bubblescope::bench
