// Schedules that run both ways through the devices, or overlap a forward with a backward: chimera, bitpipe, dualpipe,
// dualpipev, hanayo.

#include "core/base/error.h"
#include "core/schedule/registry.h"
#include "core/simulate/memory.h"
#include "tests/core/schedule/sound.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <string>
#include <vector>

using namespace bubblescope;
using nlohmann::json;

namespace {

Schedule build(const std::string& text, int devices, int microbatches, int chunks = 0)
{
    const RecipeSpec spec = parseRecipe(text);
    const RecipeInfo& info = recipe(spec.id);
    return buildSchedule(info, {.devices = devices,
                                .chunks = chunks > 0 ? chunks : info.defaultChunks,
                                .microbatches = microbatches,
                                .parameters = spec.parameters});
}

std::string refusal(const std::string& text, int devices, int microbatches, int chunks = 0)
{
    try {
        build(text, devices, microbatches, chunks);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

/// F=1; a split backward is I=1 and W = backward − 1.
Costs costsOf(const Schedule& schedule, double backward)
{
    Costs table(schedule.shape.stages);
    table.set(Work::Forward, unit);
    table.set(Work::InputGradient, unit);
    table.set(Work::WeightGradient, static_cast<Nanoseconds>((backward - 1) * unit));
    table.set(Work::Backward, static_cast<Nanoseconds>(backward * unit));
    return table;
}

/// Idle time of each compute lane within the makespan, in units; a unit of the lane counts once.
std::vector<double> idle(const Schedule& schedule, const Timing& timing)
{
    std::vector<double> values;
    for (int device = 0; device < schedule.shape.devices; ++device) {
        const Lane& lane = schedule.lanes[schedule.computeLane(Device(device))];
        Nanoseconds busy = 0;
        for (TaskId first = lane.begin; first < lane.end; first = schedule.unitEnd(first))
            busy += timing.end[first] - timing.start[first];
        values.push_back(static_cast<double>(timing.makespan() - busy) / unit);
    }
    return values;
}

std::vector<double> peaks(const Schedule& schedule, const Timing& timing)
{
    std::vector<double> values;
    for (const ActivationCurve& curve : activationCurves(schedule, timing, parseMemory("", true), false))
        values.push_back(curve.peakActivations());
    return values;
}

/// "(F2.1|BW0.0)" → "(1F2;2B0@1)" and the like. The files count a stage of the second pipe from S on; hanayo's
/// name the stage where the others name a chunk.
std::string ours(const std::string& action, const json& file, std::size_t rank, int stages)
{
    if (action.front() == '(') {
        const std::size_t bar = action.find('|');
        return fmt::format("({};{})", ours(action.substr(1, bar - 1), file, rank, stages),
                           ours(action.substr(bar + 1, action.size() - bar - 2), file, rank, stages));
    }
    const std::size_t digits = action.find_first_of("0123456789");
    const std::size_t point = action.find('.');
    const std::string kind = action.substr(0, digits);
    const int stage = file.contains("chunk_stage")
                          ? file.at("chunk_stage")[rank].at(action.substr(point + 1)).get<int>()
                          : std::stoi(action.substr(point + 1));
    return fmt::format("{}{}{}{}", stage % stages,
                       kind == "BW"  ? "B"
                       : kind == "B" ? "I"
                                     : kind,
                       action.substr(digits, point - digits), stage >= stages ? "@1" : "");
}

struct Reference {
    std::string recipe;
    double backward;
};

Reference referenceOf(const json& file)
{
    const std::string name = file.at("schedule");
    if (name == "chimera")
        return {name, 1};
    if (name == "hanayo_derived")
        return {fmt::format("hanayo:waves={}", file.at("waves").get<int>()), 2};
    return {name == "bitpipe" || name == "dualpipe" || name == "dualpipev" ? name : "", 2};
}

} // namespace

TEST_CASE("orders of both directions are those of the published code", "[schedule][reference]")
{
    std::set<std::string> met;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(BUBBLESCOPE_TEST_DATA) + "/reference_orders")) {
        const json file = json::parse(std::ifstream(entry.path()));
        const Reference reference = referenceOf(file);
        if (reference.recipe.empty())
            continue;
        CAPTURE(entry.path().filename().string());
        met.insert(file.at("schedule"));
        const Schedule schedule = build(reference.recipe, file.at("p"), file.at("m"));
        for (std::size_t rank = 0; rank < file.at("ranks").size(); ++rank) {
            std::vector<std::string> expected;
            for (const json& action : file.at("ranks")[rank])
                expected.push_back(ours(action, file, rank, schedule.shape.stages));
            CHECK(laneTexts(schedule, schedule.computeLane(Device(rank)), false) == expected);
        }
        const Timing timing = test::simulateSound(schedule, costsOf(schedule, reference.backward));
        const json& check = file.at("check");
        CHECK(static_cast<double>(timing.makespan()) / unit == check.at("makespan").get<double>());
        CHECK(idle(schedule, timing) == check.at("idle").get<std::vector<double>>());
        const char* peak = check.contains("peak") ? "peak" : "peak_activations_chunks_released_at_W";
        std::vector<double> chunks = peaks(schedule, timing);
        for (double& value : chunks)
            value *= schedule.shape.chunks;
        CHECK(chunks == check.at(peak).get<std::vector<double>>());
    }
    CHECK(met.size() == 5);
}

