// Generated orders against those of the papers' and frameworks' own code (tests/data/reference_orders).

#include "core/base/error.h"
#include "core/schedule/registry.h"
#include "core/simulate/memory.h"
#include "tests/core/schedule/sound.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

using namespace bubblescope;
using nlohmann::json;

namespace {

/// Reference schedule → the recipe that makes it.
const std::map<std::string, std::string>& recipeNames()
{
    static const std::map<std::string, std::string> names{
        {"gpipe", "gpipe:backward=fifo"},
        {"gpipe_alpa", "gpipe"},
        {"gpipe_lifo", "gpipe:backward=lifo"},
        {"1f1b", "1f1b"},
        {"eager_1f1b", "eager-1f1b"},
        {"interleaved_1f1b", "interleaved-1f1b"},
        {"interleaved_1f1b_group", "interleaved-1f1b:rules=group,group="},
        {"interleaved_1f1b_flexpp", "interleaved-1f1b:rules=flexible"},
        {"looped_bfs", "looped-bfs"},
        {"bfpp_fastllm", "bfpp"},
        {"2bp_1f1b_all_deferred", "2bp:base=1f1b"},
        {"interleaved_zero_bubble", "interleaved-zb"},
        {"gis", "gis"},
        {"gis_h", "gis-h"},
        {"pipeoffload_uniform", "pipeoffload"},
        {"zb_h1", "zb-h1"},
        {"zb_h1_light", "zb-h1:variant=light"},
        {"zb_h2", "zb-h2"},
        {"zb_v", "zb-v"},
        {"zb_v_pytorch", "zb-v:order=pytorch"},
        {"v_half", "v-half"},
        {"v_min", "v-min"},
        {"v_1f1b", "1f1b-v"},
        {"seq1f1b", "seq1f1b:slices="},
    };
    return names;
}

std::string recipeOf(const json& file)
{
    const auto found = recipeNames().find(file.at("schedule"));
    if (found == recipeNames().end())
        return "";
    const char* number = file.contains("group") ? "group" : "seq_splits";
    return found->second.back() == '=' ? found->second + std::to_string(file.at(number).get<int>()) : found->second;
}

Schedule build(const std::string& text, int devices, int chunks, int microbatches, int steps = 1)
{
    const RecipeSpec spec = parseRecipe(text);
    RecipeRequest request{
        .devices = devices, .chunks = chunks, .microbatches = microbatches, .parameters = spec.parameters};
    return buildSchedule(recipe(spec.id), request, steps);
}

Costs costs(int stages, double forward, double input, double weight)
{
    Costs table(stages);
    const auto time = [](double units) { return static_cast<Nanoseconds>(std::llround(units * unit)); };
    table.set(Work::Forward, time(forward));
    table.set(Work::InputGradient, time(input));
    table.set(Work::WeightGradient, time(weight));
    table.set(Work::Backward, time(input) + time(weight));
    return table;
}

/// "BW3.1" on a rank whose chunk 1 is stage 5 → "5B3"; without chunks the rank is the stage. The files' B is the input gradient.
/// Where sequences are cut, "BW3.1" is slice 1: "0B3:1".
std::string ours(const std::string& action, const json& file, std::size_t rank)
{
    static const std::map<std::string, char> letters{{"F", 'F'}, {"B", 'I'}, {"W", 'W'}, {"BW", 'B'}};
    const std::size_t digits = action.find_first_of("0123456789");
    const std::size_t point = action.find('.');
    const bool sliced = file.contains("seq_splits");
    const int stage = point == std::string::npos || sliced
                          ? static_cast<int>(rank)
                          : file.at("chunk_stage")[rank].at(action.substr(point + 1)).get<int>();
    const bool slice = sliced && action.substr(point + 1) != "0";
    return fmt::format("{}{}{}{}", stage, letters.at(action.substr(0, digits)),
                       action.substr(digits, point == std::string::npos ? point : point - digits),
                       slice ? ":" + action.substr(point + 1) : "");
}

/// Compute lanes within the makespan and within their own span.
struct Idleness {
    std::vector<double> idle;
    std::vector<double> span;
    std::vector<double> insideSpan;
};

Idleness idleness(const Schedule& schedule, const Timing& timing)
{
    Idleness result;
    for (int device = 0; device < schedule.shape.devices; ++device) {
        const Lane& lane = schedule.lanes[schedule.computeLane(Device(device))];
        Nanoseconds busy = 0;
        Nanoseconds first = INT64_MAX;
        Nanoseconds last = 0;
        for (TaskId id = lane.begin; id < lane.end; ++id) {
            if (!isCompute(schedule.tasks[id].work))
                continue;
            busy += timing.end[id] - timing.start[id];
            first = std::min(first, timing.start[id]);
            last = std::max(last, timing.end[id]);
        }
        result.idle.push_back(static_cast<double>(timing.makespan() - busy) / unit);
        result.span.push_back(static_cast<double>(last - first) / unit);
        result.insideSpan.push_back(static_cast<double>(last - first - busy) / unit);
    }
    return result;
}

std::vector<double> peakChunks(const Schedule& schedule, const Timing& timing, const std::string& memory)
{
    std::vector<double> peaks;
    for (const ActivationCurve& curve : activationCurves(schedule, timing, parseMemory(memory, true), false))
        peaks.push_back(curve.peakActivations() * schedule.shape.chunks);
    return peaks;
}

} // namespace

