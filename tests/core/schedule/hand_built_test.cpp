// The form of the schedule carries what the catalogue will need: six systems, each built by hand in a
// few lines, simulated, and compared with a number that comes from elsewhere.

#include "core/schedule/task_index.h"
#include "core/schedule/versions.h"
#include "core/simulate/memory.h"
#include "tests/core/schedule/sound.h"

#include <nlohmann/json.hpp>

#include <fstream>
#include <map>
#include <string>
#include <vector>

using namespace bubblescope;
using bubblescope::test::problemsOf;
using bubblescope::test::simulateSound;
using Ref = ScheduleBuilder::Ref;

namespace {

Shape shape(int devices, int stages, int microbatches)
{
    Shape sizes;
    sizes.devices = devices;
    sizes.stages = stages;
    sizes.microbatches = {microbatches};
    return sizes;
}

Task task(Work work, int stage, int microbatch, int part = 0)
{
    return {.work = work, .stage = Stage(stage), .part = Part(part), .microbatch = Microbatch(microbatch)};
}

Costs costs(int stages, const std::vector<std::pair<Work, double>>& units)
{
    Costs table(stages);
    for (const auto& [work, time] : units)
        table.set(work, static_cast<Nanoseconds>(time * unit));
    return table;
}

std::vector<double> peaks(const Schedule& schedule, const Timing& timing)
{
    std::vector<double> values;
    for (const ActivationCurve& curve : activationCurves(schedule, timing, parseMemory("", false), false))
        values.push_back(curve.peakActivations());
    return values;
}

std::vector<std::vector<std::string>> referenceRanks(const std::string& name)
{
    std::ifstream file(std::string(BUBBLESCOPE_TEST_DATA) + "/reference_orders/" + name + ".json");
    return nlohmann::json::parse(file).at("ranks");
}

using Peaks = std::vector<double>;

} // namespace

// ---- vocabulary parallelism: shards (parts) on every device, tied by collectives -------------------------------

namespace {

/// Writes 1F1B with a sharded vocabulary from rows of IF (embedding), F, S (vocabulary), BW, IB (embedding
/// backward) and T. Four collectives per microbatch, each with one member per device on a lane of its own.
Schedule vocabulary(const std::vector<std::vector<std::string>>& ranks, int microbatches)
{
    const int p = static_cast<int>(ranks.size());
    const std::map<std::string, Work> works{{"IF", Work::EmbeddingForward},  {"F", Work::Forward},
                                            {"S", Work::VocabularyS},        {"BW", Work::Backward},
                                            {"IB", Work::EmbeddingBackward}, {"T", Work::VocabularyT}};
    ScheduleBuilder builder(shape(p, p, microbatches));
    std::map<std::tuple<Work, int, int>, Ref> at; // (work, device, microbatch)
    for (int device = 0; device < p; ++device)
        for (const std::string& text : ranks[static_cast<std::size_t>(device)]) {
            const std::size_t digits = text.find_first_of("0123456789");
            const Work work = works.at(text.substr(0, digits));
            const int i = std::stoi(text.substr(digits));
            const bool shard = !onGrid(work);
            at[{work, device, i}] =
                builder.compute(Device(device), task(work, shard ? 0 : device, i, shard ? device : 0));
        }
    // `from` works on device `root` or on all (−1), then the collective, then `to` likewise.
    const auto collective = [&](int lane, Work work, int stage, Work from, int fromRoot, Work to, int toRoot) {
        for (int i = 0; i < microbatches; ++i) {
            std::vector<Ref> members;
            for (int device = 0; device < p; ++device) {
                members.push_back(builder.add(builder.lane(Device(device), LaneKind::Collective, lane),
                                              task(work, stage, i, device)));
                if (fromRoot < 0 || fromRoot == device)
                    builder.edge(at.at({from, device, i}), members.back());
                if (toRoot < 0 || toRoot == device)
                    builder.edge(members.back(), at.at({to, device, i}));
            }
            builder.group(members);
        }
    };
    collective(0, Work::AllReduce, 0, Work::EmbeddingForward, -1, Work::Forward, 0);
    collective(1, Work::Broadcast, p - 1, Work::Forward, p - 1, Work::VocabularyS, -1);
    collective(2, Work::AllReduce, p - 1, Work::VocabularyS, -1, Work::Backward, p - 1);
    collective(3, Work::Broadcast, 0, Work::Backward, 0, Work::EmbeddingBackward, -1);
    builder.placeLooped();
    builder.endSynchronousStep();
    return builder.finish();
}

} // namespace

