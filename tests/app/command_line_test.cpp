// The command line's contract: names, units, exit codes; one JSON object on standard output and nothing else.

#include "app/cli/command.h"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <numeric>
#include <sstream>
#include <unistd.h>

using nlohmann::json;

namespace {

struct Called {
    int code = 0;
    std::string out;
    std::string err;

    json object() const { return json::parse(out); }
};

Called call(const std::vector<std::string>& arguments)
{
    std::ostringstream out;
    std::ostringstream err;
    const int code = bubblescope::cli::runCommandLine(arguments, out, err, false);
    return {code, out.str(), err.str()};
}

/// The words of a command line, split at blanks.
Called call(const std::string& line)
{
    std::istringstream in(line);
    return call(std::vector<std::string>{std::istream_iterator<std::string>(in), {}});
}

/// A folder that is gone when the test is over.
class Folder {
public:
    Folder()
    {
        std::string name = (std::filesystem::temp_directory_path() / "bubblescope-cli-XXXXXX").string();
        m_path = mkdtemp(name.data());
    }

    ~Folder() { std::filesystem::remove_all(m_path); }

    std::string file(const std::string& name, const std::string& content = "") const
    {
        const std::string path = (m_path / name).string();
        if (!content.empty())
            std::ofstream(path) << content;
        return path;
    }

private:
    std::filesystem::path m_path;
};

json firstRun(const std::string& line)
{
    const Called called = call(line);
    INFO(called.err);
    REQUIRE(called.code == 0);
    return called.object()["runs"][0];
}

using Catch::Matchers::Contains;

} // namespace

TEST_CASE("simulate --json tells makespan, bubble rate, causes and peaks", "[cli]")
{
    const json run = firstRun("simulate --schedule 1f1b --stages 4 --microbatches 8 --cost F=1,B=2 --json");
    CHECK(run["makespan_ns"] == 33'000'000);
    CHECK(run["bubble_rate"].get<double>() == Approx(9.0 / 33));
    CHECK(run["ideal_ns"] == 24'000'000);
    CHECK(run["comm_model"] == "latency");
    const json& device = run["devices"][0];
    CHECK(device["peak_activations"] == 4.0);
    CHECK(device["peak_memory_bytes"].is_null());
    CHECK(device["idle_by_cause_ns"]["warmup"] == 6'000'000);
    CHECK(device["idle_by_cause_ns"]["drain"] == 3'000'000);
    CHECK(device["idle_by_cause_ns"].size() == 10);
    CHECK(firstRun("simulate --schedule zb-h1 --stages 4 --microbatches 8 --cost F=1,I=1,W=1 --json")["makespan_ns"] ==
          27'000'000);
    CHECK_FALSE(run.contains("order"));
}

TEST_CASE("simulate --order lists compute tasks by device, --order=all every lane", "[cli]")
{
    const json run = firstRun("simulate --schedule 1f1b --stages 2 --microbatches 2 --cost F=1,B=2 --order --json");
    CHECK(run["order"] == json::parse(R"([["0F0","0F1","0B0","0B1"],["1F0","1B0","1F1","1B1"]])"));
    const json all = firstRun("simulate --schedule 1f1b --stages 2 --microbatches 2 --cost F=1,B=2 --order=all --json");
    CHECK(all["order"].dump().find("0U0") != std::string::npos);
    CHECK(call("simulate --order=some").code == 2);
}

TEST_CASE("simulate --steps repeats a step and tells its period", "[cli]")
{
    const json run =
        firstRun("simulate --schedule zb-h2 --stages 4 --microbatches 8 --steps 3 --cost F=1,I=1,W=1 --json");
    CHECK(run["makespan_ns"] == 81'000'000);
    CHECK(run["period_ns"] == 27'000'000);
}

