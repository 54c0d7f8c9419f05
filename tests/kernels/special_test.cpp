// SkipPipe and DiffusionPipe executed: paths, idle replicas, encodings of the step before.

#include "core/base/error.h"
#include "tests/kernels/fixture.h"
#include "tests/support/execution.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>

using namespace bubblescope;
using namespace bubblescope::test;

namespace {

RunResult trained(const Schedule& schedule, cpu::TransformerConfig config, std::vector<int> partition,
                  RunOptions options)
{
    config.blocks = std::accumulate(partition.begin(), partition.end(), 0);
    const cpu::TransformerMaker maker = cpu::makerOf(config);
    Backend backend;
    backend.kind = Backend::Kind::Cpu;
    backend.maker = &maker;
    backend.partition = std::move(partition);
    backend.recompute = config.recompute;
    return run(schedule, unitCosts(schedule), backend, options);
}

} // namespace

TEST_CASE("SkipPipe's gradients are those of the same paths on one device", "[execute]")
{
    const auto recipe = GENERATE(as<std::string>(), "skippipe:stages=4", "skippipe:stages=5,skip=0.4",
                                 "skippipe:stages=5,skip=0.2,swap=yes", "skippipe:stages=3,skip=0.3,nodes=2+2+1",
                                 "skippipe:stages=4,skip=0,paths=random", "skippipe:stages=4,skip=0.5");
    const bool recompute = GENERATE(false, true);
    CAPTURE(recipe, recompute);
    const Schedule schedule = scheduleOf(recipe, 5, 6);
    cpu::TransformerConfig config = cpu::smallConfig();
    config.recompute = recompute;
    std::vector<int> partition(static_cast<std::size_t>(schedule.shape.stages), 1);
    partition[1] = 2;
    const RunResult result = trained(schedule, config, partition, {.steps = 2, .verify = true});
    INFO(result.sentence << result.verify.sentence);
    REQUIRE(result.state == RunResult::State::Complete);
    CHECK(result.verify.passed);
    CHECK(result.verify.maxRelativeGradientError <= VerifyResult::gradientTolerance);
    CHECK(result.losses.at(0) == Approx(result.verify.referenceLoss).epsilon(1e-6));
    CHECK(result.leakedBytes == 0);
}

TEST_CASE("a path that is left out, or walked in another order, gives other gradients", "[execute]")
{
    // The verification sees which stages a microbatch visits: with paths exchanged between microbatches it fails.
    Schedule schedule = scheduleOf("skippipe:skip=0.5", 4, 6);
    cpu::TransformerConfig config = cpu::smallConfig();
    const double skipped = trained(schedule, config, {1, 1, 1, 1}, {.verify = true}).verify.referenceLoss;
    const double whole = trained(scheduleOf("1f1b", 4, 6), config, {1, 1, 1, 1}, {.verify = true}).verify.referenceLoss;
    CHECK(skipped != whole);
}

TEST_CASE("stages and replicas that no microbatch visits are updated like the others", "[execute]")
{
    // Two microbatches, two paths of two stages: stages 1 and 2 aren't visited at all; of stage 0's replicas one idles.
    const Schedule schedule = scheduleOf("skippipe:stages=4,skip=0.5,nodes=3+1+1+1", 6, 2);
    const RunResult result = trained(schedule, cpu::smallConfig(), {1, 1, 1, 1}, {.steps = 3, .verify = true});
    INFO(result.sentence << result.verify.sentence);
    REQUIRE(result.state == RunResult::State::Complete); // it isn't when replicas have come apart
    CHECK(result.verify.passed);
    CHECK(result.losses.size() == 3);
}

