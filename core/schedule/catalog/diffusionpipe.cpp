// DiffusionPipe: 1F1B for the trained backbone; frozen encoders of the next step run in its bubbles.
//
//     0: F0 F1 F2 F3 x. x. x.    B0 F4    B1 …
//     1: x.  F0 F1 F2 x.    B0 F3 B1 …                 x: a frozen layer for a microbatch of the next step
//
// The backbone's order is simulated with the costs given; its gaps are then filled in the order of time,
// largest piece first. A piece is one frozen layer on one microbatch (the paper cuts a layer's batch the
// same way where the whole doesn't fit). The layers of the encoder keep their order for each microbatch.

#include "core/schedule/catalog/catalog.h"
#include "core/schedule/catalog/common.h"
#include "core/simulate/simulate.h"

#include <algorithm>
#include <limits>
#include <map>

namespace bubblescope::catalog {
namespace {

constexpr Nanoseconds never = std::numeric_limits<Nanoseconds>::max();

Shape shapeOf(const RecipeRequest& request)
{
    Shape shape = singlePipe(request);
    shape.components = request.number("frozen");
    return shape;
}

/// The backbone's compute lanes: 1F1B.
std::vector<std::vector<Task>> backbone(const RecipeRequest& request)
{
    const int p = request.devices;
    const int m = request.microbatches;
    std::vector<std::vector<Task>> lanes;
    for (int stage = 0; stage < p; ++stage) {
        std::vector<Task>& lane = lanes.emplace_back();
        int forward = 0;
        while (forward < std::min(m, p - 1 - stage))
            lane.push_back(task(Work::Forward, stage, forward++));
        for (int backward = 0; backward < m; ++backward) {
            if (forward < m)
                lane.push_back(task(Work::Forward, stage, forward++));
            lane.push_back(task(Work::Backward, stage, backward));
        }
    }
    return lanes;
}

/// One step of these lanes; a frozen layer of a microbatch waits for the layer before it.
Schedule step(const RecipeRequest& request, const std::vector<std::vector<Task>>& lanes)
{
    ScheduleBuilder builder(shapeOf(request));
    std::map<std::pair<int, int>, ScheduleBuilder::Ref> frozen; // (stage, microbatch)
    for (std::size_t device = 0; device < lanes.size(); ++device)
        for (const Task& task : lanes[device]) {
            const auto at = builder.compute(Device(device), task);
            if (task.work == Work::Filler)
                frozen[{task.stage.value, task.microbatch.value}] = at;
        }
    for (const auto& [key, at] : frozen)
        if (const auto before = frozen.find({key.first - 1, key.second}); before != frozen.end())
            builder.edge(before->second, at, Payload::Activation);
    builder.placeLooped();
    builder.endSynchronousStep();
    return builder.finish();
}

/// Puts pieces of frozen work into the gaps of a timed step.
class Filling {
public:
    Filling(const RecipeRequest& request, const Costs& costs) : m_request(request), m_costs(costs)
    {
        const auto layers = static_cast<std::size_t>(request.number("frozen"));
        m_next.assign(static_cast<std::size_t>(request.microbatches), 0);
        m_ready.assign(m_next.size(), 0);
        m_last.assign(m_next.size(), Device{});
        m_left = layers * m_next.size();
        m_layers = static_cast<int>(layers);
        while (m_begun < std::min(m_next.size(), window))
            m_open.push_back(m_begun++);
        for (int layer = 0; layer < m_layers; ++layer)
            m_shortest = std::min(m_shortest, costs.duration(Work::Filler, Stage(request.devices + layer)));
    }