TEST_CASE("what can't be built ends with 2 and a sentence that says what works", "[cli]")
{
    const Called interleaved = call("simulate --schedule interleaved-1f1b --chunks 2 --stages 4 --microbatches 6");
    CHECK(interleaved.code == 2);
    CHECK(interleaved.out.empty());
    CHECK_THAT(interleaved.err, Contains("6") && Contains("4 or 8"));
    CHECK_THAT(call("simulate --schedule no-such").err, Contains("no-such"));
    CHECK_THAT(call("simulate --cost F=-1,B=2").err, Contains("-1"));
    CHECK_THAT(call("simulate --stages 0").err, Contains("0"));
    CHECK_THAT(call("simulate --stages four").err, Contains("four"));
    CHECK_THAT(call("simulate --layers 30 --partition 7,8,8").err, Contains("7,8,8"));
    CHECK_THAT(call("simulate --partition 7,8,,8").err, Contains("''"));
    CHECK_THAT(call("simulate --memory F=1,W=-2").err, Contains("0"));
    CHECK_THAT(call("simulate --comm -1").err, Contains("-1"));
    CHECK_THAT(call("simulate --comm-model warp").err, Contains("warp") && Contains("blocking"));
    CHECK_THAT(call("simulate --no-such-option 1").err, Contains("--no-such-option"));
    CHECK_THAT(call("simulate /no/such/experiment.json").err, Contains("/no/such/experiment.json"));
    CHECK_THAT(call("dance").err, Contains("dance"));
    for (const char* line : {"simulate --schedule no-such", "simulate --cost F=-1,B=2", "simulate --stages 0",
                             "simulate --stages four", "dance", "", "explain no-such", "report /no/such.bscope",
                             "info /no/such.bscope", "simulate --steps 0", "run --backend tpu"}) {
        CAPTURE(line);
        CHECK(call(line).code == 2);
    }
    CHECK(call("--help").code == 0);
    CHECK(call("simulate --help").code == 0);
    CHECK(call("--version").code == 0);
}

TEST_CASE("an experiment file is simulated and options override its fields", "[cli]")
{
    const Folder folder;
    const std::string file =
        folder.file("e.json", R"({"schedules": ["gpipe", "1f1b"], "stages": 4, "microbatches": 8, "cost": "F=1,B=2"})");
    const Called both = call({"simulate", file, "--json"});
    REQUIRE(both.code == 0);
    CHECK(both.object()["runs"].size() == 2);
    const Called fewer = call({"simulate", file, "--microbatches", "4", "--json"});
    CHECK(fewer.object()["runs"][0]["makespan_ns"] == 21'000'000);
    CHECK_THAT(call({"simulate", folder.file("bad.json", "{"), "--json"}).err, Contains("not JSON"));
    CHECK_THAT(call({"simulate", folder.file("odd.json", R"({"stages": 4.5})"), "--json"}).err, Contains("4.5"));
}

TEST_CASE("costs per stage come from a file in either form", "[cli]")
{
    const Folder folder;
    const std::string rows =
        folder.file("rows.json", R"([{"F":1,"B":2},{"F":1,"B":2},{"F":1.25,"B":2.5},{"F":1,"B":2}])");
    const std::string columns = folder.file("columns.json", R"({"F":[1,1,1.25,1],"B":[2,2,2.5,2]})");
    for (const std::string& file : {rows, columns}) {
        const json run = call({"simulate", "--cost-file", file, "--json"}).object()["runs"][0];
        CHECK(run["makespan_ns"] == 38'250'000); // case 26
        CHECK(run["devices"][2]["idle_ns"] == 8'250'000);
        CHECK(run["devices"][0]["idle_by_cause_ns"]["imbalance"] == 4'687'500); // ir.md 3.3
    }
    CHECK(call({"simulate", "--cost-file", folder.file("short.json", R"([{"F":1,"B":2}])")}).code == 2);
}

TEST_CASE("stored predictions are reported, compared, exported and listed", "[cli]")
{
    const Folder folder;
    const std::string document = folder.file("d.bscope");
    REQUIRE(
        call({"simulate", "--schedule", "1f1b", "--schedule", "zb-h1", "--cost", "F=1,I=1,W=1", "-o", document}).code ==
        0);
    const Called info = call({"info", document, "--json"});
    REQUIRE(info.code == 0);
    CHECK(info.object()["runs"].size() == 2);
    const Called report = call({"report", document + ":2", "--json"});
    REQUIRE(report.code == 0);
    CHECK(report.object()["runs"][0]["makespan_ns"] == 27'000'000);
    const Called compared = call({"compare", document + ":1", document + ":2", "--json"});
    INFO(compared.err);
    REQUIRE(compared.code == 0);
    CHECK(compared.object()["runs"].size() == 2);
    const std::string chrome = folder.file("t.json");
    REQUIRE(call({"export", document + ":1", "--format", "chrome", "-o", chrome}).code == 0);
    std::ifstream in(chrome);
    CHECK(json::parse(in)["traceEvents"].size() > 60);
    CHECK(call({"export", document + ":1", "--format", "csv", "-o", folder.file("t.csv")}).code == 0);
    CHECK(call({"export", document + ":7", "--format", "csv", "-o", folder.file("u.csv")}).code == 2);
    CHECK(call({"compare", document + ":1"}).code == 2);
}

