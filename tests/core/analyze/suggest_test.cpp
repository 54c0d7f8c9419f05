// Suggestions and the steps of a start: gains are differences of predictions, starts are the latest constraint.

#include "core/analyze/suggest.h"
#include "core/analyze/wait_graph.h"
#include "core/schedule/edit_order.h"
#include "tests/core/analyze/planned.h"

#include <catch2/catch.hpp>

#include <algorithm>

using namespace bubblescope;
using test::experiment;
using test::planned;
using test::taskNamed;
using test::units;

namespace {

const Suggestion* find(const Suggestions& all, Suggestion::Kind kind)
{
    const auto found =
        std::find_if(all.best.begin(), all.best.end(), [kind](const Suggestion& one) { return one.kind == kind; });
    return found == all.best.end() ? nullptr : &*found;
}

SuggestRequest asked(const Experiment& experiment, const char* recipe, std::size_t most = 3)
{
    SuggestRequest request;
    request.experiment = experiment;
    request.spec = parseRecipe(recipe);
    request.most = most;
    return request;
}

} // namespace

TEST_CASE("a gain is what a prediction of the changed experiment shows", "[analyze][suggest]")
{
    Experiment given = experiment(4, 8);
    given.model.layers = 24;
    given.model.headCost = 3;
    SuggestRequest request = asked(given, "1f1b", 9);
    request.late = 3;
    const Suggestions all = suggest(request);
    REQUIRE(all.best.size() >= 3);
    const test::Planned now = planned(given, "1f1b");
    CHECK(all.before.makespan == now.timing.makespan());
    CHECK(all.before.bubbleRate == Approx(now.idle.bubbleRate()).margin(1e-12));
    for (const Suggestion& one : all.best) {
        CAPTURE(one.change);
        const test::Planned then = planned(one.experiment, one.spec.text());
        CHECK(one.after.makespan == then.timing.makespan());
        CHECK(one.after.bubbleRate == Approx(then.idle.bubbleRate()).margin(1e-12));
        const double perMicrobatch = static_cast<double>(then.timing.makespan()) / one.experiment.microbatches;
        CHECK(one.gain == Approx(1 - perMicrobatch / (static_cast<double>(now.timing.makespan()) / 8)).margin(1e-12));
    }
    CHECK(std::is_sorted(all.best.begin(), all.best.end(),
                         [](const Suggestion& a, const Suggestion& b) { return a.gain > b.gain; }));
}

TEST_CASE("more microbatches are suggested with the textbook's bubble", "[analyze][suggest]")
{
    const Suggestions all = suggest(asked(experiment(4, 8), "1f1b", 9));
    const Suggestion* more = find(all, Suggestion::Kind::Microbatches);
    REQUIRE(more != nullptr);
    CHECK(more->experiment.microbatches == 16);
    CHECK(more->after.bubbleRate == Approx(3.0 / 19).margin(1e-12));
    CHECK(more->after.makespan == 57 * unit);
}

TEST_CASE("schedules with more chunks are suggested for the same work", "[analyze][suggest]")
{
    const Suggestions all = suggest(asked(experiment(4, 8), "1f1b", 9));
    const auto several = std::find_if(all.best.begin(), all.best.end(), [](const Suggestion& one) {
        return one.kind == Suggestion::Kind::Family && recipe(one.spec.id).defaultChunks > 1;
    });
    REQUIRE(several != all.best.end());
    CHECK(several->experiment.costOf == CostOf::DeviceShare);
    // No schedule is faster than the work of its devices.
    CHECK(several->after.makespan >= 24 * unit);
    CHECK(several->after.makespan < 33 * unit);
}

TEST_CASE("the slowest stage gives a layer away", "[analyze][suggest]")
{
    Experiment given = experiment(4, 16);
    given.model.layers = 8;
    given.partition = {2, 2, 1, 3};
    SuggestRequest request = asked(given, "1f1b", 9);
    request.late = 3;
    const Suggestions all = suggest(request);
    const Suggestion* move = find(all, Suggestion::Kind::MoveLayer);
    REQUIRE(move != nullptr);
    CHECK(move->change == "Move layer 5 from stage 3 to stage 2");
    CHECK(move->experiment.partition == std::vector<int>{2, 2, 2, 2});
    CHECK(move->after.makespan == 57 * unit); // (16 + 3) × 3, each stage having the mean's cost
}

