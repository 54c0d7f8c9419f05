#include "core/execute/direct.h"

#include "core/execute/stage_host.h"
#include "core/schedule/versions.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace bubblescope {
namespace {

using Weights = std::vector<float>;

Weights weightsOf(StageModule& module)
{
    const Buffer& buffer = module.weightBuffer();
    return {buffer.floats(), buffer.floats() + buffer.size() / sizeof(float)};
}

void setWeights(StageModule& module, const Weights& weights)
{
    std::copy(weights.begin(), weights.end(), module.weightBuffer().floats());
}

/// A stage, its replicas and everything that its weights have been.
class DirectStage {
public:
    DirectStage(const DirectSetup& setup, int stage, Arena& arena) : m_semantics(setup.schedule.semantics)
    {
        const Shape& shape = setup.schedule.shape;
        const auto& partition = setup.partition;
        const auto at = static_cast<std::size_t>(stage);
        const StageLayers layers{.firstBlock = std::accumulate(partition.begin(), partition.begin() + stage, 0),
                                 .blocks = partition[at],
                                 .embedding = stage == 0,
                                 .head = stage + 1 == shape.stages};
        const auto& homes = setup.schedule.placement.homes;
        const std::size_t count = homes.empty() ? 1 : homes[at].size();
        const int delay = m_semantics.delay.empty() ? 0 : m_semantics.delay[at];
        for (std::size_t i = 0; i < count; ++i) {
            m_replicas.push_back(setup.maker.make(layers, stepDataOf(setup.schedule), arena));
            if (m_semantics.spikeCompensation && delay > 0)
                m_replicas.back()->compensate(delay);
        }
        m_ahead = m_semantics.prediction == Semantics::Prediction::None ? 0 : delay;
        m_history.push_back(weightsOf(*m_replicas.front()));
        m_predicted.push_back(m_history.front()); // nothing has moved yet
    }

    /// The replica that has this microbatch, with the weights of a version, or what a forward takes in their place.
    StageModule& with(int microbatch, int version, bool forward)
    {
        StageModule& module = *m_replicas[static_cast<std::size_t>(microbatch) % m_replicas.size()];
        const auto& weights = forward && m_ahead > 0 ? m_predicted : m_history;
        setWeights(module, weights.at(static_cast<std::size_t>(version)));
        return module;
    }

    /// Once the backward of a microbatch has ended.
    void count()
    {
        if (++m_backwards % (m_semantics.updateEvery * static_cast<int>(m_replicas.size())) != 0)
            return;
        average();
        for (const auto& replica : m_replicas) {
            setWeights(*replica, m_history.back());
            replica->update(updates());
        }
        m_history.push_back(weightsOf(*m_replicas.front()));
        m_predicted.push_back(predict());
    }

    int updates() const { return static_cast<int>(m_history.size()) - 1; }

    /// Of the microbatches since the last call, replica by replica.
    double takeLoss()
    {
        double loss = 0;
        for (const auto& replica : m_replicas)
            loss += replica->takeLoss();
        return loss;
    }

    void copyWeights(std::size_t version, std::vector<TensorGradient>& into)
    {
        StageModule& module = *m_replicas.front();
        setWeights(module, m_history[version]);
        for (const ParameterView& view : module.parameters())
            into.push_back({view.name, std::vector<float>(view.value, view.value + view.count)});
    }

private:
    void average()
    {
        if (m_replicas.size() == 1)
            return;
        const std::size_t count = m_replicas.front()->gradientBuffer().size() / sizeof(float);
        const float share = 1.0F / static_cast<float>(m_replicas.size());
        for (std::size_t i = 0; i < count; ++i) {
            float sum = 0;
            for (const auto& replica : m_replicas)
                sum += replica->gradientBuffer().floats()[i];
            for (const auto& replica : m_replicas)
                replica->gradientBuffer().floats()[i] = sum * share;
        }
    }

    /// Where the newest version will be m_ahead updates on.
    Weights predict()
    {
        if (m_ahead == 0)
            return {};
        if (m_semantics.prediction == Semantics::Prediction::Velocity) {
            m_replicas.front()->extrapolate(m_ahead);
            return weightsOf(*m_replicas.front());
        }
        Weights ahead = m_history.back();
        const Weights& before = m_history[m_history.size() - 2];
        for (std::size_t i = 0; i < ahead.size(); ++i)
            ahead[i] += static_cast<float>(m_ahead) * (ahead[i] - before[i]);
        return ahead;
    }

    const Semantics& m_semantics;
    std::vector<std::unique_ptr<StageModule>> m_replicas;
    std::vector<Weights> m_history;   ///< by version
    std::vector<Weights> m_predicted; ///< by version, for forwards
    int m_ahead = 0;
    int m_backwards = 0;
};

} // namespace

