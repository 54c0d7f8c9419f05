// What the families without a flush share: 1F1B that goes on over all steps of a run.
//
//     stage p−2 of p, update after every backward:   F0 F1 B0 U0 F2 B1 U1 F3 …   and drains once, at the end
//
// They differ in when a stage updates and in which version of its weights a task reads (Semantics).

#pragma once

#include "core/schedule/catalog/common.h"

#include <algorithm>

namespace bubblescope::catalog {

/// The part of a stage's work that one device does: microbatches `first`, `first` + `stride`, … of `total`.
struct EndlessLane {
    Device device{};
    int stage = 0;
    int warmup = 0; ///< forwards before the first pair of F and B
    int first = 0;
    int stride = 1;
    int total = 0;
};

/// Writes the lane's forwards and backwards; calls after(i, ref) behind each backward, i counting those of the lane.
template <class AfterBackward>
void writeEndless(ScheduleBuilder& builder, const EndlessLane& lane, AfterBackward&& after)
{
    int forward = lane.first;
    const auto addForward = [&] {
        builder.compute(lane.device, task(Work::Forward, lane.stage, forward));
        forward += lane.stride;
    };
    for (int i = 0; i < lane.warmup && forward < lane.total; ++i)
        addForward();
    int count = 0;
    for (int backward = lane.first; backward < lane.total; backward += lane.stride) {
        if (forward < lane.total)
            addForward();
        after(count++, builder.compute(lane.device, task(Work::Backward, lane.stage, backward)));
    }
}

/// Sizes of a run whose steps overlap.
inline Shape endlessShape(const RecipeRequest& request)
{
    Shape shape = singlePipe(request);
    shape.steps = request.steps;
    return shape;
}

/// One device per stage; U after every `semantics.updateEvery` backwards. An update that the run would cut short is left out.
inline Schedule endless(const RecipeRequest& request, Semantics semantics)
{
    const int p = request.devices;
    const int every = semantics.updateEvery;
    ScheduleBuilder builder(endlessShape(request));
    for (int stage = 0; stage < p; ++stage)
        writeEndless(builder,
                     {.device = Device(stage),
                      .stage = stage,
                      .warmup = p - 1 - stage,
                      .total = request.microbatches * request.steps},
                     [&](int i, ScheduleBuilder::Ref) {
                         if ((i + 1) % every == 0)
                             builder.compute(Device(stage), task(Work::Update, stage, i / every));
                     });
    builder.placeLooped();
    builder.schedule().semantics = std::move(semantics);
    return builder.finish();
}

/// Microbatches per update: the parameter `every`, whose 0 stands for those of a step.
inline int updateEvery(const RecipeRequest& request)
{
    const int every = request.number("every");
    return every > 0 ? every : request.microbatches;
}

inline RecipeParameter everyParameter()
{
    return {"every", "microbatches per update; 0: those of a step", "0", {}, 0, 1'000'000};
}

/// A run whose microbatches aren't whole updates ends with gradients that nothing applies.
inline std::vector<std::string> warnCutUpdate(const RecipeRequest& request)
{
    std::vector<std::string> sentences = warnFewMicrobatches(request);
    const int every = updateEvery(request);
    const int total = request.microbatches * request.steps;
    if (total % every != 0)
        sentences.push_back(fmt::format(
            "{} microbatches are {} updates of {}; the gradients of the last {} are formed, but the run ends "
            "before they are applied.",
            total, total / every, every, total % every));
    return sentences;
}

/// The pipeline fills and drains once per run: (p−1)(F+B) of idle time, whatever the number of steps.
inline std::optional<Theory> endlessTheory(const RecipeRequest& request, const Costs& costs, int mostHeld,
                                           std::string source)
{
    if (!uniformAndFree(costs) || meanCost(costs, Work::Update) != 0)
        return std::nullopt;
    const Nanoseconds perMicrobatch = meanCost(costs, Work::Forward) + meanCost(costs, Work::Backward);
    return Theory{(request.devices - 1) * perMicrobatch, "makespan",
                  double(std::min(request.microbatches * request.steps, mostHeld)), std::move(source)};
}

} // namespace bubblescope::catalog
