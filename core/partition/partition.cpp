#include "core/partition/partition.h"

#include <algorithm>
#include <limits>
#include <numeric>

namespace bubblescope {

std::vector<double> layerCosts(const ModelSpec& model)
{
    std::vector<double> costs(static_cast<std::size_t>(std::max(0, model.layers)), 1.0);
    for (std::size_t layer = 0; layer < std::min(costs.size(), model.layerCosts.size()); ++layer)
        costs[layer] = model.layerCosts[layer];
    if (!costs.empty()) {
        costs.front() += model.embeddingCost;
        costs.back() += model.headCost;
    }
    return costs;
}

std::vector<int> minimaxPartition(int layers, int stages, const std::function<double(int, int, int)>& cost)
{
    // best[s][l]: least worst stage when the first l layers are on s stages; then the sum of squares, for evenness.
    if (stages < 1 || layers < stages)
        return {};
    using Score = std::pair<double, double>;
    constexpr double never = std::numeric_limits<double>::infinity();
    const auto width = static_cast<std::size_t>(layers) + 1;
    std::vector<std::vector<Score>> best(static_cast<std::size_t>(stages) + 1,
                                         std::vector<Score>(width, {never, never}));
    std::vector<std::vector<int>> from(static_cast<std::size_t>(stages) + 1, std::vector<int>(width, 0));
    best[0][0] = {0, 0};
    for (int stage = 1; stage <= stages; ++stage)
        for (int end = stage; end <= layers - (stages - stage); ++end)
            for (int begin = end - 1; begin >= stage - 1; --begin) {
                const auto s = static_cast<std::size_t>(stage);
                Score& sofar = best[s][static_cast<std::size_t>(end)];
                const double own = cost(stage - 1, begin, end);
                if (own > sofar.first) // with more layers it only gets worse
                    break;
                const Score& rest = best[s - 1][static_cast<std::size_t>(begin)];
                if (rest.first == never)
                    continue;
                const Score score{std::max(rest.first, own), rest.second + own * own};
                if (score <= sofar) {
                    sofar = score;
                    from[s][static_cast<std::size_t>(end)] = begin;
                }
            }
    std::vector<int> partition(static_cast<std::size_t>(stages));
    for (int stage = stages, end = layers; stage > 0; --stage) {
        const int begin = from[static_cast<std::size_t>(stage)][static_cast<std::size_t>(end)];
        partition[static_cast<std::size_t>(stage) - 1] = end - begin;
        end = begin;
    }
    return partition;
}

std::vector<int> balancedPartition(const std::vector<double>& layerCosts, int stages)
{
    std::vector<double> before(layerCosts.size() + 1, 0);
    std::partial_sum(layerCosts.begin(), layerCosts.end(), before.begin() + 1);
    return minimaxPartition(static_cast<int>(layerCosts.size()), stages, [&before](int, int begin, int end) {
        return before[static_cast<std::size_t>(end)] - before[static_cast<std::size_t>(begin)];
    });
}

namespace {

/// The partition after a layer went over the boundary between `stage` and the next; empty when the giver has one only.
std::vector<int> shifted(std::vector<int> partition, std::size_t stage, bool forward)
{
    int& giver = partition[forward ? stage : stage + 1];
    int& taker = partition[forward ? stage + 1 : stage];
    if (giver <= 1)
        return {};
    --giver;
    ++taker;
    return partition;
}

/// Moves single layers as long as the score gets less.
template <class Score>
std::vector<int> descend(std::vector<int> partition, Score score)
{
    if (partition.empty())
        return partition;
    auto best = score(partition);
    constexpr int mostRounds = 64;
    for (int round = 0; round < mostRounds; ++round) {
        std::vector<int> better;
        for (std::size_t stage = 0; stage + 1 < partition.size(); ++stage)
            for (const bool forward : {true, false}) {
                std::vector<int> candidate = shifted(partition, stage, forward);
                if (candidate.empty())
                    continue;
                if (const auto reached = score(candidate); reached < best) {
                    best = reached;
                    better = std::move(candidate);
                }
            }
        if (better.empty())
            break;
        partition = std::move(better);
    }
    return partition;
}

std::vector<double> stageCostsOf(const std::vector<int>& partition, const std::vector<double>& layerCosts)
{
    std::vector<double> costs;
    auto layer = layerCosts.begin();
    for (const int layers : partition) {
        costs.push_back(std::accumulate(layer, layer + layers, 0.0));
        layer += layers;
    }
    return costs;
}

} // namespace

std::vector<int> deviceBalancedPartition(const std::vector<double>& layerCosts,
                                         const std::vector<std::vector<int>>& homes)
{
    int devices = 0;
    for (const std::vector<int>& home : homes)
        for (const int device : home)
            devices = std::max(devices, device + 1);
    return descend(balancedPartition(layerCosts, static_cast<int>(homes.size())), [&](const std::vector<int>& layers) {
        const std::vector<double> stages = stageCostsOf(layers, layerCosts);
        std::vector<double> load(static_cast<std::size_t>(devices), 0);
        for (std::size_t stage = 0; stage < homes.size(); ++stage)
            for (const int device : homes[stage])
                load[static_cast<std::size_t>(device)] += stages[stage] / static_cast<double>(homes[stage].size());
        double squares = 0;
        for (const double one : load)
            squares += one * one;
        return std::pair(*std::max_element(load.begin(), load.end()), squares);
    });
}

namespace {

/// Bytes of a stage of n layers: what is always there, and what each microbatch in flight adds.
struct StageBytes {
    double constant = 0;
    double perMicrobatch = 0;
};

StageBytes bytesOf(const MemoryRules& rules, int stage)
{
    StageBytes bytes;
    bytes.constant = static_cast<double>(total(rules.constant[static_cast<std::size_t>(stage)]));
    for (const MemoryRules::Effect& effect : rules.of(Work::Forward, Stage(stage)))
        bytes.perMicrobatch += static_cast<double>(effect.atStart + effect.atEnd);
    return bytes;
}

} // namespace

std::vector<int> memoryBalancedPartition(const ModelSpec& model, bool recompute, const std::vector<double>& inFlight)
{
    const auto stages = static_cast<int>(inFlight.size());
    if (stages < 1 || model.layers < stages)
        return {};
    // Layers are alike, so a stage's bytes follow from their number and from whether it is first, inner or last.
    std::vector<std::array<StageBytes, 4>> bytes(static_cast<std::size_t>(model.layers) + 1);
    for (int layers = 1; layers <= model.layers; ++layers) {
        ModelSpec three = model;
        three.layers = 3 * layers;
        three.layerCosts.clear();
        const MemoryRules rules = transformerMemory(three, {layers, layers, layers}, recompute);
        ModelSpec whole = model;
        whole.layers = layers;
        whole.layerCosts.clear();
        auto& row = bytes[static_cast<std::size_t>(layers)];
        for (int kind = 0; kind < 3; ++kind)
            row[static_cast<std::size_t>(kind)] = bytesOf(rules, kind);
        row[3] = bytesOf(transformerMemory(whole, {layers}, recompute), 0);
    }
    return minimaxPartition(model.layers, stages, [&](int stage, int begin, int end) {
        const std::size_t kind = stages == 1 ? 3 : stage == 0 ? 0 : stage + 1 == stages ? 2 : 1;
        const StageBytes& own = bytes[static_cast<std::size_t>(end - begin)][kind];
        return own.constant + own.perMicrobatch * inFlight[static_cast<std::size_t>(stage)];
    });
}

std::vector<int> searchedPartition(std::vector<int> start,
                                   const std::function<Nanoseconds(const std::vector<int>&)>& makespan,
                                   const Progress& progress)
{
    return descend(std::move(start), [&](const std::vector<int>& layers) {
        progress.check();
        return makespan(layers);
    });
}

std::vector<double> resampledSpeeds(const std::vector<double>& speeds, int stages)
{
    const auto before = static_cast<int>(speeds.size());
    if (before == stages || before == 0)
        return speeds;
    std::vector<double> resampled;
    for (int stage = 0; stage < stages; ++stage) {
        // In units of 1 / (before × stages) of the model: [stage × before, (stage + 1) × before).
        double time = 0;
        for (int old = 0; old < before; ++old) {
            const int shared =
                std::min((stage + 1) * before, (old + 1) * stages) - std::max(stage * before, old * stages);
            if (shared > 0)
                time += shared / speeds[static_cast<std::size_t>(old)];
        }
        resampled.push_back(before / time);
    }
    return resampled;
}

std::vector<std::vector<int>> homesOfStages(const Schedule& schedule)
{
    const auto stages = static_cast<std::size_t>(schedule.shape.stages);
    const auto all = static_cast<std::size_t>(schedule.shape.allStages());
    const auto pipes = static_cast<std::size_t>(schedule.shape.pipes);
    // By pipe and stage, so that both directions of a bidirectional schedule come in the order of their pipes.
    std::vector<std::vector<int>> homes(pipes * all);
    const auto add = [&homes](std::size_t at, int device) {
        if (at < homes.size() && std::find(homes[at].begin(), homes[at].end(), device) == homes[at].end())
            homes[at].push_back(device);
    };
    for (std::size_t at = 0; at < schedule.placement.homes.size(); ++at)
        for (const Device device : schedule.placement.homes[at])
            add(at, device);
    if (schedule.placement.empty())
        for (const Lane& lane : schedule.lanes)
            for (TaskId id = lane.begin; id < lane.end; ++id)
                if (const Task& task = schedule.tasks[id]; onGrid(task.work) && lane.kind == LaneKind::Compute)
                    add(task.pipe * all + task.stage, lane.device);
    std::vector<std::vector<int>> result(stages);
    for (std::size_t stage = 0; stage < stages; ++stage)
        for (std::size_t pipe = 0; pipe < pipes; ++pipe)
            for (const int device : homes[pipe * all + stage])
                if (std::find(result[stage].begin(), result[stage].end(), device) == result[stage].end())
                    result[stage].push_back(device);
    return result;
}

namespace {

/// Most microbatches of a stage whose forward has begun and whose gradients aren't done.
std::vector<double> inFlightOf(const Plan& plan, const Timing& timing)
{
    const auto stages = static_cast<std::size_t>(plan.schedule.shape.stages);
    std::vector<std::vector<std::pair<Nanoseconds, int>>> changes(stages);
    for (std::size_t id = 0; id < plan.schedule.tasks.size(); ++id) {
        const Task& task = plan.schedule.tasks[id];
        if (!onGrid(task.work) || task.stage >= stages)
            continue;
        if (task.work == Work::Forward)
            changes[task.stage].emplace_back(timing.start[id], 1);
        else if (task.work == Work::Backward || task.work == Work::WeightGradient)
            changes[task.stage].emplace_back(timing.end[id], -1);
    }
    std::vector<double> most(stages, 1);
    for (std::size_t stage = 0; stage < stages; ++stage) {
        std::sort(changes[stage].begin(), changes[stage].end());
        int live = 0;
        for (const auto& [time, by] : changes[stage])
            most[stage] = std::max<double>(most[stage], live += by);
    }
    return most;
}

/// Predicts partitions of one schedule: its order stays.
class Trial {
public:
    Trial(const Experiment& experiment, const Plan& plan)
        : m_experiment(experiment), m_plan(plan), m_simulator(plan.schedule)
    {
    }

