// The model learns a real text.

#include "fixture.h"

#include <catch2/catch.hpp>

#include <fstream>
#include <iterator>

using namespace bubblescope;
using namespace bubblescope::cpu;

namespace {

std::string licenceText()
{
    std::ifstream file(BUBBLESCOPE_TEST_DATA "/../../LICENSE");
    return {std::istreambuf_iterator<char>(file), {}};
}

} // namespace

TEST_CASE("sixty steps on a real text lower the loss clearly")
{
    TransformerConfig config;
    config.blocks = 2;
    config.hidden = 64;
    config.sequence = 32;
    config.learningRate = 3e-3F;
    const auto optimizer = GENERATE(Optimizer::AdamW, Optimizer::Sgd);
    config.optimizer = optimizer;
    if (optimizer == Optimizer::Sgd)
        config.learningRate = 0.3F;
    const TransformerMaker maker(config, std::make_shared<ByteText>(licenceText()));
    Arena arena;
    constexpr int microbatches = 4;
    const auto stage = maker.make(wholeModel(config), {.microbatches = microbatches}, arena);
    std::vector<double> losses;
    for (int step = 0; step < 60; ++step) {
        for (int i = 0; i < microbatches; ++i)
            runWhole(*stage, keyOf(step * microbatches + i));
        losses.push_back(stage->takeLoss());
        stage->update(step);
    }
    CHECK(losses.front() > 5.4);
    CHECK(losses.back() < 3.6);
}

TEST_CASE("a text's sequences are numbered, wrap around and cover it")
{
    const ByteText text("abcde");
    std::vector<std::int32_t> tokens(7);
    std::vector<std::int32_t> next(7);
    text.sequence(0, tokens, next);
    CHECK(std::string(tokens.begin(), tokens.end()) == "abcdeab");
    CHECK(std::string(next.begin(), next.end()) == "bcdeabc");
    std::string starts;
    for (int number = 0; number < 5; ++number) {
        text.sequence(number, std::span(tokens).first(1), {});
        starts += static_cast<char>(tokens[0]);
    }
    std::sort(starts.begin(), starts.end());
    CHECK(std::unique(starts.begin(), starts.end()) - starts.begin() >= 4);
}
