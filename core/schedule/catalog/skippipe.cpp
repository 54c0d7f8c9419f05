// SkipPipe: each microbatch visits only some of the stages, along a path of devices without collisions.
//
//     device 0  (stage 0)   F0 F1 F2 F3       B0 B1 B2 B3     on every path
//     device 1  (stage 1)      F0    F2    B0    B2           microbatches 1 and 3 skip it
//     device 2  (stage 2)         F1    F3    B1    B3        microbatches 0 and 2 skip it
//     device 3  (stage 3)         F0 F1 F2 F3 B0 …            the head: on every path
//
// The paths come from core/schedule/search/paths.h. A stage may have several devices (replicas); each
// microbatch takes one of them. Backward goes back along the same path. Replicas add up their gradients
// before the update.

#include "core/schedule/catalog/catalog.h"
#include "core/schedule/catalog/common.h"
#include "core/schedule/search/paths.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>

namespace bubblescope::catalog {
namespace {

using Ref = ScheduleBuilder::Ref;

int stagesOf(const RecipeRequest& request)
{
    const int stages = request.number("stages");
    return stages > 0 ? stages : request.devices;
}

Shape shapeOf(const RecipeRequest& request)
{
    Shape shape = singlePipe(request);
    shape.stages = stagesOf(request);
    return shape;
}

/// The share that isn't skipped, in whole stages; both ends stay.
int pathLength(const RecipeRequest& request)
{
    const int stages = stagesOf(request);
    const auto kept = static_cast<int>(std::lround(stages * (1 - request.decimal("skip"))));
    return std::clamp(kept, std::min(stages, 2), stages);
}

/// "5+3+3" → 5, 3, 3; empty where a part is no number of 1 or more.
std::vector<int> parseNodes(const std::string& text)
{
    std::vector<int> nodes;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find('+', begin), text.size());
        int count = 0;
        const auto [stop, status] = std::from_chars(text.data() + begin, text.data() + end, count);
        if (status != std::errc{} || stop != text.data() + end || count < 1)
            return {};
        nodes.push_back(count);
        begin = end + 1;
    }
    return nodes;
}

/// Devices of each stage: as asked for, or one each and every further one where most visits come to a device.
std::vector<int> nodesOf(const RecipeRequest& request)
{
    if (const std::string& asked = request.parameter("nodes"); !asked.empty())
        return parseNodes(asked);
    const int stages = stagesOf(request);
    std::vector<int> nodes(static_cast<std::size_t>(stages), 1);
    const double middle = stages > 2 ? double(pathLength(request) - 2) / (stages - 2) : 1; // visits of a microbatch
    for (int spare = request.devices - stages; spare > 0; --spare) {
        std::size_t busiest = 0;
        double most = 0;
        for (std::size_t stage = 0; stage < nodes.size(); ++stage) {
            const double load = (stage == 0 || stage + 1 == nodes.size() ? 1 : middle) / nodes[stage];
            if (load > most * (1 + 1e-9)) {
                most = load;
                busiest = stage;
            }
        }
        ++nodes[busiest];
    }
    return nodes;
}

PathProblem pathProblem(const RecipeRequest& request)
{
    PathProblem problem;
    problem.nodes = nodesOf(request);
    problem.microbatches = request.microbatches;
    problem.length = pathLength(request);
    problem.memory = request.number("memory");
    problem.swaps = request.parameter("swap") == "yes";
    problem.drawsStages = request.parameter("paths") == "random";
    problem.seed = static_cast<std::uint64_t>(request.number("seed"));
    problem.rounds = std::clamp(4096 / request.microbatches, 2, 64);
    for (std::size_t stage = 0; stage < problem.nodes.size(); ++stage) {
        const Costs* costs = request.costs;
        problem.forward.push_back(costs != nullptr ? costs->duration(Work::Forward, Stage(stage)) : unit);
        problem.backward.push_back(costs != nullptr ? costs->duration(Work::Backward, Stage(stage)) : 2 * unit);
    }
    if (request.costs == nullptr)
        return problem;
    for (int from = 0; from < request.devices; ++from)
        for (int to = 0; to < request.devices; ++to) {
            const Hop& hop = request.costs->hop(Device(from), Device(to));
            problem.delay.push_back(hop.latency +
                                    hop.occupation(request.costs->messageBytes(Payload::Activation, Stage{})));
        }
    return problem;
}

/// Writes the schedule of found paths.
class Paths {
public:
    Paths(const RecipeRequest& request, const PathProblem& problem, const PathPlan& plan)
        : m_nodes(problem.nodes), m_plan(plan), m_builder(shapeOf(request))
    {
    }

