// RoundPipe, SkipPipe, DiffusionPipe and GNNPipe: what only these families promise.

#include "core/base/error.h"
#include "core/experiment.h"
#include "core/simulate/memory.h"
#include "tests/core/schedule/sound.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

using namespace bubblescope;

namespace {

Plan planned(const std::string& schedule, int devices, int microbatches, int steps = 1, const std::string& cost = "")
{
    Experiment experiment;
    experiment.stages = devices;
    experiment.microbatches = microbatches;
    experiment.steps = steps;
    experiment.cost = cost;
    return plan(experiment, parseRecipe(schedule));
}

Nanoseconds makespan(const Plan& made)
{
    return test::simulateSound(made.schedule, made.costs).makespan() / unit;
}

std::string refusal(const std::string& schedule, int devices, int microbatches)
{
    try {
        planned(schedule, devices, microbatches);
    } catch (const Error& error) {
        return error.what();
    }
    return "none";
}

std::vector<std::string> lanes(const Schedule& schedule)
{
    std::vector<std::string> texts;
    for (int device = 0; device < schedule.shape.devices; ++device)
        texts.push_back(
            fmt::format("{}", fmt::join(laneTexts(schedule, schedule.computeLane(Device(device)), false), " ")));
    return texts;
}

} // namespace

// ---- RoundPipe -----------------------------------------------------------------------------------------------------

TEST_CASE("RoundPipe takes (kn/p)M + p - 1 for k steps, and p a round when M is less", "[schedule][special]")
{
    CHECK(makespan(planned("roundpipe", 4, 4, 1, "F=1,B=1")) == 11);
    CHECK(makespan(planned("roundpipe", 4, 4, 10, "F=1,B=1")) == 83);
    CHECK(makespan(planned("roundpipe:stages=6", 4, 6, 1, "F=1,B=1")) == 21);
    for (const auto& [p, stages, m, steps] : std::vector<std::array<int, 4>>{{4, 8, 8, 1},
                                                                             {4, 4, 2, 1},
                                                                             {4, 4, 1, 3},
                                                                             {8, 8, 6, 1},
                                                                             {3, 6, 5, 4},
                                                                             {2, 2, 1, 5},
                                                                             {1, 3, 4, 2},
                                                                             {4, 4, 5, 7}}) {
        CAPTURE(p, stages, m, steps);
        const int rounds = 2 * stages / p; // of a step
        CHECK(makespan(planned(fmt::format("roundpipe:stages={}", stages), p, m, steps, "F=1,B=1")) ==
              steps * ((rounds - 1) * std::max(m, p) + m) + p - 1);
    }
    // A number of tasks that the devices don't divide goes on where it ended: 2 steps of 6 tasks on 4 devices.
    CHECK(makespan(planned("roundpipe:stages=3", 4, 4, 2, "F=1,B=1")) == 15);
}

TEST_CASE("RoundPipe's steps wait for the host only where they read the last update", "[schedule][special]")
{
    CHECK(makespan(planned("roundpipe:update=sync", 4, 4, 3, "F=1,B=1")) == 3 * 11);
    // The host updates one stage after another from 8 on: 0F0 of the next step starts at 16.
    CHECK(makespan(planned("roundpipe:update=sync", 4, 4, 3, "F=1,B=1,U=2")) == 3 * 16);
    const Plan async = planned("roundpipe", 4, 4, 3, "F=1,B=1,U=2");
    const Timing timing = test::simulateSound(async.schedule, async.costs);
    for (const Lane& lane : async.schedule.lanes)
        if (lane.kind == LaneKind::Compute)
            CHECK(timing.end[lane.end - 1U] <= (3 * 8 + 3) * unit);
    CHECK(async.schedule.placement.empty());
}

TEST_CASE("RoundPipe shows the first load and hides the others behind the work", "[schedule][special]")
{
    CHECK(makespan(planned("roundpipe", 4, 4, 1, "F=1,B=1,l=2")) == 11 + 2);
    CHECK(makespan(planned("roundpipe", 4, 4, 5, "F=1,B=1,l=4")) == 5 * 8 + 3 + 4);
    // A load longer than a task's work is the pace: two buffers, so a load may take the time of one task.
    CHECK(makespan(planned("roundpipe", 4, 4, 5, "F=1,B=1,l=6")) > 5 * 8 + 3 + 6);
}

