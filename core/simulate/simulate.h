// Schedule × Costs → when each task starts and ends.
//
// A unit starts at the latest of: the end of its lane's previous unit; for each predecessor its end
// (same device) or its arrival (other device); its release time; for a group, the same over all
// members. As soon as possible, nothing else. The result is integer and deterministic.
//
// A worklist over lanes: a lane runs on while its head is ready, otherwise it parks on the first
// unfinished predecessor. O(tasks + edges). The link model is the same engine with its completions
// taken in the order of time, because transfers are served in the order of their producers' ends.

#pragma once

#include "core/schedule/grid.h"
#include "core/schedule/schedule.h"
#include "core/simulate/costs.h"

#include <memory>
#include <vector>

namespace bubblescope {

/// A message that took place: from the producer's end (or later, where it queued) to its arrival.
struct Transfer {
    TaskId producer{};
    Device from{};
    Device to{};
    Payload payload = Payload::Activation;
    Nanoseconds start = 0;
    Nanoseconds end = 0; ///< end of the occupation
    Nanoseconds arrival = 0;
};

/// Result of a simulation, by TaskId. A joined unit's tasks share one interval.
struct Timing {
    std::vector<Nanoseconds> start;
    std::vector<Nanoseconds> end;
    std::vector<Transfer> transfers; ///< link and blocking models only
    Nanoseconds begin = 0;           ///< earliest start of any task
    Nanoseconds finish = 0;          ///< latest end of any task

    Nanoseconds makespan() const { return finish - begin; }
};

struct SimulateOptions {
    bool tieGroups = true; ///< false: members of a group start on their own (a twin of ir.md 3.1)
};

struct PreparedSchedule;

/// Prepared for one schedule and run with many costs; keeps its memory between runs. The schedule
/// must outlive it.
class Simulator {
public:
    explicit Simulator(const Schedule& schedule);
    ~Simulator();
    Simulator(Simulator&&) noexcept;

    /// Throws Error naming who waits for whom when the order can't complete.
    void run(const Costs& costs, Timing& timing, SimulateOptions options = {});

private:
    std::unique_ptr<PreparedSchedule> m_state;
};

/// One simulation with a workspace of its own.
Timing simulate(const Schedule& schedule, const Costs& costs, SimulateOptions options = {});

} // namespace bubblescope