    /// The lanes with the pieces among their tasks.
    std::vector<std::vector<Task>> operator()(std::vector<std::vector<Task>> lanes)
    {
        const Schedule base = step(m_request, lanes);
        const Timing timing = simulate(base, m_costs);
        m_clocks.assign(lanes.size(), {});
        m_placed.assign(lanes.size(), {});
        for (std::size_t device = 0; device < lanes.size(); ++device) {
            const TaskId begin = base.lanes[base.computeLane(Device(device))].begin;
            for (std::size_t i = 0; i < lanes[device].size(); ++i)
                m_clocks[device].busy.emplace_back(timing.start[begin + i], timing.end[begin + i]);
            m_clocks[device].busy.emplace_back(timing.finish, never); // the end of the step
        }
        if (m_request.parameter("fill") == "bubbles")
            fill();
        for (Clock& clock : m_clocks) { // what found no gap prolongs the step
            clock.at = clock.busy.size() - 1;
            clock.now = std::max(clock.now, clock.busy.size() > 1 ? clock.busy[clock.at - 1].second : timing.begin);
            clock.busy.back().first = never;
        }
        fill();
        for (std::size_t device = 0; device < lanes.size(); ++device)
            lanes[device] = merged(lanes[device], m_placed[device]);
        return lanes;
    }

private:
    using Placed = std::vector<std::pair<std::size_t, Task>>; // before which task

    static constexpr std::size_t window = 64; // microbatches that are looked at together

    static std::vector<Task> merged(const std::vector<Task>& tasks, const Placed& placed)
    {
        std::vector<Task> lane;
        auto piece = placed.begin();
        for (std::size_t i = 0; i <= tasks.size(); ++i) {
            for (; piece != placed.end() && piece->first == i; ++piece)
                lane.push_back(piece->second);
            if (i < tasks.size())
                lane.push_back(tasks[i]);
        }
        return lane;
    }

    /// How far a device has come: inside the gap before its task number `at`.
    struct Clock {
        Nanoseconds now = 0;
        std::size_t at = 0;
        std::vector<std::pair<Nanoseconds, Nanoseconds>> busy; // from, to
        bool ended = false;
    };

    Nanoseconds length(std::size_t microbatch) const
    {
        return m_costs.duration(Work::Filler, Stage(m_request.devices + m_next[microbatch]));
    }

    /// When the microbatch's next layer can start on this device.
    Nanoseconds readyOn(std::size_t microbatch, std::size_t device) const
    {
        if (m_next[microbatch] == 0 || m_last[microbatch] == device)
            return m_ready[microbatch];
        const Stage before(m_request.devices + m_next[microbatch] - 1);
        const Hop& hop = m_costs.hop(m_last[microbatch], Device(device));
        return m_ready[microbatch] + hop.latency + hop.occupation(m_costs.messageBytes(Payload::Activation, before));
    }

    void fill()
    {
        for (Clock& clock : m_clocks)
            clock.ended = false;
        while (m_left > 0) {
            std::size_t device = m_clocks.size();
            for (std::size_t i = 0; i < m_clocks.size(); ++i)
                if (!m_clocks[i].ended && (device == m_clocks.size() || m_clocks[i].now < m_clocks[device].now))
                    device = i;
            if (device == m_clocks.size())
                return;
            advance(device);
        }
    }

    /// Places the largest piece that fits now; otherwise waits for the next one that will, or leaves the gap.
    void advance(std::size_t device)
    {
        Clock& clock = m_clocks[device];
        const Nanoseconds end = clock.busy[clock.at].first;
        if (end != never && clock.now + m_shortest > end)
            return leaveGap(clock);
        std::size_t best = m_next.size();
        Nanoseconds soonest = never;
        for (const std::size_t i : m_open) {
            const Nanoseconds start = std::max(clock.now, readyOn(i, device));
            if (end != never && start + length(i) > end)
                continue;
            soonest = std::min(soonest, start);
            if (start == clock.now && (best == m_next.size() || length(i) > length(best)))
                best = i;
        }
        if (best < m_next.size()) {
            place(best, device);
        } else if (soonest != never) {
            clock.now = soonest;
        } else {
            leaveGap(clock);
        }
    }

    static void leaveGap(Clock& clock)
    {
        clock.ended = clock.at + 1 == clock.busy.size();
        if (clock.ended)
            return;
        clock.now = std::max(clock.now, clock.busy[clock.at].second);
        ++clock.at;
    }

    void place(std::size_t microbatch, std::size_t device)
    {
        Clock& clock = m_clocks[device];
        const int next = m_request.microbatches + static_cast<int>(microbatch); // of the step after
        m_placed[device].emplace_back(clock.at, task(Work::Filler, m_request.devices + m_next[microbatch], next));
        clock.now += length(microbatch);
        m_ready[microbatch] = clock.now;
        m_last[microbatch] = Device(device);
        --m_left;
        if (++m_next[microbatch] < m_layers)
            return;
        m_open.erase(std::find(m_open.begin(), m_open.end(), microbatch));
        if (m_begun < m_next.size())
            m_open.push_back(m_begun++);
    }

