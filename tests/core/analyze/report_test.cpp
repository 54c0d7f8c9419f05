#include "core/analyze/report.h"
#include "tests/core/analyze/planned.h"

#include <catch2/catch.hpp>

namespace bubblescope::test {
namespace {

nlohmann::json runJson(const Experiment& experiment, const std::string& recipe, OrderText order = OrderText::None)
{
    const Planned run = planned(experiment, recipe);
    return toJson(std::vector<RunReport>{reportOf(run.plan, run.timing, {.order = order})}).at("runs").at(0);
}

} // namespace

TEST_CASE("A run's JSON has the fields that scripts rely on", "[analyze]")
{
    const nlohmann::json run = runJson(experiment(4, 8), "1f1b");
    for (const char* field :
         {"schedule", "parameters", "stages", "virtual_stages", "pipes", "chunks", "comm_model", "microbatches",
          "makespan_ns", "bubble_rate", "ideal_ns", "devices", "theory", "weight_versions"})
        CHECK(run.contains(field));
    CHECK(run["schedule"] == "1f1b");
    CHECK(run["parameters"].is_object());
    CHECK(run["stages"] == 4);
    CHECK(run["virtual_stages"] == 4);
    CHECK(run["comm_model"] == "latency");
    CHECK(run["microbatches"] == 8);
    CHECK(run["makespan_ns"] == 33000000);
    CHECK(run["makespan_ns"].is_number_integer());
    CHECK(run["bubble_rate"].get<double>() == Approx(9.0 / 33));
    CHECK(run["ideal_ns"] == 24000000);
    CHECK(run["theory"]["bubble_ns"] == 9000000);
    CHECK(run["theory"]["measure"] == "makespan");
    CHECK(run["weight_versions"] == nlohmann::json({1, 1, 1, 1}));
    CHECK_FALSE(run.contains("order"));
    CHECK_FALSE(run.contains("period_ns"));
    REQUIRE(run["devices"].size() == 4);
    const nlohmann::json& device = run["devices"][0];
    CHECK(device.dump() ==
          R"({"busy_ns":24000000,"device":0,"first_start_ns":0,"idle_by_cause_ns":{"arrival":0,"communication":0,)"
          R"("dependency":0,"drain":3000000,"imbalance":0,"jitter":0,"memory":0,"synchronisation":0,"unexplained":0,)"
          R"("warmup":6000000},"idle_ns":9000000,"last_end_ns":33000000,"peak_activations":4.0,"peak_at_ns":3000000,)"
          R"("peak_memory_bytes":null})");
    CHECK(run["devices"][3]["first_start_ns"] == 3000000);
    CHECK(run["devices"][3]["last_end_ns"] == 27000000);
}

TEST_CASE("An order is listed as people write it", "[analyze]")
{
    const nlohmann::json compute = runJson(experiment(2, 2), "1f1b", OrderText::Compute);
    CHECK(compute["order"].dump() == R"([["0F0","0F1","0B0","0B1"],["1F0","1B0","1F1","1B1"]])");
    const nlohmann::json all = runJson(experiment(2, 2), "1f1b", OrderText::All);
    CHECK(all["order"].size() > 2);
    CHECK(all["order"].size() == all["order_lanes"].size());
    CHECK(all["order_lanes"][0].dump() == R"({"device":0,"index":0,"lane":"compute"})");
    CHECK(all["order"][0].back() == "0U0");
}

TEST_CASE("Several steps have a period", "[analyze]")
{
    Experiment three = experiment(4, 8, "F=1,I=1,W=1");
    three.steps = 3;
    const nlohmann::json run = runJson(three, "zb-h1");
    CHECK(run["period_ns"] == 27000000);
    CHECK(run["makespan_ns"] == 81000000);
}

TEST_CASE("With a model the peak is also in bytes", "[analyze]")
{
    Experiment small = experiment(4, 8);
    small.model.layers = 8;
    const Planned run = planned(small, "1f1b");
    const MemoryRules rules = transformerMemory(small.model, run.plan.partition, false);
    const RunReport report = reportOf(run.plan, run.timing, {.memory = &rules});
    for (const DevicePeak& peak : report.peaks) {
        REQUIRE(peak.bytes.has_value());
        CHECK(total(peak.bytesByClass) == *peak.bytes);
    }
    CHECK(*report.peaks[0].bytes > *report.peaks[2].bytes); // four microbatches against two
    CHECK(toJson(report)["devices"][0]["peak_memory_bytes"] == *report.peaks[0].bytes);
}

TEST_CASE("The text has a table per device and names every bubble definition", "[analyze]")
{
    const Planned run = planned(experiment(4, 8), "1f1b");
    const std::string text = toText(reportOf(run.plan, run.timing));
    CHECK(text.substr(0, text.find("bubble rate ")) ==
          "1f1b, predicted: 4 stages on 4 devices, 8 microbatches a step, 1 step, transfers by the latency model\n"
          "makespan 33 ms; ideal 24 ms (all work ÷ devices)\n"
          "\n"
          "device   busy  idle  warmup  drain  peak activations    at\n"
          "0       24 ms  9 ms    6 ms   3 ms                 4  3 ms\n"
          "1       24 ms  9 ms    5 ms   4 ms                 3  3 ms\n"
          "2       24 ms  9 ms    4 ms   5 ms                 2  3 ms\n"
          "3       24 ms  9 ms    3 ms   6 ms                 1  3 ms\n"
          "\n");
    CHECK_THAT(text, Catch::Contains("idle ÷ (devices × makespan)") && Catch::Contains("27.3 %"));
    CHECK_THAT(text, Catch::Contains("(Megatron)") && Catch::Contains("37.5 %"));
    CHECK_THAT(text, Catch::Contains("zero-bubble papers"));
    CHECK_THAT(text, Catch::Contains("9 ms idle per device in one step, inside the makespan; here at most 9 ms"));
}

TEST_CASE("Predicted and measured stand side by side", "[analyze]")
{
    const Planned run = planned(experiment(4, 8), "1f1b");
    Costs costs = run.plan.costs;
    costs.set(Work::Backward, 11 * unit / 5);
    const Timing timing = simulate(run.schedule(), costs);
    costs.perTask.clear();
    for (TaskId id{}; id < run.schedule().tasks.size(); ++id)
        costs.perTask.push_back(timing.end[id] - timing.start[id]);
    const RunReport predicted = reportOf(run.plan, run.timing);
    const RunReport measured =
        reportOf(run.plan, timing, {.label = RunLabel::Measured, .measured = true, .costs = &costs});
    const auto kinds = comparePerKind(run.schedule(), run.plan.costs, costs.perTask);
    const std::string text = besideText(predicted, measured, kinds);
    CHECK_THAT(text, Catch::Contains("predicted") && Catch::Contains("measured"));
    CHECK_THAT(text, Catch::Contains("B backward") && Catch::Contains("+10.0 %"));
    const nlohmann::json json = toJson(predicted, measured);
    CHECK(json["makespan_ns"] == 33000000);
    CHECK(json["measured"]["makespan_ns"] == timing.makespan());
    CHECK(json["measured"]["label"] == "measured");
}

} // namespace bubblescope::test
