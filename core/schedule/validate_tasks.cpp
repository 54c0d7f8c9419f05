// Is every task there exactly once, inside the sizes, on its path and at home?

#include "core/schedule/problem_report.h"

#include <fmt/ranges.h>

#include <algorithm>

namespace bubblescope {
namespace {

using Kind = Problem::Kind;

/// What the checks of tasks need to know about the whole schedule.
struct Works {
    bool backward = false;
    bool weight = false;
    bool recompute = false;

    explicit Works(const Schedule& schedule)
    {
        for (const Task& task : schedule.tasks) {
            backward = backward || propagatesGradient(task.work) || task.work == Work::WeightGradient;
            weight = weight || task.work == Work::WeightGradient;
            recompute = recompute || task.work == Work::Recompute;
        }
    }
};

void checkInsideShape(const Schedule& schedule, TaskId id, Device device, ProblemReport& report)
{
    const Task& task = schedule.tasks[id];
    const Shape& shape = schedule.shape;
    if (task.stage >= shape.allStages())
        report.add(Kind::WrongShape, {id}, {device}, "{}: there is no stage {}; the last one is {}.", toText(task),
                   task.stage.value, shape.allStages() - 1);
    else if (task.pipe >= shape.pipes)
        report.add(Kind::WrongShape, {id}, {device}, "{}: there is no pipe {}; the last one is {}.", toText(task),
                   task.pipe.value, shape.pipes - 1);
    else if (task.microbatch < 0 ||
             (onGrid(task.work) && task.microbatch >= shape.microbatches[task.pipe] * shape.steps))
        report.add(Kind::WrongShape, {id}, {device}, "{}: there is no microbatch {}; the last one of pipe {} is {}.",
                   toText(task), task.microbatch.value, task.pipe.value,
                   shape.microbatches[task.pipe] * shape.steps - 1);
    else if (onGrid(task.work) && task.slice >= shape.slices)
        report.add(Kind::WrongShape, {id}, {device}, "{}: there is no slice {}; the last one is {}.", toText(task),
                   task.slice.value, shape.slices - 1);
    else if (onGrid(task.work) && schedule.dataflow.grid && task.part != 0)
        report.add(Kind::WrongShape, {id}, {device},
                   "{}: forward and backward tasks are done by one device, so they can't be part {}.", toText(task),
                   task.part.value);
}

std::string placesText(const Schedule& schedule, TaskId first, TaskId second)
{
    const Device a = schedule.deviceOf(first);
    const Device b = schedule.deviceOf(second);
    return a == b ? fmt::format("twice on device {}", a.value)
                  : fmt::format("on device {} and again on device {}", a.value, b.value);
}

/// Repeated tasks. Grid tasks collide in their slot; the others are sorted.
void checkRepeated(const Schedule& schedule, const TaskIndex& index, ProblemReport& report)
{
    struct Keyed {
        std::pair<std::uint64_t, std::uint64_t> key;
        TaskId id{};

        bool operator<(const Keyed& other) const { return key != other.key ? key < other.key : id < other.id; }
    };

    std::vector<Keyed> others; // with their keys, which the sort reads often
    for (std::uint32_t i = 0; i < schedule.tasks.size(); ++i) {
        const TaskId id(i);
        const Task& task = schedule.tasks[id];
        if (!index.grid().contains(task)) {
            others.push_back({task.key(), id});
            continue;
        }
        const TaskId first = index.find(task);
        if (first == id)
            continue;
        const Task& earlier = schedule.tasks[first];
        if (earlier == task)
            report.add(Kind::RepeatedTask, {first, id}, {schedule.deviceOf(first), schedule.deviceOf(id)},
                       "{} stands {}.", toText(task), placesText(schedule, first, id));
        else
            report.add(Kind::RepeatedTask, {first, id}, {schedule.deviceOf(first), schedule.deviceOf(id)},
                       "{} and {} both compute the input gradient; B is the whole backward, I is followed by W.",
                       toText(earlier), toText(task));
    }
    std::sort(others.begin(), others.end());
    for (std::size_t i = 1; i < others.size(); ++i)
        if (others[i - 1].key == others[i].key) {
            const TaskId first = others[i - 1].id;
            const TaskId second = others[i].id;
            report.add(Kind::RepeatedTask, {first, second}, {schedule.deviceOf(first), schedule.deviceOf(second)},
                       "{} stands {}.", toText(schedule.tasks[second]), placesText(schedule, first, second));
        }
}

/// One stage of one microbatch: exactly one F; then either one B, or one I and one W.
void checkVisit(const Schedule& schedule, const TaskIndex& index, const Works& works, Task task, ProblemReport& report)
{
    const auto find = [&](Work work) {
        task.work = work;
        return index.find(task);
    };
    const auto name = [&](Work work) {
        task.work = work;
        return toText(task);
    };
    const TaskId forward = find(Work::Forward);
    if (forward == noTask)
        report.add(Kind::MissingTask, {}, {}, "{} is missing: microbatch {} never runs forward on stage {}.",
                   name(Work::Forward), task.microbatch.value, task.stage.value);
    if (!works.backward && schedule.semantics.updateEvery == 0)
        return;
    const TaskId backward = find(Work::Backward);
    const TaskId weight = works.weight ? find(Work::WeightGradient) : noTask;
    if (backward == noTask && weight != noTask)
        report.add(Kind::MissingTask, {weight}, {}, "{} is missing before {}.", name(Work::InputGradient),
                   name(Work::WeightGradient));
    else if (backward == noTask)
        report.add(Kind::MissingTask, {}, {}, "{} is missing, or {} and {} in its place.", name(Work::Backward),
                   name(Work::InputGradient), name(Work::WeightGradient));
    else if (schedule.tasks[backward].work == Work::InputGradient && weight == noTask)
        report.add(Kind::MissingTask, {backward}, {}, "{} is missing after {}.", name(Work::WeightGradient),
                   name(Work::InputGradient));
    else if (schedule.tasks[backward].work == Work::Backward && weight != noTask)
        report.add(Kind::RepeatedTask, {backward, weight}, {},
                   "{} repeats what {} has computed: B is the whole backward, I the input gradient alone.",
                   name(Work::WeightGradient), name(Work::Backward));
}

/// First row of each pipe, and the end, where every pipe has `steps` times its microbatches per step.
std::vector<std::size_t> firstRows(const Shape& shape, int steps)
{
    std::vector<std::size_t> rows{0};
    for (const int count : shape.microbatches)
        rows.push_back(rows.back() + static_cast<std::size_t>(count) * static_cast<std::size_t>(steps));
    return rows;
}

/// The stages that each microbatch visits.
class Visits {
public:
    explicit Visits(const Schedule& schedule) : m_schedule(schedule), m_firstRow(firstRows(schedule.shape, 1))
    {
        for (int stage = 0; stage < schedule.shape.stages; ++stage)
            m_everyStage.emplace_back(stage);
    }

