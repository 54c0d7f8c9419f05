// Whatever order a schedule says, and however the model is cut: the same bits.

#include "core/base/error.h"
#include "fixture.h"

#include <catch2/catch.hpp>

#include <thread>

using namespace bubblescope;
using namespace bubblescope::cpu;

namespace {

std::unique_ptr<StageModule> wholeOf(const TransformerConfig& config, int microbatches, Arena& arena)
{
    return makerOf(config).make(wholeModel(config), {.microbatches = microbatches}, arena);
}

/// Stages one after the other, each with an arena of its own, as devices have.
struct Chain {
    std::vector<std::unique_ptr<Arena>> arenas;
    std::vector<std::unique_ptr<StageModule>> stages;

    Chain(const TransformerMaker& maker, const std::vector<StageLayers>& cuts, int microbatches)
    {
        for (const StageLayers& layers : cuts) {
            arenas.push_back(std::make_unique<Arena>());
            stages.push_back(maker.make(layers, {.microbatches = microbatches}, *arenas.back()));
        }
    }

    void forward(const DataKey& key)
    {
        Buffer flow;
        for (const auto& stage : stages)
            flow = stage->forward(key, std::move(flow));
        CHECK_FALSE(flow);
    }

    void backward(const DataKey& key, bool recompute)
    {
        Buffer flow;
        for (auto stage = stages.rbegin(); stage != stages.rend(); ++stage) {
            if (recompute)
                (*stage)->recompute(key);
            flow = (*stage)->inputGradient(key, std::move(flow));
            (*stage)->weightGradient(key);
        }
        CHECK_FALSE(flow);
    }

    std::vector<NamedValues> collect(const std::function<std::vector<NamedValues>(const StageModule&)>& from) const
    {
        std::vector<NamedValues> result;
        for (const auto& stage : stages)
            for (NamedValues& values : from(*stage))
                result.push_back(std::move(values));
        return result;
    }
};

} // namespace

TEST_CASE("weight gradients delayed to the end have the bits of a full backward")
{
    const TransformerConfig config = smallConfig();
    Arena arena;
    const auto full = wholeOf(config, 3, arena);
    const auto split = wholeOf(config, 3, arena);
    for (int i = 0; i < 3; ++i)
        runWhole(*full, keyOf(i));
    for (int i = 0; i < 3; ++i)
        split->forward(keyOf(i), {});
    for (const int i : {2, 0, 1}) // the order of I changes nothing
        split->inputGradient(keyOf(i), {});
    for (int i = 0; i < 3; ++i)
        split->weightGradient(keyOf(i));
    CHECK(split->takeLoss() == full->takeLoss());
    CHECK(gradientsOf(*split) == gradientsOf(*full));
}

TEST_CASE("recompute gives the bits of keeping everything")
{
    TransformerConfig config = smallConfig();
    Arena arena;
    const auto kept = wholeOf(config, 2, arena);
    config.recompute = true;
    const auto rebuilt = wholeOf(config, 2, arena);
    for (int i = 0; i < 2; ++i) {
        runWhole(*kept, keyOf(i));
        runWhole(*rebuilt, keyOf(i), true);
    }
    CHECK(rebuilt->takeLoss() == kept->takeLoss());
    CHECK(gradientsOf(*rebuilt) == gradientsOf(*kept));
}

