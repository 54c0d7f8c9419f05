// Gradients clipped by their norm over all stages: behind a barrier, and validated after the updates.

#include "core/base/error.h"
#include "core/execute/vocabulary_module.h"
#include "tests/kernels/fixture.h"
#include "tests/support/execution.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <map>
#include <mutex>

using namespace bubblescope;
using namespace bubblescope::test;

namespace {

constexpr double neverReached = 1e6;
constexpr int steps = 4;

/// What a test changes in the stages, and what it sees of them.
struct Seam {
    int spoiltMicrobatch = -1; ///< its weight gradients aren't finite on the first block's stage or the last
    bool spoilsLast = false;
    bool refusesRedo = false; ///< a second update of the same step does nothing
    int mostForwards = 1000;  ///< of the first stage; the next one fails
    mutable std::mutex mutex;
    mutable std::map<int, int> forwards; ///< by first block; with the rehearsal's
    mutable int repeatedUpdates = 0;
};

class WatchedStage final : public StageModule {
public:
    WatchedStage(std::unique_ptr<StageModule> stage, const Seam& seam, const StageLayers& layers)
        : m_stage(std::move(stage)), m_seam(seam), m_layers(layers)
    {
    }

    Buffer forward(const DataKey& key, Buffer input) override
    {
        {
            const std::lock_guard lock(m_seam.mutex);
            const int count = ++m_seam.forwards[m_layers.firstBlock];
            if (m_layers.embedding && count > m_seam.mostForwards)
                throw Failure("too many");
        }
        return m_stage->forward(key, std::move(input));
    }

    Buffer inputGradient(const DataKey& key, Buffer gradient) override
    {
        return m_stage->inputGradient(key, std::move(gradient));
    }

    void weightGradient(const DataKey& key) override
    {
        m_stage->weightGradient(key);
        if (key.microbatch == m_seam.spoiltMicrobatch && (m_seam.spoilsLast ? m_layers.head : m_layers.embedding))
            m_stage->gradientBuffer().floats()[1] = std::numeric_limits<float>::infinity();
    }

    void update(int step) override
    {
        if (step == m_lastStep) {
            const std::lock_guard lock(m_seam.mutex);
            ++m_seam.repeatedUpdates;
        }
        if (step == m_lastStep && m_seam.refusesRedo)
            std::fill_n(gradientBuffer().floats(), gradientBuffer().size() / sizeof(float), 0.0F);
        else
            m_stage->update(step);
        m_lastStep = step;
    }

    void recompute(const DataKey& key) override { m_stage->recompute(key); }

    void release(const DataKey& key) override { m_stage->release(key); }

    double takeLoss() override { return m_stage->takeLoss(); }

    std::vector<ParameterView> parameters() const override { return m_stage->parameters(); }

    Buffer& weightBuffer() override { return m_stage->weightBuffer(); }

    Buffer& gradientBuffer() override { return m_stage->gradientBuffer(); }

    Buffer* optimizerBuffer() override { return m_stage->optimizerBuffer(); }

    std::unique_ptr<KeptState> detach(const DataKey& key) override { return m_stage->detach(key); }

    void attach(const DataKey& key, std::unique_ptr<KeptState> state) override
    {
        m_stage->attach(key, std::move(state));
    }

    std::vector<DataKey> pending() const override { return m_stage->pending(); }

private:
    std::unique_ptr<StageModule> m_stage;
    const Seam& m_seam;
    StageLayers m_layers;
    int m_lastStep = -1;
};

class WatchedMaker final : public StageMaker {
public:
    WatchedMaker(const cpu::TransformerConfig& config, const Seam& seam) : m_maker(cpu::makerOf(config)), m_seam(seam)
    {
    }

    std::unique_ptr<StageModule> make(const StageLayers& layers, const StepData& data, Arena& arena) const override
    {
        return std::make_unique<WatchedStage>(m_maker.make(layers, data, arena), m_seam, layers);
    }

    std::unique_ptr<VocabularyModule> makeShard(const VocabularyShare& share, const StepData& data,
                                                Arena& arena) const override
    {
        return m_maker.makeShard(share, data, arena);
    }

