// Numbers that families take, executed: units and limits, groups, several bases with chunks. Each has to train
// as one device does.

#include "tests/kernels/fixture.h"
#include "tests/support/execution.h"

#include <catch2/catch.hpp>

using namespace bubblescope;
using namespace bubblescope::test;

namespace {

struct Size {
    int devices;
    int chunks;
    int microbatches;
};

RunResult execute(const std::string& text, const Size& size, bool recompute)
{
    const Schedule schedule = scheduleOf(text, size.devices, size.microbatches, size.chunks);
    const std::vector<int> partition(static_cast<std::size_t>(schedule.shape.stages), 1);
    cpu::TransformerConfig config;
    config.blocks = schedule.shape.stages;
    config.hidden = 16;
    config.heads = 2;
    config.sequence = 8;
    config.batch = 1;
    config.vocabulary = 24;
    config.recompute = recompute;
    const cpu::TransformerMaker maker = cpu::makerOf(config);
    Backend backend;
    backend.kind = Backend::Kind::Cpu;
    backend.maker = &maker;
    backend.partition = partition;
    backend.recompute = recompute;
    return test::run(schedule, unitCosts(schedule), backend, {.verify = true});
}

void checkTrained(const RunResult& result)
{
    INFO(result.sentence << " " << result.verify.sentence);
    REQUIRE(result.state == RunResult::State::Complete);
    CHECK(result.verify.passed);
    CHECK(result.verify.maxRelativeGradientError <= VerifyResult::gradientTolerance);
    CHECK(result.leakedBytes == 0);
}

} // namespace

TEST_CASE("families with other numbers train as one device does", "[execute]")
{
    const std::vector<std::pair<std::string, Size>> cases{
        {"pipeoffload:offload=half,link=shared", {4, 2, 8}},
        {"pipeoffload:offload=full", {3, 3, 7}},
        {"zeropp:unit=2", {2, 2, 5}},
        {"zeropp:unit=8,limit=16", {4, 2, 8}},
        {"2bp:variant=gaps", {4, 1, 8}},
        {"2bp:base=gpipe", {3, 1, 5}},
        {"2bp:base=interleaved-1f1b", {2, 2, 4}},
        {"gis:group=3", {4, 2, 10}},
        {"chimera:pipes=4", {4, 1, 8}},
        {"chimera:pipes=8", {8, 1, 16}},
        {"hanayo:waves=2", {4, 4, 8}},
    };
    for (const auto& [text, size] : cases)
        for (const bool recompute : {false, true}) {
            CAPTURE(text, recompute);
            checkTrained(execute(text, size, recompute));
        }
    checkTrained(execute("gis:recompute=all", {4, 2, 8}, true));
}
