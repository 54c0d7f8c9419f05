// The parts in the order in which they depend on each other: sizes and paths, tasks, ties between
// tasks; then, when those are well formed, deadlock and weight versions.

#include "core/schedule/validate.h"

#include "core/schedule/deadlock.h"
#include "core/schedule/problem_report.h"

#include <algorithm>
#include <array>

namespace bubblescope {

const char* problemKindName(Problem::Kind kind)
{
    static constexpr std::array<const char*, Problem::kinds> names{
        "missing task", "repeated task", "wrong device", "wrong shape", "deadlock",
        "bad unit",     "bad group",     "bad edge",     "bad path",    "bad version"};
    return names[static_cast<std::size_t>(kind)];
}

namespace {

using Kind = Problem::Kind;

void checkShape(const Schedule& schedule, ProblemReport& report)
{
    const Shape& shape = schedule.shape;
    if (shape.devices < 1 || shape.stages < 1 || shape.components < 0 || shape.pipes < 1 || shape.slices < 1 ||
        shape.steps < 1)
        report.add(
            Kind::WrongShape, {}, {},
            "The numbers of devices ({}), stages ({}), pipes ({}), slices ({}) and steps ({}) must all be at least 1.",
            shape.devices, shape.stages, shape.pipes, shape.slices, shape.steps);
    if (static_cast<int>(shape.microbatches.size()) != shape.pipes)
        report.add(Kind::WrongShape, {}, {}, "There are {} pipes, but numbers of microbatches for {}.", shape.pipes,
                   shape.microbatches.size());
    if (std::any_of(shape.microbatches.begin(), shape.microbatches.end(), [](int count) { return count < 0; }))
        report.add(Kind::WrongShape, {}, {}, "A pipe can't have a negative number of microbatches.");
    if (!report.empty())
        return;
    double promised = 0;
    for (const int count : shape.microbatches)
        promised += static_cast<double>(count) * shape.steps * shape.allStages() * shape.slices;
    const double most = std::max(1e6, 64.0 * static_cast<double>(schedule.tasks.size()));
    if (promised > most)
        report.add(Kind::WrongShape, {}, {},
                   "The sizes promise {:.0f} forward tasks, but the lanes hold only {} tasks in all.", promised,
                   schedule.tasks.size());
}

void checkLanes(const Schedule& schedule, ProblemReport& report)
{
    std::uint32_t end = 0;
    for (const Lane& lane : schedule.lanes) {
        if (lane.begin != end || lane.end < lane.begin || lane.end > schedule.tasks.size()) {
            report.add(Kind::WrongShape, {}, {lane.device},
                       "The lanes don't lie one after another in the list of tasks (at a {} lane of device {}).",
                       laneKindName(lane.kind), lane.device.value);
            return;
        }
        end = lane.end;
        if (lane.device >= schedule.shape.devices && lane.kind != LaneKind::Host)
            report.add(Kind::WrongDevice, {}, {lane.device},
                       "There is a {} lane on device {}, but the last device is {}.", laneKindName(lane.kind),
                       lane.device.value, schedule.shape.devices - 1);
    }
    if (end != schedule.tasks.size())
        report.add(Kind::WrongShape, {}, {}, "{} tasks lie on no lane.", schedule.tasks.size() - end);
}

void checkPaths(const Schedule& schedule, ProblemReport& report)
{
    if (schedule.paths.empty())
        return;
    for (std::size_t p = 0; p < schedule.paths.size(); ++p) {
        std::vector<bool> visited(static_cast<std::size_t>(schedule.shape.allStages()), false);
        if (schedule.paths[p].empty())
            report.add(Kind::BadPath, {}, {}, "Path {} visits no stage.", p);
        for (const Stage stage : schedule.paths[p]) {
            if (stage >= schedule.shape.allStages())
                report.add(Kind::BadPath, {}, {}, "Path {} visits stage {}, but the last stage is {}.", p, stage.value,
                           schedule.shape.allStages() - 1);
            else if (visited[stage])
                report.add(Kind::BadPath, {}, {}, "Path {} visits stage {} twice.", p, stage.value);
            else
                visited[stage] = true;
        }
    }
    const auto rows = static_cast<std::size_t>(schedule.shape.microbatchesPerStep());
    if (schedule.pathOfMicrobatch.size() != rows)
        report.add(Kind::BadPath, {}, {}, "There are {} microbatches per step, but a path is given for {}.", rows,
                   schedule.pathOfMicrobatch.size());
    for (const std::uint16_t path : schedule.pathOfMicrobatch)
        if (path >= schedule.paths.size())
            report.add(Kind::BadPath, {}, {}, "A microbatch takes path {}, but there are only {}.", path,
                       schedule.paths.size());
}

} // namespace

std::vector<Problem> ProblemReport::take()
{
    for (std::size_t kind = 0; kind < Problem::kinds; ++kind) {
        if (m_count[kind] <= Problem::mostSentences)
            continue;
        const std::size_t rest = m_count[kind] - Problem::mostSentences;
        const auto sentence = fmt::format("{} more problem{} of the kind \"{}\".", rest, rest == 1 ? "" : "s",
                                          problemKindName(static_cast<Kind>(kind)));
        m_problems.push_back({static_cast<Kind>(kind), Problem::Severity::Error, sentence, {}, {}, {}, {}});
    }
    return std::move(m_problems);
}

std::vector<Problem> validate(const Schedule& schedule)
{
    ProblemReport report;
    checkShape(schedule, report);
    checkLanes(schedule, report);
    if (report.has(Kind::WrongShape))
        return report.take(); // there is nothing to compute slots with
    checkPaths(schedule, report);
    if (report.has(Kind::BadPath))
        return report.take();
    const TaskIndex index(schedule);
    checkTasks(schedule, index, report);
    checkTies(schedule, index, report);
    if (report.has(Kind::BadUnit) || report.has(Kind::BadGroup) || report.has(Kind::BadEdge))
        return report.take();
    for (Problem& problem : describe(schedule, findStuck(schedule, index)))
        report.add(std::move(problem));
    checkVersions(schedule, index, report);
    return report.take();
}

} // namespace bubblescope
