// Does the order keep to its semantics (ir.md 1)?

#include "core/schedule/problem_report.h"
#include "core/schedule/versions.h"

#include <algorithm>

namespace bubblescope {
namespace {

using Kind = Problem::Kind;

void checkUpdateNumbers(const Schedule& schedule, ProblemReport& report)
{
    const auto stages = static_cast<std::size_t>(schedule.shape.allStages());
    for (const Lane& lane : schedule.lanes) {
        std::vector<std::pair<std::size_t, int>> made; // few stages a lane
        for (TaskId id = lane.begin; id < lane.end; ++id) {
            const Task& task = schedule.tasks[id];
            if (task.work != Work::Update)
                continue;
            const std::size_t key = task.pipe * stages + task.stage;
            auto found =
                std::find_if(made.begin(), made.end(), [key](const auto& entry) { return entry.first == key; });
            if (found == made.end())
                found = made.insert(made.end(), {key, 0});
            if (task.microbatch != found->second)
                report.add(Kind::BadVersion, {id}, {lane.device},
                           "{} stands where update {} of stage {} is due on device {}.", toText(task), found->second,
                           task.stage.value, lane.device.value);
            ++found->second;
        }
    }
}

} // namespace

void checkVersions(const Schedule& schedule, const TaskIndex& index, ProblemReport& report)
{
    checkUpdateNumbers(schedule, report);
    const Semantics& semantics = schedule.semantics;
    if (semantics.updateEvery == 0)
        return;
    for (const StageVersions& stage : weightVersions(schedule, index)) {
        const Device device = schedule.lanes[stage.lane].device;
        if (stage.unmade != noTask)
            report.add(Kind::BadVersion, {stage.unmade}, {device},
                       "{} on device {} reads a version of stage {}'s weights that isn't made yet when it runs.",
                       toText(schedule.tasks[stage.unmade]), device.value, stage.stage.value);
        if (stage.live > semantics.maxVersions)
            report.add(Kind::BadVersion, {stage.mostLiveAt}, {device},
                       "Device {} keeps {} versions of stage {}'s weights after {}; at most {} are allowed.",
                       device.value, stage.live, stage.stage.value, toText(schedule.tasks[stage.mostLiveAt]),
                       semantics.maxVersions);
        if (stage.drift > semantics.maxDrift)
            report.add(Kind::BadVersion, {stage.driftAt}, {device},
                       "The gradient of {} on device {} is {} updates old when it is used; at most {} are allowed.",
                       toText(schedule.tasks[stage.driftAt]), device.value, stage.drift, semantics.maxDrift);
    }
}

} // namespace bubblescope
