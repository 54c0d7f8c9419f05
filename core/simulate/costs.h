// What a schedule costs: durations, transfers, release times. Everything a Schedule leaves out.
//
// Times are integer nanoseconds; a teaching unit of 1 is 1 ms. A cost is given per (work, stage),
// the stage being the virtual stage, so with two chunks each chunk costs what is given.

#pragma once

#include "core/schedule/schedule.h"

#include <array>
#include <string>
#include <vector>

namespace bubblescope {

inline constexpr Nanoseconds unit = 1'000'000; ///< a teaching unit of 1

/// How a transfer takes time (ir.md 4).
enum class CommModel : std::uint8_t {
    Latency, ///< arrives a constant time after the producer ends; occupies nothing
    Link, ///< occupies the send lane, the receive lane and the link between them, in the order of the producers' ends
    Blocking, ///< a rendezvous that occupies both compute lanes; counted as idle
};

const char* commModelName(CommModel model);

/// One direction between two devices.
struct Hop {
    Nanoseconds latency = 0;
    double bytesPerSecond = 0; ///< 0: the size of a message doesn't matter

    Nanoseconds occupation(std::int64_t bytes) const;
};

class Costs {
public:
    explicit Costs(int stages = 1) : m_stages(stages) {}

    int stages() const { return m_stages; }

    /// One value for every stage, or one per stage.
    void set(Work work, Nanoseconds duration);
    void set(Work work, Stage stage, Nanoseconds duration);

    Nanoseconds duration(Work work, Stage stage) const
    {
        const auto& row = m_durations[static_cast<std::size_t>(work)];
        return row.empty() ? 0 : row[stage];
    }

    /// Cost of a task; `perTask` wins where it is given.
    Nanoseconds duration(TaskId id, const Task& task) const
    {
        return perTask.empty() ? duration(task.work, task.stage) : perTask[id];
    }

    /// Cost of a joined unit: `pairFactor` between max and sum of its parts; 1 is the sum.
    Nanoseconds unitDuration(const Schedule& schedule, TaskId first, TaskId end) const;

    const Hop& hop(Device from, Device to) const
    {
        return pairs.empty() ? everyHop : pairs[static_cast<std::size_t>(from) * pairDevices + to];
    }

    /// Gives one pair of devices (this direction) its own hop.
    void setHop(Device from, Device to, Hop hop, int devices);

    std::int64_t messageBytes(Payload payload, Stage producer) const;

    std::vector<Nanoseconds> perTask; ///< by TaskId; empty: the table holds
    Nanoseconds pair = -1;            ///< cost of an overlapped pair (`FB=`); −1: the sum of its parts
    CommModel model = CommModel::Latency;
    Hop everyHop;
    std::vector<Hop> pairs; ///< devices × devices, or empty
    std::size_t pairDevices = 0;
    std::vector<std::int64_t> activationBytes; ///< boundary tensor after each stage; empty: messages have no size
    std::vector<Nanoseconds> release;          ///< earliest start of F of microbatch i on its first stage; empty: 0

private:
    int m_stages;
    std::array<std::vector<Nanoseconds>, workCount> m_durations;
};

} // namespace bubblescope
