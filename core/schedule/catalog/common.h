// What the families of single-direction pipelines share.

#pragma once

#include "core/schedule/registry.h"

#include <fmt/format.h>

namespace bubblescope::catalog {

/// A task of pipe 0, slice 0.
inline Task task(Work work, int stage, int microbatch)
{
    return {.work = work, .stage = Stage(stage), .microbatch = Microbatch(microbatch)};
}

/// Sizes of a looped single-direction pipeline.
inline Shape singlePipe(const RecipeRequest& request)
{
    Shape shape;
    shape.devices = request.devices;
    shape.chunks = request.chunks;
    shape.stages = request.devices * request.chunks;
    shape.microbatches = {request.microbatches};
    return shape;
}

/// The stages' mean cost of one work; what closed forms for uniform stages are evaluated with.
inline Nanoseconds meanCost(const Costs& costs, Work work)
{
    Nanoseconds sum = 0;
    for (int stage = 0; stage < costs.stages(); ++stage)
        sum += costs.duration(work, Stage(stage));
    return costs.stages() > 0 ? sum / costs.stages() : 0;
}

/// True when closed forms for equal stages and free communication apply.
inline bool uniformAndFree(const Costs& costs)
{
    for (const Work work : {Work::Forward, Work::Backward, Work::InputGradient, Work::WeightGradient})
        for (int stage = 1; stage < costs.stages(); ++stage)
            if (costs.duration(work, Stage(stage)) != costs.duration(work, Stage(0)))
                return false;
    return costs.pairs.empty() && costs.everyHop.latency == 0 && costs.everyHop.bytesPerSecond == 0 &&
           costs.model != CommModel::Blocking && costs.release.empty();
}

/// A pipeline of p stages that fewer than p microbatches can never fill: legal, and dear.
inline std::vector<std::string> warnFewMicrobatches(const RecipeRequest& request)
{
    if (request.microbatches >= request.devices)
        return {};
    return {fmt::format(
        "{} microbatches never fill {} stages: at most {} devices work at a time. {} or more fill the pipeline.",
        request.microbatches, request.devices, request.microbatches, request.devices)};
}

inline std::vector<std::string> noProblems(const RecipeRequest&)
{
    return {};
}

} // namespace bubblescope::catalog
