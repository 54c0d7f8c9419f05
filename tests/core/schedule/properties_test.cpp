// What holds for every schedule of the registry, over many random shapes (schedules.md 13).

#include "core/base/error.h"
#include "core/schedule/registry.h"
#include "core/simulate/memory.h"
#include "tests/core/schedule/sound.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>
#include <tuple>
#include <vector>

using namespace bubblescope;

namespace {

struct Sample {
    const RecipeInfo* info = nullptr;
    RecipeRequest request;
    Schedule schedule;
    std::string name;
};

/// A random value for every parameter; shapes that the recipe refuses are drawn again.
std::vector<Sample> samples(int perRecipe, unsigned seed)
{
    std::mt19937 random(seed);
    const auto draw = [&](int low, int high) {
        return low + static_cast<int>(random() % static_cast<unsigned>(high - low + 1));
    };
    std::vector<Sample> all;
    for (const RecipeInfo& info : recipes())
        for (int made = 0, tries = 0; made < perRecipe && tries < 200 * perRecipe; ++tries) {
            RecipeRequest request{.devices = draw(1, 8),
                                  .chunks = draw(info.minimumChunks, std::min(info.maximumChunks, 4)),
                                  .microbatches = draw(1, 24),
                                  .parameters = {}};
            std::string name = std::string(info.id);
            for (const RecipeParameter& parameter : info.parameters) {
                const auto choice = [&] {
                    return parameter
                        .choices[static_cast<std::size_t>(draw(0, static_cast<int>(parameter.choices.size()) - 1))];
                };
                const int least = static_cast<int>(parameter.minimum);
                const int most = static_cast<int>(std::min(parameter.maximum, 12.0));
                request.parameters[parameter.name] = !parameter.choices.empty() ? choice()
                                                     : parameter.kind == RecipeParameter::Kind::Text
                                                         ? parameter.defaultValue
                                                         : std::to_string(draw(least, most));
                name += fmt::format(" {}={}", parameter.name, request.parameters[parameter.name]);
            }
            if (request.parameters.count("rules") > 0 && request.parameters["rules"] == "none")
                continue; // builds what can't run, on purpose
            try {
                Schedule schedule = buildSchedule(info, request);
                name += fmt::format(" p={} v={} m={}", request.devices, request.chunks, request.microbatches);
                all.push_back({&info, request, std::move(schedule), name});
                ++made;
            } catch (const Error&) {
            }
        }
    return all;
}

Costs uniform(const Schedule& schedule)
{
    Costs costs(schedule.shape.allStages());
    costs.set(Work::Forward, unit);
    costs.set(Work::InputGradient, unit);
    costs.set(Work::WeightGradient, unit);
    costs.set(Work::Backward, 2 * unit);
    costs.shareOut(schedule);
    return costs;
}

/// Everything up to 12 divides it, so slices of equal length have whole nanoseconds.
constexpr Nanoseconds divisible = 27720;

Costs uneven(const Schedule& schedule, std::mt19937& random, Nanoseconds scale = 1)
{
    Costs costs(schedule.shape.allStages());
    for (int stage = 0; stage < schedule.shape.allStages(); ++stage) {
        Nanoseconds times[3];
        for (Nanoseconds& time : times)
            time = static_cast<Nanoseconds>(500 + random() % 1000) * divisible * scale;
        costs.set(Work::Forward, Stage(stage), times[0]);
        costs.set(Work::InputGradient, Stage(stage), times[1]);
        costs.set(Work::WeightGradient, Stage(stage), times[2]);
        costs.set(Work::Backward, Stage(stage), times[1] + times[2]);
    }
    costs.shareOut(schedule);
    return costs;
}

/// Microbatches of each (work, pipe, stage) in lane order; B and I count as one.
std::map<std::tuple<char, int, int>, std::vector<int>> sequences(const Schedule& schedule)
{
    std::map<std::tuple<char, int, int>, std::vector<int>> lists;
    for (const Task& task : schedule.tasks)
        if (onGrid(task.work) && task.slice == 0) {
            const char letter = propagatesGradient(task.work) ? 'B' : workName(task.work).letter;
            lists[{letter, task.pipe.value, task.stage.value}].push_back(task.microbatch.value);
        }
    return lists;
}

/// Forward and backward of every microbatch on every stage of its path.
Nanoseconds allWork(const Schedule& schedule, const Costs& costs)
{
    const auto ofStage = [&](int stage) {
        return costs.duration(Work::Forward, Stage(stage)) + costs.duration(Work::Backward, Stage(stage));
    };
    Nanoseconds work = 0;
    for (int i = 0; i < schedule.shape.microbatchesPerStep(); ++i)
        if (schedule.paths.empty())
            for (int stage = 0; stage < schedule.shape.stages; ++stage)
                work += ofStage(stage);
        else
            for (const Stage stage : schedule.paths[schedule.pathOfMicrobatch[static_cast<std::size_t>(i)]])
                work += ofStage(stage);
    return work;
}

/// Stages that every microbatch visits at least.
std::size_t fewestVisits(const Schedule& schedule)
{
    auto fewest = static_cast<std::size_t>(schedule.shape.stages);
    for (const std::vector<Stage>& path : schedule.paths)
        fewest = std::min(fewest, path.size());
    return fewest;
}

/// Every stage has one home, on which all of its microbatches are worked on.
bool staysAtHome(const Schedule& schedule)
{
    return !schedule.placement.empty() && schedule.paths.empty();
}

/// Cost of all microbatches of a pipe on a stage. Each slice may have a cost of its own beside its tokens, and sequences that
/// are packed differ from each other.
Nanoseconds ofStep(const Costs& costs, Work work, Stage stage, int microbatches)
{
    const Nanoseconds whole = costs.duration(work, stage);
    if (costs.slices.empty())
        return microbatches * whole;
    const Nanoseconds all = std::llround(costs.slices.sums.back() * static_cast<double>(whole));
    return costs.slices.first.size() == 1 ? microbatches * all : all;
}

/// Microbatches that W or B finishes; a stage's own work, from which its busy time follows.
Nanoseconds expectedBusy(const Schedule& schedule, const Costs& costs, Device device)
{
    Nanoseconds busy = 0;
    for (std::size_t home = 0; home < schedule.placement.homes.size(); ++home) {
        const auto& homes = schedule.placement.homes[home];
        const auto stages = static_cast<std::size_t>(schedule.shape.allStages());
        if (std::find(homes.begin(), homes.end(), device) == homes.end())
            continue;
        const Stage stage(home % stages);
        for (const Work work : {Work::Forward, Work::Backward})
            busy += ofStep(costs, work, stage, schedule.shape.microbatches[home / stages]);
    }
    return busy;
}

Nanoseconds busyTime(const Schedule& schedule, const Timing& timing, Device device)
{
    Nanoseconds busy = 0;
    const Lane& lane = schedule.lanes[schedule.computeLane(device)];
    for (TaskId first = lane.begin; first < lane.end; first = schedule.unitEnd(first))
        busy += timing.end[first] - timing.start[first];
    return busy;
}

Nanoseconds busyTime(const Schedule& schedule, const Timing& timing)
{
    Nanoseconds busy = 0;
    for (int device = 0; device < schedule.shape.devices; ++device)
        if (schedule.computeLane(Device(device)) < schedule.lanes.size())
            busy += busyTime(schedule, timing, Device(device));
    return busy;
}

bool mayReorder(const Sample& sample)
{
    const auto backward = sample.request.parameters.find("backward");
    return !sample.schedule.paths.empty() || sample.info->id == "looped-bfs" || sample.info->id == "seq1f1b" ||
           sample.info->id == "terapipe" || (backward != sample.request.parameters.end() && backward->second == "lifo");
}

} // namespace

