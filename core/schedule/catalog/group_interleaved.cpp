// GIS and GIS-H (PipeOffload's generalised interleaving): v chunks, W right after I, groups of g microbatches.
//
//     0: F0.0 F1.0 F0.1 F1.1 I0.1 W0.1 F2.0 …        p=2, v=2, g=2, microbatch.chunk
//     1: F0.0 F1.0 F0.1 I0.1 W0.1 F1.1 I1.1 …
//
// A group of g microbatches passes through all chunks before the next one follows: the fewer they are, the
// fewer activations are held. g = p is GIS, g = ceil(p/2) is GIS-H. group_block.h says where everything
// stands; the slots give the order and nothing else.

#include "core/schedule/catalog/catalog.h"
#include "core/schedule/catalog/common.h"
#include "core/schedule/catalog/group_block.h"

namespace bubblescope::catalog {
namespace {

Schedule generate(const RecipeRequest& request, int group, bool recompute)
{
    ScheduleBuilder builder(singlePipe(request));
    const GroupBlock block(request.devices, request.chunks, group);
    for (int device = 0; device < request.devices; ++device)
        for (const GroupBlock::Placed& placed : block.lane(device, request.microbatches)) {
            if (recompute && placed.task.work == Work::InputGradient)
                builder.compute(Device(device), task(Work::Recompute, placed.task.stage, placed.task.microbatch));
            builder.compute(Device(device), placed.task);
        }
    builder.placeLooped();
    builder.endSynchronousStep();
    return builder.finish();
}

bool recomputes(const RecipeRequest& request)
{
    return request.parameter("recompute") == "all";
}

int groupOf(const RecipeRequest& request)
{
    const int group = request.number("group");
    return group > 0 ? group : request.devices;
}

Schedule generateGroups(const RecipeRequest& request)
{
    return generate(request, groupOf(request), recomputes(request));
}

Schedule generateHalf(const RecipeRequest& request)
{
    return generate(request, GroupBlock::smallestGroup(request.devices), false);
}

std::vector<std::string> problems(const RecipeRequest& request)
{
    const int group = request.number("group");
    if (group <= request.devices)
        return {};
    return {fmt::format("group={} is larger than the {} stages: it would hold more activations and save nothing. 1 to "
                        "{} work.",
                        group, request.devices, request.devices)};
}

/// Section 3 and Table 1 of the paper. With groups smaller than p the costs decide what waits for what; the
/// form holds for equal costs, and a little further where the groups are just half as large.
std::optional<Theory> theory(const RecipeRequest& request, const Costs& costs, int group)
{
    const int p = request.devices;
    const int v = request.chunks;
    const Nanoseconds forward = meanCost(costs, Work::Forward);
    const Nanoseconds input = meanCost(costs, Work::InputGradient);
    const Nanoseconds weight = meanCost(costs, Work::WeightGradient);
    const bool equal = forward == input && input == weight;
    const bool close = 2 * group == p && weight <= input && forward <= input + weight && input <= forward + weight;
    if (!uniformAndFree(costs) || request.microbatches % group != 0 || request.microbatches < p ||
        group < GroupBlock::smallestGroup(p) || (group < p && !equal && !close))
        return std::nullopt;
    const Nanoseconds bubble =
        (p - 1) * (forward + input) + Nanoseconds{p - group} * (v - 1) * (forward + input - weight);
    return Theory{bubble, "makespan", double(group * (v - 1) + p) / v,
                  "Qi et al. 2025, Table 1: (p-1)(F+I) and (p-g)(v-1)(F+I-W) more, F, I and W of a chunk"};
}

std::optional<Theory> theoryGroups(const RecipeRequest& request, const Costs& costs)
{
    if (recomputes(request))
        return std::nullopt;
    return theory(request, costs, groupOf(request));
}

std::optional<Theory> theoryHalf(const RecipeRequest& request, const Costs& costs)
{
    return theory(request, costs, GroupBlock::smallestGroup(request.devices));
}

constexpr std::string_view paper =
    "Qi et al. 2025, PipeOffload: Improving Scalability of Pipeline Parallelism with Memory Optimization, arXiv "
    "2503.01328";

} // namespace

const RecipeInfo groupInterleaved{
    .id = "gis",
    .title = "Generalised interleaved schedule (GIS)",
    .paper = paper,
    .idea = "Interleaving in groups of g microbatches: a smaller g holds less and idles more.",
    .page =
        R"(Stages are dealt out as in interleaved 1F1B and the backward is split, with W right after its I: I goes to
the previous stage at once, so the chain back is as fast as in zero-bubble schedules, though W isn't
postponed to fill gaps. The warm-up counts one forward per hop instead of two, which brings the memory down
from interleaved 1F1B's vp+p-1 chunks to vp, that of 1F1B.

`group=g` is the knob: g microbatches pass through all chunks before the next group follows. g=p (the
default) is GIS; each microbatch fewer saves v-1 chunks on device 0 and costs (v-1)(F+I-W). `gis-h` is
g=ceil(p/2). Below that the pipeline could not keep up, and several groups enter before the first comes to its
next chunk; g=1 is the uniform order of `pipeoffload`.

`recompute=all` runs F again right before I, as a task `R` of its own (cost `R=`, run it with `--recompute`):
between the two a microbatch holds no more than the input of each stage.

With p=4, m=8, v=2 and F=I=W=1 a chunk the makespan is 54 and device 0 holds 8 chunks; g=3: 55 and 7; g=2:
56 and 6.)",
    .formulas =
        "idle per device (p-1)(F+I) + (p-g)(v-1)(F+I-W) with F, I and W of a chunk, from g = ceil(p/2) on; peak "
        "g(v-1)+p chunks on device 0",
    .parameters = {{"group", "microbatches of a group; 0: as many as stages", "0", {}, 0, 1'000'000},
                   {"recompute", "F again before each I, as a task", "none", {"none", "all"}}},
    .defaultChunks = 2,
    .maximumChunks = 64,
    .splitsBackward = true,
    .constraints = "group from 1 to p; the closed forms hold for m a multiple of the group, and of p or more",
    .problems = problems,
    .warnings = warnFewMicrobatches,
    .generate = generateGroups,
    .theory = theoryGroups,
};

