#include "core/execute/refusals.h"

#include <fmt/format.h>

#include <map>
#include <set>

namespace bubblescope {
namespace {

using Sentences = std::vector<std::string>;

bool computable(Work work)
{
    return onGrid(work) || work == Work::Update || work == Work::Barrier;
}

/// What the model's stages can't do.
void checkTasks(const Schedule& schedule, Sentences& sentences)
{
    std::set<Work> refused;
    std::map<Stage, Device> home;
    std::set<Stage> moved;
    bool forward = false;
    bool backward = false;
    for (const Lane& lane : schedule.lanes) {
        for (TaskId id = lane.begin; id < lane.end; ++id) {
            const Task& task = schedule.tasks[id];
            forward = forward || task.work == Work::Forward;
            backward = backward || propagatesGradient(task.work);
            if ((!computable(task.work) || lane.kind != LaneKind::Compute || lane.index != 0) &&
                refused.insert(task.work).second)
                sentences.push_back(
                    fmt::format("The cpu backend can't run {} tasks such as {} on the {} lane of device {} yet.",
                                workName(task.work).name, toText(task), laneKindName(lane.kind), lane.device.value));
            if ((onGrid(task.work) || task.work == Work::Update) &&
                home.emplace(task.stage, lane.device).first->second != lane.device && moved.insert(task.stage).second)
                sentences.push_back(
                    fmt::format("Stage {} stands on devices {} and {}: the cpu backend can't keep replicas of "
                                "weights yet.",
                                task.stage.value, home[task.stage].value, lane.device.value));
        }
    }
    if (forward && !backward)
        sentences.push_back(
            "The cpu backend trains: it needs a backward for every forward, and this schedule has none.");
}

void checkShape(const Schedule& schedule, Sentences& sentences)
{
    if (schedule.shape.pipes > 1)
        sentences.push_back(fmt::format(
            "The schedule has {} pipes: the cpu backend can't keep replicas of weights yet.", schedule.shape.pipes));
    if (schedule.shape.slices > 1)
        sentences.push_back(
            "The cpu backend can't run sequence slices yet: the model's attention has no key-value cache.");
    if (schedule.shape.components > 0)
        sentences.push_back(
            "The cpu backend can't run components beside the model (frozen encoders, draft models) yet.");
    if (!schedule.paths.empty())
        sentences.push_back("The cpu backend can't run microbatches that skip stages yet.");
}

void checkSemantics(const Semantics& semantics, Sentences& sentences)
{
    if (semantics.maxVersions > 1 || semantics.forwardReads != Semantics::ForwardReads::Latest ||
        semantics.maxDrift > 0)
        sentences.push_back(
            fmt::format("The schedule keeps {} versions of the weights: the cpu backend runs synchronous "
                        "schedules, with one version, only.",
                        semantics.maxVersions));
    if (semantics.replicas != Semantics::Replicas::None)
        sentences.push_back("The cpu backend can't sum gradients over replicas yet.");
    if (semantics.stepBarrier == Semantics::StepBarrier::PostValidation)
        sentences.push_back("The cpu backend can't undo an update after validation yet.");
    if (semantics.staleState != Semantics::StaleState::None)
        sentences.push_back("The cpu backend can't compute with state of the step before yet.");
    if (semantics.compensation != Semantics::Compensation::None)
        sentences.push_back("The cpu backend can't predict or correct weights yet.");
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
    if (options.capacity < 0)
        sentences.push_back(fmt::format(
            "A queue can't hold {} messages: give 1 or more, or 0 for what the order needs.", options.capacity));
    if (backend.kind == Backend::Kind::Cpu) {
        checkTasks(schedule, sentences);
        checkShape(schedule, sentences);
        checkSemantics(schedule.semantics, sentences);
        checkModel(schedule, backend, sentences);
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
