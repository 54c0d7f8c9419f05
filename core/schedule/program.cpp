#include "core/schedule/program.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

namespace bubblescope {

const char* validityModelName(ValidityModel model)
{
    static constexpr const char* names[] = {"buffered sends", "in-order rendezvous", "grouped rendezvous"};
    return names[static_cast<std::size_t>(model)];
}

std::string ProgramAction::text() const
{
    if (kind == Kind::Compute || kind == Kind::Together)
        return toText(task);
    const char* call = kind == Kind::Send ? "SEND" : "RECV";
    const char* what = payload == Payload::Activation ? "F" : payload == Payload::Gradient ? "B" : "KV";
    std::string text = fmt::format("{}{}_{}{}", task.stage.value, call, what, task.microbatch.value);
    if (task.slice != 0)
        text += fmt::format(":{}", task.slice.value);
    if (task.pipe != 0)
        text += fmt::format("@{}", task.pipe.value);
    return text;
}

namespace {

using Kind = ProgramAction::Kind;

constexpr std::size_t mostNamed = 12;

/// Runs all programs as far as they come. A device posts a batch of calls, one call or a whole group of
/// them, and goes on when all of them are complete.
class Machine {
public:
    Machine(const CommProgram& program, ValidityModel model)
        : m_program(program)
        , m_model(model)
        , m_states(program.devices.size())
        , m_sent(program.messages, false)
        , m_receiver(program.messages, none)
        , m_members(program.groups)
        , m_arrived(program.groups)
    {
        for (std::size_t device = 0; device < program.devices.size(); ++device)
            for (const ProgramAction& call : program.devices[device])
                if (call.kind == Kind::Together)
                    m_members[call.message].push_back(device);
        for (std::size_t device = 0; device < m_states.size(); ++device)
            m_runnable.push_back(device);
    }

    ProgramResult run()
    {
        while (!m_runnable.empty()) {
            const std::size_t device = m_runnable.back();
            m_runnable.pop_back();
            m_current = device;
            while (m_states[device].outstanding == 0 && m_states[device].next < m_program.devices[device].size())
                postBatch(device);
        }
        m_result.blocked.resize(m_states.size());
        for (std::size_t device = 0; device < m_states.size(); ++device)
            if (m_states[device].outstanding > 0)
                m_result.blocked[device] = firstIncomplete(device);
        findCycles();
        return std::move(m_result);
    }

private:
    static constexpr std::size_t none = static_cast<std::size_t>(-1);

    struct State {
        std::size_t next = 0; // first action that isn't posted
        std::size_t batchBegin = 0;
        std::size_t outstanding = 0; // calls of the batch that aren't complete
        std::vector<bool> complete;  // by position in the batch
    };

    /// Calls from one device to another that were posted and have no partner yet: only one side is ever not empty.
    struct Channel {
        std::vector<std::size_t> sends;
        std::vector<std::size_t> receives;
        std::size_t matched = 0;
    };

    const ProgramAction& action(std::size_t device, std::size_t index) const
    {
        return m_program.devices[device][index];
    }

    bool isTransfer(const ProgramAction& call) const { return call.kind == Kind::Send || call.kind == Kind::Receive; }

    void postBatch(std::size_t device)
    {
        const auto& actions = m_program.devices[device];
        State& state = m_states[device];
        const std::size_t begin = state.next;
        std::size_t end = begin + 1;
        if (m_model == ValidityModel::Grouped && isTransfer(actions[begin]))
            while (end < actions.size() && isTransfer(actions[end]))
                ++end;
        state.batchBegin = begin;
        state.next = end;
        state.outstanding = end - begin;
        state.complete.assign(end - begin, false);
        for (std::size_t i = begin; i < end; ++i)
            post(device, i);
    }

    void post(std::size_t device, std::size_t index)
    {
        const ProgramAction& call = action(device, index);
        if (call.kind == Kind::Compute)
            return complete(device, index);
        if (call.kind == Kind::Together)
            return meet(device, index, call.message);
        if (m_model == ValidityModel::Buffered)
            return postBuffered(device, index, call);
        const bool sends = call.kind == Kind::Send;
        Channel& channel = sends ? m_channels[{device, call.peer}] : m_channels[{call.peer, device}];
        (sends ? channel.sends : channel.receives).push_back(index);
        if (std::min(channel.sends.size(), channel.receives.size()) <= channel.matched)
            return;
        const std::size_t from = sends ? device : call.peer;
        const std::size_t to = sends ? call.peer : device;
        const std::size_t send = channel.sends[channel.matched];
        const std::size_t receive = channel.receives[channel.matched];
        ++channel.matched;
        if (action(from, send).message != action(to, receive).message)
            m_result.mismatches.emplace_back(ProgramPoint{Device(from), send}, ProgramPoint{Device(to), receive});
        complete(from, send);
        complete(to, receive);
    }

