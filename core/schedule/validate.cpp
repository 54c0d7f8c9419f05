// Checks in the order in which they depend on each other: sizes, paths, tasks, units and groups, edges;
// then, when lanes, groups and edges are well formed, deadlock and weight versions.

#include "core/schedule/validate.h"

#include "core/schedule/deadlock.h"
#include "core/schedule/task_index.h"
#include "core/schedule/versions.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <optional>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace bubblescope {

const char* problemKindName(Problem::Kind kind)
{
    static constexpr std::array<const char*, Problem::kinds> names{"missing task", "repeated task", "wrong device", "wrong shape", "deadlock",
                                                                    "bad unit", "bad group", "bad edge", "bad path", "bad version"};
    return names[static_cast<std::size_t>(kind)];
}

namespace {

using Kind = Problem::Kind;

/// Collects problems and stops writing sentences of a kind after the first twenty.
class Report {
public:
    template <class... Args>
    void add(Kind kind, std::vector<TaskId> tasks, std::vector<Device> devices, fmt::format_string<Args...> format, Args&&... args)
    {
        if (++m_count[static_cast<std::size_t>(kind)] <= Problem::mostSentences)
            m_problems.push_back({kind, Problem::Severity::Error, fmt::format(format, std::forward<Args>(args)...), std::move(tasks),
                                  std::move(devices), {}, {}});
    }

    void add(Problem problem)
    {
        if (++m_count[static_cast<std::size_t>(problem.kind)] <= Problem::mostSentences)
            m_problems.push_back(std::move(problem));
    }

    bool has(Kind kind) const { return m_count[static_cast<std::size_t>(kind)] > 0; }

    bool empty() const { return m_problems.empty(); }

