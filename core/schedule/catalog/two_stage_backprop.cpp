// 2BP (2-stage backpropagation): the backward of any order split into I and W, and W put off.
//
//     base       F0 F1    B0    B1          1F1B on the first of two devices
//     deferred   F0 F1   I0  I1 W0 W1       every W at the end
//     gaps       F0 F1   I0 W0 I1 W1        W where the device would wait, the rest at the end
//
// I takes the place of B, so a device's result is there for the device before as soon as it can be.

#include "core/schedule/catalog/catalog.h"
#include "core/schedule/catalog/common.h"
#include "core/schedule/catalog/gap_filling.h"

namespace bubblescope::catalog {
namespace {

RecipeRequest baseRequest(const RecipeRequest& request)
{
    RecipeRequest base = request;
    base.parameters = parseRecipe(request.parameter("base")).parameters;
    return base;
}

/// F and I of each device: the base's order with I in place of B.
std::vector<std::vector<Task>> splitLanes(const RecipeRequest& request)
{
    const Schedule base = recipe(request.parameter("base")).generate(baseRequest(request));
    std::vector<std::vector<Task>> lanes;
    for (int device = 0; device < request.devices; ++device) {
        const Lane& lane = base.lanes[base.computeLane(Device(device))];
        std::vector<Task>& order = lanes.emplace_back();
        for (TaskId id = lane.begin; id < lane.end; ++id) {
            if (!onGrid(base.tasks[id].work))
                continue;
            const Task& given = base.tasks[id];
            order.push_back(
                task(given.work == Work::Backward ? Work::InputGradient : given.work, given.stage, given.microbatch));
        }
    }
    return lanes;
}

void deferWeights(std::vector<Task>& order)
{
    const std::size_t end = order.size();
    for (std::size_t i = 0; i < end; ++i)
        if (order[i].work == Work::InputGradient)
            order.push_back(task(Work::WeightGradient, order[i].stage, order[i].microbatch));
}

Schedule generate(const RecipeRequest& request)
{
    const Shape shape = singlePipe(request);
    std::vector<std::vector<Task>> lanes = splitLanes(request);
    if (request.parameter("variant") == "gaps")
        lanes = fillGaps(lanes, shape, planningCosts(request.costs, shape));
    else
        for (std::vector<Task>& order : lanes)
            deferWeights(order);
    ScheduleBuilder builder(shape);
    for (int device = 0; device < request.devices; ++device)
        for (const Task& task : lanes[static_cast<std::size_t>(device)])
            builder.compute(Device(device), task);
    builder.placeLooped();
    builder.endSynchronousStep();
    return builder.finish();
}

std::vector<std::string> problems(const RecipeRequest& request)
{
    const RecipeInfo& base = recipe(request.parameter("base"));
    if (request.chunks > base.maximumChunks)
        return {fmt::format("{} chunks per device don't fit base={}, which has exactly {}; base=interleaved-1f1b takes "
                            "{}.",
                            request.chunks, base.id, base.maximumChunks, request.chunks)};
    return base.problems(baseRequest(request));
}

std::optional<Theory> theory(const RecipeRequest& request, const Costs& costs)
{
    const int p = request.devices;
    const bool whole = request.chunks == 1 || request.microbatches % p == 0;
    if (!uniformAndFree(costs) || request.parameter("variant") != "deferred" || request.microbatches < p || !whole)
        return std::nullopt;
    return Theory{(p - 1) * (meanCost(costs, Work::Forward) + meanCost(costs, Work::InputGradient)), "makespan",
                  double(request.microbatches), "derived: (p-1)(F+I) per device, all m activations held until W"};
}

} // namespace

const RecipeInfo twoStageBackprop{
    .id = "2bp",
    .title = "2BP",
    .paper = "Rae et al. 2024, 2BP: 2-Stage Backpropagation, arXiv 2405.18047",
    .idea = "Split the backward of any order into I and W, and run W when nobody waits for it.",
    .page = R"(The backward of a base order is split: I, the gradient for the previous stage (the paper's
backward-p1), takes the place of B; W, the weight gradient (backward-p2), waits. The chain of I through the
pipeline is faster than one of full backwards, so the bubble loses (p-1)W. Any order can be the base:
`base=1f1b` (the default), `gpipe`, `eager-1f1b`, or `interleaved-1f1b` with its chunks.

`variant=deferred` runs every W after the last I of its device. That is simple, and the W of all
microbatches can be computed as one large product; but what W needs of all m microbatches is held until the
end: with activations counted until W the peak is m on every device, though 1F1B held p.

`variant=gaps` runs the oldest W that is due wherever the device would wait for its next F or I, by the
costs that were given, and the rest at the end. It is never longer than `deferred`, and holds less. It
becomes zero bubble's automatic schedule without a memory limit (`zb-auto`) if the order of F and I may
change too.

Only the abstract of the paper was at hand: the orders and the closed form are derived.

With p=4, m=8 and F=I=W=1 on 1F1B the makespan is 30 instead of 33.)",
    .formulas =
        "deferred: idle per device (p-1)(F+I), makespan m(F+I+W)+(p-1)(F+I), peak m activations on every device "
        "counted until W (derived); gaps: no closed form published",
    .parameters =
        {{"base", "whose order of F and B is taken", "1f1b", {"gpipe", "1f1b", "eager-1f1b", "interleaved-1f1b"}},
         {"variant", "W at the end, or in gaps", "deferred", {"deferred", "gaps"}}},
    .maximumChunks = 64,
    .splitsBackward = true,
    .constraints = "those of the base order",
    .problems = problems,
    .warnings = warnFewMicrobatches,
    .generate = generate,
    .theory = theory,
};

} // namespace bubblescope::catalog