TEST_CASE("random shapes give complete orders that can't hang", "[schedule][properties]")
{
    for (const Sample& sample : samples(25, 1)) {
        CAPTURE(sample.name);
        const Schedule& schedule = sample.schedule;
        const Costs costs = uniform(schedule);
        const Timing timing = test::simulateSound(schedule, costs); // 1 and 3: complete, no deadlock, nor as a program

        if (!mayReorder(sample)) // 2
            for (const auto& [key, list] : sequences(schedule))
                CHECK(std::is_sorted(list.begin(), list.end()));

        for (const ActivationCurve& curve :
             activationCurves(schedule, timing, parseMemory("", sample.info->splitsBackward), true)) // 4
            if (!curve.steps.empty())
                CHECK(curve.steps.back().live == 0);

        Nanoseconds mostBusy = 0;
        if (staysAtHome(schedule)) // 5
            for (int device = 0; device < schedule.shape.devices; ++device) {
                CHECK(busyTime(schedule, timing, Device(device)) == expectedBusy(schedule, costs, Device(device)));
                mostBusy = std::max(mostBusy, busyTime(schedule, timing, Device(device)));
            }
        else
            CHECK(busyTime(schedule, timing) == allWork(schedule, costs));
        // 6: one microbatch there and back, and the last W
        if (schedule.slicing.empty())
            CHECK(timing.makespan() >= static_cast<Nanoseconds>(fewestVisits(schedule)) * 2 * unit + unit);
        CHECK(timing.makespan() >= mostBusy);
    }
}

