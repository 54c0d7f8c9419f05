// PipeDream: 1F1B without a flush, an update after every backward, and stashed weights.
//
//     0: F0 F1 F2 F3          B0 U F4 B1 U F5 B2 U …      F4 and B4 read version 1, B1 still reads 0
//     3:          F0 B0 U F1 B1 U F2 B2 U …               F and B always read the newest
//
// A stage may be replicated: microbatch i runs on replica i mod r, forwards and backwards, and the
// replicas average their gradients once per round of r microbatches:
//
//     replicas=2-1    0: F0 F2 B0 (a) U F4 B2 (a) U …     1: F1 F3 B1 (a) U F5 …     2: F0 B0 U F1 B1 U …

#include "core/schedule/catalog/asynchronous.h"
#include "core/schedule/catalog/catalog.h"

#include <fmt/ranges.h>

#include <charconv>
#include <numeric>
#include <string_view>

namespace bubblescope::catalog {
namespace {

/// "2-1-1" → {2, 1, 1}; nullopt for anything else.
std::optional<std::vector<int>> parseReplicas(std::string_view text)
{
    std::vector<int> replicas;
    while (true) {
        const std::size_t dash = text.find('-');
        const std::string_view entry = text.substr(0, dash);
        int count = 0;
        const auto [end, status] = std::from_chars(entry.data(), entry.data() + entry.size(), count);
        if (status != std::errc{} || end != entry.data() + entry.size() || count < 1 || count > 4096)
            return std::nullopt;
        replicas.push_back(count);
        if (dash == std::string_view::npos)
            return replicas;
        text.remove_prefix(dash + 1);
    }
}

/// Devices of each stage.
std::vector<int> replicasOf(const RecipeRequest& request)
{
    const std::string& text = request.parameter("replicas");
    return text.empty() ? std::vector<int>(static_cast<std::size_t>(request.devices), 1)
                        : parseReplicas(text).value_or(std::vector<int>{request.devices});
}

bool vertical(const RecipeRequest& request)
{
    return request.parameter("sync") == "vertical";
}

Shape shape(const RecipeRequest& request)
{
    Shape sizes = endlessShape(request);
    sizes.stages = static_cast<int>(replicasOf(request).size());
    return sizes;
}

/// A stage of the pipeline on its devices.
struct Replicated {
    int stage = 0;
    int firstDevice = 0;
    int replicas = 1;
    int warmup = 0;
    int total = 0;
};

/// Every replica's lane, and after each full round of microbatches the average of their gradients and U.
void writeStage(ScheduleBuilder& builder, const Replicated& at)
{
    const int rounds = at.total / at.replicas;
    std::vector<std::vector<ScheduleBuilder::Ref>> averages(static_cast<std::size_t>(rounds));
    std::vector<Device> homes;
    for (int replica = 0; replica < at.replicas; ++replica) {
        const Device device(at.firstDevice + replica);
        homes.push_back(device);
        const auto replicated = [&](Work work, int round) {
            Task one = task(work, at.stage, round);
            one.part = Part(replica);
            return one;
        };
        const auto update = [&](int round, ScheduleBuilder::Ref backward) {
            if (round >= rounds)
                return; // not every replica gets that far
            if (at.replicas == 1) {
                builder.compute(device, replicated(Work::Update, round));
                return;
            }
            const auto average =
                builder.add(builder.lane(device, LaneKind::Collective), replicated(Work::AllReduce, round));
            builder.edge(backward, average);
            builder.edge(average, builder.compute(device, replicated(Work::Update, round)));
            averages[static_cast<std::size_t>(round)].push_back(average);
        };
        writeEndless(builder,
                     {.device = device,
                      .stage = at.stage,
                      .warmup = at.warmup,
                      .first = replica,
                      .stride = at.replicas,
                      .total = at.total},
                     update);
    }
    builder.place(Pipe{}, Stage(at.stage), std::move(homes));
    for (const auto& members : averages)
        if (!members.empty())
            builder.group(members);
}

Schedule generate(const RecipeRequest& request)
{
    const std::vector<int> replicas = replicasOf(request);
    ScheduleBuilder builder(shape(request));
    int most = 0;
    int device = 0;
    for (std::size_t stage = 0; stage < replicas.size(); ++stage) {
        // The runtime's rule: devices behind this one ÷ replicas of the stage; p−1−s without replicas.
        const int warmup = (request.devices - 1 - device) / replicas[stage];
        most = std::max(most, warmup);
        writeStage(builder, {.stage = static_cast<int>(stage),
                             .firstDevice = device,
                             .replicas = replicas[stage],
                             .warmup = warmup,
                             .total = request.microbatches * request.steps});
        device += replicas[stage];
    }
    Semantics& semantics = builder.schedule().semantics;
    semantics.updateEvery = 1;
    semantics.forwardReads = vertical(request) ? Semantics::ForwardReads::InputStage : Semantics::ForwardReads::Latest;
    semantics.backwardReads = Semantics::BackwardReads::AsForward;
    semantics.maxVersions = most + 1;
    semantics.maxDrift = most;
    if (std::any_of(replicas.begin(), replicas.end(), [](int count) { return count > 1; }))
        semantics.replicas = Semantics::Replicas::AveragePerUpdate;
    return builder.finish();
}

/// The replicas that come nearest to what was asked: the last stage takes or gives what is too few or too many.
std::string nearest(std::vector<int> replicas, int devices)
{
    int sum = std::accumulate(replicas.begin(), replicas.end(), 0);
    while (sum > devices && replicas.size() > 1 && sum - replicas.back() >= devices) {
        sum -= replicas.back();
        replicas.pop_back();
    }
    replicas.back() += devices - sum;
    return fmt::format("{}", fmt::join(replicas, "-"));
}

std::vector<std::string> problems(const RecipeRequest& request)
{
    const std::string& text = request.parameter("replicas");
    if (text.empty())
        return {};
    const std::optional<std::vector<int>> replicas = parseReplicas(text);
    if (!replicas)
        return {fmt::format("replicas={} is not a list of devices per stage such as 2-1-1: whole numbers of 1 or more "
                            "with a - between them.",
                            text)};
    const int devices = std::accumulate(replicas->begin(), replicas->end(), 0);
    if (devices != request.devices)
        return {fmt::format("replicas={} places {} devices on {} stages, but there are {} devices. replicas={} would "
                            "use them all, or {} devices fit replicas={}.",
                            text, devices, replicas->size(), request.devices, nearest(*replicas, request.devices),
                            devices, text)};
    if (vertical(request) &&
        std::any_of(replicas->begin(), replicas->end(), [&](int count) { return count != replicas->front(); })) {
        const auto stages = static_cast<int>(replicas->size());
        const int each = std::max(1, request.devices / stages);
        return {
            fmt::format("sync=vertical makes all stages read the version of the input stage, which updates every {} "
                        "microbatches; with replicas={} other stages update at other times. Equal replicas work, "
                        "such as {} devices with replicas={}, or sync=none.",
                        replicas->front(), text, each * stages,
                        fmt::join(std::vector<int>(static_cast<std::size_t>(stages), each), "-"))};
    }
    return {};
}

std::vector<std::string> warnings(const RecipeRequest& request)
{
    std::vector<std::string> sentences = warnFewMicrobatches(request);
    const int total = request.microbatches * request.steps;
    const std::vector<int> replicas = replicasOf(request);
    for (std::size_t stage = 0; stage < replicas.size(); ++stage)
        if (total % replicas[stage] != 0)
            sentences.push_back(fmt::format(
                "{} microbatches don't fill the rounds of stage {}'s {} replicas; the gradients of the last {} are "
                "formed, but the run ends before they are applied.",
                total, stage, replicas[stage], total % replicas[stage]));
    return sentences;
}

std::optional<Theory> theory(const RecipeRequest& request, const Costs& costs)
{
    const std::vector<int> replicas = replicasOf(request);
    if (std::any_of(replicas.begin(), replicas.end(), [](int count) { return count > 1; }))
        return std::nullopt;
    return endlessTheory(request, costs, request.devices,
                         "Harlap et al. 2018, section 3.2: no idle time once the pipeline is full");
}

} // namespace

const RecipeInfo pipedream{
    .id = "pipedream",
    .title = "PipeDream",
    .paper = "Harlap et al. 2018, PipeDream: Fast and Efficient Pipeline Parallel DNN Training, arXiv 1806.03377; "
             "Narayanan et al. 2019, SOSP",
    .idea = "1F1B that never drains: a stage updates after every backward and keeps the weights that its microbatches "
            "in flight began with.",
    .page = R"(Every stage alternates one forward and one backward without end and updates after each backward.
No step waits for another, so the bubble of the filled pipeline is zero: the p-1 slots in which it
fills and drains are paid once per run, however many steps it has.

The price is staleness. Stage s has p-1-s microbatches in flight, so a gradient is p-1-s updates old
when it is applied: 0 on the last stage, p-1 on the first. *Weight stashing* keeps the weights that a
microbatch's forward used until its backward: F and B of one microbatch read the same version, and
stage s holds p-s versions beside p-s activations. With the 0-based microbatch i

    version of F(i) and B(i) on stage s = max(0, i - (p-1-s))       (derived; it agrees with the published code)

`sync=vertical` makes a microbatch read one version on all its stages, that of the input stage,
max(0, i - (p-1)). Then every stage holds p versions, the last one too.

`replicas=2-1` gives the devices of each stage. Microbatch i runs on replica i mod r, forwards and
backwards; once a round of r microbatches is through, the replicas average their gradients (`a`) and
update together, so that a version counts rounds. The warm-up of a replica is the number of devices
behind it divided by r, rounded down, as in the published runtime. Stages with more work get more devices.

Use it where throughput counts and training bears stale gradients. It computes something else than
synchronous training: compare loss curves, not only times.)",
    .formulas = "idle per device (p-1)(F+B) per run, none in steady state; peak min(p-s, m) activations and p-s weight "
                "versions on stage s (p with sync=vertical); gradients of stage s are p-1-s updates old",
    .parameters = {{"sync",
                    "none: each stage's own newest weights; vertical: those of the input stage's version",
                    "none",
                    {"none", "vertical"}},
                   {"replicas",
                    "devices of each stage, such as 2-1-1; empty: one each",
                    "",
                    {},
                    0,
                    0,
                    RecipeParameter::Kind::Text}},
    .writesSteps = true,
    .constraints = "replicas: whole numbers of 1 or more that sum to the number of devices; sync=vertical: the same "
                   "number on every stage",
    .problems = problems,
    .warnings = warnings,
    .shape = shape,
    .generate = generate,
    .theory = theory,
};

} // namespace bubblescope::catalog
