// What a schedule costs: durations, transfers, release times. Everything a Schedule leaves out.
//
// Times are integer nanoseconds; a teaching unit of 1 is 1 ms. A cost is given per (work, stage),
// the stage being the virtual stage, so with two chunks each chunk costs what is given.

#pragma once

#include "core/schedule/schedule.h"

#include <array>
#include <cmath>
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

/// What part of a microbatch's cost each of its slices has, as running sums: a slice lasts what lies between two of
/// them, so all slices of a step together last exactly what they should.
struct SliceShares {
    std::vector<std::uint32_t> first; ///< by microbatch of the step, or one for all: place of its first sum
    std::vector<double> sums;         ///< of costs
    std::vector<double> messages;     ///< of message bytes
    std::vector<double> offloaded;    ///< by slice: part that copies move; empty: all

    bool empty() const { return first.empty(); }

    std::size_t at(const Task& task) const
    {
        const std::size_t cut = first.size() == 1 ? 0 : static_cast<std::size_t>(task.microbatch) % first.size();
        return first[cut] + task.slice;
    }

    /// Part of a microbatch's cost that the task has.
    double share(const Task& task) const { return sums[at(task) + 1] - sums[at(task)]; }

    /// Copies move bytes, so their time goes with the tokens.
    std::int64_t copied(std::int64_t whole, const Task& task) const
    {
        const double moved = task.slice < offloaded.size() ? offloaded[task.slice] : 1;
        return std::llround(static_cast<double>(part(whole, messages, at(task))) * moved);
    }

    static std::int64_t part(std::int64_t whole, const std::vector<double>& sums, std::size_t at)
    {
        const auto upTo = [&](std::size_t i) {
            return static_cast<std::int64_t>(std::llround(static_cast<double>(whole) * sums[i]));
        };
        return upTo(at + 1) - upTo(at);
    }
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
        if (!perTask.empty())
            return perTask[id];
        const Nanoseconds whole = duration(task.work, task.stage);
        if (slices.empty())
            return whole;
        if (task.work == Work::Offload || task.work == Work::Reload)
            return slices.copied(whole, task);
        return onGrid(task.work) ? SliceShares::part(whole, slices.sums, slices.at(task)) : whole;
    }

    /// Shares every cost out over the slices of this schedule. `sequence`: tokens of the model's sequences, which
    /// messages are made of; 0: as many as the longest microbatch has.
    void shareOut(const Schedule& schedule, int sequence = 0);

    /// Cost of a joined unit: `pairFactor` between max and sum of its parts; 1 is the sum.
    Nanoseconds unitDuration(const Schedule& schedule, TaskId first, TaskId end) const;

    const Hop& hop(Device from, Device to) const
    {
        return pairs.empty() ? everyHop : pairs[static_cast<std::size_t>(from) * pairDevices + to];
    }

    /// Gives one pair of devices (this direction) its own hop.
    void setHop(Device from, Device to, Hop hop, int devices);

    std::int64_t messageBytes(Payload payload, Stage producer) const;

    /// The same for what one task sends: its slice's part.
    std::int64_t messageBytes(Payload payload, const Task& producer) const;

    SliceShares slices;               ///< empty: every task costs what its stage says
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
