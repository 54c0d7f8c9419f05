// What every schedule must be: valid, and valid again as a program with sends and receives.

#pragma once

#include "core/schedule/lower.h"
#include "core/schedule/program.h"
#include "core/schedule/validate.h"
#include "core/simulate/simulate.h"

#include <catch2/catch.hpp>

namespace bubblescope::test {

/// The sentences of validate(), one a line; empty when the schedule is valid.
inline std::string problemsOf(const Schedule& schedule)
{
    std::string text;
    for (const Problem& problem : validate(schedule))
        text += problem.sentence + "\n";
    return text;
}

/// Checks the schedule and both lowerings of it, and gives the simulation with these costs.
inline Timing simulateSound(const Schedule& schedule, const Costs& costs)
{
    CHECK(problemsOf(schedule) == "");
    const Timing timing = simulate(schedule, costs);
    for (const TransferLanes lanes : {TransferLanes::Own, TransferLanes::Compute})
        CHECK(problemsOf(lower(schedule, timing.start, timing.end, lanes).schedule) == "");
    const CommProgram program = loweredProgram(schedule);
    CHECK(describe(program, runProgram(program, ValidityModel::Rendezvous)) == "");
    return timing;
}

} // namespace bubblescope::test