    const RecipeRequest& m_request;
    const Costs& m_costs;
    int m_layers = 0;
    std::size_t m_left = 0;
    Nanoseconds m_shortest = never;
    std::vector<std::size_t> m_open; // microbatches whose encoding is under way, or next
    std::size_t m_begun = 0;
    std::vector<int> m_next;          // by microbatch: its next frozen layer
    std::vector<Nanoseconds> m_ready; // end of the layer before it
    std::vector<Device> m_last;       // and where that ran
    std::vector<Clock> m_clocks;
    std::vector<Placed> m_placed; // by device
};

Costs defaultCosts(const Shape& shape)
{
    Costs costs(shape.allStages());
    costs.set(Work::Forward, unit);
    costs.set(Work::Backward, 2 * unit);
    costs.set(Work::Filler, unit);
    return costs;
}

Schedule generate(const RecipeRequest& request)
{
    const Costs costs = request.costs != nullptr ? *request.costs : defaultCosts(shapeOf(request));
    Schedule all = repeatSteps(step(request, Filling(request, costs)(backbone(request))), request.steps);
    const int last = request.devices + request.number("frozen") - 1;
    std::map<int, TaskId> encoded; // by microbatch: the encoder's last layer
    for (TaskId id{}; id < all.tasks.size(); ++id)
        if (all.tasks[id].work == Work::Filler && all.tasks[id].stage == last)
            encoded[all.tasks[id].microbatch] = id;
    for (TaskId id{}; id < all.tasks.size(); ++id)
        if (const Task& task = all.tasks[id]; task.work == Work::Forward && task.stage == 0)
            if (const auto found = encoded.find(task.microbatch); found != encoded.end())
                all.dataflow.edges.push_back({found->second, id, Payload::Activation});
    std::stable_sort(all.dataflow.edges.begin(), all.dataflow.edges.end(),
                     [](const Edge& a, const Edge& b) { return a.to < b.to; });
    return all;
}

} // namespace

const RecipeInfo diffusionPipe{
    .id = "diffusionpipe",
    .title = "DiffusionPipe",
    .paper =
        "Tian et al. 2024, DiffusionPipe: Training Large Diffusion Models with Efficient Pipelines, arXiv 2405.01248",
    .idea = "A frozen encoder's forwards for the next step are cut into pieces that fill the bubbles of this one.",
    .page = R"(Diffusion models train a backbone on what frozen encoders (text, image) make of the data. The
encoders have no backward and nothing of this step depends on the next step's data, so their work can
run wherever a device is idle.

The backbone runs 1F1B. Its gaps are taken from a simulation with the costs given, and filled in the
order of time: of the pieces that are ready and fit, the longest goes first. A piece is one frozen
layer on one microbatch of the next step. What doesn't fit is run at the end of the step and prolongs
it. `fill=after` runs all of it there, for comparison; `--cost x=…` is the time of a piece (F's if not
given). Frozen layers run on any device, so each device keeps all of their weights.

The schedule shows steady state: the first step's encodings are taken as there, and the last listed
step computes those of the one after.

Derived by us from the abstract: the order of the filling and pieces of one microbatch. Left out: the
paper's partitioning of backbones and its two backbones in opposite directions.

Use it where frozen parts take a notable share of a step. It costs the encodings of one step in memory.)",
    .formulas = "idle of the backbone (p-1)(F+B) per device before filling; what was filled less afterwards. Makespan "
                "of a step (m-1) max t + sum t over the stages' t=F+B where everything fits. No closed form published "
                "for the filled order",
    .parameters = {{"frozen", "layers of the frozen encoder", "2", {}, 1, 1000},
                   {"fill", "where they run", "bubbles", {"bubbles", "after"}}},
    .writesSteps = true,
    .constraints = "any m of 1 or more; the encoder's layers stay in their order for each microbatch; a microbatch's "
                   "first forward waits for its encoding from the step before",
    .problems = noProblems,
    .warnings = warnFewMicrobatches,
    .shape = shapeOf,
    .generate = generate,
};

} // namespace bubblescope::catalog
