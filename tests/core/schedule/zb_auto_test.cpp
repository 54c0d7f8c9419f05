// zb-auto: the paper's published rates, and the limit under costs and shapes that it never saw.

#include "core/base/error.h"
#include "core/schedule/registry.h"
#include "core/schedule/search/split_heuristics.h"
#include "core/simulate/memory.h"
#include "tests/core/schedule/sound.h"

#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <random>

using namespace bubblescope;
using nlohmann::json;

namespace {

struct Case {
    int devices = 4;
    int microbatches = 8;
    Costs costs;
    ActivationDeltas deltas = parseMemory("", true);

    Schedule build(const std::string& text) const
    {
        const RecipeSpec spec = parseRecipe(text);
        return buildSchedule(recipe(spec.id), {.devices = devices,
                                               .microbatches = microbatches,
                                               .parameters = spec.parameters,
                                               .costs = &costs,
                                               .deltas = &deltas});
    }

    double peak(const Schedule& schedule, const Timing& timing) const
    {
        double most = 0;
        for (const ActivationCurve& curve : activationCurves(schedule, timing, deltas, false))
            most = std::max(most, curve.peakActivations());
        return most;
    }
};

Costs costsOf(int stages, double forward, double input, double weight, double hop = 0)
{
    const auto time = [](double units) { return static_cast<Nanoseconds>(std::llround(units * unit)); };
    Costs costs(stages);
    costs.set(Work::Forward, time(forward));
    costs.set(Work::InputGradient, time(input));
    costs.set(Work::WeightGradient, time(weight));
    costs.everyHop.latency = time(hop);
    return costs;
}

Nanoseconds longestSpan(const Schedule& schedule, const Timing& timing)
{
    Nanoseconds longest = 0;
    for (const Lane& lane : schedule.lanes) {
        Nanoseconds end = 0;
        for (TaskId id = lane.begin; id < lane.end; ++id)
            if (isCompute(schedule.tasks[id].work))
                end = timing.end[id];
        longest = std::max(longest, end - timing.start[lane.begin]);
    }
    return longest;
}

} // namespace

TEST_CASE("zb-auto takes no longer than the reference heuristic's orders", "[schedule][zb-auto]")
{
    int files = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(BUBBLESCOPE_TEST_DATA) + "/reference_orders")) {
        const json file = json::parse(std::ifstream(entry.path()));
        const std::string name = file.at("schedule");
        if (name != "zb_1p_heuristic" && name != "zb_2p_heuristic")
            continue;
        CAPTURE(entry.path().filename().string());
        ++files;
        Case given{file.at("p"), file.at("m"), costsOf(file.at("p"), 1, 1, 1), parseMemory("F=1,I=-0.5,W=-0.5", true)};
        const int limit = (name == "zb_1p_heuristic" ? 1 : 2) * given.devices;
        const Schedule schedule = given.build(fmt::format("zb-auto:limit={}", limit));
        const Timing timing = test::simulateSound(schedule, given.costs);
        CHECK(static_cast<double>(timing.makespan()) / unit <= file.at("check").at("makespan").get<double>());
        CHECK(given.peak(schedule, timing) <= limit);
    }
    CHECK(files == 10);
}

