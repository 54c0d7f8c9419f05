// The V family under memory limits: v-auto against the orders of the papers' code, and its members against each other.

#include "core/base/error.h"
#include "core/schedule/registry.h"
#include "core/simulate/memory.h"
#include "tests/core/schedule/sound.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>

using namespace bubblescope;
using nlohmann::json;

namespace {

struct Measured {
    double makespan = 0;
    double span = 0; ///< idle time inside the span of the device that has most
    double peak = 0; ///< whole-device activations
};

Costs costsOf(int stages, double forward, double input, double weight)
{
    Costs table(stages);
    const auto time = [](double units) { return static_cast<Nanoseconds>(units * unit); };
    table.set(Work::Forward, time(forward));
    table.set(Work::InputGradient, time(input));
    table.set(Work::WeightGradient, time(weight));
    table.set(Work::Backward, time(input) + time(weight));
    return table;
}

Measured measure(const std::string& text, int devices, int microbatches, const Costs& costs,
                 const std::string& memory = "")
{
    const RecipeSpec spec = parseRecipe(text);
    const ActivationDeltas deltas = parseMemory(memory, true);
    const Schedule schedule = buildSchedule(recipe(spec.id), {.devices = devices,
                                                              .chunks = 2,
                                                              .microbatches = microbatches,
                                                              .parameters = spec.parameters,
                                                              .costs = &costs,
                                                              .deltas = &deltas});
    const Timing timing = test::simulateSound(schedule, costs);
    Measured result{.makespan = static_cast<double>(timing.makespan()) / unit};
    for (int device = 0; device < devices; ++device) {
        const Lane& lane = schedule.lanes[schedule.computeLane(Device(device))];
        Nanoseconds busy = 0;
        Nanoseconds last = 0;
        for (TaskId id = lane.begin; id < lane.end; ++id)
            if (isCompute(schedule.tasks[id].work)) {
                busy += timing.end[id] - timing.start[id];
                last = timing.end[id];
            }
        result.span = std::max(result.span, static_cast<double>(last - timing.start[lane.begin] - busy) / unit);
    }
    for (const ActivationCurve& curve : activationCurves(schedule, timing, deltas, false))
        result.peak = std::max(result.peak, curve.peakActivations());
    return result;
}

} // namespace

TEST_CASE("v-auto is no slower than the paper's search under the same limit", "[schedule][reference]")
{
    int files = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(BUBBLESCOPE_TEST_DATA) + "/reference_orders")) {
        const json file = json::parse(std::ifstream(entry.path()));
        if (file.at("schedule") != "v_family_auto")
            continue;
        CAPTURE(entry.path().filename().string());
        ++files;
        const double limit = file.at("max_mem_chunks").get<double>() / 2;
        const int p = file.at("p");
        const Measured found =
            measure(fmt::format("v-auto:limit={:g}", limit), p, file.at("m"), costsOf(2 * p, 1, 1, 1));
        CHECK(found.makespan <= file.at("check").at("makespan").get<double>());
        CHECK(found.peak <= limit);
    }
    CHECK(files == 10);
}

TEST_CASE("bubbles of the V family follow the closed form in the peak", "[schedule]")
{
    struct Row {
        int devices, chunks, bubble; // of activations at the peak; inside a span
    };

    for (const Row& row : {Row{4, 4, 11}, Row{4, 5, 8}, Row{4, 6, 5}, Row{4, 7, 3}, Row{4, 8, 0}, Row{6, 6, 17},
                           Row{6, 8, 11}, Row{6, 10, 5}, Row{6, 12, 0}}) {
        CAPTURE(row.devices, row.chunks);
        const Measured found = measure(fmt::format("v-auto:limit={:g}", row.chunks / 2.0), row.devices, 3 * row.devices,
                                       costsOf(2 * row.devices, 1, 1, 1));
        CHECK(found.span <= row.bubble);
        CHECK(2 * found.peak <= row.chunks);
    }
}

