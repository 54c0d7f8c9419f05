#include "core/execute/stage_host.h"

#include "core/base/error.h"

#include <numeric>

namespace bubblescope {

StageHost::StageHost(const RunPlan& plan, std::uint32_t lane, const ModelSource& source, bool training,
                     LossBook& losses)
    : m_plan(plan)
    , m_lane(lane)
    , m_source(source)
    , m_training(training)
    , m_losses(losses)
    , m_begin(plan.lane(lane).begin)
{
    const auto stages = static_cast<std::size_t>(plan.schedule().shape.allStages());
    m_updates.assign(stages, false);
    m_modules.resize(stages);
    m_made.resize(plan.lane(lane).size());
    m_delivered.resize(plan.lane(lane).size());
}

void StageHost::make()
{
    const Schedule& schedule = m_plan.schedule();
    const Lane& lane = m_plan.lane(m_lane);
    const auto last = static_cast<std::size_t>(schedule.shape.stages) - 1;
    for (TaskId id = lane.begin; id < lane.end; ++id) {
        const Task& task = schedule.tasks[id];
        if (task.work == Work::Update && m_training)
            m_updates[task.stage] = true;
        if (!onGrid(task.work) || m_modules[task.stage])
            continue;
        const std::size_t stage = task.stage;
        const auto& partition = m_source.partition;
        const StageLayers layers{.firstBlock = std::accumulate(partition.begin(), partition.begin() + task.stage, 0),
                                 .blocks = partition[stage],
                                 .embedding = stage == 0,
                                 .head = stage == last};
        m_modules[stage] = m_source.maker->make(layers, schedule.shape.microbatchesPerStep(), m_arena);
    }
}

void StageHost::deliver(TaskId task, Buffer data)
{
    data.rebind(m_arena, MemoryClass::Activation); // it becomes this stage's x or dout, without a copy
    m_delivered[task - m_begin] = std::move(data);
}

void StageHost::run(TaskId id, std::uint32_t round)
{
    const Task task = m_plan.inRound(m_plan.schedule().tasks[id], round);
    if (task.work == Work::Barrier)
        return;
    StageModule* module = m_modules[task.stage].get();
    const DataKey key{task.microbatch, task.slice, task.pipe};
    switch (task.work) {
    case Work::Forward:
        keep(id, module->forward(key, operand(id)));
        break;
    case Work::Backward: // the same two calls as a split backward, so the bits are the same
    case Work::InputGradient:
        if (m_source.recomputesInBackward)
            module->recompute(key);
        keep(id, module->inputGradient(key, operand(id)));
        if (task.work == Work::Backward)
            module->weightGradient(key);
        break;
    case Work::WeightGradient:
        module->weightGradient(key);
        break;
    case Work::Recompute:
        module->recompute(key);
        break;
    case Work::Update:
        if (m_training && module) {
            m_losses.add(task.microbatch, module->takeLoss());
            module->update(task.microbatch);
        }
        break;
    default:
        throw Failure(fmt::format("{} is nothing that a stage can compute", toText(task)));
    }
}

void StageHost::endRound(std::uint32_t round)
{
    const int step = static_cast<int>(round + 1) * m_plan.schedule().shape.steps - 1;
    for (std::size_t stage = 0; stage < m_modules.size(); ++stage) {
        if (!m_modules[stage])
            continue;
        if (!m_updates[stage])
            for (int k = step + 1 - m_plan.schedule().shape.steps; k <= step; ++k)
                m_losses.add(k, m_modules[stage]->takeLoss()); // without updates only the sum is known
        const std::vector<DataKey> pending = m_modules[stage]->pending();
        if (!pending.empty())
            throw Failure(
                fmt::format("stage {} still keeps something of {} microbatches at the end of the step, the first "
                            "of them {}",
                            stage, pending.size(), pending.front().microbatch.value));
    }
    for (const std::vector<Buffer>* buffers : {&m_made, &m_delivered})
        for (std::size_t i = 0; i < buffers->size(); ++i)
            if ((*buffers)[i])
                throw Failure(fmt::format("a tensor of {} was left over at the end of the step",
                                          toText(m_plan.schedule().tasks[m_begin + static_cast<std::uint32_t>(i)])));
}

MemorySample StageHost::sample() const
{
    MemorySample sample;
    for (int kind = 0; kind < memoryClasses; ++kind)
        sample.live[static_cast<std::size_t>(kind)] = m_arena.liveBytes(static_cast<MemoryClass>(kind));
    return sample;
}

void StageHost::clear()
{
    m_made.clear();
    m_delivered.clear();
    m_modules.clear();
}

/// Empty on the ends of the pipeline, where the tokens and the loss take its place.
Buffer StageHost::operand(TaskId task)
{
    const TaskId local = m_plan.localSource(task);
    if (local == noTask)
        return std::move(m_delivered[task - m_begin]);
    Buffer data = std::move(m_made[local - m_begin]);
    data.rebind(m_arena, MemoryClass::Activation);
    return data;
}

void StageHost::keep(TaskId task, Buffer made)
{
    made.rebind(m_arena, MemoryClass::Message);
    m_made[task - m_begin] = std::move(made);
}

} // namespace bubblescope
