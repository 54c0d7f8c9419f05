// Asynchronous schedules, really executed: every forward and backward has to compute with the version of
// the weights that the family's definition says, so that training ends where a direct simulation of the
// update rule ends. The definitions here are formulas; the engine follows the order of the schedule.

#include "core/base/error.h"
#include "core/execute/direct.h"
#include "core/experiment.h"
#include "core/simulate/memory.h"
#include "tests/kernels/fixture.h"
#include "tests/support/execution.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <functional>

using namespace bubblescope;
using namespace bubblescope::test;

namespace {

/// The version that F or B of microbatch i on stage s reads, of p stages with updates every k microbatches.
using Formula = std::function<int(int i, int s, int p, int k)>;

struct Family {
    std::string recipe;
    int every;
    Formula forward;
    Formula backward;
    cpu::Optimizer optimizer = cpu::Optimizer::AdamW;
};

int stashed(int i, int s, int p, int)
{
    return std::max(0, i - (p - 1 - s));
}

int newest(int i, int, int, int k)
{
    return i / k;
}

int late(int i, int s, int p, int)
{
    return std::max(0, i - 2 * (p - 1 - s));
}

std::vector<Family> families()
{
    const Formula vertical = [](int i, int, int p, int) { return std::max(0, i - (p - 1)); };
    const Formula delayed = [](int i, int, int, int k) { return std::max(0, i / k - 1); };
    const Formula held = [](int i, int s, int p, int k) { return std::max(0, i - (p - 1 - s)) / k; };
    using cpu::Optimizer;
    return {
        {"pipedream", 1, stashed, stashed, Optimizer::AdamW},
        {"pipedream", 1, stashed, stashed, Optimizer::Sgd},
        {"pipedream:sync=vertical", 1, vertical, vertical, Optimizer::Sgd},
        {"pipedream-2bw:every=4", 4, delayed, delayed, Optimizer::AdamW},
        {"pipedream-2bw:every=5", 5, delayed, delayed, Optimizer::Sgd},
        {"paci:every=1", 1, held, newest, Optimizer::Sgd},
        {"paci:every=2", 2, held, newest, Optimizer::AdamW},
        {"paci:every=3", 3, held, newest, Optimizer::Momentum},
        {"pipelined-backprop", 1, late, newest, Optimizer::Sgd},
        {"pipelined-backprop:weights=stashed", 1, late, late, Optimizer::AdamW},
        {"pipelined-backprop:spike=yes", 1, late, newest, Optimizer::Momentum},
        {"pipelined-backprop:predict=velocity", 1, late, newest, Optimizer::Momentum},
        {"pipelined-backprop:predict=weights", 1, late, newest, Optimizer::AdamW},
        {"pipelined-backprop:spike=yes,predict=weights", 1, late, newest, Optimizer::Momentum},
        {"pipelined-backprop:spike=yes,predict=velocity", 1, late, newest, Optimizer::Momentum},
    };
}

VersionRule ruleOf(const Family& family, const Schedule& schedule)
{
    VersionRule rule;
    const int stages = schedule.shape.stages;
    for (int s = 0; s < stages; ++s) {
        auto& forward = rule.forward.emplace_back();
        auto& backward = rule.backward.emplace_back();
        for (int i = 0; i < schedule.shape.microbatches.front() * schedule.shape.steps; ++i) {
            forward.push_back(family.forward(i, s, stages, family.every));
            backward.push_back(family.backward(i, s, stages, family.every));
        }
    }
    return rule;
}

cpu::TransformerConfig configFor(const Family& family, int blocks)
{
    cpu::TransformerConfig config = cpu::smallConfig();
    config.blocks = blocks;
    config.batch = 1;
    config.sequence = 12;
    config.optimizer = family.optimizer;
    config.learningRate = family.optimizer == cpu::Optimizer::AdamW ? 3e-3F : 0.03F;
    return config;
}

/// A run and what is needed to repeat it without a pipeline.
struct Trained {
    Schedule schedule;
    cpu::TransformerConfig config;
    std::vector<int> partition;
    RunResult result;