    std::vector<Problem> take()
    {
        for (std::size_t kind = 0; kind < Problem::kinds; ++kind) {
            if (m_count[kind] <= Problem::mostSentences)
                continue;
            const std::size_t rest = m_count[kind] - Problem::mostSentences;
            m_problems.push_back({static_cast<Kind>(kind), Problem::Severity::Error,
                                  fmt::format("{} more problem{} of the kind \"{}\".", rest, rest == 1 ? "" : "s",
                                              problemKindName(static_cast<Kind>(kind))),
                                  {}, {}, {}, {}});
        }
        return std::move(m_problems);
    }

private:
    std::vector<Problem> m_problems;
    std::array<std::size_t, Problem::kinds> m_count{};
};

// ---- sizes and paths: what everything else is computed with ---------------------------------------------------

void checkShape(const Schedule& schedule, Report& report)
{
    const Shape& shape = schedule.shape;
    if (shape.devices < 1 || shape.stages < 1 || shape.components < 0 || shape.pipes < 1 || shape.slices < 1 || shape.steps < 1)
        report.add(Kind::WrongShape, {}, {}, "The numbers of devices ({}), stages ({}), pipes ({}), slices ({}) and steps ({}) must all be at least 1.",
                   shape.devices, shape.stages, shape.pipes, shape.slices, shape.steps);
    if (static_cast<int>(shape.microbatches.size()) != shape.pipes)
        report.add(Kind::WrongShape, {}, {}, "There are {} pipes, but numbers of microbatches for {}.", shape.pipes, shape.microbatches.size());
    if (std::any_of(shape.microbatches.begin(), shape.microbatches.end(), [](int count) { return count < 0; }))
        report.add(Kind::WrongShape, {}, {}, "A pipe can't have a negative number of microbatches.");
    if (!report.empty())
        return;
    double promised = 0;
    for (const int count : shape.microbatches)
        promised += static_cast<double>(count) * shape.steps * shape.allStages() * shape.slices;
    const double most = std::max(1e6, 64.0 * static_cast<double>(schedule.tasks.size()));
    if (promised > most)
        report.add(Kind::WrongShape, {}, {}, "The sizes promise {:.0f} forward tasks, but the lanes hold only {} tasks in all.", promised,
                   schedule.tasks.size());
}

void checkLanes(const Schedule& schedule, Report& report)
{
    std::uint32_t end = 0;
    for (const Lane& lane : schedule.lanes) {
        if (lane.begin != end || lane.end < lane.begin || lane.end > schedule.tasks.size()) {
            report.add(Kind::WrongShape, {}, {lane.device}, "The lanes don't lie one after another in the list of tasks (at a {} lane of device {}).",
                       laneKindName(lane.kind), lane.device.value);
            return;
        }
        end = lane.end;
        if (lane.device >= schedule.shape.devices && lane.kind != LaneKind::Host)
            report.add(Kind::WrongDevice, {}, {lane.device}, "There is a {} lane on device {}, but the last device is {}.", laneKindName(lane.kind),
                       lane.device.value, schedule.shape.devices - 1);
    }
    if (end != schedule.tasks.size())
        report.add(Kind::WrongShape, {}, {}, "{} tasks lie on no lane.", schedule.tasks.size() - end);
}

void checkPaths(const Schedule& schedule, Report& report)
{
    if (schedule.paths.empty())
        return;
    for (std::size_t p = 0; p < schedule.paths.size(); ++p) {
        std::vector<bool> visited(static_cast<std::size_t>(schedule.shape.allStages()), false);
        if (schedule.paths[p].empty())
            report.add(Kind::BadPath, {}, {}, "Path {} visits no stage.", p);
        for (const Stage stage : schedule.paths[p]) {
            if (stage >= schedule.shape.allStages())
                report.add(Kind::BadPath, {}, {}, "Path {} visits stage {}, but the last stage is {}.", p, stage.value, schedule.shape.allStages() - 1);
            else if (visited[stage])
                report.add(Kind::BadPath, {}, {}, "Path {} visits stage {} twice.", p, stage.value);
            else
                visited[stage] = true;
        }
    }
    const auto rows = static_cast<std::size_t>(schedule.shape.microbatchesPerStep());
    if (schedule.pathOfMicrobatch.size() != rows)
        report.add(Kind::BadPath, {}, {}, "There are {} microbatches per step, but a path is given for {}.", rows, schedule.pathOfMicrobatch.size());
    for (const std::uint16_t path : schedule.pathOfMicrobatch)
        if (path >= schedule.paths.size())
            report.add(Kind::BadPath, {}, {}, "A microbatch takes path {}, but there are only {}.", path, schedule.paths.size());
}

// ---- tasks ------------------------------------------------------------------------------------------------------

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

void checkInsideShape(const Schedule& schedule, TaskId id, Device device, Report& report)
{
    const Task& task = schedule.tasks[id];
    const Shape& shape = schedule.shape;
    const std::string name = toText(task);
    if (task.stage >= shape.allStages())
        report.add(Kind::WrongShape, {id}, {device}, "{}: there is no stage {}; the last one is {}.", name, task.stage.value, shape.allStages() - 1);
    else if (task.pipe >= shape.pipes)
        report.add(Kind::WrongShape, {id}, {device}, "{}: there is no pipe {}; the last one is {}.", name, task.pipe.value, shape.pipes - 1);
    else if (task.microbatch < 0 || (onGrid(task.work) && task.microbatch >= shape.microbatches[task.pipe] * shape.steps))
        report.add(Kind::WrongShape, {id}, {device}, "{}: there is no microbatch {}; the last one of pipe {} is {}.", name, task.microbatch.value,
                   task.pipe.value, shape.microbatches[task.pipe] * shape.steps - 1);
    else if (onGrid(task.work) && task.slice >= shape.slices)
        report.add(Kind::WrongShape, {id}, {device}, "{}: there is no slice {}; the last one is {}.", name, task.slice.value, shape.slices - 1);
    else if (onGrid(task.work) && schedule.dataflow.grid && task.part != 0)
        report.add(Kind::WrongShape, {id}, {device}, "{}: forward and backward tasks are done by one device, so they can't be part {}.", name,
                   task.part.value);
}

std::string placesText(const Schedule& schedule, TaskId first, TaskId second)
{
    const Device a = schedule.deviceOf(first);
    const Device b = schedule.deviceOf(second);
    return a == b ? fmt::format("twice on device {}", a.value) : fmt::format("on device {} and again on device {}", a.value, b.value);
}

/// Repeated tasks. Grid tasks collide in their slot; the others are sorted.
void checkRepeated(const Schedule& schedule, const TaskIndex& index, Report& report)
{
    std::vector<TaskId> others;
    for (std::uint32_t i = 0; i < schedule.tasks.size(); ++i) {
        const TaskId id(i);
        const Task& task = schedule.tasks[id];
        if (!index.grid().contains(task)) {
            others.push_back(id);
            continue;
        }
        const TaskId first = index.find(task);
        if (first == id)
            continue;
        const Task& earlier = schedule.tasks[first];
        if (earlier == task)
            report.add(Kind::RepeatedTask, {first, id}, {schedule.deviceOf(first), schedule.deviceOf(id)}, "{} stands {}.", toText(task),
                       placesText(schedule, first, id));
        else
            report.add(Kind::RepeatedTask, {first, id}, {schedule.deviceOf(first), schedule.deviceOf(id)},
                       "{} and {} both compute the input gradient; B is the whole backward, I is followed by W.", toText(earlier), toText(task));
    }
    const auto key = [&](TaskId id) { return schedule.tasks[id].key(); };
    std::sort(others.begin(), others.end(), [&](TaskId a, TaskId b) { return std::pair(key(a), a.value) < std::pair(key(b), b.value); });
    for (std::size_t i = 1; i < others.size(); ++i)
        if (key(others[i - 1]) == key(others[i]))
            report.add(Kind::RepeatedTask, {others[i - 1], others[i]}, {schedule.deviceOf(others[i - 1]), schedule.deviceOf(others[i])},
                       "{} stands {}.", toText(schedule.tasks[others[i]]), placesText(schedule, others[i - 1], others[i]));
}

/// One stage of one microbatch: exactly one F; then either one B, or one I and one W.
void checkVisit(const Schedule& schedule, const TaskIndex& index, const Works& works, Task task, Report& report)
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
        report.add(Kind::MissingTask, {}, {}, "{} is missing: microbatch {} never runs forward on stage {}.", name(Work::Forward),
                   task.microbatch.value, task.stage.value);
    if (!works.backward && schedule.semantics.updateEvery == 0)
        return;
    const TaskId backward = find(Work::Backward);
    const TaskId weight = works.weight ? find(Work::WeightGradient) : noTask;
    if (backward == noTask && weight != noTask)
        report.add(Kind::MissingTask, {weight}, {}, "{} is missing before {}.", name(Work::InputGradient), name(Work::WeightGradient));
    else if (backward == noTask)
        report.add(Kind::MissingTask, {}, {}, "{} is missing, or {} and {} in its place.", name(Work::Backward), name(Work::InputGradient),
                   name(Work::WeightGradient));
    else if (schedule.tasks[backward].work == Work::InputGradient && weight == noTask)
        report.add(Kind::MissingTask, {backward}, {}, "{} is missing after {}.", name(Work::WeightGradient), name(Work::InputGradient));
    else if (schedule.tasks[backward].work == Work::Backward && weight != noTask)
        report.add(Kind::RepeatedTask, {backward, weight}, {}, "{} repeats what {} has computed: B is the whole backward, I the input gradient alone.",
                   name(Work::WeightGradient), name(Work::Backward));
}

