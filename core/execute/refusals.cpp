#include "core/execute/refusals.h"

#include "core/execute/replicas.h"
#include "core/execute/streamed_weights.h"
#include "core/execute/vocabulary_groups.h"
#include "core/schedule/versions.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

namespace bubblescope {
namespace {

using Sentences = std::vector<std::string>;

/// True when the model's stages, or shards of its vocabulary, can do the task on a lane of this kind.
bool computable(const Task& task, const Lane& lane, bool shards)
{
    switch (task.work) {
    case Work::Broadcast:
        return shards && lane.kind != LaneKind::Host;
    case Work::AllReduce:
    case Work::Gather:
    case Work::ReduceScatter:
    case Work::Offload:
    case Work::Reload:
        return lane.kind != LaneKind::Host;
    case Work::LoadWeights:
        return lane.kind == LaneKind::CopyIn;
    case Work::StoreGradients:
        return lane.kind == LaneKind::CopyOut;
    case Work::EmbeddingForward:
    case Work::EmbeddingBackward:
    case Work::VocabularyS:
    case Work::VocabularyT:
    case Work::Update:
        return lane.kind == LaneKind::Host || (lane.kind == LaneKind::Compute && lane.index == 0);
    case Work::Check:
        return lane.kind == LaneKind::Compute && lane.index == 0;
    case Work::Barrier:
        return lane.kind == LaneKind::CopyOut || (lane.kind == LaneKind::Compute && lane.index == 0);
    default:
        return (onGrid(task.work) || task.work == Work::Filler) && lane.kind == LaneKind::Compute && lane.index == 0;
    }
}

/// What the model's stages can't do.
void checkTasks(const Schedule& schedule, Sentences& sentences)
{
    const bool shards = sharesVocabulary(schedule);
    std::set<Work> refused;
    bool forward = false;
    bool backward = false;
    for (const Lane& lane : schedule.lanes) {
        for (TaskId id = lane.begin; id < lane.end; ++id) {
            const Task& task = schedule.tasks[id];
            forward = forward || task.work == Work::Forward;
            backward = backward || propagatesGradient(task.work);
            if (!computable(task, lane, shards) && refused.insert(task.work).second)
                sentences.push_back(
                    fmt::format("The cpu backend can't run {} tasks such as {} on the {} lane of device {} yet.",
                                workName(task.work).name, toText(task), laneKindName(lane.kind), lane.device.value));
        }
    }
    if (forward && !backward)
        sentences.push_back(
            "The cpu backend trains: it needs a backward for every forward, and this schedule has none.");
}

/// The devices that a group's all-reduce tasks of a stage, or its barriers, bring together.
std::vector<std::pair<Pipe, Device>> meetingOf(const Schedule& schedule, const Group& group)
{
    std::vector<std::pair<Pipe, Device>> members;
    for (std::uint32_t i = group.begin; i < group.end; ++i) {
        const TaskId id = schedule.groupMembers[i];
        members.emplace_back(schedule.tasks[id].pipe, schedule.deviceOf(id));
    }
    std::sort(members.begin(), members.end());
    return members;
}

/// Every group that sums the gradients of a stage has to have all of its homes.
void checkAllReduces(const Schedule& schedule, const Replicas& replicas, Sentences& sentences)
{
    std::map<Stage, std::vector<std::pair<Pipe, Device>>> homes;
    for (const Home& home : replicas.homes())
        homes[home.stage].emplace_back(home.pipe, home.device);
    std::set<Stage> wrong;
    for (const Group& group : schedule.groups) {
        const Task& first = schedule.tasks[schedule.groupMembers[group.begin]];
        if (first.work == Work::AllReduce && meetingOf(schedule, group) != homes[first.stage])
            wrong.insert(first.stage);
    }
    for (TaskId id{}; id < schedule.tasks.size(); ++id)
        if (const Task& task = schedule.tasks[id]; task.work == Work::AllReduce && !task.grouped())
            if (homes[task.stage].size() != 1 || homes[task.stage].front().second != schedule.deviceOf(id))
                wrong.insert(task.stage);
    for (const Stage stage : wrong)
        sentences.push_back(
            fmt::format("The all-reduce of stage {} doesn't bring together the {} devices that hold it, "
                        "and no others: the cpu backend can't run that yet.",
                        stage.value, homes[stage].size()));
}

/// Stages that stand several times: something has to sum their gradients.
void checkReplicas(const Schedule& schedule, Sentences& sentences)
{
    const Replicas replicas(schedule);
    std::set<Device> atBarrier;
    for (const Group& group : schedule.groups)
        if (schedule.tasks[schedule.groupMembers[group.begin]].work == Work::Barrier)
            for (const auto& [pipe, device] : meetingOf(schedule, group))
                atBarrier.insert(device);
    for (std::size_t home = 0; home < replicas.homes().size(); ++home) {
        const Home& own = replicas.homes()[home];
        if (replicas.leads(home) || replicas.summedByTasks(home))
            continue;
        const Home& other = replicas.homes()[home - 1];
        if (!replicas.summed(home))
            sentences.push_back(fmt::format("Stage {} stands on devices {} and {}, but the schedule doesn't say that "
                                            "their gradients are summed.",
                                            own.stage.value, other.device.value, own.device.value));
        else if (!atBarrier.contains(own.device) || !atBarrier.contains(other.device))
            sentences.push_back(fmt::format("Stage {} stands on devices {} and {}, and neither an all-reduce nor a "
                                            "barrier before the update brings them together.",
                                            own.stage.value, other.device.value, own.device.value));
    }
    checkAllReduces(schedule, replicas, sentences);
}

/// Weights that are gathered, gradients that are reduced: both or neither, where the stage is, and no replicas beside.
void checkShards(const Schedule& schedule, Sentences& sentences)
{
    const Replicas replicas(schedule);
    std::map<Home, std::set<Work>> works;
    for (const Lane& lane : schedule.lanes)
        for (TaskId id = lane.begin; id < lane.end; ++id)
            if (const Task& task = schedule.tasks[id]; task.work == Work::Gather || task.work == Work::ReduceScatter)
                works[{task.stage, task.pipe, lane.device}].insert(task.work);
    for (const auto& [home, found] : works) {
        const std::size_t number = replicas.find(home);
        if (found.size() == 2 && number != Replicas::nowhere && !replicas.summed(number))
            continue;
        sentences.push_back(fmt::format("On device {} the weights of stage {} are gathered or their gradients reduced, "
                                        "but not both, or it isn't the stage's only home: the cpu backend can't run "
                                        "that.",
                                        home.device.value, home.stage.value));
    }
}

void checkShape(const Schedule& schedule, Sentences& sentences)
{
    if (schedule.shape.slices > 1 && schedule.slicing.empty())
        sentences.push_back("The schedule has slices and doesn't say how long they are: the cpu backend can't cut the "
                            "model's sequences.");
    if (!schedule.slicing.empty() &&
        (schedule.shape.pipes > 1 || schedule.shape.components > 0 || !schedule.paths.empty()))
        sentences.push_back(
            "The cpu backend can't run slices in several pipes, with frozen layers or along paths yet.");
}

/// What only some models can do.
void checkAbilities(const Schedule& schedule, const Backend& backend, Sentences& sentences)
{
    if (!backend.maker)
        return;
    Arena arena;
    if (schedule.shape.components > 0 && !backend.maker->makeFrozen(0, {}, arena))
        sentences.push_back("The schedule has frozen layers, and this model has no encoder: a transformer has.");
    if (schedule.semantics.staleState == Semantics::StaleState::None)
        return;
    if (!backend.maker->keepsStaleState())
        sentences.push_back("The schedule computes with state of the step before, which this model doesn't keep: a "
                            "graph network does.");
    if (backend.recompute)
        sentences.push_back("Recomputation can't bring back what was computed with state of the step before: that has "
                            "changed since.");
}

void checkSemantics(const Schedule& schedule, const Backend& backend, Sentences& sentences)
{
    const Semantics& semantics = schedule.semantics;
    if (asynchronous(schedule) && !streamsWeights(schedule) && schedule.shape.pipes > 1)
        sentences.push_back("The cpu backend can't run asynchronous schedules of several pipes yet.");
    if ((semantics.spikeCompensation || semantics.prediction == Semantics::Prediction::Velocity) && backend.maker &&
        !backend.maker->hasVelocity())
        sentences.push_back("Spike compensation and prediction by velocity need SGD with momentum: --optimizer sgdm.");
}

/// What a condition over all stages' gradients needs.
void checkClipping(const Schedule& schedule, const Backend& backend, Sentences& sentences)
{
    if (backend.clipNorm == 0)
        return;
    if (!(backend.clipNorm > 0))
        sentences.push_back(fmt::format(
            "Gradients can't be clipped to a norm of {}: give more than 0, or 0 for no clipping.", backend.clipNorm));
    if (streamsWeights(schedule))
        sentences.emplace_back("Gradients can't be clipped by their norm over all stages where the host updates each "
                               "stage as its gradients arrive.");
    else if (asynchronous(schedule) || schedule.semantics.stepBarrier == Semantics::StepBarrier::None)
        sentences.emplace_back(
            "Gradients can't be clipped by their norm over all stages: this schedule's stages update "
            "without waiting for each other, and nothing validates the updates.");
}

void checkModel(const Schedule& schedule, const Backend& backend, Sentences& sentences)
{
    const auto stages = static_cast<std::size_t>(schedule.shape.stages);
    if (!backend.maker)
        sentences.push_back("The cpu backend needs a model: give the number of its layers.");
    else if (backend.partition.size() != stages)
        sentences.push_back(
            fmt::format("The partition has {} entries for {} virtual stages.", backend.partition.size(), stages));
    for (const int blocks : backend.partition)
        if (blocks < 0)
            sentences.push_back(fmt::format("A stage can't have {} layers.", blocks));
}

} // namespace

std::vector<std::string> refusals(const Schedule& schedule, const Costs& costs, const Backend& backend,
                                  const RunOptions& options)
{
    Sentences sentences;
    if (schedule.tasks.empty())
        sentences.push_back("The schedule has no tasks.");
    if (options.steps < 0 || options.steps % schedule.shape.steps != 0)
        sentences.push_back(fmt::format("{} steps can't be run with a schedule that lists {}: give a multiple of that.",
                                        options.steps, schedule.shape.steps));
    else if (options.steps > schedule.shape.steps && (streamsWeights(schedule) || asynchronous(schedule)))
        sentences.push_back(
            fmt::format("The steps of this schedule overlap: it has to be built with all {} of them, and "
                        "it lists {}.",
                        options.steps, schedule.shape.steps));
    if (options.capacity < 0)
        sentences.push_back(fmt::format(
            "A queue can't hold {} messages: give 1 or more, or 0 for what the order needs.", options.capacity));
    if (backend.kind == Backend::Kind::Cpu) {
        checkTasks(schedule, sentences);
        checkShape(schedule, sentences);
        if (sharesVocabulary(schedule)) {
            if (std::string problem = VocabularyGroups(schedule).problem(); !problem.empty())
                sentences.push_back(std::move(problem));
        } else {
            checkReplicas(schedule, sentences);
            checkShards(schedule, sentences);
        }
        checkSemantics(schedule, backend, sentences);
        checkClipping(schedule, backend, sentences);
        checkModel(schedule, backend, sentences);
        checkAbilities(schedule, backend, sentences);
        return sentences;
    }
    if (costs.model == CommModel::Blocking)
        sentences.push_back("The paced backend runs transfers of the latency and link models; blocking transfers can "
                            "only be simulated.");
    if (options.verify)
        sentences.push_back("The paced backend computes nothing that could be verified: use the cpu backend.");
    return sentences;
}

} // namespace bubblescope
