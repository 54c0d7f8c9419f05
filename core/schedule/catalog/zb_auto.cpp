// zb-auto (ZB-1p, ZB-2p and any other memory limit): the zero-bubble paper's automatic scheduling
// (Qi et al. 2023, section 3.1), from the costs of every stage and what F, I and W change in memory.
//
//     limit=1p, p=4   0: F0 F1 F2 F3 I0 W0 F4 …          limit=2p   0: F0 F1 F2 F3 F4 F5 F6 I0 F7 W0 …
//
// The heuristics stand in search/split_heuristics.h. The limit holds as activation curves count: F from
// its start, releases at the ends.

#include "core/schedule/catalog/catalog.h"
#include "core/schedule/catalog/split_step.h"
#include "core/schedule/search/exact.h"
#include "core/simulate/memory.h"

#include <charconv>
#include <cmath>

namespace bubblescope::catalog {
namespace {

constexpr auto one = static_cast<double>(ActivationDeltas::one);
constexpr int mostExact = 32;                // tasks of one kind: proved in well under a second
constexpr std::int64_t exactNodes = 500'000; // several times what any such size was seen to take

bool exact(const RecipeRequest& request)
{
    return request.parameter("solver") == "exact";
}

/// "6.5" activations, or "2p": a multiple of the number of devices. In millionths; nullopt for anything else.
std::optional<std::int64_t> limitOf(const RecipeRequest& request)
{
    const std::string& text = request.parameter("limit");
    double value = 0;
    const char* const last = text.data() + text.size();
    const auto [end, status] = std::from_chars(text.data(), last, value);
    const bool perDevice = end + 1 == last && *end == 'p';
    if (status != std::errc{} || !std::isfinite(value) || value < 0 || value > 1e9 || (end != last && !perDevice))
        return std::nullopt;
    return std::llround(value * (perDevice ? request.devices : 1) * one);
}

std::vector<std::string> problems(const RecipeRequest& request)
{
    const std::optional<std::int64_t> limit = limitOf(request);
    const std::string& text = request.parameter("limit");
    if (!limit)
        return {fmt::format("limit={} is neither a number of activations nor a multiple of the devices such as 1p "
                            "or 2p.",
                            text)};
    const std::int64_t least = SplitPipeline(request).smallestLimit();
    std::vector<std::string> sentences;
    if (*limit < least)
        sentences.push_back(
            fmt::format("limit={} is {:g} activations on each device, but one microbatch alone needs {:g}: "
                        "limit={:g} is the smallest that works.",
                        text, static_cast<double>(*limit) / one, static_cast<double>(least) / one,
                        static_cast<double>(least) / one));
    const std::int64_t tasks = std::int64_t{request.devices} * request.microbatches;
    if (exact(request) && tasks > mostExact) {
        const std::string fewer = request.devices > mostExact
                                      ? std::string()
                                      : fmt::format("{} microbatches would do, or ", mostExact / request.devices);
        sentences.push_back(fmt::format("solver=exact solves up to {} stages times microbatches, and {} times {} are "
                                        "{}; {}solver=heuristic, which takes any.",
                                        mostExact, request.devices, request.microbatches, tasks, fewer));
    }
    return sentences;
}

Schedule generate(const RecipeRequest& request)
{
    SplitPipeline pipeline(request);
    pipeline.limit = *limitOf(request);
    const SplitObjective objective =
        request.parameter("objective") == "span" ? SplitObjective::Span : SplitObjective::Makespan;
    SplitLanes lanes = bestHeuristicLanes(pipeline, objective);
    if (exact(request))
        lanes = solveExactly(pipeline, objective, std::move(lanes), exactNodes, Progress()).lanes;
    return splitSteps(request, tasksOf(lanes));
}

} // namespace

const RecipeInfo zeroBubbleAuto{
    .id = "zb-auto",
    .title = "ZB automatic",
    .paper = "Qi et al. 2023, Zero Bubble Pipeline Parallelism, arXiv 2401.10241, section 3.1",
    .idea = "Make the order of F, I and W from measured costs, under any memory limit.",
    .page = R"(The handcrafted ZB-H1 and ZB-H2 assume F=I=W and no communication. Here the order is made from
the costs of every stage, the hops and the memory limit: warm up with as many forwards as fit before the first I
arrives, then bring one F and one I of every stage per round, and put W where a stage would wait or memory runs
full. Eight variants (may a bubble stand before the first I, may a stage let a round pass, is every wait filled
with W) are tried and the best one is taken.

`objective=span` is the paper's: the longest interval between a device's first start and last end is to be short. That
is the distance of steps without a barrier. `objective=makespan` is what counts with the barrier.

`limit` counts activations as `peak_activations` does: a number, or a multiple of the devices. `1p` is the
paper's ZB-1p, the memory of 1F1B; `2p` its ZB-2p, where the bubble nearly vanishes. The limit means what
`--memory` says: with W releasing all (the default) more is live than with half released at I.

Ours and not the paper's: the limit holds at every moment; ZB-H1, ZB-H2 and list scheduling in the order of time
compete too, for the span only where the makespan doesn't grow; limits below what one round needs are served by list
scheduling alone instead of failing. Down to one activation, where one microbatch after another passes through, every
limit works.

`solver=exact` finds an order that is proved best by branch and bound, for up to 32 stages times microbatches: the
yardstick that the paper's ILP (appendix G) is, in milliseconds.

`update=post-validation` (see zb-h2) takes the barrier between steps away.)",
    .formulas = "no closed form published; bounds in the paper's appendix B: the first I reaches device 0 after "
                "p(F+I)+2(p-1)c; without a bubble in the plateau from floor(((p-1)(I+2c)+pF)/F) activations on",
    .parameters =
        {{.name = "limit",
          .help = "most activations of a device: a number, or a multiple of the devices such as 1p or 2p",
          .defaultValue = "1p",
          .kind = RecipeParameter::Kind::Text},
         {"solver", "the heuristics, or the proved optimum of a small pipeline", "heuristic", {"heuristic", "exact"}},
         {"objective",
          "what is to be short: the longest span of a device, or the makespan",
          "span",
          {"span", "makespan"}},
         updateParameter()},
    .splitsBackward = true,
    .writesSteps = true,
    .constraints =
        "any m of 1 or more; a limit of what one microbatch needs (1 activation) or more; solver=exact: p m of "
        "32 or less",
    .problems = problems,
    .warnings = warnFewMicrobatches,
    .generate = generate,
};

} // namespace bubblescope::catalog
