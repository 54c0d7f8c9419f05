#include "core/simulate/activation_intervals.h"
#include "tests/core/analyze/planned.h"

#include <catch2/catch.hpp>

namespace bubblescope::test {
namespace {

/// "0[0,12) 1[1,15)": the microbatches of a device and when it holds them, in units.
std::string heldBy(const Planned& run, int device)
{
    std::string text;
    for (const ActivationInterval& held : activationIntervals(run.schedule(), run.timing, run.plan.deltas))
        if (held.device == device)
            text += fmt::format("{}{}[{},{})", text.empty() ? "" : " ", held.forward.microbatch.value,
                                units(held.begin), units(held.end));
    return text;
}

} // namespace

TEST_CASE("1F1B holds a microbatch from its forward to the end of its backward", "[simulate]")
{
    // Two devices, F=1, B=2: 0: F0 F1 . B0- F2 B1- . B2-    1: . F0 B0- F1 B1- F2 B2-
    const Planned run = planned(experiment(2, 3), "1f1b");
    CHECK(heldBy(run, 0) == "0[0,6) 1[1,9) 2[6,12)");
    CHECK(heldBy(run, 1) == "0[1,4) 1[4,7) 2[7,10)");
}

TEST_CASE("what frees an activation is what the memory rule says", "[simulate]")
{
    // Device 3 of ZB-H1: F0 at 3, I0 at 4, W0 at 11.
    Experiment wanted = experiment(4, 8, "F=1,I=1,W=1");
    CHECK(heldBy(planned(wanted, "zb-h1"), 3).substr(0, 7) == "0[3,12)");
    wanted.memory = "F=1,I=-1,W=0";
    CHECK(heldBy(planned(wanted, "zb-h1"), 3).substr(0, 6) == "0[3,5)");
}

TEST_CASE("a copy that moves an activation out makes two intervals of one", "[simulate]")
{
    const Planned run = planned(experiment(4, 8), "pipeoffload:offload=full");
    const auto held = activationIntervals(run.schedule(), run.timing, run.plan.deltas);
    std::map<std::pair<int, Task>, int> parts;
    for (const ActivationInterval& interval : held)
        ++parts[{interval.device, interval.forward}];
    CHECK(std::any_of(parts.begin(), parts.end(), [](const auto& part) { return part.second == 2; }));
}

TEST_CASE("at every moment the curve of a device is the sum of its intervals", "[simulate]")
{
    for (const char* recipe :
         {"gpipe", "1f1b", "interleaved-1f1b", "zb-h1", "zb-h2", "zb-v", "hanayo", "chimera", "dualpipe"}) {
        CAPTURE(recipe);
        const Planned run = planned(experiment(4, 8), recipe);
        const auto curves = activationCurves(run.schedule(), run.timing, run.plan.deltas, true);
        const auto intervals = activationIntervals(run.schedule(), run.timing, run.plan.deltas);
        for (std::size_t device = 0; device < curves.size(); ++device)
            for (const ActivationCurve::Step& step : curves[device].steps) {
                std::int64_t live = 0;
                for (const ActivationInterval& held : intervals)
                    live += held.device == device && held.begin <= step.time && step.time < held.end;
                CAPTURE(device, step.time);
                REQUIRE(live * ActivationDeltas::one / curves[device].parts == step.live);
            }
    }
}

} // namespace bubblescope::test
