// Interleaved 1F1B (Megatron's virtual pipeline): v chunks per device, 1F1B over virtual microbatches.
//
// Device r holds stages r, r+p, r+2p, …. Microbatches advance in groups of G through chunk 0, then
// chunk 1, …; the table of (microbatch, chunk) pairs below is walked forwards for F and with mirrored
// chunks for B:
//
//     p=2 G=2 m=4 v=2    microbatch  0 1 0 1 2 3 2 3
//                        chunk       0 0 1 1 0 0 1 1
//
// Frameworks disagree on which m they take, so the rule set has a name: strict (m a multiple of p),
// group (Megatron's microbatch_group_size_per_vp_stage) and flexible (PyTorch's rounds).

#include "core/schedule/catalog/catalog.h"
#include "core/schedule/catalog/common.h"

#include <algorithm>

namespace bubblescope::catalog {
namespace {

struct Virtual {
    int microbatch;
    int chunk;
};

/// Size of a group of microbatches under the request's rule set.
int groupSize(const RecipeRequest& request)
{
    const std::string& rules = request.parameter("rules");
    if (rules == "flexible")
        return request.microbatches / std::max(1, request.microbatches / request.devices);
    const int group = request.number("group");
    return group > 0 && rules != "strict" ? group : request.devices;
}

/// The table of virtual microbatches. The last group takes all that would be left over, but under the
/// flexible rules groups are equal by construction.
std::vector<Virtual> virtualTable(int microbatches, int chunks, int group)
{
    std::vector<Virtual> table;
    for (int begin = 0; begin < microbatches;) {
        const int end = begin + group >= microbatches ? microbatches : begin + group;
        for (int chunk = 0; chunk < chunks; ++chunk)
            for (int i = begin; i < end; ++i)
                table.push_back({i, chunk});
        begin = end;
    }
    return table;
}

Schedule generate(const RecipeRequest& request)
{
    const int p = request.devices;
    const int v = request.chunks;
    const int group = groupSize(request);
    const std::vector<Virtual> table = virtualTable(request.microbatches, v, group);
    const int total = static_cast<int>(table.size());
    ScheduleBuilder builder(singlePipe(request));
    for (int device = 0; device < p; ++device) {
        const auto addForward = [&](int k) {
            const Virtual& at = table[static_cast<std::size_t>(k)];
            builder.compute(Device(device), task(Work::Forward, at.chunk * p + device, at.microbatch));
        };
        const auto addBackward = [&](int k) {
            const Virtual& at = table[static_cast<std::size_t>(k)];
            builder.compute(Device(device), task(Work::Backward, (v - 1 - at.chunk) * p + device, at.microbatch));
        };
        const int warmup = std::min(2 * (p - 1 - device) + (v - 1) * group, total);
        for (int k = 0; k < warmup; ++k)
            addForward(k);
        for (int k = 0; k < total; ++k) {
            if (k + warmup < total)
                addForward(k + warmup);
            addBackward(k);
        }
    }
    builder.placeLooped();
    builder.endSynchronousStep();
    return builder.finish();
}

/// The multiples of `step` on both sides of m, for sentences.
std::string neighbours(int m, int step)
{
    const int below = m / step * step;
    return below > 0 ? fmt::format("{} or {}", below, below + step) : fmt::format("{}", step);
}

std::vector<std::string> groupProblems(int p, int m, int group)
{
    std::vector<std::string> sentences;
    if (group < p)
        sentences.push_back(fmt::format(
            "group={} is smaller than the {} stages: the order could not complete. {} is the smallest that works.",
            group, p, p));
    else if (group > m)
        sentences.push_back(fmt::format("group={} is larger than the {} microbatches. {} to {} work.", group, m, p, m));
    else if (m % group != 0 && m % group < p)
        sentences.push_back(fmt::format("{} microbatches in groups of {} leave {} over, fewer than the {} stages; the "
                                        "rest must be 0 or at least {}. "
                                        "group={} works, or {} microbatches.",
                                        m, group, m % group, p, p, m, neighbours(m, group)));
    return sentences;
}

std::vector<std::string> problems(const RecipeRequest& request)
{
    const int p = request.devices;
    const int m = request.microbatches;
    const std::string& rules = request.parameter("rules");
    const int group = request.number("group");
    if (rules == "strict") {
        if (group != 0)
            return {
                "the parameter group belongs to rules=group; under rules=strict a group is as large as the pipeline."};
        if (m % p != 0)
            return {fmt::format(
                "{} microbatches are not a multiple of {} stages, which interleaved 1F1B asks for under rules=strict. "
                "{} microbatches work; rules=flexible and rules=group take more.",
                m, p, neighbours(m, p))};
    }
    if (rules == "flexible") {
        const int rounds = std::max(1, m / p);
        if (m % rounds != 0)
            return {fmt::format("{} microbatches don't split into {} equal rounds ({} / {} stages, rounded down), "
                                "which rules=flexible asks for. "
                                "{} microbatches work.",
                                m, rounds, m, p, neighbours(m, rounds))};
    }
    if (rules == "group")
        return groupProblems(p, m, group > 0 ? group : p);
    return {};
}

std::optional<Theory> theory(const RecipeRequest& request, const Costs& costs)
{
    const int p = request.devices;
    if (!uniformAndFree(costs) || request.microbatches % p != 0 || groupSize(request) != p)
        return std::nullopt;
    // Costs are per chunk here, so (p−1)(F+B)/v of the paper reads (p−1)(F+B).
    const Nanoseconds perChunk = meanCost(costs, Work::Forward) + meanCost(costs, Work::Backward);
    const int held = std::min((request.chunks - 1) * p + 2 * (p - 1) + 1, request.microbatches * request.chunks);
    return Theory{(p - 1) * perChunk, "makespan", double(held) / request.chunks,
                  "Narayanan et al. 2021, section 2.2.2: (p-1)(F+B)/v per device with whole-device F and B"};
}

} // namespace

const RecipeInfo interleaved{
    .id = "interleaved-1f1b",
    .title = "Interleaved 1F1B",
    .paper = "Narayanan et al. 2021, Efficient Large-Scale Language Model Training on GPU Clusters Using Megatron-LM, "
             "arXiv 2104.04473",
    .idea = "Each device holds v chunks of the model; the bubble shrinks by v, messages grow by v.",
    .page = R"(Device r holds stages r, r+p, r+2p, …. Groups of microbatches pass through chunk 0, then chunk 1,
and so on, so that the pipeline fills after one chunk's forwards instead of one whole stage's.
The bubble shrinks to 1/v; each microbatch crosses v times as many hops; device 0 holds
v*p + p - 1 chunk activations, more than 1F1B's v*p.

The warm-up counts two per hop, 2(p-1-r) + (v-1)G, so that sends and receives meet in pairs.

Rule sets, by framework: `strict` (the paper and Megatron at first) wants m a multiple of p; `group`
(Megatron now) wants p ≤ G ≤ m and a rest m mod G of 0 or at least p; `flexible` (PyTorch) splits m
into max(1, m div p) equal rounds; `none` builds what was asked and lets validation speak.)",
    .formulas =
        "idle per device (p-1)(F+B)/v with F and B of a whole device; peak 2(p-1-r)+(v-1)p+1 chunks on device r",
    .parameters =
        {{"rules", "which microbatch counts are taken", "strict", {"strict", "group", "flexible", "none"}},
         {"group", "microbatches of a group (rules=group or none); 0: as many as stages", "0", {}, 0, 1'000'000}},
    .defaultChunks = 2,
    .minimumChunks = 1,
    .maximumChunks = 64,
    .constraints = "strict: m a multiple of p; group: p <= G <= m and m mod G is 0 or at least p; flexible: m a "
                   "multiple of max(1, m div p)",
    .problems = problems,
    .warnings = warnFewMicrobatches,
    .generate = generate,
    .theory = theory,
};

} // namespace bubblescope::catalog