TEST_CASE("every reference order is generated exactly", "[schedule][reference]")
{
    std::set<std::string> met;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(BUBBLESCOPE_TEST_DATA) + "/reference_orders")) {
        const json file = json::parse(std::ifstream(entry.path()));
        const std::string text = recipeOf(file);
        if (text.empty())
            continue;
        CAPTURE(entry.path().filename().string());
        met.insert(file.at("schedule"));
        const Schedule schedule = build(text, file.at("p"), file.at("v"), file.at("m"));
        for (std::size_t rank = 0; rank < file.at("ranks").size(); ++rank) {
            std::vector<std::string> expected;
            for (const json& action : file.at("ranks")[rank])
                expected.push_back(ours(action, file, rank));
            CHECK(laneTexts(schedule, schedule.computeLane(Device(rank)), false) == expected);
        }
        Costs table = costs(schedule.shape.stages, 1, 1, 1);
        table.shareOut(schedule);
        const Timing timing = test::simulateSound(schedule, table);
        if (!file.contains("check"))
            continue; // a raw list
        const json& check = file.at("check");
        CHECK(static_cast<double>(timing.makespan()) / unit == check.at("makespan").get<double>());
        CHECK(idleness(schedule, timing).idle == check.at("idle").get<std::vector<double>>());
        CHECK(idleness(schedule, timing).insideSpan == check.at("idle_inside_span").get<std::vector<double>>());
        const char* peaks = check.contains("peak") ? "peak" : "peak_activations_chunks_released_at_W";
        CHECK(peakChunks(schedule, timing, "") == check.at(peaks).get<std::vector<double>>());
        if (check.contains("peak_activations_chunks_released_at_B"))
            CHECK(peakChunks(schedule, timing, "F=1,I=-1,W=0,B=-1") ==
                  check.at("peak_activations_chunks_released_at_B").get<std::vector<double>>());
    }
    CHECK(met.size() == recipeNames().size());
}

namespace {

/// An action of the raw vocabulary lists as our tasks: S(i) stands for T(i−1) and S(i), and T(m) for the last T. Passes of
/// microbatches past the last, which the reference code runs ahead, aren't there; neither is LOSS, which costs no pass.
std::vector<std::string> vocabularyTasks(const std::string& action, int rank, int devices, int microbatches)
{
    const std::size_t digits = action.find_first_of("0123456789");
    const std::string name = action.substr(0, digits);
    const int i = std::stoi(action.substr(digits));
    const std::string part = rank == 0 ? "" : fmt::format("#{}", rank);
    if (name == "F" || name == "BW")
        return {fmt::format("{}{}{}", rank, name.front(), i)};
    if (name == "IF" || name == "IB")
        return i < microbatches ? std::vector{fmt::format("0{}{}{}", name == "IF" ? 'e' : 'd', i, part)}
                                : std::vector<std::string>();
    std::vector<std::string> tasks;
    if (name != "LOSS" && i > 0)
        tasks.push_back(fmt::format("{}t{}{}", devices - 1, i - 1, part));
    if (name == "S")
        tasks.push_back(fmt::format("{}v{}{}", devices - 1, i, part));
    return tasks;
}

} // namespace

// Trap T5: "vocab-1" of the table and the command line is Algorithm 1, with two barriers; the files count barriers.
TEST_CASE("vocabulary parallelism has the reference code's orders and peaks", "[schedule][reference]")
{
    int files = 0;
    for (const auto& entry :
         std::filesystem::directory_iterator(std::string(BUBBLESCOPE_TEST_DATA) + "/reference_orders")) {
        const json file = json::parse(std::ifstream(entry.path()));
        const std::string name = file.at("schedule");
        if (name != "vocab_1barrier_alg2" && name != "vocab_2barrier_alg1")
            continue;
        CAPTURE(entry.path().filename().string());
        ++files;
        const int p = file.at("p");
        const int m = file.at("m");
        const Schedule schedule = build(name == "vocab_2barrier_alg1" ? "vocab-1" : "vocab-2", p, 1, m);
        for (int rank = 0; rank < p; ++rank) {
            std::vector<std::string> expected;
            for (const json& action : file.at("ranks")[static_cast<std::size_t>(rank)])
                for (std::string& task : vocabularyTasks(action, rank, p, m))
                    expected.push_back(std::move(task));
            CHECK(laneTexts(schedule, schedule.computeLane(Device(rank)), false) == expected);
        }
        const Timing timing = test::simulateSound(schedule, costs(p, 1, 1, 1));
        CHECK(timing.makespan() == 3 * (m + p - 1) * unit); // 1F1B's
        CHECK(peakChunks(schedule, timing, "") == file.at("check").at("peak_activations").get<std::vector<double>>());
        const std::size_t barriers = name == "vocab_2barrier_alg1" ? 2 : 1;
        CHECK(schedule.groups.size() == static_cast<std::size_t>(m) * (3 + barriers) + 1);
    }
    CHECK(files == 10);
}