/// Every microbatch has visited every stage of its path; nothing stands off the path.
void checkComplete(const Schedule& schedule, const TaskIndex& index, const Works& works, Report& report)
{
    const Shape& shape = schedule.shape;
    std::vector<std::size_t> firstRow;
    std::size_t rows = 0;
    for (const int count : shape.microbatches) {
        firstRow.push_back(rows);
        rows += static_cast<std::size_t>(count * shape.steps);
    }
    std::vector<std::uint16_t> slices(rows, 1);
    for (const Task& task : schedule.tasks)
        if (index.grid().contains(task)) {
            std::uint16_t& most = slices[firstRow[task.pipe] + static_cast<std::size_t>(task.microbatch)];
            most = std::max<std::uint16_t>(most, static_cast<std::uint16_t>(task.slice + 1));
        }
    std::vector<Stage> everyStage;
    for (int stage = 0; stage < shape.stages; ++stage)
        everyStage.push_back(Stage(stage));
    std::size_t rowOfStep = 0;
    for (int pipe = 0; pipe < shape.pipes; ++pipe) {
        const int perStep = shape.microbatches[static_cast<std::size_t>(pipe)];
        for (int microbatch = 0; microbatch < perStep * shape.steps; ++microbatch) {
            const std::size_t row = rowOfStep + static_cast<std::size_t>(microbatch % perStep);
            const std::vector<Stage>& path = schedule.paths.empty() ? everyStage : schedule.paths[schedule.pathOfMicrobatch[row]];
            const int sliceCount = slices[firstRow[static_cast<std::size_t>(pipe)] + static_cast<std::size_t>(microbatch)];
            for (const Stage stage : path)
                for (int slice = 0; slice < sliceCount; ++slice)
                    checkVisit(schedule, index, works,
                               {.pipe = Pipe(pipe), .slice = Slice(slice), .stage = stage, .microbatch = Microbatch(microbatch)}, report);
        }
        rowOfStep += static_cast<std::size_t>(perStep);
    }
}

