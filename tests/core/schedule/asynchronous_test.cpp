// The families without a flush: which version of the weights every forward and backward reads, against
// the published and derived tables, against the definitions on random shapes, and what never draining does to time.

#include "core/base/error.h"
#include "core/schedule/registry.h"
#include "core/schedule/task_index.h"
#include "core/schedule/versions.h"
#include "core/simulate/memory.h"
#include "tests/core/schedule/sound.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <random>
#include <string>
#include <vector>

using namespace bubblescope;
using nlohmann::json;

namespace {

using Numbers = std::vector<int>;

Schedule build(const std::string& text, int devices, int microbatches, int steps = 1)
{
    const RecipeSpec spec = parseRecipe(text);
    return buildSchedule(recipe(spec.id),
                         {.devices = devices, .microbatches = microbatches, .parameters = spec.parameters}, steps);
}

std::string refusal(const std::string& text, int devices, int microbatches)
{
    try {
        build(text, devices, microbatches);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

Costs uniform(const Schedule& schedule)
{
    Costs costs(schedule.shape.allStages());
    costs.set(Work::Forward, unit);
    costs.set(Work::Backward, 2 * unit);
    return costs;
}

json data(const std::string& path)
{
    return json::parse(std::ifstream(std::string(BUBBLESCOPE_TEST_DATA) + "/" + path));
}

/// Versions that a work of a stage reads, by microbatch.
Numbers reads(const Schedule& schedule, Work work, int stage)
{
    const std::vector<std::int32_t> read = versionsRead(schedule, TaskIndex(schedule));
    Numbers versions(static_cast<std::size_t>(schedule.shape.microbatches.front() * schedule.shape.steps), noVersion);
    for (std::uint32_t i = 0; i < schedule.tasks.size(); ++i)
        if (schedule.tasks[i].work == work && schedule.tasks[i].stage == stage)
            versions[static_cast<std::size_t>(schedule.tasks[i].microbatch)] =
                std::max(read[i], 0); // a run that ends before the first update has the initial weights only
    return versions;
}

/// One number of weightVersions() by lane and stage.
Numbers counted(const Schedule& schedule, int StageVersions::*number)
{
    Numbers numbers;
    for (const StageVersions& stage : weightVersions(schedule, TaskIndex(schedule)))
        numbers.push_back(stage.*number);
    return numbers;
}

std::vector<double> peaks(const Schedule& schedule, const Timing& timing)
{
    std::vector<double> values;
    for (const ActivationCurve& curve : activationCurves(schedule, timing, parseMemory("", false), false))
        values.push_back(curve.peakActivations());
    return values;
}

/// What F and B of microbatch i on stage s read by the family's definition.
using Definition = std::pair<int, int> (*)(int i, int s, int p, int every);

void checkDefinition(const Schedule& schedule, int every, Definition definition)
{
    for (int stage = 0; stage < schedule.shape.stages; ++stage) {
        const Numbers forward = reads(schedule, Work::Forward, stage);
        const Numbers backward = reads(schedule, Work::Backward, stage);
        bool equal = true;
        for (int i = 0; i < static_cast<int>(forward.size()); ++i) {
            const auto at = static_cast<std::size_t>(i);
            equal = equal && std::pair(forward[at], backward[at]) == definition(i, stage, schedule.shape.stages, every);
        }
        CAPTURE(stage, forward, backward);
        CHECK(equal);
    }
}

struct Family {
    std::string recipe;
    Definition definition;
};

const std::vector<Family>& families()
{
    static const std::vector<Family> all{
        {"pipedream", [](int i, int s, int p,
                         int) { return std::pair(std::max(0, i - (p - 1 - s)), std::max(0, i - (p - 1 - s))); }},
        {"pipedream:sync=vertical",
         [](int i, int, int p, int) { return std::pair(std::max(0, i - (p - 1)), std::max(0, i - (p - 1))); }},
        {"pipedream-2bw:every=",
         [](int i, int, int, int k) { return std::pair(std::max(i / k - 1, 0), std::max(i / k - 1, 0)); }},
        {"paci:every=", [](int i, int s, int p, int k) { return std::pair(std::max(0, i - (p - 1 - s)) / k, i / k); }},
        {"pipelined-backprop", [](int i, int s, int p, int) { return std::pair(std::max(0, i - 2 * (p - 1 - s)), i); }},
        {"pipelined-backprop:weights=stashed",
         [](int i, int s, int p, int) {
             return std::pair(std::max(0, i - 2 * (p - 1 - s)), std::max(0, i - 2 * (p - 1 - s)));
         }},
    };
    return all;
}

} // namespace

TEST_CASE("weight versions are those of the reference table", "[schedule][reference][asynchronous]")
{
    const json table = data("weight_versions.json");
    for (const int p : {2, 4}) {
        const Schedule schedule = build("pipedream", p, 10);
        for (int stage = 0; stage < p; ++stage) {
            const Numbers expected = table["pipedream_forward_version"][fmt::format("p{}", p)][stage];
            CHECK(reads(schedule, Work::Forward, stage) == expected);
            CHECK(reads(schedule, Work::Backward, stage) == expected);
        }
    }
    for (const int m : {2, 4}) {
        const Numbers expected = table["2bw_version"][fmt::format("m{}", m)];
        const Schedule schedule = build("pipedream-2bw", m, m, static_cast<int>(expected.size()) / m);
        for (int stage = 0; stage < m; ++stage) {
            CHECK(reads(schedule, Work::Forward, stage) == expected);
            CHECK(reads(schedule, Work::Backward, stage) == expected);
        }
    }
    for (const int every : {1, 2, 3, 4, 8}) {
        const Schedule schedule = build(fmt::format("paci:every={}", every), 4, 16);
        const json& stages = table["paci"][fmt::format("p4_K{}", every)];
        for (int stage = 0; stage < 4; ++stage) {
            const Numbers forward = reads(schedule, Work::Forward, stage);
            const Numbers backward = reads(schedule, Work::Backward, stage);
            CHECK(forward == stages[stage]["fwd"].get<Numbers>());
            CHECK(backward == stages[stage]["bwd"].get<Numbers>());
            CHECK(counted(schedule, &StageVersions::drift)[static_cast<std::size_t>(stage)] ==
                  stages[stage]["max_drift"].get<int>());
        }
    }
}

TEST_CASE("weight versions follow the definitions on random shapes", "[schedule][asynchronous]")
{
    std::mt19937 random(11);
    const auto draw = [&](int low, int high) {
        return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
    };
    for (const Family& family : families())
        for (int tries = 0; tries < 40; ++tries) {
            const int p = draw(1, 9);
            const int every = family.recipe.find("2bw") != std::string::npos ? draw(p, p + 6) : draw(1, 10);
            const int m = draw(1, 24);
            const int steps = draw(1, 4);
            const std::string text = family.recipe + (family.recipe.back() == '=' ? std::to_string(every) : "");
            CAPTURE(text, p, m, steps);
            const Schedule schedule = build(text, p, m, steps);
            CHECK(schedule.shape.steps == steps);
            test::simulateSound(schedule, uniform(schedule));
            checkDefinition(schedule, every, family.definition);
        }
}

TEST_CASE("stages keep the versions and the staleness that case 58 expects", "[schedule][asynchronous]")
{
    const json expected = data("cases/58-weight-versions.json")["expected"];
    const json& versions = expected["versions_per_stage"];
    CHECK(counted(build("1f1b", 4, 8, 3), &StageVersions::live) == versions["flush 1F1B"].get<Numbers>());
    CHECK(counted(build("pipedream-2bw", 4, 8, 3), &StageVersions::live) ==
          versions["double-buffered weights"].get<Numbers>());
    const Schedule stashing = build("pipedream", 4, 8);
    CHECK(counted(stashing, &StageVersions::live) == versions["asynchronous 1F1B with stashing"].get<Numbers>());
    CHECK(counted(stashing, &StageVersions::drift) == expected["staleness_updates_async"].get<Numbers>());
    CHECK(counted(build("pipedream:sync=vertical", 4, 8), &StageVersions::live) == Numbers{4, 4, 4, 4});
    CHECK(counted(build("paci:every=3", 4, 12), &StageVersions::live) == Numbers{1, 1, 1, 1});
    CHECK(counted(build("pipelined-backprop", 3, 12), &StageVersions::live) == Numbers{1, 1, 1});
    CHECK(counted(build("pipelined-backprop:weights=stashed", 3, 12), &StageVersions::live) == Numbers{5, 3, 1});
    CHECK(counted(build("pipelined-backprop", 3, 12), &StageVersions::drift) == Numbers{4, 2, 0});
}

TEST_CASE("a pipeline without a flush fills and drains once, whatever the number of steps", "[schedule][asynchronous]")
{
    for (const Family& family : families()) {
        const std::string text = family.recipe + (family.recipe.back() == '=' ? "6" : "");
        CAPTURE(text);
        std::vector<Nanoseconds> makespans;
        for (const int steps : {3, 4, 5}) {
            const Schedule schedule = build(text, 4, 6, steps);
            makespans.push_back(simulate(schedule, uniform(schedule)).makespan());
        }
        // A step costs a device its own work and nothing else: no bubble in steady state.
        CHECK(makespans[1] - makespans[0] == 6 * 3 * unit);
        CHECK(makespans[2] - makespans[1] == 6 * 3 * unit);
    }
    const Schedule flushing = build("1f1b", 4, 6, 3);
    const Schedule flowing = build("pipedream", 4, 6, 3);
    CHECK(simulate(flushing, uniform(flushing)).makespan() == 3 * (6 + 3) * 3 * unit);
    CHECK(simulate(flowing, uniform(flowing)).makespan() == (3 * 6 + 3) * 3 * unit);
}

TEST_CASE("a steady device of an asynchronous pipeline never waits", "[schedule][asynchronous]")
{
    for (const Family& family : families()) {
        const std::string text = family.recipe + (family.recipe.back() == '=' ? "6" : "");
        CAPTURE(text);
        const Schedule schedule = build(text, 4, 30);
        const Timing timing = simulate(schedule, uniform(schedule));
        for (int device = 0; device < 4; ++device) {
            const Lane& lane = schedule.lanes[schedule.computeLane(Device(device))];
            Nanoseconds idle = 0;
            for (TaskId id = lane.begin; id + 1U < lane.end; ++id)
                if (schedule.tasks[id].microbatch >= 8 && schedule.tasks[id].microbatch < 22 &&
                    timing.start[id + 1U] > timing.end[id])
                    idle += timing.start[id + 1U] - timing.end[id];
            CHECK(idle == 0);
        }
    }
}

TEST_CASE("asynchronous pipelines hold the activations of what is in flight", "[schedule][asynchronous]")
{
    const auto held = [](const std::string& text, int p, int m) {
        const Schedule schedule = build(text, p, m);
        return peaks(schedule, simulate(schedule, uniform(schedule)));
    };
    using Peaks = std::vector<double>;
    CHECK(held("pipedream", 4, 12) == Peaks{4, 3, 2, 1});
    CHECK(held("pipedream-2bw", 4, 12) == Peaks{4, 3, 2, 1});
    CHECK(held("paci:every=2", 4, 12) == Peaks{4, 3, 2, 1});
    CHECK(held("pipelined-backprop", 4, 12) == Peaks{7, 5, 3, 1});
    CHECK(held("pipelined-backprop", 4, 3) == Peaks{3, 3, 3, 1});
}

TEST_CASE("pipelined backpropagation runs a forward and a backward per tick in one unit", "[schedule][asynchronous]")
{
    const Schedule schedule = build("pipelined-backprop", 3, 6);
    using Texts = std::vector<std::string>;
    CHECK(laneTexts(schedule, schedule.computeLane(Device(0)), true) ==
          Texts{"0F0", "0F1", "0F2", "0F3", "(0F4;0B0)", "0U0", "(0F5;0B1)", "0U1", "0B2", "0U2", "0B3", "0U3", "0B4",
                "0U4", "0B5", "0U5"});
    CHECK(laneTexts(schedule, schedule.computeLane(Device(2)), false).front() == "2F0");
    CHECK(schedule.semantics.delay == Numbers{4, 2, 0});
    const Schedule remedied = build("pipelined-backprop:spike=yes,predict=velocity", 3, 6);
    CHECK(remedied.semantics.spikeCompensation);
    CHECK(remedied.semantics.prediction == Semantics::Prediction::Velocity);
    CHECK(remedied.tasks == schedule.tasks); // the order is the same; the update isn't
}

TEST_CASE("PipeDream's replicas take turns and average", "[schedule][asynchronous]")
{
    const Schedule schedule = build("pipedream:replicas=2-1", 3, 6);
    using Texts = std::vector<std::string>;
    CHECK(schedule.shape.stages == 2);
    CHECK(laneTexts(schedule, schedule.computeLane(Device(0)), true) ==
          Texts{"0F0", "0F2", "0B0", "0U0", "0F4", "0B2", "0U1", "0B4", "0U2"});
    CHECK(laneTexts(schedule, schedule.computeLane(Device(1)), true) ==
          Texts{"0F1", "0F3", "0B1", "0U0#1", "0F5", "0B3", "0U1#1", "0B5", "0U2#1"});
    CHECK(laneTexts(schedule, schedule.computeLane(Device(2)), false) ==
          Texts{"1F0", "1B0", "1F1", "1B1", "1F2", "1B2", "1F3", "1B3", "1F4", "1B4", "1F5", "1B5"});
    CHECK(schedule.groups.size() == 3);
    CHECK(schedule.semantics.replicas == Semantics::Replicas::AveragePerUpdate);
    CHECK(counted(schedule, &StageVersions::live) == Numbers{2, 2, 1});
    // A round that not every replica finishes has no update.
    const Schedule cut = build("pipedream:replicas=2-1", 3, 5);
    CHECK(counted(cut, &StageVersions::updates) == Numbers{2, 2, 5});
    test::simulateSound(cut, uniform(cut));
}

TEST_CASE("any numbers of replicas give an order that can't hang", "[schedule][asynchronous]")
{
    std::mt19937 random(5);
    const auto draw = [&](int low, int high) {
        return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
    };
    for (int tries = 0; tries < 150; ++tries) {
        std::string text = "pipedream:replicas=";
        int devices = 0;
        Numbers replicas;
        for (int stage = 0, stages = draw(1, 5); stage < stages; ++stage) {
            replicas.push_back(draw(1, 4));
            devices += replicas.back();
            text += (stage > 0 ? "-" : "") + std::to_string(replicas.back());
        }
        if (std::all_of(replicas.begin(), replicas.end(), [&](int r) { return r == replicas.front(); }) &&
            draw(0, 1) == 1)
            text += ",sync=vertical";
        CAPTURE(text);
        const Schedule schedule = build(text, devices, draw(1, 20), draw(1, 2));
        test::simulateSound(schedule, uniform(schedule));
        for (const Task& task : schedule.tasks) // F and B on the same replica: validate() looks; here the turns
            if (task.work == Work::Forward) {
                Task backward = task;
                backward.work = Work::Backward;
                const auto device = [&](const Task& wanted) {
                    const auto at = std::find(schedule.tasks.begin(), schedule.tasks.end(), wanted);
                    return schedule.deviceOf(TaskId(at - schedule.tasks.begin())).value;
                };
                int first = 0;
                for (int stage = 0; stage < task.stage; ++stage)
                    first += replicas[static_cast<std::size_t>(stage)];
                REQUIRE(device(task) == first + task.microbatch % replicas[task.stage]);
                REQUIRE(device(backward) == device(task));
            }
    }
}

TEST_CASE("balanced replicas leave no bubble in steady state", "[schedule][asynchronous]")
{
    // Stage 0 takes twice as long and has two devices.
    const auto makespan = [](int steps) {
        const Schedule schedule = build("pipedream:replicas=2-1", 3, 6, steps);
        Costs costs = uniform(schedule);
        costs.set(Work::Forward, Stage(0), 2 * unit);
        costs.set(Work::Backward, Stage(0), 4 * unit);
        return simulate(schedule, costs).makespan();
    };
    CHECK(makespan(4) - makespan(3) == 6 * 3 * unit);
}

TEST_CASE("asynchronous families refuse what their rules exclude, with the nearest that works",
          "[schedule][asynchronous]")
{
    using Catch::Contains;
    CHECK_THAT(refusal("pipedream-2bw", 4, 3), Contains("3 microbatches per update") && Contains("4 devices") &&
                                                   Contains("4 are the fewest, or 3 devices"));
    CHECK_THAT(refusal("pipedream-2bw:every=2", 4, 8), Contains("2 microbatches per update"));
    CHECK(refusal("pipedream-2bw:every=4", 4, 2).empty());
    CHECK_THAT(refusal("pipedream:replicas=2-1", 4, 8),
               Contains("3 devices on 2 stages") && Contains("replicas=2-2") && Contains("or 3 devices fit"));
    CHECK_THAT(refusal("pipedream:replicas=2-3-4", 4, 8), Contains("replicas=2-2 "));
    for (const char* text : {"0-1", "2--1", "a", "2-", "1.5", "-1", "99999999999"})
        CHECK_THAT(refusal(fmt::format("pipedream:replicas={}", text), 4, 8), Contains("is not a list of devices"));
    CHECK_THAT(refusal("pipedream:replicas=2-1,sync=vertical", 3, 8),
               Contains("every 2 microbatches") && Contains("sync=none"));
    CHECK(refusal("pipedream:replicas=2-2,sync=vertical", 4, 8).empty());
    CHECK_THAT(refusal("pipelined-backprop:weights=stashed,predict=velocity", 4, 8), Contains("weights=latest"));
    CHECK_THAT(refusal("paci:every=-1", 4, 8), Contains("whole number from 0"));
}

TEST_CASE("a wrong version limit is found", "[schedule][asynchronous]")
{
    Schedule schedule = build("pipedream", 4, 10);
    schedule.semantics.maxVersions = 3;
    CHECK_THAT(test::problemsOf(schedule), Catch::Contains("keeps 4 versions"));
    schedule = build("pipelined-backprop", 4, 20);
    schedule.semantics.maxDrift = 5;
    CHECK_THAT(test::problemsOf(schedule), Catch::Contains("6 updates old"));
}