TEST_CASE("zb-auto reaches the rates of the zero-bubble paper's Table 5 within its memory", "[schedule][zb-auto]")
{
    struct Row {
        int p, m, heads, hidden;
        double forward, input, weight, hop;
        double onceP, twiceP;
    };

    const std::vector<Row> rows{{8, 24, 24, 2304, 18.522, 18.086, 9.337, 0.601, .1585, .0433},
                                {8, 32, 24, 2304, 18.513, 18.086, 9.331, 0.626, .1242, .0039},
                                {8, 64, 24, 2304, 18.546, 18.097, 9.321, 0.762, .0674, .0026},
                                {8, 24, 32, 4096, 29.718, 29.444, 19.927, 0.527, .1323, .0029},
                                {8, 32, 32, 4096, 29.802, 29.428, 19.530, 0.577, .1045, .0022},
                                {8, 64, 32, 4096, 29.935, 29.621, 19.388, 0.535, .0554, .0010},
                                {16, 48, 40, 5120, 11.347, 11.248, 8.132, 0.377, .1397, .0066},
                                {16, 64, 40, 5120, 11.307, 11.254, 8.101, 0.379, .1088, .0054},
                                {16, 128, 40, 5120, 11.325, 11.308, 8.109, 0.378, .0576, .0028},
                                {32, 96, 48, 6144, 10.419, 10.207, 7.715, 0.408, .1421, .0038},
                                {32, 128, 48, 6144, 10.408, 10.204, 7.703, 0.408, .1106, .0029},
                                {32, 256, 48, 6144, 10.402, 10.248, 7.698, 0.460, .0594, .0018}};
    for (const Row& row : rows)
        for (const auto& [times, rate] : {std::pair(1, row.onceP), std::pair(2, row.twiceP)}) {
            CAPTURE(row.p, row.m, times);
            // Table 1 of the paper at a sequence of 1024: 34h+5as bytes until I, of which 32h until W.
            const double whole = 34 * row.hidden + 5 * row.heads * 1024;
            const std::string memory =
                fmt::format("F=1,I={:.6f},W={:.6f}", 32 * row.hidden / whole - 1, -32 * row.hidden / whole);
            Case given{row.p, row.m, costsOf(row.p, row.forward, row.input, row.weight, row.hop),
                       parseMemory(memory, true)};
            const Schedule schedule = given.build(fmt::format("zb-auto:limit={}p", times));
            const Timing timing = simulate(schedule, given.costs);
            const double span = static_cast<double>(longestSpan(schedule, timing)) / unit;
            const double bubble = 1 - row.m * (row.forward + row.input + row.weight) / span;
            CHECK(std::round(bubble * 1e4) / 1e4 == Approx(rate).margin(1e-9));
            CHECK(given.peak(schedule, timing) <= times * row.p);
        }
}

TEST_CASE("zb-auto keeps any limit, whatever the stages cost and however few microbatches there are",
          "[schedule][zb-auto]")
{
    std::mt19937 random(11); // NOLINT: the same cases every time
    const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
    const std::vector<std::string> memories{"", "F=1,I=-0.5,W=-0.5", "F=1,I=-0.9,W=-0.1", "F=1,I=0.25,W=-1.25"};
    for (int i = 0; i < 150; ++i) {
        Case given;
        given.devices = pick(1, 9);
        given.microbatches = pick(1, 20);
        given.costs = costsOf(given.devices, 1, 1, 1, pick(0, 3) * 0.4);
        for (int stage = 0; stage < given.devices; ++stage)
            for (const Work work : {Work::Forward, Work::InputGradient, Work::WeightGradient})
                given.costs.set(work, Stage(stage), pick(200, 2000) * 1000);
        const std::string& memory = memories[static_cast<std::size_t>(pick(0, 3))];
        given.deltas = parseMemory(memory, true);
        const double limit = 1.25 + 0.25 * pick(0, 8 * given.devices);
        CAPTURE(given.devices, given.microbatches, memory, limit);
        const Schedule schedule = given.build(fmt::format("zb-auto:limit={}", limit));
        const Timing timing = test::simulateSound(schedule, given.costs);
        CHECK(given.peak(schedule, timing) <= limit);
        const Schedule soonest = given.build(fmt::format("zb-auto:limit={},objective=makespan", limit));
        const Timing early = test::simulateSound(soonest, given.costs);
        CHECK(given.peak(soonest, early) <= limit);
        CHECK(early.makespan() <= timing.makespan());
        for (const char* rival : {"zb-h1", "zb-h2"}) {
            const Schedule other = given.build(rival);
            const Timing timed = simulate(other, given.costs);
            if (given.peak(other, timed) > limit)
                continue;
            CHECK(early.makespan() <= timed.makespan());
            CHECK((longestSpan(schedule, timing) <= longestSpan(other, timed) ||
                   timing.makespan() < timed.makespan())); // a shorter span only where it costs no makespan
        }
    }
}