TEST_CASE("vocabulary parallelism: parts and groups on collective lanes", "[schedule][hand-built]")
{
    // One microbatch by hand, all 1 but F and B, 2: IF ends 1, sum 2, 0F 4, 1F 6, broadcast 7, S 8 on both,
    // statistics 9, 1B 11 (T runs meanwhile on device 0), 0B 13, broadcast 14, IB 15.
    const Schedule small =
        vocabulary({{"IF0", "F0", "S0", "T0", "BW0", "IB0"}, {"IF0", "F0", "S0", "BW0", "T0", "IB0"}}, 1);
    const Timing timing = simulateSound(small, costs(2, {{Work::Forward, 2},
                                                         {Work::Backward, 2},
                                                         {Work::EmbeddingForward, 1},
                                                         {Work::EmbeddingBackward, 1},
                                                         {Work::VocabularyS, 1},
                                                         {Work::VocabularyT, 1},
                                                         {Work::AllReduce, 1},
                                                         {Work::Broadcast, 1}}));
    CHECK(timing.makespan() == 15 * unit);

    // The reference order with one barrier: activations as the file says; with free vocabulary passes 1F1B's time.
    const Schedule reference = vocabulary(referenceRanks("vocab_1barrier_alg2_p4_m8"), 8);
    const Timing run = simulateSound(reference, costs(4, {{Work::Forward, 1}, {Work::Backward, 2}}));
    CHECK(peaks(reference, run) == Peaks{5, 4, 3, 2});
    CHECK(run.makespan() == 33 * unit);
}

// ---- RoundPipe: no placement, weights come and go ----------------------------------------------------------------

namespace {

/// Four forward and four backward stage tasks a step, task k of all steps on GPU k mod 4, all microbatches of a
/// step one after another. Weights are loaded ahead (two buffers), gradients stored, updates done by the host.
Schedule roundPipe(int steps)
{
    constexpr int p = 4;
    constexpr int m = 4;
    Shape sizes = shape(p, p, m);
    sizes.steps = steps;
    ScheduleBuilder builder(sizes);
    const std::uint32_t host = builder.lane(Device(p), LaneKind::Host);
    std::map<int, Ref> lastOfTask; // by the number of the stage task over all steps
    std::map<std::pair<int, int>, Ref> update;
    for (int step = 0; step < steps; ++step)
        for (int k = 0; k < 2 * p; ++k) {
            const int number = step * 2 * p + k;
            const Device gpu(number % p);
            const bool forward = k < p;
            const int stage = forward ? k : 2 * p - 1 - k;
            const Ref load = builder.add(builder.lane(gpu, LaneKind::CopyIn),
                                         task(Work::LoadWeights, stage, 2 * step + (forward ? 0 : 1)));
            if (number >= 2 * p)
                builder.edge(lastOfTask.at(number - 2 * p), load); // the buffer of two rounds ago is free
            if (step >= 2)
                builder.edge(update.at({stage, step - 2}), load, Payload::Weight); // one step behind
            for (int i = step * m; i < (step + 1) * m; ++i) {
                const Ref work = builder.compute(gpu, task(forward ? Work::Forward : Work::Backward, stage, i));
                if (i == step * m)
                    builder.edge(load, work, Payload::Weight);
                lastOfTask[number] = work;
            }
            if (!forward) {
                const Ref store =
                    builder.add(builder.lane(gpu, LaneKind::CopyOut), task(Work::StoreGradients, stage, step));
                builder.edge(lastOfTask[number], store);
                update[{stage, step}] = builder.add(host, task(Work::Update, stage, step));
                builder.edge(store, update[{stage, step}], Payload::None);
            }
        }
    builder.schedule().semantics = {
        .updateEvery = m, .forwardReads = Semantics::ForwardReads::Delayed, .maxVersions = 2, .maxDrift = 1};
    return builder.finish();
}

} // namespace