    Nanoseconds makespan(const std::vector<int>& layers)
    {
        m_experiment.partition = layers;
        const bool splits = m_plan.info != nullptr
                                ? m_plan.info->splitsBackward
                                : std::any_of(m_plan.schedule.tasks.begin(), m_plan.schedule.tasks.end(),
                                              [](const Task& task) { return task.work == Work::InputGradient; });
        m_costs = costsOf(m_experiment, m_plan.schedule, splits);
        m_simulator.run(m_costs, m_timing);
        return m_timing.makespan();
    }

    /// Idle time of the compute lanes ÷ (devices × makespan), of the last one.
    double bubbleRate() const
    {
        Nanoseconds busy = 0;
        for (const Lane& lane : m_plan.schedule.lanes)
            if (lane.kind == LaneKind::Compute && lane.index == 0)
                for (TaskId id = lane.begin; id < lane.end; id = m_plan.schedule.unitEnd(id))
                    busy += m_timing.end[id] - m_timing.start[id];
        const double room =
            static_cast<double>(m_plan.schedule.shape.devices) * static_cast<double>(m_timing.makespan());
        return room > 0 ? 1 - static_cast<double>(busy) / room : 0;
    }

private:
    Experiment m_experiment;
    const Plan& m_plan;
    Simulator m_simulator;
    Costs m_costs;
    Timing m_timing;
};

double slowestOf(const std::vector<int>& layers, const std::vector<double>& layerCosts)
{
    const std::vector<double> stages = stageCostsOf(layers, layerCosts);
    const double sum = std::accumulate(stages.begin(), stages.end(), 0.0);
    return sum > 0 ? *std::max_element(stages.begin(), stages.end()) * static_cast<double>(stages.size()) / sum : 1;
}

} // namespace

std::vector<PartitionChoice> partitionChoices(const Experiment& experiment, const Plan& plan, const Timing& timing,
                                              const Progress& progress)
{
    const int stages = plan.schedule.shape.stages;
    if (experiment.model.layers < stages || stages < 1)
        return {};
    const std::vector<double> costs = layerCosts(experiment.model);
    const std::vector<std::vector<int>> homes = homesOfStages(plan.schedule);
    const std::vector<int> balanced = balancedPartition(costs, stages);
    std::vector<PartitionChoice> choices;
    choices.push_back(
        {"even", "Even", "Every stage has the same number of layers.", evenPartition(experiment.model.layers, stages)});
    choices.push_back(
        {"balanced", "Balanced by cost", "The slowest stage is as fast as any partition allows.", balanced});
    if (stages > plan.schedule.shape.devices)
        choices.push_back({"devices", "Balanced over devices",
                           "The device with most to do has as little as can be; its stages may differ.",
                           deviceBalancedPartition(costs, homes)});
    choices.push_back({"memory", "Balanced by memory",
                       "The stage with most bytes has as few as can be: weights, optimizer states and activations.",
                       memoryBalancedPartition(experiment.model, experiment.recompute, inFlightOf(plan, timing))});
    Trial trial(experiment, plan);
    choices.push_back(
        {"search", "Searched by prediction",
         "From the balanced one, single layers move as long as the predicted time gets less.",
         searchedPartition(
             balanced, [&trial](const std::vector<int>& layers) { return trial.makespan(layers); }, progress)});
    for (PartitionChoice& choice : choices) {
        progress.check();
        choice.makespan = trial.makespan(choice.layers);
        choice.bubbleRate = trial.bubbleRate();
        choice.slowest = slowestOf(choice.layers, costs);
    }
    return choices;
}

} // namespace bubblescope