TEST_CASE("RoundPipe holds the weights of two stage tasks and activations of two microbatches at most",
          "[schedule][special]")
{
    const Plan made = planned("roundpipe:stages=8", 4, 6, 3);
    const Timing timing = test::simulateSound(made.schedule, made.costs);
    for (const ActivationCurve& curve : activationCurves(made.schedule, timing, made.deltas, true)) {
        CHECK(curve.peakActivations() == 2);
        CHECK(curve.steps.back().live == 0);
    }
    for (int device = 0; device < 4; ++device) { // a load starts only when the task before last has ended
        std::vector<std::pair<Nanoseconds, int>> changes;
        for (TaskId id{}; id < made.schedule.tasks.size(); ++id)
            if (made.schedule.deviceOf(id) == device && made.schedule.tasks[id].work == Work::LoadWeights)
                changes.emplace_back(timing.start[id], 1);
        const Lane& lane = made.schedule.lanes[made.schedule.computeLane(Device(device))];
        for (TaskId id = lane.begin; id < lane.end; ++id)
            if (id + 1U == lane.end || made.schedule.tasks[id + 1U].stage != made.schedule.tasks[id].stage ||
                made.schedule.tasks[id + 1U].work != made.schedule.tasks[id].work)
                changes.emplace_back(timing.end[id], -1);
        std::sort(changes.begin(), changes.end());
        int held = 0;
        for (const auto& [time, change] : changes) {
            held += change;
            CHECK(held <= 2);
        }
        CHECK(held == 0);
    }
}

TEST_CASE("RoundPipe's bytes come from the host and go back to it", "[schedule][special]")
{
    Experiment experiment;
    experiment.microbatches = 6;
    experiment.steps = 2;
    experiment.model.layers = 8;
    experiment.model.hidden = 16;
    experiment.model.heads = 2;
    experiment.model.sequence = 8;
    const bool recompute = GENERATE(false, true);
    experiment.recompute = recompute;
    const Plan made = plan(experiment, parseRecipe("roundpipe:stages=8"));
    const Timing timing = simulate(made.schedule, made.costs);
    const MemoryRules rules = transformerMemory(experiment.model, made.partition, recompute);
    const auto stageBytes = [&](int stage) {
        return rules.constant[static_cast<std::size_t>(stage)][static_cast<std::size_t>(MemoryClass::Weight)];
    };
    const auto bytes = [](const MemoryCurve::Step& step, MemoryClass kind) {
        return step.live[static_cast<std::size_t>(kind)];
    };
    for (const MemoryCurve& curve : memoryCurves(made.schedule, timing, rules, true)) {
        REQUIRE_FALSE(curve.steps.empty());
        std::int64_t most = 0;
        std::int64_t mostGradients = 0;
        for (const MemoryCurve::Step& step : curve.steps) {
            most = std::max(most, bytes(step, MemoryClass::Weight));
            mostGradients = std::max(mostGradients, bytes(step, MemoryClass::WeightGradient));
            CHECK(bytes(step, MemoryClass::Optimizer) == 0);
            for (const std::int64_t live : step.live)
                CHECK(live >= 0);
        }
        CHECK(most >= 2 * stageBytes(1)); // the next task's weights come while this one's are used
        CHECK(most <= stageBytes(0) + stageBytes(7));
        CHECK(mostGradients <= std::max(stageBytes(0), stageBytes(7))); // they leave before the next task begins
        CHECK(mostGradients > 0);
        CHECK(total(curve.steps.back().live) == 0);
    }
}

TEST_CASE("RoundPipe's planner gives forwards more layers and fuses the turn", "[schedule][special]")
{
    // Six layers of F=1 and B=3: the longest task is 3; the fused one is layer 5, forwards take 2 and 3 layers.
    const Schedule greedy = planned("roundpipe:stages=6,plan=greedy", 8, 1, 1, "F=1,B=3").schedule;
    CHECK(lanes(greedy) ==
          std::vector<std::string>{"0F0 1F0", "2F0 3F0 4F0", "5F0 5B0", "4B0", "3B0", "2B0", "1B0", "0B0"});
    const Schedule limited = planned("roundpipe:stages=6,plan=greedy,limit=2", 9, 1, 1, "F=1,B=3").schedule;
    CHECK(lanes(limited) ==
          std::vector<std::string>{"0F0", "1F0 2F0", "3F0 4F0", "5F0 5B0", "4B0", "3B0", "2B0", "1B0", "0B0"});
    // Layers are covered once by forwards and once by backwards, whatever they cost.
    Experiment experiment;
    experiment.stages = 3;
    experiment.microbatches = 4;
    for (int layer = 0; layer < 9; ++layer)
        experiment.stageCosts.push_back({{"F", 1 + layer % 3}, {"B", 2 + layer * 7 % 5}});
    const Plan uneven = plan(experiment, parseRecipe("roundpipe:stages=9,plan=greedy"));
    test::simulateSound(uneven.schedule, uneven.costs); // complete: one F and one B for each
}

// ---- SkipPipe ------------------------------------------------------------------------------------------------------

