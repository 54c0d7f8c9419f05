// Two runs task by task and device by device, and which bubbles of the one the other spends working.
//
//     A   0F0 0F1 ▒▒▒ 0B0        the same (stage, microbatch, work) in both: start, end, duration, idle before
//     B   0F0 0F1 0I0 0W0        the ▒▒▒ that B fills, and what with
//
// Works on traces, so that predictions, executions and imports compare alike. Runs that don't divide the work alike are
// matched as far as that is possible, and it is said:
//   · a full backward B against the input gradient I: both hand the gradient on
//   · twice as many stages (chunks): two of the finer run together against one of the coarser
//   · slices of a microbatch together against the whole of it
//   · several pipes: their microbatches counted through, pipe 0 first

#pragma once

#include "core/analyze/idle.h"
#include "core/trace/trace.h"

#include <optional>
#include <string>
#include <vector>

namespace bubblescope {

/// Where and when a task was done in one run; of several that are set together: the first and all.
struct TaskTimes {
    Device device{};
    Nanoseconds start = 0;
    Nanoseconds end = 0;
    Nanoseconds duration = 0;   ///< time at work: less than end − start where others came between
    Nanoseconds idleBefore = 0; ///< of the lane, before the first of them
};

struct TaskDifference {
    Task task; ///< stage, microbatch and work under which both are compared; microbatches count from 0
    std::optional<TaskTimes> a;
    std::optional<TaskTimes> b;

    bool matched() const { return a && b; }
};

struct TaskDifferences {
    std::vector<TaskDifference> tasks; ///< by work, stage, microbatch
    std::size_t matched = 0;
    std::size_t onlyA = 0;
    std::size_t onlyB = 0;
    std::vector<std::string> remarks; ///< sentences: what was set against what, what has no partner
};

/// Works that follow the grid and whatever else stands on compute lanes, apart from updates and barriers.
TaskDifferences compareTasks(const Trace& a, const Trace& b);

struct DeviceDifference {
    int device = 0;
    std::optional<DeviceIdle> a;
    std::optional<DeviceIdle> b;
};

/// All devices that either run has.
std::vector<DeviceDifference> compareDevices(const IdleReport& a, const IdleReport& b);

/// What fills a bubble: the part of a task that lies in it.
struct Filling {
    Task task;
    Nanoseconds start = 0;
    Nanoseconds end = 0;
};

/// An idle interval of one run in which the other works on the same device.
struct FilledBubble {
    Gap gap;                ///< of the run that is idle
    Nanoseconds filled = 0; ///< how much of it the other spends working
    std::vector<Filling> by;
};

/// The one that is filled most first. `working` is the trace of the other run, on the same clock.
std::vector<FilledBubble> filledBubbles(const IdleReport& idle, const Trace& working);

} // namespace bubblescope
