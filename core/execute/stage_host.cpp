#include "core/execute/stage_host.h"

#include "core/base/error.h"
#include "core/schedule/versions.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <numeric>

namespace bubblescope {
namespace {

using Cargo = RunPlan::Cargo;

DataKey keyOf(const Task& task)
{
    return {task.microbatch, task.slice, task.pipe};
}

/// W multiplies tensors that were kept.
bool readsWeights(Work work)
{
    return onGrid(work) && work != Work::WeightGradient;
}

Buffer zeros(Arena& arena, std::size_t bytes)
{
    Buffer buffer = arena.get(bytes, MemoryClass::WeightGradient);
    std::memset(buffer.bytes(), 0, bytes);
    return buffer;
}

} // namespace

StepData stepDataOf(const Schedule& schedule)
{
    const Shape& shape = schedule.shape;
    return {asynchronous(schedule) ? schedule.semantics.updateEvery * shape.pipes : shape.microbatchesPerStep(),
            shape.pipes, schedule.slicing};
}

StageHost::StageHost(const HostContext& context, Device device)
    : m_plan(context.plan)
    , m_source(context.source)
    , m_replicas(context.replicas)
    , m_hostMemory(context.hostMemory)
    , m_streamed(context.streamed)
    , m_vocabulary(context.vocabulary)
    , m_norm(context.norm)
    , m_losses(context.losses)
    , m_training(context.training)
    , m_device(device)
{
    const Schedule& schedule = m_plan.schedule();
    m_residents.resize(static_cast<std::size_t>(schedule.shape.allStages()) *
                       static_cast<std::size_t>(schedule.shape.pipes));
    const auto [begin, end] = m_plan.tasksOf(device);
    m_begin = begin;
    m_made.resize(end - begin);
    m_delivered.resize(end - begin);
    m_madeGradients.resize(m_vocabulary.any() ? end - begin : 0);
    m_lastReader.assign(end - begin, false);
    m_wanted.assign(end - begin, false);
    for (std::size_t home = 0; home < m_replicas.homes().size(); ++home)
        m_sumsAtBarrier = m_sumsAtBarrier || (m_replicas.summed(home) && !m_replicas.summedByTasks(home));
}

void StageHost::make()
{
    const Schedule& schedule = m_plan.schedule();
    const auto [begin, end] = m_plan.tasksOf(m_device);
    for (TaskId id = begin; id < end; ++id) {
        const Task& task = schedule.tasks[id];
        Resident& own = resident(task);
        if (task.work == Work::Update && m_training)
            own.updates = true;
        if (m_vocabulary.member(id))
            continue;
        if (task.work == Work::Gather || task.work == Work::ReduceScatter)
            own.sharded = true;
        const Lane& lane = schedule.lanes[schedule.laneOf(id)];
        if (own.module || task.stage >= schedule.shape.stages)
            continue;
        if (isMaster(task, lane) || holdsStage(task, lane))
            makeResident(task, m_streamed.used() && !isMaster(task, lane));
    }
    if (m_vocabulary.any()) {
        m_shard = m_source.maker->makeShard(m_vocabulary.share(m_device), stepData(), m_arena);
        m_vocabulary.settle(m_device, *m_shard);
        const auto update = std::find_if(schedule.tasks.begin() + begin, schedule.tasks.begin() + end,
                                         [](const Task& task) { return task.work == Work::Update; });
        m_shardStage = update->stage;
    }
    shard();
    makeEncoder();
    if (!m_plan.versioned())
        return;
    findStepEnds();
    if (m_training)
        keepVersions();
}

void StageHost::makeResident(const Task& task, bool borrowed)
{
    Resident& own = resident(task);
    own.module = makeStage(task.stage, borrowed);
    own.borrowed = borrowed;
    if (borrowed)
        return;
    own.home = m_replicas.find({task.stage, task.pipe, m_device});
    m_replicas.settle(own.home, *own.module);
    m_streamed.settle(task.stage, *own.module, m_arena);
}

/// The frozen layers that have tasks here. They don't change, so any device may have any of them.
void StageHost::makeEncoder()
{
    const Schedule& schedule = m_plan.schedule();
    const auto [begin, end] = m_plan.tasksOf(m_device);
    m_encoder.resize(static_cast<std::size_t>(schedule.shape.components));
    for (TaskId id = begin; id < end; ++id) {
        const Task& task = schedule.tasks[id];
        if (m_plan.localSource(id) != noTask)
            m_wanted[m_plan.localSource(id) - m_begin] = true;
        m_plan.forEachOutput(id, [&](const RunPlan::Output& output) {
            if (output.cargo == Cargo::Operand)
                m_wanted[id - m_begin] = true;
        });
        if (task.work == Work::Filler)
            if (auto& layer = m_encoder[static_cast<std::size_t>(task.stage - schedule.shape.stages)]; !layer)
                layer = m_source.maker->makeFrozen(task.stage - schedule.shape.stages, stepData(), m_arena);
    }
}

/// What the step before the first would have left; empty without an encoder.
Buffer StageHost::encodedBefore(const DataKey& key)
{
    for (int layer = 0; m_before.size() < m_encoder.size(); ++layer)
        m_before.push_back(m_source.maker->makeFrozen(layer, stepData(), m_outside));
    Buffer flow;
    for (const auto& layer : m_before)
        flow = layer->forward(key, std::move(flow));
    return flow;
}

StepData StageHost::stepData() const
{
    return stepDataOf(m_plan.schedule());
}

/// Updates don't end steps, so losses are reported when a stage has seen the step's last forward.
void StageHost::findStepEnds()
{
    const Schedule& schedule = m_plan.schedule();
    const auto [begin, end] = m_plan.tasksOf(m_device);
    m_endsStep.assign(end - begin, false);
    for (Resident& own : m_residents)
        own.works.assign(own.module ? static_cast<std::size_t>(schedule.shape.steps) : 0, false);
    for (std::size_t i = m_endsStep.size(); i-- > 0;) {
        const Task& task = schedule.tasks[begin + i];
        if (task.work != Work::Forward)
            continue;
        const auto step = static_cast<std::size_t>(task.microbatch / schedule.shape.microbatches[task.pipe]);
        std::vector<bool>& works = resident(task).works;
        m_endsStep[i] = !works[step];
        works[step] = true;
    }
}

/// Gives every stage a store that knows how many tasks will read each version.
void StageHost::keepVersions()
{
    const Semantics& semantics = m_plan.schedule().semantics;
    const auto stages = static_cast<std::size_t>(m_plan.schedule().shape.allStages());
    std::vector<std::vector<int>> readers(m_residents.size());
    const auto [begin, end] = m_plan.tasksOf(m_device);
    for (TaskId id = begin; id < end; ++id) {
        const Task& task = m_plan.schedule().tasks[id];
        if (m_plan.version(id) == noVersion)
            continue;
        std::vector<int>& counts = readers[task.pipe * stages + task.stage];
        counts.resize(std::max(counts.size(), static_cast<std::size_t>(m_plan.version(id)) + 1), 0);
        ++counts[static_cast<std::size_t>(m_plan.version(id))];
    }
    for (std::size_t i = 0; i < m_residents.size(); ++i) {
        Resident& own = m_residents[i];
        if (!own.module)
            continue;
        own.store.emplace(*own.module, m_arena, std::move(readers[i]), semantics.prediction);
        const int delay = semantics.delay.empty() ? 0 : semantics.delay[i % stages];
        own.ahead = semantics.prediction == Semantics::Prediction::None ? 0 : delay;
        if (semantics.spikeCompensation && delay > 0)
            own.module->compensate(delay);
    }
}

/// Empties the stages that are gathered for each burst, and finds the last reader of every burst.
void StageHost::shard()
{
    std::map<const Resident*, TaskId> reader; // so far, of the burst
    const auto [begin, end] = m_plan.tasksOf(m_device);
    for (TaskId id = begin; id < end; ++id) {
        const Task& task = m_plan.schedule().tasks[id];
        Resident& own = resident(task);
        if ((!own.sharded && !own.borrowed) || !readsWeights(task.work))
            continue;
        bool first = false;
        m_plan.forEachInput(id, [&](const RunPlan::Input& input) { first |= input.cargo == Cargo::Weights; });
        if (first && reader.contains(&own))
            m_lastReader[reader[&own] - m_begin] = true;
        reader[&own] = id;
    }
    for (const auto& [own, id] : reader)
        m_lastReader[id - m_begin] = true;
    for (Resident& own : m_residents)
        if (own.sharded && own.module)
            exchangeWithShard(own);
}

void StageHost::deliver(TaskId task, Cargo cargo, Buffer data)
{
    if (cargo == Cargo::Weights) {
        resident(m_plan.schedule().tasks[task]).module->weightBuffer() = std::move(data);
        return;
    }
    if (m_vocabulary.member(task)) { // stays a message: collective lanes don't keep the compute lane's time
        data.rebind(m_arena, MemoryClass::Message);
        m_vocabulary.offer(task, std::move(data));
        return;
    }
    if (cargo == Cargo::Operand || cargo == Cargo::InputGradient)
        data.rebind(m_arena, MemoryClass::Activation); // it becomes this stage's x or dout, without a copy
    m_delivered[task - m_begin] = std::move(data);
}

Buffer StageHost::takeOutput(TaskId task, Cargo cargo)
{
    if (cargo == Cargo::Gradients)
        return std::move(resident(m_plan.schedule().tasks[task]).module->gradientBuffer());
    return std::move((cargo == Cargo::InputGradient ? m_madeGradients : m_made)[task - m_begin]);
}

void StageHost::finish(TaskId task)
{
    if (m_vocabulary.member(task))
        m_vocabulary.leave(task);
}

bool StageHost::works(TaskId task) const
{
    const Work work = m_plan.schedule().tasks[task].work;
    if (work == Work::Check)
        return conditional();
    return work != Work::Barrier || m_sumsAtBarrier || conditional();
}

void StageHost::run(TaskId id, std::uint32_t round)
{
    const Task task = m_plan.inRound(m_plan.schedule().tasks[id], round);
    if (m_vocabulary.member(id)) {
        VocabularyGroups::Result result = m_vocabulary.take(id, m_arena);
        m_made[id - m_begin] = std::move(result.data);
        m_madeGradients[id - m_begin] = std::move(result.inputGradient);
        return;
    }
    switch (task.work) {
    case Work::EmbeddingForward:
    case Work::EmbeddingBackward:
    case Work::VocabularyS:
    case Work::VocabularyT:
        runShard(id, task);
        break;
    case Work::Forward:
    case Work::Backward:
    case Work::InputGradient:
    case Work::WeightGradient:
    case Work::Recompute:
        compute(id, task);
        break;
    case Work::Filler:
        keep(id, m_encoder[static_cast<std::size_t>(task.stage - m_plan.schedule().shape.stages)]->forward(
                     keyOf(task), operand(id)));
        break;
    case Work::Update:
        update(task);
        break;
    case Work::AllReduce:
        m_replicas.sumShare(resident(task).home);
        break;
    case Work::Barrier:
        meetAtBarrier(id);
        break;
    case Work::Check:
        check(id, resident(task));
        break;
    case Work::Gather:
        gather(id, resident(task));
        break;
    case Work::ReduceScatter:
        reduce(id, resident(task));
        break;
    case Work::LoadWeights:
        m_made[id - m_begin] = m_streamed.load(task.stage, task.microbatch, m_arena);
        break;
    case Work::StoreGradients:
        m_streamed.addGradients(task.stage, m_delivered[id - m_begin]);
        m_delivered[id - m_begin].reset();
        break;
    case Work::Offload:
        m_hostMemory.store(task.stage, keyOf(task), *resident(task).module);
        break;
    case Work::Reload:
        m_hostMemory.load(task.stage, keyOf(task), *resident(task).module, m_arena);
        break;
    default:
        throw Failure(fmt::format("{} is nothing that a stage can compute", toText(task)));
    }
}

void StageHost::endRound(std::uint32_t round)
{
    const int steps = m_plan.schedule().shape.steps;
    const int first = static_cast<int>(round) * steps;
    for (Resident& own : m_residents) {
        if (!own.module || own.borrowed)
            continue; // what a borrowed one keeps is in host memory at the end, or the run fails for that
        if (m_plan.versioned()) {
            for (int step = 0; step < steps; ++step)
                if (!own.works[static_cast<std::size_t>(step)])
                    m_losses.add(first + step, own.home, 0); // its replicas had all of the step
        } else if (!own.updates)
            for (int step = first; step < first + steps; ++step)
                m_losses.add(step, own.home, lossOf(own, step)); // without updates only the sum is known
        const std::vector<DataKey> pending = own.module->pending();
        if (!pending.empty())
            throw Failure(fmt::format(
                "stage {} still keeps something of {} microbatches at the end of the step, the first "
                "of them {}",
                m_replicas.homes()[own.home].stage.value, pending.size(), pending.front().microbatch.value));
    }
    if (m_shard && !m_shard->pending().empty())
        throw Failure(
            fmt::format("the vocabulary's shard still keeps something of microbatch {} at the end of the step",
                        m_shard->pending().front().microbatch.value));
    checkEmpty();
}

void StageHost::reunite()
{
    for (Resident& own : m_residents)
        if (own.sharded && own.module)
            exchangeWithShard(own);
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
    m_encoder.clear();
    m_before.clear();
    m_madeGradients.clear();
    m_shard.reset();
    m_residents.clear();
}

StageHost::Resident& StageHost::resident(const Task& task)
{
    const auto stages = static_cast<std::size_t>(m_plan.schedule().shape.allStages());
    return m_residents[task.pipe * stages + task.stage];
}

std::unique_ptr<StageModule> StageHost::makeStage(Stage stage, bool borrowed)
{
    const Shape& shape = m_plan.schedule().shape;
    const auto& partition = m_source.partition;
    const StageLayers layers{.firstBlock = std::accumulate(partition.begin(), partition.begin() + stage, 0),
                             .blocks = partition[stage],
                             .embedding = stage == 0,
                             .head = stage + 1 == shape.stages,
                             .borrowed = borrowed,
                             .sharedVocabulary = m_vocabulary.any()};
    return m_source.maker->make(layers, stepData(), m_arena);
}

void StageHost::compute(TaskId id, const Task& task)
{
    Resident& own = resident(task);
    const std::int32_t version = own.store ? m_plan.version(id) : noVersion;
    if (version != noVersion)
        own.store->use(version, task.work == Work::Forward ? own.ahead : 0);
    switch (task.work) {
    case Work::Forward: {
        Buffer input = operand(id);
        if (!input && task.stage == 0)
            input = encodedBefore(keyOf(task));
        keep(id, own.module->forward(keyOf(task), std::move(input)));
        if (own.borrowed)
            m_streamed.addLoss(task.stage, task.microbatch / m_plan.schedule().shape.microbatches[task.pipe],
                               own.module->takeLoss());
        if (!m_source.recompute && m_plan.recomputed(id))
            own.module->release(keyOf(task));
        break;
    }
    case Work::Recompute:
        own.module->recompute(keyOf(task));
        break;
    default:
        backward(id, task, own);
        break;
    }
    if (m_lastReader[id - m_begin])
        own.module->weightBuffer().reset();
    if (version != noVersion)
        own.store->release(version);
    if (!m_endsStep.empty() && m_endsStep[id - m_begin])
        reportLoss(task);
}

/// B is the same two calls as I and W, so the bits are the same.
void StageHost::backward(TaskId id, const Task& task, Resident& own)
{
    const DataKey key = keyOf(task);
    if (task.work != Work::WeightGradient) {
        if (m_source.recompute && !m_plan.recomputed(id))
            own.module->recompute(key);
        keep(id, own.module->inputGradient(key, operand(id)));
    }
    if (task.work == Work::InputGradient)
        return;
    if ((own.sharded || own.borrowed) && !own.module->gradientBuffer())
        own.module->gradientBuffer() =
            zeros(m_arena, own.borrowed ? own.module->weightBuffer().size() : own.gradients.size());
    own.module->weightGradient(key);
}

void StageHost::exchangeWithShard(Resident& own)
{
    std::swap(own.weights, own.module->weightBuffer());
    std::swap(own.gradients, own.module->gradientBuffer());
}

/// All-gather: the stage's weights out of the shard, for the burst that begins with the task at the other end of the edge.
void StageHost::gather(TaskId id, Resident& own)
{
    m_made[id - m_begin] = m_arena.copyOf(own.weights, MemoryClass::Weight);
}

/// Reduce-scatter: a burst's gradients are added to the shard's.
void StageHost::reduce(TaskId id, Resident& own)
{
    const Buffer burst = std::move(m_delivered[id - m_begin]);
    const std::size_t count = burst.size() / sizeof(float);
    for (std::size_t i = 0; i < count; ++i)
        own.gradients.floats()[i] += burst.floats()[i];
}

void StageHost::runShard(TaskId id, const Task& task)
{
    switch (task.work) {
    case Work::EmbeddingForward:
        keep(id, m_shard->embed(keyOf(task)));
        break;
    case Work::EmbeddingBackward:
        m_shard->embedGradient(keyOf(task), operand(id));
        break;
    case Work::VocabularyS:
        keep(id, m_shard->score(keyOf(task), operand(id)));
        break;
    default:
        keep(id, m_shard->scoreGradient(keyOf(task), operand(id)));
        break;
    }
}

void StageHost::checkEmpty() const
{
    for (const std::vector<Buffer>* buffers : {&m_made, &m_delivered, &m_madeGradients})
        for (std::size_t i = 0; i < buffers->size(); ++i)
            if ((*buffers)[i])
                throw Failure(fmt::format("a tensor of {} was left over at the end of the step",
                                          toText(m_plan.schedule().tasks[m_begin + static_cast<std::uint32_t>(i)])));
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
    if (!m_wanted[task - m_begin])
        return; // of a step that isn't listed any more
    made.rebind(m_arena, MemoryClass::Message);
    m_made[task - m_begin] = std::move(made);
}

} // namespace bubblescope
