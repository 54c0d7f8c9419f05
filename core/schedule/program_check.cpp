// Where programs come from, files and the two lowerings of an order, and what `schedule check` says.

#include "core/base/error.h"
#include "core/schedule/lower.h"
#include "core/schedule/program.h"
#include "core/simulate/costs.h"
#include "core/simulate/simulate.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>
#include <tuple>

namespace bubblescope {
namespace {

using Kind = ProgramAction::Kind;

/// The rank of every stage, from the stages that the ranks' cells name.
std::vector<Device> ranksOfStages(const TorchCsv& csv)
{
    std::vector<std::vector<int>> stages;
    for (const auto& rank : csv.ranks) {
        std::vector<int> own;
        own.reserve(rank.size());
        for (const TorchAction& action : rank)
            own.push_back(action.stage.value);
        std::sort(own.begin(), own.end());
        own.erase(std::unique(own.begin(), own.end()), own.end());
        stages.push_back(std::move(own));
    }
    const PlacementClass placement = classifyPlacement(stages);
    if (placement.kind == PlacementClass::Kind::Invalid)
        throw Error("The placement of stages on ranks is {}. Every stage from 0 on must be on exactly one rank.",
                    placement.text());
    std::vector<Device> ranks(static_cast<std::size_t>(placement.stages));
    for (std::size_t rank = 0; rank < stages.size(); ++rank)
        for (const int stage : stages[rank])
            ranks[static_cast<std::size_t>(stage)] = Device(rank);
    return ranks;
}

Work workOf(TorchAction::Kind kind)
{
    switch (kind) {
    case TorchAction::Kind::F:
        return Work::Forward;
    case TorchAction::Kind::I:
        return Work::InputGradient;
    case TorchAction::Kind::W:
        return Work::WeightGradient;
    default:
        return Work::Backward;
    }
}

/// One call of a file. The key of a message is its sender's stage, its microbatch and its direction.
class FileTransfers {
public:
    explicit FileTransfers(const TorchCsv& csv) : m_ranks(ranksOfStages(csv)) {}

    ProgramAction make(const TorchAction& action)
    {
        const bool forward = action.kind == TorchAction::Kind::SendF || action.kind == TorchAction::Kind::ReceiveF;
        const bool sends = action.kind == TorchAction::Kind::SendF || action.kind == TorchAction::Kind::SendB;
        const int other = action.stage + (forward == sends ? 1 : -1);
        if (other < 0 || other >= static_cast<int>(m_ranks.size()))
            throw Error("Row {}, column {}: {} has no other end; the stages are 0 to {}.", action.row, action.column,
                        action.text(), m_ranks.size() - 1);
        const int sender = sends ? action.stage : other;
        const auto [entry, isNew] =
            m_keys.try_emplace(std::tuple(forward, sender, action.microbatch.value), m_keys.size());
        return {
            sends ? Kind::Send : Kind::Receive,
            forward ? Payload::Activation : Payload::Gradient,
            {.work = forward ? Work::Forward : Work::Backward, .stage = action.stage, .microbatch = action.microbatch},
            m_ranks[static_cast<std::size_t>(other)],
            static_cast<std::uint32_t>(entry->second)};
    }

    std::uint32_t count() const { return static_cast<std::uint32_t>(m_keys.size()); }

private:
    std::vector<Device> m_ranks;
    std::map<std::tuple<bool, int, std::int32_t>, std::size_t> m_keys;
};

/// Writes compute lane 0 of each device as a program. Messages name tasks of `original`, of which `schedule` is
/// itself or a lowering; its first groups are those of `original`.
class ProgramWriter {
public:
    ProgramWriter(const Schedule& schedule, const Schedule& original)
        : m_schedule(schedule), m_named(original), m_groupOf(schedule.tasks.size(), none)
    {
        const std::size_t groups = original.groups.size();
        m_program.devices.resize(static_cast<std::size_t>(schedule.shape.devices));
        m_program.groups = static_cast<std::uint32_t>(groups);
        for (std::size_t group = 0; group < groups; ++group)
            for (std::uint32_t i = schedule.groups[group].begin; i < schedule.groups[group].end; ++i)
                m_groupOf[schedule.groupMembers[i]] = static_cast<std::uint32_t>(group);
    }

    template <class Visitor>
    void forEachLane(Visitor&& visit)
    {
        for (int device = 0; device < m_schedule.shape.devices; ++device)
            if (const LaneId lane = m_schedule.computeLane(Device(device)); lane < m_schedule.lanes.size())
                visit(m_schedule.lanes[lane]);
    }

    void compute(Device device, TaskId id)
    {
        const bool together = m_groupOf[id] != none;
        m_program.devices[device].push_back({together ? Kind::Together : Kind::Compute,
                                             Payload::None,
                                             m_schedule.tasks[id],
                                             {},
                                             together ? m_groupOf[id] : 0});
    }