void checkOnPath(const Schedule& schedule, const TaskIndex& index, Report& report)
{
    if (schedule.paths.empty())
        return;
    std::vector<std::size_t> firstRow;
    std::size_t rows = 0;
    for (const int count : schedule.shape.microbatches) {
        firstRow.push_back(rows);
        rows += static_cast<std::size_t>(count);
    }
    for (std::uint32_t i = 0; i < schedule.tasks.size(); ++i) {
        const Task& task = schedule.tasks[i];
        if (!index.grid().contains(task) || task.stage >= schedule.shape.stages)
            continue;
        const std::size_t row = firstRow[task.pipe] + static_cast<std::size_t>(task.microbatch % schedule.shape.microbatches[task.pipe]);
        const std::vector<Stage>& path = schedule.paths[schedule.pathOfMicrobatch[row]];
        if (std::find(path.begin(), path.end(), task.stage) != path.end())
            continue;
        std::vector<int> stages(path.begin(), path.end());
        report.add(Kind::BadPath, {TaskId(i)}, {schedule.deviceOf(TaskId(i))}, "{} isn't on the path of microbatch {}, which visits the stages {}.",
                   toText(task), task.microbatch.value, fmt::join(stages, ", "));
    }
}

void checkHomes(const Schedule& schedule, const TaskIndex& index, Report& report)
{
    const auto& homes = schedule.placement.homes;
    const auto stages = static_cast<std::size_t>(schedule.shape.allStages());
    for (std::size_t home = 0; home < homes.size(); ++home)
        for (const Device device : homes[home])
            if (device >= schedule.shape.devices)
                report.add(Kind::WrongDevice, {}, {device}, "Stage {} is placed on device {}, but the last device is {}.", home % stages, device.value,
                           schedule.shape.devices - 1);
    for (const Lane& lane : schedule.lanes) {
        if (lane.kind != LaneKind::Compute || homes.empty())
            continue;
        for (TaskId id = lane.begin; id < lane.end; ++id) {
            const Task& task = schedule.tasks[id];
            const std::size_t home = task.pipe * stages + task.stage;
            if (task.stage >= stages || (!onGrid(task.work) && task.work != Work::Update) || (home < homes.size() && homes[home].empty() && task.stage >= schedule.shape.stages))
                continue;
            if (home >= homes.size() || homes[home].empty()) {
                report.add(Kind::WrongDevice, {id}, {lane.device}, "{} runs on device {}, but stage {} is placed nowhere.", toText(task),
                           lane.device.value, task.stage.value);
            } else if (std::find(homes[home].begin(), homes[home].end(), lane.device) == homes[home].end()) {
                std::vector<int> devices(homes[home].begin(), homes[home].end());
                report.add(Kind::WrongDevice, {id}, {lane.device}, "{} runs on device {}, but stage {} is placed on device {}.", toText(task),
                           lane.device.value, task.stage.value, fmt::join(devices, " and "));
            } else if (homes[home].size() > 1 && onGrid(task.work) && task.work != Work::Forward) {
                Task forward = task;
                forward.work = Work::Forward;
                const TaskId first = index.find(forward);
                if (first != noTask && schedule.deviceOf(first) != lane.device)
                    report.add(Kind::WrongDevice, {first, id}, {lane.device},
                               "{} runs on replica device {}, but its activations are on device {}, where {} ran.", toText(task), lane.device.value,
                               schedule.deviceOf(first).value, toText(forward));
            }
        }
    }
}

// ---- units, groups and edges ----------------------------------------------------------------------------------

void checkUnits(const Schedule& schedule, Report& report)
{
    for (const Lane& lane : schedule.lanes)
        for (TaskId id = lane.begin; id < lane.end; ++id) {
            const Task& task = schedule.tasks[id];
            if (!task.joined())
                continue;
            if (id + 1U == lane.end) {
                report.add(Kind::BadUnit, {id}, {lane.device}, "{} is joined with the next task, but it is the last one of its lane.", toText(task));
                continue;
            }
            const TaskId next(id + 1U);
            if (task.grouped() || schedule.tasks[next].grouped())
                report.add(Kind::BadUnit, {id, next}, {lane.device}, "{} and {} are joined, but one of them belongs to a group; a group's members stand alone.",
                           toText(task), toText(schedule.tasks[next]));
        }
}