    /// Weights as an executor's end: what --verify compares, with a rule from elsewhere.
    VerifyResult against(const VersionRule& rule) const
    {
        const cpu::TransformerMaker maker = cpu::makerOf(config);
        const DirectRun direct = trainDirectly({maker, partition, schedule, config.recompute}, rule, Progress());
        return compareTraining(result.weights, result.losses, direct);
    }
};

Trained train(Schedule schedule, const cpu::TransformerConfig& config, RunOptions options = {})
{
    Trained trained{std::move(schedule), config, {}, {}};
    trained.partition.assign(static_cast<std::size_t>(trained.schedule.shape.stages), 1);
    trained.partition.back() = config.blocks - trained.schedule.shape.stages + 1;
    const cpu::TransformerMaker maker = cpu::makerOf(config);
    Backend backend;
    backend.kind = Backend::Kind::Cpu;
    backend.maker = &maker;
    backend.partition = trained.partition;
    backend.recompute = config.recompute;
    options.keepWeights = true;
    trained.result = run(trained.schedule, unitCosts(trained.schedule), backend, options);
    REQUIRE(trained.result.sentence.empty());
    REQUIRE(trained.result.state == RunResult::State::Complete);
    CHECK(trained.result.leakedBytes == 0);
    return trained;
}

/// Enough microbatches for twenty updates, in steps of four.
Schedule twentyUpdates(const Family& family, int p)
{
    return scheduleOf(family.recipe, p, 4, 0, (20 * family.every + 3) / 4);
}

/// Versions of F and B as the trace shows them.
VersionRule shownVersions(const Trained& trained)
{
    VersionRule shown;
    const auto microbatches =
        static_cast<std::size_t>(trained.schedule.shape.microbatches.front() * trained.schedule.shape.steps);
    shown.forward.assign(static_cast<std::size_t>(trained.schedule.shape.stages),
                         std::vector<int>(microbatches, noVersion));
    shown.backward = shown.forward;
    for (const TraceLane& lane : trained.result.trace.lanes)
        for (const Span& span : lane.spans) {
            const auto at = static_cast<std::size_t>(span.task.microbatch);
            if (span.task.work == Work::Forward)
                shown.forward[span.task.stage][at] = span.version;
            else if (span.task.work == Work::Backward)
                shown.backward[span.task.stage][at] = span.version;
        }
    return shown;
}

/// Values of a counter, without the times and without repetitions.
std::vector<std::int64_t> values(const Trace& trace, const std::string& name, Device device)
{
    for (const Counter& counter : trace.counters)
        if (counter.name == name && counter.device == device) {
            std::vector<std::int64_t> values;
            for (const auto& [time, value] : counter.samples)
                values.push_back(value);
            return values;
        }
    return {};
}

} // namespace

TEST_CASE("twenty updates of every asynchronous family are those of a direct simulation", "[execute][asynchronous]")
{
    const auto index = GENERATE(range(std::size_t{0}, std::size_t{15}));
    const Family family = families().at(index);
    const auto p = GENERATE(3, 4);
    CAPTURE(family.recipe, p, static_cast<int>(family.optimizer));
    const Trained trained = train(twentyUpdates(family, p), configFor(family, p + 1));
    const VersionRule rule = ruleOf(family, trained.schedule);
    const VersionRule shown = shownVersions(trained);
    CHECK(shown.forward == rule.forward);
    CHECK(shown.backward == rule.backward);
    const VerifyResult result = trained.against(rule);
    CAPTURE(result.sentence);
    CHECK(result.passed);
    CHECK(result.maxRelativeGradientError <= VerifyResult::gradientTolerance);
    CHECK(result.bitEqual);
    CHECK(trained.result.losses.size() == static_cast<std::size_t>(trained.schedule.shape.steps));
}