    Schedule operator()()
    {
        writePaths();
        writeTasks();
        Device first{};
        for (std::size_t stage = 0; stage < m_nodes.size(); ++stage)
            for (int node = 0; node < m_nodes[stage]; ++node, ++first)
                m_homes.emplace_back(Stage(stage), first, node);
        const bool replicas = m_homes.size() > m_nodes.size();
        if (replicas)
            addUp();
        endStep();
        Semantics& semantics = m_builder.schedule().semantics;
        semantics.updateEvery = m_builder.schedule().shape.microbatches.front();
        semantics.stepBarrier = Semantics::StepBarrier::Group;
        semantics.replicas = replicas ? Semantics::Replicas::SumBeforeUpdate : Semantics::Replicas::None;
        return m_builder.finish();
    }

private:
    void writePaths()
    {
        std::map<std::vector<Stage>, std::uint16_t> known;
        for (const std::vector<PathVisit>& path : m_plan.paths) {
            std::vector<Stage> stages;
            for (const PathVisit& visit : path)
                stages.emplace_back(visit.stage);
            const auto [entry, isNew] = known.try_emplace(stages, known.size());
            if (isNew)
                m_builder.path(stages);
            m_builder.schedule().pathOfMicrobatch.push_back(entry->second);
        }
    }

    /// The order in which the search has reserved the devices.
    void writeTasks()
    {
        std::vector<std::tuple<Nanoseconds, int, int, int, int>> tasks; // start, position on the path there and back, …
        for (std::size_t i = 0; i < m_plan.paths.size(); ++i) {
            const auto& path = m_plan.paths[i];
            for (std::size_t k = 0; k < path.size(); ++k) {
                const auto at = static_cast<int>(k);
                const int back = 2 * static_cast<int>(path.size()) - at;
                tasks.emplace_back(path[k].forward, at, static_cast<int>(i), path[k].node, path[k].stage);
                tasks.emplace_back(path[k].backward, back, static_cast<int>(i), path[k].node, path[k].stage);
            }
        }
        std::sort(tasks.begin(), tasks.end());
        m_lastBackward.resize(static_cast<std::size_t>(std::accumulate(m_nodes.begin(), m_nodes.end(), 0)));
        for (const auto& [start, at, microbatch, node, stage] : tasks) {
            const bool forward = at < static_cast<int>(m_plan.paths[static_cast<std::size_t>(microbatch)].size());
            const Ref ref =
                m_builder.compute(Device(node), task(forward ? Work::Forward : Work::Backward, stage, microbatch));
            if (!forward)
                m_lastBackward[static_cast<std::size_t>(node)] = ref;
        }
    }

    /// The gradients of a stage's replicas are summed once the last backward of each has ended.
    void addUp()
    {
        std::map<Stage, std::vector<Ref>> members;
        for (const auto& [stage, device, replica] : m_homes) {
            if (m_nodes[stage] == 1)
                continue;
            Task sum = task(Work::AllReduce, stage, 0);
            sum.part = Part(replica);
            const Ref member = m_builder.add(m_builder.lane(device, LaneKind::Collective), sum);
            if (m_lastBackward[device])
                m_builder.edge(*m_lastBackward[device], member, Payload::None);
            members[stage].push_back(member);
            m_sums[device] = member;
        }
        for (const auto& [stage, group] : members)
            m_builder.group(group);
    }

    /// Barrier and updates: also on devices that no path has led to, whose weights have to stay equal.
    void endStep()
    {
        std::vector<Ref> barrier;
        for (const auto& [stage, device, replica] : m_homes) {
            barrier.push_back(m_builder.compute(device, {.work = Work::Barrier, .part = Part(device.value)}));
            Task update = task(Work::Update, stage, 0);
            update.part = Part(replica);
            const Ref ref = m_builder.compute(device, update);
            if (const auto sum = m_sums.find(device); sum != m_sums.end())
                m_builder.edge(sum->second, ref, Payload::None);
        }
        if (barrier.size() > 1)
            m_builder.group(barrier);
        std::map<Stage, std::vector<Device>> homes;
        for (const auto& [stage, device, replica] : m_homes)
            homes[stage].push_back(device);
        for (const auto& [stage, devices] : homes)
            m_builder.place(Pipe{}, stage, devices);
    }

    const std::vector<int>& m_nodes; // by stage
    const PathPlan& m_plan;
    ScheduleBuilder m_builder;
    std::vector<std::tuple<Stage, Device, int>> m_homes; // stage, device, number of the replica
    std::vector<std::optional<Ref>> m_lastBackward;      // by device
    std::map<Device, Ref> m_sums;
};

Schedule generate(const RecipeRequest& request)
{
    const PathProblem problem = pathProblem(request);
    const PathPlan plan = findPaths(problem, Progress());
    return Paths(request, problem, plan)();
}