TEST_CASE("SkipPipe's microbatches skip the share that was asked for", "[schedule][special]")
{
    for (const double skip : {0.0, 0.25, 0.4, 0.9})
        for (const int stages : {1, 2, 3, 5, 8}) {
            CAPTURE(skip, stages);
            const Plan made = planned(fmt::format("skippipe:skip={},stages={}", skip, stages), stages, 12);
            const auto length = std::clamp<std::size_t>(static_cast<std::size_t>(std::lround(stages * (1 - skip))),
                                                        static_cast<std::size_t>(std::min(stages, 2)),
                                                        static_cast<std::size_t>(stages));
            std::set<Stage> visited;
            for (const std::vector<Stage>& path : made.schedule.paths) {
                CHECK(path.size() == length);
                CHECK(path.front() == 0);
                CHECK(path.back() == stages - 1);
                visited.insert(path.begin(), path.end());
            }
            CHECK((length == 2 || visited.size() == static_cast<std::size_t>(stages))); // 12 of them reach all stages
            const Timing timing = test::simulateSound(made.schedule, made.costs);
            const Nanoseconds ends =
                12 * 3 + 3 * static_cast<Nanoseconds>(length - 1); // work of the first, and the way
            CHECK(timing.makespan() <= (ends + 3) * unit);
        }
}

TEST_CASE("SkipPipe's replicas sum before they update, also where no path led", "[schedule][special]")
{
    const Plan made = planned("skippipe:stages=3,nodes=2+3+2", 7, 2);
    std::map<Work, int> count;
    for (const Task& task : made.schedule.tasks)
        ++count[task.work];
    CHECK(count[Work::AllReduce] == 7);
    CHECK(count[Work::Update] == 7);
    CHECK(made.schedule.semantics.replicas == Semantics::Replicas::SumBeforeUpdate);
    CHECK(made.schedule.placement.homes[1] == std::vector<Device>{Device(2), Device(3), Device(4)});
    test::simulateSound(made.schedule, made.costs);
    test::simulateSound(planned("skippipe:stages=3,nodes=2+3+2", 7, 5, 3).schedule, made.costs);
    // One device each where there are enough; further ones go where most visits are.
    CHECK(planned("skippipe:stages=6,skip=0.34", 20, 6).schedule.placement.homes[0].size() == 5);
}

TEST_CASE("SkipPipe refuses what its devices can't hold, with what they can", "[schedule][special]")
{
    CHECK(refusal("skippipe:stages=5", 4, 8) == "skippipe: 4 devices can't hold 5 stages, since each needs one of its "
                                                "own; stages=4 or less can.");
    CHECK(refusal("skippipe:stages=2,nodes=1+1", 4, 8) ==
          "skippipe: nodes=1+1 isn't a number of devices for each of 2 stages, 4 in all; nodes=2+2 is.");
    CHECK(refusal("skippipe:memory=3", 4, 8) ==
          "skippipe: Stage 0 is on every path, but its 1 nodes hold 3 microbatches each, 3 in all, of 8. memory=8 is "
          "enough. Stage 3 is on every path, but its 1 nodes hold 3 microbatches each, 3 in all, of 8. memory=8 is "
          "enough.");
    CHECK_THAT(refusal("skippipe:skip=0.95", 4, 8), Catch::Contains("skip=0.95 is not a number from 0 to 0.9"));
}

TEST_CASE("searched paths take no longer than drawn ones", "[schedule][special]")
{
    for (const int stages : {4, 6, 8})
        for (const int microbatches : {6, 16}) {
            CAPTURE(stages, microbatches);
            const Plan searched = planned("skippipe:skip=0.5", stages, microbatches);
            const Plan drawn = planned("skippipe:skip=0.5,paths=random", stages, microbatches);
            CHECK(simulate(searched.schedule, searched.costs).makespan() <=
                  simulate(drawn.schedule, drawn.costs).makespan());
        }
}

// ---- DiffusionPipe -------------------------------------------------------------------------------------------------

TEST_CASE("DiffusionPipe fills bubbles without delaying the backbone", "[schedule][special]")
{
    // Bubbles of 9 on each of 4 devices; 16 pieces of 1 fit and 1F1B's 33 stay. After the step they prolong it.
    CHECK(makespan(planned("1f1b", 4, 8)) == 33);
    CHECK(makespan(planned("diffusionpipe:frozen=2", 4, 8)) == 33);
    CHECK(makespan(planned("diffusionpipe:frozen=2,fill=after", 4, 8)) > 33);
    // More than fits: no less than all work ÷ devices, no more than a piece above it on any device.
    const Plan more = planned("diffusionpipe:frozen=9", 4, 8);
    const Nanoseconds taken = makespan(more);
    CHECK(taken >= (4 * 24 + 72) / 4);
    CHECK(taken <= 33 + 72 / 4);
    for (const char* cost : {"F=1,B=2,x=0.7", "F=1,B=2,x=3", "F=2,B=2,x=0.25"}) {
        CAPTURE(cost);
        CHECK(simulate(planned("diffusionpipe:frozen=1", 4, 8, 1, cost).schedule,
                       planned("diffusionpipe:frozen=1", 4, 8, 1, cost).costs)
                  .makespan() >=
              simulate(planned("1f1b", 4, 8, 1, cost).schedule, planned("1f1b", 4, 8, 1, cost).costs).makespan());
    }
}