TEST_CASE("a version off by one is far outside the tolerance", "[execute][asynchronous]")
{
    const auto index = GENERATE(range(std::size_t{0}, std::size_t{15}));
    const Family family = families().at(index);
    CAPTURE(family.recipe, static_cast<int>(family.optimizer));
    const Trained trained = train(twentyUpdates(family, 3), configFor(family, 3));
    const VersionRule right = ruleOf(family, trained.schedule);
    REQUIRE(trained.against(right).passed);
    for (const bool forward : {true, false})
        for (std::size_t s = 0; s < 3; ++s) {
            VersionRule wrong = right;
            for (int& version : (forward ? wrong.forward : wrong.backward)[s])
                version = std::max(0, version - 1);
            // The backward of stage 0 hands no gradient on, so the weights that it reads there change nothing in
            // the first block's inputs: the last block of stage 0 still sees them, so it has to fail there too.
            CAPTURE(forward, s);
            const VerifyResult result = trained.against(wrong);
            CHECK_FALSE(result.passed);
            CHECK(result.maxRelativeGradientError > 10 * VerifyResult::gradientTolerance);
            CHECK_THAT(result.sentence, Catch::Contains("direct simulation") && Catch::Contains("is allowed"));
        }
}

TEST_CASE("one forward on the wrong side of an update is found", "[execute][asynchronous]")
{
    const Family family = families().front();
    Schedule schedule = scheduleOf("pipedream", 3, 20);
    const Lane lane = schedule.lanes[schedule.computeLane(Device(1))];
    const auto at =
        std::find(schedule.tasks.begin() + lane.begin, schedule.tasks.begin() + lane.end, *taskFromText("1U3"));
    REQUIRE((at + 1)->work == Work::Forward);
    std::iter_swap(at, at + 1);
    schedule.semantics.maxDrift = 3;
    schedule.semantics.maxVersions = 4;
    const Trained trained = train(schedule, configFor(family, 3), {.verify = true});
    CHECK(trained.result.verify.bitEqual);                                 // it does what its order says …
    const VerifyResult result = trained.against(ruleOf(family, schedule)); // … which isn't PipeDream
    CHECK_FALSE(result.passed);
    CHECK(shownVersions(trained).forward != ruleOf(family, schedule).forward);
}

TEST_CASE("verifying an asynchronous run compares its training and says with what", "[execute][asynchronous]")
{
    const Family family = families().front();
    const Trained trained = train(scheduleOf("pipedream", 3, 4, 0, 5), configFor(family, 3), {.verify = true});
    CHECK(trained.result.verify.ran);
    CHECK(trained.result.verify.passed);
    CHECK(trained.result.verify.bitEqual);
    CHECK_THAT(trained.result.verify.sentence,
               Catch::Contains("bits of a direct simulation of the update rule over 20 updates"));
    CHECK(trained.result.losses.size() == 5);
}

TEST_CASE("replicas of a stage average, and recomputation changes nothing", "[execute][asynchronous]")
{
    const auto text = GENERATE(as<std::string>(), "pipedream:replicas=2-1", "pipedream:replicas=1-2",
                               "pipedream:replicas=1-2-1", "pipedream:replicas=2-2,sync=vertical",
                               "pipedream:replicas=3-2-1", "pipedream-2bw:every=4", "paci:every=2");
    const auto recompute = GENERATE(false, true);
    CAPTURE(text, recompute);
    const std::size_t list = text.find('=');
    int devices = 4;
    if (text.find("replicas") != std::string::npos) {
        devices = 0;
        for (const char c : text.substr(list + 1, text.find(',') - list - 1))
            devices += c == '-' ? 0 : c - '0';
    }
    Family family = families().front();
    cpu::TransformerConfig config = configFor(family, 4);
    config.recompute = recompute;
    // Nine steps of three: the last rounds of two replicas and the last updates are cut short.
    const Trained trained =
        train(scheduleOf(text, devices, text.find("2bw") != std::string::npos ? 4 : 3, 0, 9), config, {.verify = true});
    CAPTURE(trained.result.verify.sentence);
    CHECK(trained.result.verify.passed);
    CHECK(trained.result.verify.bitEqual);
    CHECK(trained.result.losses.size() == 9);
    // The replicas of a stage read versions that count rounds.
    if (text == "pipedream:replicas=2-1") {
        const VersionRule shown = shownVersions(trained);
        for (int i = 0; i < 27; ++i) {
            CHECK(shown.forward[0][static_cast<std::size_t>(i)] == std::max(0, i / 2 - 1));
            CHECK(shown.backward[1][static_cast<std::size_t>(i)] == i);
        }
    }
}