/// The group of every task; noGroup where it has none.
constexpr std::uint32_t noGroup = 0xffffffffU;

std::vector<std::uint32_t> checkGroups(const Schedule& schedule, Report& report)
{
    std::vector<std::uint32_t> groupOf(schedule.groups.empty() ? 0 : schedule.tasks.size(), noGroup);
    for (std::uint32_t g = 0; g < schedule.groups.size(); ++g) {
        const Group& group = schedule.groups[g];
        if (group.begin >= group.end || group.end > schedule.groupMembers.size()) {
            report.add(Kind::BadGroup, {}, {}, "Group {} has no members.", g);
            continue;
        }
        std::vector<std::pair<LaneId, TaskId>> lanes;
        for (std::uint32_t i = group.begin; i < group.end; ++i) {
            const TaskId id = schedule.groupMembers[i];
            if (id >= schedule.tasks.size()) {
                report.add(Kind::BadGroup, {}, {}, "Group {} names task number {}, which doesn't exist.", g, id.value);
                continue;
            }
            const Task& task = schedule.tasks[id];
            if (groupOf[id] != noGroup)
                report.add(Kind::BadGroup, {id}, {schedule.deviceOf(id)}, "{} belongs to two groups.", toText(task));
            if (!task.grouped())
                report.add(Kind::BadGroup, {id}, {schedule.deviceOf(id)}, "{} is listed in a group but isn't marked as a member.", toText(task));
            groupOf[id] = g;
            lanes.emplace_back(schedule.laneOf(id), id);
        }
        std::sort(lanes.begin(), lanes.end());
        for (std::size_t i = 1; i < lanes.size(); ++i)
            if (lanes[i].first == lanes[i - 1].first && lanes[i].second != lanes[i - 1].second)
                report.add(Kind::BadGroup, {lanes[i - 1].second, lanes[i].second}, {schedule.deviceOf(lanes[i].second)},
                           "{} and {} belong to one group and to one lane, so they can't start together.",
                           toText(schedule.tasks[lanes[i - 1].second]), toText(schedule.tasks[lanes[i].second]));
    }
    for (std::uint32_t i = 0; i < schedule.tasks.size(); ++i)
        if (schedule.tasks[i].grouped() && (groupOf.empty() || groupOf[i] == noGroup))
            report.add(Kind::BadGroup, {TaskId(i)}, {schedule.deviceOf(TaskId(i))}, "{} is marked as a member of a group, but no group lists it.",
                       toText(schedule.tasks[i]));
    return groupOf;
}

/// Edges between tasks that start together can never be kept.
void checkEdgesInside(const Schedule& schedule, const TaskIndex& index, const std::vector<std::uint32_t>& groupOf, Report& report)
{
    const auto together = [&](TaskId from, TaskId to) {
        if (from == noTask)
            return;
        TaskId low = std::min(from, to);
        const TaskId high = std::max(from, to);
        const bool group = !groupOf.empty() && groupOf[from] != noGroup && groupOf[from] == groupOf[to];
        while (low < high && schedule.tasks[low].joined())
            ++low;
        if (group)
            report.add(Kind::BadGroup, {from, to}, {schedule.deviceOf(from), schedule.deviceOf(to)},
                       "{} needs {}, but both belong to one group and start together.", toText(schedule.tasks[to]), toText(schedule.tasks[from]));
        else if (low == high)
            report.add(Kind::BadUnit, {from, to}, {schedule.deviceOf(to)}, "{} needs {}, but they are joined and start together.",
                       toText(schedule.tasks[to]), toText(schedule.tasks[from]));
    };
    for (const Edge& edge : schedule.dataflow.edges)
        if (edge.from != edge.to)
            together(edge.from, edge.to);
    if (!schedule.dataflow.grid)
        return;
    for (const Lane& lane : schedule.lanes)
        for (TaskId first = lane.begin; first < lane.end;) {
            const TaskId end = schedule.unitEnd(first);
            for (TaskId id = first; id < end && end - first > 1U; ++id)
                if (index.grid().contains(schedule.tasks[id]))
                    index.grid().forEachPredecessor(schedule.tasks[id], [&](std::uint32_t slot, Payload) {
                        if (index.at(slot) >= first && index.at(slot) < end)
                            together(index.at(slot), id);
                    });
            first = end;
        }
}