VersionRule versionRule(const Schedule& schedule)
{
    const Shape& shape = schedule.shape;
    const auto microbatches = static_cast<std::size_t>(shape.microbatches.front() * shape.steps);
    const std::vector<std::vector<int>> empty(static_cast<std::size_t>(shape.stages), std::vector<int>(microbatches));
    VersionRule rule{empty, empty};
    const std::vector<std::int32_t> read = versionsRead(schedule, TaskIndex(schedule));
    for (std::uint32_t id = 0; id < schedule.tasks.size(); ++id) {
        const Task& task = schedule.tasks[id];
        const auto at = static_cast<std::size_t>(task.microbatch);
        if (task.work == Work::Forward)
            rule.forward[task.stage][at] = std::max(read[id], 0);
        else if (propagatesGradient(task.work))
            rule.backward[task.stage][at] = std::max(read[id], 0);
    }
    return rule;
}

DirectRun trainDirectly(const DirectSetup& setup, const VersionRule& rule, const Progress& progress)
{
    const Shape& shape = setup.schedule.shape;
    const int perStep = shape.microbatches.front();
    const int all = perStep * shape.steps;
    Arena arena;
    std::vector<DirectStage> stages;
    for (int stage = 0; stage < shape.stages; ++stage)
        stages.emplace_back(setup, stage, arena);
    DirectRun run;
    for (DirectStage& stage : stages)
        stage.copyWeights(0, run.before);
    for (int i = 0; i < all; ++i) {
        progress.report(-1, fmt::format("microbatch {} of {} on one device", i + 1, all));
        progress.check();
        const auto at = static_cast<std::size_t>(i);
        const DataKey key{Microbatch(i), Slice{}, Pipe{}};
        Buffer flow;
        for (std::size_t s = 0; s < stages.size(); ++s)
            flow = stages[s].with(i, rule.forward[s][at], true).forward(key, std::move(flow));
        for (std::size_t s = stages.size(); s-- > 0;) {
            StageModule& module = stages[s].with(i, rule.backward[s][at], false);
            if (setup.recompute)
                module.recompute(key);
            flow = module.inputGradient(key, std::move(flow));
            module.weightGradient(key);
        }
        for (DirectStage& stage : stages)
            stage.count();
        if ((i + 1) % perStep == 0)
            run.losses.push_back(stages.back().takeLoss() * setup.schedule.semantics.updateEvery / perStep);
    }
    for (DirectStage& stage : stages) {
        run.updates = std::max(run.updates, stage.updates());
        stage.copyWeights(static_cast<std::size_t>(stage.updates()), run.after);
    }
    return run;
}

VerifyResult compareTraining(const std::vector<TensorGradient>& pipeline, const std::vector<double>& losses,
                             const DirectRun& direct)
{
    // What the updates did, not where they began: the initial weights would hide a difference.
    const auto moved = [&](const std::vector<TensorGradient>& weights, const std::vector<double>& of) {
        StepGradients changes;
        for (std::size_t t = 0; t < weights.size() && t < direct.before.size(); ++t) {
            TensorGradient change = weights[t];
            for (std::size_t i = 0; i < change.values.size() && i < direct.before[t].values.size(); ++i)
                change.values[i] -= direct.before[t].values[i];
            changes.tensors.push_back(std::move(change));
        }
        changes.loss =
            std::accumulate(of.begin(), of.end(), 0.0) / static_cast<double>(std::max<std::size_t>(1, of.size()));
        return changes;
    };
    VerifyResult result = compareGradients(moved(pipeline, losses), moved(direct.after, direct.losses), false);
    const std::string against = fmt::format("a direct simulation of the update rule over {} updates (one device, no "
                                            "pipeline, every version of the weights kept)",
                                            direct.updates);
    if (result.bitEqual)
        result.sentence =
            fmt::format("All {} weight tensors and the losses have the bits of {}.", result.tensors, against);
    else if (result.passed)
        result.sentence =
            fmt::format("The change of {} differs by {:.2e} of its norm from that of {}; up to {:.0e} is "
                        "the order of the additions.",
                        result.worstTensor, result.maxRelativeGradientError, against, VerifyResult::gradientTolerance);
    else
        result.sentence =
            fmt::format("The change of {} differs by {:.2e} of its norm from that of {}, the mean loss is {} "
                        "and should be {}; at most {:.0e} is allowed.",
                        result.worstTensor, result.maxRelativeGradientError, against, result.loss, result.referenceLoss,
                        VerifyResult::gradientTolerance);
    return result;
}

} // namespace bubblescope