TEST_CASE("RoundPipe: stages on any device, weights through copy lanes", "[schedule][hand-built]")
{
    // (n/p)·M + p − 1 for one step of n = 8 stage tasks, (k·n/p)·M + p − 1 for k chained ones (schedules.md 8.1).
    const Costs equal = costs(4, {{Work::Forward, 1}, {Work::Backward, 1}});
    CHECK(simulateSound(roundPipe(1), equal).makespan() == 11 * unit);
    CHECK(simulateSound(roundPipe(10), equal).makespan() == 83 * unit);
    // Only the very first load is seen: the others run ahead of the work.
    Costs loads = equal;
    loads.set(Work::LoadWeights, 2 * unit);
    loads.set(Work::StoreGradients, unit);
    loads.set(Work::Update, unit);
    const Schedule ten = roundPipe(10);
    const Timing timing = simulateSound(ten, loads);
    Nanoseconds computed = 0;
    for (const Lane& lane : ten.lanes)
        if (lane.kind == LaneKind::Compute)
            computed = std::max(computed, timing.end[lane.end - 1U]);
    CHECK(computed == 85 * unit);
    CHECK(ten.placement.empty());
}

// ---- SkipPipe: microbatches take paths ----------------------------------------------------------------------------

namespace {

Schedule pathed(int stages, const std::vector<std::vector<Stage>>& paths, const std::vector<std::uint16_t>& pathOf,
                const std::vector<std::string>& lanes)
{
    ScheduleBuilder builder(shape(static_cast<int>(lanes.size()), stages, static_cast<int>(pathOf.size())));
    for (const auto& path : paths)
        builder.path(path);
    builder.schedule().pathOfMicrobatch = pathOf;
    for (std::size_t device = 0; device < lanes.size(); ++device)
        for (std::size_t begin = 0; begin < lanes[device].size(); begin += 4)
            builder.compute(Device(device), *taskFromText(lanes[device].substr(begin, 3)));
    builder.placeLooped();
    builder.endSynchronousStep();
    return builder.finish();
}

} // namespace

TEST_CASE("SkipPipe: paths that skip and swap stages", "[schedule][hand-built]")
{
    // Even microbatches skip stage 2, odd ones stage 1. By hand: forwards of device 3 end at 3, 4, 5, 6, its
    // backwards at 8, 10, 12, 14; devices 1 and 2 run theirs at 8–10, 12–14 and 10–12, 14–16; device 0 ends
    // at 12, 14, 16, 18. All four stages would take (4+3)·3 = 21.
    const Costs plain = costs(4, {{Work::Forward, 1}, {Work::Backward, 2}});
    const Schedule skipping = pathed(
        4, {{Stage(0), Stage(1), Stage(3)}, {Stage(0), Stage(2), Stage(3)}}, {0, 1, 0, 1},
        {"0F0 0F1 0F2 0F3 0B0 0B1 0B2 0B3", "1F0 1F2 1B0 1B2", "2F1 2F3 2B1 2B3", "3F0 3F1 3F2 3F3 3B0 3B1 3B2 3B3"});
    const Timing timing = simulateSound(skipping, plain);
    CHECK(timing.makespan() == 18 * unit);
    CHECK(peaks(skipping, timing) == Peaks{4, 2, 2, 4});
    CHECK(messagesOf(skipping).size() == 16); // two hops there and two back for each

    // Microbatch 1 visits stage 2 before stage 1. By hand: 2F 2–3 and 3–4, 1F1 4–5, 2B0 4–6, 1B1 5–7, then
    // 1B0 and 2B1 both 7–9, 0B0 9–11, 0B1 11–13.
    const Schedule swapping = pathed(3, {{Stage(0), Stage(1), Stage(2)}, {Stage(0), Stage(2), Stage(1)}}, {0, 1},
                                     {"0F0 0F1 0B0 0B1", "1F0 1F1 1B1 1B0", "2F0 2F1 2B0 2B1"});
    CHECK(simulateSound(swapping, plain).makespan() == 13 * unit);
}

