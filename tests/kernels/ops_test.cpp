// The operations between the products, against plain references in double.

#include "kernels/cpu/attention.h"
#include "kernels/cpu/ops.h"
#include "kernels/cpu/wide.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <vector>

using namespace bubblescope;
using namespace bubblescope::cpu;

namespace {

/// Numbers of both signs up to `scale`.
std::vector<float> numbers(std::size_t count, float scale, std::size_t seed = 1)
{
    std::vector<float> result(count);
    for (std::size_t i = 0; i < count; ++i)
        result[i] = scale * (static_cast<float>((i + seed) * 7919 % 2003) / 1001 - 1);
    return result;
}

double preciseGelu(double x)
{
    return 0.5 * x * (1 + std::tanh(std::sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

} // namespace

TEST_CASE("the exponential is within 1.5e-7 of libm's and saturates")
{
    double worst = 0;
    for (int i = -870000; i <= 870000; i += 7) {
        const float x = static_cast<float>(i) * 1e-4F;
        worst = std::max(worst, std::abs(exponential(x) / std::exp(static_cast<double>(x)) - 1));
    }
    CHECK(worst < 1.5e-7);
    CHECK(exponential(0.0F) == 1.0F);
    CHECK(exponential(-1000.0F) == exponential(-87.0F));
    CHECK(exponential(1e30F) == exponential(87.0F));
    CHECK(exponential(-INFINITY) < 2e-38F);
}

TEST_CASE("GELU and its derivative are within 5e-7")
{
    std::vector<float> x(200001);
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = static_cast<float>(i) * 2e-4F - 20;
    std::vector<float> y(x.size());
    geluForward(x.size(), x.data(), y.data());
    std::vector<float> slope = x;
    geluBackward(x.size(), std::vector<float>(x.size(), 1).data(), slope.data());
    double worst = 0;
    double worstSlope = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        const double v = x[i];
        worst = std::max(worst, std::abs(y[i] - preciseGelu(v)) / std::max(1.0, std::abs(v)));
        const double numeric = (preciseGelu(v + 1e-5) - preciseGelu(v - 1e-5)) / 2e-5;
        worstSlope = std::max(worstSlope, std::abs(slope[i] - numeric));
    }
    CHECK(worst < 5e-7);
    CHECK(worstSlope < 5e-7);
}

TEST_CASE("a sum keeps 32 running sums and adds halves, whatever the processor")
{
    for (const int n : {1, 31, 32, 33, 96, 100, 1000}) {
        const std::vector<float> x = numbers(static_cast<std::size_t>(n), 3);
        float lanes[32] = {};
        for (int i = 0; i < n; ++i)
            lanes[i % 32] += x[static_cast<std::size_t>(i)];
        for (int half = 16; half > 0; half /= 2)
            for (int lane = 0; lane < half; ++lane)
                lanes[lane] += lanes[lane + half];
        const auto term = [&](int i) { return x[static_cast<std::size_t>(i)]; };
        CHECK(Wide<float>().sum(n, term) == lanes[0]);
        CHECK(Wide<float>().max(n, term) == *std::max_element(x.begin(), x.end()));
    }
}

TEST_CASE("the loss and its gradient agree with a plain softmax in double")
{
    const Extent extent{5, 77};
    const std::vector<float> logits = numbers(5 * 77, 8);
    const std::vector<std::int32_t> targets{0, 76, 5, 40, 11};
    std::vector<float> gradient = logits;
    const double loss = crossEntropy(extent, targets.data(), 0.25F, gradient.data());
    double expected = 0;
    for (std::size_t r = 0; r < 5; ++r) {
        double total = 0;
        for (std::size_t c = 0; c < 77; ++c)
            total += std::exp(static_cast<double>(logits[r * 77 + c]));
        const auto target = static_cast<std::size_t>(targets[r]);
        expected += std::log(total) - logits[r * 77 + target];
        for (std::size_t c = 0; c < 77; ++c) {
            const double p = std::exp(static_cast<double>(logits[r * 77 + c])) / total;
            CHECK(gradient[r * 77 + c] == Approx(0.25 * (p - (c == target ? 1 : 0))).margin(1e-7));
        }
    }
    CHECK(loss == Approx(expected / 5).epsilon(1e-6));
}

TEST_CASE("the loss of very large logits stays finite")
{
    std::vector<float> logits{1e4F, -1e4F, 0, 3e4F};
    const std::int32_t target = 1;
    CHECK(crossEntropy({1, 4}, &target, 1.0F, logits.data()) == Approx(4e4));
    CHECK(logits[1] == Approx(-1));
    CHECK(logits[3] == Approx(1));
}

TEST_CASE("layer norm agrees with its definition in double")
{
    const Extent extent{3, 50};
    const std::vector<float> x = numbers(150, 4);
    const std::vector<float> scale = numbers(50, 2, 5);
    const std::vector<float> shift = numbers(50, 1, 9);
    std::vector<float> y(150);
    std::vector<NormStatistics<float>> statistics(3);
    normForward(extent, x.data(), {scale.data(), shift.data()}, statistics.data(), y.data());
    for (std::size_t r = 0; r < 3; ++r) {
        double mean = 0;
        double variance = 0;
        for (std::size_t c = 0; c < 50; ++c)
            mean += x[r * 50 + c] / 50.0;
        for (std::size_t c = 0; c < 50; ++c)
            variance += std::pow(x[r * 50 + c] - mean, 2) / 50;
        for (std::size_t c = 0; c < 50; ++c) {
            const double expected = (x[r * 50 + c] - mean) / std::sqrt(variance + 1e-5) * scale[c] + shift[c];
            CHECK(y[r * 50 + c] == Approx(expected).margin(2e-6));
        }
    }
}

TEST_CASE("attention agrees with its definition in double and sees no later token")
{
    const AttentionShape shape{2, 9, 3, 4};
    const std::size_t h = 12;
    const std::vector<float> qkv = numbers(2 * 9 * 3 * h, 2);
    std::vector<float> out(2 * 9 * h);
    std::vector<float> logSumExp(2 * 3 * 9);
    std::vector<float> scratch(shape.forwardScratch());
    attentionForward(shape, qkv.data(), out.data(), logSumExp.data(), scratch.data());
    const auto at = [&](std::size_t token, std::size_t column) {
        return static_cast<double>(qkv[token * 3 * h + column]);
    };
    for (std::size_t b = 0; b < 2; ++b)
        for (std::size_t a = 0; a < 3; ++a)
            for (std::size_t i = 0; i < 9; ++i) {
                std::vector<double> weights;
                double total = 0;
                for (std::size_t j = 0; j <= i; ++j) {
                    double score = 0;
                    for (std::size_t d = 0; d < 4; ++d)
                        score += at(b * 9 + i, a * 4 + d) * at(b * 9 + j, h + a * 4 + d);
                    weights.push_back(std::exp(score / 2));
                    total += weights.back();
                }
                CHECK(logSumExp[(b * 3 + a) * 9 + i] == Approx(std::log(total)).margin(1e-6));
                for (std::size_t d = 0; d < 4; ++d) {
                    double expected = 0;
                    for (std::size_t j = 0; j <= i; ++j)
                        expected += weights[j] / total * at(b * 9 + j, 2 * h + a * 4 + d);
                    CHECK(out[(b * 9 + i) * h + a * 4 + d] == Approx(expected).margin(2e-6));
                }
            }
}

TEST_CASE("column sums and biases reach every row and column")
{
    const Extent extent{7, 35};
    const std::vector<float> in = numbers(7 * 35, 2);
    std::vector<float> sums(35, 1);
    addColumnSums(extent, in.data(), sums.data());
    const std::vector<float> bias = numbers(35, 1, 3);
    std::vector<float> out(7 * 35);
    addBias(extent, in.data(), bias.data(), out.data());
    for (std::size_t c = 0; c < 35; ++c) {
        double expected = 1;
        for (std::size_t r = 0; r < 7; ++r) {
            expected += in[r * 35 + c];
            CHECK(out[r * 35 + c] == in[r * 35 + c] + bias[c]);
        }
        CHECK(sums[c] == Approx(expected).margin(1e-5));
    }
}

TEST_CASE("embedding gathers rows and its backward scatters them, repeated tokens added")
{
    const std::vector<std::int32_t> tokens{2, 0, 2, 1};
    const std::vector<float> table{1, 2, 3, 4, 5, 6};
    const std::vector<float> positions{10, 20, 30, 40};
    std::vector<float> out(8);
    embed({4, 2}, 2, tokens.data(), table.data(), positions.data(), out.data());
    CHECK(out == std::vector<float>{15, 26, 31, 42, 15, 26, 33, 44});
    std::vector<float> tableGradient(6);
    std::vector<float> positionGradient(4);
    embedBackward({4, 2}, 2, tokens.data(), out.data(), tableGradient.data(), positionGradient.data());
    CHECK(tableGradient == std::vector<float>{31, 42, 33, 44, 30, 52});
    CHECK(positionGradient == std::vector<float>{30, 52, 64, 86});
}

TEST_CASE("AdamW follows its definition in double over many steps")
{
    const std::size_t count = 300;
    std::vector<float> value = numbers(count, 1);
    std::vector<double> expected(value.begin(), value.end());
    std::vector<float> first(count);
    std::vector<float> second(count);
    std::vector<double> m(count);
    std::vector<double> v(count);
    for (int t = 1; t <= 50; ++t) {
        const std::vector<float> gradient = numbers(count, 0.1F, static_cast<std::size_t>(t) * 31);
        const double c1 = 1 - std::pow(0.9, t);
        const double c2 = 1 - std::pow(0.99, t);
        adamW(count, {0.01F, 0.9F, 0.99F, static_cast<float>(c1), static_cast<float>(c2), 1e-8F, 0.1F}, gradient.data(),
              value.data(), first.data(), second.data());
        for (std::size_t i = 0; i < count; ++i) {
            const double g = gradient[i];
            m[i] = 0.9 * m[i] + 0.1 * g;
            v[i] = 0.99 * v[i] + 0.01 * g * g;
            expected[i] -= 0.01 * (m[i] / c1 / (std::sqrt(v[i] / c2) + 1e-8) + 0.1 * expected[i]);
        }
    }
    for (std::size_t i = 0; i < count; ++i)
        CHECK(value[i] == Approx(expected[i]).margin(2e-6));
}

TEST_CASE("momentum SGD follows its definition, and spike compensation keeps a gradient's total weight")
{
    const auto delay = GENERATE(0, 1, 4);
    const double m = 0.9;
    const double a = std::pow(m, delay);
    const double b = (1 - a) / (1 - m);
    const MomentumStep<float> step{0.01F, 0.9F, static_cast<float>(a), static_cast<float>(b)};
    std::vector<float> value = numbers(100, 1);
    std::vector<double> expected(value.begin(), value.end());
    std::vector<float> velocity(100);
    std::vector<double> v(100);
    for (int t = 0; t < 30; ++t) {
        const std::vector<float> gradient = numbers(100, 0.1F, static_cast<std::size_t>(t) * 31);
        momentumSgd(100, step, gradient.data(), value.data(), velocity.data());
        for (std::size_t i = 0; i < 100; ++i) {
            v[i] = m * v[i] + gradient[i];
            expected[i] -= 0.01 * (a * v[i] + b * gradient[i]);
        }
    }
    for (std::size_t i = 0; i < 100; ++i)
        CHECK(value[i] == Approx(expected[i]).margin(2e-6));
    // One gradient of 1 and then none: it moves the weight by rate ÷ (1 − m) in the end, whatever the delay.
    double weight = 0;
    double impulse = 1;
    for (int t = 0; t < 400; ++t, impulse *= m)
        weight += a * impulse + (t == 0 ? b : 0);
    CHECK(weight == Approx(1 / (1 - m)));
}

TEST_CASE("SGD subtracts the scaled gradient")
{
    std::vector<float> value{1, 2, 3};
    const std::vector<float> gradient{4, -2, 0};
    sgd(3, 0.5F, gradient.data(), value.data());
    CHECK(value == std::vector<float>{-1, 3, 3});
}