TEST_CASE("zb-auto degrades instead of failing, down to one microbatch at a time", "[schedule][zb-auto]")
{
    const auto makespan = [](const std::string& limit, int m) {
        Case given{4, m, costsOf(4, 1, 1, 1)};
        return simulate(given.build("zb-auto:limit=" + limit), given.costs).makespan() / unit;
    };
    CHECK(makespan("1", 3) == 3 * 9); // four F, four I, and W before the next F of device 0
    CHECK(makespan("2", 8) <= 41);
    CHECK(makespan("1p", 2) == 11);
    CHECK(makespan("2p", 1) == 9);

    const auto refusal = [](const std::string& limit, const std::string& memory) {
        Case given{4, 8, costsOf(4, 1, 1, 1), parseMemory(memory, true)};
        try {
            given.build("zb-auto:limit=" + limit);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK_THAT(refusal("0.75", ""), Catch::Contains("limit=1 is the smallest"));
    CHECK_THAT(refusal("0.2p", ""), Catch::Contains("0.8 activations") && Catch::Contains("limit=1 is the smallest"));
    CHECK_THAT(refusal("1", "F=1,I=0.25,W=-1.25"), Catch::Contains("limit=1.25 is the smallest"));
    for (const char* wrong : {"p", "", "2q", "-1", "1e99", "nan", "2pp"})
        CHECK_THAT(refusal(wrong, ""), Catch::Contains("1p or 2p"));
}

TEST_CASE("without a barrier steps follow each other at the distance of the longest span", "[schedule][zb-auto]")
{
    const auto makespan = [](const std::string& text, int steps, int p = 4, int m = 8) {
        const RecipeSpec spec = parseRecipe(text);
        const Costs costs = costsOf(p, 1, 1, 1);
        const Schedule schedule = buildSchedule(
            recipe(spec.id), {.devices = p, .microbatches = m, .parameters = spec.parameters, .costs = &costs}, steps);
        CHECK(schedule.shape.steps == steps);
        return test::simulateSound(schedule, costs).makespan() / unit;
    };
    for (const std::string id : {"zb-h2", "zb-auto:limit=7", "zb-auto:limit=7,solver=exact"}) {
        CAPTURE(id);
        const std::string validated = id + (id == "zb-h2" ? ":" : ",") + "update=post-validation";
        for (const auto& [steps, overlapped, barrier] :
             {std::tuple(1, 27, 27), std::tuple(2, 51, 54), std::tuple(3, 75, 81)}) {
            CHECK(makespan(validated, steps) == overlapped);
            CHECK(makespan(id, steps) == barrier);
        }
    }
    for (const char* id : {"zb-h1", "zb-h1:update=post-validation"})
        CHECK(makespan(id, 3) == 81); // all devices end together
    CHECK(makespan("zb-h1:variant=light,update=post-validation", 2) <= makespan("zb-h1:variant=light", 2));
    CHECK(makespan("zb-h2:update=post-validation", 4, 1, 3) == 36);
    CHECK(makespan("zb-h2:update=post-validation", 2, 6, 2) > 0);
}

TEST_CASE("a norm goes down the stages before the updates and comes back before the first I", "[schedule][zb-auto]")
{
    const RecipeSpec spec = parseRecipe("zb-h2:update=post-validation");
    const Schedule schedule =
        buildSchedule(recipe(spec.id), {.devices = 2, .microbatches = 3, .parameters = spec.parameters}, 2);
    std::vector<std::string> lanes;
    for (LaneId lane{}; lane < schedule.lanes.size(); ++lane)
        lanes.push_back(fmt::format("{}", fmt::join(laneTexts(schedule, lane, true), " ")));
    CHECK(lanes == std::vector<std::string>{"0F0 0F1 0F2 0I0 0W0 0I1 0W1 0I2 0W2 0k0 0U0 "
                                            "0F3 0F4 0F5 0k1 0I3 0W3 0I4 0W4 0I5 0W5 0k2 0U1 0k3",
                                            "1F0 1I0 1F1 1I1 1F2 1I2 1W0 1W1 1W2 1k0 1U0 "
                                            "1F3 1k1 1I3 1F4 1I4 1F5 1I5 1W3 1W4 1W5 1k2 1U1 1k3"});
    std::string ties;
    for (const Edge& edge : schedule.dataflow.edges)
        ties += toText(schedule.tasks[edge.from]) + ">" + toText(schedule.tasks[edge.to]) + " ";
    CHECK(ties == "1k1>0k1 1k3>0k3 0k0>1k0 0k2>1k2 ");
}