// ---- DualPipe: two pipes, overlapped pairs -------------------------------------------------------------------------

namespace {

/// "F2.1", "B0.0" (input gradient), "W0.0", "BW1.0", "(F2.1|BW0.0)": microbatch and direction. Direction 1 runs
/// from the last device to the first.
Schedule dualPipe(const std::vector<std::vector<std::string>>& ranks, int microbatches)
{
    const int p = static_cast<int>(ranks.size());
    Shape sizes = shape(p, p, 0);
    sizes.pipes = 2;
    sizes.microbatches = {microbatches / 2, microbatches / 2};
    ScheduleBuilder builder(sizes);
    const std::map<std::string, Work> works{
        {"F", Work::Forward}, {"B", Work::InputGradient}, {"W", Work::WeightGradient}, {"BW", Work::Backward}};
    for (int device = 0; device < p; ++device) {
        const auto add = [&](const std::string& text) {
            const std::size_t digits = text.find_first_of("0123456789");
            const int pipe = text.back() - '0';
            return builder.compute(Device(device), {.work = works.at(text.substr(0, digits)),
                                                    .pipe = Pipe(pipe),
                                                    .stage = Stage(pipe == 0 ? device : p - 1 - device),
                                                    .microbatch = Microbatch(std::stoi(text.substr(digits)))});
        };
        for (const std::string& text : ranks[static_cast<std::size_t>(device)]) {
            const std::size_t bar = text.find('|');
            if (bar == std::string::npos) {
                add(text);
                continue;
            }
            builder.join(add(text.substr(1, bar - 1)));
            add(text.substr(bar + 1, text.size() - bar - 2));
        }
        for (const int pipe : {0, 1})
            builder.place(Pipe(pipe), Stage(pipe == 0 ? device : p - 1 - device), {Device(device)});
    }
    builder.endSynchronousStep();
    builder.schedule().semantics.replicas = Semantics::Replicas::SumBeforeUpdate;
    return builder.finish();
}

/// Most idle time of a compute lane within the makespan; a unit counts once.
Nanoseconds mostIdle(const Schedule& schedule, const Timing& timing)
{
    Nanoseconds most = 0;
    for (const Lane& lane : schedule.lanes) {
        Nanoseconds busy = 0;
        for (TaskId first = lane.begin; first < lane.end; first = schedule.unitEnd(first))
            busy += timing.end[first] - timing.start[first];
        most = std::max(most, timing.makespan() - busy);
    }
    return most;
}

} // namespace

TEST_CASE("DualPipe: joined units of two pipes", "[schedule][hand-built]")
{
    Costs split =
        costs(4, {{Work::Forward, 1}, {Work::InputGradient, 1}, {Work::WeightGradient, 1}, {Work::Backward, 2}});
    CHECK(simulateSound(dualPipe(referenceRanks("dualpipe_p2_m4"), 4), split).makespan() == 12 * unit);
    const Schedule schedule = dualPipe(referenceRanks("dualpipe_p4_m8"), 8);
    const Timing sum = simulateSound(schedule, split);
    CHECK(sum.makespan() == 26 * unit);
    CHECK(mostIdle(schedule, sum) == 2 * unit);
    CHECK(peaks(schedule, sum) == Peaks{5, 5, 5, 5});
    // (p/2 − 1)(F&B + B − 3W) with a pair as long as its longer part: 2 + 2 − 3 = 1 (schedules.md 5.3).
    split.pair = 2 * unit;
    CHECK(mostIdle(schedule, simulateSound(schedule, split)) == unit);
}

// ---- PipeDream: replicas, and an update per round of them ------------------------------------------------------

