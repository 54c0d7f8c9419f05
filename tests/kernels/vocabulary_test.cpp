// A vocabulary over several shards against the plain embedding, head and loss.

#include "kernels/cpu/linear.h"
#include "kernels/cpu/vocabulary.h"

#include <catch2/catch.hpp>

#include <cmath>
#include <vector>

using namespace bubblescope;
using namespace bubblescope::cpu;

namespace {

constexpr int tokens = 37;
constexpr int hidden = 24;
constexpr int vocabulary = 53; // divided evenly by no number of shards below

template <class Real>
using Matrix = std::vector<Real>;

/// Numbers of both signs up to `scale`.
template <class Real>
Matrix<Real> numbers(int count, double scale, int seed)
{
    Matrix<Real> result(static_cast<std::size_t>(count));
    for (int i = 0; i < count; ++i)
        result[static_cast<std::size_t>(i)] = Real(scale * ((i + seed) * 7919 % 2003 / 1001.0 - 1));
    return result;
}

std::vector<std::int32_t> targetsOf()
{
    std::vector<std::int32_t> targets;
    for (int t = 0; t < tokens; ++t)
        targets.push_back(t * 31 % vocabulary);
    return targets;
}

template <class Real>
double apart(const Matrix<Real>& a, const Matrix<Real>& b)
{
    double difference = 0;
    double norm = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        difference += std::pow(static_cast<double>(a[i]) - static_cast<double>(b[i]), 2);
        norm += std::pow(static_cast<double>(b[i]), 2);
    }
    return std::sqrt(difference / norm);
}

template <class Real>
struct Head {
    double loss = 0;
    Matrix<Real> inputGradient;
    Matrix<Real> weightGradient;
};

template <class Real>
struct Problem {
    Matrix<Real> x;
    Matrix<Real> weight; // hidden × vocabulary
    Real share = Real(0.25) / tokens;
    std::vector<std::int32_t> targets = targetsOf();

    explicit Problem(double scale)
        : x(numbers<Real>(tokens * hidden, scale, 1)), weight(numbers<Real>(hidden * vocabulary, scale, 5))
    {
    }
};

template <class Real>
Head<Real> plain(const Problem<Real>& problem)
{
    const LinearShape shape{tokens, hidden, vocabulary};
    Matrix<Real> logits(tokens * vocabulary);
    Head<Real> head{0, Matrix<Real>(tokens * hidden), Matrix<Real>(hidden * vocabulary)};
    linearForward(shape, problem.x.data(), problem.weight.data(), logits.data());
    head.loss = crossEntropy<Real>({tokens, vocabulary}, problem.targets.data(), problem.share, logits.data());
    linearInputGradient(shape, logits.data(), problem.weight.data(), head.inputGradient.data());
    linearWeightGradient<Real>(shape, problem.x.data(), logits.data(), head.weightGradient.data(), nullptr);
    return head;
}

/// One shard's columns and all that its device holds.
template <class Real>
struct Device {
    ShardShape shape;
    Matrix<Real> weight, logits, products, inputGradient, weightGradient;
    std::vector<TokenStatistics<Real>> statistics{tokens};

    Device(const Matrix<Real>& whole, VocabularyShard shard)
        : shape{tokens, hidden, shard}
        , logits(shape.logits())
        , products(2 * shape.boundary())
        , inputGradient(shape.boundary())
        , weightGradient(static_cast<std::size_t>(hidden * shard.count))
    {
        for (int i = 0; i < hidden; ++i)
            for (int c = 0; c < shard.count; ++c)
                weight.push_back(whole[static_cast<std::size_t>(i * vocabulary + shard.first + c)]);
    }
};

/// Pointers to one member of every device, as an exchange sees them.
template <class Real, class Member>
auto all(const std::vector<Device<Real>>& devices, Member member)
{
    std::vector<decltype((devices[0].*member).data())> pointers;
    for (const Device<Real>& device : devices)
        pointers.push_back((device.*member).data());
    return pointers;
}

template <class Real>
Head<Real> sharded(const Problem<Real>& problem, int shards, int algorithm)
{
    std::vector<Device<Real>> devices;
    for (int k = 0; k < shards; ++k)
        devices.emplace_back(problem.weight, vocabularyShard(vocabulary, shards, k));
    const std::int32_t* targets = problem.targets.data();
    for (Device<Real>& d : devices) {
        shardLogits(d.shape, problem.x.data(), d.weight.data(), targets, d.logits.data(), d.statistics.data());
        if (algorithm == 2)
            shardProducts(d.shape, d.weight.data(), targets, d.statistics.data(), d.logits.data(), d.products.data());
    }
    std::vector<TokenStatistics<Real>> merged(tokens);
    const auto statistics = all(devices, &Device<Real>::statistics);
    mergeStatistics<Real>(tokens, statistics, merged.data());
    Head<Real> head{lossOf(tokens, merged.data()), Matrix<Real>(tokens * hidden), Matrix<Real>(hidden * vocabulary)};
    if (algorithm == 2)
        sumProducts<Real>({tokens, hidden}, statistics, all(devices, &Device<Real>::products), merged.data(),
                          problem.share, head.inputGradient.data());
    for (Device<Real>& d : devices) {
        shardGradient(d.shape, targets, merged.data(), algorithm == 2 ? d.statistics.data() : nullptr, problem.share,
                      d.logits.data());
        if (algorithm == 1)
            shardInputGradient(d.shape, d.logits.data(), d.weight.data(), d.inputGradient.data());
        shardWeightGradient(d.shape, problem.x.data(), d.logits.data(), d.weightGradient.data());
        for (int i = 0; i < hidden; ++i)
            for (int c = 0; c < d.shape.shard.count; ++c)
                head.weightGradient[static_cast<std::size_t>(i * vocabulary + d.shape.shard.first + c)] =
                    d.weightGradient[static_cast<std::size_t>(i * d.shape.shard.count + c)];
    }
    if (algorithm == 1)
        sumInOrder<Real>(tokens * hidden, all(devices, &Device<Real>::inputGradient), head.inputGradient.data());
    return head;
}