    void enterThread() const override { m_maker.enterThread(); }

private:
    cpu::TransformerMaker m_maker;
    const Seam& m_seam;
};

cpu::TransformerConfig configFor(int stages)
{
    cpu::TransformerConfig config = cpu::smallConfig();
    config.blocks = stages;
    config.hidden = 16;
    config.sequence = 8;
    config.learningRate = 3e-3F;
    return config;
}

RunResult trained(const Schedule& schedule, double clipNorm, const Seam& seam = {}, RunOptions options = {},
                  cpu::Optimizer optimizer = cpu::Optimizer::AdamW)
{
    cpu::TransformerConfig config = configFor(schedule.shape.stages);
    config.optimizer = optimizer;
    const WatchedMaker maker(config, seam);
    Backend backend;
    backend.kind = Backend::Kind::Cpu;
    backend.maker = &maker;
    backend.partition.assign(static_cast<std::size_t>(schedule.shape.stages), 1);
    backend.clipNorm = clipNorm;
    options.keepWeights = true;
    options.warmup = 0;
    return run(schedule, unitCosts(schedule), backend, options);
}

std::string validatedLater(const std::string& recipe)
{
    return recipe + (recipe.find(':') == std::string::npos ? ":" : ",") + "update=post-validation";
}

void checkWhole(const RunResult& result)
{
    INFO(result.sentence);
    REQUIRE(result.state == RunResult::State::Complete);
    REQUIRE(result.losses.size() == steps);
    CHECK(result.leakedBytes == 0);
}

/// Losses and weights by bits; true when they are the same.
bool sameTraining(const RunResult& a, const RunResult& b)
{
    if (a.losses != b.losses || a.weights.size() != b.weights.size())
        return false;
    for (std::size_t i = 0; i < a.weights.size(); ++i)
        if (a.weights[i].name != b.weights[i].name || a.weights[i].values != b.weights[i].values)
            return false;
    return true;
}

double farthestLoss(const RunResult& a, const RunResult& b)
{
    double farthest = 0;
    for (std::size_t i = 0; i < a.losses.size(); ++i)
        farthest = std::max(farthest, std::abs(a.losses[i] - b.losses.at(i)));
    return farthest;
}

/// A limit that about half of a run's steps exceed.
double middleNorm(const Schedule& schedule)
{
    double low = 0;
    double high = 100;
    for (int i = 0; i < 30; ++i) {
        const double middle = (low + high) / 2;
        const int clipped = trained(schedule, middle).clips.clipped;
        if (clipped > 0 && clipped < steps)
            return middle;
        (clipped == 0 ? high : low) = middle;
    }
    return low;
}

} // namespace

TEST_CASE("a limit that is never reached leaves the bits of both ways to update as they are", "[execute]")
{
    const auto recipe = GENERATE(as<std::string>(), "zb-h1", "zb-h2", "zb-auto");
    const auto shape = GENERATE(std::pair(1, 3), std::pair(2, 3), std::pair(4, 8), std::pair(3, 2));
    CAPTURE(recipe, shape.first, shape.second);
    const Schedule barrier = scheduleOf(recipe, shape.first, shape.second, 1, steps);
    const Schedule later = scheduleOf(validatedLater(recipe), shape.first, shape.second, 1, steps);
    const RunResult free = trained(barrier, 0);
    const RunResult limited = trained(barrier, neverReached);
    const RunResult validated = trained(later, neverReached);
    checkWhole(limited);
    checkWhole(validated);
    CHECK(sameTraining(free, limited));
    CHECK(sameTraining(free, validated));
    CHECK(validated.clips.clipped == 0);
    CHECK(validated.clips.rollbacks == 0);
}

