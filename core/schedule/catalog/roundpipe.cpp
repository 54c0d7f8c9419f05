// RoundPipe: no stage lives on a device. Weights are kept by the host; stage tasks go round the devices.
//
//     step 0    F0 F1 F2 F3 B3 B2 B1 B0 │ F0 F1 …      the k-th stage task, over all steps, runs on
//     device     0  1  2  3  0  1  2  3 │  0  1 …      device k mod p and takes all m microbatches
//
//     copy-in   l0    l4 …        weights come while the task before still computes (two buffers)
//     compute   F0·0 F0·1 … F0·m−1  B3·0 …
//     copy-out                      p3   gradients leave; the host updates
//
// What F leaves for B goes to the host (o) and comes to wherever B runs (h), at most two microbatches
// ahead. Forward and backward may be cut differently (plan=greedy): the grid's stages are then the
// pieces that both cuts are made of, and a stage task is a run of them.

#include "core/schedule/catalog/catalog.h"
#include "core/schedule/catalog/common.h"

#include <algorithm>
#include <limits>

namespace bubblescope::catalog {
namespace {

using Ref = ScheduleBuilder::Ref;

/// Stages [first, end), all microbatches, on one device.
struct StageTask {
    int first = 0;
    int end = 0;
    bool forward = false;
    bool backward = false; ///< with `forward`: fused, F and B of a microbatch at once
};

int stagesOf(const RecipeRequest& request)
{
    const int stages = request.number("stages");
    return stages > 0 ? stages : request.devices;
}

Shape shapeOf(const RecipeRequest& request)
{
    Shape shape = singlePipe(request);
    shape.stages = stagesOf(request);
    shape.steps = request.steps;
    return shape;
}

/// Every stage is one forward and one backward task.
std::vector<StageTask> equalPlan(int stages)
{
    std::vector<StageTask> plan;
    for (int stage = 0; stage < stages; ++stage)
        plan.push_back({stage, stage + 1, true, false});
    for (int stage = stages - 1; stage >= 0; --stage)
        plan.push_back({stage, stage + 1, false, true});
    return plan;
}

/// The published planner (ITcarrot/RoundPipe): for every candidate of the longest stage task, pack greedily.
class GreedyPlan {
public:
    GreedyPlan(const RecipeRequest& request, const Costs& costs)
        : m_stages(stagesOf(request)), m_devices(request.devices), m_most(request.number("limit"))
    {
        for (int stage = 0; stage < m_stages; ++stage) {
            m_forward.push_back(costs.duration(Work::Forward, Stage(stage)));
            m_backward.push_back(costs.duration(Work::Backward, Stage(stage)));
        }
    }

    std::vector<StageTask> operator()() const
    {
        std::vector<StageTask> best;
        double lowest = std::numeric_limits<double>::max();
        for (const Nanoseconds longest : candidates()) {
            std::vector<StageTask> plan = pack(longest);
            const auto rounds = static_cast<double>(std::max<std::size_t>(plan.size(), std::size_t(m_devices)));
            if (rounds * double(longest) < lowest) {
                lowest = rounds * double(longest);
                best = std::move(plan);
            }
        }
        return best;
    }

private:
    /// All sums of neighbours from the longest single stage up to a tenth more.
    std::vector<Nanoseconds> candidates() const
    {
        const Nanoseconds least = std::max(*std::max_element(m_forward.begin(), m_forward.end()),
                                           *std::max_element(m_backward.begin(), m_backward.end()));
        std::vector<Nanoseconds> sums;
        for (const std::vector<Nanoseconds>* times : {&m_forward, &m_backward})
            for (std::size_t first = 0; first < times->size(); ++first) {
                Nanoseconds sum = 0;
                for (std::size_t i = first; i < times->size() && 10 * sum <= 11 * least; ++i) {
                    sum += (*times)[i];
                    if (sum >= least && 10 * sum <= 11 * least)
                        sums.push_back(sum);
                }
            }
        std::sort(sums.begin(), sums.end());
        sums.erase(std::unique(sums.begin(), sums.end()), sums.end());
        return sums;
    }

    /// The first stage of the longest task that ends before `end` and takes no longer than `longest`.
    int packDown(const std::vector<Nanoseconds>& times, int end, Nanoseconds longest) const
    {
        int first = end - 1;
        Nanoseconds sum = times[static_cast<std::size_t>(first)];
        while (first > 0 && (m_most == 0 || end - first < m_most) &&
               sum + times[static_cast<std::size_t>(first - 1)] <= longest)
            sum += times[static_cast<std::size_t>(--first)];
        return first;
    }