template <class Real>
void compare(double lossTolerance, double gradientTolerance)
{
    for (const double scale : {0.3, 3.0}) { // the second makes a softmax with next to one winner
        const Problem<Real> problem(scale);
        const Head<Real> whole = plain(problem);
        for (const int shards : {1, 2, 3, 4, 7, 16, 60})
            for (const int algorithm : {1, 2}) {
                CAPTURE(scale, shards, algorithm);
                const Head<Real> parts = sharded(problem, shards, algorithm);
                CHECK(std::abs(parts.loss - whole.loss) <= lossTolerance * std::max(1.0, whole.loss));
                CHECK(apart(parts.inputGradient, whole.inputGradient) < gradientTolerance);
                CHECK(apart(parts.weightGradient, whole.weightGradient) < gradientTolerance);
            }
    }
}

} // namespace

TEST_CASE("shards of a vocabulary cover it once, as evenly as can be", "[vocabulary]")
{
    for (const int shards : {1, 2, 3, 7, 53, 60}) {
        int next = 0;
        for (int k = 0; k < shards; ++k) {
            const VocabularyShard shard = vocabularyShard(vocabulary, shards, k);
            CHECK(shard.first == next);
            CHECK((shard.count == vocabulary / shards || shard.count == vocabulary / shards + 1));
            next += shard.count;
        }
        CHECK(next == vocabulary);
    }
}

TEST_CASE("a sharded head gives the plain head's loss and gradients by both algorithms", "[vocabulary]")
{
    compare<float>(1e-6, 1e-5);
    compare<double>(1e-13, 1e-12); // what is left in float is rounding
}

TEST_CASE("logits far apart between shards don't overflow", "[vocabulary]")
{
    Problem<float> problem(0.3);
    for (int i = 0; i < hidden; ++i) // column 1 wins by about 1000, column 40 loses by as much
        for (const auto& [column, by] : {std::pair(1, 1.F), std::pair(40, -1.F)})
            problem.weight[static_cast<std::size_t>(i * vocabulary + column)] = by * 400;
    for (float& value : problem.x)
        value = std::abs(value);
    const Head<float> whole = plain(problem);
    REQUIRE(std::isfinite(whole.loss));
    for (const int algorithm : {1, 2}) {
        const Head<float> parts = sharded(problem, 4, algorithm);
        CHECK(parts.loss == Approx(whole.loss).epsilon(1e-6));
        CHECK(apart(parts.weightGradient, whole.weightGradient) < 1e-5);
    }
}

TEST_CASE("a sharded embedding has the plain one's bits, there and back", "[vocabulary]")
{
    const Matrix<float> table = numbers<float>(vocabulary * hidden, 1, 3);
    const Matrix<float> gradient = numbers<float>(tokens * hidden, 1, 9);
    const Matrix<float> positions(static_cast<std::size_t>(tokens * hidden)); // none, to compare the tokens alone
    const std::vector<std::int32_t> ids = targetsOf();
    Matrix<float> whole(tokens * hidden);
    Matrix<float> tableGradient(vocabulary * hidden);
    Matrix<float> positionGradient(tokens * hidden);
    embed<float>({tokens, hidden}, tokens, ids.data(), table.data(), positions.data(), whole.data());
    embedBackward<float>({tokens, hidden}, tokens, ids.data(), gradient.data(), tableGradient.data(),
                         positionGradient.data());
    for (const int shards : {1, 2, 5, 60}) {
        std::vector<Matrix<float>> rows;
        std::vector<const float*> parts;
        Matrix<float> gathered;
        for (int k = 0; k < shards; ++k) {
            const ShardShape shape{tokens, hidden, vocabularyShard(vocabulary, shards, k)};
            rows.emplace_back(tokens * hidden);
            shardEmbed(shape, ids.data(), table.data() + shape.shard.first * hidden, rows.back().data());
            Matrix<float> own(static_cast<std::size_t>(shape.shard.count * hidden));
            shardEmbedBackward(shape, ids.data(), gradient.data(), own.data());
            gathered.insert(gathered.end(), own.begin(), own.end());
        }
        for (const Matrix<float>& part : rows)
            parts.push_back(part.data());
        Matrix<float> sum(tokens * hidden);
        sumInOrder<float>(sum.size(), parts, sum.data());
        CHECK(sum == whole);
        CHECK(gathered == tableGradient);
    }
}