TEST_CASE("one device trains asynchronously as it says", "[execute][asynchronous]")
{
    for (const char* text : {"pipedream", "pipedream-2bw:every=2", "paci:every=3", "pipelined-backprop"}) {
        CAPTURE(text);
        const Trained trained = train(scheduleOf(text, 1, 4, 0, 3), configFor(families().front(), 2), {.verify = true});
        CHECK(trained.result.verify.bitEqual);
        CHECK(trained.result.losses.size() == 3);
    }
}

TEST_CASE("the weights that a device holds are the predicted ones after every task", "[execute][asynchronous][memory]")
{
    const auto index = GENERATE(range(std::size_t{0}, std::size_t{15}));
    const Family family = families().at(index);
    CAPTURE(family.recipe);
    const cpu::TransformerConfig config = configFor(family, 4);
    const Trained trained = train(scheduleOf(family.recipe, 4, 6, 0, 3), config);
    ModelSpec model;
    model.layers = config.blocks;
    model.hidden = config.hidden;
    model.heads = config.heads;
    model.sequence = config.sequence;
    model.batch = config.batch;
    model.vocabulary = config.vocabulary;
    const MemoryRules rules =
        transformerMemory(model, trained.partition, false, cpu::optimizerStates(config.optimizer));
    const std::vector<MemoryBytes> after = bytesAfterTasks(trained.schedule, rules);
    for (int device = 0; device < 4; ++device) {
        const Lane& lane = trained.schedule.lanes[trained.schedule.computeLane(Device(device))];
        for (const MemoryClass memoryClass : {MemoryClass::Weight, MemoryClass::Optimizer, MemoryClass::Activation}) {
            std::vector<std::int64_t> expected;
            for (TaskId id = lane.begin; id < lane.end; ++id)
                if (const std::int64_t bytes = after[id][static_cast<std::size_t>(memoryClass)];
                    bytes != (expected.empty() ? 0 : expected.back()))
                    expected.push_back(bytes);
            CAPTURE(device, memoryClassName(memoryClass));
            CHECK(values(trained.result.trace, std::string("memory.") + memoryClassName(memoryClass), Device(device)) ==
                  expected);
        }
    }
}

TEST_CASE("what an asynchronous run can't do is refused before it starts", "[execute][asynchronous]")
{
    const auto refused = [](const std::string& recipe, cpu::Optimizer optimizer, RunOptions options = {}) {
        Family family = families().front();
        family.optimizer = optimizer;
        try {
            train(scheduleOf(recipe, 3, 4), configFor(family, 3), options);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    CHECK_THAT(refused("pipelined-backprop:spike=yes", cpu::Optimizer::AdamW), Catch::Contains("--optimizer sgdm"));
    CHECK_THAT(refused("pipelined-backprop:predict=velocity", cpu::Optimizer::Sgd), Catch::Contains("momentum"));
    CHECK(refused("pipelined-backprop:predict=weights", cpu::Optimizer::Sgd).empty());
    CHECK_THAT(refused("pipedream", cpu::Optimizer::Sgd, {.steps = 2}),
               Catch::Contains("steps of this schedule overlap") && Catch::Contains("all 2 of them"));
}