    /// The end of the longest task that begins at `first`.
    int packUp(const std::vector<Nanoseconds>& times, int first, int last, Nanoseconds longest) const
    {
        int end = first + 1;
        Nanoseconds sum = times[static_cast<std::size_t>(first)];
        while (end < last && (m_most == 0 || end - first < m_most) &&
               sum + times[static_cast<std::size_t>(end)] <= longest)
            sum += times[static_cast<std::size_t>(end++)];
        return end;
    }

    /// The last stages are one fused task; forwards of the rest are packed from the end, backwards from the front.
    std::vector<StageTask> pack(Nanoseconds longest) const
    {
        const int fused = packDown(m_backward, m_stages, longest);
        std::vector<StageTask> plan;
        for (int end = fused; end > 0;) {
            const int first = packDown(m_forward, end, longest);
            plan.insert(plan.begin(), {first, end, true, false});
            end = first;
        }
        plan.push_back({fused, m_stages, true, true});
        const std::size_t backwards = plan.size();
        for (int first = 0; first < fused;) {
            const int end = packUp(m_backward, first, fused, longest);
            plan.insert(plan.begin() + static_cast<std::ptrdiff_t>(backwards), {first, end, false, true});
            first = end;
        }
        return plan;
    }

    int m_stages;
    int m_devices;
    int m_most;
    std::vector<Nanoseconds> m_forward;
    std::vector<Nanoseconds> m_backward;
};

std::vector<StageTask> planOf(const RecipeRequest& request)
{
    if (request.parameter("plan") == "equal")
        return equalPlan(stagesOf(request));
    if (request.costs != nullptr)
        return GreedyPlan(request, *request.costs)();
    Costs costs(stagesOf(request));
    costs.set(Work::Forward, unit);
    costs.set(Work::Backward, 2 * unit);
    return GreedyPlan(request, costs)();
}

/// Writes the stage tasks of all steps with their copies.
class Round {
public:
    explicit Round(const RecipeRequest& request)
        : m_request(request)
        , m_plan(planOf(request))
        , m_builder(shapeOf(request))
        , m_host(m_builder.lane(Device(request.devices), LaneKind::Host))
        , m_visits(static_cast<std::size_t>(request.devices))
        , m_outs(static_cast<std::size_t>(request.devices))
        , m_stages(static_cast<std::size_t>(stagesOf(request)))
    {
    }

    Schedule operator()()
    {
        for (int step = 0; step < m_request.steps; ++step)
            for (const StageTask& stageTask : m_plan)
                write(stageTask, step);
        Semantics& semantics = m_builder.schedule().semantics;
        semantics.updateEvery = m_request.microbatches;
        if (delay() == 2) {
            semantics.forwardReads = Semantics::ForwardReads::Delayed;
            semantics.maxVersions = 2;
            semantics.maxDrift = 1;
        }
        return m_builder.finish();
    }

private:
    /// The step's weights are those that the update of this many steps before has made.
    int delay() const { return m_request.parameter("update") == "async" ? 2 : 1; }

    void write(const StageTask& stageTask, int step)
    {
        const Device device(m_number % m_request.devices);
        const std::vector<Ref> loads = load(stageTask, device, step);
        const int m = m_request.microbatches;
        for (int i = step * m; i < (step + 1) * m; ++i)
            visit(stageTask, device, i, i == step * m ? &loads : nullptr);
        m_lastOfTask.push_back(m_visits[device].back());
        m_lastStore.emplace_back();
        ++m_number;
        if (!stageTask.backward)
            return;
        for (int stage = stageTask.end - 1; stage >= stageTask.first; --stage) {
            const Ref store =
                m_builder.add(m_builder.lane(device, LaneKind::CopyOut, 0), task(Work::StoreGradients, stage, step));
            OfStage& own = m_stages[static_cast<std::size_t>(stage)];
            m_builder.edge(own.backward, store);
            m_lastStore.back() = store;
            if (!own.updates.empty()) // which has cleared the host's gradients
                m_builder.edge(own.updates.back(), store);
            const Ref update = m_builder.add(m_host, task(Work::Update, stage, step));
            m_builder.edge(store, update);
            own.updates.push_back(update);
        }
    }

    /// Weights come into the buffer that the device's task before last has left.
    std::vector<Ref> load(const StageTask& stageTask, Device device, int step)
    {
        std::vector<Ref> loads;
        for (int stage = stageTask.first; stage < stageTask.end; ++stage) {
            Task copy = task(Work::LoadWeights, stage, step);
            copy.part = Part(stageTask.forward ? 0 : 1);
            loads.push_back(m_builder.add(m_builder.lane(device, LaneKind::CopyIn, 0), copy));
            if (m_number >= 2 * m_request.devices)
                m_builder.edge(m_lastOfTask[static_cast<std::size_t>(m_number - 2 * m_request.devices)], loads.back());
            if (step >= delay())
                m_builder.edge(
                    m_stages[static_cast<std::size_t>(stage)].updates[static_cast<std::size_t>(step - delay())],
                    loads.back(), Payload::Weight);
        }
        return loads;
    }