const RecipeInfo groupInterleavedHalf{
    .id = "gis-h",
    .title = "GIS with half the memory (GIS-H)",
    .paper = paper,
    .idea = "GIS in groups of half as many microbatches as stages: about half of 1F1B's memory for many chunks.",
    .page =
        R"(`gis` with groups of g = ceil(p/2) microbatches, the smallest with which the next group can follow without
a gap: a microbatch's F and I each pass p devices before they come to the next chunk, and the F, I and W of
half as many microbatches take as long.

Device 0 holds g(v-1)+p chunks, (v+1)/(2v) of what 1F1B holds: three quarters for v=2, towards one half for
many chunks. The price is (v-1)p/2 times F+I-W of a chunk more idle time than GIS.

The paper gives the form for even p. With an odd p and unequal costs the idle time differs, and none is
given here.

With p=4, m=8, v=2 and F=I=W=1 a chunk the makespan is 56 and device 0 holds 6 chunks.)",
    .formulas = "idle per device (p-1)(F+I) + (v-1)(p/2)(F+I-W) with F, I and W of a chunk; peak (v-1)p/2+p chunks on "
                "device 0, (v+1)/(2v) of 1F1B's",
    .defaultChunks = 2,
    .maximumChunks = 64,
    .splitsBackward = true,
    .constraints = "any m of 1 or more; the closed forms hold for m a multiple of ceil(p/2), and of p or more",
    .problems = noProblems,
    .warnings = warnFewMicrobatches,
    .generate = generateHalf,
    .theory = theoryHalf,
};

} // namespace bubblescope::catalog
