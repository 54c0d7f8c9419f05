// Short ways to say what a test of the engine runs.

#pragma once

#include "core/execute/engine.h"
#include "core/execute/time_source.h"
#include "core/schedule/registry.h"
#include "tests/support/toy_model.h"

#include <memory>
#include <string>

namespace bubblescope::test {

/// One step (or several) of a schedule of the registry.
Schedule scheduleOf(const std::string& recipe, int devices, int microbatches, int chunks = 0, int steps = 1);

/// F=1, B=2 or I=1, W=1, in units of 1 ms.
Costs unitCosts(const Schedule& schedule);

/// Paced tasks take no wall time: only virtual time passes.
struct NoSleep final : TimeSource {
    SystemTime system;

    Nanoseconds wall() override { return system.wall(); }

    Nanoseconds threadCpu() override { return system.threadCpu(); }

    bool sleeps() const override { return false; }
};

Backend toyBackend(const ToyMaker& maker, const Schedule& schedule, std::vector<int> partition = {});

/// Executes without anybody looking on.
RunResult run(const Schedule& schedule, const Costs& costs, const Backend& backend, RunOptions options = {});

} // namespace bubblescope::test
