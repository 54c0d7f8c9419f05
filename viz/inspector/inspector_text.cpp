#include "viz/inspector/inspector_text.h"

#include "core/analyze/why.h"
#include "viz/run/core_text.h"
#include "viz/timeline/pick_text.h"
#include "viz/timeline/time_text.h"

#include <QCoreApplication>

#include <algorithm>

namespace bubblescope::viz {
namespace {

QString tr(const char* source)
{
    return QCoreApplication::translate("Inspector", source);
}

const Task& taskOf(const RunView& run, TaskId id)
{
    return run.plan->schedule.tasks[id];
}

int slotOf(const RunPicture& picture)
{
    return picture.letter.isEmpty() ? 0 : picture.letter.at(0).unicode() - u'A';
}

RunInterval intervalOf(const RunPicture& picture, int device, Nanoseconds begin, Nanoseconds end)
{
    return {slotOf(picture), device, LaneKind::Compute, {begin, end}};
}

RunInterval intervalOf(const RunPicture& picture, TaskId id)
{
    const RunView& run = *picture.run;
    const Lane& lane = run.plan->schedule.lanes[run.plan->schedule.laneOf(id)];
    return {slotOf(picture), lane.device, lane.kind, {run.timing.start[id], run.timing.end[id]}};
}

QString tilePhrase(const RunView& run, const ChainTile& tile)
{
    const QString device = deviceName(run, tile.device);
    QString task = tile.task == noTask ? QString() : taskPhrase(taskOf(run, tile.task));
    switch (tile.kind) {
    case ChainTile::Kind::Task:
        return task;
    case ChainTile::Kind::Transfer:
        return tr("the result of %1, on its way from %2").arg(task, device);
    case ChainTile::Kind::GroupMember:
        return tr("%1, which all members do together").arg(task);
    case ChainTile::Kind::Copy:
        return tr("a copy: %1").arg(task);
    case ChainTile::Kind::Arrival:
        return tr("data from outside for %1").arg(task);
    case ChainTile::Kind::Overhead:
        return tr("nothing: its inputs were there, the worker had not begun");
    }
    return {};
}

QString slackText(Nanoseconds slack)
{
    return slack == 0 ? tr("yes") : tr("no (slack %1)").arg(timeText(slack));
}

/// How late a task may end: from its own end on.
void addSlack(Inspection& result, const RunPicture& picture, TaskId id, Nanoseconds slack)
{
    RunInterval room = intervalOf(picture, id);
    if (slack > 0)
        room.time = {room.time.end, room.time.end + slack};
    result.rows.push_back({tr("On critical path"), slackText(slack), {room}});
}

/// The chain of who waits for whom, one line a tile; ends where the gap began.
QString chainText(const RunView& run, const Why& reason)
{
    constexpr std::size_t most = 6;
    QStringList lines;
    for (std::size_t i = 0; i < std::min(most, reason.chain.size()); ++i) {
        const ChainTile& tile = reason.chain[i];
        const QString name =
            tile.task == noTask ? QStringLiteral("–") : QString::fromStdString(toText(taskOf(run, tile.task)));
        const QString what = tile.kind == ChainTile::Kind::Transfer   ? tr("%1 on its way").arg(name)
                             : tile.kind == ChainTile::Kind::Overhead ? tr("overhead")
                             : tile.kind == ChainTile::Kind::Arrival  ? tr("arrival of %1").arg(name)
                                                                      : name;
        lines << tr("%1 · %2 · %3").arg(what, deviceName(run, tile.device), timeText(tile.length()));
    }
    if (reason.chain.size() > most)
        lines << tr("and %1 more").arg(reason.chain.size() - most);
    return lines.join(QLatin1Char('\n'));
}

void explainGap(Inspection& result, const RunPicture& picture, const Gap& gap)
{
    const RunView& run = *picture.run;
    const Costs costs = costsOfRun(run);
    const WaitGraph graph(run.plan->schedule, costs, run.timing);
    const Why reason = why(run.plan->schedule, graph, run.slack, gap);
    if (!reason.chain.empty()) {
        const ChainTile& tile = reason.waitsFor;
        result.rows.push_back({tr("Waits for"),
                               tilePhrase(run, tile),
                               {intervalOf(picture, tile.device, tile.start, tile.end)},
                               tile.task});
        result.rows.push_back({tr("From"), deviceName(run, tile.device)});
        std::vector<RunInterval> late;
        std::vector<RunInterval> all;
        for (const ChainTile& one : reason.chain) {
            all.push_back(intervalOf(picture, one.device, one.start, one.end));
            if (one.device == reason.late)
                late.push_back(all.back());
        }
        result.rows.push_back({tr("Who is late"),
                               tr("%1, for %2 of it").arg(deviceName(run, reason.late), timeText(reason.lateTime)),
                               late});
        if (reason.chain.size() > 1)
            result.rows.push_back({tr("Chain"), chainText(run, reason), all});
    }
    if (gap.before != noTask) {
        result.rows.push_back({tr("Then"), taskPhrase(taskOf(run, gap.before)), {}, gap.before});
        addSlack(result, picture, gap.before, reason.slack);
    }
    result.story = coreText(whyText(run.plan->schedule, reason, gap));
}

QString unexplainedText(const RunView& run)
{
    if (!run.problems.empty())
        return tr("This order can't complete as it is, so its idle time isn't explained.");
    return run.pending ? tr("Its causes are being worked out.")
                       : tr("The schedule of this run isn't known yet, so its idle time can't be explained.");
}

Inspection inspectGap(const RunPicture& picture, const Gap& gap)
{
    const RunView& run = *picture.run;
    const std::vector<RunInterval> itself{intervalOf(picture, gap.device, gap.start, gap.end)};
    Inspection result;
    result.title = QStringLiteral("%1 · %2 · ").arg(picture.letter, deviceName(run, gap.device)) +
                   tr("idle %1").arg(timeText(gap.length()));
    QStringList parts;
    for (int cause = 0; cause < idleCauses; ++cause)
        if (const Nanoseconds part = gap.cause[static_cast<std::size_t>(cause)]; part > 0)
            parts << tr("%1 %2").arg(causeTitle(static_cast<IdleCause>(cause)), timeText(part));
    result.rows.push_back({tr("Cause"), parts.join(QStringLiteral("\n")), itself});
    if (run.explained())
        explainGap(result, picture, gap);
    else
        result.story = unexplainedText(run);
    result.rows.push_back({tr("Start"), timeText(gap.start), itself});
    result.rows.push_back({tr("End"), timeText(gap.end), itself});
    return result;
}

QString stepText(const RunView& run, const StartConstraint& step)
{
    using Kind = StartConstraint::Kind;
    const QString at = timeText(step.ready);
    const QString name = step.task == noTask ? QString() : QString::fromStdString(toText(taskOf(run, step.task)));
    switch (step.kind) {
    case Kind::Lane:
        return tr("%1: the lane is free, %2 has ended").arg(at, name);
    case Kind::Data:
        return tr("%1: its input is there, %2 has ended").arg(at, name);
    case Kind::Arrival:
        return step.ready > step.ended
                   ? tr("%1: the result of %2 arrives from %3, sent at %4")
                         .arg(at, name, deviceName(run, step.device), timeText(step.ended))
                   : tr("%1: the result of %2 arrives from %3").arg(at, name, deviceName(run, step.device));
    case Kind::Group:
        return tr("%1: the other members are free, %2 has ended on %3").arg(at, name, deviceName(run, step.device));
    case Kind::Release:
        return tr("%1: its data comes in from outside").arg(at);
    }
    return {};
}

void addPlacement(Inspection& result, const RunPicture& picture, TaskId id)
{
    const RunView& run = *picture.run;
    const Costs costs = costsOfRun(run);
    const WaitGraph graph(run.plan->schedule, costs, run.timing);
    const TaskId binding = graph.bindingPredecessor(id);
    if (binding == noTask)
        result.rows.push_back({tr("Waited for"), tr("nothing: it could start at once")});
    else
        result.rows.push_back(
            {tr("Waited for"),
             tr("%1 (%2)").arg(taskPhrase(taskOf(run, binding)), deviceName(run, run.plan->schedule.deviceOf(binding))),
             {intervalOf(picture, binding)},
             binding});
    addSlack(result, picture, id, run.slack[id]);
    const std::vector<StartConstraint> steps = graph.constraints(id);
    for (const StartConstraint& step : steps)
        result.steps.push_back({stepText(run, step), step.binding, step.task});
    const Nanoseconds start = run.timing.start[id];
    const Nanoseconds ready = steps.empty() ? run.timing.begin : std::max(run.timing.begin, steps.back().ready);
    if (steps.empty())
        result.conclusion = tr("Nothing held it: it starts at %1.").arg(timeText(start));
    else if (start > ready)
        result.conclusion = tr("All was there at %1; it began %2 later, which no task accounts for.")
                                .arg(timeText(ready), timeText(start - ready));
    else
        result.conclusion = tr("Start = the latest of them = %1.").arg(timeText(start));
}

/// Idle time of a large run, whose report lists no gaps.
Inspection inspectPlainGap(const RunPicture& picture, const TimelineRow& row, const GapBar& gap)
{
    const std::vector<RunInterval> itself{intervalOf(picture, row.device, gap.start, gap.end)};
    Inspection result;
    result.title = QStringLiteral("%1 · %2 · ").arg(picture.letter, deviceName(*picture.run, row.device)) +
                   tr("idle %1").arg(timeText(gap.end - gap.start));
    result.rows.push_back({tr("Start"), timeText(gap.start), itself});
    result.rows.push_back({tr("End"), timeText(gap.end), itself});
    result.story = tr("The run is too large, or its schedule isn't known: its idle time can't be explained.");
    return result;
}

void addMeasurement(Inspection& result, const RunView& run, const TimelineRow& row, const Bar& bar,
                    const std::vector<RunInterval>& itself)
{
    const TraceLane& lane = run.trace.lanes[static_cast<std::size_t>(row.lane)];
    if (bar.span >= lane.measurements.size())
        return;
    const Measurement& measured = lane.measurements[bar.span];
    result.rows.push_back({tr("Processor time"), timeText(measured.cpu), itself});
    result.rows.push_back({tr("Wall clock"), timeText(measured.wallEnd - measured.wallStart), itself});
}

Inspection inspectBar(const RunPicture& picture, const TimelineRow& row, std::size_t index)
{
    const RunView& run = *picture.run;
    const Bar bar = row.bars[index];
    const std::vector<Span> spans = row.bars.spansOf(index);
    const Span& span = spans.front();
    const LaneKind kind = run.trace.lanes[static_cast<std::size_t>(row.lane)].kind;
    const std::vector<RunInterval> itself{{slotOf(picture), row.device, kind, {span.start, span.end}}};
    Inspection result;
    result.title = QStringLiteral("%1 · %2 · %3").arg(picture.letter, deviceName(run, row.device), spanName(run, span));
    if (span.name == 0)
        result.rows.push_back({tr("Task"), taskPhrase(span.task)});
    for (std::size_t other = 1; other < spans.size(); ++other)
        result.rows.push_back({tr("Together with"), taskPhrase(spans[other].task)});
    if (span.version != noVersion)
        result.rows.push_back({tr("Weights"), tr("version %1").arg(span.version)});
    result.rows.push_back({tr("Duration"), timeText(span.duration()), itself});
    result.rows.push_back({tr("Start"), timeText(span.start), itself});
    result.rows.push_back({tr("End"), timeText(span.end), itself});
    if (const TaskId id = taskIdOf(run, row, bar); id != noTask && run.explained())
        addPlacement(result, picture, id);
    addMeasurement(result, run, row, bar, itself);
    return result;
}

/// What validate() says about the tasks of a bar.
void addProblems(Inspection& result, const RunView& run, TaskId first)
{
    if (first == noTask)
        return;
    const TaskId end = run.plan->schedule.unitEnd(first);
    for (const Problem& problem : run.problems)
        if (std::any_of(problem.tasks.begin(), problem.tasks.end(),
                        [&](TaskId task) { return task >= first && task < end; }))
            result.story += (result.story.isEmpty() ? QString() : QStringLiteral("\n")) + coreText(problem.sentence);
}

} // namespace

Inspection inspect(const RunPicture& picture, const Pick& pick)
{
    if (!picture.run || pick.kind == Pick::Kind::None)
        return {};
    const TimelineRow& row = picture.rows[static_cast<std::size_t>(pick.row)];
    const auto index = static_cast<std::size_t>(pick.index);
    if (pick.kind == Pick::Kind::Gap) {
        const Gap* gap = pickedGap(picture, pick);
        return gap == nullptr ? inspectPlainGap(picture, row, row.gaps[index]) : inspectGap(picture, *gap);
    }
    Inspection result = inspectBar(picture, row, index);
    if (!picture.run->problems.empty())
        addProblems(result, *picture.run, taskIdOf(*picture.run, row, row.bars[index]));
    return result;
}

Pick pickOf(const RunPicture& picture, TaskId task)
{
    if (!picture.run || !picture.run->timed() || task == noTask)
        return {};
    const RunView& run = *picture.run;
    if (task >= run.plan->schedule.tasks.size())
        return {}; // of the run that was shown before
    const Task& wanted = taskOf(run, task);
    const Nanoseconds start = run.timing.start[task];
    for (std::size_t row = 0; row < picture.rows.size(); ++row) {
        const TimelineRow& there = picture.rows[row];
        const int bar = there.device == run.plan->schedule.deviceOf(task) ? barAt(there, start) : -1;
        if (bar < 0)
            continue;
        const std::vector<Span> spans = there.bars.spansOf(static_cast<std::size_t>(bar));
        if (std::any_of(spans.begin(), spans.end(), [&](const Span& span) { return span.task == wanted; }))
            return {Pick::Kind::Bar, static_cast<int>(row), bar};
    }
    return {};
}

const Gap* pickedGap(const RunPicture& picture, const Pick& pick)
{
    if (!picture.run || pick.kind != Pick::Kind::Gap)
        return nullptr;
    const TimelineRow& row = picture.rows[static_cast<std::size_t>(pick.row)];
    const GapBar gap = row.gaps[static_cast<std::size_t>(pick.index)];
    return gap.gap == GapBar::unexplained ? nullptr : &picture.run->idle.gaps[gap.gap];
}

} // namespace bubblescope::viz
