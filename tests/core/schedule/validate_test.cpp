// Each test breaks a small schedule in one way and reads the sentence.

#include "core/schedule/deadlock.h"
#include "core/schedule/registry.h"
#include "core/schedule/torch_csv.h"
#include "core/schedule/validate.h"
#include "core/schedule/versions.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace bubblescope;

namespace {

/// A schedule from rows of "0F0 0B0", one per device, placed as the rows say.
Schedule rows(const std::vector<std::string>& lanes, Shape shape)
{
    ScheduleBuilder builder(shape);
    for (std::size_t device = 0; device < lanes.size(); ++device) {
        std::string word;
        for (const char c : lanes[device] + " ") {
            if (c != ' ') {
                word += c;
            } else if (!word.empty()) {
                builder.compute(Device(device), *taskFromText(word));
                word.clear();
            }
        }
    }
    return builder.finish();
}

Shape shape(int devices, int stages, int microbatches)
{
    Shape sizes;
    sizes.devices = devices;
    sizes.stages = stages;
    sizes.microbatches = {microbatches};
    return sizes;
}

std::vector<std::string> sentences(const Schedule& schedule)
{
    std::vector<std::string> texts;
    for (const Problem& problem : validate(schedule))
        texts.push_back(problem.sentence);
    return texts;
}

using Sentences = std::vector<std::string>;

} // namespace

TEST_CASE("a good order has no problems", "[schedule][validate]")
{
    CHECK(sentences(rows({"0F0 0F1 0B0 0B1", "1F0 1B0 1F1 1B1"}, shape(2, 2, 2))).empty());
    CHECK(sentences(rows({"0F0 0I0 0W0"}, shape(1, 1, 1))).empty());
    CHECK(sentences(rows({"0F0 0F1", "1F0 1F1"}, shape(2, 2, 2))).empty());
}

TEST_CASE("all missing and repeated tasks are named at once", "[schedule][validate]")
{
    CHECK(sentences(rows({"0F0 0B0 0B1", "1F0 1F0 1B0 1F1 1I1"}, shape(2, 2, 2))) ==
          Sentences{"1F0 stands twice on device 1.", "0F1 is missing: microbatch 1 never runs forward on stage 0.",
                    "1W1 is missing after 1I1."});
    CHECK(sentences(rows({"0F0 0B0 0W0"}, shape(1, 1, 1))) ==
          Sentences{"0W0 repeats what 0B0 has computed: B is the whole backward, I the input gradient alone."});
    CHECK(sentences(rows({"0F0 0B0 0I0 0W0"}, shape(1, 1, 1)))[0] ==
          "0B0 and 0I0 both compute the input gradient; B is the whole backward, I is followed by W.");
    CHECK(sentences(rows({"0F0 0F1 0B0"}, shape(1, 1, 2))) ==
          Sentences{"0B1 is missing, or 0I1 and 0W1 in its place."});
    CHECK(sentences(rows({"0F0 0B0", "1F0 1B0 0F0"}, shape(2, 2, 1))) ==
          Sentences{"0F0 stands on device 0 and again on device 1."});
}

TEST_CASE("twenty sentences of a kind are enough", "[schedule][validate]")
{
    const std::vector<Problem> problems = validate(rows({"0F0 0B0"}, shape(1, 1, 100)));
    REQUIRE(problems.size() == 21);
    CHECK(problems.back().sentence == "178 more problems of the kind \"missing task\".");
}

