// The real model through the engine: every schedule has to train exactly as one device does.

#include "core/base/error.h"
#include "tests/kernels/fixture.h"
#include "tests/support/execution.h"

#include <catch2/catch.hpp>

using namespace bubblescope;
using namespace bubblescope::test;

namespace {

RunResult trained(const Schedule& schedule, const cpu::TransformerConfig& config, std::vector<int> partition,
                  RunOptions options)
{
    const cpu::TransformerMaker maker = cpu::makerOf(config);
    Backend backend;
    backend.kind = Backend::Kind::Cpu;
    backend.maker = &maker;
    backend.partition = std::move(partition);
    backend.recompute = config.recompute;
    return run(schedule, unitCosts(schedule), backend, options);
}

} // namespace

TEST_CASE("a transformer's gradients have the bits of one device in every schedule that adds in order", "[execute]")
{
    const auto recipe = GENERATE(as<std::string>(), "gpipe", "1f1b", "eager-1f1b", "zb-h1", "zb-h2");
    const auto shape = GENERATE(std::pair(2, 1), std::pair(4, 2), std::pair(4, 4), std::pair(3, 7), std::pair(1, 3));
    CAPTURE(recipe, shape.first, shape.second);
    Schedule schedule;
    try {
        schedule = scheduleOf(recipe, shape.first, shape.second);
    } catch (const Error&) {
        return; // a shape that the recipe doesn't build
    }
    cpu::TransformerConfig config = cpu::smallConfig();
    std::vector<int> uneven(static_cast<std::size_t>(shape.first), 1);
    uneven.back() = 2;
    config.blocks = shape.first + 1;
    config.recompute = shape.first == 3;
    const RunResult result = trained(schedule, config, uneven, {.verify = true});
    REQUIRE(result.state == RunResult::State::Complete);
    CHECK(result.verify.bitsExpected);
    CHECK(result.verify.bitEqual);
    CHECK(result.verify.loss == result.losses.at(0));
    CHECK(result.leakedBytes == 0);
}

TEST_CASE("a transformer's gradients agree by norm where the order of additions differs", "[execute]")
{
    cpu::TransformerConfig config = cpu::smallConfig();
    const Schedule lifo = scheduleOf("gpipe:backward=lifo", 4, 8);
    const RunResult result = trained(lifo, config, {1, 1, 1, 1}, {.verify = true});
    CHECK_FALSE(result.verify.bitsExpected);
    CHECK(result.verify.passed);
    config.blocks = 6;
    const Schedule chunks = scheduleOf("interleaved-1f1b", 2, 4);
    CHECK(trained(chunks, config, {2, 1, 1, 2}, {.verify = true}).verify.bitEqual);
}

TEST_CASE("updates that are validated later train with the bits of those behind a barrier", "[execute]")
{
    cpu::TransformerConfig config = cpu::smallConfig();
    config.learningRate = 3e-3F;
    for (const std::string id : {"zb-h1", "zb-h2", "zb-auto"}) {
        CAPTURE(id);
        const std::vector<int> partition{1, 1, 1, 1};
        const RunResult barrier = trained(scheduleOf(id, 4, 8, 1, 5), config, partition, {.steps = 5});
        const RunResult later =
            trained(scheduleOf(id + ":update=post-validation", 4, 8, 1, 5), config, partition, {.steps = 5});
        REQUIRE(later.state == RunResult::State::Complete);
        REQUIRE(barrier.losses.size() == 5);
        CHECK(later.losses == barrier.losses); // the last one is computed from four updates of every weight
        CHECK(later.leakedBytes == 0);
    }
}

TEST_CASE("a transformer's losses over several steps are those of one device", "[execute]")
{
    cpu::TransformerConfig config = cpu::smallConfig();
    config.learningRate = 3e-3F;
    const RunResult plain = trained(scheduleOf("1f1b", 4, 4), config, {1, 1, 1, 1}, {.steps = 8});
    const RunResult split = trained(scheduleOf("zb-h1", 4, 4), config, {1, 1, 1, 1}, {.steps = 8});
    REQUIRE(plain.losses.size() == 8);
    CHECK(plain.losses == split.losses);
    CHECK(plain.losses == trained(scheduleOf("gpipe", 1, 4), config, {4}, {.steps = 8}).losses);
}

