// SkipPipe and DiffusionPipe executed: paths, idle replicas, encodings of the step before.

#include "core/base/error.h"
#include "tests/kernels/fixture.h"
#include "tests/support/execution.h"

#include <catch2/catch.hpp>

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