TEST_CASE("updates that were wrong are taken back and made again, with the bits of those behind a barrier", "[execute]")
{
    const auto recipe = GENERATE(as<std::string>(), "zb-h1", "zb-h2", "zb-auto:limit=2p");
    const auto shape = GENERATE(std::pair(1, 3), std::pair(2, 3), std::pair(4, 8));
    const auto optimizer = GENERATE(cpu::Optimizer::AdamW, cpu::Optimizer::Sgd, cpu::Optimizer::Momentum);
    CAPTURE(recipe, shape.first, shape.second, static_cast<int>(optimizer));
    const Schedule barrier = scheduleOf(recipe, shape.first, shape.second, 1, steps);
    const Schedule later = scheduleOf(validatedLater(recipe), shape.first, shape.second, 1, steps);
    const RunResult free = trained(barrier, 0, {}, {}, optimizer);
    for (const int capacity : {0, 1}) {
        const double limit = 0.2;
        const RunResult limited = trained(barrier, limit, {}, {}, optimizer);
        RunOptions options;
        options.capacity = capacity;
        const Seam seam;
        const RunResult validated = trained(later, limit, seam, options, optimizer);
        if (capacity > 0 && trained(later, neverReached, {}, options).state == RunResult::State::Failed)
            continue; // the order needs more room, with or without rollbacks
        checkWhole(limited);
        checkWhole(validated);
        CHECK(sameTraining(limited, validated));
        CHECK_FALSE(sameTraining(limited, free));
        CHECK(limited.clips.clipped == validated.clips.clipped);
        CHECK(validated.clips.clipped > 0);
        CHECK(limited.clips.rollbacks == 0);
        CHECK(validated.clips.rollbacks == (shape.first > 1 ? validated.clips.clipped : 0));
        CHECK((seam.repeatedUpdates > 0) == (shape.first > 1));
    }
}

TEST_CASE("only steps over the limit are rolled back, and the trace shows what was repeated", "[execute]")
{
    const Schedule barrier = scheduleOf("zb-h2", 4, 8, 1, steps);
    const Schedule later = scheduleOf("zb-h2:update=post-validation", 4, 8, 1, steps);
    const double limit = middleNorm(barrier);
    const RunResult limited = trained(barrier, limit);
    const Seam seam;
    const RunResult validated = trained(later, limit, seam);
    checkWhole(validated);
    CHECK(sameTraining(limited, validated));
    CHECK(validated.clips.rollbacks > 0);
    CHECK(validated.clips.rollbacks < steps);
    // Stage s has 2(4 − s) − 1 forwards before its first I; those of a next step are repeated.
    std::map<std::pair<std::uint16_t, int>, int> spans;
    for (const TraceLane& lane : validated.trace.lanes)
        for (const Span& span : lane.spans)
            if (span.task.work == Work::Forward)
                ++spans[{lane.device.value, span.task.microbatch.value}];
    std::map<std::uint16_t, int> repeated;
    for (const auto& [key, count] : spans)
        repeated[key.first] += count - 1;
    const int inside = repeated[3]; // one for every rolled-back step but a last one
    CHECK(inside >= validated.clips.rollbacks - 1);
    CHECK(inside > 0);
    for (int stage = 0; stage < 4; ++stage) {
        CHECK(repeated[static_cast<std::uint16_t>(stage)] == inside * (2 * (4 - stage) - 1));
        CHECK(seam.forwards[stage] == steps * 8 + inside * (2 * (4 - stage) - 1));
    }
    CHECK(validated.trace.spanCount() == later.tasks.size() + static_cast<std::size_t>(inside) * (7 + 5 + 3 + 1));
}

TEST_CASE("the last step of a schedule is validated before the schedule begins again", "[execute]")
{
    const RunOptions options{.steps = steps};
    const RunResult limited = trained(scheduleOf("zb-h2", 3, 5), 0.2, {}, options);
    const RunResult validated = trained(scheduleOf("zb-h2:update=post-validation", 3, 5), 0.2, {}, options);
    checkWhole(validated);
    CHECK(sameTraining(limited, validated));
    CHECK(validated.clips.rollbacks == limited.clips.clipped);
    CHECK(validated.clips.rollbacks > 0);
}