TEST_CASE("Chimera's closed form holds where the published generator fails", "[schedule]")
{
    // D=2 with 4 and D=8 with 24 microbatches, where that emits too few or too many tasks.
    for (const auto& [devices, microbatches] :
         {std::pair(2, 4), std::pair(8, 24), std::pair(6, 18), std::pair(10, 10)}) {
        CAPTURE(devices, microbatches);
        const Schedule schedule = build("chimera", devices, microbatches);
        const Timing equal = test::simulateSound(schedule, costsOf(schedule, 1));
        CHECK(idle(schedule, equal) == std::vector<double>(static_cast<std::size_t>(devices), devices - 2));
        const Timing longer = simulate(schedule, costsOf(schedule, 2));
        const int units = microbatches / devices;
        CHECK(idle(schedule, longer) ==
              std::vector<double>(static_cast<std::size_t>(devices), (devices - 2) * (units + 1)));
    }
    // Numbers that leave the last unit short, and one pipe a microbatch behind.
    for (const int microbatches : {2, 3, 7, 13}) {
        const Schedule schedule = build("chimera", 6, microbatches);
        test::simulateSound(schedule, costsOf(schedule, 2));
        CHECK(schedule.shape.microbatchesPerStep() == microbatches);
    }
}

TEST_CASE("more pipes of Chimera leave shorter bubbles", "[schedule]")
{
    for (const int pipes : {2, 4, 8}) { // D/f-2 slots
        CAPTURE(pipes);
        const Schedule schedule = build(fmt::format("chimera:pipes={}", pipes), 8, 16);
        const Timing timing = test::simulateSound(schedule, costsOf(schedule, 1));
        const std::vector<double> held = peaks(schedule, timing);
        CHECK(*std::max_element(held.begin(), held.end()) == 8);
        CHECK(idle(schedule, timing) == std::vector<double>(8, 16.0 / pipes - 2));
        std::set<int> homes;
        for (int pipe = 0; pipe < pipes; ++pipe)
            homes.insert(schedule.placement.homes[static_cast<std::size_t>(pipe * 8)].front().value);
        CHECK(homes.size() == static_cast<std::size_t>(pipes));
    }
}

TEST_CASE("mirror images: devices r and p-1-r idle alike", "[schedule][properties]")
{
    for (const char* id : {"chimera", "bitpipe", "dualpipe"})
        for (const int devices : {2, 4, 6, 8})
            for (const int units : {2, 3}) {
                CAPTURE(id, devices, units);
                const Schedule schedule = build(id, devices, devices * units);
                const Timing timing = test::simulateSound(schedule, costsOf(schedule, 1.75));
                std::vector<double> waits = idle(schedule, timing);
                const std::vector<double> forwards = waits;
                std::reverse(waits.begin(), waits.end());
                CHECK(waits == forwards);
                const auto size = [&](int device) {
                    return schedule.lanes[schedule.computeLane(Device(device))].size();
                };
                for (int device = 0; device < devices; ++device)
                    CHECK(size(device) == size(devices - 1 - device));
            }
}

TEST_CASE("an overlapped pair costs between its longer part and the sum", "[schedule]")
{
    const auto most = [](const std::string& id, int devices, double pair) {
        const Schedule schedule = build(id, devices, 4 * devices);
        Costs table = costsOf(schedule, 2);
        table.pair = static_cast<Nanoseconds>(pair * unit);
        const std::vector<double> waits = idle(schedule, simulate(schedule, table));
        return *std::max_element(waits.begin(), waits.end());
    };
    // (p/2-1)(F&B+B-3W) with B=2, W=1: case 67 at p=8.
    CHECK(most("dualpipe", 8, 2) == 3);
    CHECK(most("dualpipe", 8, 2.5) == 4.5);
    CHECK(most("dualpipe", 8, 3) == 6);
    CHECK(most("dualpipe", 4, 2) == 1);
    CHECK(most("dualpipev", 4, 3) == 6);
    CHECK(most("dualpipev", 4, 2) == 3);
    CHECK(most("dualpipev", 2, 3) == 2);
}

