// Why a device is idle: causes by nested twins, and the chain of who is late (ir.md 3).
//
// The same orders are simulated several times, each twin with one more piece of reality: equal stages
// and nothing else, then arrivals, real costs, transfers, groups, copies. What a twin adds to a
// device's idle time is the share of that level. Shares are ≥ 0 and sum to the idle time exactly.

#pragma once

#include "core/schedule/schedule.h"
#include "core/simulate/costs.h"
#include "core/simulate/simulate.h"

#include <array>
#include <vector>

namespace bubblescope {

enum class IdleCause : std::uint8_t {
    Warmup,
    Drain,
    Dependency,
    Arrival,
    Imbalance,
    Communication,
    Synchronisation,
    Memory,
    Jitter,
    Unexplained,
};

inline constexpr int idleCauses = 10;
const char* idleCauseName(IdleCause cause);    ///< the JSON field: "warmup", …
const char* idleCauseMeaning(IdleCause cause); ///< one clause for a person: "the pipeline fills", …

/// Nanoseconds of each cause.
using CauseTimes = std::array<Nanoseconds, idleCauses>;

/// Idle time between two units of a compute lane (or before the first, or after the last).
struct Gap {
    Device device{};
    Nanoseconds start = 0;
    Nanoseconds end = 0;
    TaskId before = noTask; ///< the task that follows; noTask for the last gap
    CauseTimes cause{};     ///< parts; they sum to end − start
    bool heldBack = false;  ///< a remark: a later forward was ready but would have passed the memory limit

    Nanoseconds length() const { return end - start; }

    IdleCause mainCause() const; ///< the largest part; the earlier one of two equal ones
};

struct DeviceIdle {
    Nanoseconds busy = 0; ///< a joined unit counts once
    Nanoseconds idle = 0;
    Nanoseconds firstStart = 0; ///< of the compute lane, updates, barriers and checks excluded
    Nanoseconds lastEnd = 0;
    Nanoseconds spanBusy = 0; ///< busy time between the two, updates, barriers and checks excluded
    CauseTimes cause{};       ///< sums to idle exactly

    Nanoseconds span() const { return lastEnd - firstStart; }
};

struct IdleReport {
    Nanoseconds begin = 0; ///< the window: earliest start and latest end of any task on any lane
    Nanoseconds end = 0;
    std::vector<DeviceIdle> devices;
    std::vector<Gap> gaps; ///< by device, then time

    Nanoseconds makespan() const { return end - begin; }

    Nanoseconds totalIdle() const;
    Nanoseconds totalBusy() const;
    CauseTimes totalCauses() const;
    double bubbleRate() const; ///< total idle ÷ (devices × makespan); 0 for an empty window
};

/// Causes of a predicted timing. O(levels × (tasks + edges)).
IdleReport explainIdle(const Schedule& schedule, const Costs& costs, const Timing& timing);

/// Causes of a measured timing: `timing` holds the measured times, `costs.perTask` each task's own
/// measured duration; levels up to 5 use the median per (work, stage, pipe, slice).
IdleReport explainMeasuredIdle(const Schedule& schedule, const Costs& costs, const Timing& timing);

/// One tile of the chain that covers a gap, from its end back to its start.
struct ChainTile {
    enum class Kind : std::uint8_t {
        Task,
        Transfer,
        GroupMember, ///< a collective itself; who came late to it is the tile after it
        Copy,
        Arrival,  ///< nothing to do until the data of this task came in from outside
        Overhead, ///< measured runs: everything was there and the task still hadn't begun
    };

    Kind kind = Kind::Task;
    TaskId task = noTask; ///< the task that ran, or whose message was on its way, or that hadn't arrived
    Device device{};      ///< where it ran; the sender of a transfer
    Nanoseconds start = 0;
    Nanoseconds end = 0;

    Nanoseconds length() const { return end - start; }
};

/// Who is late: contiguous tiles from the end of the gap back to its start. Many gaps: take one WaitGraph (wait_graph.h).
std::vector<ChainTile> waitingChain(const Schedule& schedule, const Costs& costs, const Timing& timing, const Gap& gap);

/// The predecessor that set a task's start (ties: lane before data before arrival, then lowest TaskId); noTask when it
/// starts at its release or at 0.
TaskId bindingPredecessor(const Schedule& schedule, const Costs& costs, const Timing& timing, TaskId task);

/// Least delay of each task's end that moves the end of the window; 0 on the critical path.
std::vector<Nanoseconds> slack(const Schedule& schedule, const Costs& costs, const Timing& timing);

} // namespace bubblescope
