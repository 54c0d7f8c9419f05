// Slices of sequences: whatever the cut, what the whole sequence gives.

#include "core/base/error.h"
#include "tests/kernels/fixture.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <numeric>

using namespace bubblescope;
using namespace bubblescope::cpu;

namespace {

using Lengths = std::vector<int>;

/// Rows of tokens that a test has written down.
struct GivenRows final : TokenSource {
    std::vector<std::vector<std::int32_t>> rows;

    int vocabulary() const override { return 13; }

    void sequence(std::int64_t number, std::span<std::int32_t> tokens, std::span<std::int32_t> next) const override
    {
        const std::vector<std::int32_t>& row = rows[static_cast<std::size_t>(number)];
        std::copy_n(row.begin(), tokens.size(), tokens.begin());
        for (std::size_t i = 0; i < next.size(); ++i)
            next[i] = row[i] * 5 % 13; // known from the token alone, wherever it stands
    }
};

Slicing cutOf(const Lengths& lengths)
{
    Slicing slicing;
    slicing.cuts = {{lengths}};
    slicing.whole = std::accumulate(lengths.begin(), lengths.end(), 0);
    return slicing;
}

/// Microbatches of given lengths, each a list of sequences that share one slice.
Slicing packsOf(const std::vector<Lengths>& packs)
{
    Slicing slicing{.cuts = {}, .tokens = true};
    for (const Lengths& pack : packs)
        slicing.cuts.push_back({{std::accumulate(pack.begin(), pack.end(), 0)}, pack});
    return slicing;
}

DataKey sliceOf(int microbatch, int slice)
{
    return {Microbatch(microbatch), Slice(slice), Pipe(0)};
}

struct Result {
    double loss = 0;
    std::vector<double> gradients;
};

TransformerConfig tinyConfig()
{
    TransformerConfig config = smallConfig();
    config.blocks = 2;
    config.sequence = 12;
    config.vocabulary = 13;
    return config;
}

/// F of all slices, then R, I and W from the last to the first; W at once or after all I. `released`: how many of the first
/// slices are dropped after F and recomputed.
Result trained(const TransformerConfig& config, const StepData& data, bool delayed = false, int released = 0,
               std::shared_ptr<const TokenSource> tokens = nullptr)
{
    if (!tokens)
        tokens = std::make_shared<CountedTokens>(config.vocabulary);
    Arena arena;
    Result result;
    {
        TransformerStage<double> stage({config, std::move(tokens)}, wholeModel(config), data, arena);
        for (std::size_t i = 0; i < stage.layout().count(); ++i)
            stage.weights()[i] += 0.3 * std::sin(static_cast<double>(i) * 12.9898);
        const auto slices = [&](int microbatch) {
            return data.slicing.empty() ? 1 : static_cast<int>(data.slicing.cut(microbatch).lengths.size());
        };
        for (int i = 0; i < data.microbatches; ++i)
            for (int k = 0; k < slices(i); ++k) {
                stage.forward(sliceOf(i, k), {});
                if (k < released)
                    stage.release(sliceOf(i, k));
            }
        for (int i = 0; i < data.microbatches; ++i)
            for (int k = slices(i); k-- > 0;) {
                if (config.recompute || k < released)
                    stage.recompute(sliceOf(i, k));
                stage.inputGradient(sliceOf(i, k), {});
                if (!delayed)
                    stage.weightGradient(sliceOf(i, k));
            }
        for (int i = 0; delayed && i < data.microbatches; ++i)
            for (int k = 0; k < slices(i); ++k)
                stage.weightGradient(sliceOf(i, k));
        CHECK(stage.pending().empty());
        result.loss = stage.takeLoss();
        result.gradients.assign(stage.gradients(), stage.gradients() + stage.layout().count());
        CHECK(arena.liveBytes(MemoryClass::Activation) == 0);
        CHECK(arena.liveBytes(MemoryClass::Boundary) == 0);
    }
    CHECK(arena.liveBytes() == 0);
    return result;
}

double apart(const Result& a, const Result& b)
{
    double difference = 0;
    double norm = 0;
    for (std::size_t i = 0; i < a.gradients.size(); ++i) {
        difference += std::pow(a.gradients[i] - b.gradients[i], 2);
        norm += std::pow(b.gradients[i], 2);
    }
    return std::sqrt(difference / norm);
}

} // namespace

