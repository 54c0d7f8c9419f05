// Small inputs from people's troubles, with the right answer (tests/data/cases).

#include "core/analyze/bubble.h"
#include "core/analyze/report.h"
#include "core/analyze/statistics.h"
#include "core/analyze/wait_graph.h"
#include "core/analyze/why.h"
#include "tests/core/analyze/planned.h"

#include <catch2/catch.hpp>

#include <map>

namespace bubblescope::test {
namespace {

Nanoseconds fromUnits(double value)
{
    return static_cast<Nanoseconds>(std::llround(value * static_cast<double>(unit)));
}

std::vector<double> peaks(const Planned& run)
{
    std::vector<double> all;
    for (const ActivationCurve& curve : activationCurves(run.schedule(), run.timing, run.plan.deltas, false))
        all.push_back(curve.peakActivations());
    return all;
}

std::vector<Interval> intervals(const nlohmann::json& json)
{
    std::vector<Interval> all;
    for (const auto& one : json)
        all.push_back({one[0].get<Nanoseconds>(), one[1].get<Nanoseconds>()});
    return all;
}

} // namespace

TEST_CASE("Case 08: a pipeline is as fast as its slowest stage", "[analyze][cases]")
{
    const nlohmann::json json = readCase("08-speedup-limited-by-head-stage");
    std::vector<Nanoseconds> stages;
    for (const double time : json["input"]["stage_times_ms"])
        stages.push_back(fromUnits(time));
    const Balance balance = balanceOf(stages);
    CHECK(units(balance.cycle) == json["expected"]["cycle_ms"].get<double>());
    CHECK(balance.slowest == 3);
    CHECK(balance.balance == Approx(json["expected"]["balance"].get<double>()).margin(1e-9));
    CHECK(balance.speedUp == Approx(json["expected"]["speedup"].get<double>()).margin(1e-9));
    CHECK(balance.idealSpeedUp == json["expected"]["ideal_speedup"].get<double>());
}

TEST_CASE("Case 14: fewer microbatches than stages cost time and are said", "[analyze][cases]")
{
    const nlohmann::json json = readCase("14-fewer-microbatches-than-stages");
    const Planned run = planned(experiment(6, 2), "1f1b");
    CHECK(units(run.idle.makespan()) == json["expected"]["makespan"].get<double>());
    CHECK(run.idle.bubbleRate() == Approx(json["expected"]["bubble_fraction"].get<double>()).margin(1e-6));
    CHECK_FALSE(run.plan.warnings.empty());
}

TEST_CASE("Cases 19 and 20: activations in flight by stage and by microbatches", "[analyze][cases]")
{
    const nlohmann::json json = readCase("19-memory-1f1b-vs-gpipe-per-stage");
    const auto& input = json["input"];
    for (const char* recipe : {"1f1b", "gpipe"}) {
        const std::vector<double> held = peaks(planned(experiment(5, 8), recipe));
        CHECK(held == json["expected"][std::string("in_flight_") + recipe].get<std::vector<double>>());
        std::vector<int> over;
        for (std::size_t stage = 0; stage < 5; ++stage) {
            const double gib = input["static_gib"].get<double>() +
                               held[stage] * input["activation_gib_per_microbatch"].get<double>() +
                               (stage == 0   ? input["embedding_gib"].get<double>()
                                : stage == 4 ? input["head_gib"].get<double>()
                                             : 0);
            CHECK(gib == Approx(json["expected"][std::string("gib_") + recipe][stage].get<double>()).margin(1e-6));
            if (gib > input["limit_gib"].get<double>())
                over.push_back(static_cast<int>(stage));
        }
        CHECK(over == json["expected"][std::string("over_limit_") + recipe].get<std::vector<int>>());
    }
    const nlohmann::json growth = readCase("20-memory-grows-with-accumulation");
    for (std::size_t i = 0; i < growth["input"]["microbatches"].size(); ++i)
        CHECK(peaks(planned(experiment(4, growth["input"]["microbatches"][i].get<int>()), "1f1b"))[0] ==
              growth["expected"]["stage0_in_flight"][i].get<double>());
}

TEST_CASE("Case 23: interleaving holds more activations", "[analyze][cases]")
{
    const nlohmann::json json = readCase("23-interleaved-activation-peak");
    Experiment two = experiment(4, 8, "F=0.5,B=1");
    two.chunks = 2;
    const std::vector<double> held = peaks(planned(two, "interleaved-1f1b"));
    for (std::size_t device = 0; device < 4; ++device) {
        CHECK(held[device] * 2 == json["expected"]["peak_chunks"][device].get<double>());
        CHECK(held[device] * 2.0 == Approx(json["expected"]["peak_gib"][device].get<double>()).margin(1e-6));
    }
}

TEST_CASE("Case 25: a peak that grows with the microbatches has a slope", "[analyze][cases]")
{
    const nlohmann::json json = readCase("25-m-fold-weight-gradient-buffers");
    CHECK(slope({{4, 30.0}, {8, 34.8}, {16, 44.4}}) ==
          Approx(json["expected"]["slope_gib_per_microbatch"].get<double>()).margin(1e-9));
}

TEST_CASE("Case 26: a slow stage breaks the formula, and it is the culprit", "[analyze][cases]")
{
    const nlohmann::json json = readCase("26-slow-stage-breaks-formula");
    Experiment slow = experiment(4, 8);
    for (std::size_t stage = 0; stage < 4; ++stage)
        slow.stageCosts.push_back(
            {{"F", json["input"]["f"][stage].get<double>()}, {"B", json["input"]["b"][stage].get<double>()}});
    const Planned run = planned(slow, "1f1b");
    CHECK(units(run.idle.makespan()) == json["expected"]["makespan"].get<double>());
    CHECK(run.idle.bubbleRate() == Approx(json["expected"]["bubble_fraction"].get<double>()).margin(1e-6));
    for (std::size_t device = 0; device < 4; ++device)
        CHECK(units(run.idle.devices[device].idle) == json["expected"]["idle_per_stage"][device].get<double>());
    CHECK(run.idle.devices[2].cause[static_cast<std::size_t>(IdleCause::Imbalance)] == 0);
    const WaitGraph graph(run.schedule(), run.plan.costs, run.timing);
    std::map<int, Nanoseconds> critical;
    for (const TaskId task : graph.criticalPath())
        critical[run.schedule().deviceOf(task)] += run.timing.end[task] - run.timing.start[task];
    for (const auto& [device, time] : critical)
        CHECK((device == 2 || time < critical[2]));
    CHECK(units(planned(experiment(4, 8), "1f1b").idle.makespan()) ==
          json["expected"]["what_if_stage2_normal"].get<double>());
}

TEST_CASE("Case 28: exposed communication is counted once", "[analyze][cases]")
{
    const nlohmann::json json = readCase("28-exposed-communication-once");
    const Exposure parts = exposure(intervals(json["input"]["compute_us"]), intervals(json["input"]["nccl_us"]),
                                    {json["input"]["window_us"][0], json["input"]["window_us"][1]});
    const auto& expected = json["expected"];
    CHECK(parts.compute == expected["compute_union"].get<Nanoseconds>());
    CHECK(parts.communication == expected["comm_union"].get<Nanoseconds>());
    CHECK(parts.overlapped == expected["overlapped"].get<Nanoseconds>());
    CHECK(parts.exposed == expected["exposed_comm"].get<Nanoseconds>());
    CHECK(parts.idle == expected["idle"].get<Nanoseconds>());
    CHECK(parts.compute + parts.exposed + parts.idle == expected["sum_check"].get<Nanoseconds>());
}

TEST_CASE("Case 29: latency is paid in every round trip", "[analyze][cases]")
{
    const nlohmann::json json = readCase("29-p2p-latency-in-1f1b");
    for (std::size_t i = 0; i < 4; ++i) {
        Experiment far = experiment(3, 4, "F=2,B=4");
        far.comm = json["input"]["latency"][i].get<double>();
        const Planned run = planned(far, "1f1b");
        CHECK(units(run.idle.makespan()) == json["expected"]["makespan"][i].get<double>());
        if (far.comm == 0.5)
            CHECK(run.idle.bubbleRate() ==
                  Approx(json["expected"]["bubble_fraction_at_0.5"].get<double>()).margin(1e-9));
    }
}

TEST_CASE("Case 31: the median step is reported, outliers are named", "[analyze][cases]")
{
    const nlohmann::json json = readCase("31-steady-state-step-selection");
    std::vector<Nanoseconds> steps;
    for (const double step : json["input"]["step_ms"])
        steps.push_back(fromUnits(step));
    const StepStatistics statistics = stepStatistics(steps);
    CHECK(units(statistics.median) == json["expected"]["median_ms"].get<double>());
    CHECK(units(statistics.mean) == Approx(json["expected"]["mean_ms"].get<double>()).margin(1e-5));
    CHECK(statistics.outliers == json["expected"]["outlier_steps"].get<std::vector<int>>());
    CHECK(units(statistics.meanWithoutOutliers) == json["expected"]["mean_without_outliers"].get<double>());
}

TEST_CASE("Case 32: what each group size costs", "[analyze][cases]")
{
    const nlohmann::json json = readCase("32-group-size-cost-table");
    for (const int group : {4, 5, 6, 7, 8}) {
        CAPTURE(group);
        Experiment two = experiment(4, 8, "F=0.5,B=1");
        two.chunks = 2;
        const auto& expected = json["expected"]["result"][std::to_string(group)];
        const Planned run = planned(two, fmt::format("interleaved-1f1b:rules=none,group={}", group));
        CHECK(units(run.idle.makespan()) == expected["makespan"].get<double>());
        const std::vector<double> held = peaks(run);
        for (std::size_t device = 0; device < 4; ++device)
            CHECK(held[device] * 2 == expected["peak_chunks"][device].get<double>());
    }
}

TEST_CASE("Case 50: overlapping kernels are busy once", "[analyze][cases]")
{
    const nlohmann::json json = readCase("50-overlapping-kernels-same-stream");
    std::vector<Interval> kernels;
    for (const auto& kernel : json["input"]["kernels"])
        kernels.push_back(
            {kernel["ts"].get<Nanoseconds>(), kernel["ts"].get<Nanoseconds>() + kernel["dur"].get<Nanoseconds>()});
    CHECK(unionLength(kernels) == json["expected"]["busy_union_us"].get<Nanoseconds>());
}

TEST_CASE("Case 59: the two notations of the zero-bubble formula agree with the simulation", "[analyze][cases]")
{
    const nlohmann::json json = readCase("59-zero-bubble-notation");
    const Experiment split = experiment(4, 8, "F=1,I=1.3,W=0.8");
    CHECK(units(planned(split, "1f1b").idle.devices[0].idle) == Approx(json["expected"]["bubble_1f1b"].get<double>()));
    const Planned run = planned(split, "zb-h1");
    Nanoseconds widest = 0;
    for (const DeviceIdle& device : run.idle.devices)
        widest = std::max(widest, device.span() - device.spanBusy);
    CHECK(units(widest) == Approx(json["expected"]["same_with_full_backward_letter"].get<double>()));
    if (run.plan.theory)
        CHECK(units(run.plan.theory->bubble) ==
              Approx(json["expected"]["same_with_full_backward_letter"].get<double>()));
}

TEST_CASE("Case 61: no order beats fill, work and drain", "[analyze][cases]")
{
    const nlohmann::json json = readCase("61-claimed-answer-below-lower-bound");
    const auto bound = lowerBound(5, 9, unit, unit);
    CHECK(units(bound) == json["expected"]["lower_bound"].get<double>());
    CHECK(units(bound) > json["input"]["claimed_1f1b_steps"].get<double>());
    for (const char* recipe : {"gpipe", "1f1b"}) {
        const Planned run = planned(experiment(5, 9, "F=1,B=1"), recipe);
        CHECK(run.idle.makespan() == bound);
        CHECK(run.idle.bubbleRate() == Approx(json["expected"]["bubble_fraction_both"].get<double>()).margin(1e-6));
        CHECK(peaks(run)[0] == json["expected"]["activation_slots"][recipe].get<double>());
    }
}

TEST_CASE("Case 62: the bubble over what", "[analyze][cases]")
{
    const nlohmann::json json = readCase("62-two-bubble-definitions");
    const Planned run = planned(experiment(8, 24), "1f1b");
    CHECK(bubbleOf(run.idle, BubbleDefinition::IdleOverIdeal) ==
          Approx(json["expected"]["idle_over_ideal"].get<double>()).margin(1e-6));
    CHECK(bubbleOf(run.idle, BubbleDefinition::IdleOverTotal) ==
          Approx(json["expected"]["idle_over_total"].get<double>()).margin(1e-6));
    for (const auto definition :
         {BubbleDefinition::IdleOverIdeal, BubbleDefinition::IdleOverTotal, BubbleDefinition::SpanRate})
        CHECK(textbookBubble(8, 24, 1, definition) >= 0);
    CHECK(textbookBubble(8, 24, 1, BubbleDefinition::IdleOverIdeal) == Approx(7.0 / 24));
    CHECK(textbookBubble(8, 24, 1, BubbleDefinition::IdleOverTotal) == Approx(7.0 / 31));
}

TEST_CASE("Case 65: how many microbatches for ten percent depends on the definition", "[analyze][cases]")
{
    const nlohmann::json json = readCase("65-how-many-microbatches-for-10-percent");
    const std::vector<int> found = {microbatchesForBubble(0.1, 8, 1, BubbleDefinition::IdleOverTotal),
                                    microbatchesForBubble(0.1, 8, 1, BubbleDefinition::IdleOverIdeal),
                                    microbatchesForBubble(0.1, 8, 4, BubbleDefinition::IdleOverTotal, 8)};
    CHECK(found == json["expected"]["microbatches"].get<std::vector<int>>());
}

} // namespace bubblescope::test