TEST_CASE("tasks outside the sizes are named", "[schedule][validate]")
{
    CHECK(sentences(rows({"0F0 0B0 2F0 0F5 0F0:1 0F0@1 0F0#3"}, shape(1, 1, 1))) ==
          Sentences{"2F0: there is no stage 2; the last one is 0.",
                    "0F5: there is no microbatch 5; the last one of pipe 0 is 0.",
                    "0F0:1: there is no slice 1; the last one is 0.", "0F0@1: there is no pipe 1; the last one is 0.",
                    "0F0#3: forward and backward tasks are done by one device, so they can't be part 3."});
    CHECK(sentences(rows({"0F0 0B0", "1F0 1B0"}, shape(1, 2, 1))) ==
          Sentences{"There is a compute lane on device 1, but the last device is 0."});
    Shape huge = shape(1, 60000, 2'000'000'000);
    CHECK(sentences(rows({"0F0 0B0"}, huge)).size() == 1);
}

TEST_CASE("a task away from its stage's home is named", "[schedule][validate]")
{
    ScheduleBuilder builder(shape(2, 2, 1));
    builder.placeLooped();
    for (const char* text : {"0F0", "1F0", "1B0", "0B0"})
        builder.compute(Device(0), *taskFromText(text));
    CHECK(sentences(builder.finish()) == Sentences{"1F0 runs on device 0, but stage 1 is placed on device 1.",
                                                   "1B0 runs on device 0, but stage 1 is placed on device 1."});
}

TEST_CASE("a replica keeps the activations of its own forwards", "[schedule][validate]")
{
    ScheduleBuilder builder(shape(2, 1, 2));
    builder.place(Pipe(0), Stage(0), {Device(0), Device(1)});
    for (const char* text : {"0F0", "0B1"})
        builder.compute(Device(0), *taskFromText(text));
    for (const char* text : {"0F1", "0B0"})
        builder.compute(Device(1), *taskFromText(text));
    CHECK(sentences(builder.finish()) ==
          Sentences{"0B1 runs on replica device 0, but its activations are on device 1, where 0F1 ran.",
                    "0B0 runs on replica device 1, but its activations are on device 0, where 0F0 ran."});
}

TEST_CASE("a deadlock names its cycle, its victims and every blocked head", "[schedule][validate]")
{
    const Schedule schedule =
        rows({"0F0 0F1 0B0 0B1", "1F0 1B0 1F1 1B1", "2F0 2F1 2B0 2B1", "3F0 3B0 3F1 3B1"}, shape(4, 4, 2));
    const std::vector<Problem> problems = validate(schedule);
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].kind == Problem::Kind::Deadlock);
    CHECK(problems[0].sentence ==
          "Devices 1, 2 wait for each other: device 1 stands at 1B0, which needs 2B0 of device 2; "
          "device 2 stands at 2F1, which needs 1F1 of device 1. "
          "Devices 0, 3 wait because of them (device 0 at 0B0, device 3 at 3F1).");
    CHECK(problems[0].devices == std::vector<Device>{Device(1), Device(2)});
    CHECK(problems[0].victims == std::vector<Device>{Device(0), Device(3)});
    std::vector<std::string> heads;
    for (const TaskId id : problems[0].blocked)
        heads.push_back(toText(schedule.tasks[id]));
    CHECK(heads == Sentences{"0B0", "1B0", "2F1", "3F1"});
    CHECK(sentences(rows({"0B0 0F0"}, shape(1, 1, 1))) ==
          Sentences{"Device 0 waits for itself: device 0 stands at 0B0, which needs 0F0 later on the same lane."});
}

TEST_CASE("groups and units are single nodes of the graph", "[schedule][validate]")
{
    // Two collectives in opposite orders on the two devices.
    ScheduleBuilder builder(shape(2, 1, 0));
    const auto first = [&](int device, int number) {
        return builder.add(builder.lane(Device(device), LaneKind::Collective),
                           {.work = Work::AllReduce, .part = Part(device), .microbatch = Microbatch(number)});
    };
    const auto a0 = first(0, 0);
    const auto b0 = first(0, 1);
    const auto b1 = first(1, 1);
    const auto a1 = first(1, 0);
    builder.group({a0, a1});
    builder.group({b0, b1});
    CHECK(sentences(builder.finish()) == Sentences{"Devices 0, 1 wait for each other: device 0 (collective lane 0) "
                                                   "stands at 0a0, which has to start together with 0a0#1 of "
                                                   "device 1 (collective lane 0); device 1 (collective lane 0) stands "
                                                   "at 0a1#1, which has to start together with 0a1 of "
                                                   "device 0 (collective lane 0)."});
}