TEST_CASE("a vocabulary in shards trains as a whole one, also where it can't be divided evenly", "[execute]")
{
    cpu::TransformerConfig config = cpu::smallConfig(); // 48 tokens
    config.blocks = 5;
    config.learningRate = 3e-3F;
    const RunResult whole = trained(scheduleOf("gpipe", 1, 6), config, {5}, {.steps = 6});
    REQUIRE(whole.losses.size() == 6);
    for (const char* recipe : {"vocab-1", "vocab-2"}) {
        CAPTURE(recipe);
        const RunResult shards = trained(scheduleOf(recipe, 5, 6), config, {1, 1, 1, 1, 1}, {.steps = 6});
        REQUIRE(shards.losses.size() == 6);
        for (std::size_t step = 0; step < 6; ++step)
            CHECK(shards.losses[step] == Approx(whole.losses[step]).epsilon(step == 0 ? 1e-6 : 1e-5));
        CHECK(shards.leakedBytes == 0);
    }
}

TEST_CASE("slices of sequences train as whole sequences on one device do", "[execute][slices]")
{
    const auto recipe = GENERATE(as<std::string>(), "seq1f1b:slices=2", "seq1f1b:slices=5", "seq1f1b:lengths=5+3+1",
                                 "seq1f1b:slices=3,sizes=balanced,attention=1", "terapipe:slices=4",
                                 "terapipe:sizes=auto,units=10,attention=0.5,overhead=0.05");
    const auto shape = GENERATE(std::pair(2, 1), std::pair(4, 4), std::pair(3, 5), std::pair(1, 2));
    const auto recompute = GENERATE(false, true);
    CAPTURE(recipe, shape.first, shape.second, recompute);
    cpu::TransformerConfig config = cpu::smallConfig();
    std::vector<int> uneven(static_cast<std::size_t>(shape.first), 1);
    uneven.back() = 2;
    config.blocks = shape.first + 1;
    config.recompute = recompute;
    const RunResult result =
        trained(scheduleOf(recipe, shape.first, shape.second), config, uneven, {.steps = 2, .verify = true});
    REQUIRE(result.sentence.empty());
    CHECK(result.verify.passed);
    CHECK(result.verify.maxRelativeGradientError < 1e-5);
    CHECK(result.verify.loss == Approx(result.verify.referenceLoss).epsilon(1e-6));
    CHECK(result.losses.size() == 2);
    CHECK(result.leakedBytes == 0);
}

TEST_CASE("packed and split sequences train as the same packing does on one device", "[execute][slices]")
{
    const auto recipe = GENERATE(as<std::string>(), "chunkflow:chunk=8,lengths=20+3+5+8+1+13",
                                 "chunkflow:chunk=4,keep=2,lengths=19+2+2+3+20",
                                 "chunkflow:chunk=5,keep=1,longest=20,seed=3", "chunkflow:chunk=20,longest=20");
    const auto shape = GENERATE(std::pair(1, 3), std::pair(4, 7), std::pair(3, 10));
    const auto recompute = GENERATE(false, true);
    CAPTURE(recipe, shape.first, shape.second, recompute);
    cpu::TransformerConfig config = cpu::smallConfig();
    config.blocks = shape.first;
    config.recompute = recompute;
    const RunResult result =
        trained(scheduleOf(recipe, shape.first, shape.second), config,
                std::vector<int>(static_cast<std::size_t>(shape.first), 1), {.steps = 2, .verify = true});
    REQUIRE(result.sentence.empty());
    CHECK(result.verify.passed);
    CHECK(result.verify.maxRelativeGradientError < 1e-5);
    CHECK(result.verify.loss == Approx(result.verify.referenceLoss).epsilon(1e-6));
    CHECK(result.leakedBytes == 0);
}
