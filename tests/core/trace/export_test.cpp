#include "core/base/error.h"
#include "core/schedule/registry.h"
#include "core/trace/export_chrome.h"
#include "core/trace/export_csv.h"
#include "tests/core/trace/trace_fixtures.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <fstream>
#include <sstream>

using namespace bubblescope;
using namespace bubblescope::test;
using Catch::Matchers::Contains;

namespace {

std::string chrome(const Trace& trace, const ChromeExport& options = {})
{
    std::ostringstream out;
    exportChrome(trace, options, out);
    return out.str();
}

/// Events of one phase, one a line, without keys that the test doesn't ask for.
std::string events(const std::string& text, const std::string& phase, const std::vector<std::string>& keys)
{
    std::string lines;
    const nlohmann::json trace = nlohmann::json::parse(text);
    for (const nlohmann::json& event : trace["traceEvents"]) {
        if (event["ph"] != phase)
            continue;
        for (const std::string& key : keys)
            lines += (event.contains(key) ? event[key].dump() : "-") + " ";
        lines += "\n";
    }
    return lines;
}

/// F and B of one microbatch on two stages, with the message between.
Trace twoStages()
{
    Trace trace;
    const Task first{.stage = Stage(0)};
    const Task second{.stage = Stage(1)};
    trace.lanes = {
        {Device(0), LaneKind::Compute, 0, {{0, 1500, first, 0}, {9001, 12000, {.work = Work::Backward}, 0}}, {}},
        {Device(1),
         LaneKind::Compute,
         0,
         {{2000, 3500, second, 0}, {3500, 6000, {.work = Work::Backward, .stage = Stage(1)}, 0}},
         {}}};
    trace.links = {{Device(0), Device(1), first, 1500, 2000, 64},
                   {Device(1), Device(0), {.work = Work::Backward, .stage = Stage(1)}, 6000, 9001, 64},
                   {Device(0), Device(1), {.microbatch = Microbatch(5)}, 0, 0, 0}}; // its spans aren't there
    trace.counters = {{"live bytes", Device(1), {{2000, 7}}}};
    return trace;
}

} // namespace

TEST_CASE("a Chrome trace holds every span to the nanosecond", "[trace]")
{
    const std::string text = chrome(twoStages(), {"my run", "predicted", {"left", ""}});
    CHECK_THAT(text, Contains(R"("ts":9.001,"dur":2.999,"pid":0,"tid":1)"));
    CHECK(events(text, "X", {"name", "pid", "tid", "ts", "dur"}) == "\"0F0\" 0 1 0.0 1.5 \n"
                                                                    "\"0B0\" 0 1 9.001 2.999 \n"
                                                                    "\"1F0\" 1 1 2.0 1.5 \n"
                                                                    "\"1B0\" 1 1 3.5 2.5 \n");
    CHECK(events(text, "M", {"pid", "tid", "name", "args"}) == "0 - \"process_name\" {\"name\":\"left\"} \n"
                                                               "0 - \"process_sort_index\" {\"sort_index\":0} \n"
                                                               "0 - \"process_labels\" {\"labels\":\"predicted\"} \n"
                                                               "1 - \"process_name\" {\"name\":\"device 1\"} \n"
                                                               "1 - \"process_sort_index\" {\"sort_index\":1} \n"
                                                               "1 - \"process_labels\" {\"labels\":\"predicted\"} \n"
                                                               "0 1 \"thread_name\" {\"name\":\"compute\"} \n"
                                                               "0 1 \"thread_sort_index\" {\"sort_index\":1} \n"
                                                               "1 1 \"thread_name\" {\"name\":\"compute\"} \n"
                                                               "1 1 \"thread_sort_index\" {\"sort_index\":1} \n");
    // Arrows leave just inside the producer and end where the consumer starts.
    CHECK(events(text, "s", {"id", "pid", "ts"}) == "1 0 1.499 \n2 1 5.999 \n");
    CHECK(events(text, "f", {"id", "pid", "ts", "bp"}) == "1 1 2.0 \"e\" \n2 0 9.001 \"e\" \n");
    CHECK(events(text, "C", {"name", "pid", "args"}) == "\"live bytes\" 1 {\"value\":7} \n");
}

TEST_CASE("odd names, negative times and measurements stay valid JSON", "[trace]")
{
    Trace trace = richTrace();
    trace.names.emplace_back("bad \xff byte\n");
    trace.lanes[1].spans[0].name = 3;
    const std::string text = chrome(trace, {"a \"title\"", "", {}});
    CHECK_THAT(text, Contains(R"("ts":-0.005,"dur":0.015)"));
    CHECK_THAT(text, Contains(R"("ts":3000000000.000,"dur":0.007)"));
    CHECK_THAT(text, Contains("\"ready_ns\":1,\"wall_start_ns\":2,\"wall_end_ns\":3,\"cpu_ns\":4"));
    CHECK(nlohmann::json::parse(text)["traceEvents"].size() > 10);
    CHECK(nlohmann::json::parse(chrome(Trace()))["traceEvents"].empty());
}

