// Schedules inside a sequence: the programme for slice sizes, what slices cost, and their directions.

#include "core/base/error.h"
#include "core/experiment.h"
#include "core/schedule/search/slice_sizes.h"
#include "core/simulate/memory.h"
#include "tests/core/schedule/sound.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>
#include <random>

using namespace bubblescope;
using nlohmann::json;

namespace {

/// a + b·(c·l + d·l·(context + l/2)), the reference file's models.
struct Latency {
    double fixed = 0;
    double token = 0;
    double context = 0;

    double operator()(int group, int length, int before) const
    {
        return fixed + group * (token * length + context * length * (before + length / 2.0));
    }
};

double timeOf(const SliceProblem& problem, const std::vector<int>& lengths)
{
    double sum = 0;
    double slowest = 0;
    int context = 0;
    for (const int length : lengths) {
        const double t = problem.latency(1, length, context);
        sum += t;
        slowest = std::max(slowest, t);
        context += length;
    }
    return problem.sequences * sum + (problem.stages - 1) * slowest;
}

/// The best of all 2^(L−1) cuts, every sequence on its own.
double bruteForce(const SliceProblem& problem)
{
    double best = 1e300;
    for (unsigned cuts = 0; cuts < 1U << static_cast<unsigned>(problem.length - 1); ++cuts) {
        std::vector<int> lengths{1};
        for (int i = 0; i + 1 < problem.length; ++i)
            if ((cuts >> static_cast<unsigned>(i) & 1U) != 0)
                lengths.push_back(1);
            else
                ++lengths.back();
        best = std::min(best, timeOf(problem, lengths));
    }
    return best;
}

Plan planOf(const std::string& recipe, int stages, int microbatches, const std::string& cost = "F=1,B=2")
{
    Experiment experiment;
    experiment.stages = stages;
    experiment.microbatches = microbatches;
    experiment.cost = cost;
    return plan(experiment, parseRecipe(recipe));
}

std::string refusal(const std::string& recipe, int stages, int microbatches)
{
    try {
        planOf(recipe, stages, microbatches);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

} // namespace

TEST_CASE("the slice programme gives the reference schemes", "[schedule][slices]")
{
    const json file = json::parse(std::ifstream(std::string(BUBBLESCOPE_TEST_DATA) + "/partition_examples.json"));
    const std::map<std::string, Latency> models{{"1.0+b*(1.0*s+0.1*s*(ctx+s/2))", {1, 1, 0.1}},
                                                {"2.0+b*(1.0*s+0.05*s*(ctx+s/2))", {2, 1, 0.05}},
                                                {"0.5+b*(1.0*s+0.2*s*(ctx+s/2))", {0.5, 1, 0.2}},
                                                {"4.0+b*(1.0*s+0.0*s*(ctx+s/2))", {4, 1, 0}}};
    int examples = 0;
    for (const json& example : file.at("terapipe_dp").at("examples")) {
        CAPTURE(example.dump());
        const int batch = example.at("batch");
        const SliceProblem problem{.length = example.at("L_units"),
                                   .stages = example.at("pipeline"),
                                   .sequences = batch,
                                   .largestGroup = batch,
                                   .latency = models.at(example.at("latency_model"))};
        const SliceSizes sizes = bestSliceSizes(problem);
        CHECK(sizes.time == Approx(example.at("best_time").get<double>()));
        json scheme = json::array();
        for (const SliceSizes::Group& group : sizes.groups)
            scheme.push_back({group.sequences, group.lengths});
        CHECK(scheme == example.at("scheme")); // in the order of the sequence, not as the programme finds them
        ++examples;
    }
    CHECK(examples == 5);
}

TEST_CASE("the slice programme is as good as trying every cut", "[schedule][slices]")
{
    std::mt19937 random(11);
    const auto draw = [&](int most) { return static_cast<int>(random() % static_cast<unsigned>(most)); };
    for (int i = 0; i < 60; ++i) {
        const Latency model{draw(40) / 10.0, 1, draw(10) / 20.0};
        SliceProblem problem{.length = 1 + draw(11), .stages = 1 + draw(9), .sequences = 1 + draw(3), .latency = model};
        if (i % 3 == 0) // not even monotonic: any latency will do
            problem.latency = [](int, int length, int context) {
                return 1 + (length * 7919 + context * 104729) % 97 / 10.0;
            };
        CAPTURE(i, problem.length, problem.stages, problem.sequences);
        const SliceSizes sizes = bestSliceSizes(problem);
        CHECK(sizes.time == Approx(bruteForce(problem)));
        REQUIRE(static_cast<int>(sizes.groups.size()) == problem.sequences);
        CHECK(timeOf(problem, sizes.groups.front().lengths) == Approx(sizes.time));
        const auto& lengths = sizes.groups.front().lengths;
        CHECK(std::accumulate(lengths.begin(), lengths.end(), 0) == problem.length);
    }
}

TEST_CASE("terapipe:sizes=auto cuts as the programme says, and the simulation takes the time that it promises",
          "[schedule][slices]")
{
    // 0.5 + s + 0.2 s (context + s/2) over 12 units and 8 stages: attention of the whole 0.2·12/2, overhead 0.5/12.
    const Plan made = planOf("terapipe:sizes=auto,units=12,attention=1.2,overhead=0.0416666666666667", 8, 1);
    CHECK(made.schedule.slicing.cuts.front().lengths == std::vector<int>{2, 2, 1, 1, 1, 1, 1, 1, 1, 1});
    const double whole = 0.5 + 12 + 0.2 * 72; // what --cost speaks of
    const Timing timing = test::simulateSound(made.schedule, made.costs);
    CHECK(static_cast<double>(timing.makespan()) / unit == Approx(3 * 58.0 / whole).epsilon(1e-5)); // nanoseconds
}

TEST_CASE("slices last what their tokens and their context ask for", "[schedule][slices]")
{
    const auto durations = [](const Plan& made, Work work) {
        std::vector<Nanoseconds> all;
        const Lane& lane = made.schedule.lanes[made.schedule.computeLane(Device(0))];
        for (TaskId id = lane.begin; id < lane.end; ++id)
            if (made.schedule.tasks[id].work == work)
                all.push_back(made.costs.duration(id, made.schedule.tasks[id]));
        return all;
    };
    CHECK(durations(planOf("seq1f1b:slices=3", 2, 1), Work::Forward) ==
          std::vector<Nanoseconds>{333'333, 333'334, 333'333}); // sums to 1 ms
    // Attention as dear as everything else: the first n have n + n² of 2, so the second half costs 1.25 of it.
    CHECK(durations(planOf("seq1f1b:slices=2,attention=1", 2, 1), Work::Forward) ==
          std::vector<Nanoseconds>{375'000, 625'000});
    CHECK(durations(planOf("seq1f1b:lengths=3+1", 2, 1), Work::Backward) ==
          std::vector<Nanoseconds>{500'000, 1'500'000}); // B runs from the end
    const Plan balanced = planOf("seq1f1b:slices=4,sizes=balanced,units=256,attention=1", 4, 4);
    const auto forwards = durations(balanced, Work::Forward);
    CHECK(*std::max_element(forwards.begin(), forwards.end()) - *std::min_element(forwards.begin(), forwards.end()) <
          unit / 256 * 3);
    const auto& lengths = balanced.schedule.slicing.cuts.front().lengths;
    CHECK(std::is_sorted(lengths.rbegin(), lengths.rend()));
    // A slice's own overhead makes the whole dearer.
    const auto dearer = durations(planOf("seq1f1b:slices=2,overhead=1", 2, 1), Work::Forward);
    CHECK(dearer == std::vector<Nanoseconds>{750'000, 750'000});
}

TEST_CASE("balanced slices fill the bubble that equal lengths leave", "[schedule][slices]")
{
    const auto makespan = [](const std::string& recipe) {
        const Plan made = planOf(recipe, 4, 8);
        return test::simulateSound(made.schedule, made.costs).makespan();
    };
    const Nanoseconds even = makespan("seq1f1b:slices=4,attention=1");
    const Nanoseconds balanced = makespan("seq1f1b:slices=4,sizes=balanced,units=256,attention=1");
    CHECK(balanced < even);
    CHECK(makespan("seq1f1b:slices=1") == 33 * unit); // 1F1B
    CHECK(makespan("seq1f1b:slices=4") == 24 * unit + 9 * unit / 4);
    CHECK(makespan("terapipe:slices=4") == 24 * unit + 9 * unit / 4);
}

TEST_CASE("a slice goes backwards only after every later slice of its sequence", "[schedule][slices]")
{
    const Plan made = planOf("terapipe:slices=3", 2, 2); // T8: forwards from the front, backwards from the end
    const Lane& lane = made.schedule.lanes[0];
    std::vector<std::string> texts = laneTexts(made.schedule, LaneId(0), false);
    CHECK(texts == std::vector<std::string>{"0F0", "0F0:1", "0F0:2", "0F1", "0F1:1", "0F1:2", "0B1:2", "0B1:1", "0B1",
                                            "0B0:2", "0B0:1", "0B0"});
    Schedule wrong = made.schedule;
    std::swap(wrong.tasks[lane.begin + 6U], wrong.tasks[lane.begin + 7U]);
    CHECK_FALSE(test::problemsOf(wrong).empty());
    CHECK_THROWS_AS(simulate(wrong, made.costs), Error);
}

TEST_CASE("messages of slices have their share of the bytes", "[schedule][slices]")
{
    Experiment experiment;
    experiment.stages = 2;
    experiment.microbatches = 1;
    experiment.model.layers = 2;
    experiment.bandwidth = 1e6;
    const Plan made = plan(experiment, parseRecipe("seq1f1b:lengths=3+1"));
    const std::int64_t whole = std::int64_t{4} * 128 * 64;
    Task task{.work = Work::Forward};
    CHECK(made.costs.messageBytes(Payload::Activation, task) == whole * 3 / 4);
    task.slice = Slice(1);
    CHECK(made.costs.messageBytes(Payload::Activation, task) == whole / 4);
}

TEST_CASE("a slice counts its part of a microbatch's activations", "[schedule][slices]")
{
    const Plan made = planOf("seq1f1b:slices=4", 4, 8);
    const Timing timing = simulate(made.schedule, made.costs);
    std::vector<double> peaks;
    for (const ActivationCurve& curve : activationCurves(made.schedule, timing, made.deltas, false))
        peaks.push_back(curve.peakActivations());
    CHECK(peaks == std::vector<double>{7 / 4.0, 6 / 4.0, 5 / 4.0, 1});
}

TEST_CASE("cuts that can't be made are refused with the nearest that can", "[schedule][slices]")
{
    CHECK(refusal("seq1f1b:lengths=3+x", 4, 4).find("6+4+3+3") != std::string::npos);
    CHECK(refusal("seq1f1b:lengths=3+0", 4, 4).find("lengths=3+0") != std::string::npos);
    CHECK(refusal("terapipe:sizes=balanced,slices=9,units=8", 4, 4).find("units=9") != std::string::npos);
    CHECK(refusal("terapipe:slices=1000", 100, 10'000).find("1000 microbatches would fit") != std::string::npos);
    CHECK(refusal("terapipe:sizes=auto,overhead=0.1", 4, 4).empty());
    CHECK(planOf("terapipe:sizes=auto,units=8", 4, 4).warnings.size() == 1);
}