    void postBuffered(std::size_t device, std::size_t index, const ProgramAction& call)
    {
        if (call.kind == Kind::Send) {
            m_sent[call.message] = true;
            complete(device, index);
            if (const std::size_t receiver = std::exchange(m_receiver[call.message], none); receiver != none)
                complete(receiver, m_states[receiver].batchBegin);
        } else if (m_sent[call.message]) {
            complete(device, index);
        } else {
            m_receiver[call.message] = device;
        }
    }

    void meet(std::size_t device, std::size_t index, std::uint32_t group)
    {
        m_arrived[group].push_back(ProgramPoint{Device(device), index});
        if (m_arrived[group].size() == m_members[group].size())
            for (const ProgramPoint& member : m_arrived[group])
                complete(member.device, member.action);
    }

    void complete(std::size_t device, std::size_t index)
    {
        State& state = m_states[device];
        state.complete[index - state.batchBegin] = true;
        if (--state.outstanding == 0 && device != m_current)
            m_runnable.push_back(device);
    }

    std::size_t firstIncomplete(std::size_t device) const
    {
        const State& state = m_states[device];
        const auto first = std::find(state.complete.begin(), state.complete.end(), false);
        return state.batchBegin + static_cast<std::size_t>(first - state.complete.begin());
    }

    /// The device that has to act before this one goes on; `none` when that one has ended.
    std::size_t waitsFor(std::size_t device) const
    {
        const ProgramAction& call = action(device, *m_result.blocked[device]);
        std::size_t peer = call.peer;
        if (call.kind == Kind::Together) {
            const auto& here = m_arrived[call.message];
            const auto& members = m_members[call.message];
            peer = *std::find_if(members.begin(), members.end(), [&](std::size_t member) {
                return std::none_of(here.begin(), here.end(),
                                    [&](const ProgramPoint& point) { return point.device == member; });
            });
        }
        return peer < m_states.size() && m_result.blocked[peer] ? peer : none;
    }

    void findCycles()
    {
        std::vector<std::size_t> seenBy(m_states.size(), none);
        std::vector<bool> inCycle(m_states.size(), false);
        for (std::size_t start = 0; start < m_states.size(); ++start) {
            std::size_t at = m_result.blocked[start] ? start : none;
            while (at != none && seenBy[at] == none) {
                seenBy[at] = start;
                at = waitsFor(at);
            }
            for (; at != none && seenBy[at] == start && !inCycle[at]; at = waitsFor(at))
                inCycle[at] = true;
        }
        for (std::size_t device = 0; device < m_states.size(); ++device)
            if (m_result.blocked[device])
                (inCycle[device] ? m_result.cycle : m_result.victims).emplace_back(device);
    }

    const CommProgram& m_program;
    ValidityModel m_model;
    std::vector<State> m_states;
    std::map<std::pair<std::size_t, std::size_t>, Channel> m_channels;
    std::vector<bool> m_sent;
    std::vector<std::size_t> m_receiver;             // by message: the device that waits for it (buffered)
    std::vector<std::vector<std::size_t>> m_members; // by group
    std::vector<std::vector<ProgramPoint>> m_arrived;
    std::vector<std::size_t> m_runnable;
    std::size_t m_current = none; // the device whose actions are being posted
    ProgramResult m_result;
};

std::string numbers(const std::vector<Device>& devices)
{
    std::vector<int> named;
    for (std::size_t i = 0; i < devices.size() && i < mostNamed; ++i)
        named.push_back(devices[i]);
    return fmt::format("{}{}", fmt::join(named, ", "),
                       devices.size() > mostNamed ? fmt::format(" and {} more", devices.size() - mostNamed)
                                                  : std::string());
}

std::string standings(const CommProgram& program, const ProgramResult& result, const std::vector<Device>& devices)
{
    std::vector<std::string> parts;
    for (std::size_t i = 0; i < devices.size() && i < mostNamed; ++i)
        parts.push_back(fmt::format("device {} at {}", devices[i].value,
                                    program.devices[devices[i]][*result.blocked[devices[i]]].text()));
    return fmt::format("{}", fmt::join(parts, ", "));
}

/// The task at the other end of an unmatched call.
Task computeOf(const ProgramAction& call, Stage stage)
{
    Task task = call.task;
    task.stage = stage;
    task.work = call.payload == Payload::Gradient ? Work::Backward : Work::Forward;
    return task;
}

/// The tasks of a program, to look up whether one is there. I counts as B.
class ComputeSet {
public:
    explicit ComputeSet(const CommProgram& program)
    {
        for (const auto& actions : program.devices)
            for (const ProgramAction& action : actions)
                if (action.kind == Kind::Compute)
                    m_keys.push_back(keyOf(action.task));
        std::sort(m_keys.begin(), m_keys.end());
    }

