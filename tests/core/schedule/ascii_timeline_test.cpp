// Pictures of schedules against whole files in tests/golden. BUBBLESCOPE_WRITE_GOLDEN=1 writes them anew.

#include "core/schedule/ascii_timeline.h"
#include "core/schedule/registry.h"
#include "core/simulate/costs.h"

#include <catch2/catch.hpp>

#include <cstdlib>
#include <fstream>
#include <sstream>
#include <string>

using namespace bubblescope;

namespace {

Schedule build(const std::string& text, int devices, int chunks, int microbatches)
{
    const RecipeSpec spec = parseRecipe(text);
    RecipeRequest request{
        .devices = devices, .chunks = chunks, .microbatches = microbatches, .parameters = spec.parameters};
    return buildSchedule(recipe(spec.id), request);
}

Costs costs(const Schedule& schedule, double forward, double backward)
{
    Costs costs(schedule.shape.allStages());
    costs.set(Work::Forward, static_cast<Nanoseconds>(forward * unit));
    costs.set(Work::InputGradient, static_cast<Nanoseconds>(backward * unit / 2));
    costs.set(Work::WeightGradient, static_cast<Nanoseconds>(backward * unit / 2));
    costs.set(Work::Backward, static_cast<Nanoseconds>(backward * unit));
    return costs;
}

void checkGolden(const std::string& name, const std::string& text)
{
    const std::string path = std::string(BUBBLESCOPE_TEST_DATA) + "/../golden/" + name + ".txt";
    if (std::getenv("BUBBLESCOPE_WRITE_GOLDEN") != nullptr)
        std::ofstream(path) << text;
    std::ostringstream expected;
    expected << std::ifstream(path).rdbuf();
    CHECK(text == expected.str());
}

} // namespace

TEST_CASE("a timeline has a cell per unit of time", "[schedule][ascii]")
{
    const Schedule schedule = build("1f1b", 4, 1, 8);
    checkGolden("timeline_1f1b_p4_m8", asciiTimeline(schedule, simulate(schedule, costs(schedule, 1, 2))));
}

TEST_CASE("a narrow timeline shrinks its cells", "[schedule][ascii]")
{
    const Schedule schedule = build("zb-h1", 4, 1, 8);
    const Timing timing = simulate(schedule, costs(schedule, 1, 2));
    checkGolden("timeline_zb_h1_p4_m8_width60", asciiTimeline(schedule, timing, 60));
    checkGolden("timeline_zb_h1_p4_m8_width20", asciiTimeline(schedule, timing, 20));
}

TEST_CASE("devices with several stages name them", "[schedule][ascii]")
{
    const Schedule schedule = build("interleaved-1f1b", 2, 2, 4);
    checkGolden("timeline_interleaved_p2_m4", asciiTimeline(schedule, simulate(schedule, costs(schedule, 1, 2)), 140));
}

TEST_CASE("stages are named everywhere or nowhere", "[schedule][ascii]")
{
    const Schedule schedule = build("chimera", 4, 1, 8);
    const Timing timing = simulate(schedule, costs(schedule, 1, 2));
    CHECK(asciiTimeline(schedule, timing, 100).find("3B0@1") == std::string::npos);
    CHECK(asciiTimeline(schedule, timing, 100).find("0F0") == std::string::npos);
    CHECK(asciiTimeline(schedule, timing, 300).find("3B0@1") != std::string::npos);
    CHECK(asciiTimeline(schedule, timing, 300).find("0F0-") != std::string::npos);
}

TEST_CASE("uneven stages get proportional cells", "[schedule][ascii]")
{
    const Schedule schedule = build("1f1b", 3, 1, 4);
    Costs uneven = costs(schedule, 1, 2);
    uneven.set(Work::Forward, Stage(1), unit * 137 / 100);
    uneven.set(Work::Backward, Stage(1), unit * 229 / 100);
    checkGolden("timeline_uneven", asciiTimeline(schedule, simulate(schedule, uneven), 100));
}

TEST_CASE("copy lanes and pairs are drawn too", "[schedule][ascii]")
{
    Shape shape;
    shape.microbatches = {2};
    ScheduleBuilder builder(shape);
    const auto add = [&](const char* text) { return builder.compute(Device(0), *taskFromText(text)); };
    const auto first = add("0F0");
    builder.join(add("0F1"));
    add("0B0");
    add("0B1");
    const auto copy = builder.add(builder.lane(Device(0), LaneKind::CopyOut), *taskFromText("0o0"));
    builder.edge(first, copy);
    const Schedule schedule = builder.finish();
    Costs durations = costs(schedule, 1, 2);
    durations.set(Work::Offload, 2 * unit);
    checkGolden("timeline_lanes", asciiTimeline(schedule, simulate(schedule, durations)));
}
