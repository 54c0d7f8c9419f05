// How lanes hand results to each other: keyed messages with a virtual time, bounded if asked, and
// meeting points for groups. The transport behind it is threads here, and may be MPI.
//
//     producer ──send──► port (producer task → consumer lane) ──receive──► consumer
//              ◄──credit── channel (all ports of a lane pair) ◄──consumed──
//
// Every message, credit and meeting carries a virtual time, so that the same exchange serves wall,
// CPU-time and paced clocks. Any wait ends when the run is stopped: it then throws Stopped.

#pragma once

#include "core/execute/arena.h"
#include "core/schedule/schedule.h"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace bubblescope {

using PortId = Index<struct PortTag, std::uint32_t>;
using GroupId = Index<struct GroupTag, std::uint32_t>;

/// Thrown out of a wait when the run was stopped by somebody else. Not an error, and seen by workers only.
struct Stopped {};

/// What travels through a port. `round` and `producer` are checked on receipt: a mix-up is a sentence, not a wrong loss.
struct Parcel {
    std::uint32_t round = 0; ///< repetition of the schedule
    TaskId producer{};
    Nanoseconds sent = 0;    ///< virtual: end of the producer, or later where it had to wait for a credit
    Nanoseconds arrives = 0; ///< virtual: sent + transfer
    Nanoseconds sentWall = 0;
    std::uint32_t version = 0; ///< weights that the producer read; 0 while all schedules that run are synchronous
    Buffer data = {};          ///< empty where only the order matters
};

/// The first thing that ended a run early.
struct RunStop {
    static constexpr std::uint32_t nobody = 0xffffffffU;

    enum class Reason : std::uint8_t { None, Failure, Deadlock, Cancel };

    Reason reason = Reason::None;
    std::uint32_t lane = nobody;
    std::string sentence;
};

class Exchange {
public:
    virtual ~Exchange() = default;

    /// Hands over a message whose `sent` is the producer's end; waits for a credit where the channel is
    /// bounded. Returns the virtual time at which the sender goes on.
    virtual Nanoseconds send(PortId port, Parcel message, Nanoseconds transfer) = 0;

    /// Waits for the port's message of this round.
    virtual Parcel receive(PortId port, std::uint32_t round) = 0;

    /// The consumer of the port's last received message starts now (virtual): gives the credit back.
    virtual void consumed(PortId port, Nanoseconds start) = 0;

    /// Waits until all members of the group are here; returns the latest `ready`. The last one to come
    /// runs its `reduction` before anybody goes on.
    virtual Nanoseconds meet(GroupId group, std::uint32_t lane, Nanoseconds ready,
                             const std::function<void()>& reduction) = 0;

    /// Sleeps to a moment of the steady clock.
    virtual void sleepUntil(std::uint32_t lane, Nanoseconds steady) = 0;

    /// Ends the run for everybody. The first reason stays.
    virtual void stop(const RunStop& why) = 0;

    /// The lane has done all its tasks, or has failed.
    virtual void leave(std::uint32_t lane) = 0;
};

} // namespace bubblescope