TEST_CASE("stages chained by hand train like one module with all layers, in bits")
{
    const auto recompute = GENERATE(false, true);
    const auto optimizer = GENERATE(Optimizer::Sgd, Optimizer::AdamW);
    TransformerConfig config = smallConfig();
    config.optimizer = optimizer;
    Arena arena;
    const auto whole = wholeOf(config, 3, arena);
    config.recompute = recompute;
    const std::vector<std::vector<StageLayers>> cuts{
        {{0, 1, true, false}, {1, 1, false, false}, {2, 1, false, false}, {3, 1, false, true}},
        {{0, 0, true, false}, {0, 3, false, false}, {3, 1, false, false}, {4, 0, false, true}}};
    Chain chain(makerOf(config), cuts[GENERATE(0U, 1U)], 3);
    CHECK(chain.collect(valuesOf) == valuesOf(*whole));
    for (int step = 0; step < 2; ++step) {
        for (int i = 3 * step; i < 3 * step + 3; ++i)
            runWhole(*whole, keyOf(i));
        for (int i = 3 * step; i < 3 * step + 3; ++i)
            chain.forward(keyOf(i));
        for (int i = 3 * step; i < 3 * step + 3; ++i)
            chain.backward(keyOf(i), recompute);
        CHECK(chain.stages.back()->takeLoss() == whole->takeLoss());
        CHECK(chain.collect(gradientsOf) == gradientsOf(*whole));
        whole->update(step);
        for (const auto& stage : chain.stages)
            stage->update(step);
        CHECK(chain.collect(valuesOf) == valuesOf(*whole));
    }
    for (const auto& stage : chain.stages)
        CHECK(stage->pending().empty());
}

TEST_CASE("momentum's remedies for late gradients do what they say, and other optimizers refuse them")
{
    TransformerConfig config = smallConfig();
    config.optimizer = Optimizer::Momentum;
    config.learningRate = 0.1F;
    Arena arena;
    const auto plain = wholeOf(config, 1, arena);
    const auto late = wholeOf(config, 1, arena);
    CHECK(makerOf(config).hasVelocity());
    late->compensate(2);
    runWhole(*plain, keyOf(0));
    runWhole(*late, keyOf(0));
    const auto before = valuesOf(*plain);
    const auto gradients = gradientsOf(*plain);
    plain->update(0);
    late->update(0);
    const auto after = valuesOf(*plain);
    const auto compensated = valuesOf(*late);
    plain->extrapolate(3); // the velocity is the gradient now
    const auto ahead = valuesOf(*plain);
    for (std::size_t t = 0; t < before.size(); ++t)
        for (std::size_t i = 0; i < before[t].second.size(); i += 7) {
            const float g = gradients[t].second[i];
            REQUIRE(after[t].second[i] == Approx(before[t].second[i] - 0.1F * g).margin(1e-6));
            REQUIRE(compensated[t].second[i] ==
                    Approx(before[t].second[i] - 0.1F * (0.81F + 1.9F) * g).margin(1e-6)); // a = m², b = 1 + m
            REQUIRE(ahead[t].second[i] == Approx(after[t].second[i] - 0.3F * g).margin(1e-6));
        }
    config.optimizer = Optimizer::AdamW;
    CHECK_FALSE(makerOf(config).hasVelocity());
    CHECK_THROWS_AS(wholeOf(config, 1, arena)->compensate(1), Failure);
    CHECK_THROWS_AS(wholeOf(config, 1, arena)->extrapolate(1), Failure);
}

TEST_CASE("two pipes share one step's data")
{
    const TransformerConfig config = smallConfig();
    Arena arena;
    const auto one = makerOf(config).make(wholeModel(config), {.microbatches = 4}, arena);
    const auto two = makerOf(config).make(wholeModel(config), {.microbatches = 4, .pipes = 2}, arena);
    for (int i = 0; i < 4; ++i) {
        runWhole(*one, keyOf(i));
        runWhole(*two, keyOf(i / 2, i % 2));
    }
    CHECK(two->takeLoss() == one->takeLoss());
    CHECK(gradientsOf(*two) == gradientsOf(*one));
}

TEST_CASE("initial weights depend on the seed and the tensor's name only")
{
    TransformerConfig config = smallConfig();
    Arena arena;
    const TransformerMaker maker = makerOf(config);
    const auto whole = valuesOf(*maker.make(wholeModel(config), {.microbatches = 1}, arena));
    const auto part = valuesOf(*maker.make({2, 1, false, false}, {.microbatches = 1}, arena));
    for (const NamedValues& values : part) {
        INFO(values.first);
        CHECK(std::find(whole.begin(), whole.end(), values) != whole.end());
    }
    config.seed = 2;
    CHECK(valuesOf(*wholeOf(config, 1, arena)) != whole);
}