TEST_CASE("a faster link is suggested where communication is the cause, and only there", "[analyze][suggest]")
{
    Experiment given = experiment(4, 8);
    given.comm = 1;
    SuggestRequest request = asked(given, "1f1b", 9);
    CHECK(find(suggest(request), Suggestion::Kind::Link) == nullptr);
    request.cause = IdleCause::Communication;
    const Suggestions all = suggest(request);
    REQUIRE(find(all, Suggestion::Kind::Link) != nullptr);
    CHECK(find(all, Suggestion::Kind::Link)->experiment.comm == 0.5);
}

TEST_CASE("suggestions keep to the memory limit, to the training and to who asks", "[analyze][suggest]")
{
    Experiment given = experiment(4, 8);
    given.memoryLimit = 4;
    for (const Suggestion& one : suggest(asked(given, "1f1b", 9)).best) {
        CAPTURE(one.change);
        CHECK(one.after.peakActivations <= 4);
        CHECK(plan(one.experiment, one.spec).schedule.semantics.maxDrift == 0);
    }
    Progress progress;
    progress.cancel();
    CHECK_THROWS_AS(suggest(asked(given, "1f1b"), progress), Cancelled);
}

TEST_CASE("an order by hand that is slower may go back to its family's", "[analyze][suggest]")
{
    const Experiment given = experiment(2, 2);
    const Schedule start = plan(given, parseRecipe("1f1b")).schedule;
    SuggestRequest request = asked(given, "1f1b", 9);
    request.order =
        std::make_shared<CustomOrder>(CustomOrder{"serial", moveUnit(start, taskNamed(start, "0B0"), 1).schedule});
    const Suggestions all = suggest(request);
    CHECK(all.before.makespan == 12 * unit);
    const Suggestion* back = find(all, Suggestion::Kind::Order);
    REQUIRE(back != nullptr);
    CHECK(back->after.makespan == 9 * unit);
    CHECK(back->change == "Go back to the order of 1F1B");
}

TEST_CASE("a start is the latest of its constraints, and the binding one is marked", "[analyze][suggest]")
{
    Experiment given = experiment(2, 2);
    given.comm = 0.5;
    const test::Planned run = planned(given, "1f1b");
    const WaitGraph graph(run.schedule(), run.plan.costs, run.timing);
    using Kind = StartConstraint::Kind;
    CHECK(graph.constraints(taskNamed(run.schedule(), "0F0")).empty());
    const auto first = graph.constraints(taskNamed(run.schedule(), "1F0"));
    REQUIRE(first.size() == 1);
    CHECK(first[0].kind == Kind::Arrival);
    CHECK(first[0].ended == 1 * unit);
    CHECK(first[0].ready == 3 * unit / 2);
    CHECK(first[0].binding);
    // 1B0 stands behind 1F0 and needs its activations: [1.5, 2.5). 0B0 then needs what arrives at 5.
    const auto backward = graph.constraints(taskNamed(run.schedule(), "0B0"));
    REQUIRE(backward.size() == 3);
    CHECK(backward.back().kind == Kind::Arrival);
    CHECK(backward.back().ready == 5 * unit);
    CHECK(backward.back().binding);
    CHECK(std::count_if(backward.begin(), backward.end(), [](const auto& one) { return one.kind == Kind::Lane; }) == 1);
    CHECK(std::count_if(backward.begin(), backward.end(), [](const auto& one) { return one.kind == Kind::Data; }) == 1);
    for (const char* recipe : {"1f1b", "zb-h1", "chimera", "interleaved-1f1b"}) {
        const test::Planned all = planned(recipe == std::string("chimera") ? experiment(4, 4) : given, recipe);
        const WaitGraph waits(all.schedule(), all.plan.costs, all.timing);
        for (TaskId id{}; id < all.schedule().tasks.size(); ++id) {
            const auto constraints = waits.constraints(id);
            CAPTURE(recipe, toText(all.schedule().tasks[id]));
            CHECK((constraints.empty() ? all.timing.begin : constraints.back().ready) == all.timing.start[id]);
            CHECK(std::count_if(constraints.begin(), constraints.end(), [](const StartConstraint& one) {
                      return one.binding;
                  }) == (constraints.empty() ? 0 : 1));
        }
    }
}
