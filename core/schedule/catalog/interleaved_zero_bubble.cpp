// Interleaved zero bubble (PyTorch's ScheduleInterleavedZeroBubble): v chunks, split backward, W delayed.
//
//     0: F0.0 F1.0 F0.1 F1.1 I0.1 W0.1 F2.0 …        p=2, v=2, microbatch.chunk
//     1: F0.0 F1.0 F0.1 I0.1 F1.1 I1.1 W0.1 F2.0 …
//
// Interleaved 1F1B with a warm-up of one forward per hop, not two (I leaves at once, so nothing has to be
// sent in pairs), and W of device r kept back by r backwards, as in ZB-H1.

#include "core/schedule/catalog/catalog.h"
#include "core/schedule/catalog/common.h"

#include <algorithm>

namespace bubblescope::catalog {
namespace {

int roundsOf(const RecipeRequest& request)
{
    return std::max(1, request.microbatches / request.devices);
}

void writeLane(ScheduleBuilder& builder, const RecipeRequest& request, int device)
{
    const int p = request.devices;
    const int v = request.chunks;
    const int perRound = request.microbatches / roundsOf(request);
    const int total = request.microbatches * v;
    const int warmup = std::min((v - 1) * perRound + p - 1 - device, total);
    // The k-th forward, and with mirrored chunks the k-th backward, of the device.
    const auto add = [&](Work work, int k) {
        const int chunk = k / perRound % v;
        const int microbatch = k / (perRound * v) * perRound + k % perRound;
        const int mirrored = work == Work::Forward ? chunk : v - 1 - chunk;
        builder.compute(Device(device), task(work, mirrored * p + device, microbatch));
    };
    for (int k = 0; k < warmup; ++k)
        add(Work::Forward, k);
    for (int k = 0; k < total; ++k) {
        if (k + warmup < total)
            add(Work::Forward, k + warmup);
        add(Work::InputGradient, k);
        if (k >= device)
            add(Work::WeightGradient, k - device);
    }
    for (int k = std::max(0, total - device); k < total; ++k)
        add(Work::WeightGradient, k);
}

Schedule generate(const RecipeRequest& request)
{
    ScheduleBuilder builder(singlePipe(request));
    for (int device = 0; device < request.devices; ++device)
        writeLane(builder, request, device);
    builder.placeLooped();
    builder.endSynchronousStep();
    return builder.finish();
}

std::vector<std::string> problems(const RecipeRequest& request)
{
    const int m = request.microbatches;
    const int rounds = roundsOf(request);
    if (m % rounds == 0)
        return {};
    const int below = m / rounds * rounds;
    return {fmt::format("{} microbatches don't split into {} equal rounds ({} / {} stages, rounded down), which "
                        "interleaved zero bubble asks for. {} or {} microbatches work.",
                        m, rounds, m, request.devices, below, below + rounds)};
}

std::optional<Theory> theory(const RecipeRequest& request, const Costs& costs)
{
    const int p = request.devices;
    const Nanoseconds forward = meanCost(costs, Work::Forward);
    const Nanoseconds weight = meanCost(costs, Work::WeightGradient);
    if (!uniformAndFree(costs) || request.microbatches % p != 0 || weight > forward)
        return std::nullopt;
    return Theory{(p - 1) * (forward + meanCost(costs, Work::InputGradient) - weight), "span", double(p),
                  "as ZB-H1, with chunks: (p-1)(F+I-W)/v inside a device's span, p activations"};
}

} // namespace

const RecipeInfo interleavedZeroBubble{
    .id = "interleaved-zb",
    .title = "Interleaved zero bubble",
    .paper = "PyTorch, ScheduleInterleavedZeroBubble (torch.distributed.pipelining); after Qi et al. 2023, arXiv "
             "2401.10241",
    .idea = "Interleaved chunks with the backward split as in ZB-H1: both reductions of the bubble at once.",
    .page = R"(Stages are dealt out as in interleaved 1F1B, stage s on device s mod p, and the backward is split as in
ZB-H1: device r holds W back by r backwards, so that the chain of I runs faster than full backwards would
and W fills the drain. The warm-up counts one forward per hop, (v-1)R + p-1-r, where interleaved 1F1B
counts two; R is the size of a round, max(1, m div p) equal rounds making up the m microbatches.

The bubble shrinks twice, by v and by what W fills; with F=I=W it is a third of interleaved 1F1B's. Every
device holds p activations of a whole device, device 0 of 1F1B's memory. Messages cross v times as many
hops.

PyTorch calls the schedule ZB1P in its documentation. The closed form is ours, found from the order and
held against the simulation: it holds for W no longer than F and m a multiple of p.

With p=4, m=8, v=2 and F=I=W=1 a chunk the makespan is 51 (interleaved 1F1B: 57).)",
    .formulas =
        "idle inside a device's span (p-1)(F+I-W)/v with F, I and W of a whole device; peak p*v chunks on every "
        "device, counted until W",
    .defaultChunks = 2,
    .maximumChunks = 64,
    .splitsBackward = true,
    .constraints = "m a multiple of max(1, m div p)",
    .problems = problems,
    .warnings = warnFewMicrobatches,
    .generate = generate,
    .theory = theory,
};

} // namespace bubblescope::catalog