TEST_CASE("a failure among repeated tasks ends the run with a sentence and nothing left over", "[execute]")
{
    const Schedule later = scheduleOf("zb-h2:update=post-validation", 3, 6, 1, steps);
    Seam seam;
    seam.mostForwards = 6 + 5 + 2; // a step, the next one's warm-up, two of those again
    const RunResult result = trained(later, 0.2, seam);
    CHECK(result.state == RunResult::State::Failed);
    CHECK_THAT(result.sentence, Catch::Contains("at 0F8: too many"));
    CHECK(result.leakedBytes == 0);
}

TEST_CASE("a step whose norm isn't finite is skipped in both ways", "[execute]")
{
    const auto last = GENERATE(false, true);
    const auto step = GENERATE(0, 2, 3);
    CAPTURE(last, step);
    Seam seam;
    seam.spoiltMicrobatch = step * 6 + 4;
    seam.spoilsLast = last;
    const Schedule barrier = scheduleOf("zb-h2", 3, 6, 1, steps);
    const Schedule later = scheduleOf("zb-h2:update=post-validation", 3, 6, 1, steps);
    const RunResult limited = trained(barrier, neverReached, seam);
    const RunResult validated = trained(later, neverReached, seam);
    checkWhole(limited);
    checkWhole(validated);
    CHECK(limited.clips.skipped == 1);
    CHECK(validated.clips.skipped == 1);
    CHECK(validated.clips.rollbacks == (last ? 1 : 0)); // the first stage's norm tells all others
    CHECK(sameTraining(limited, validated));
    CHECK_FALSE(sameTraining(limited, trained(barrier, neverReached)));
    for (const TensorGradient& tensor : validated.weights)
        for (const float value : tensor.values)
            REQUIRE(std::isfinite(value));
}

TEST_CASE("without the second update, or after a wrong limit, the training differs", "[execute]")
{
    const double limit = 0.2;
    const Schedule barrier = scheduleOf("zb-h2", 4, 8, 1, steps);
    const Schedule later = scheduleOf("zb-h2:update=post-validation", 4, 8, 1, steps);
    Seam seam;
    seam.refusesRedo = true;
    const RunResult limited = trained(barrier, limit);
    const RunResult wrong = trained(later, limit, seam);
    checkWhole(wrong);
    CHECK(seam.repeatedUpdates > 0);
    CHECK(farthestLoss(limited, wrong) > 1e-3);
    CHECK(farthestLoss(limited, trained(later, limit * 1.01)) > 0);
}

TEST_CASE("the norm over all stages doesn't depend on the schedule or on replicas", "[execute]")
{
    const double limit = 0.2;
    const RunResult plain = trained(scheduleOf("gpipe", 4, 4, 0, steps), limit);
    checkWhole(plain);
    CHECK(plain.clips.clipped > 0);

    struct Row {
        std::string recipe;
        int devices;
    };

    for (const Row& row : {Row{"1f1b", 4}, Row{"zb-v", 2}, Row{"interleaved-1f1b", 2}, Row{"bfpp", 2},
                           Row{"chimera", 4}, Row{"vocab-1", 4}, Row{"vocab-2", 4}}) {
        CAPTURE(row.recipe);
        const RunResult result = trained(scheduleOf(row.recipe, row.devices, 4, 0, steps), limit);
        checkWhole(result);
        CHECK(result.clips.clipped == plain.clips.clipped);
        CHECK(farthestLoss(plain, result) < 1e-5);
    }
}

TEST_CASE("what can't be clipped is refused with a sentence", "[execute]")
{
    const auto refused = [](const std::string& recipe, double limit) -> std::string {
        try {
            const Schedule schedule = scheduleOf(recipe, 2, 4, 0, recipe == "pipedream" ? 2 : 1);
            trained(schedule, limit);
        } catch (const Error& error) {
            return error.what();
        }
        return "";
    };
    CHECK_THAT(refused("1f1b", -1), Catch::Contains("norm of -1"));
    CHECK_THAT(refused("pipedream", 1), Catch::Contains("without waiting for each other"));
    CHECK(refused("1f1b", 1).empty());
}
