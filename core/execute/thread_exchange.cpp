#include "core/execute/thread_exchange.h"

#include "core/base/error.h"

#include <algorithm>
#include <cassert>
#include <chrono>
#include <map>
#include <utility>

namespace bubblescope {

ThreadExchange::ThreadExchange(ExchangeLayout layout)
    : m_layout(std::move(layout))
    , m_mailboxes(m_layout.ports.size())
    , m_meetings(m_layout.groupMembers.size())
    , m_left(m_layout.lanes, false)
    , m_alive(m_layout.lanes)
{
    for (std::uint32_t lane = 0; lane < m_layout.lanes; ++lane)
        m_lanes.push_back(std::make_unique<LaneState>());
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> channelOf;
    for (std::size_t port = 0; port < m_mailboxes.size(); ++port) {
        const auto pair = std::pair(m_layout.ports[port].from, m_layout.ports[port].to);
        m_mailboxes[port].channel = channelOf.emplace(pair, static_cast<std::uint32_t>(channelOf.size())).first->second;
    }
    m_channels.resize(channelOf.size());
    for (Channel& channel : m_channels)
        channel.credits.assign(static_cast<std::size_t>(m_layout.capacity), 0);
}

Nanoseconds ThreadExchange::send(PortId port, Parcel message, Nanoseconds transfer)
{
    const ExchangeLayout::Port& place = m_layout.ports[port];
    std::unique_lock lock(m_mutex);
    if (m_stop.reason != RunStop::Reason::None)
        throw Stopped();
    if (m_layout.capacity > 0 && place.bounded) {
        Channel& channel = m_channels[m_mailboxes[port].channel];
        if (channel.credits.empty())
            waitFor(lock, place.from, {Wait::Kind::Credit, port});
        message.sent = std::max(message.sent, channel.credits.front());
        channel.credits.pop_front();
    }
    message.arrives = message.sent + transfer;
    const Nanoseconds sent = message.sent;
    Mailbox& mailbox = m_mailboxes[port];
    if (mailbox.full)
        mailbox.later.push_back(std::move(message));
    else
        mailbox.message = std::move(message);
    mailbox.full = true;
    const bool waited = satisfy(place.to, {Wait::Kind::Message, port});
    lock.unlock(); // the woken lane shouldn't meet a locked mutex
    if (waited)
        m_lanes[place.to]->wake.notify_one();
    return sent;
}

Parcel ThreadExchange::receive(PortId port, std::uint32_t round)
{
    const ExchangeLayout::Port& place = m_layout.ports[port];
    std::unique_lock lock(m_mutex);
    if (m_stop.reason != RunStop::Reason::None)
        throw Stopped();
    Mailbox& mailbox = m_mailboxes[port];
    if (!mailbox.full)
        waitFor(lock, place.to, {Wait::Kind::Message, port});
    Parcel message = std::move(mailbox.message);
    mailbox.full = !mailbox.later.empty();
    if (mailbox.full) {
        mailbox.message = std::move(mailbox.later.front());
        mailbox.later.pop_front();
    }
    lock.unlock();
    if (message.round != round || message.producer != place.producer)
        throw Failure(
            fmt::format("a message of round {} of task number {} came where round {} of task number {} was expected",
                        message.round, message.producer.value, round, place.producer.value));
    return message;
}

void ThreadExchange::consumed(PortId port, Nanoseconds start)
{
    if (m_layout.capacity == 0 || !m_layout.ports[port].bounded)
        return;
    const std::uint32_t sender = m_layout.ports[port].from;
    std::unique_lock lock(m_mutex);
    m_channels[m_mailboxes[port].channel].credits.push_back(start);
    const Wait wait = m_lanes[sender]->wait; // a credit belongs to the channel, whichever port waits for it
    const bool waited = wait.kind == Wait::Kind::Credit && m_mailboxes[wait.id].channel == m_mailboxes[port].channel &&
                        satisfy(sender, wait);
    lock.unlock();
    if (waited)
        m_lanes[sender]->wake.notify_one();
}

Nanoseconds ThreadExchange::meet(GroupId group, std::uint32_t lane, Nanoseconds ready,
                                 const std::function<void()>& reduction)
{
    std::unique_lock lock(m_mutex);
    if (m_stop.reason != RunStop::Reason::None)
        throw Stopped();
    Meeting& meeting = m_meetings[group];
    meeting.ready = meeting.arrived == 0 ? ready : std::max(meeting.ready, ready);
    if (++meeting.arrived < m_layout.groupMembers[group]) {
        waitFor(lock, lane, {Wait::Kind::Group, group});
        return meeting.result; // the next meeting of this group can't end before this lane comes again
    }
    if (reduction) { // the others stand still; lanes outside the group needn't
        lock.unlock();
        reduction();
        lock.lock();
        if (m_stop.reason != RunStop::Reason::None)
            throw Stopped();
    }
    meeting.arrived = 0;
    meeting.result = meeting.ready;
    for (std::uint32_t other = 0; other < m_lanes.size(); ++other)
        if (satisfy(other, {Wait::Kind::Group, group}))
            m_lanes[other]->wake.notify_one();
    return meeting.result;
}

void ThreadExchange::sleepUntil(std::uint32_t lane, Nanoseconds steady)
{
    const std::chrono::steady_clock::time_point moment{std::chrono::nanoseconds(steady)};
    std::unique_lock lock(m_mutex);
    m_lanes[lane]->wake.wait_until(lock, moment, [this] { return m_stop.reason != RunStop::Reason::None; });
    if (m_stop.reason != RunStop::Reason::None)
        throw Stopped();
}

void ThreadExchange::stop(const RunStop& why)
{
    const std::lock_guard lock(m_mutex);
    stopLocked(why);
}

void ThreadExchange::leave(std::uint32_t lane)
{
    const std::lock_guard lock(m_mutex);
    if (m_left[lane])
        return;
    m_left[lane] = true;
    --m_alive;
    checkDeadlock();
}

RunStop ThreadExchange::stopReason() const
{
    const std::lock_guard lock(m_mutex);
    return m_stop;
}

std::vector<PortId> ThreadExchange::leftovers() const
{
    const std::lock_guard lock(m_mutex);
    std::vector<PortId> ports;
    for (std::size_t port = 0; port < m_mailboxes.size(); ++port)
        if (m_mailboxes[port].full)
            ports.emplace_back(port);
    return ports;
}

/// Waits until satisfy() was called for this wait.
void ThreadExchange::waitFor(std::unique_lock<std::mutex>& lock, std::uint32_t lane, Wait wait)
{
    LaneState& state = *m_lanes[lane];
    state.wait = wait;
    ++m_blocked;
    checkDeadlock();
    state.wake.wait(lock,
                    [&] { return state.wait.kind == Wait::Kind::Nothing || m_stop.reason != RunStop::Reason::None; });
    if (state.wait.kind != Wait::Kind::Nothing) {
        state.wait = {};
        --m_blocked;
        throw Stopped();
    }
    if (m_stop.reason != RunStop::Reason::None)
        throw Stopped();
}

/// Takes the lane off the blocked ones when this is what it waits for. The caller wakes it.
bool ThreadExchange::satisfy(std::uint32_t lane, Wait wait)
{
    Wait& waits = m_lanes[lane]->wait;
    if (waits.kind != wait.kind || waits.id != wait.id)
        return false;
    waits = {};
    --m_blocked;
    return true;
}

void ThreadExchange::checkDeadlock()
{
    if (m_blocked == 0 || m_blocked != m_alive || m_stop.reason != RunStop::Reason::None)
        return;
    constexpr int mostNamed = 16;
    std::string sentence;
    int named = 0;
    for (std::uint32_t lane = 0; lane < m_lanes.size(); ++lane) {
        const Wait& wait = m_lanes[lane]->wait;
        if (wait.kind == Wait::Kind::Nothing || ++named > mostNamed)
            continue;
        sentence += (sentence.empty() ? "" : "; ") + m_layout.describe(lane, wait);
    }
    if (named > mostNamed)
        sentence += fmt::format("; and {} more", named - mostNamed);
    stopLocked({RunStop::Reason::Deadlock, RunStop::nobody, "Deadlock: " + sentence + "."});
}

void ThreadExchange::stopLocked(const RunStop& why)
{
    assert(why.reason != RunStop::Reason::None);
    if (m_stop.reason == RunStop::Reason::None)
        m_stop = why;
    for (const auto& lane : m_lanes)
        lane->wake.notify_all();
}

} // namespace bubblescope