void checkEdges(const Schedule& schedule, Report& report)
{
    const std::vector<Edge>& edges = schedule.dataflow.edges;
    for (std::size_t i = 0; i < edges.size(); ++i) {
        if (edges[i].from >= schedule.tasks.size() || edges[i].to >= schedule.tasks.size())
            report.add(Kind::BadEdge, {}, {}, "The edge from task number {} to {} leaves the schedule, which has {} tasks.", edges[i].from.value,
                       edges[i].to.value, schedule.tasks.size());
        else if (edges[i].from == edges[i].to)
            report.add(Kind::BadEdge, {edges[i].to}, {schedule.deviceOf(edges[i].to)}, "{} waits for itself.", toText(schedule.tasks[edges[i].to]));
        else if (i > 0 && edges[i].to < edges[i - 1].to)
            report.add(Kind::BadEdge, {edges[i].to}, {}, "The edges aren't sorted by the task that waits (at {}).", toText(schedule.tasks[edges[i].to]));
    }
}

// ---- weight versions --------------------------------------------------------------------------------------------

void checkUpdateNumbers(const Schedule& schedule, Report& report)
{
    const auto stages = static_cast<std::size_t>(schedule.shape.allStages());
    for (const Lane& lane : schedule.lanes) {
        std::vector<std::pair<std::size_t, int>> made; // few stages a lane
        for (TaskId id = lane.begin; id < lane.end; ++id) {
            const Task& task = schedule.tasks[id];
            if (task.work != Work::Update)
                continue;
            const std::size_t key = task.pipe * stages + task.stage;
            auto found = std::find_if(made.begin(), made.end(), [key](const auto& entry) { return entry.first == key; });
            if (found == made.end())
                found = made.insert(made.end(), {key, 0});
            if (task.microbatch != found->second)
                report.add(Kind::BadVersion, {id}, {lane.device}, "{} stands where update {} of stage {} is due on device {}.", toText(task),
                           found->second, task.stage.value, lane.device.value);
            ++found->second;
        }
    }
}

void checkVersions(const Schedule& schedule, const TaskIndex& index, Report& report)
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
            report.add(Kind::BadVersion, {stage.mostLiveAt}, {device}, "Device {} keeps {} versions of stage {}'s weights after {}; at most {} are allowed.",
                       device.value, stage.live, stage.stage.value, toText(schedule.tasks[stage.mostLiveAt]), semantics.maxVersions);
        if (stage.drift > semantics.maxDrift)
            report.add(Kind::BadVersion, {stage.driftAt}, {device}, "The gradient of {} on device {} is {} updates old when it is used; at most {} are allowed.",
                       toText(schedule.tasks[stage.driftAt]), device.value, stage.drift, semantics.maxDrift);
    }
}

} // namespace

std::vector<Problem> validate(const Schedule& schedule)
{
    Report report;
    checkShape(schedule, report);
    checkLanes(schedule, report);
    if (!report.empty() && report.has(Kind::WrongShape))
        return report.take();
    checkPaths(schedule, report);
    if (report.has(Kind::BadPath))
        return report.take();

    const TaskIndex index(schedule);
    const Works works(schedule);
    for (const Lane& lane : schedule.lanes)
        for (TaskId id = lane.begin; id < lane.end; ++id)
            checkInsideShape(schedule, id, lane.device, report);
    checkRepeated(schedule, index, report);
    if (schedule.dataflow.grid) {
        checkComplete(schedule, index, works, report);
        checkOnPath(schedule, index, report);
    }
    checkHomes(schedule, index, report);

    checkUnits(schedule, report);
    const std::vector<std::uint32_t> groupOf = checkGroups(schedule, report);
    checkEdges(schedule, report);
    if (report.has(Kind::BadUnit) || report.has(Kind::BadGroup) || report.has(Kind::BadEdge))
        return report.take();
    checkEdgesInside(schedule, index, groupOf, report);
    if (report.has(Kind::BadUnit) || report.has(Kind::BadGroup))
        return report.take();

    for (Problem& problem : describe(schedule, findStuck(schedule, index)))
        report.add(std::move(problem));
    checkVersions(schedule, index, report);
    return report.take();
}

} // namespace bubblescope
