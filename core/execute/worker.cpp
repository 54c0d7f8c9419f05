#include "core/execute/worker.h"

#include "core/base/error.h"

#include <algorithm>
#include <exception>

namespace bubblescope {
namespace {

std::string sentenceOf(const std::exception_ptr& exception)
{
    try {
        std::rethrow_exception(exception);
    } catch (const std::exception& error) {
        return error.what();
    } catch (...) {
        return "an exception of unknown type";
    }
}

} // namespace

Worker::Worker(RunContext& context, std::uint32_t lane, StageHost* host, LaneLog* log)
    : m_context(context), m_plan(context.plan), m_lane(lane), m_host(host), m_log(log)
{
}

void Worker::operator()()
{
    prepareWorkerThread(m_plan.laneName(m_lane));
    try {
        begin();
        const Lane& lane = m_plan.lane(m_lane);
        for (m_round = 0; m_round < m_context.rounds; ++m_round) {
            for (TaskId first = lane.begin; first < lane.end;) {
                const TaskId end = m_plan.schedule().unitEnd(first);
                runUnit(first, end, m_round);
                if (m_host && lane.kind == LaneKind::Compute && m_host->takeRollback()) // k stand there
                    repeat(first);
                first = end;
            }
            m_current = noTask;
            if (m_host)
                endRound();
        }
    } catch (const Stopped&) {
        // somebody else has said why
    } catch (...) { // whatever it is, it must not leave the thread, and the others have to be told
        const std::string where =
            m_current == noTask ? "" : " at " + toText(m_plan.inRound(m_plan.schedule().tasks[m_current], m_round));
        m_context.exchange.stop(
            {RunStop::Reason::Failure, m_lane,
             fmt::format("{} failed{}: {}", m_plan.laneName(m_lane), where, sentenceOf(std::current_exception()))});
        m_context.gate.stop();
    }
    m_context.exchange.leave(m_lane);
}

/// All lanes begin at one moment, so that the time in which threads and stages are made isn't in the run.
void Worker::begin()
{
    if (m_host) {
        m_context.maker->enterThread();
        if (m_plan.leads(m_lane))
            m_host->make();
    }
    m_context.exchange.meet(m_plan.startGroup(), m_lane, 0, [this] { m_context.epoch = m_context.time.wall(); });
}

/// A device's lanes go into the next round together: what a copy reads then is what the last update of this one wrote.
/// The last to come looks whether all is done, while the others stand still.
void Worker::endRound()
{
    m_free = m_context.exchange.meet(m_plan.roundGroup(m_lane), m_lane, m_free, [this] { m_host->endRound(m_round); });
}

void Worker::runUnit(TaskId first, TaskId end, std::uint32_t round)
{
    m_current = first;
    Turn turn{.first = first, .end = end, .round = round, .ready = now(), .start = m_free};
    m_measured.assign(end - first, {});
    collect(turn);
    if (m_host)
        compute(turn);
    else
        pace(turn);
}

/// What was computed of the next step before the check has gone with the update. What others have sent of it is taken
/// and dropped, and the forwards are done again on what they send now.
void Worker::repeat(TaskId check)
{
    for (const PortId port : m_plan.staleAfter(check)) {
        m_context.exchange.receive(port, m_round);
        if (m_context.bounded)
            m_context.exchange.consumed(port, m_free);
    }
    const auto [first, last] = m_plan.repeatedBy(check);
    for (TaskId id = first; id < last;) {
        const TaskId end = m_plan.schedule().unitEnd(id);
        runUnit(id, end, m_round);
        id = end;
    }
}

/// Takes all inputs of the unit; its virtual start is known afterwards.
void Worker::collect(Turn& turn)
{
    for (TaskId id = turn.first; id < turn.end; ++id) {
        const Task& task = m_plan.schedule().tasks[id];
        m_plan.forEachInput(id, [&](const RunPlan::Input& input) {
            Parcel parcel = m_context.exchange.receive(input.port, turn.round);
            turn.start = std::max(turn.start, parcel.arrives);
            if (input.link && m_log) {
                const Device from = m_plan.schedule().deviceOf(parcel.producer);
                const Task producer = m_plan.inRound(m_plan.schedule().tasks[parcel.producer], turn.round);
                const Link link{.from = from,
                                .to = m_plan.lane(m_lane).device,
                                .producer = producer,
                                .sent = parcel.sent,
                                .arrived = parcel.arrives,
                                .bytes = static_cast<std::int64_t>(parcel.data.size())};
                m_log->addLink({link, parcel.sentWall, now()});
            }
            if (input.cargo != RunPlan::Cargo::None && m_host)
                m_host->deliver(id, input.cargo, std::move(parcel.data));
        });
        turn.start = std::max(turn.start, m_plan.release(id, m_plan.inRound(task, turn.round).microbatch));
    }
    if (m_plan.grouped(turn.first))
        turn.start = m_context.exchange.meet(m_plan.groupOf(turn.first), m_lane, turn.start, {});
    if (m_context.bounded)
        for (TaskId id = turn.first; id < turn.end; ++id)
            m_plan.forEachInput(
                id, [&](const RunPlan::Input& input) { m_context.exchange.consumed(input.port, turn.start); });
}

/// Takes the modelled time.
void Worker::pace(Turn& turn)
{
    const Nanoseconds end = turn.start + m_plan.duration(turn.first);
    const Nanoseconds wallStart = std::max(now(), turn.start); // a message lies here before it arrives by the model
    if (m_context.time.sleeps() && now() < end)
        m_context.exchange.sleepUntil(m_lane, m_context.epoch + end);
    const Nanoseconds wallEnd = now();
    for (Measurement& measured : m_measured)
        measured = {.ready = turn.ready, .wallStart = wallStart, .wallEnd = std::max(wallStart, wallEnd), .cpu = 0};
    record(turn, end);
    handOn(turn, end);
}

/// Computes the unit's tasks one after another; they share the unit's interval.
void Worker::compute(Turn& turn)
{
    const bool timed = m_host->works(turn.first);
    Nanoseconds duration = 0;
    Nanoseconds wallStart = 0;
    Nanoseconds wallEnd = 0;
    if (!timed) {
        wallStart = wallEnd = now();
    } else {
        const HeldCore core(m_context.gate, m_lane, turn.start);
        if (!core)
            throw Stopped();
        wallStart = now();
        Nanoseconds cpu = m_context.time.threadCpu();
        for (TaskId id = turn.first; id < turn.end; ++id) {
            m_current = id;
            m_host->run(id, turn.round);
            const Nanoseconds after = m_context.time.threadCpu();
            m_measured[id - turn.first].cpu = after - cpu;
            duration += after - cpu;
            cpu = after;
        }
        wallEnd = now();
    }
    Nanoseconds end = turn.start + duration;
    if (timed && m_plan.grouped(turn.first)) // what each member did is there once all are done
        end = m_context.exchange.meet(m_plan.groupOf(turn.first), m_lane, end, {});
    if (timed)
        m_host->finish(turn.first);
    if (m_log)
        m_sample = m_host->sample(); // a unit is one interval: what its members hold in between isn't seen
    for (Measurement& measured : m_measured) {
        measured.ready = turn.ready;
        measured.wallStart = wallStart;
        measured.wallEnd = wallEnd;
    }
    record(turn, end);
    handOn(turn, end);
}

void Worker::record(const Turn& turn, Nanoseconds end)
{
    m_free = end;
    if (!m_log)
        return;
    for (TaskId id = turn.first; id < turn.end; ++id) {
        const Task task = m_plan.inRound(m_plan.schedule().tasks[id], turn.round);
        if (m_host)
            m_log->addMemory(m_sample);
        m_log->add({.start = turn.start, .end = end, .task = task, .name = 0, .version = m_plan.version(id)},
                   m_measured[id - turn.first]);
    }
}

void Worker::handOn(const Turn& turn, Nanoseconds end)
{
    for (TaskId id = turn.first; id < turn.end; ++id) {
        m_plan.forEachOutput(id, [&](const RunPlan::Output& output) {
            Parcel parcel{.round = turn.round, .producer = id, .sent = end, .sentWall = now()};
            if (output.cargo != RunPlan::Cargo::None && m_host)
                parcel.data = m_host->takeOutput(id, output.cargo);
            m_free = std::max(m_free, m_context.exchange.send(output.port, std::move(parcel), output.transfer));
        });
    }
}

} // namespace bubblescope