TEST_CASE("vocabulary parallelism does every shard's passes once, for any size", "[schedule][reference]")
{
    for (const char* id : {"vocab-1", "vocab-2"})
        for (const int p : {2, 3, 5, 8, 13})
            for (const int m : {1, 2, 4, 7, 13, 30}) {
                CAPTURE(id, p, m);
                const Schedule schedule = build(id, p, 1, m, 2);
                std::map<Work, int> count;
                for (const Task& task : schedule.tasks)
                    ++count[task.work];
                for (const Work work : {Work::EmbeddingForward, Work::VocabularyS, Work::VocabularyT,
                                        Work::EmbeddingBackward, Work::Forward, Work::Backward})
                    CHECK(count[work] == 2 * p * m);
                // Free passes, and passes as long as a forward: both ways the step is as long as 1F1B's with them.
                Costs table = costs(p, 1, 1, 1);
                const Timing free = test::simulateSound(schedule, table);
                table.set(Work::VocabularyS, unit);
                table.set(Work::VocabularyT, unit);
                const Timing timing = simulate(schedule, table);
                const int idle = 3 * (p - 1);
                if (m >= p) {
                    CHECK(free.makespan() == 2 * (3 * m + idle) * unit);
                    CHECK(timing.makespan() == 2 * (5 * m + idle) * unit);
                }
            }
}

TEST_CASE("vocabulary parallelism on V-Half costs one microbatch a barrier and no time", "[schedule][reference]")
{
    for (const int p : {2, 3, 4, 5, 8, 11})
        for (const int m : {1, p, 4 * p, 6 * p + 1}) {
            const Schedule plain = build("v-half", p, 2, m);
            const Costs equal = costs(2 * p, 1, 1, 1);
            const Nanoseconds without = simulate(plain, equal).makespan();
            const double peak = 2 * std::min(m, (p + 2) / 2);
            for (const int barriers : {1, 2}) {
                CAPTURE(p, m, barriers);
                const Schedule schedule = build(barriers == 2 ? "vocab-1:base=v-half" : "vocab-2:base=v-half", p, 1, m);
                std::map<Work, int> count;
                for (const Task& task : schedule.tasks)
                    ++count[task.work];
                for (const Work work :
                     {Work::EmbeddingForward, Work::VocabularyS, Work::VocabularyT, Work::EmbeddingBackward})
                    CHECK(count[work] == p * m);
                const Timing timing = test::simulateSound(schedule, equal);
                if (m < 4 * p)
                    continue;
                const std::vector<double> chunks = peakChunks(schedule, timing, "");
                CHECK(*std::max_element(chunks.begin(), chunks.end()) <= peak + 2 * barriers);
                CHECK(timing.makespan() <= without);
                Costs passes = equal;
                passes.set(Work::VocabularyS, unit / 2);
                passes.set(Work::VocabularyT, unit / 2);
                CHECK(simulate(schedule, passes).makespan() <= without + m * unit);
            }
        }
}