TEST_CASE("PipeDream 2-1: two replicas of the first stage", "[schedule][hand-built]")
{
    ScheduleBuilder builder(shape(3, 2, 4));
    builder.place(Pipe(0), Stage(0), {Device(0), Device(1)});
    builder.place(Pipe(0), Stage(1), {Device(2)});
    std::vector<std::vector<Ref>> averages(2);
    for (const int replica : {0, 1}) { // microbatch i on replica i mod 2, two in flight on each
        std::vector<Ref> updates;
        const auto add = [&](Work work, int i) { return builder.compute(Device(replica), task(work, 0, i)); };
        add(Work::Forward, replica);
        add(Work::Forward, replica + 2);
        for (const int round : {0, 1}) {
            const Ref backward = add(Work::Backward, replica + 2 * round);
            const Ref average = builder.add(builder.lane(Device(replica), LaneKind::Collective),
                                            task(Work::AllReduce, 0, round, replica));
            const Ref update = builder.compute(Device(replica), task(Work::Update, 0, round, replica));
            builder.edge(backward, average);
            builder.edge(average, update, Payload::None);
            averages[static_cast<std::size_t>(round)].push_back(average);
        }
    }
    for (const auto& members : averages)
        builder.group(members);
    for (int i = 0; i < 4; ++i)
        for (const Work work : {Work::Forward, Work::Backward, Work::Update})
            builder.compute(Device(2), task(work, 1, i));
    builder.schedule().semantics = {
        .updateEvery = 1, .maxVersions = 2, .maxDrift = 1, .replicas = Semantics::Replicas::AveragePerUpdate};
    const Schedule schedule = builder.finish();

    // By hand, F=2 and B=4 on the replicas, 1 and 2 on stage 1, average 1: stage 1 backs at 5, 8, 11, 14; 0B0 5–9,
    // 0B1 8–12, first average 12–13, 0B2 13–17, 0B3 14–18, second average 18–19.
    Costs twice = costs(2, {{Work::Forward, 1}, {Work::Backward, 2}, {Work::AllReduce, 1}});
    twice.set(Work::Forward, Stage(0), 2 * unit);
    twice.set(Work::Backward, Stage(0), 4 * unit);
    const Timing timing = simulateSound(schedule, twice);
    CHECK(timing.makespan() == 19 * unit);
    CHECK(peaks(schedule, timing) == Peaks{2, 2, 1});
    std::vector<int> live;
    std::vector<int> drift;
    for (const StageVersions& stage : weightVersions(schedule, TaskIndex(schedule))) {
        live.push_back(stage.live);
        drift.push_back(stage.drift);
    }
    CHECK(live == std::vector<int>{2, 2, 1});
    CHECK(drift == std::vector<int>{1, 1, 0});
}

// ---- PipeOffload: activations leave and come back ------------------------------------------------------------------

TEST_CASE("PipeOffload: offload and reload on one copy lane", "[schedule][hand-built]")
{
    ScheduleBuilder builder(shape(1, 1, 3));
    const auto compute = [&](const char* text) { return builder.compute(Device(0), *taskFromText(text)); };
    const Ref forward = compute("0F0");
    compute("0F1");
    compute("0F2");
    const Ref slot = compute("0B2"); // the reload starts when this one has freed its activations
    compute("0B1");
    const Ref backward = compute("0B0");
    const std::uint32_t copies = builder.lane(Device(0), LaneKind::CopyOut);
    const Ref offload = builder.add(copies, *taskFromText("0o0"));
    const Ref reload = builder.add(copies, *taskFromText("0h0"));
    builder.edge(forward, offload, Payload::Stash);
    builder.edge(offload, reload, Payload::Stash);
    builder.edge(slot, reload);
    builder.edge(reload, backward, Payload::Stash);
    builder.placeLooped();
    builder.endSynchronousStep();
    const Schedule schedule = builder.finish();

    // Copies of 1: 0o0 runs beside 0F1 and has freed 0F0 when 0F2 starts, so two activations live instead of three.
    Costs table = costs(1, {{Work::Forward, 1}, {Work::Backward, 2}, {Work::Offload, 1}, {Work::Reload, 1}});
    const Timing hidden = simulateSound(schedule, table);
    CHECK(hidden.makespan() == 9 * unit);
    CHECK(peaks(schedule, hidden) == Peaks{2});
    // Copies of 4: offload 1–5, reload 5–9; 0B0 waits from 7 to 9 and ends at 11.
    table.set(Work::Offload, 4 * unit);
    table.set(Work::Reload, 4 * unit);
    const Timing late = simulateSound(schedule, table);
    CHECK(late.makespan() == 11 * unit);
    CHECK(peaks(schedule, late) == Peaks{3});
}
