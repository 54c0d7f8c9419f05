// Closed forms against the simulation: wherever a recipe gives one, the simulation has to agree exactly.

#include "core/analyze/idle.h"
#include "core/base/error.h"
#include "core/experiment.h"
#include "core/simulate/memory.h"
#include "core/simulate/simulate.h"

#include <catch2/catch.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <random>

using namespace bubblescope;

namespace {

/// Idle time of the device that has most, in the sense that the theory measures it.
Nanoseconds simulatedBubble(const Plan& made, const Timing& timing)
{
    const IdleReport report = explainIdle(made.schedule, made.costs, timing);
    Nanoseconds most = 0;
    for (const DeviceIdle& device : report.devices) {
        const Nanoseconds within =
            made.theory->measure == "span" ? device.lastEnd - device.firstStart : report.makespan();
        most = std::max(most, within - device.busy);
    }
    return most;
}

} // namespace

TEST_CASE("closed forms and simulation agree for every recipe, shape and cost that they cover", "[schedule]")
{
    std::mt19937 random(7); // NOLINT: the same cases every time
    const auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
    for (const RecipeInfo& info : recipes()) {
        int covered = 0;
        for (int i = 0; i < 200; ++i) {
            Experiment experiment;
            experiment.stages = pick(1, 8);
            experiment.chunks = info.maximumChunks > 1 ? pick(info.minimumChunks, std::min(info.maximumChunks, 4)) : 0;
            experiment.microbatches = experiment.stages * pick(1, 4) + (pick(0, 1) == 0 ? 0 : pick(0, 3));
            const int forward = pick(5, 12);
            const bool equal = pick(0, 1) == 0; // some forms hold for F=I=W alone
            experiment.cost =
                fmt::format("F={},I={},W={}", forward, equal ? forward : pick(5, 12), equal ? forward : pick(3, 12));
            std::optional<Plan> made;
            try {
                made = plan(experiment, parseRecipe(info.id));
            } catch (const Error&) {
                continue; // a shape that the family refuses
            }
            if (!made->theory)
                continue;
            ++covered;
            const Timing timing = simulate(made->schedule, made->costs);
            INFO(info.id << " p=" << experiment.stages << " v=" << experiment.chunks << " m=" << experiment.microbatches
                         << " " << experiment.cost);
            CHECK(simulatedBubble(*made, timing) == made->theory->bubble);
            double peak = 0;
            for (const ActivationCurve& curve : activationCurves(made->schedule, timing, made->deltas, false))
                peak = std::max(peak, curve.peakActivations());
            CHECK(peak == Approx(made->theory->peakActivations));
        }
        CAPTURE(info.id);
        if (info.theory != nullptr)
            CHECK(covered > 20);
    }
}

TEST_CASE("ZB-H1 with unequal halves idles (p-1)(F+I-W) inside its span (case 59)", "[schedule]")
{
    Experiment experiment;
    experiment.cost = "F=1,I=1.3,W=0.8";
    const Plan made = plan(experiment, parseRecipe("zb-h1"));
    REQUIRE(made.theory);
    CHECK(made.theory->bubble == 4'500'000);
    CHECK(simulatedBubble(made, simulate(made.schedule, made.costs)) == 4'500'000);
    const Plan classic = plan(experiment, parseRecipe("1f1b"));
    CHECK(classic.theory->bubble == 9'300'000);
}