TEST_CASE("DiffusionPipe trains on the encodings that the step before has made", "[execute]")
{
    const auto [devices, microbatches, frozen] =
        GENERATE(std::tuple(4, 6, 2), std::tuple(2, 4, 5), std::tuple(3, 2, 1));
    const bool recompute = GENERATE(false, true);
    CAPTURE(devices, microbatches, frozen, recompute);
    cpu::TransformerConfig config = cpu::smallConfig();
    config.recompute = recompute;
    const std::string recipe = fmt::format("diffusionpipe:frozen={}", frozen);
    const std::vector<int> partition(static_cast<std::size_t>(devices), 1);
    constexpr int steps = 4;
    const RunResult piped =
        trained(scheduleOf(recipe, devices, microbatches, 0, steps), config, partition, {.verify = true});
    INFO(piped.sentence << piped.verify.sentence);
    REQUIRE(piped.state == RunResult::State::Complete);
    CHECK(piped.verify.bitEqual);
    CHECK(piped.leakedBytes == 0);
    // Every step alone: F finds no encoding and makes it on the spot. Equal losses mean equal encodings.
    const RunResult single = trained(scheduleOf(recipe, devices, microbatches), config, partition, {.steps = steps});
    CHECK(piped.losses == single.losses);
    // And one device, and the same without an encoder, which trains differently.
    CHECK(piped.losses == trained(scheduleOf(recipe, 1, microbatches, 0, steps), config, {devices}, {}).losses);
    CHECK(piped.losses[0] != trained(scheduleOf("1f1b", devices, microbatches), config, partition, {}).losses[0]);
}

namespace {

/// The losses of one device that reads the weights of `delay` updates ago: RoundPipe's rule, written down directly.
std::vector<double> delayedLosses(const cpu::TransformerConfig& config, int microbatches, int steps, std::size_t delay)
{
    const cpu::TransformerMaker maker = cpu::makerOf(config);
    Arena arena;
    const auto stage = maker.make(cpu::wholeModel(config), {.microbatches = microbatches}, arena);
    const auto values = [&] {
        const float* floats = stage->weightBuffer().floats();
        return std::vector<float>(floats, floats + stage->weightBuffer().size() / sizeof(float));
    };
    std::vector<std::vector<float>> versions{values()};
    std::vector<double> losses;
    for (int step = 0; step < steps; ++step) {
        const std::size_t read = versions.size() > delay ? versions.size() - 1 - delay : 0;
        std::copy(versions[read].begin(), versions[read].end(), stage->weightBuffer().floats());
        for (int i = 0; i < microbatches; ++i)
            cpu::runWhole(*stage, cpu::keyOf(step * microbatches + i), config.recompute);
        losses.push_back(stage->takeLoss());
        std::copy(versions.back().begin(), versions.back().end(), stage->weightBuffer().floats());
        stage->update(step);
        versions.push_back(values());
    }
    return losses;
}

} // namespace

TEST_CASE("RoundPipe's gradients have the bits of one device, wherever its stages run", "[execute]")
{
    const auto recipe = GENERATE(as<std::string>(), "roundpipe", "roundpipe:stages=6", "roundpipe:stages=6,plan=greedy",
                                 "roundpipe:stages=3,update=sync", "roundpipe:stages=5,plan=greedy,limit=2");
    const auto [devices, microbatches] = GENERATE(std::pair(4, 4), std::pair(2, 3), std::pair(1, 2), std::pair(3, 1));
    const bool recompute = GENERATE(false, true);
    CAPTURE(recipe, devices, microbatches, recompute);
    cpu::TransformerConfig config = cpu::smallConfig();
    config.recompute = recompute;
    constexpr int steps = 4;
    const Schedule schedule = scheduleOf(recipe, devices, microbatches, 0, steps);
    std::vector<int> partition(static_cast<std::size_t>(schedule.shape.stages), 1);
    partition.back() = 2;
    const RunResult result = trained(schedule, config, partition, {.verify = true});
    INFO(result.sentence << result.verify.sentence);
    REQUIRE(result.state == RunResult::State::Complete);
    CHECK(result.verify.bitEqual);
    CHECK(result.leakedBytes == 0);
    config.blocks = std::accumulate(partition.begin(), partition.end(), 0);
    const std::size_t delay = recipe.find("sync") != std::string::npos ? 0 : 1;
    CHECK(result.losses == delayedLosses(config, microbatches, steps, delay));
}

TEST_CASE("RoundPipe completes with one message in flight: only data takes room", "[execute]")
{
    const Schedule schedule = scheduleOf("roundpipe", 4, 6, 0, 2);
    const RunResult result = trained(schedule, cpu::smallConfig(), {1, 1, 1, 1}, {.verify = true, .capacity = 1});
    INFO(result.sentence);
    REQUIRE(result.state == RunResult::State::Complete);
    CHECK(result.verify.bitEqual);
}