    /// One microbatch in a stage task.
    void visit(const StageTask& stageTask, Device device, int microbatch, const std::vector<Ref>* loads)
    {
        const auto afterLoad = [&](int stage, Ref work) {
            if (loads != nullptr)
                m_builder.edge((*loads)[static_cast<std::size_t>(stage - stageTask.first)], work, Payload::Weight);
        };
        Ref last{};
        std::optional<Ref> out;
        for (int stage = stageTask.first; stageTask.forward && stage < stageTask.end; ++stage) {
            last = m_builder.compute(device, task(Work::Forward, stage, microbatch));
            afterLoad(stage, last);
            if (const auto& outs = m_outs[device];
                stage == stageTask.first && outs.size() >= 2 && outs[outs.size() - 2])
                m_builder.edge(*outs[outs.size() - 2], last); // two microbatches' activations at most
            if (!stageTask.backward)
                out = offload(device, stage, microbatch, last);
        }
        for (int stage = stageTask.end - 1; stageTask.backward && stage >= stageTask.first; --stage) {
            const bool away = !stageTask.forward;
            const Ref back = away ? reload(device, stage, microbatch) : Ref{};
            last = m_builder.compute(device, task(Work::Backward, stage, microbatch));
            m_stages[static_cast<std::size_t>(stage)].backward = last;
            if (away) {
                m_builder.edge(back, last, Payload::Stash);
                afterLoad(stage, last);
            }
            const int before = m_number - 2 * m_request.devices; // has left the buffer of gradients
            if (loads != nullptr && stage + 1 == stageTask.end && before >= 0 &&
                m_lastStore[static_cast<std::size_t>(before)])
                m_builder.edge(*m_lastStore[static_cast<std::size_t>(before)], last);
        }
        m_visits[device].push_back(last);
        m_outs[device].push_back(out);
    }

    Ref offload(Device device, int stage, int microbatch, Ref forward)
    {
        const Ref copy =
            m_builder.add(m_builder.lane(device, LaneKind::CopyOut, 1), task(Work::Offload, stage, microbatch));
        m_builder.edge(forward, copy, Payload::Stash);
        m_stages[static_cast<std::size_t>(stage)].offloads.push_back(copy);
        return copy;
    }

    Ref reload(Device device, int stage, int microbatch)
    {
        const Ref copy =
            m_builder.add(m_builder.lane(device, LaneKind::CopyIn, 1), task(Work::Reload, stage, microbatch));
        m_builder.edge(m_stages[static_cast<std::size_t>(stage)].offloads[static_cast<std::size_t>(microbatch)], copy,
                       Payload::Stash);
        if (const std::vector<Ref>& visits = m_visits[device]; visits.size() >= 2)
            m_builder.edge(visits[visits.size() - 2], copy);
        return copy;
    }

    struct OfStage {
        Ref backward;              // the last one
        std::vector<Ref> offloads; // by microbatch
        std::vector<Ref> updates;
    };

