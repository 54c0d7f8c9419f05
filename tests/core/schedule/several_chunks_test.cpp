// Families that move something beside the compute lane, or fill gaps: orders, memory and time that no reference
// file holds. Traps by their numbers in schedules.md 11.

#include "core/base/error.h"
#include "core/schedule/registry.h"
#include "core/schedule/torch_csv.h"
#include "core/simulate/memory.h"
#include "tests/core/schedule/sound.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>

using namespace bubblescope;

namespace {

using Table = std::map<Work, double>;

Costs costsOf(int stages, const Table& durations)
{
    Costs costs(stages);
    for (const auto& [work, units] : durations)
        costs.set(work, static_cast<Nanoseconds>(units * unit));
    return costs;
}

const Table equalThirds{{Work::Forward, 1}, {Work::InputGradient, 1}, {Work::WeightGradient, 1}};

struct Size {
    int devices = 4;
    int chunks = 2;
    int microbatches = 8;
};

Schedule build(const std::string& text, const Size& size, const Costs* costs = nullptr, int steps = 1)
{
    const RecipeSpec spec = parseRecipe(text);
    return buildSchedule(recipe(spec.id),
                         {.devices = size.devices,
                          .chunks = size.chunks,
                          .microbatches = size.microbatches,
                          .parameters = spec.parameters,
                          .costs = costs},
                         steps);
}

std::string refusal(const std::string& text, const Size& size)
{
    try {
        build(text, size);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

std::vector<std::string> computeOrder(const Schedule& schedule, int device)
{
    return laneTexts(schedule, schedule.computeLane(Device(device)), false);
}

std::vector<std::string> laneOrder(const Schedule& schedule, int device, LaneKind kind)
{
    for (std::uint32_t i = 0; i < schedule.lanes.size(); ++i)
        if (schedule.lanes[i].device == Device(device) && schedule.lanes[i].kind == kind)
            return laneTexts(schedule, LaneId(i), true);
    return {};
}

/// Forwards of a device before its first backward.
int warmup(const Schedule& schedule, int device)
{
    const std::vector<std::string> order = computeOrder(schedule, device);
    const auto isForward = [](const std::string& text) { return text.find('F') != std::string::npos; };
    return static_cast<int>(std::find_if_not(order.begin(), order.end(), isForward) - order.begin());
}

/// In activations of a chunk, by device.
std::vector<double> peaks(const Schedule& schedule, const Timing& timing)
{
    std::vector<double> all;
    for (const ActivationCurve& curve : activationCurves(schedule, timing, parseMemory("", true), false))
        all.push_back(curve.peakActivations() * schedule.shape.chunks);
    return all;
}

double highest(const std::vector<double>& values)
{
    return *std::max_element(values.begin(), values.end());
}

} // namespace

TEST_CASE("T3: Looped BFS goes back from the last microbatch, BFPP from the first", "[schedule][chunks]")
{
    const Schedule looped = build("looped-bfs", {2, 2, 3});
    const Schedule ascending = build("bfpp", {2, 2, 3});
    CHECK(computeOrder(looped, 0) ==
          std::vector<std::string>{"0F0", "0F1", "0F2", "2F0", "2F1", "2F2", "2B2", "2B1", "2B0", "0B2", "0B1", "0B0"});
    CHECK(computeOrder(ascending, 0) ==
          std::vector<std::string>{"0F0", "0F1", "0F2", "2F0", "2F1", "2F2", "2B0", "2B1", "2B2", "0B0", "0B1", "0B2"});
    const Costs costs = costsOf(4, {{Work::Forward, 1}, {Work::Backward, 2}});
    CHECK(test::simulateSound(looped, costs).makespan() == test::simulateSound(ascending, costs).makespan());
}

TEST_CASE("T4: a warm-up of two forwards a hop for interleaved 1F1B, of one with a split backward",
          "[schedule][chunks]")
{
    for (const Size& size : {Size{4, 2, 8}, Size{4, 3, 16}, Size{6, 2, 12}})
        for (int device = 0; device < size.devices; ++device) {
            const int hops = size.devices - 1 - device;
            const int chunks = (size.chunks - 1) * size.devices;
            CHECK(warmup(build("interleaved-1f1b", size), device) == chunks + 2 * hops + 1);
            CHECK(warmup(build("interleaved-zb", size), device) == chunks + hops + 1);
            CHECK(warmup(build("gis", size), device) == chunks + hops + 1);
        }
}

TEST_CASE("T14: a last group that isn't full is the full one with microbatches left out", "[schedule][chunks]")
{
    for (const char* id : {"gis", "gis-h", "gis:group=3", "pipeoffload"})
        for (const int m : {1, 2, 5, 6, 7, 9}) {
            CAPTURE(id, m);
            const Schedule part = build(id, {4, 2, m});
            const Schedule full = build(id, {4, 2, 12});
            test::simulateSound(part, costsOf(8, equalThirds));
            for (int device = 0; device < 4; ++device) {
                std::vector<std::string> expected = computeOrder(full, device);
                std::erase_if(expected, [m](const std::string& text) { return taskFromText(text)->microbatch >= m; });
                CHECK(computeOrder(part, device) == expected);
            }
        }
    // Interleaved zero bubble wants equal rounds instead, and says which counts are.
    CHECK(refusal("interleaved-zb", {4, 2, 10}).empty());
    CHECK(refusal("interleaved-zb", {4, 2, 11}).find("10 or 12 microbatches") != std::string::npos);
}

TEST_CASE("T19: GIS may recompute, F again right before each I", "[schedule][chunks]")
{
    const Schedule plain = build("gis:group=1", {4, 2, 8});
    const Schedule again = build("gis:group=1,recompute=all", {4, 2, 8});
    for (int device = 0; device < 4; ++device) {
        std::vector<std::string> expected;
        for (const std::string& text : computeOrder(plain, device)) {
            if (const std::size_t letter = text.find('I'); letter != std::string::npos)
                expected.push_back(std::string(text).replace(letter, 1, "R"));
            expected.push_back(text);
        }
        CHECK(computeOrder(again, device) == expected);
    }
    Costs costs = costsOf(8, equalThirds);
    costs.set(Work::Recompute, unit);
    const Timing timing = test::simulateSound(again, costs);
    CHECK(timing.makespan() >= 4 * 16 * unit);
    // F frees all but a tenth, R brings it back: one microbatch at a time is there in full.
    for (const ActivationCurve& curve :
         activationCurves(again, timing, parseMemory("F=0.1,R=0.9,I=0,W=-1", true), false))
        CHECK(curve.peakActivations() * 2 <= 0.1 * 7 + 0.9 + 1e-9);
}

TEST_CASE("BFPP shows its first gather and its last reduction, and hides the others", "[schedule][chunks]")
{
    const Schedule schedule = build("bfpp", {4, 2, 8});
    CHECK(laneOrder(schedule, 1, LaneKind::Collective) ==
          std::vector<std::string>{"1g0", "5g0", "5g1", "1g1", "5c0", "1c0"});
    for (const auto& [collective, makespan] :
         {std::pair(0, 57), std::pair(1, 59), std::pair(3, 63), std::pair(6, 69)}) {
        const Costs costs = costsOf(
            8,
            {{Work::Forward, 1}, {Work::Backward, 2}, {Work::Gather, collective}, {Work::ReduceScatter, collective}});
        CHECK(test::simulateSound(schedule, costs).makespan() == makespan * unit);
        // The next step gathers what the update of this one has made.
        CHECK(test::simulateSound(build("bfpp", {4, 2, 8}, nullptr, 3), costs).makespan() == 3 * makespan * unit);
    }
    // A gather may use the buffer of the burst before the last only when that is over.
    const Costs slow = costsOf(8, {{Work::Forward, 1}, {Work::Backward, 2}, {Work::Gather, 4}});
    const Timing timing = simulate(schedule, slow);
    std::map<std::string, TaskId> ids;
    for (std::uint32_t id = 0; id < schedule.tasks.size(); ++id)
        ids[toText(schedule.tasks[id])] = TaskId(id);
    CHECK(timing.start[ids["4g1"]] == timing.end[ids["0F7"]]);
    CHECK(timing.start[ids["0g1"]] == timing.end[ids["4F7"]]);
}

TEST_CASE("ordinals of a step's collectives count on from step to step", "[schedule][chunks]")
{
    const Schedule two = build("bfpp", {2, 1, 2}, nullptr, 2);
    CHECK(laneOrder(two, 0, LaneKind::Collective) ==
          std::vector<std::string>{"0g0", "0g1", "0c0", "0g2", "0g3", "0c1"});
    CHECK(test::problemsOf(two).empty());
    CHECK(test::problemsOf(build("zeropp:unit=2", {2, 2, 5}, nullptr, 3)).empty());
    CHECK(test::problemsOf(build("pipeoffload:offload=full", {2, 2, 5}, nullptr, 3)).empty());
}

TEST_CASE("2BP takes the order of its base and puts W off", "[schedule][chunks]")
{
    CHECK(computeOrder(build("2bp", {2, 1, 3}), 0) ==
          std::vector<std::string>{"0F0", "0F1", "0I0", "0F2", "0I1", "0I2", "0W0", "0W1", "0W2"});
    CHECK(computeOrder(build("2bp:base=gpipe", {2, 1, 2}), 1) ==
          std::vector<std::string>{"1F0", "1F1", "1I0", "1I1", "1W0", "1W1"});
    for (const char* base : {"gpipe", "1f1b", "eager-1f1b"})
        CHECK(test::simulateSound(build(fmt::format("2bp:base={}", base), {4, 1, 8}), costsOf(4, equalThirds))
                  .makespan() == 30 * unit);
    CHECK(test::simulateSound(build("2bp:base=interleaved-1f1b", {4, 2, 8}), costsOf(8, equalThirds)).makespan() ==
          54 * unit);
    CHECK(refusal("2bp:base=1f1b", {4, 2, 8}).find("exactly 1") != std::string::npos);
    CHECK(refusal("2bp:base=interleaved-1f1b", {4, 2, 6}).find("4 or 8") != std::string::npos);
}

TEST_CASE("2BP in gaps is never longer than with all W at the end, nor holds more", "[schedule][chunks]")
{
    std::mt19937 random(11); // NOLINT: the same cases every time
    const auto draw = [&](int low, int high) { return low + static_cast<int>(random() % (high - low + 1U)); };
    int shorter = 0;
    for (int i = 0; i < 60; ++i) {
        const Size size{draw(1, 8), 1, draw(1, 24)};
        Costs costs = costsOf(size.devices, {});
        for (int stage = 0; stage < size.devices; ++stage)
            for (const Work work : {Work::Forward, Work::InputGradient, Work::WeightGradient})
                costs.set(work, Stage(stage), draw(500, 1500));
        costs.everyHop.latency = draw(0, 1) * draw(1, 400);
        const std::string base = i % 2 == 0 ? "1f1b" : "gpipe";
        CAPTURE(base, size.devices, size.microbatches);
        const Schedule deferred = build("2bp:base=" + base, size, &costs);
        const Schedule filled = build("2bp:variant=gaps,base=" + base, size, &costs);
        const Timing last = simulate(deferred, costs);
        const Timing gaps = test::simulateSound(filled, costs);
        CHECK(gaps.makespan() <= last.makespan());
        CHECK(highest(peaks(filled, gaps)) <= highest(peaks(deferred, last)));
        shorter += gaps.makespan() < last.makespan() ? 1 : 0;
    }
    CHECK(shorter > 20);
}

TEST_CASE("PipeOffload keeps the bounds of its Table 1", "[schedule][chunks]")
{
    for (const Size& size : {Size{8, 2, 32}, Size{8, 4, 32}, Size{8, 8, 32}, Size{16, 2, 64}, Size{16, 4, 64}}) {
        CAPTURE(size.devices, size.chunks);
        const int stages = size.devices * size.chunks;
        const auto made = [&](const std::string& offload, double copy) {
            Table table = equalThirds;
            table[Work::Offload] = table[Work::Reload] = copy;
            const Costs costs = costsOf(stages, table);
            const Schedule schedule = build("pipeoffload:offload=" + offload, size, &costs);
            const Timing timing = test::simulateSound(schedule, costs);
            return std::pair(highest(peaks(schedule, timing)), static_cast<double>(timing.makespan()) / unit);
        };
        const auto [wholePeak, wholeTime] = made("none", 0);
        // Half: (v+2)/(8v) of 1F1B's vp chunks, to within two chunks; full: three at most. Time: a copy or four.
        const auto [halfPeak, halfTime] = made("half", 1);
        CHECK(halfPeak == Approx((size.chunks + 2) * size.devices / 8.0).margin(2));
        CHECK(halfTime <= wholeTime + 1);
        const auto [fullPeak, fullTime] = made("full", 1);
        CHECK(fullPeak <= 3);
        CHECK(fullTime <= wholeTime + 4);
        CHECK(made("full", 0.5).first <= 2);
        CHECK(wholePeak > halfPeak);
    }
}

TEST_CASE("PipeOffload's memory follows from the order, not from the clock", "[schedule][chunks]")
{
    Table table = equalThirds;
    table[Work::Offload] = table[Work::Reload] = 1;
    const Costs planned = costsOf(8, table);
    const Schedule schedule = build("pipeoffload:offload=half", {4, 2, 16}, &planned);
    const std::vector<double> expected = peaks(schedule, simulate(schedule, planned));
    CHECK(expected == std::vector<double>{3, 3, 2, 2});
    // Copies twice or five times as slow as planned are waited for; no more activations live, up to the one that
    // each direction has in flight.
    Nanoseconds before = simulate(schedule, planned).makespan();
    for (const double copy : {2.0, 5.0}) {
        table[Work::Offload] = table[Work::Reload] = copy;
        const Timing late = test::simulateSound(schedule, costsOf(8, table));
        CHECK(late.makespan() > before);
        before = late.makespan();
        CHECK(highest(peaks(schedule, late)) <= highest(expected) + 2);
    }
}

TEST_CASE("PipeOffload on a shared link: one device offloads while the other reloads", "[schedule][chunks]")
{
    Table table = equalThirds;
    table[Work::Offload] = table[Work::Reload] = 1;
    for (const Size& size : {Size{4, 2, 16}, Size{5, 3, 12}, Size{8, 4, 32}})
        for (const double late : {1.0, 3.0}) { // as planned, and three times as slow
            CAPTURE(size.devices, size.chunks, late);
            const Costs planned = costsOf(size.devices * size.chunks, table);
            const Schedule schedule = build("pipeoffload:offload=full,link=shared", size, &planned);
            Table real = table;
            real[Work::Offload] = real[Work::Reload] = late;
            const Timing timing = test::simulateSound(schedule, costsOf(size.devices * size.chunks, real));
            CHECK(highest(peaks(schedule, timing)) <= 5);
            std::map<std::pair<int, Work>, std::vector<std::pair<Nanoseconds, Nanoseconds>>>
                spans; // by link, direction
            for (const Lane& lane : schedule.lanes)
                for (TaskId id = lane.begin; id < lane.end; ++id)
                    if (const Work work = schedule.tasks[id].work; work == Work::Offload || work == Work::Reload)
                        spans[{lane.device / 2, work}].emplace_back(timing.start[id], timing.end[id]);
            for (auto& [link, list] : spans) {
                std::sort(list.begin(), list.end());
                for (std::size_t i = 1; i < list.size(); ++i)
                    CHECK(list[i].first >= list[i - 1].second);
            }
        }
}

TEST_CASE("PipeOffload leaves activations that wait too briefly where they are", "[schedule][chunks]")
{
    const auto copies = [](double copy) {
        Table table = equalThirds;
        table[Work::Offload] = table[Work::Reload] = copy;
        const Costs costs = costsOf(8, table);
        const Schedule schedule = build("pipeoffload:offload=full", {4, 2, 16}, &costs);
        test::simulateSound(schedule, costs);
        std::set<std::uint16_t> stages;
        std::size_t count = 0;
        for (const Task& task : schedule.tasks)
            if (task.work == Work::Offload || task.work == Work::Reload) {
                ++count;
                stages.insert(task.stage.value);
            }
        return std::pair(count, stages.size());
    };
    CHECK((copies(0.5) == std::pair<std::size_t, std::size_t>(192, 6))); // there and back, all but stages 6 and 7
    CHECK(copies(50).first == 0);
    const auto [count, stages] = copies(2);
    CHECK((count > 0 && count < 192));
    CHECK(count % 2 == 0);
    CHECK(stages < 6);
}

TEST_CASE("ZeroPP gathers twice a unit and chunk, and keeps its limit", "[schedule][chunks]")
{
    for (const Size& size : {Size{4, 2, 8}, Size{4, 3, 13}, Size{2, 1, 7}, Size{8, 2, 32}})
        for (const int unitSize : {2, 4, 7})
            for (const bool tight : {false, true}) {
                const int held = unitSize * size.chunks;
                const std::string recipeText = fmt::format("zeropp:unit={},limit={}", unitSize, tight ? held : 0);
                CAPTURE(recipeText, size.devices, size.chunks, size.microbatches);
                const Schedule schedule = build(recipeText, size);
                const Timing timing = test::simulateSound(schedule, costsOf(schedule.shape.stages, equalThirds));
                CHECK(highest(peaks(schedule, timing)) <= (tight ? held : held + 2 * (size.devices - 1)));
                const int units = (size.microbatches + unitSize - 1) / unitSize;
                int gathers = 0;
                int reductions = 0;
                for (const std::string& text : laneOrder(schedule, 0, LaneKind::Collective))
                    ++(text.find('g') != std::string::npos ? gathers : reductions);
                CHECK(gathers == 2 * size.chunks * units);
                CHECK(reductions == size.chunks * units);
            }
    // With W of the unit before in every gap, only the first unit idles: (p−1)(F+I).
    const Schedule filled = build("zeropp", {4, 2, 32});
    CHECK(test::simulateSound(filled, costsOf(8, equalThirds)).makespan() == (32 * 2 * 3 + 3 * 2) * unit);
    CHECK(refusal("zeropp:unit=9", {4, 2, 8}).find("1 to 8 work") != std::string::npos);
    CHECK(refusal("zeropp:unit=4,limit=7", {4, 2, 8}).find("limit=8 is the smallest") != std::string::npos);
}

TEST_CASE("what a CSV can't hold of collectives and copies is named", "[schedule][chunks]")
{
    const std::vector<std::pair<std::string, std::string>> cases{{"bfpp", "gather"},
                                                                 {"pipeoffload:offload=half", "offload"}};
    for (const auto& [text, lost] : cases) {
        CAPTURE(text);
        const Schedule schedule = build(text, {4, 2, 8});
        const TorchExport csv = exportTorchCsv(schedule);
        CHECK(std::any_of(csv.leftOut.begin(), csv.leftOut.end(),
                          [&](const std::string& part) { return part.find(lost) != std::string::npos; }));
    }
}