TEST_CASE("the first loss is near that of guessing, and is not counted twice")
{
    const TransformerConfig config = smallConfig();
    Arena arena;
    const auto stage = wholeOf(config, 2, arena);
    runWhole(*stage, keyOf(0));
    runWhole(*stage, keyOf(1));
    CHECK(stage->takeLoss() == Approx(std::log(config.vocabulary)).epsilon(0.02));
    CHECK(stage->takeLoss() == 0);
}

TEST_CASE("stages compute the same bits in several threads at once", "[threads]")
{
    const TransformerConfig config = smallConfig();
    const TransformerMaker maker = makerOf(config);
    constexpr int workers = 4;
    std::vector<std::vector<NamedValues>> results(workers);
    const auto work = [&](int worker) {
        maker.enterThread();
        Arena arena;
        const auto stage = maker.make(wholeModel(config), {.microbatches = 3}, arena);
        for (int i = 0; i < 3; ++i)
            runWhole(*stage, keyOf(i));
        results[static_cast<std::size_t>(worker)] = gradientsOf(*stage);
    };
    std::vector<std::thread> threads;
    for (int worker = 1; worker < workers; ++worker)
        threads.emplace_back(work, worker);
    work(0);
    for (std::thread& thread : threads)
        thread.join();
    for (const auto& result : results)
        CHECK(result == results.front());
}

TEST_CASE("an operation out of turn is refused by name")
{
    const TransformerConfig config = smallConfig();
    Arena arena;
    const auto stage = wholeOf(config, 1, arena);
    CHECK_THROWS_WITH(stage->inputGradient(keyOf(3), {}), Catch::Contains("backward of microbatch 3"));
    stage->forward(keyOf(3), {});
    CHECK(stage->pending() == std::vector<DataKey>{keyOf(3)});
    CHECK_THROWS_AS(stage->forward(keyOf(3), {}), Failure);
    CHECK_THROWS_AS(stage->weightGradient(keyOf(3)), Failure);
    CHECK_THROWS_AS(stage->recompute(keyOf(3)), Failure);
    stage->inputGradient(keyOf(3), {});
    CHECK_THROWS_AS(stage->inputGradient(keyOf(3), {}), Failure);
    stage->weightGradient(keyOf(3));
    CHECK(stage->pending().empty());
}

TEST_CASE("a message of the wrong size is refused")
{
    const TransformerConfig config = smallConfig();
    Arena arena;
    const auto stage = makerOf(config).make({1, 1, false, false}, {.microbatches = 1}, arena);
    CHECK_THROWS_WITH(stage->forward(keyOf(0), arena.get(12, MemoryClass::Message)),
                      Catch::Contains("received 12 bytes"));
    CHECK_THROWS_AS(stage->forward({Microbatch(1), Slice(1), Pipe(0)}, {}), Error);
}

TEST_CASE("sizes that cannot be are refused with a sentence")
{
    TransformerConfig config = smallConfig();
    config.heads = 5;
    CHECK_THROWS_WITH(makerOf(config), Catch::Contains("32 is not a multiple of the 5 heads; 35 would be"));
    config = smallConfig();
    config.sequence = 0;
    CHECK_THROWS_WITH(makerOf(config), Catch::Contains("sequence length is 0"));
    config = smallConfig();
    config.hidden = 1 << 20;
    CHECK_THROWS_WITH(makerOf(config), Catch::Contains("too large for the cpu backend"));
    config = smallConfig();
    config.vocabulary = 16;
    CHECK_THROWS_WITH(TransformerMaker(config, std::make_shared<ByteText>("a text")),
                      Catch::Contains("tokens up to 255"));
    CHECK_THROWS_AS(ByteText("x"), Error);
}
