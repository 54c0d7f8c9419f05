// The graph network: its gradients, and what "historical" means, against sums written out by hand.

#include "core/base/error.h"
#include "fixture.h"
#include "kernels/cpu/graph_stage.h"
#include "tests/support/execution.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <set>

using namespace bubblescope;
using namespace bubblescope::cpu;

namespace {

GraphConfig smallGraph()
{
    GraphConfig config;
    config.layers = 3;
    config.hidden = 10;
    config.classes = 4;
    config.chunkVertices = 12;
    return config;
}

StageLayers whole(const GraphConfig& config)
{
    return {0, config.layers, true, true};
}

/// One epoch of `chunks`, in order; the loss.
template <class Real>
double epoch(GraphStage<Real>& stage, const std::vector<int>& chunks)
{
    for (const int chunk : chunks)
        runWhole(stage, keyOf(chunk));
    return stage.takeLoss();
}

RunResult trained(const Schedule& schedule, const GraphConfig& config, std::vector<int> partition, RunOptions options)
{
    const GraphMaker maker(config);
    Backend backend;
    backend.kind = Backend::Kind::Cpu;
    backend.maker = &maker;
    backend.partition = std::move(partition);
    return test::run(schedule, test::unitCosts(schedule), backend, options);
}

} // namespace

TEST_CASE("a graph's neighbours are mostly of one class, and the same on every machine", "[graph]")
{
    const GraphConfig config = smallGraph();
    const Graph graph(config, 5);
    REQUIRE(graph.vertices() == 60);
    int same = 0;
    int other = 0;
    std::set<int> chunks;
    for (int vertex = 0; vertex < graph.vertices(); ++vertex) {
        CHECK(graph.neighbourhood(vertex).size() == Graph::neighbourhoodSize);
        CHECK(graph.neighbourhood(vertex).front() == vertex);
        for (const std::int32_t neighbour : graph.neighbourhood(vertex)) {
            REQUIRE(neighbour >= 0);
            REQUIRE(neighbour < graph.vertices());
            (graph.classOf(neighbour) == graph.classOf(vertex) ? same : other) += 1;
            chunks.insert(neighbour / config.chunkVertices);
        }
    }
    CHECK(same > 2 * other);
    CHECK(other > 20);
    CHECK(chunks.size() == 5); // edges are cut by the chunks
}

TEST_CASE("the graph layers' gradients agree with numeric differentiation in double", "[graph]")
{
    GraphConfig config = smallGraph();
    config.optimizer = Optimizer::Sgd;
    Arena arena;
    // One chunk, so that no neighbour is a constant.
    GraphStage<double> stage(config, whole(config), {.microbatches = 1}, arena);
    double* weights = reinterpret_cast<double*>(stage.weightBuffer().bytes());
    const std::size_t count = stage.weightBuffer().size() / sizeof(double);
    for (std::size_t i = 0; i < count; ++i)
        weights[i] += 0.1 * std::sin(static_cast<double>(i) * 12.9898);
    epoch(stage, {0});
    const double* gradients = reinterpret_cast<const double*>(stage.gradientBuffer().bytes());
    const std::vector<double> analytic(gradients, gradients + count);
    const double largest = std::abs(*std::max_element(analytic.begin(), analytic.end(),
                                                      [](double a, double b) { return std::abs(a) < std::abs(b); }));
    double worst = 0;
    for (std::size_t i = 0; i < count; i += 7) {
        constexpr double step = 1e-4;
        const double middle = weights[i];
        const auto difference = [&](double distance) {
            weights[i] = middle + distance;
            const double above = epoch(stage, {0});
            weights[i] = middle - distance;
            return above - epoch(stage, {0});
        };
        const double slope = (8 * difference(step) - difference(2 * step)) / (12 * step);
        weights[i] = middle;
        worst = std::max(worst, std::abs(slope - analytic[i]) / largest);
    }
    CHECK(worst < 1e-8);
}