TEST_CASE("one device or one microbatch is a schedule too", "[schedule][properties]")
{
    for (const Sample& sample : samples(60, 2)) { // 7
        if (sample.request.devices > 1 && sample.request.microbatches > 1)
            continue;
        CAPTURE(sample.name);
        const Costs costs = uniform(sample.schedule);
        const Timing timing = test::simulateSound(sample.schedule, costs);
        if (!sample.schedule.slicing.empty() && sample.request.devices == 1)
            CHECK(timing.makespan() == expectedBusy(sample.schedule, costs, Device(0)));
        else if (sample.request.devices == 1)
            CHECK(timing.makespan() == sample.request.microbatches * sample.schedule.shape.stages * 3 * unit);
    }
}

TEST_CASE("communication never helps a fixed order", "[schedule][properties]")
{
    std::mt19937 random(3);
    for (const Sample& sample : samples(10, 3)) { // 9
        CAPTURE(sample.name);
        Costs costs = uneven(sample.schedule, random);
        for (const CommModel model : {CommModel::Latency, CommModel::Blocking}) {
            costs.model = model;
            Nanoseconds before = 0;
            for (const Nanoseconds latency : {0, 10, 100, 350, 2000}) {
                costs.everyHop.latency = latency * divisible;
                const Nanoseconds makespan = simulate(sample.schedule, costs).makespan();
                CHECK(makespan >= before);
                before = makespan;
            }
        }
    }
}

TEST_CASE("orders and times don't depend on the unit", "[schedule][properties]")
{
    for (Sample& sample : samples(10, 4)) {
        CAPTURE(sample.name);
        std::mt19937 once(5);
        std::mt19937 again(5);
        const Costs small = uneven(sample.schedule, once);
        const Costs large = uneven(sample.schedule, again, 1000);
        sample.request.costs = &small;
        const Schedule fromSmall = buildSchedule(*sample.info, sample.request);
        sample.request.costs = &large;
        const Schedule fromLarge = buildSchedule(*sample.info, sample.request);
        CHECK(fromSmall.tasks == fromLarge.tasks);
        const Timing short_ = simulate(fromSmall, small);
        const Timing long_ = simulate(fromLarge, large);
        // Slices of unequal cost are rounded to nanoseconds, each on its own.
        const Nanoseconds rounding = small.slices.empty() ? 0 : static_cast<Nanoseconds>(1000 * short_.start.size());
        bool scaled = true;
        for (std::size_t i = 0; i < short_.start.size(); ++i)
            scaled = scaled && std::abs(long_.start[i] - 1000 * short_.start[i]) <= rounding &&
                     std::abs(long_.end[i] - 1000 * short_.end[i]) <= rounding;
        CHECK(scaled);
    }
}

TEST_CASE("uneven stages and hops leave the lowering free of deadlocks", "[schedule][properties]")
{
    std::mt19937 random(6);
    for (const Sample& sample : samples(10, 6)) {
        CAPTURE(sample.name);
        Costs costs = uneven(sample.schedule, random);
        costs.everyHop.latency = static_cast<Nanoseconds>(random() % 800) * divisible;
        test::simulateSound(sample.schedule, costs);
    }
}

TEST_CASE("bubbles stand in the papers' ratios to each other", "[schedule][properties]")
{
    // 10: with F=I=W the bubble of ZB-H1 is a third of 1F1B's, of interleaved 1/v (in whole-device units), of
    // GIS two thirds of that and of interleaved zero bubble one third.
    const auto idleOf = [](const std::string& id, int chunks) {
        RecipeRequest request{
            .devices = 4, .chunks = chunks, .microbatches = 8, .parameters = parseRecipe(id).parameters};
        const Schedule schedule = buildSchedule(recipe(id), request);
        const Costs costs = uniform(schedule);
        const Timing timing = simulate(schedule, costs);
        return timing.makespan() - busyTime(schedule, timing, Device(0));
    };
    CHECK(3 * idleOf("zb-h1", 1) == idleOf("1f1b", 1));
    for (const int chunks : {2, 3, 4}) {
        const Nanoseconds interleaved = idleOf("interleaved-1f1b", chunks);
        CHECK(interleaved == idleOf("1f1b", 1)); // a chunk costs one unit here, 1/v of a device's stage
        CHECK(3 * idleOf("gis", chunks) == 2 * interleaved);
        CHECK(3 * idleOf("interleaved-zb", chunks) == interleaved);
        CHECK(idleOf("gis-h", chunks) == idleOf("gis", chunks) + (chunks - 1) * 2 * unit);
    }
}

TEST_CASE("steps repeat without change", "[schedule][properties]")
{
    for (const Sample& sample : samples(5, 7)) {
        CAPTURE(sample.name);
        if (sample.schedule.semantics.stepBarrier != Semantics::StepBarrier::Group)
            continue;
        const Costs costs = uniform(sample.schedule);
        const Nanoseconds one = simulate(sample.schedule, costs).makespan();
        CHECK(test::simulateSound(repeatSteps(sample.schedule, 3), costs).makespan() == 3 * one);
    }
}
