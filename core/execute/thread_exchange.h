// The exchange between threads of one process: one mutex, one condition variable per lane.
//
// A lane that is about to wait counts itself as blocked; whoever makes its wait true takes it off that
// count under the same mutex. So "blocked = alive" is a deadlock, exactly and at once, without a
// timeout. One mutex costs what a mutex per channel costs (4 to 5 µs per task, most of it the wake-up)
// and makes cancel, failure and that diagnosis simple. Nobody spins: who owns a core matters more.

#pragma once

#include "core/execute/exchange.h"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>

namespace bubblescope {

/// What a blocked lane waits for.
struct Wait {
    enum class Kind : std::uint8_t { Nothing, Message, Credit, Group };

    Kind kind = Kind::Nothing;
    std::uint32_t id = 0; ///< port, port or group
};

struct ExchangeLayout {
    struct Port {
        TaskId producer{};
        std::uint32_t from = 0; ///< lane
        std::uint32_t to = 0;
        bool bounded = true; ///< brings data, which takes a place in the channel; news of an end doesn't
    };

    std::uint32_t lanes = 0; ///< that take part; all of them have to leave()
    std::vector<Port> ports;
    std::vector<std::uint32_t> groupMembers; ///< size of each group
    int capacity = 0;                        ///< messages of one channel in flight; 0: unbounded
    std::function<std::string(std::uint32_t lane, const Wait&)> describe; ///< "device 0 waits for …"
};

class ThreadExchange final : public Exchange {
public:
    explicit ThreadExchange(ExchangeLayout layout);

    Nanoseconds send(PortId port, Parcel message, Nanoseconds transfer) override;
    Parcel receive(PortId port, std::uint32_t round) override;
    void consumed(PortId port, Nanoseconds start) override;
    Nanoseconds meet(GroupId group, std::uint32_t lane, Nanoseconds ready,
                     const std::function<void()>& reduction) override;
    void sleepUntil(std::uint32_t lane, Nanoseconds steady) override;
    void stop(const RunStop& why) override;
    void leave(std::uint32_t lane) override;

    RunStop stopReason() const;

    /// Ports in which a message lies that nobody took.
    std::vector<PortId> leftovers() const;

private:
    /// A mailbox for one message per round; `later` is used only when the producer is a round ahead.
    struct Mailbox {
        Parcel message;
        bool full = false;
        std::deque<Parcel> later;
        std::uint32_t channel = 0;
    };

    struct LaneState {
        std::condition_variable wake;
        Wait wait;
    };

    /// Messages from one lane to another. A credit is the virtual time at which room was made.
    struct Channel {
        std::deque<Nanoseconds> credits;
    };

    struct Meeting {
        std::uint32_t arrived = 0;
        std::uint32_t generation = 0;
        Nanoseconds ready = 0;
        Nanoseconds result = 0;
    };

    void waitFor(std::unique_lock<std::mutex>& lock, std::uint32_t lane, Wait wait);
    bool satisfy(std::uint32_t lane, Wait wait);
    void checkDeadlock();
    void stopLocked(const RunStop& why);

    ExchangeLayout m_layout;
    mutable std::mutex m_mutex;
    std::vector<Mailbox> m_mailboxes;
    std::vector<std::unique_ptr<LaneState>> m_lanes;
    std::vector<Channel> m_channels;
    std::vector<Meeting> m_meetings;
    std::vector<bool> m_left;
    std::uint32_t m_alive = 0;
    std::uint32_t m_blocked = 0;
    RunStop m_stop;
};

} // namespace bubblescope