    const std::vector<Stage>& path(Pipe pipe, Microbatch microbatch) const
    {
        if (m_schedule.paths.empty())
            return m_everyStage;
        const auto ofStep = static_cast<std::size_t>(microbatch % m_schedule.shape.microbatches[pipe]);
        return m_schedule.paths[m_schedule.pathOfMicrobatch[m_firstRow[pipe] + ofStep]];
    }

private:
    const Schedule& m_schedule;
    std::vector<std::size_t> m_firstRow;
    std::vector<Stage> m_everyStage;
};

/// Every microbatch has visited every stage of its path; nothing stands off the path.
void checkComplete(const Schedule& schedule, const TaskIndex& index, ProblemReport& report)
{
    const Shape& shape = schedule.shape;
    const Works works(schedule);
    const Visits visits(schedule);
    const std::vector<std::size_t> firstRow = firstRows(shape, shape.steps);
    std::vector<std::uint16_t> slices(firstRow.back(), 1); // by (pipe, microbatch): it may have fewer than the most
    for (const Task& task : schedule.tasks)
        if (index.grid().contains(task)) {
            std::uint16_t& most = slices[firstRow[task.pipe] + static_cast<std::size_t>(task.microbatch)];
            most = std::max<std::uint16_t>(most, static_cast<std::uint16_t>(task.slice + 1));
        }
    for (int pipe = 0; pipe < shape.pipes; ++pipe)
        for (int microbatch = 0; microbatch < shape.microbatches[static_cast<std::size_t>(pipe)] * shape.steps;
             ++microbatch) {
            const int sliceCount =
                slices[firstRow[static_cast<std::size_t>(pipe)] + static_cast<std::size_t>(microbatch)];
            for (const Stage stage : visits.path(Pipe(pipe), Microbatch(microbatch)))
                for (int slice = 0; slice < sliceCount; ++slice)
                    checkVisit(schedule, index, works,
                               {.pipe = Pipe(pipe),
                                .slice = Slice(slice),
                                .stage = stage,
                                .microbatch = Microbatch(microbatch)},
                               report);
        }
}

void checkOnPath(const Schedule& schedule, const TaskIndex& index, ProblemReport& report)
{
    if (schedule.paths.empty())
        return;
    const Visits visits(schedule);
    for (std::uint32_t i = 0; i < schedule.tasks.size(); ++i) {
        const Task& task = schedule.tasks[i];
        if (!index.grid().contains(task) || task.stage >= schedule.shape.stages)
            continue;
        const std::vector<Stage>& path = visits.path(task.pipe, task.microbatch);
        if (std::find(path.begin(), path.end(), task.stage) != path.end())
            continue;
        std::vector<int> stages(path.begin(), path.end());
        report.add(Kind::BadPath, {TaskId(i)}, {schedule.deviceOf(TaskId(i))},
                   "{} isn't on the path of microbatch {}, which visits the stages {}.", toText(task),
                   task.microbatch.value, fmt::join(stages, ", "));
    }
}

/// A declared placement names existing devices only.
void checkPlacement(const Schedule& schedule, ProblemReport& report)
{
    const auto stages = static_cast<std::size_t>(schedule.shape.allStages());
    const auto& homes = schedule.placement.homes;
    for (std::size_t home = 0; home < homes.size(); ++home)
        for (const Device device : homes[home])
            if (device >= schedule.shape.devices)
                report.add(Kind::WrongDevice, {}, {device},
                           "Stage {} is placed on device {}, but the last device is {}.", home % stages, device.value,
                           schedule.shape.devices - 1);
}

/// A task of a stage that has several homes runs where the forward of its microbatch left its activations.
void checkReplica(const Schedule& schedule, const TaskIndex& index, TaskId id, Device device, ProblemReport& report)
{
    Task forward = schedule.tasks[id];
    forward.work = Work::Forward;
    const TaskId first = index.find(forward);
    if (first != noTask && schedule.deviceOf(first) != device)
        report.add(Kind::WrongDevice, {first, id}, {device},
                   "{} runs on replica device {}, but its activations are on device {}, where {} ran.",
                   toText(schedule.tasks[id]), device.value, schedule.deviceOf(first).value, toText(forward));
}

/// Work with weights runs where its stage is placed. Components need no place.
void checkHome(const Schedule& schedule, const TaskIndex& index, TaskId id, Device device, ProblemReport& report)
{
    const Task& task = schedule.tasks[id];
    const auto stages = static_cast<std::size_t>(schedule.shape.allStages());
    const std::size_t home = task.pipe * stages + task.stage;
    if (task.stage >= stages || (!onGrid(task.work) && task.work != Work::Update))
        return;
    static const std::vector<Device> nowhere;
    const std::vector<Device>& homes =
        home < schedule.placement.homes.size() ? schedule.placement.homes[home] : nowhere;
    if (homes.empty() && task.stage < schedule.shape.stages) {
        report.add(Kind::WrongDevice, {id}, {device}, "{} runs on device {}, but stage {} is placed nowhere.",
                   toText(task), device.value, task.stage.value);
    } else if (!homes.empty() && std::find(homes.begin(), homes.end(), device) == homes.end()) {
        const std::vector<int> numbers(homes.begin(), homes.end());
        report.add(Kind::WrongDevice, {id}, {device}, "{} runs on device {}, but stage {} is placed on device {}.",
                   toText(task), device.value, task.stage.value, fmt::join(numbers, " and "));
    } else if (homes.size() > 1 && onGrid(task.work) && task.work != Work::Forward) {
        checkReplica(schedule, index, id, device, report);
    }
}

} // namespace

void checkTasks(const Schedule& schedule, const TaskIndex& index, ProblemReport& report)
{
    for (const Lane& lane : schedule.lanes)
        for (TaskId id = lane.begin; id < lane.end; ++id)
            checkInsideShape(schedule, id, lane.device, report);
    checkRepeated(schedule, index, report);
    if (schedule.dataflow.grid) {
        checkComplete(schedule, index, report);
        checkOnPath(schedule, index, report);
    }
    if (schedule.placement.empty())
        return;
    checkPlacement(schedule, report);
    for (const Lane& lane : schedule.lanes)
        for (TaskId id = lane.begin; id < lane.end && lane.kind == LaneKind::Compute; ++id)
            checkHome(schedule, index, id, lane.device, report);
}

} // namespace bubblescope
