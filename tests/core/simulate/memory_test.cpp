#include "core/base/error.h"
#include "core/experiment.h"
#include "core/simulate/memory.h"
#include "tests/core/analyze/planned.h"

#include <catch2/catch.hpp>

namespace bubblescope::test {
namespace {

std::string deltaText(const ActivationDeltas& deltas)
{
    std::string text;
    for (const char letter : std::string("FRIWBoh")) {
        const auto& delta = deltas.of[static_cast<std::size_t>(*workFromLetter(letter))];
        text += fmt::format("{}{}{}{}", text.empty() ? "" : " ", letter, delta.atStart != 0 ? "<" : ">",
                            delta.atStart + delta.atEnd);
    }
    return text;
}

std::string refusal(const std::string& text, bool splits)
{
    try {
        parseMemory(text, splits);
    } catch (const Error& error) {
        return error.what();
    }
    return "accepted";
}

std::vector<double> peaks(const Planned& run)
{
    std::vector<double> all;
    for (const ActivationCurve& curve : activationCurves(run.schedule(), run.timing, run.plan.deltas, false))
        all.push_back(curve.peakActivations());
    return all;
}

} // namespace

TEST_CASE("Memory deltas are read exactly", "[memory]")
{
    CHECK(deltaText(parseMemory("", true)) == "F<1000000 R>0 I>0 W>-1000000 B>-1000000 o>-1000000 h<1000000");
    CHECK(deltaText(parseMemory("F=1,I=-0.5,W=-0.5", true)) ==
          "F<1000000 R>0 I>-500000 W>-500000 B>-1000000 o>-1000000 h<1000000");
    CHECK(deltaText(parseMemory("F=1, I=-.1, W=-0.900000", true)) ==
          "F<1000000 R>0 I>-100000 W>-900000 B>-1000000 o>-1000000 h<1000000");
    CHECK(deltaText(parseMemory("F=0.25,B=-0.25", false)) == "F<250000 R>0 I>0 W>-250000 B>-250000 o>-250000 h<250000");
    CHECK(deltaText(parseMemory("F=0.1,R=0.9,o=-0.3", false)) ==
          "F<100000 R<900000 I>0 W>-1000000 B>-1000000 o>-300000 h<300000");
    CHECK(deltaText(parseMemory("F=1,I=0.5,W=-1.5", true)) ==
          "F<1000000 R>0 I>500000 W>-1500000 B>-1000000 o>-1000000 h<1000000");
    // further digits round, and what rounding leaves of a sum goes to the last part
    CHECK(deltaText(parseMemory("F=1,I=-0.6335877862595419,W=-0.366412213740458", true)) ==
          "F<1000000 R>0 I>-633588 W>-366412 B>-1000000 o>-1000000 h<1000000");
    CHECK(deltaText(parseMemory("F=1,I=-0.666667,W=-0.333334", true)) ==
          "F<1000000 R>0 I>-666667 W>-333333 B>-1000000 o>-1000000 h<1000000");
}

TEST_CASE("Memory deltas that can't be are refused with the reason", "[memory]")
{
    CHECK_THAT(refusal("F=1,I=-0.5,W=-0.4", true), Catch::Contains("sum to 0.1;"));
    CHECK_THAT(refusal("F=1,B=-1.25", false), Catch::Contains("sum to -0.25;"));
    CHECK_THAT(refusal("F=2", false), Catch::Contains("sum to 1;"));
    CHECK_THAT(refusal("F=1,Q=-1", false), Catch::Contains("'Q=-1'") && Catch::Contains("F, B, I, W"));
    for (const char* bad : {"F=one", "F=", "F", "F=1,,B=-1", "F=1,B=-1,", "F=1e0", "F=0.1234567x", "F=1234567", "F=--1",
                            "F=.", "F=1=1", "=1"})
        CHECK_THAT(refusal(bad, false), Catch::Contains("--memory"));
    CHECK_THAT(refusal("F=1,F=1", false), Catch::Contains("twice"));
    CHECK_THAT(refusal("o=-0.5,h=0.4", false), Catch::Contains("never comes back"));
}

TEST_CASE("1F1B holds p−r microbatches, GPipe all of them", "[memory]")
{
    CHECK(peaks(planned(experiment(4, 8), "1f1b")) == std::vector<double>{4, 3, 2, 1});
    CHECK(peaks(planned(experiment(4, 8), "gpipe")) == std::vector<double>{8, 8, 8, 8});
    CHECK(peaks(planned(experiment(4, 8, "F=1,I=1,W=1"), "zb-h1")) == std::vector<double>{4, 4, 4, 4});
}

TEST_CASE("Interleaved chunks count a fraction each", "[memory]")
{
    Experiment two = experiment(4, 8, "F=0.5,B=1");
    two.chunks = 2;
    CHECK(peaks(planned(two, "interleaved-1f1b")) == std::vector<double>{5.5, 4.5, 3.5, 2.5});
}

TEST_CASE("The curve has a step for every change and names who holds what", "[memory]")
{
    const Planned run = planned(experiment(2, 3), "1f1b");
    const ActivationCurve curve = activationCurves(run.schedule(), run.timing, run.plan.deltas, true)[0];
    std::string steps;
    for (const ActivationCurve::Step& step : curve.steps)
        steps += fmt::format("{}:{} ", units(step.time), units(step.live));
    // 0F0 [0,1) 0F1 [1,2) 0B0 [4,6) 0F2 [6,7): at 6 one goes and one comes
    CHECK(steps == "0:1 1:2 9:1 12:0 ");
    CHECK(curve.peak == 2 * ActivationDeltas::one);
    CHECK(curve.peakAt == unit);
    REQUIRE(curve.holders.size() == 2);
    CHECK(toText(curve.holders[0]) + " " + toText(curve.holders[1]) == "0F0 0F1");
}

TEST_CASE("Offloaded activations leave the device and come back", "[memory]")
{
    ScheduleBuilder builder({.devices = 1, .stages = 1, .microbatches = {2}});
    std::vector<ScheduleBuilder::Ref> forward;
    for (int i = 0; i < 2; ++i)
        forward.push_back(builder.compute(Device(0), {.work = Work::Forward, .microbatch = Microbatch(i)}));
    const auto lane = builder.lane(Device(0), LaneKind::CopyOut);
    const auto out = builder.add(lane, {.work = Work::Offload});
    const auto in = builder.add(lane, {.work = Work::Reload});
    const auto second = builder.compute(Device(0), {.work = Work::Backward, .microbatch = Microbatch(1)});
    const auto first = builder.compute(Device(0), {.work = Work::Backward});
    builder.edge(forward[0], out);
    builder.edge(out, in);
    builder.edge(second, in);
    builder.edge(in, first);
    const Schedule schedule = builder.finish();
    Costs costs(1);
    for (const Work work : {Work::Forward, Work::Backward, Work::Offload, Work::Reload})
        costs.set(work, unit);
    const Timing timing = simulate(schedule, costs);
    const auto curves = activationCurves(schedule, timing, parseMemory("", false), true);
    // F0 [0,1), F1 [1,2) while 0 leaves until 2: both live; B1 [2,3); reload [3,4); B0 [4,5)
    std::string steps;
    for (const ActivationCurve::Step& step : curves[0].steps)
        steps += fmt::format("{}:{} ", units(step.time), units(step.live));
    CHECK(steps == "0:1 1:2 2:1 5:0 "); // at 3 one is freed and one comes back
    CHECK(curves[0].peakActivations() == 2);
}

TEST_CASE("The transformer's bytes are those that its kernels keep", "[memory]")
{
    ModelSpec model;
    model.layers = 4;
    model.hidden = 128;
    model.heads = 4;
    model.sequence = 64;
    model.batch = 2;
    model.vocabulary = 256;
    const std::int64_t tokens = 128;
    const MemoryRules rules = transformerMemory(model, {1, 2, 1}, false);
    Experiment three = experiment(3, 4, "F=1,I=1,W=1");
    const Planned run = planned(three, "zb-h1");
    const std::vector<MemoryBytes> after = bytesAfterTasks(run.schedule(), rules);
    const auto activation = [&](const char* task) {
        return after[taskNamed(run.schedule(), task)][static_cast<std::size_t>(MemoryClass::Activation)];
    };
    const std::int64_t block = (64 * 128 + 4 * 4 + 16) * tokens;
    const std::int64_t blockForW = 64 * 128 * tokens + 16 * 128;
    CHECK(activation("1F0") == 2 * block);
    CHECK(activation("0F0") == block + 4 * tokens);
    CHECK(activation("2F0") == block + (8 * 128 + 4 * 256 + 8) * tokens);
    CHECK(activation("2I0") == blockForW + (4 * 128 + 4 * 256) * tokens + 8 * 128);
    CHECK(rules.of(Work::InputGradient, Stage(1)).front().atStart +
              rules.of(Work::InputGradient, Stage(1)).front().atEnd ==
          2 * (blockForW - block));
    for (int device = 0; device < 3; ++device)
        CHECK(activation(fmt::format("{}U0", device).c_str()) == 0);
    const std::int64_t parameters = 12 * 128 * 128 + 13 * 128;
    CHECK(rules.constant[1][static_cast<std::size_t>(MemoryClass::Weight)] == 4 * 2 * parameters);
    CHECK(rules.constant[0][static_cast<std::size_t>(MemoryClass::Optimizer)] == 8 * (parameters + (256 + 64) * 128));
    CHECK(rules.constant[2][static_cast<std::size_t>(MemoryClass::WeightGradient)] ==
          4 * (parameters + 2 * 128 + 256 * 128));
}

TEST_CASE("With recompute only the stage's input stays between F and R", "[memory]")
{
    ModelSpec model;
    model.layers = 2;
    const std::int64_t tokens = 64;
    ScheduleBuilder builder({.devices = 2, .stages = 2, .microbatches = {1}});
    for (int device = 0; device < 2; ++device)
        for (const Work work : {Work::Forward, Work::Recompute, Work::Backward})
            builder.compute(Device(device), {.work = work, .stage = Stage(device)});
    builder.placeLooped();
    const Schedule schedule = builder.finish();
    const std::vector<MemoryBytes> after = bytesAfterTasks(schedule, transformerMemory(model, {1, 1}, true, 2, true));
    const auto at = [&](const char* task, MemoryClass which) {
        return after[taskNamed(schedule, task)][static_cast<std::size_t>(which)];
    };
    CHECK(at("0F0", MemoryClass::Boundary) == 4 * tokens);
    CHECK(at("1F0", MemoryClass::Boundary) == 4 * 128 * tokens);
    CHECK(at("1F0", MemoryClass::Activation) == 0);
    CHECK(at("1R0", MemoryClass::Boundary) == 0);
    CHECK(at("1R0", MemoryClass::Activation) == (64 * 128 + 16 + 16 + 8 * 128 + 4 * 256 + 8) * tokens);
    CHECK(at("1B0", MemoryClass::Activation) == 0);
}

TEST_CASE("Byte curves peak at the same moment in sum and by class", "[memory]")
{
    ModelSpec model;
    model.layers = 4;
    const MemoryRules rules = transformerMemory(model, {1, 1, 1, 1}, false);
    const Planned run = planned(experiment(4, 8), "1f1b");
    for (const MemoryCurve& curve : memoryCurves(run.schedule(), run.timing, rules, true)) {
        CHECK(total(curve.atPeak) == curve.peak);
        std::int64_t highest = 0;
        for (const MemoryCurve::Step& step : curve.steps)
            highest = std::max(highest, total(step.live));
        CHECK(highest == curve.peak);
        CHECK_FALSE(curve.holders.empty());
        CHECK(curve.steps.back().live[static_cast<std::size_t>(MemoryClass::Activation)] == 0);
    }
}

TEST_CASE("the peak found by order alone is the one found by walking through time", "[memory]")
{
    for (const char* cost : {"F=1,I=1,W=1", "F=0,I=0,W=0", "F=0,I=1,W=0", "F=1.5,I=0.7,W=0"}) {
        for (const RecipeInfo& info : recipes()) {
            Experiment experiment;
            experiment.cost = cost;
            const Plan made = plan(experiment, parseRecipe(info.id));
            const Timing timing = simulate(made.schedule, made.costs);
            const auto quick = activationCurves(made.schedule, timing, made.deltas, false);
            const auto walked = activationCurves(made.schedule, timing, made.deltas, true);
            for (std::size_t device = 0; device < walked.size(); ++device) {
                INFO(info.id << " " << cost << " device " << device);
                CHECK(quick[device].peak == walked[device].peak);
                CHECK(quick[device].peakParts == walked[device].peakParts);
                CHECK(quick[device].peakAt == walked[device].peakAt);
            }
        }
    }
}

TEST_CASE("Gathered weights are there for their burst, beside the shard", "[memory]")
{
    ModelSpec model;
    model.layers = 4;
    const MemoryRules rules = transformerMemory(model, {1, 1, 1, 1}, false);
    constexpr auto weight = static_cast<std::size_t>(MemoryClass::Weight);
    const auto bytes = [&](int stage) { return rules.constant[static_cast<std::size_t>(stage)][weight]; };
    for (const char* cost : {"F=1,B=2", "F=1,B=2,g=1,c=1", "F=1,B=2,g=5"}) {
        Experiment shape = experiment(2, 4, cost);
        shape.chunks = 2;
        const Planned run = planned(shape, "bfpp");
        const std::vector<MemoryCurve> curves = memoryCurves(run.schedule(), run.timing, rules, true);
        for (int device = 0; device < 2; ++device) {
            const std::int64_t shards = bytes(device) + bytes(device + 2);
            std::int64_t most = 0;
            for (const MemoryCurve::Step& step : curves[static_cast<std::size_t>(device)].steps)
                most = std::max(most, step.live[weight]);
            // Two buffers: both stages while the first burst runs, and the last one twice when it turns round.
            CHECK(most == shards + std::max(shards, 2 * bytes(device + 2)));
            CHECK(curves[static_cast<std::size_t>(device)].steps.back().live[weight] == shards);
        }
    }
}

TEST_CASE("Offloaded activations are on the device again for their backward", "[memory]")
{
    ModelSpec model;
    model.layers = 8;
    const MemoryRules rules = transformerMemory(model, std::vector<int>(8, 1), false);
    constexpr auto activation = static_cast<std::size_t>(MemoryClass::Activation);
    Experiment shape = experiment(4, 16, "F=1,I=1,W=1,o=1,h=1");
    shape.chunks = 2;
    const auto peak = [&](const char* text) {
        const Planned run = planned(shape, text);
        const MemoryCurve curve = memoryCurves(run.schedule(), run.timing, rules, true).front();
        CHECK(curve.steps.back().live[activation] == 0);
        return curve.atPeak[activation];
    };
    const std::int64_t whole = peak("pipeoffload");
    const std::int64_t half = peak("pipeoffload:offload=half");
    CHECK(half < whole / 2 + whole / 10); // 3 of 7 activations, one of them with what its F or I needs besides
    CHECK(peak("pipeoffload:offload=full") <= half);
}

} // namespace bubblescope::test
