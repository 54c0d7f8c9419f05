// Experiments: options and files become costs, partitions and plans; what can't be is refused with a sentence.

#include "core/base/error.h"
#include "core/experiment.h"
#include "core/simulate/simulate.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

using namespace bubblescope;

namespace {

/// The sentence with which `work` is refused; "" when it isn't.
template <class Work>
std::string refusal(Work work)
{
    try {
        work();
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

Experiment unitCosts(int stages, int microbatches)
{
    Experiment experiment;
    experiment.stages = stages;
    experiment.microbatches = microbatches;
    experiment.cost = "F=1,B=2";
    return experiment;
}

Nanoseconds makespan(const Experiment& experiment, const char* recipe)
{
    const Plan made = plan(experiment, parseRecipe(recipe));
    return simulate(made.schedule, made.costs).makespan();
}

std::string refusedPlan(const Experiment& experiment, const char* recipe = "1f1b")
{
    return refusal([&] { plan(experiment, parseRecipe(recipe)); });
}

using Catch::Matchers::Contains;

} // namespace

TEST_CASE("a missing B is the sum of I and W, a missing pair is half of B each, with a warning", "[experiment]")
{
    Experiment experiment = unitCosts(2, 2);
    experiment.cost = "F=1,I=1.3,W=0.8";
    CHECK(plan(experiment, parseRecipe("1f1b")).costs.duration(Work::Backward, Stage(0)) == 2'100'000);
    experiment.cost = "F=1,B=3";
    const Plan split = plan(experiment, parseRecipe("zb-h1"));
    CHECK(split.costs.duration(Work::WeightGradient, Stage(0)) == 1'500'000);
    CHECK(split.costs.duration(Work::InputGradient, Stage(0)) == 1'500'000);
    CHECK(split.warnings.size() == 1);
    CHECK(plan(experiment, parseRecipe("1f1b")).warnings.empty());
    experiment.cost = "F=1,B=0.000003"; // W is rounded down to whole nanoseconds
    CHECK(plan(experiment, parseRecipe("zb-h1")).costs.duration(Work::WeightGradient, Stage(0)) == 1);
    CHECK(plan(experiment, parseRecipe("zb-h1")).costs.duration(Work::InputGradient, Stage(0)) == 2);
}

TEST_CASE("costs that can't be are refused by name", "[experiment]")
{
    Experiment experiment = unitCosts(4, 8);
    const auto refused = [&](const char* cost) {
        experiment.cost = cost;
        return refusedPlan(experiment);
    };
    CHECK_THAT(refused("F=-1,B=2"), Contains("-1"));
    CHECK_THAT(refused("F=nan"), Contains("F=nan"));
    CHECK_THAT(refused("F=1;B=2"), Contains("F=1;B=2"));
    CHECK_THAT(refused("G7=1"), Contains("G7=1"));
    CHECK_THAT(refused("F"), Contains("'F'"));
    CHECK_THAT(refused("F=1,"), Contains("''"));
    CHECK_THAT(refused("F=1e300"), Contains("1e300"));
    CHECK_THAT(refused("F=1,B=2,FB=4"), Contains("FB=4"));
    Experiment file = unitCosts(2, 2);
    for (const char* letter : {"", "Q7", "?"}) {
        file.stageCosts = {{{"F", 1.0}}, {{letter, 1.0}}};
        CHECK_THAT(refusedPlan(file), Contains("stage 1") && Contains(letter));
    }
    file.stageCosts = {{{"F", 1.0}}, {{"F", -1.0}}};
    CHECK_THAT(refusedPlan(file), Contains("-1"));
}

TEST_CASE("a memory limit below nothing is refused", "[experiment]")
{
    Experiment experiment;
    experiment.stages = 4;
    experiment.microbatches = 8;
    experiment.memoryLimit = -1;
    CHECK_THROWS_WITH(plan(experiment, parseRecipe("1f1b")),
                      "a memory limit of -1 activations is impossible; 0 means that there is none.");
    experiment.memoryLimit = 0;
    CHECK_NOTHROW(plan(experiment, parseRecipe("1f1b")));
}

TEST_CASE("a partition covers every layer or is refused with the missing ones (case 02)", "[experiment]")
{
    Experiment experiment = unitCosts(4, 8);
    experiment.model.layers = 26;
    experiment.partition = {6, 6, 6, 6};
    const std::string sentence = refusedPlan(experiment);
    CHECK_THAT(sentence, Contains("24") && Contains("26") && Contains("24, 25") && Contains("7,7,6,6"));
    experiment.partition = {7, 8, 8};
    CHECK_THAT(refusedPlan(experiment), Contains("7,8,8") && Contains("3 stages") && Contains("4 virtual"));
    experiment.partition = {7, 8, 8, 7};
    CHECK_THAT(refusedPlan(experiment), Contains("30") && Contains("26"));
    experiment.model.layers = 30;
    CHECK(refusedPlan(experiment).empty());
    experiment.partition = {10, 10, 11, -1};
    CHECK_THAT(refusedPlan(experiment), Contains("-1"));
}

TEST_CASE("the mean stage costs what --cost says, whatever the partition", "[experiment]")
{
    Experiment experiment = unitCosts(4, 8);
    experiment.model.layers = 8;
    experiment.partition = {1, 2, 2, 3};
    const Costs costs = plan(experiment, parseRecipe("1f1b")).costs;
    CHECK(costs.duration(Work::Forward, Stage(0)) == 500'000);
    CHECK(costs.duration(Work::Forward, Stage(3)) == 1'500'000);
    CHECK(costs.duration(Work::Backward, Stage(3)) == 3'000'000);
    experiment.partition = {2, 2, 2, 2};
    CHECK(makespan(experiment, "1f1b") == 33 * unit);
}

TEST_CASE("interleaving six microbatches over four stages is refused with numbers that work (cases 11 and 13)",
          "[experiment]")
{
    Experiment experiment = unitCosts(4, 6);
    const std::string sentence = refusedPlan(experiment, "interleaved-1f1b");
    CHECK_THAT(sentence, Contains("6") && Contains("4 or 8"));
    const std::map<int, bool> flexible = {{3, true},   {6, true},   {9, false}, {10, true},
                                          {11, false}, {13, false}, {14, false}};
    for (const auto& [microbatches, accepted] : flexible) {
        CAPTURE(microbatches);
        CHECK(refusedPlan(unitCosts(4, microbatches), "interleaved-1f1b:rules=flexible").empty() == accepted);
    }
}

TEST_CASE("group sizes of interleaved 1F1B cost what case 32 says", "[experiment]")
{
    Experiment experiment = unitCosts(4, 8);
    experiment.cost = "F=0.5,B=1";
    const std::map<int, double> expected = {{4, 28.5}, {5, 29.5}, {6, 31.0}, {7, 33.5}, {8, 28.5}};
    for (const auto& [group, units] : expected) {
        CAPTURE(group);
        CHECK(double(makespan(experiment, fmt::format("interleaved-1f1b:rules=none,group={}", group).c_str())) / unit ==
              Approx(units));
    }
    for (const int group : {1, 2, 3}) { // the order can't complete: said, not looped over
        CAPTURE(group);
        const std::string spec = fmt::format("interleaved-1f1b:rules=none,group={}", group);
        CHECK_THAT(refusal([&] { makespan(experiment, spec.c_str()); }),
                   Contains("can't complete") && Contains("device"));
        CHECK_FALSE(
            refusedPlan(experiment, fmt::format("interleaved-1f1b:rules=group,group={}", group).c_str()).empty());
    }
    for (const int group : {5, 6, 7})
        CHECK_FALSE(
            refusedPlan(experiment, fmt::format("interleaved-1f1b:rules=group,group={}", group).c_str()).empty());
    CHECK(refusedPlan(experiment, "interleaved-1f1b:rules=group,group=8").empty());
}

TEST_CASE("fewer microbatches than stages are legal, dear and warned about (case 14)", "[experiment]")
{
    const Plan few = plan(unitCosts(6, 2), parseRecipe("1f1b"));
    CHECK(simulate(few.schedule, few.costs).makespan() == 21 * unit);
    REQUIRE(few.warnings.size() == 1);
    CHECK_THAT(few.warnings.front(), Contains("2") && Contains("6"));
}

TEST_CASE("latency is paid again in every round trip of 1F1B (case 29)", "[experiment]")
{
    Experiment experiment = unitCosts(3, 4);
    experiment.cost = "F=2,B=4";
    const std::map<double, double> expected = {{0, 36}, {0.25, 38}, {0.5, 40}, {1.0, 44}};
    for (const auto& [latency, units] : expected) {
        experiment.comm = latency;
        CHECK(double(makespan(experiment, "1f1b")) / unit == Approx(units));
    }
}

TEST_CASE("recomputing costs another forward before each backward", "[experiment]")
{
    Experiment experiment = unitCosts(4, 8);
    experiment.recompute = true;
    CHECK(makespan(experiment, "1f1b") == 44 * unit); // (m + p - 1)(F + F + B)
    CHECK(makespan(experiment, "gpipe") == 44 * unit);
    experiment.cost = "F=1,B=2,R=0.5";
    CHECK(makespan(experiment, "1f1b") == 38'500'000);
}

TEST_CASE("recipes parse, print and refuse", "[experiment]")
{
    CHECK(parseRecipe("gpipe").text() == "gpipe");
    CHECK(parseRecipe("gpipe:backward=fifo").text() == "gpipe");
    CHECK(parseRecipe("gpipe:backward=lifo").text() == "gpipe:backward=lifo");
    CHECK_THAT(refusal([] { parseRecipe("1f2b"); }), Contains("1f2b") && Contains("1f1b"));
    CHECK_THAT(refusal([] { parseRecipe(""); }), Contains("''"));
    CHECK_THAT(refusal([] { parseRecipe("gpipe:backward=up"); }), Contains("fifo, lifo"));
    CHECK_THAT(refusal([] { parseRecipe("gpipe:forward=up"); }), Contains("forward") && Contains("backward"));
    CHECK_THAT(refusal([] { parseRecipe("gpipe:"); }), Contains("parameter=value"));
    CHECK_THAT(refusal([] { parseRecipe("interleaved-1f1b:group=-1"); }), Contains("-1"));
}

TEST_CASE("shapes that can't be built are refused with numbers", "[experiment]")
{
    CHECK_THAT(refusedPlan(unitCosts(0, 8)), Contains("0 stages"));
    CHECK_THAT(refusedPlan(unitCosts(-3, 8)), Contains("-3 stages"));
    CHECK_THAT(refusedPlan(unitCosts(100'000, 8)), Contains("100000 stages"));
    CHECK_THAT(refusedPlan(unitCosts(4, 0)), Contains("0 microbatches"));
    Experiment chunks = unitCosts(4, 8);
    chunks.chunks = 2;
    CHECK_THAT(refusedPlan(chunks), Contains("2 chunks") && Contains("exactly 1"));
}

TEST_CASE("chunks share what a device's part of the model costs, where the costs are of devices", "[experiment]")
{
    Experiment experiment = unitCosts(4, 8);
    experiment.costOf = CostOf::DeviceShare;
    CHECK(makespan(experiment, "1f1b") == 33 * unit); // one stage a device: no difference
    // Interleaving divides the bubble by v: m (F + B) + (p - 1) (F + B) / v (Narayanan et al. 2021, 2.2).
    experiment.chunks = 2;
    CHECK(makespan(experiment, "interleaved-1f1b") == 24 * unit + 9 * unit / 2);
    experiment.chunks = 3;
    CHECK(makespan(experiment, "interleaved-1f1b") == 24 * unit + 9 * unit / 3);
    experiment.costOf = CostOf::EachStage;
    experiment.chunks = 2;
    CHECK(makespan(experiment, "interleaved-1f1b") == 57 * unit);
}

TEST_CASE("a pair, an update and uneven layers are shared by chunks, too", "[experiment]")
{
    Experiment experiment = unitCosts(4, 8);
    experiment.cost = "F=2,B=4,FB=5,U=3,R=2";
    experiment.costOf = CostOf::DeviceShare;
    experiment.chunks = 2;
    experiment.model.layers = 16;
    experiment.partition = {2, 2, 2, 2, 2, 2, 1, 3};
    const Costs costs = plan(experiment, parseRecipe("interleaved-1f1b")).costs;
    CHECK(costs.duration(Work::Forward, Stage(0)) == unit);
    CHECK(costs.duration(Work::Backward, Stage(6)) == unit);
    CHECK(costs.duration(Work::Forward, Stage(7)) == 3 * unit / 2);
    CHECK(costs.duration(Work::Update, Stage(7)) == 3 * unit / 2);
    CHECK(costs.pair == 5 * unit / 2);
    // Costs that are listed by stage are of stages, whatever the common ones are of.
    experiment.partition.clear();
    experiment.model.layers = 0;
    experiment.stageCosts.assign(8, {{"F", 1.0}, {"B", 2.0}});
    CHECK(plan(experiment, parseRecipe("interleaved-1f1b")).costs.duration(Work::Forward, Stage(3)) == unit);
}

TEST_CASE("an experiment survives its JSON form", "[experiment]")
{
    Experiment experiment = unitCosts(4, 8);
    experiment.schedules = {parseRecipe("gpipe:backward=lifo"), parseRecipe("zb-h1")};
    experiment.model.layers = 8;
    experiment.model.layerCosts = {1, 1, 1, 1, 3, 3, 3, 2};
    experiment.partition = {2, 2, 2, 2};
    experiment.stageCosts = {{{"F", 1.0}, {"B", 2.5}}};
    experiment.stageSpeed = {1, 0.5, 1, 1};
    experiment.commPairs = {{"0-1", 0.25}};
    experiment.recompute = true;
    experiment.costOf = CostOf::DeviceShare;
    const nlohmann::json json = toJson(experiment);
    CHECK(toJson(experimentFromJson(json)) == json);
}

TEST_CASE("experiment files say which field is wrong", "[experiment]")
{
    using nlohmann::json;
    CHECK_THAT(refusal([] { experimentFromJson(json::parse(R"({"stagez": 4})")); }), Contains("stagez"));
    CHECK_THAT(refusal([] { experimentFromJson(json::parse(R"({"stages": "four"})")); }),
               Contains("stages") && Contains("whole number"));
    CHECK_THAT(refusal([] { experimentFromJson(json::parse(R"({"stages": 4.5})")); }), Contains("4.5"));
    CHECK_THAT(refusal([] { experimentFromJson(json::parse(R"({"model": {"depth": 4}})")); }), Contains("depth"));
    CHECK_THAT(refusal([] { experimentFromJson(json::parse(R"({"cost_of": "layer"})")); }),
               Contains("layer") && Contains("stage and device"));
    CHECK_THAT(refusal([] { experimentFromJson(json::parse("[]")); }), Contains("not a JSON object"));
}

TEST_CASE("shards of a vocabulary cost together what embedding and head cost on the ends", "[experiment]")
{
    Experiment experiment = unitCosts(4, 16);
    experiment.model.layers = 16;
    experiment.model.headCost = 4;
    experiment.model.embeddingCost = 0.5;
    const auto work = [&](const char* recipe) {
        const Plan made = plan(experiment, parseRecipe(recipe));
        Nanoseconds sum = 0;
        for (TaskId id{}; id < made.schedule.tasks.size(); ++id)
            sum += made.costs.duration(id, made.schedule.tasks[id]);
        return static_cast<double>(sum) / unit;
    };
    CHECK(work("1f1b") == Approx(4 * 16 * 3).epsilon(1e-6)); // F and B are those of a mean stage
    for (const char* recipe : {"vocab-1", "vocab-2", "vocab-1:base=v-half", "vocab-2:base=v-half"}) {
        CAPTURE(recipe);
        const double chunks = std::string(recipe).size() > 7 ? 2 : 1; // costs are per virtual stage
        CHECK(work(recipe) == Approx(chunks * 4 * 16 * 3).epsilon(1e-6));
    }
    // The last device has two mean stages of 1F1B's work, head and all; in shards nobody has more than his part.
    CHECK(makespan(experiment, "1f1b") > 80 * unit);
    CHECK(makespan(experiment, "vocab-1") < 56 * unit);
    CHECK(makespan(experiment, "vocab-2") < 56 * unit);
    experiment.cost = "F=1,B=2,v=0,t=0,e=0,d=0"; // given ones hold
    CHECK(makespan(experiment, "vocab-2") < 46 * unit);
}