TEST_CASE("a schedule goes to PyTorch's CSV and comes back the same", "[cli]")
{
    const Folder folder;
    for (const char* recipe : {"gpipe:backward=lifo", "1f1b", "eager-1f1b", "interleaved-1f1b", "zb-h1", "zb-h2"}) {
        CAPTURE(recipe);
        const std::string file = folder.file("s.csv");
        REQUIRE(call({"schedule", "export", recipe, "-o", file}).code == 0);
        const Called imported = call({"schedule", "import", file, "--cost", "F=1,I=1,W=1", "--json"});
        INFO(imported.err);
        REQUIRE(imported.code == 0);
        const Called own = call({"simulate", "--schedule", recipe, "--cost", "F=1,I=1,W=1", "--order", "--json"});
        CHECK(imported.object()["runs"][0]["order"] == own.object()["runs"][0]["order"]);
        CHECK(imported.object()["runs"][0]["makespan_ns"] == own.object()["runs"][0]["makespan_ns"]);
        CHECK(call({"schedule", "check", recipe}).code == 0);
        CHECK(call({"schedule", "show", recipe}).code == 0);
    }
}

TEST_CASE("an imported order is stored, reported and keeps its times", "[cli]")
{
    const Folder folder;
    const std::string csv = folder.file("two.csv", "0F0,0F1,,,0B0,,,0B1\n,1F0,1B0,,1F1,1B1,,\n"); // case 38
    const std::string document = folder.file("d.bscope");
    REQUIRE(call({"schedule", "import", csv, "--cost", "F=1,B=2", "-o", document}).code == 0);
    const Called report = call({"report", document, "--json"});
    INFO(report.err);
    REQUIRE(report.code == 0);
    CHECK(report.object()["runs"][0]["makespan_ns"] == 9'000'000);
    CHECK(report.object()["runs"][0]["bubble_rate"].get<double>() == Approx(1.0 / 3));
    CHECK(call({"schedule", "import", folder.file("bad.csv", "0F0,0X1\n")}).code == 2);
}

TEST_CASE("run executes, verifies, stores and reports; the loss falls", "[cli][slow]")
{
    const Folder folder;
    const std::string document = folder.file("d.bscope");
    const Called run = call({"run", "--schedule", "1f1b", "--schedule", "zb-h1", "--stages", "4", "--microbatches", "8",
                             "--backend", "cpu", "--steps", "5", "--verify", "--json", "-o", document});
    INFO(run.err);
    REQUIRE(run.code == 0);
    const json object = run.object();
    REQUIRE(object["runs"].size() == 2);
    for (const json& entry : object["runs"]) {
        CHECK(entry["verify"]["max_relative_gradient_error"].get<double>() <= 1e-5);
        CHECK(entry["verify"]["bit_equal"] == true);
        const auto losses = entry["losses"].get<std::vector<double>>();
        REQUIRE(losses.size() == 5);
        CHECK(losses.back() < losses.front() - 0.3);
        const json& measured = entry["measured"];
        CHECK(measured["makespan_ns"].get<long long>() > 0);
        for (const json& device : measured["devices"]) {
            long long sum = 0;
            for (const auto& [cause, time] : device["idle_by_cause_ns"].items())
                sum += time.get<long long>();
            CHECK(sum == device["idle_ns"].get<long long>());
        }
    }
    // Both schedules train the same model on the same data.
    CHECK(object["runs"][0]["losses"][0] == object["runs"][1]["losses"][0]);
    for (const char* command : {"report", "info"})
        CHECK(call({command, document, "--json"}).code == 0);
    CHECK(call({"compare", document + ":1", document + ":3", "--json"}).code == 0);
    CHECK(call({"simulate", "--schedule", "zb-h1", "--cost-from", document + ":4", "--json"}).code == 0);
}