TEST_CASE("spans that overlap without nesting go to threads of their own", "[trace]")
{
    Trace trace;
    trace.names = {"", "a", "b", "c", "d"};
    trace.lanes = {{Device(0),
                    LaneKind::Compute,
                    7,
                    {{0, 10, {}, 1}, {0, 4, {}, 2}, {5, 15, {}, 3}, {20, 30, {}, 4}, {20, 30, {}, 4}},
                    {}},
                   {Device(0), LaneKind::Host, 0, {{0, 1, {}, 1}}, {}}};
    CHECK(events(chrome(trace), "X", {"name", "tid"}) ==
          "\"a\" 1 \n\"b\" 1 \n\"c\" 2 \n\"d\" 1 \n\"d\" 1 \n\"a\" 3 \n");
    CHECK_THAT(chrome(trace), Contains("\"compute 7\"") && Contains("\"compute 7 (2)\"") && Contains("\"host\""));
}

TEST_CASE("CSV has a row per span", "[trace]")
{
    std::ostringstream out;
    exportCsv(richTrace(), out);
    CHECK(out.str() == "device,lane,lane_number,start_ns,end_ns,duration_ns,task,work,stage,microbatch,slice,pipe,part,"
                       "ready_ns,wall_start_ns,wall_end_ns,cpu_ns\r\n"
                       "0,compute,0,-5,10,15,2F70000:3@1,forward,2,70000,3,1,0,1,2,3,4\r\n"
                       "0,compute,0,10,20,10,1I4,input gradient,1,4,0,0,0,5,6,7,8\r\n"
                       "0,compute,0,10,20,10,1F0,forward,1,0,0,0,0,9,10,11,12\r\n"
                       "0,compute,0,20,20,0,0y0#65535,barrier,0,0,0,0,65535,13,14,15,16\r\n"
                       "0,compute,0,20,20,0,0y0#65535,barrier,0,0,0,0,65535,17,18,19,20\r\n"
                       "0,collective,3,3000000000000,3000000000007,7,\"naïve \"\"kernel\"\", <T>\",,,,,,,,,,\r\n"
                       "0,collective,3,3000000000100,3000000000200,100,gemm_64x64,,,,,,,,,,\r\n");
}

TEST_CASE("an export is written whole or not at all", "[trace]")
{
    const Folder folder;
    std::ofstream(folder / "t.json") << "older";
    exportChrome(twoStages(), {}, folder / "t.json");
    std::ifstream in(folder / "t.json");
    CHECK_NOTHROW(nlohmann::json::parse(in));
    exportCsv(twoStages(), folder / "t.csv");
    CHECK(folder.names() == "t.csv t.json");
    CHECK_THROWS_AS(exportCsv(twoStages(), folder / "none/t.csv"), Failure);
    CHECK_THROWS_WITH(exportCsv(twoStages(), folder.path()), Contains("is a folder"));
    CHECK_THROWS_WITH(exportCsv(plainTrace(10, 100), "/dev/full"), Contains("can't be written"));
    Trace broken = twoStages();
    broken.lanes[1].spans[1].name = 99; // fails in the middle
    CHECK_THROWS(exportCsv(broken, folder / "t.csv"));
    CHECK(folder.names() == "t.csv t.json");
    std::ifstream kept(folder / "t.csv");
    CHECK(std::string(std::istreambuf_iterator<char>(kept), {}).find("1B0") != std::string::npos);
}

TEST_CASE("weight versions are shown where tasks may read different ones", "[trace]")
{
    const auto traced = [](const std::string& text) {
        const RecipeSpec spec = parseRecipe(text);
        const Schedule schedule =
            buildSchedule(recipe(spec.id), {.devices = 3, .microbatches = 6, .parameters = spec.parameters});
        Costs costs(3);
        costs.set(Work::Forward, unit);
        costs.set(Work::Backward, unit);
        return traceOf(schedule, simulate(schedule, costs));
    };
    const Trace stashing = traced("pipedream");
    const nlohmann::json events = nlohmann::json::parse(chrome(stashing))["traceEvents"];
    int checked = 0;
    for (const nlohmann::json& event : events) {
        if (event["ph"] != "X")
            continue;
        const nlohmann::json& about = event["args"];
        const int stage = about["stage"];
        if (about["work"] == "update")
            CHECK_FALSE(about.contains("weight_version"));
        else
            CHECK(about["weight_version"] == std::max(0, about["microbatch"].get<int>() - (2 - stage)));
        ++checked;
    }
    CHECK(checked == 3 * 6 * 3);
    std::ostringstream csv;
    exportCsv(stashing, csv);
    CHECK_THAT(csv.str(), Contains("pipe,part,weight_version\r\n") && Contains(",0B5,backward,0,5,0,0,0,3\r\n") &&
                              Contains(",0U5,update,0,5,0,0,0,\r\n"));
    CHECK_THAT(chrome(traced("1f1b")), !Contains("weight_version")); // there the version is the step
}
