// SPPO: which part of which slice leaves, when it is back, and what the device holds meanwhile.

#include "core/experiment.h"
#include "core/simulate/memory.h"
#include "tests/core/schedule/sound.h"

#include <algorithm>

using namespace bubblescope;

namespace {

Plan planOf(const std::string& recipe, const std::string& cost, int stages = 4, int microbatches = 8)
{
    Experiment experiment;
    experiment.stages = stages;
    experiment.microbatches = microbatches;
    experiment.cost = cost;
    return plan(experiment, parseRecipe(recipe));
}

std::vector<double> peaksOf(const Plan& made)
{
    std::vector<double> peaks;
    const Timing timing = test::simulateSound(made.schedule, made.costs);
    for (const ActivationCurve& curve : activationCurves(made.schedule, timing, made.deltas, true)) {
        peaks.push_back(curve.peakActivations());
        CHECK(curve.steps.back().live == 0);
    }
    return peaks;
}

double heaviest(const Plan& made)
{
    const std::vector<double> peaks = peaksOf(made);
    return *std::max_element(peaks.begin(), peaks.end());
}

} // namespace

TEST_CASE("the earlier a slice, the more of it leaves, and the last one stays", "[schedule][sppo]")
{
    for (const char* cost : {"F=1,B=2", "F=1,B=2,o=1,h=1", "F=1,B=2,o=3,h=3", "F=1,B=2,o=30,h=20"})
        for (const char* recipe : {"sppo", "sppo:slices=8", "sppo:slices=5,attention=1", "sppo:lengths=5+1+3"}) {
            CAPTURE(cost, recipe);
            const std::vector<double> parts = planOf(recipe, cost).schedule.slicing.offloaded;
            CHECK(std::is_sorted(parts.rbegin(), parts.rend()));
            CHECK(parts.back() == 0);
            CHECK(parts.front() > 0);
        }
    // Windows of 2.25, 1.5 and 0.75 against round trips of a quarter of 4.
    CHECK(planOf("sppo", "F=1,B=2,o=2,h=2", 1, 1).schedule.slicing.offloaded.front() > 0.5);
    CHECK(planOf("sppo:offload=0.25", "F=1,B=2,o=1,h=1").schedule.slicing.offloaded ==
          std::vector<double>{0.25, 0.25, 0.25, 0});
    CHECK(planOf("sppo", "F=1,B=2,o=1,h=1").schedule.slicing.offloaded == std::vector<double>{1, 1, 1, 0});
}

TEST_CASE("copies that were planned never hold up equal stages", "[schedule][sppo]")
{
    for (const char* cost : {"F=1,B=2", "F=1,B=2,o=1,h=1", "F=1,B=2,o=2,h=2", "F=1,B=2,o=9,h=5"}) {
        CAPTURE(cost);
        const Plan offloaded = planOf("sppo", cost);
        const Plan kept = planOf("seq1f1b:slices=4", cost);
        const Nanoseconds with = simulate(offloaded.schedule, offloaded.costs).makespan();
        const Nanoseconds without = simulate(kept.schedule, kept.costs).makespan();
        CHECK(with - without <= unit / 1000); // every copy is rounded to nanoseconds
    }
}

TEST_CASE("what has left isn't held", "[schedule][sppo]")
{
    const double kept = heaviest(planOf("sppo:offload=0", "F=1,B=2,o=0.5,h=0.5"));
    CHECK(kept == 7.0 / 4); // seq1f1b
    const double half = heaviest(planOf("sppo:offload=0.5", "F=1,B=2,o=0.5,h=0.5"));
    const double all = heaviest(planOf("sppo", "F=1,B=2,o=0.5,h=0.5"));
    CHECK(half < kept);
    CHECK(all < half);
}

TEST_CASE("copies of a slice take the time of the part that moves", "[schedule][sppo]")
{
    const Plan made = planOf("sppo:offload=0.5,lengths=2+1+1", "F=1,B=2,o=1,h=0.5");
    REQUIRE(made.schedule.slicing.offloaded == std::vector<double>{0.5, 0.5, 0});
    Task copy{.work = Work::Offload};
    CHECK(made.costs.duration(TaskId(0), copy) == unit / 4);
    copy.work = Work::Reload;
    copy.slice = Slice(1);
    CHECK(made.costs.duration(TaskId(0), copy) == unit / 16);
    // A backward waits for its reload.
    Costs slow = made.costs;
    slow.set(Work::Reload, 300 * unit);
    CHECK(simulate(made.schedule, slow).makespan() > 300 * unit);
}