    void send(const Message& message, std::uint32_t number)
    {
        const Task& named = m_named.tasks[message.producer];
        m_program.devices[message.from].push_back({Kind::Send, message.payload, named, message.to, number});
    }

    /// A receive is named by the stage that it is for.
    void receive(const Message& message, std::uint32_t number)
    {
        Task named = m_named.tasks[message.producer];
        named.stage = m_named.tasks[message.consumer].stage;
        m_program.devices[message.to].push_back({Kind::Receive, message.payload, named, message.from, number});
    }

    CommProgram finish(std::size_t messages)
    {
        m_program.messages = static_cast<std::uint32_t>(messages);
        return std::move(m_program);
    }

private:
    static constexpr std::uint32_t none = 0xffffffffU;
    const Schedule& m_schedule;
    const Schedule& m_named;
    std::vector<std::uint32_t> m_groupOf;
    CommProgram m_program;
};

/// Costs for an order without any: F=1, B=2, I=1, W=1. Only the order of messages depends on them.
Costs plainCosts(const Schedule& schedule)
{
    Costs costs(schedule.shape.allStages());
    for (const Work work : {Work::Forward, Work::InputGradient, Work::WeightGradient, Work::Recompute})
        costs.set(work, unit);
    costs.set(Work::Backward, 2 * unit);
    return costs;
}

bool onComputeLane(const Schedule& schedule, TaskId id)
{
    const Lane& lane = schedule.lanes[schedule.laneOf(id)];
    return lane.kind == LaneKind::Compute && lane.index == 0;
}

std::string resultText(const CommProgram& program, const ProgramResult& result)
{
    return result.good() ? "no deadlock" : describe(program, result);
}

nlohmann::json resultJson(const CommProgram& program, const ProgramResult& result)
{
    const auto numbers = [](const std::vector<Device>& devices) {
        return std::vector<int>(devices.begin(), devices.end());
    };
    nlohmann::json blocked = nlohmann::json::object();
    for (std::size_t device = 0; device < result.blocked.size(); ++device)
        if (result.blocked[device])
            blocked[std::to_string(device)] = program.devices[device][*result.blocked[device]].text();
    nlohmann::json mismatches = nlohmann::json::array();
    for (const auto& [send, receive] : result.mismatches)
        mismatches.push_back(
            {program.devices[send.device][send.action].text(), program.devices[receive.device][receive.action].text()});
    return {{"deadlock", result.hangs()}, {"cycle", numbers(result.cycle)}, {"victims", numbers(result.victims)},
            {"blocked", blocked},         {"order_mismatches", mismatches}, {"sentence", describe(program, result)}};
}

nlohmann::json checkJson(const CommProgram& program, const ProgramCheck& check)
{
    nlohmann::json unmatched = nlohmann::json::array();
    for (const ProgramCheck::Unmatched& entry : check.unmatched)
        unmatched.push_back({{"action", entry.action},
                             {"missing", entry.missing},
                             {"missing_compute", entry.missingCompute},
                             {"device", entry.at.device.value},
                             {"sentence", describe(entry)}});
    return {{"verdict", check.verdict()},
            {"messages", program.messages},
            {"unmatched", unmatched},
            {"buffered", resultJson(program, check.buffered)},
            {"rendezvous", resultJson(program, check.rendezvous)},
            {"grouped", resultJson(program, check.grouped)}};
}

} // namespace

CommProgram programOf(const TorchCsv& csv)
{
    FileTransfers transfers(csv);
    CommProgram program;
    for (const auto& rank : csv.ranks) {
        auto& actions = program.devices.emplace_back();
        for (const TorchAction& action : rank) {
            if (action.transfers())
                actions.push_back(transfers.make(action));
            else if (action.computes())
                actions.push_back(
                    {Kind::Compute,
                     Payload::None,
                     {.work = workOf(action.kind), .stage = action.stage, .microbatch = action.microbatch},
                     {},
                     0});
        }
    }
    program.messages = transfers.count();
    return program;
}

CommProgram naiveProgram(const Schedule& schedule)
{
    std::vector<Message> messages = messagesOf(schedule);
    messages.erase(std::remove_if(messages.begin(), messages.end(),
                                  [&](const Message& message) {
                                      return !onComputeLane(schedule, message.producer) ||
                                             !onComputeLane(schedule, message.consumer);
                                  }),
                   messages.end());
    std::vector<std::uint32_t> byConsumer(messages.size());
    for (std::uint32_t i = 0; i < byConsumer.size(); ++i)
        byConsumer[i] = i;
    std::stable_sort(byConsumer.begin(), byConsumer.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return messages[a].consumer < messages[b].consumer; });
    ProgramWriter writer(schedule, schedule);
    writer.forEachLane([&](const Lane& lane) {
        auto receive = std::lower_bound(byConsumer.begin(), byConsumer.end(), lane.begin,
                                        [&](std::uint32_t i, TaskId id) { return messages[i].consumer < id; });
        auto send = std::lower_bound(messages.begin(), messages.end(), lane.begin,
                                     [](const Message& message, TaskId id) { return message.producer < id; });
        for (TaskId first = lane.begin; first < lane.end;) {
            const TaskId end = schedule.unitEnd(first);
            for (; receive != byConsumer.end() && messages[*receive].consumer < end; ++receive)
                writer.receive(messages[*receive], *receive);
            for (; first < end; ++first)
                writer.compute(lane.device, first);
            for (; send != messages.end() && send->producer < end; ++send)
                writer.send(*send, static_cast<std::uint32_t>(send - messages.begin()));
        }
    });
    return writer.finish(messages.size());
}