TEST_CASE("chunks see fresh embeddings of those before them and last epoch's of the others", "[graph]")
{
    GraphConfig config = smallGraph();
    config.layers = 2;
    Arena arena;
    const StepData data{.microbatches = 3};
    GraphStage<double> first(config, {0, 1, true, false}, data, arena);
    GraphStage<double> second(config, {1, 1, false, true}, data, arena);
    const auto forward = [&](int chunk) {
        Buffer between = first.forward(keyOf(chunk), {});
        std::vector<double> values(reinterpret_cast<const double*>(between.bytes()),
                                   reinterpret_cast<const double*>(between.bytes() + between.size()));
        second.forward(keyOf(chunk), std::move(between));
        return values;
    };
    const auto drop = [&](int chunk) {
        first.detach(keyOf(chunk));
        second.detach(keyOf(chunk));
    };
    // Features never change, so what the first layer makes of a chunk changes only with what its neighbours were.
    const std::vector<double> cold = forward(0); // chunks 1 and 2: zeros
    const std::vector<double> afterZero = forward(1);
    forward(2);
    const std::vector<double> warm = forward(3); // chunk 0 again: all are of the epoch before
    const std::vector<double> warmOne = forward(4);
    const std::vector<double> again = forward(6);
    CHECK(cold != warm);
    CHECK(afterZero != warmOne);
    CHECK(warm == again); // nothing differs any more: the same features everywhere
    for (const int chunk : {0, 1, 2, 3, 4, 6})
        drop(chunk);
    CHECK(first.pending().empty());
}

TEST_CASE("GNNPipe has the bits of the same stale rule on one device", "[graph][execute]")
{
    const auto order = GENERATE(as<std::string>(), "1f1b", "gpipe");
    const auto [devices, chunks] = GENERATE(std::pair(2, 4), std::pair(4, 6), std::pair(3, 2), std::pair(1, 3));
    CAPTURE(order, devices, chunks);
    GraphConfig config = smallGraph();
    config.layers = devices + 1;
    std::vector<int> partition(static_cast<std::size_t>(devices), 1);
    partition.back() = 2;
    const std::string recipe = "gnnpipe:order=" + order;
    const RunResult one = trained(test::scheduleOf(recipe, devices, chunks), config, partition, {.verify = true});
    INFO(one.sentence << one.verify.sentence);
    REQUIRE(one.state == RunResult::State::Complete);
    CHECK(one.verify.bitsExpected);
    CHECK(one.verify.bitEqual);

    // Over epochs whose chunks come in other orders: the losses say that all stages had the same neighbours.
    const int epochs = 5;
    const RunResult piped =
        trained(test::scheduleOf(recipe, devices, chunks, 0, epochs), config, partition, {.verify = true});
    const RunResult direct =
        trained(test::scheduleOf(recipe, 1, chunks, 0, epochs), config, {config.layers}, {.verify = true});
    REQUIRE(piped.losses.size() == epochs);
    CHECK(piped.losses == direct.losses);
}

TEST_CASE("the order of the chunks matters, and training lowers the loss", "[graph][execute]")
{
    GraphConfig config = smallGraph();
    config.layers = 2;
    config.learningRate = 2e-2F;
    const auto losses = [&](const std::string& recipe, int epochs) {
        return trained(test::scheduleOf(recipe, 2, 4, 0, epochs), config, {1, 1}, {}).losses;
    };
    const std::vector<double> turned = losses("gnnpipe", 3);
    const std::vector<double> same = losses("gnnpipe:epochs=same", 3);
    CHECK(turned[0] == same[0]);
    CHECK(turned[1] == Approx(same[1]).epsilon(0.2));
    CHECK(turned[2] != same[2]); // stale and fresh neighbours changed places
    const std::vector<double> many = losses("gnnpipe", 30);
    CHECK(many.back() < 0.5 * many.front());
}

TEST_CASE("stale state and recomputation are refused where a model can't do them", "[graph][execute]")
{
    const Schedule schedule = test::scheduleOf("gnnpipe", 2, 4);
    const GraphMaker graph(smallGraph());
    const TransformerMaker transformer = makerOf(smallConfig());
    Backend backend;
    backend.kind = Backend::Kind::Cpu;
    backend.partition = {1, 2};
    backend.maker = &transformer;
    CHECK_THROWS_WITH(test::run(schedule, test::unitCosts(schedule), backend),
                      Catch::Contains("which this model doesn't keep: a graph network does"));
    backend.maker = &graph;
    backend.recompute = true;
    CHECK_THROWS_WITH(test::run(schedule, test::unitCosts(schedule), backend),
                      Catch::Contains("Recomputation can't bring back"));
    const Schedule frozen = test::scheduleOf("diffusionpipe", 2, 4);
    backend.recompute = false;
    CHECK_THROWS_WITH(test::run(frozen, test::unitCosts(frozen), backend),
                      Catch::Contains("this model has no encoder"));
    GraphConfig narrow;
    narrow.hidden = 4;
    CHECK_THROWS_AS(GraphMaker(narrow), Error);
}
