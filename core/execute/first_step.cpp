#include "core/execute/first_step.h"

#include "core/schedule/ordinals.h"

#include <optional>

namespace bubblescope {
namespace {

using Kept = std::vector<std::optional<ScheduleBuilder::Ref>>; // by TaskId of the whole schedule

Kept keepTasks(const Schedule& schedule, ScheduleBuilder& builder)
{
    const Ordinals ordinals(schedule);
    Kept kept(schedule.tasks.size());
    for (const Lane& lane : schedule.lanes) {
        for (TaskId id = lane.begin; id < lane.end; ++id) {
            Task task = schedule.tasks[id];
            if (task.microbatch >= ordinals.perStep(task))
                continue;
            task.flags = 0;
            kept[id] = builder.add(builder.lane(lane.device, lane.kind, lane.index), task);
        }
    }
    for (std::uint32_t id = 0; id + 1 < schedule.tasks.size(); ++id)
        if (kept[id] && kept[id + 1] && schedule.tasks[id].joined())
            builder.join(*kept[id]);
    return kept;
}

void keepTies(const Schedule& schedule, const Kept& kept, ScheduleBuilder& builder)
{
    for (const Edge& edge : schedule.dataflow.edges)
        if (kept[edge.from] && kept[edge.to])
            builder.edge(*kept[edge.from], *kept[edge.to], edge.payload);
    for (const Group& group : schedule.groups) {
        std::vector<ScheduleBuilder::Ref> members;
        for (std::uint32_t i = group.begin; i < group.end; ++i)
            if (kept[schedule.groupMembers[i]])
                members.push_back(*kept[schedule.groupMembers[i]]);
        if (members.size() == group.end - group.begin)
            builder.group(members);
    }
}

} // namespace

Schedule firstStep(const Schedule& schedule)
{
    if (schedule.shape.steps == 1)
        return schedule;
    Shape shape = schedule.shape;
    shape.steps = 1;
    ScheduleBuilder builder(shape);
    keepTies(schedule, keepTasks(schedule, builder), builder);
    Schedule step = builder.finish();
    step.dataflow.grid = schedule.dataflow.grid;
    step.paths = schedule.paths;
    step.pathOfMicrobatch = schedule.pathOfMicrobatch;
    step.placement = schedule.placement;
    step.semantics = schedule.semantics;
    step.slicing = schedule.slicing;
    return step;
}

} // namespace bubblescope