TEST_CASE("badly formed units, groups and edges are named", "[schedule][validate]")
{
    Schedule joined = rows({"0F0 0B0"}, shape(1, 1, 1));
    joined.tasks[0].flags |= Task::joinedFlag;
    CHECK(sentences(joined) == Sentences{"0B0 needs 0F0, but they are joined and start together."});
    joined.tasks[0].flags = 0;
    joined.tasks[1].flags |= Task::joinedFlag;
    CHECK(sentences(joined) == Sentences{"0B0 is joined with the next task, but it is the last one of its lane."});

    ScheduleBuilder builder(shape(1, 1, 1));
    const auto forward = builder.compute(Device(0), *taskFromText("0F0"));
    const auto backward = builder.compute(Device(0), *taskFromText("0B0"));
    builder.group({forward, backward});
    builder.edge(forward, forward);
    CHECK(sentences(builder.finish()) ==
          Sentences{"0F0 and 0B0 belong to one group and to one lane, so they can't start together.",
                    "0F0 waits for itself."});
}

TEST_CASE("a path visits each stage once and its microbatches stay on it", "[schedule][validate]")
{
    ScheduleBuilder builder(shape(1, 3, 1));
    builder.path({Stage(0), Stage(2)});
    builder.schedule().pathOfMicrobatch = {0};
    for (const char* text : {"0F0", "1F0", "2F0"})
        builder.compute(Device(0), *taskFromText(text));
    Schedule schedule = builder.finish();
    CHECK(sentences(schedule) == Sentences{"1F0 isn't on the path of microbatch 0, which visits the stages 0, 2."});
    schedule.paths = {{Stage(0), Stage(0), Stage(5)}};
    schedule.pathOfMicrobatch = {0, 3};
    CHECK(sentences(schedule) == Sentences{"Path 0 visits stage 0 twice.",
                                           "Path 0 visits stage 5, but the last stage is 2.",
                                           "There are 1 microbatches per step, but a path is given for 2.",
                                           "A microbatch takes path 3, but there are only 1."});
}

namespace {

/// Asynchronous 1F1B over p stages: p−1−s forwards of warm-up, then F and B by turns, U every `every` microbatches.
Schedule asynchronous(int p, int m, int every, Semantics semantics)
{
    ScheduleBuilder builder(shape(p, p, m));
    for (int stage = 0; stage < p; ++stage) {
        int forward = 0;
        const auto add = [&](Work work, int number) {
            builder.compute(Device(stage), {.work = work, .stage = Stage(stage), .microbatch = Microbatch(number)});
        };
        while (forward < std::min(m, p - 1 - stage))
            add(Work::Forward, forward++);
        for (int i = 0; i < m; ++i) {
            if (forward < m)
                add(Work::Forward, forward++);
            add(Work::Backward, i);
            if ((i + 1) % every == 0)
                add(Work::Update, i / every);
        }
    }
    semantics.updateEvery = every;
    builder.schedule().semantics = semantics;
    return builder.finish();
}

struct Counts {
    std::vector<int> live;
    std::vector<int> drift;
};

Counts count(const Schedule& schedule)
{
    Counts counts;
    for (const StageVersions& stage : weightVersions(schedule, TaskIndex(schedule))) {
        counts.live.push_back(stage.live);
        counts.drift.push_back(stage.drift);
    }
    return counts;
}

std::vector<int> forwardVersions(const Schedule& schedule, int stage)
{
    const std::vector<std::int32_t> read = versionsRead(schedule, TaskIndex(schedule));
    std::vector<int> versions;
    for (std::uint32_t i = 0; i < schedule.tasks.size(); ++i)
        if (schedule.tasks[i].work == Work::Forward && schedule.tasks[i].stage == stage)
            versions.push_back(read[i]);
    return versions;
}

using Numbers = std::vector<int>;

} // namespace

