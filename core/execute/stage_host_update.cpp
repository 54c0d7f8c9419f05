// How a step ends on a device: losses, sums over replicas, the global norm, updates and their validation.

#include "core/execute/stage_host.h"

#include <algorithm>
#include <utility>

namespace bubblescope {
namespace {

std::size_t floatsIn(const Buffer& buffer)
{
    return buffer.size() / sizeof(float);
}

/// Returns false for 0, which means that there is no update: what isn't finite doesn't stay either.
bool scale(float factor, Buffer& gradients)
{
    if (factor == 0)
        std::fill_n(gradients.floats(), floatsIn(gradients), 0.0F);
    else if (factor != 1)
        for (std::size_t i = 0; i < floatsIn(gradients); ++i)
            gradients.floats()[i] *= factor;
    return factor != 0;
}

} // namespace

/// Of a step. Streamed stages have left theirs with the host; that of a head in shards is known to every device, and
/// said by the one with the last stage.
double StageHost::lossOf(Resident& own, int step)
{
    const Stage stage = m_replicas.homes()[own.home].stage;
    const bool head = m_shard && stage + 1 == m_plan.schedule().shape.stages;
    return own.module->takeLoss() + m_streamed.takeLoss(stage, step) + (head ? m_shard->takeLoss() : 0);
}

void StageHost::update(const Task& task)
{
    Resident& own = resident(task);
    if (!m_training || !own.module)
        return;
    if (own.store) {
        own.store->beginUpdate();
        own.module->update(task.microbatch);
        own.store->endUpdate();
        return;
    }
    m_losses.add(task.microbatch, own.home, lossOf(own, task.microbatch));
    if (own.sharded)
        exchangeWithShard(own);
    if (m_streamed.used())
        m_streamed.update(task.stage, task.microbatch);
    else if (conditional())
        updateByNorm(own, task.microbatch);
    else
        own.module->update(task.microbatch);
    if (own.sharded)
        exchangeWithShard(own);
    if (!m_shard || task.stage != m_shardStage)
        return;
    if (!conditional() || scale(m_norm.factor(), m_shard->gradientBuffer()))
        m_shard->update(task.microbatch);
}

/// Behind a barrier the whole norm is known; else that of the stages up to this one, and the update is validated later.
void StageHost::updateByNorm(Resident& own, int step)
{
    if (m_plan.schedule().semantics.stepBarrier != Semantics::StepBarrier::PostValidation) {
        if (own.home == 0)
            m_norm.count(false);
        updateTimes(m_norm.factor(), own, step);
        return;
    }
    StageModule& module = *own.module;
    own.replaced = Replaced{.step = step,
                            .weights = m_arena.copyOf(module.weightBuffer(), MemoryClass::Weight),
                            .gradients = m_arena.copyOf(module.gradientBuffer(), MemoryClass::WeightGradient)};
    if (const Buffer* state = module.optimizerBuffer())
        own.replaced->optimizer = m_arena.copyOf(*state, MemoryClass::Optimizer);
    updateTimes(m_norm.factor(own.home + 1), own, step);
}

/// The update with scaled gradients.
void StageHost::updateTimes(float factor, Resident& own, int step)
{
    if (scale(factor, own.module->gradientBuffer()))
        own.module->update(step);
}

void StageHost::check(TaskId id, Resident& own)
{
    if (m_plan.validates(id))
        validate(own);
    else
        m_norm.set(own.home, m_replicas.squaresOfShare(own.home));
}

/// All stages have updated. Where one did so by another factor than that of the whole norm, the first stage did, too: the
/// norm grows from stage to stage. So what any stage has computed of the next step is wrong.
void StageHost::validate(Resident& own)
{
    m_rolledBack = m_norm.disagrees();
    if (own.home + 1 == m_replicas.homes().size())
        m_norm.count(m_rolledBack);
    std::optional<Replaced> replaced = std::exchange(own.replaced, std::nullopt);
    if (!m_rolledBack)
        return;
    if (m_norm.factor(own.home + 1) != m_norm.factor()) {
        own.module->weightBuffer() = std::move(replaced->weights);
        own.module->gradientBuffer() = std::move(replaced->gradients);
        if (Buffer* state = own.module->optimizerBuffer())
            *state = std::move(replaced->optimizer);
        updateTimes(m_norm.factor(), own, replaced->step);
    }
    own.module->takeLoss();
    for (const DataKey& key : own.module->pending())
        own.module->detach(key);
}

/// The stage's losses are shares of an update's microbatches; reported is the mean over the step's.
void StageHost::reportLoss(const Task& task)
{
    const Schedule& schedule = m_plan.schedule();
    const int perStep = schedule.shape.microbatches[task.pipe];
    const Resident& own = resident(task);
    m_losses.add(task.microbatch / perStep, own.home,
                 own.module->takeLoss() * schedule.semantics.updateEvery / perStep);
}

void StageHost::meetAtBarrier(TaskId id)
{
    for (const Resident& own : m_residents)
        if (own.module && m_replicas.summed(own.home) && !m_replicas.summedByTasks(own.home))
            m_replicas.sumShare(own.home);
    if (!conditional() || m_plan.schedule().lanes[m_plan.schedule().laneOf(id)].kind != LaneKind::Compute)
        return; // or it is one that keeps copies apart
    for (const Resident& own : m_residents)
        if (own.module)
            m_norm.set(own.home, own.sharded ? sumOfSquares(own.gradients, 0, floatsIn(own.gradients))
                                             : m_replicas.squaresOfShare(own.home));
    if (m_shard)
        m_norm.set(m_replicas.homes().size() + static_cast<std::size_t>(m_vocabulary.share(m_device).index),
                   sumOfSquares(m_shard->gradientBuffer(), 0, floatsIn(m_shard->gradientBuffer())));
}

} // namespace bubblescope
