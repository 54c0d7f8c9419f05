// Chimera: pipelines in opposite directions over the same devices, so that one fills the other's bubbles.
//
//     tick       0   1   2   3   4   5   6   7   8   9      D=4, one unit of 4 microbatches; F, B: pipe 0, f, b: pipe 1
//     device 0   F0      F1  f0  b0  f1  b1  B0      B1
//     device 1       F0  f0  F1  f1  b0  B0  b1  B1         F of stage s at tick 2j+s, B at 2j+D+(D−1−s)
//     …
//
// Li and Hoefler 2021, arXiv 2107.06925. The published generator emits surplus or missing tasks for some
// sizes; the closed form here holds for every number of microbatches (derived by us from its ticks).

#include "core/schedule/catalog/catalog.h"
#include "core/schedule/catalog/pipes.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace bubblescope::catalog {
namespace {

/// Pipes 2k run down from device k·D/f, pipes 2k+1 are their mirror images.
std::vector<std::vector<Device>> homesOf(int devices, int pipes)
{
    std::vector<std::vector<Device>> homes;
    for (int k = 0; k < pipes / 2; ++k) {
        std::vector<Device> down;
        for (int stage = 0; stage < devices; ++stage)
            down.emplace_back((stage + k * devices / (pipes / 2)) % devices);
        for (std::vector<Device>& direction : mirrored(down, devices))
            homes.push_back(std::move(direction));
    }
    return homes;
}

struct Tick {
    int at;
    Work work;
    int pipe;
    int stage;
    int microbatch;
};

Schedule generate(const RecipeRequest& request)
{
    const int devices = request.devices;
    const int pipes = request.number("pipes");
    const std::vector<std::vector<Device>> homes = homesOf(devices, pipes);
    PipesWriter writer(request, homes);
    const int perUnit = devices / pipes; // microbatches of a pipe in a unit of D
    std::vector<std::vector<Tick>> lanes(static_cast<std::size_t>(devices));
    for (int pipe = 0; pipe < pipes; ++pipe)
        for (int stage = 0; stage < devices; ++stage)
            for (int i = 0; i < writer.microbatches(pipe); ++i) {
                const int enters = 2 * devices * (i / perUnit) + 2 * (i % perUnit);
                std::vector<Tick>& lane = lanes[homes[static_cast<std::size_t>(pipe)][static_cast<std::size_t>(stage)]];
                lane.push_back({enters + stage, Work::Forward, pipe, stage, i});
                lane.push_back({enters + 2 * devices - 1 - stage, Work::Backward, pipe, stage, i});
            }
    for (std::vector<Tick>& lane : lanes) {
        std::sort(lane.begin(), lane.end(), [](const Tick& a, const Tick& b) { return a.at < b.at; });
        for (const Tick& tick : lane)
            writer.add(tick.work, tick.pipe, tick.stage, tick.microbatch);
    }
    return writer.finish();
}

std::vector<std::string> problems(const RecipeRequest& request)
{
    std::vector<std::string> sentences = refuseOddDevices(request, "Chimera");
    const int pipes = request.number("pipes");
    const int devices = request.devices;
    if (sentences.empty() && (pipes < 2 || devices % pipes != 0 || pipes % 2 != 0)) {
        std::vector<std::string> valid;
        for (int count = 2; count <= devices; count += 2)
            if (devices % count == 0)
                valid.push_back(std::to_string(count));
        sentences.push_back(fmt::format("{} pipes don't share {} devices evenly, half of them in each direction: {} "
                                        "can.",
                                        pipes, devices, fmt::join(valid, ", ")));
    }
    if (request.microbatches < pipes)
        sentences.push_back(fmt::format("{} microbatches leave one of the {} pipes without any. {} is the least.",
                                        request.microbatches, pipes, pipes));
    return sentences;
}

std::vector<std::string> warnings(const RecipeRequest& request)
{
    const int rest = request.microbatches % request.devices;
    if (rest == 0)
        return {};
    return {fmt::format("Chimera works in units of {} microbatches, as many as devices; the last unit has only {}.",
                        request.devices, rest)};
}

std::optional<Theory> theory(const RecipeRequest& request, const Costs& costs)
{
    const int devices = request.devices;
    const Nanoseconds forward = meanCost(costs, Work::Forward);
    const Nanoseconds backward = meanCost(costs, Work::Backward);
    const int pipes = request.number("pipes");
    if (!uniformAndFree(costs) || request.microbatches % devices != 0 || costs.duration(Work::AllReduce, Stage(0)) > 0)
        return std::nullopt;
    if (backward == forward)
        return Theory{(2 * devices / pipes - 2) * forward, "makespan", double(devices),
                      "Li and Hoefler 2021: D/f-2 slots with F=B and 2f pipes, at most D activations"};
    if (backward == 2 * forward && pipes == 2)
        return Theory{(devices - 2) * (request.microbatches / devices + 1) * forward, "makespan", double(devices),
                      "the same order simulated with B=2F: (D-2)(N/D+1)F (derived)"};
    return std::nullopt;
}

} // namespace

const RecipeInfo chimera{
    .id = "chimera",
    .title = "Chimera",
    .paper = "Li and Hoefler 2021, Chimera: Efficiently Training Large-Scale Neural Networks with Bidirectional "
             "Pipelines, arXiv 2107.06925",
    .idea = "Two pipelines in opposite directions over the same devices: each fills the other's bubbles.",
    .page = R"(Every device holds a stage of each pipeline: device r stage r of pipe 0 and stage p-1-r of
pipe 1, so all weights exist twice. Each pipe takes half of the microbatches. In a unit of D of them,
microbatch j of a pipe enters at tick 2j, moves one device per tick, turns at the last stage and comes
back one device per tick; while F and B take one tick each, the two directions never meet on a device.
The next unit enters 2D ticks later and fills the drain of the last one.

At the end the gradients of a stage are summed over its homes, pipe 0 first, so that both copies update
alike to the bit; each sum starts as soon as the last backward of the stage is done on all homes.

`pipes=2f` runs f pipelines each way, starting D/f devices apart: the bubble shrinks to D/f-2 slots, every
device holds 2f stages and nearly D activations, and 2f copies of each stage exchange their gradients.

With B twice as long as F the same order idles in every unit. The paper's answers to that, doubling
forwards and halving backwards, are not in this order. The published generator emits surplus or missing
tasks for some sizes (D=2 with 4, D=8 with 24 microbatches); this closed form covers all of them, and
numbers that are no multiple of D with a short last unit, which is our extension.)",
    .formulas = "idle per device D/f-2 slots with F=B and 2f pipes: rate (D-2)/(2N+D-2) with two; with two and B=2F "
                "(D-2)(N/D+1) F (derived); N a multiple of D; peak D/2+1 to D activations, 2f times the weights",
    .parameters = {{"pipes", "pipelines, half of them in each direction; each holds all weights", "2", {}, 2, 4096}},
    .constraints = "an even number of devices, a multiple of pipes; pipes even; at least one microbatch for each pipe",
    .problems = problems,
    .warnings = warnings,
    .generate = generate,
    .theory = theory,
};

} // namespace bubblescope::catalog