TEST_CASE("DiffusionPipe keeps the encoder's order and feeds the next step", "[schedule][special]")
{
    for (const auto& [devices, microbatches, frozen, steps] :
         std::vector<std::array<int, 4>>{{4, 8, 3, 3}, {1, 4, 2, 2}, {3, 5, 4, 2}, {6, 4, 1, 3}}) {
        CAPTURE(devices, microbatches, frozen, steps);
        const Plan made = planned(fmt::format("diffusionpipe:frozen={}", frozen), devices, microbatches, steps);
        const Schedule& schedule = made.schedule;
        const Timing timing = test::simulateSound(schedule, made.costs);
        std::map<std::pair<int, int>, TaskId> pieces; // (layer, microbatch)
        std::map<int, TaskId> first;
        for (TaskId id{}; id < schedule.tasks.size(); ++id) {
            const Task& task = schedule.tasks[id];
            if (task.work == Work::Filler)
                pieces[{task.stage - devices, task.microbatch.value}] = id;
            if (task.work == Work::Forward && task.stage == 0)
                first[task.microbatch] = id;
        }
        CHECK(pieces.size() == static_cast<std::size_t>(frozen * microbatches * steps));
        for (const auto& [key, id] : pieces) {
            const auto& [layer, microbatch] = key;
            CHECK(microbatch >= microbatches); // the first step's encodings are there
            if (layer > 0)
                CHECK(timing.start[id] >= timing.end[pieces.at({layer - 1, microbatch})]);
            if (layer + 1 == frozen && first.count(microbatch) > 0)
                CHECK(timing.start[first.at(microbatch)] >= timing.end[id]);
        }
        // The consumer really waits: an encoding that takes for ever delays its microbatch.
        if (steps > 1) {
            Costs slow = made.costs;
            slow.perTask.assign(schedule.tasks.size(), unit);
            slow.perTask[pieces.at({frozen - 1, microbatches})] = 1000 * unit;
            CHECK(simulate(schedule, slow).start[first.at(microbatches)] >= 1000 * unit);
        }
    }
}

// ---- GNNPipe -------------------------------------------------------------------------------------------------------

TEST_CASE("GNNPipe turns the order of the chunks from epoch to epoch", "[schedule][special]")
{
    CHECK(lanes(planned("gnnpipe", 2, 3, 3).schedule) ==
          std::vector<std::string>{"0F0 0F1 0B0 0F2 0B1 0B2 0F4 0F5 0B4 0F3 0B5 0B3 0F8 0F6 0B8 0F7 0B6 0B7",
                                   "1F0 1B0 1F1 1B1 1F2 1B2 1F4 1B4 1F5 1B5 1F3 1B3 1F8 1B8 1F6 1B6 1F7 1B7"});
    CHECK(lanes(planned("gnnpipe:epochs=same,order=gpipe", 1, 2, 2).schedule) ==
          std::vector<std::string>{"0F0 0F1 0B0 0B1 0F2 0F3 0B2 0B3"});
    const auto shuffled = [](int seed) {
        return lanes(planned(fmt::format("gnnpipe:epochs=shuffle,seed={}", seed), 2, 8, 3).schedule);
    };
    CHECK(shuffled(1) == shuffled(1));
    CHECK(shuffled(1) != shuffled(2));
    for (const int steps : {1, 4}) {
        const Plan made = planned("gnnpipe", 4, 6, steps);
        CHECK(makespan(made) == steps * (6 + 3) * 3); // (m + p − 1)(F + B) an epoch
        CHECK(made.schedule.semantics.staleState == Semantics::StaleState::PreviousStep);
    }
}

TEST_CASE("GNNPipe's chunks wait for those before them in the epoch", "[schedule][special]")
{
    const Schedule schedule = planned("gnnpipe", 3, 4, 2).schedule;
    std::set<std::string> needs;
    for (const Edge& edge : schedule.dataflow.edges)
        needs.insert(toText(schedule.tasks[edge.from]) + ">" + toText(schedule.tasks[edge.to]));
    CHECK(needs.count("1F0>1F1") == 1);
    CHECK(needs.count("1F5>1F6") == 1); // the second epoch begins with chunk 1
    CHECK(needs.count("1F7>1F4") == 1);
    CHECK(needs.count("1F3>1F5") == 0); // and not after the one before it
    CHECK(needs.size() == 3 * 3 * 2);
}
