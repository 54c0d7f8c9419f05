// Weight versions: which one a task reads, how many a device keeps, how old a gradient's is (ir.md 1).
//
// Version 0 is the initial one; update j of a stage makes version j+1. The version that a task reads
// follows from the order of its lane and the semantics, so it is derived, never stored.
//
//     PipeDream, stage p−2:  F0 F1 B0 U0 F2 B1 U1 F3 …     F2 and B2 read version 1, B1 still reads 0:
//                            0  0  0     1  0     2        two live versions, one update of drift

#pragma once

#include "core/schedule/schedule.h"
#include "core/schedule/task_index.h"

#include <cstdint>
#include <vector>

namespace bubblescope {

/// True when tasks may read another version than that of their step: gradients come late, or updates don't end steps.
bool asynchronous(const Schedule& schedule);

/// By TaskId: the version of its stage's weights that each F, B, I, W and R computes with.
std::vector<std::int32_t> versionsRead(const Schedule& schedule, const TaskIndex& index);

/// By TaskId: +1 at an update that leaves the version before it to be read beside the new one, −1 at the task that reads
/// such a version last (its set of weights goes at the end of it). Also +1 at the first update of a stage whose forwards
/// predict weights from their last change: the set before the newest is then always there. Empty: there is never more
/// than one set.
std::vector<std::int8_t> weightSetChanges(const Schedule& schedule);

/// The weights of one stage on one lane over the whole schedule.
struct StageVersions {
    Pipe pipe{};
    Stage stage{};
    LaneId lane{};
    int updates = 0;
    int live = 1;               ///< most versions at one time: the newest, and each older one still to be read
    TaskId mostLiveAt = noTask; ///< the update that makes it so many
    int drift = 0;              ///< most updates between the version that F read and the update with its gradient
    TaskId driftAt = noTask;    ///< the B or W whose gradient is that old
    TaskId unmade = noTask;     ///< the first task that reads a version that isn't there yet
};

/// One entry per lane and stage that computes and updates there, in the order of lanes.
std::vector<StageVersions> weightVersions(const Schedule& schedule, const TaskIndex& index);

} // namespace bubblescope