TEST_CASE("v-auto is no slower than the family's fixed members at their memory", "[schedule]")
{
    struct Case {
        double forward, input, weight;
    };

    for (const Case& times : {Case{1, 1, 1}, Case{1, 1, .5}, Case{1, 1.25, .75}})
        for (const int p : {3, 4, 6})
            for (const char* member : {"v-min", "v-half", "v-zb", "zb-v"}) {
                CAPTURE(p, member, times.input, times.weight);
                const Costs costs = costsOf(2 * p, times.forward, times.input, times.weight);
                const Measured fixed = measure(member, p, 2 * p + 1, costs);
                const Measured found = measure(fmt::format("v-auto:limit={:g}", fixed.peak), p, 2 * p + 1, costs);
                CHECK(found.makespan <= fixed.makespan);
                CHECK(found.peak <= fixed.peak);
            }
}

TEST_CASE("a limit counts what the memory option says, and one too small is refused", "[schedule]")
{
    const Costs costs = costsOf(8, 1, 1, 1);
    const Measured whole = measure("v-auto:limit=2.5", 4, 8, costs);
    const Measured half = measure("v-auto:limit=2.5", 4, 8, costs, "F=1,I=-0.5,W=-0.5");
    CHECK(half.peak <= 2.5);
    CHECK(half.makespan <= whole.makespan);
    try {
        measure("v-auto:limit=1", 4, 8, costs);
        FAIL("was built");
    } catch (const Error& error) {
        CHECK_THAT(error.what(), Catch::Contains("2 is the smallest"));
    }
    try {
        measure("zb-v:limit=3", 4, 8, costs);
        FAIL("was built");
    } catch (const Error& error) {
        CHECK_THAT(error.what(), Catch::Contains("4 is the smallest limit"));
    }
}

TEST_CASE("ZB-V's greedy follows the costs where PyTorch's order doesn't", "[schedule][reference]")
{
    // schedules.md 3.1: bubble of the worst span at p=4, m=8, in thousandths: greedy, by hand.
    struct Row {
        double forward, input, weight, hop, greedy, hand;
    };

    for (const Row& row : {Row{1, 1, .5, 0, 2.5, 3}, Row{1, 1, .5, .05, 3.4, 3.8}, Row{1, 1.2, .8, 0, 1.6, 2.4}}) {
        CAPTURE(row.input, row.weight, row.hop);
        Costs costs = costsOf(8, row.forward, row.input, row.weight);
        costs.everyHop.latency = static_cast<Nanoseconds>(row.hop * unit);
        CHECK(measure("zb-v", 4, 8, costs).span == Approx(row.greedy));
        CHECK(measure("zb-v:order=pytorch", 4, 8, costs).span == Approx(row.hand));
    }
}

TEST_CASE("PyTorch's ZB-V with few microbatches is valid and has bubbles", "[schedule][reference]")
{
    // Trap: the order is made for 2p−1 microbatches and cut.
    const Measured cut = measure("zb-v:order=pytorch", 4, 4, costsOf(8, 1, 1, 1));
    CHECK(cut.makespan == 30);
    CHECK(cut.span == 6);
    CHECK(recipe("zb-v").warnings({.devices = 4, .chunks = 2, .microbatches = 4, .parameters = {}}).size() == 1);
}

TEST_CASE("the V family's memory in microbatches of a whole device", "[schedule][reference]")
{
    // README of the papers' code: (p+4) div 3, (p+2) div 2, p; a microbatch of a device is two chunks.
    for (const int p : {3, 4, 6, 7, 8, 9, 10, 12}) {
        CAPTURE(p);
        const Costs costs = costsOf(2 * p, 1, 1, 1);
        CHECK(measure("v-min", p, 3 * p, costs).peak == (p + 4) / 3);
        CHECK(measure("v-half", p, 3 * p, costs).peak == (p + 2) / 2);
        CHECK(measure("v-zb", p, 3 * p, costs).peak == p);
        CHECK(measure("zb-v", p, 3 * p, costs).peak == p);
    }
}