TEST_CASE("weight versions follow from the order", "[schedule][validate]")
{
    const Schedule pipedream = asynchronous(4, 10, 1, {.maxVersions = 4, .maxDrift = 3});
    CHECK(count(pipedream).live == Numbers{4, 3, 2, 1});
    CHECK(count(pipedream).drift == Numbers{3, 2, 1, 0});
    CHECK(forwardVersions(pipedream, 0) == Numbers{0, 0, 0, 0, 1, 2, 3, 4, 5, 6});
    CHECK(forwardVersions(pipedream, 2) == Numbers{0, 0, 1, 2, 3, 4, 5, 6, 7, 8});
    CHECK(validate(pipedream).empty());

    const Semantics doubleBuffer{.forwardReads = Semantics::ForwardReads::Delayed, .maxVersions = 2, .maxDrift = 1};
    const Schedule twoBuffers = asynchronous(4, 16, 4, doubleBuffer);
    CHECK(count(twoBuffers).live == Numbers{2, 2, 2, 2});
    CHECK(count(twoBuffers).drift == Numbers{1, 1, 1, 1});
    CHECK(forwardVersions(twoBuffers, 1) == Numbers{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2});
    CHECK(validate(twoBuffers).empty());

    for (const int every : {1, 2, 3}) {
        const Schedule paci = asynchronous(
            4, 16, every, {.backwardReads = Semantics::BackwardReads::Latest, .maxVersions = 1, .maxDrift = 3});
        CHECK(count(paci).live == Numbers{1, 1, 1, 1});
        CHECK(count(paci).drift == (every == 1   ? Numbers{3, 2, 1, 0}
                                    : every == 2 ? Numbers{2, 1, 1, 0}
                                                 : Numbers{1, 1, 1, 0}));
    }

    const Schedule vertical =
        asynchronous(4, 10, 1, {.forwardReads = Semantics::ForwardReads::InputStage, .maxVersions = 4, .maxDrift = 3});
    CHECK(forwardVersions(vertical, 3) == forwardVersions(vertical, 0));
    CHECK(validate(vertical).empty());
}

TEST_CASE("an order that breaks its semantics is refused", "[schedule][validate]")
{
    const Semantics doubleBuffer{.forwardReads = Semantics::ForwardReads::Delayed, .maxVersions = 2, .maxDrift = 1};
    const std::vector<std::string> early = sentences(asynchronous(4, 16, 2, doubleBuffer));
    REQUIRE_FALSE(early.empty());
    CHECK(early[0] == "0F4 on device 0 reads a version of stage 0's weights that isn't made yet when it runs.");

    CHECK(sentences(asynchronous(2, 4, 1, {.maxVersions = 1, .maxDrift = 1})) ==
          Sentences{"Device 0 keeps 2 versions of stage 0's weights after 0U0; at most 1 are allowed."});
    CHECK(sentences(asynchronous(2, 4, 1, {.maxVersions = 2})) ==
          Sentences{"The gradient of 0B1 on device 0 is 1 updates old when it is used; at most 0 are allowed."});

    Schedule synchronous = asynchronous(2, 4, 4, {});
    CHECK(count(synchronous).live == Numbers{1, 1});
    CHECK(validate(synchronous).empty());
    CHECK(validate(repeatSteps(synchronous, 3)).empty());
}

TEST_CASE("a million tasks are checked in about a second", "[schedule][validate][slow]")
{
    RecipeRequest request{
        .devices = 64, .chunks = 2, .microbatches = 4096, .parameters = parseRecipe("interleaved-1f1b").parameters};
    const Schedule schedule = buildSchedule(recipe("interleaved-1f1b"), request);
    CHECK(schedule.tasks.size() > 1'000'000);
    CHECK(validate(schedule).empty());
}