CommProgram loweredProgram(const Schedule& schedule)
{
    const Timing timing = simulate(schedule, plainCosts(schedule));
    const Lowered lowered = lower(schedule, timing.start, timing.end, TransferLanes::Compute);
    std::vector<std::uint32_t> messageOf(lowered.schedule.tasks.size());
    for (std::uint32_t i = 0; i < lowered.messages.size(); ++i)
        messageOf[lowered.send[i]] = messageOf[lowered.receive[i]] = i;
    ProgramWriter writer(lowered.schedule, schedule);
    writer.forEachLane([&](const Lane& lane) {
        for (TaskId id = lane.begin; id < lane.end; ++id) {
            const Work work = lowered.schedule.tasks[id].work;
            if (work == Work::Send)
                writer.send(lowered.messages[messageOf[id]], messageOf[id]);
            else if (work == Work::Receive)
                writer.receive(lowered.messages[messageOf[id]], messageOf[id]);
            else
                writer.compute(lane.device, id);
        }
    });
    return writer.finish(lowered.messages.size());
}

ScheduleCheck checkSchedule(const Schedule& schedule)
{
    ScheduleCheck check;
    check.problems = validate(schedule);
    if (!check.problems.empty())
        return check;
    check.naiveCalls = naiveProgram(schedule);
    check.naive = checkProgram(check.naiveCalls);
    check.loweredCalls = loweredProgram(schedule);
    check.lowered = checkProgram(check.loweredCalls);
    return check;
}

ScheduleCheck checkSchedule(const Schedule& schedule, const TorchCsv& csv)
{
    ScheduleCheck check = checkSchedule(schedule);
    if (csv.hasTransfers()) {
        check.writtenCalls = programOf(csv);
        check.asWritten = checkProgram(check.writtenCalls);
    }
    return check;
}

std::string toText(const ScheduleCheck& check)
{
    std::string text;
    if (check.problems.empty())
        text += "order: complete, and free of deadlocks with buffered sends\n";
    for (const Problem& problem : check.problems)
        text += fmt::format("{}: {}\n", problemKindName(problem.kind), problem.sentence);
    if (check.asWritten) {
        text +=
            fmt::format("the file's own {} messages: {}\n", check.writtenCalls.messages, check.asWritten->verdict());
        for (const ProgramCheck::Unmatched& unmatched : check.asWritten->unmatched)
            text += fmt::format("  {}\n", describe(unmatched));
        text += fmt::format("  buffered sends: {}\n", resultText(check.writtenCalls, check.asWritten->buffered));
        text += fmt::format("  in-order rendezvous: {}\n", resultText(check.writtenCalls, check.asWritten->rendezvous));
        text += fmt::format("  grouped rendezvous: {}\n", resultText(check.writtenCalls, check.asWritten->grouped));
    }
    if (check.lowered) {
        text += fmt::format("our lowering, {} messages in one global order, in-order rendezvous: {}\n",
                            check.loweredCalls.messages, resultText(check.loweredCalls, check.lowered->rendezvous));
        text += "for information, the naive lowering (receive before its consumer, send after its producer):\n";
        text += fmt::format("  in-order rendezvous: {}\n", resultText(check.naiveCalls, check.naive->rendezvous));
        text += fmt::format("  grouped rendezvous: {}\n", resultText(check.naiveCalls, check.naive->grouped));
    }
    return text;
}

nlohmann::json toJson(const ScheduleCheck& check)
{
    nlohmann::json problems = nlohmann::json::array();
    for (const Problem& problem : check.problems) {
        problems.push_back({{"kind", problemKindName(problem.kind)},
                            {"sentence", problem.sentence},
                            {"devices", std::vector<int>(problem.devices.begin(), problem.devices.end())},
                            {"victims", std::vector<int>(problem.victims.begin(), problem.victims.end())}});
    }
    nlohmann::json json{{"valid", check.good()}, {"problems", problems}};
    json["as_written"] = check.asWritten ? checkJson(check.writtenCalls, *check.asWritten) : nlohmann::json();
    json["lowered"] = check.lowered ? checkJson(check.loweredCalls, *check.lowered) : nlohmann::json();
    json["naive"] = check.naive ? checkJson(check.naiveCalls, *check.naive) : nlohmann::json();
    return json;
}

} // namespace bubblescope