TEST_CASE("the zero-bubble paper's Table 5 follows from its Table 9", "[schedule][reference]")
{
    struct Row {
        int p, m;
        double forward, input, weight, hop;
        double plain, h1, h2;
    };

    const std::vector<Row> rows{{8, 24, 18.522, 18.086, 9.337, 0.601, .2431, .1585, .1083},
                                {8, 32, 18.513, 18.086, 9.331, 0.626, .1985, .1242, .0837},
                                {8, 64, 18.546, 18.097, 9.321, 0.762, .1240, .0674, .0444},
                                {8, 24, 29.718, 29.444, 19.927, 0.527, .2347, .1323, .0698},
                                {8, 32, 29.802, 29.428, 19.530, 0.577, .1898, .1045, .0559},
                                {8, 64, 29.935, 29.621, 19.388, 0.535, .1091, .0554, .0294},
                                {16, 48, 11.347, 11.248, 8.132, 0.377, .2552, .1397, .0672},
                                {16, 64, 11.307, 11.254, 8.101, 0.379, .2082, .1088, .0516},
                                {16, 128, 11.325, 11.308, 8.109, 0.378, .1251, .0576, .0266},
                                {32, 96, 10.419, 10.207, 7.715, 0.408, .2646, .1421, .0641},
                                {32, 128, 10.408, 10.204, 7.703, 0.408, .2168, .1106, .0490},
                                {32, 256, 10.402, 10.248, 7.698, 0.460, .1352, .0594, .0257}};
    for (const Row& row : rows)
        for (const auto& [id, rate] :
             {std::pair("1f1b", row.plain), std::pair("zb-h1", row.h1), std::pair("zb-h2", row.h2)}) {
            CAPTURE(id, row.p, row.m);
            const Schedule schedule = build(id, row.p, 1, row.m);
            Costs table = costs(row.p, row.forward, row.input, row.weight);
            table.everyHop.latency = static_cast<Nanoseconds>(std::llround(row.hop * unit));
            const std::vector<double> spans = idleness(schedule, simulate(schedule, table)).span;
            const double span = *std::max_element(spans.begin(), spans.end());
            const double bubble = (span - row.m * (row.forward + row.input + row.weight)) / span;
            CHECK(std::round(bubble * 1e4) / 1e4 == Approx(rate).margin(1e-9));
        }
}

TEST_CASE("a barrier at the end of each step costs ZB-H2 its slant again", "[schedule][reference]")
{
    for (const auto& [steps, makespan] : {std::pair(1, 27), std::pair(2, 54), std::pair(3, 81)})
        for (const char* id : {"zb-h1", "zb-h2"}) {
            const Schedule schedule = build(id, 4, 1, 8, steps);
            CHECK(test::simulateSound(schedule, costs(4, 1, 1, 1)).makespan() == makespan * unit);
        }
}

TEST_CASE("group sizes of interleaved 1F1B cost time, memory or everything", "[schedule][reference]")
{
    struct Row {
        int group;
        double makespan;
        std::vector<double> peaks;
    };

    for (const Row& row : {Row{4, 28.5, {11, 9, 7, 5}}, Row{5, 29.5, {12, 10, 8, 6}}, Row{6, 31, {13, 11, 9, 7}},
                           Row{7, 33.5, {14, 12, 10, 8}}, Row{8, 28.5, {15, 13, 11, 9}}}) {
        CAPTURE(row.group);
        const Schedule schedule = build(fmt::format("interleaved-1f1b:rules=none,group={}", row.group), 4, 2, 8);
        const Timing timing = test::simulateSound(schedule, costs(8, 0.5, 0.5, 0.5));
        CHECK(static_cast<double>(timing.makespan()) / unit == row.makespan);
        CHECK(peakChunks(schedule, timing, "") == row.peaks);
    }
    for (const int group : {1, 2, 3}) {
        CAPTURE(group);
        const std::vector<Problem> problems =
            validate(build(fmt::format("interleaved-1f1b:rules=none,group={}", group), 4, 2, 8));
        REQUIRE(problems.size() == 1);
        CHECK(problems[0].kind == Problem::Kind::Deadlock);
        CHECK(problems[0].devices.size() + problems[0].victims.size() == 4);
    }
}

TEST_CASE("the rule sets of interleaved 1F1B accept what their frameworks accept", "[schedule][reference]")
{
    const auto refusal = [](const std::string& text, int m) {
        try {
            build(text, 4, 2, m);
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string();
    };
    const std::string strict = refusal("interleaved-1f1b", 6);
    for (const char* named : {"6 microbatches", "4 stages", "4 or 8"})
        CHECK(strict.find(named) != std::string::npos);
    for (const auto& [m, accepted] :
         std::map<int, bool>{{3, true}, {6, true}, {9, false}, {10, true}, {11, false}, {13, false}, {14, false}}) {
        CAPTURE(m);
        CHECK(refusal("interleaved-1f1b:rules=flexible", m).empty() == accepted);
    }
    for (const int group : {1, 2, 3, 5, 6, 7}) {
        CAPTURE(group);
        CHECK_FALSE(refusal(fmt::format("interleaved-1f1b:rules=group,group={}", group), 8).empty());
    }
}

TEST_CASE("fewer microbatches than stages are legal and warned of", "[schedule][reference]")
{
    const Schedule schedule = build("1f1b", 6, 1, 2);
    const Timing timing = test::simulateSound(schedule, costs(6, 1, 1, 1));
    CHECK(timing.makespan() == 21 * unit);
    CHECK(idleness(schedule, timing).idle == std::vector<double>(6, 15));
    RecipeRequest request{.devices = 6, .microbatches = 2, .parameters = {}};
    CHECK(recipe("1f1b").warnings(request).size() == 1);
}