TEST_CASE("a sliced sequence trains like a whole one", "[kernels][slices]")
{
    TransformerConfig config = tinyConfig();
    const Result whole = trained(config, {.microbatches = 2});
    for (const Lengths& lengths :
         std::vector<Lengths>{{1, 1}, {7, 5}, {1, 11}, {4, 4, 4}, {6, 3, 2, 1}, Lengths(12, 1)})
        for (const bool recompute : {false, true})
            for (const bool delayed : {false, true}) {
                CAPTURE(lengths, recompute, delayed);
                config.recompute = recompute;
                const Result sliced = trained(config, {.microbatches = 2, .slicing = cutOf(lengths)}, delayed);
                CHECK(sliced.loss == Approx(whole.loss).epsilon(1e-12));
                CHECK(apart(sliced, whole) < 1e-12);
            }
}

TEST_CASE("slices that are dropped after their forward come back by recomputation", "[kernels][slices]")
{
    const TransformerConfig config = tinyConfig();
    const StepData data{.microbatches = 2, .slicing = cutOf({4, 3, 3, 2})};
    const Result kept = trained(config, data);
    for (const int released : {1, 2, 4}) {
        const Result result = trained(config, data, false, released);
        CHECK(result.loss == kept.loss);
        CHECK(result.gradients == kept.gradients); // in bits
    }
}

TEST_CASE("the float model's slices keep to the tolerances of a verified run", "[kernels][slices]")
{
    TransformerConfig config = smallConfig();
    Arena arena;
    const auto whole = makerOf(config).make(wholeModel(config), {.microbatches = 1}, arena);
    runWhole(*whole, keyOf(0));
    const auto sliced =
        makerOf(config).make(wholeModel(config), {.microbatches = 1, .slicing = cutOf({9, 6, 5})}, arena);
    for (int k = 0; k < 3; ++k)
        sliced->forward(sliceOf(0, k), {});
    for (int k = 3; k-- > 0;) {
        sliced->inputGradient(sliceOf(0, k), {});
        sliced->weightGradient(sliceOf(0, k));
    }
    CHECK(sliced->takeLoss() == Approx(whole->takeLoss()).epsilon(1e-6));
    const auto expected = gradientsOf(*whole);
    const auto found = gradientsOf(*sliced);
    for (std::size_t tensor = 0; tensor < expected.size(); ++tensor) {
        Result a;
        Result b;
        a.gradients.assign(found[tensor].second.begin(), found[tensor].second.end());
        b.gradients.assign(expected[tensor].second.begin(), expected[tensor].second.end());
        INFO(expected[tensor].first);
        CHECK(apart(a, b) < 1e-5);
    }
}

TEST_CASE("sequences that share a slice don't see each other", "[kernels][slices]")
{
    TransformerConfig config = tinyConfig();
    config.batch = 1;
    const auto alone = std::make_shared<GivenRows>();
    alone->rows = {{3, 1, 4, 1, 5}, {9, 2, 6}, {5, 3, 5, 8, 9, 7, 9}};
    const auto packed = std::make_shared<GivenRows>();
    packed->rows = {{3, 1, 4, 1, 5, 9, 2, 6}, {5, 3, 5, 8, 9, 7, 9}};
    const Result separate = trained(config, {.microbatches = 3, .slicing = packsOf({{5}, {3}, {7}})}, false, 0, alone);
    const Result together = trained(config, {.microbatches = 2, .slicing = packsOf({{5, 3}, {7}})}, false, 0, packed);
    CHECK(together.loss == Approx(separate.loss).epsilon(1e-12)); // every token has the same part of it
    CHECK(apart(together, separate) < 1e-12);
    const Result asOne = trained(config, {.microbatches = 2, .slicing = packsOf({{8}, {7}})}, false, 0, packed);
    CHECK(apart(asOne, separate) > 1e-3); // the test would see attention across
}

TEST_CASE("slices out of turn are refused by name", "[kernels][slices]")
{
    const TransformerConfig config = smallConfig();
    Arena arena;
    const TransformerMaker maker = makerOf(config);
    const auto stage = maker.make(wholeModel(config), {.microbatches = 1, .slicing = cutOf({10, 10})}, arena);
    CHECK_THROWS_WITH(stage->forward(sliceOf(0, 2), {}), Catch::Contains("2 slices"));
    CHECK_THROWS_WITH(stage->forward(sliceOf(7, 1), {}), Catch::Contains("microbatch 7 slice 1"));
    stage->forward(sliceOf(0, 0), {});
    stage->forward(sliceOf(0, 1), {});
    CHECK_THROWS_WITH(stage->inputGradient(sliceOf(0, 0), {}), Catch::Contains("0 of 1 later slices"));
    CHECK_THROWS_WITH(maker.make(wholeModel(config), {.microbatches = 1, .slicing = cutOf(Lengths(21, 1))}, arena),
                      Catch::Contains("20 tokens"));
    CHECK_THROWS_WITH(maker.make(wholeModel(config), {.microbatches = 1, .slicing = packsOf({{21}})}, arena),
                      Catch::Contains("21 tokens"));
}
