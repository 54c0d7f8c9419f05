// Every problem of a schedule at once, each with the tasks and devices concerned and a sentence.

#pragma once

#include "core/schedule/schedule.h"

#include <string>
#include <vector>

namespace bubblescope {

struct Problem {
    enum class Kind : std::uint8_t {
        MissingTask,
        RepeatedTask,
        WrongDevice,
        WrongShape,
        Deadlock,
        BadUnit,
        BadGroup,
        BadEdge,
        BadPath,
        BadVersion
    };
    enum class Severity : std::uint8_t { Error, Warning };

    static constexpr std::size_t kinds = 10;
    static constexpr std::size_t mostSentences = 20; ///< of one kind; after them one that counts the rest

    Kind kind = Kind::MissingTask;
    Severity severity = Severity::Error;
    std::string sentence;
    std::vector<TaskId> tasks;   ///< for a deadlock: each head of the cycle, followed by what it waits for
    std::vector<Device> devices; ///< those in the cycle, for a deadlock
    std::vector<Device> victims; ///< devices that wait but aren't in the cycle
    std::vector<TaskId> blocked; ///< for a deadlock: the first task of each lane that never starts
};

/// "missing task", "deadlock", …
const char* problemKindName(Problem::Kind kind);

/// Empty when the schedule can be simulated and executed. A compute order is valid (buffered model)
/// iff lane order + dataflow, with each unit and each group contracted to one node, has no cycle
/// (ir.md 4). O(tasks + edges).
std::vector<Problem> validate(const Schedule& schedule);

} // namespace bubblescope