TEST_CASE("W of DualPipe leave one queue, whichever direction they are of", "[schedule]")
{
    for (const char* id : {"dualpipe", "dualpipev"}) {
        const Schedule schedule = build(id, 6, 18);
        for (int device = 0; device < 6; ++device) {
            CAPTURE(id, device);
            std::vector<std::string> inputs;
            std::vector<std::string> weights;
            const Lane& lane = schedule.lanes[schedule.computeLane(Device(device))];
            for (TaskId task = lane.begin; task < lane.end; ++task) {
                Task same = schedule.tasks[task];
                if (same.work != Work::InputGradient && same.work != Work::WeightGradient)
                    continue;
                auto& list = same.work == Work::InputGradient ? inputs : weights;
                same.work = Work::Forward;
                list.push_back(toText(same));
            }
            CHECK(inputs.size() > 1);
            CHECK(inputs == weights);
        }
    }
}

TEST_CASE("microbatches of two pipes count both, and refusals name what would do", "[schedule]")
{
    CHECK(build("dualpipe", 4, 8).shape.microbatches == std::vector<int>{4, 4});
    CHECK(build("bitpipe", 4, 8).shape.microbatches == std::vector<int>{4, 4});
    CHECK(build("chimera", 4, 9).shape.microbatches == std::vector<int>{5, 4});
    using Catch::Contains;
    // Case 16: stages even, microbatches even and at least twice the stages; the first that is violated first.
    CHECK_THAT(refusal("dualpipe", 6, 10), Contains("10 < 12"));
    CHECK(refusal("dualpipe", 6, 12).empty());
    CHECK_THAT(refusal("dualpipe", 5, 12), Contains("5 stages is odd. 4 or 6"));
    CHECK_THAT(refusal("dualpipe", 6, 13), Contains("13 microbatches is odd. 12 or 14"));
    CHECK_THAT(refusal("dualpipe", 8, 14), Contains("14 < 16"));
    CHECK(refusal("dualpipev", 5, 11).empty());
    CHECK_THAT(refusal("dualpipev", 5, 9), Contains("9 < 10"));
    CHECK_THAT(refusal("chimera", 3, 6), Contains("3 stages is odd. 2 or 4"));
    CHECK_THAT(refusal("chimera:pipes=3", 6, 6), Contains("2, 6"));
    CHECK_THAT(refusal("chimera:pipes=8", 12, 12), Contains("2, 4, 6, 12"));
    CHECK_THAT(refusal("chimera", 4, 1), Contains("2 is the least"));
    CHECK_THAT(refusal("bitpipe", 4, 6), Contains("4 or 8 would do"));
    CHECK_THAT(refusal("bitpipe", 5, 10), Contains("5 stages is odd"));
    CHECK_THAT(refusal("bitpipe", 4, 8, 3), Contains("exactly 2"));
    CHECK_THAT(refusal("hanayo", 4, 4, 3), Contains("2 or 4 would do"));
    CHECK_THAT(refusal("hanayo:waves=2", 4, 4, 6), Contains("say 4"));
}

TEST_CASE("the gradients of a stage are summed over its homes, then all update", "[schedule]")
{
    // All-reduces of 1.5: that of stage 3 is hidden, that of stage 0 stands at the end of the step.
    const Schedule schedule = build("chimera", 4, 4);
    Costs table = costsOf(schedule, 1);
    table.set(Work::AllReduce, static_cast<Nanoseconds>(1.5 * unit));
    const Timing timing = test::simulateSound(schedule, table);
    CHECK(timing.makespan() == static_cast<Nanoseconds>(11.5 * unit));
    CHECK(schedule.semantics.replicas == Semantics::Replicas::SumBeforeUpdate);
    for (const Group& group : schedule.groups) {
        const Task& first = schedule.tasks[schedule.groupMembers[group.begin]];
        if (first.work != Work::AllReduce)
            continue;
        CHECK(group.end - group.begin == 2);
        for (TaskId id{}; id < schedule.tasks.size(); ++id)
            if (const Task& task = schedule.tasks[id]; task.work == Work::Update && task.stage == first.stage)
                CHECK(timing.start[id] >= timing.end[schedule.groupMembers[group.begin]]);
    }
}

TEST_CASE("more waves of Hanayo leave shorter bubbles", "[schedule]")
{
    // Rates of the order at m=p, B=2F, and the secondary source's formula above them.
    struct Row {
        int devices, waves;
        double rate;
    };

    for (const Row& row : {Row{4, 1, .3333}, Row{4, 2, .2131}, Row{8, 1, .3684}, Row{8, 2, .2381}, Row{8, 4, .1351}}) {
        CAPTURE(row.devices, row.waves);
        const Schedule schedule = build(fmt::format("hanayo:waves={}", row.waves), row.devices, row.devices);
        const Timing timing = test::simulateSound(schedule, costsOf(schedule, 2));
        const double rate = idle(schedule, timing).front() * unit / static_cast<double>(timing.makespan());
        CHECK(rate == Approx(row.rate).margin(5e-5));
        CHECK(rate <= (2.0 * row.devices - 2) / (3.0 * row.devices * row.waves + row.devices - 1));
    }
}
