// The analytic gradients against numeric differentiation, in double and by the very same code.

#include "fixture.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>

using namespace bubblescope;
using namespace bubblescope::cpu;

namespace {

double lossOf(TransformerStage<double>& stage, int microbatches)
{
    for (int i = 0; i < microbatches; ++i)
        runWhole(stage, keyOf(i));
    return stage.takeLoss();
}

/// d(loss)/d(weight) from four losses, exact up to the fifth derivative.
double slopeOf(TransformerStage<double>& stage, std::size_t index, int microbatches)
{
    constexpr double step = 1e-4;
    const double middle = stage.weights()[index];
    const auto difference = [&](double distance) {
        stage.weights()[index] = middle + distance;
        const double above = lossOf(stage, microbatches);
        stage.weights()[index] = middle - distance;
        return above - lossOf(stage, microbatches);
    };
    const double slope = (8 * difference(step) - difference(2 * step)) / (12 * step);
    stage.weights()[index] = middle;
    return slope;
}

} // namespace

TEST_CASE("the gradients of every tensor agree with numeric differentiation in double")
{
    TransformerConfig config = smallConfig();
    config.blocks = 2;
    config.sequence = 7;
    config.vocabulary = 13;
    config.optimizer = Optimizer::Sgd;
    constexpr int microbatches = 2;
    const TransformerModel model{config, std::make_shared<CountedTokens>(config.vocabulary)};
    Arena arena;
    TransformerStage<double> stage(model, wholeModel(config), {.microbatches = microbatches}, arena);
    const ParameterLayout& layout = stage.layout();
    REQUIRE(layout.tensors().size() == 29);

    // Larger weights than training starts with, so that attention and norms bend the loss.
    for (std::size_t i = 0; i < layout.count(); ++i)
        stage.weights()[i] += 0.3 * std::sin(static_cast<double>(i) * 12.9898);

    lossOf(stage, microbatches);
    const std::vector<double> analytic(stage.gradients(), stage.gradients() + layout.count());

    double worst = 0;
    std::string where;
    for (const ParameterTensor& tensor : layout.tensors()) {
        const auto begin = analytic.begin() + static_cast<std::ptrdiff_t>(tensor.offset);
        double largest = 0;
        std::for_each(begin, begin + static_cast<std::ptrdiff_t>(tensor.count),
                      [&](double g) { largest = std::max(largest, std::abs(g)); });
        REQUIRE(largest > 0);
        for (std::size_t sample = 0; sample < 12; ++sample) {
            const std::size_t index = tensor.offset + sample * 7919 % tensor.count;
            const double error = std::abs(slopeOf(stage, index, microbatches) - analytic[index]) / largest;
            if (error > worst) {
                worst = error;
                where = tensor.name;
            }
        }
    }
    INFO("worst " << worst << " at " << where);
    CHECK(worst < 1e-8);
}

TEST_CASE("float and double compute the same gradients within float's precision")
{
    const TransformerConfig config = smallConfig();
    const TransformerModel model{config, std::make_shared<CountedTokens>(config.vocabulary)};
    Arena arena;
    TransformerStage<double> precise(model, wholeModel(config), {.microbatches = 3}, arena);
    TransformerStage<float> plain(model, wholeModel(config), {.microbatches = 3}, arena);
    for (int i = 0; i < 3; ++i) {
        runWhole(precise, keyOf(i));
        runWhole(plain, keyOf(i));
    }
    CHECK(plain.takeLoss() == Approx(precise.takeLoss()).epsilon(1e-6));
    for (const ParameterTensor& tensor : precise.layout().tensors()) {
        double difference = 0;
        double norm = 0;
        for (std::size_t i = tensor.offset; i < tensor.offset + tensor.count; ++i) {
            difference += std::pow(plain.gradients()[i] - precise.gradients()[i], 2);
            norm += std::pow(precise.gradients()[i], 2);
        }
        INFO(tensor.name);
        CHECK(std::sqrt(difference) <= 5e-6 * std::sqrt(norm));
    }
}