    bool has(const Task& task) const { return std::binary_search(m_keys.begin(), m_keys.end(), keyOf(task)); }

private:
    using Key = std::pair<std::uint64_t, std::uint64_t>;

    static Key keyOf(Task task)
    {
        if (task.work == Work::InputGradient)
            task.work = Work::Backward;
        return task.key();
    }

    std::vector<Key> m_keys;
};

/// +1 for a send, −1 for a receive.
int balanceOf(const ProgramAction& action)
{
    return action.kind == Kind::Send ? 1 : action.kind == Kind::Receive ? -1 : 0;
}

ProgramCheck::Unmatched unmatchedAt(const CommProgram& program, const ComputeSet& computed, ProgramPoint at)
{
    const ProgramAction& action = program.devices[at.device][at.action];
    // F travels to the next stage, B to the one before; a receive looks the other way.
    const int step = (action.payload == Payload::Gradient ? -1 : 1) * balanceOf(action);
    ProgramAction partner = action;
    partner.kind = action.kind == Kind::Send ? Kind::Receive : Kind::Send;
    partner.task.stage = Stage(action.task.stage + step);
    const Task other = computeOf(action, partner.task.stage);
    return {at, action.text(), partner.text(), computed.has(other) ? "" : toText(other)};
}

/// Sends without a receive and receives without a send, by counting. Of equal calls the last are the odd ones.
std::vector<ProgramCheck::Unmatched> findUnmatched(const CommProgram& program)
{
    std::vector<int> balance(program.messages, 0);
    for (const auto& actions : program.devices)
        for (const ProgramAction& action : actions)
            if (balanceOf(action) != 0)
                balance[action.message] += balanceOf(action);
    const ComputeSet computed(program);
    std::vector<ProgramCheck::Unmatched> unmatched;
    for (std::size_t device = program.devices.size(); device-- > 0;)
        for (std::size_t i = program.devices[device].size(); i-- > 0;) {
            const ProgramAction& action = program.devices[device][i];
            if (balanceOf(action) == 0 || balanceOf(action) * balance[action.message] <= 0)
                continue;
            balance[action.message] -= balanceOf(action);
            unmatched.push_back(unmatchedAt(program, computed, {Device(device), i}));
        }
    std::reverse(unmatched.begin(), unmatched.end());
    return unmatched;
}

} // namespace

ProgramResult runProgram(const CommProgram& program, ValidityModel model)
{
    return Machine(program, model).run();
}

ProgramCheck checkProgram(const CommProgram& program)
{
    return {findUnmatched(program), runProgram(program, ValidityModel::Buffered),
            runProgram(program, ValidityModel::Rendezvous), runProgram(program, ValidityModel::Grouped)};
}

std::string ProgramCheck::verdict() const
{
    if (!unmatched.empty())
        return "messages don't match: a call waits for a partner that doesn't exist";
    if (buffered.hangs())
        return "hangs whatever the buffering";
    if (rendezvous.hangs())
        return "depends on send buffering: small messages pass, large ones hang";
    if (!rendezvous.mismatches.empty())
        return "order mismatch: a send meets the receive of another message";
    return "ok";
}

std::string describe(const CommProgram& program, const ProgramResult& result)
{
    std::string text;
    if (!result.cycle.empty())
        text = fmt::format("{} {} {}: {}.", result.cycle.size() == 1 ? "Device" : "Devices", numbers(result.cycle),
                           result.cycle.size() == 1 ? "waits for itself" : "wait for each other",
                           standings(program, result, result.cycle));
    if (!result.victims.empty())
        text += fmt::format("{}{} {} {} because of {} ({}).", text.empty() ? "" : " ",
                            result.victims.size() == 1 ? "Device" : "Devices", numbers(result.victims),
                            result.victims.size() == 1 ? "waits" : "wait",
                            result.cycle.empty() ? "a call that never comes" : "them",
                            standings(program, result, result.victims));
    if (!result.mismatches.empty()) {
        const auto& [send, receive] = result.mismatches.front();
        text += fmt::format("{}{} of device {} meets {} of device {}", text.empty() ? "" : " ",
                            program.devices[send.device][send.action].text(), send.device.value,
                            program.devices[receive.device][receive.action].text(), receive.device.value);
        text +=
            result.mismatches.size() > 1 ? fmt::format(", and {} more like it.", result.mismatches.size() - 1) : ".";
    }
    return text;
}

std::string describe(const ProgramCheck::Unmatched& unmatched)
{
    return fmt::format("{} on device {} has no partner: {} is missing{}.", unmatched.action, unmatched.at.device.value,
                       unmatched.missing,
                       unmatched.missingCompute.empty() ? "" : ", and so is " + unmatched.missingCompute);
}

} // namespace bubblescope
