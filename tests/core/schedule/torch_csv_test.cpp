// PyTorch schedule files: what spreadsheets make of them, what B means in them, and what can't be written.

#include "core/base/error.h"
#include "core/schedule/registry.h"
#include "core/schedule/torch_csv.h"
#include "core/schedule/validate.h"
#include "core/simulate/costs.h"
#include "core/simulate/simulate.h"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace bubblescope;

namespace {

TorchImport import(const std::string& text)
{
    return importTorchCsv(readTorchCsv(text));
}

std::string errorOf(const std::string& text)
{
    try {
        import(text);
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

Costs costs(const Schedule& schedule, double forward, double input, double weight)
{
    Costs costs(schedule.shape.allStages());
    const auto time = [](double units) { return static_cast<Nanoseconds>(units * unit); };
    costs.set(Work::Forward, time(forward));
    costs.set(Work::InputGradient, time(input));
    costs.set(Work::WeightGradient, time(weight));
    costs.set(Work::Backward, time(input + weight));
    return costs;
}

double makespan(const Schedule& schedule)
{
    return static_cast<double>(simulate(schedule, costs(schedule, 1, 1, 1)).makespan()) / unit;
}

const std::string plain = "0F0,0F1,,,0B0,,,0B1\n,1F0,1B0,,1F1,1B1,,\n";

} // namespace

TEST_CASE("blank cells are idle slots and the order follows the rows", "[schedule][csv]")
{
    const TorchImport result = import(plain);
    const Schedule& schedule = result.schedule;
    CHECK(schedule.shape.devices == 2);
    CHECK(schedule.shape.stages == 2);
    CHECK(schedule.shape.microbatches == std::vector<int>{2});
    CHECK(laneTexts(schedule, schedule.computeLane(Device(0)), false) ==
          std::vector<std::string>{"0F0", "0F1", "0B0", "0B1"});
    CHECK(laneTexts(schedule, schedule.computeLane(Device(1)), false) ==
          std::vector<std::string>{"1F0", "1B0", "1F1", "1B1"});
    CHECK(validate(schedule).empty());
    const Timing timing = simulate(schedule, costs(schedule, 1, 1, 1));
    CHECK(timing.makespan() == 9 * unit);
    CHECK(timing.end[schedule.lanes[0].begin + 3U] == 9 * unit); // 0B1
    CHECK(timing.end[schedule.lanes[1].begin + 3U] == 7 * unit); // 1B1
}

TEST_CASE("a spreadsheet's file is the same schedule", "[schedule][csv]")
{
    const Schedule expected = import(plain).schedule;
    for (const std::string text :
         {"\xef\xbb\xbf"
          "0F0;0F1;;;0B0;;;0B1\r\n;1F0;1B0;;1F1;1B1;;\r\n",
          "0F0\t0F1\t\t\t0B0\t\t\t0B1\n\t1F0\t1B0\t\t1F1\t1B1\t\t\n",
          "\"0F0\", 0F1 ,,,\"0B0\",,,0B1\r1F0,1B0,1F1,1B1\r\n\r\n,,,\n", "0F0,0F1,0B0,0B1\n1F0,1B0,1F1,1B1"}) {
        CAPTURE(text);
        const Schedule schedule = import(text).schedule;
        CHECK(schedule.tasks == expected.tasks);
        CHECK(schedule.shape.devices == 2);
        CHECK(makespan(schedule) == 9);
    }
}

TEST_CASE("B means the input gradient where W stands beside it", "[schedule][csv]")
{
    struct Case {
        std::string file;
        std::string dialect;
        double time;
    };

    for (const Case& c :
         {Case{"0F0,0B0,0W0", "older: B = input gradient", 3}, Case{"0F0,0I0,0W0", "I/W split", 3},
          Case{"0F0,0B0", "B = full backward", 3}, Case{"0F0,0I0,0W0,0F1,0B1", "mixed, B = full backward", 6}}) {
        CAPTURE(c.file);
        const TorchImport result = import(c.file);
        CHECK(result.dialect == c.dialect);
        CHECK(makespan(result.schedule) == c.time);
        CHECK(validate(result.schedule).empty());
        CHECK(result.notes.empty() == (c.dialect != "older: B = input gradient"));
    }
    CHECK(errorOf("0F0,0I0") == "Row 1, column 2: 0W0 missing after 0I0.");
    CHECK(errorOf("0F0,0W0") == "Row 1, column 2: 0I0 missing before 0W0.");
    CHECK(import("0F0,0F1").dialect == "forward only");
    CHECK(validate(import("0F0,0F1").schedule).empty());
}

TEST_CASE("errors name the row, the column and what would be right", "[schedule][csv]")
{
    CHECK(errorOf("0F0,0X1\n1F0,F1") == "Row 1, column 2: '0X1' isn't an action. It should be stage, letter and "
                                        "microbatch, such as 2F0; the letters are F, I, W and B.\n"
                                        "Row 2, column 2: 'F1' isn't an action. It should be stage, letter and "
                                        "microbatch, such as 2F0; the letters are F, I, W and B.");
    CHECK(errorOf("0F0,(0F1;1B0)\n") ==
          "Row 1, column 2: '(0F1;1B0)' isn't an overlapped pair. It should look like (0F3;7B1)OVERLAP_F_B.");
    CHECK(errorOf("0F0,0B0\n,,\n1F0,1B0\n") ==
          "Row 2 has no action. Every row is a rank with work to do; delete the row if there is no such rank.");
    CHECK(errorOf("") == "The file has no actions. A row per rank is expected, such as 0F0,0F1,0B0,0B1.");
    CHECK(errorOf("\xff\xfe"
                  "0F0") == "This is not a text file in UTF-8 (a spreadsheet's \"CSV UTF-8\").");
    CHECK(errorOf("0F99,0B99") ==
          "The file names microbatch 99, but it runs only 2 tasks. Microbatches are numbered from 0 without gaps.");
    CHECK(errorOf("0F0,4F0,0B0,4B0\n1F0,5F0,1B0,5B0\n2F0,6F0,2B0,6B0\n3F0,6F0,3B0,6B0\n") ==
          "The placement of stages on ranks is invalid: stage 6 twice, stage 7 missing. Every stage from 0 on must be "
          "on exactly one rank.");
}

TEST_CASE("overlapped cells are units and runtime actions are reported", "[schedule][csv]")
{
    const TorchImport result = import("0UNSHARD,0F0,0F1,(0F2;0B0)OVERLAP_F_B,0B1,0B2,0REDUCE_GRAD,0RESHARD\n");
    CHECK(laneTexts(result.schedule, LaneId(0), false) ==
          std::vector<std::string>{"0F0", "0F1", "(0F2;0B0)", "0B1", "0B2"});
    CHECK(result.notes.size() == 3);
    CHECK(result.notes[0] == "1 UNSHARD left out: sharding inside a stage isn't part of the pipeline's order.");
    CHECK(exportTorchCsv(result.schedule).csv == "0F0,0F1,(0F2;0B0)OVERLAP_F_B,0B1,0B2\n");
    CHECK(import("0F0;0F1;(0F2;0B0)OVERLAP_F_B;0B1;0B2\n").schedule.tasks == result.schedule.tasks);
}

TEST_CASE("a placement is looped, V, custom or invalid", "[schedule][csv]")
{
    const auto looped = classifyPlacement({{0, 4}, {1, 5}, {2, 6}, {3, 7}});
    CHECK(looped.text() == "looped");
    CHECK(looped.sameRankHops == 0);
    const auto vShape = classifyPlacement({{0, 7}, {1, 6}, {2, 5}, {3, 4}});
    CHECK(vShape.text() == "V");
    CHECK(vShape.sameRankHops == 1);
    const auto custom = classifyPlacement({{0, 7}, {1, 5}, {2, 6}, {3, 4}});
    CHECK(custom.text() == "custom");
    CHECK(custom.sameRankHops == 1);
    CHECK(classifyPlacement({{0, 4}, {1, 5}, {2, 6}, {3, 6}}).text() == "invalid: stage 6 twice, stage 7 missing");
    CHECK(classifyPlacement({{0}, {1}, {2}}).text() == "looped");
}

TEST_CASE("every schedule of the registry survives a file", "[schedule][csv]")
{
    for (const RecipeInfo& info : recipes()) {
        CAPTURE(info.id);
        RecipeRequest request;
        request.chunks = info.defaultChunks;
        request.parameters = parseRecipe(info.id).parameters;
        const Schedule schedule = buildSchedule(info, request);
        try {
            const TorchExport written = exportTorchCsv(schedule);
            const TorchImport read = import(written.csv);
            for (int device = 0; device < schedule.shape.devices; ++device) {
                std::vector<std::string> order = laneTexts(schedule, schedule.computeLane(Device(device)), false);
                std::erase_if(order, [](const std::string& task) { // vocabulary passes and frozen layers have no letter
                    return task.find_first_of("edvtx") != std::string::npos;
                });
                CHECK(laneTexts(read.schedule, read.schedule.computeLane(Device(device)), false) == order);
            }
            CHECK(validate(read.schedule).empty());
        } catch (const Error& error) {
            // Only what a row per rank can't say may be refused.
            const bool inexpressible = schedule.shape.pipes > 1 || schedule.shape.slices > 1 ||
                                       !schedule.paths.empty() || schedule.placement.empty();
            CHECK((inexpressible && !std::string(error.what()).empty()));
        }
    }
}

TEST_CASE("what a file can't hold is listed or refused", "[schedule][csv]")
{
    RecipeRequest request;
    request.parameters = parseRecipe("1f1b").parameters;
    const Schedule schedule = buildSchedule(recipe("1f1b"), request);
    CHECK(exportTorchCsv(schedule).leftOut ==
          std::vector<std::string>{"4 update tasks", "4 barrier tasks", "1 group of tasks that start together"});
    CHECK_THROWS_WITH(exportTorchCsv(repeatSteps(schedule, 3)),
                      "A PyTorch file holds one step; this schedule has 3. Write one step.");
    Shape twoPipes;
    twoPipes.pipes = 2;
    twoPipes.microbatches = {1, 1};
    CHECK_THROWS_WITH(
        exportTorchCsv(ScheduleBuilder(twoPipes).finish()),
        "A PyTorch file numbers stages along one pipeline; this schedule has 2 pipes over the same stages.");
}