    const RecipeRequest& m_request;
    const std::vector<StageTask> m_plan;
    ScheduleBuilder m_builder;
    const std::uint32_t m_host;
    int m_number = 0; // of the stage task, over all steps
    std::vector<Ref> m_lastOfTask;
    std::vector<std::vector<Ref>> m_visits;              // by device: last task of each microbatch's visit
    std::vector<std::vector<std::optional<Ref>>> m_outs; // by device: last offload of each visit
    std::vector<std::optional<Ref>> m_lastStore;         // by number
    std::vector<OfStage> m_stages;
};

Schedule generate(const RecipeRequest& request)
{
    return Round(request)();
}

std::vector<std::string> problems(const RecipeRequest& request)
{
    constexpr std::int64_t most = 50'000'000;
    if (std::int64_t{stagesOf(request)} * request.microbatches <= most)
        return {};
    return {fmt::format("{} stages times {} microbatches are more tasks than fit in memory; {} microbatches do.",
                        stagesOf(request), request.microbatches, most / stagesOf(request))};
}

std::vector<std::string> warnings(const RecipeRequest& request)
{
    std::vector<std::string> sentences;
    if (request.microbatches < request.devices)
        sentences.push_back(fmt::format("{} microbatches are fewer than {} devices: every round takes as long as {}. "
                                        "{} or more leave no gaps between rounds.",
                                        request.microbatches, request.devices, request.devices, request.devices));
    const int tasks = 2 * stagesOf(request);
    if (request.parameter("plan") == "equal" && request.steps == 1 && tasks % request.devices != 0)
        sentences.push_back(fmt::format("{} stage tasks don't fill their last round on {} devices; chained steps go "
                                        "on where it ends.",
                                        tasks, request.devices));
    return sentences;
}

std::optional<Theory> theory(const RecipeRequest& request, const Costs& costs)
{
    const Nanoseconds f = meanCost(costs, Work::Forward);
    const Nanoseconds b = meanCost(costs, Work::Backward);
    const int p = request.devices;
    const int m = request.microbatches;
    const int rounds = stagesOf(request) / p; // of forwards, and as many of backwards
    if (!uniformAndFree(costs) || request.parameter("plan") != "equal" || stagesOf(request) % p != 0)
        return std::nullopt;
    for (const Work work : {Work::LoadWeights, Work::StoreGradients, Work::Update, Work::Offload, Work::Reload})
        if (meanCost(costs, work) != 0)
            return std::nullopt;
    const bool chained = request.steps > 1;
    if (chained && request.parameter("update") != "async")
        return std::nullopt;
    const double peak = p == 1 && m == 1 && rounds == 1 ? 1 : 2;
    const std::string source =
        "RoundPipe, derived and checked by simulation: makespan tau(k((n/p-1)max(m,p)+m)+p-1) for k steps";
    if (f == b) // a round takes max(m, p), the last one of a step m
        return Theory{f * (Nanoseconds{request.steps} * (2 * rounds - 1) * std::max(0, p - m) + p - 1), "makespan",
                      peak, source};
    // Devices stay (p−1)·max(F,B) apart once the longer kind has spread them.
    const Nanoseconds spread = (p - 1) * std::max(f, b);
    const bool forwardsWait = chained && b > f && spread > (m - 1) * f;
    const bool backwardsWait = f > b && spread > (m - 1) * b;
    if (m < p || forwardsWait || backwardsWait)
        return std::nullopt;
    return Theory{spread, "makespan", peak, source + "; with F and B apart (p-1)max(F,B)"};
}

} // namespace

const RecipeInfo roundPipe{
    .id = "roundpipe",
    .title = "RoundPipe",
    .paper = "RoundPipe, ITcarrot/RoundPipe on GitHub (training on consumer GPUs with weights in host memory)",
    .idea = "Stages aren't bound to devices: weights stay with the host, and stage tasks go round the devices.",
    .page = R"(All weights, gradients and optimizer states are in host memory. A step is a list of n stage tasks,
the forward ones and then the backward ones; the k-th, counted over all steps, runs on device k mod p
and takes all m microbatches one after another. Its weights come while the task before still computes,
into the second of two buffers; its gradients leave afterwards and the host updates.

As no device owns a stage, every cut of the model fits any number of devices, and the next step
continues where this one ended: the p-1 of filling are paid once, not once a step.

    p=4 m=4 n=8, tasks of 1: one step 11; ten chained steps 83 of which 80 are work

`update=async` lets a step read the weights of the update before last, so that its first tasks don't
wait for the host; `sync` reads the last one and pays the filling every step. Costs of the copies:
`--cost l=…,p=…` for weights and gradients of a stage, `o` and `h` for a microbatch's activations, U on
the host.

`plan=equal` makes every stage one forward and one backward task. `plan=greedy` is the published
planner: `stages` are then layers; the last forward and the first backward task are one (fused: its
forward is the recomputation), and forwards, being shorter, take more layers than backwards. It tries
every longest time from the longest layer's up to a tenth more and packs forwards from the end and
backwards from the front; `limit` bounds a task's layers (half of the device's memory, since two
tasks' weights are there at a time).

Derived by us: closed forms, the two microbatches that reloads run ahead, and that the paper's
priority of weights over activations is two copy lanes here.

Use it where weights don't fit the devices' memory together and the host's link is fast enough to bring
a stage's weights in the time of m microbatches.)",
    .formulas = "k steps of n equal tasks on p devices, n a multiple of p: makespan tau(k((n/p-1)max(m,p)+m)+p-1); "
                "for m of p or more that is tau((kn/p)m+p-1), so idle (p-1)tau per device however many steps",
    .parameters = {{"stages", "stages of the model; 0: as many as devices", "0", {}, 0, 4096},
                   {"plan", "how stage tasks are cut", "equal", {"equal", "greedy"}},
                   {"update", "which update's weights a step reads", "async", {"async", "sync"}},
                   {"limit", "most stages of one task (plan=greedy); 0: any number", "0", {}, 0, 4096}},
    .writesSteps = true,
    .constraints = "any m and any number of stages of 1 or more; weights of at most two stage tasks on a device",
    .problems = problems,
    .warnings = warnings,
    .shape = shapeOf,
    .generate = generate,
    .theory = theory,
};

} // namespace bubblescope::catalog