std::vector<std::string> problems(const RecipeRequest& request)
{
    constexpr int most = 65'535;
    const int stages = stagesOf(request);
    if (stages > request.devices)
        return {fmt::format("{} devices can't hold {} stages, since each needs one of its own; stages={} or less can.",
                            request.devices, stages, request.devices)};
    if (request.microbatches > most)
        return {fmt::format("Paths for {} microbatches can't be searched; up to {} can.", request.microbatches, most)};
    if (const std::string& asked = request.parameter("nodes"); !asked.empty()) {
        const std::vector<int> nodes = parseNodes(asked);
        const int sum = std::accumulate(nodes.begin(), nodes.end(), 0);
        if (static_cast<int>(nodes.size()) != stages || sum != request.devices)
            return {fmt::format("nodes={} isn't a number of devices for each of {} stages, {} in all; nodes={} is.",
                                asked, stages, request.devices, [&] {
                                    RecipeRequest plain = request;
                                    plain.parameters["nodes"] = "";
                                    return fmt::format("{}", fmt::join(nodesOf(plain), "+"));
                                }())};
    }
    return pathProblems(pathProblem(request));
}

std::vector<std::string> warnings(const RecipeRequest& request)
{
    std::vector<std::string> sentences;
    if (request.microbatches < pathLength(request))
        sentences.push_back(fmt::format("{} microbatches never fill paths of {} stages: at most {} devices work at a "
                                        "time.",
                                        request.microbatches, pathLength(request), request.microbatches));
    if (request.decimal("skip") > 0 && pathLength(request) == stagesOf(request))
        sentences.push_back(fmt::format("skip={} of {} stages is less than a stage that can be skipped: the ends are "
                                        "on every path, and lengths are rounded to whole stages.",
                                        request.parameter("skip"), stagesOf(request)));
    return sentences;
}

} // namespace

const RecipeInfo skipPipe{
    .id = "skippipe",
    .title = "SkipPipe",
    .paper = "Blagoev et al. 2025, SkipPipe: Partial and Reordered Pipelining Framework for Training LLMs in "
             "Heterogeneous Networks, arXiv 2502.19913",
    .idea = "Each microbatch visits only a part of the stages, along a path of devices that is free of collisions.",
    .page = R"(Residual networks bear it when a few layers are left out. Each microbatch skips a share of the
stages (`skip`), different ones for different microbatches, so all stages are trained, each by those
microbatches that visit it. A stage may have several devices (`nodes=5+3+3`, or spread by load); a
microbatch takes one of them, forwards and back.

Which stages, which devices and when is searched: no device works on two microbatches at a time, none
takes more of them than `memory` allows, and the last microbatch ends as early as possible. With
`swap=yes` two neighbours on a path may change places. `paths=random` draws the stages instead; the
difference is what the search is worth.

Rules: the first stage (embedding) opens every path. So that a loss can be computed, the last one
(head) closes it here; in the reference the data's owner holds both. Replicas sum their gradients
before the update. With equal paths nothing but the shorter way changes; with microbatches on
different paths the orders of a device differ from its neighbours'.

Derived by us: the search. The reference resolves conflicts best-first over constraints, which is
exponential; ours plans one path after another around what is reserved and then replans the latest
(`core/schedule/search/paths.h`). The reference lets two backwards overlap on a device; ours doesn't.

Use it on slow or uneven networks, where fewer hops and the freedom of the path count. It costs
accuracy per step, as every microbatch trains a thinner network.)",
    .formulas = "no closed form published",
    .parameters =
        {{"stages", "stages of the model; 0: as many as devices", "0", {}, 0, 4096},
         {"skip", "share of the stages that a microbatch skips", "0.25", {}, 0, 0.9, RecipeParameter::Kind::Number},
         {"memory", "most microbatches of a step on one device; 0: any number", "0", {}, 0, 65'535},
         {"nodes", "devices of each stage, as 5+3+3; empty: spread by load", "", {}, 0, 0, RecipeParameter::Kind::Text},
         {"swap", "whether neighbours on a path may change places", "no", {"no", "yes"}},
         {"paths", "how the stages of a path are chosen", "search", {"search", "random"}},
         {"seed", "of the search", "1", {}, 0, 1'000'000'000}},
    .constraints = "first and last stage on every path; all paths of one length, round(S(1-skip)); at most `memory` "
                   "microbatches per device, so at most devices times memory per stage; no two visits of a device at a "
                   "time",
    .problems = problems,
    .warnings = warnings,
    .shape = shapeOf,
    .generate = generate,
};

} // namespace bubblescope::catalog