TEST_CASE("schedules with models and memory of their own run from the command line, too", "[cli]")
{
    for (const char* schedule :
         {"roundpipe:stages=6,plan=greedy", "skippipe:stages=3,nodes=2+1+1", "diffusionpipe", "gnnpipe"}) {
        CAPTURE(schedule);
        const Called run = call({"run", "--schedule", schedule, "--stages", "4", "--microbatches", "6", "--steps", "3",
                                 "--verify", "--hidden", "32", "--sequence", "16", "--json"});
        INFO(run.err);
        REQUIRE(run.code == 0);
        const json entry = run.object()["runs"][0];
        CHECK(entry["verify"]["passed"] == true);
        CHECK(entry["losses"].size() == 3);
        for (const json& report : {entry, entry["measured"]})
            for (const json& device : report["devices"]) {
                long long sum = 0;
                for (const auto& [cause, time] : device["idle_by_cause_ns"].items())
                    sum += time.get<long long>();
                CHECK(sum == device["idle_ns"].get<long long>());
            }
    }
}

TEST_CASE("a paced run lands where its prediction is", "[cli][slow]")
{
    const Called run =
        call("run --schedule 1f1b --stages 8 --microbatches 16 --backend paced --comm 0.2 --cost F=1,B=2 --json");
    INFO(run.err);
    REQUIRE(run.code == 0);
    const json entry = run.object()["runs"][0];
    CHECK(entry["measured"]["label"] == "emulated");
    CHECK(entry["measured"]["makespan_ns"] == entry["makespan_ns"]);
    CHECK(call("run --backend paced --verify").code == 2);
}

TEST_CASE("data that can't be read is refused before anything is stored", "[cli]")
{
    const Folder folder;
    const std::string document = folder.file("d.bscope");
    CHECK(call({"run", "--data", "/no/such/text", "-o", document}).code == 2);
    CHECK_FALSE(std::filesystem::exists(document));
    CHECK(call({"run", "--hidden", "130", "--heads", "4", "-o", document}).code == 2);
    CHECK_FALSE(std::filesystem::exists(document));
}

TEST_CASE("every schedule has a page with its figure", "[cli]")
{
    const Called list = call("list schedules --json");
    REQUIRE(list.code == 0);
    const json listed = list.object();
    for (const json& entry : listed["schedules"]) {
        const Called page = call({"explain", entry["id"].get<std::string>(), "--json"});
        REQUIRE(page.code == 0);
        CHECK(page.object()["page"].get<std::string>().size() > 300);
        CHECK(page.object()["figure"].get<std::string>().size() > 300);
    }
}

TEST_CASE("doctor says what helps for everything that is missing", "[cli]")
{
    const Called doctor = call("doctor --json");
    REQUIRE(doctor.code == 0);
    const json examined = doctor.object();
    for (const json& finding : examined["findings"])
        CHECK((finding["good"].get<bool>() || !finding["step"].get<std::string>().empty()));
}

TEST_CASE("search finds a schedule under a memory limit and says how good it is", "[app]")
{
    const Called found = call("search --stages 4 --microbatches 6 --memory-limit 4 --cost F=1,I=1,W=1 --json");
    REQUIRE(found.code == 0);
    const json result = found.object();
    CHECK(result["best"] == result["candidates"].front());
    CHECK(result["best"]["makespan_ns"] <= 21'000'000);
    CHECK(result["one_chunk_lower_bound_ns"] == 21'000'000);
    bool reason = false;
    for (const json& family : result["left_out"])
        reason = reason || family["reason"] == "gpipe holds 6 activations, more than 4.";
    CHECK(reason);
    for (const json& candidate : result["candidates"]) {
        if (candidate["schedule"] != "zb-auto")
            continue;
        CHECK(candidate["above_lower_bound"] == 0.0);
        const Called simulated = call("simulate --stages 4 --microbatches 6 --cost F=1,I=1,W=1 --json --schedule " +
                                      candidate["recipe"].get<std::string>());
        CHECK(simulated.object()["runs"][0]["makespan_ns"] == candidate["makespan_ns"]);
    }

    const Called text = call("search --stages 4 --microbatches 6 --memory-limit 4 --cost F=1,I=1,W=1");
    CHECK(text.out.find("above the lower bound of") != std::string::npos);
    const Called nothing = call("search --stages 4 --microbatches 6 --memory-limit 0.5");
    CHECK(nothing.code == 2);
    CHECK(nothing.err.find("limit=1 is the smallest that works") != std::string::npos);
}
