#include "viz/inspector/inspector_text.h"

#include "core/analyze/why.h"
#include "viz/timeline/pick_text.h"
#include "viz/timeline/time_text.h"

#include <QCoreApplication>

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

Inspection inspectGap(const RunPicture& picture, const Gap& gap)
{
    const RunView& run = *picture.run;
    Inspection result;
    result.title = QStringLiteral("%1 · %2 · ").arg(picture.letter, deviceName(run, gap.device)) +
                   tr("idle %1").arg(timeText(gap.length()));
    QStringList parts;
    for (int cause = 0; cause < idleCauses; ++cause)
        if (const Nanoseconds part = gap.cause[static_cast<std::size_t>(cause)]; part > 0)
            parts << tr("%1 %2").arg(causeTitle(static_cast<IdleCause>(cause)), timeText(part));
    result.rows.emplace_back(tr("Cause"), parts.join(QStringLiteral("\n")));
    if (run.explained()) {
        const WaitGraph graph(run.plan->schedule, costsOfRun(run), run.timing);
        const Why reason = why(run.plan->schedule, graph, run.slack, gap);
        if (!reason.chain.empty()) {
            result.rows.emplace_back(tr("Waits for"), tilePhrase(run, reason.waitsFor));
            result.rows.emplace_back(tr("From"), deviceName(run, reason.waitsFor.device));
            result.rows.emplace_back(
                tr("Who is late"), tr("%1, for %2 of it").arg(deviceName(run, reason.late), timeText(reason.lateTime)));
        }
        if (gap.before != noTask) {
            result.rows.emplace_back(tr("Then"), taskPhrase(taskOf(run, gap.before)));
            result.rows.emplace_back(tr("On critical path"), slackText(reason.slack));
        }
        result.story = QString::fromStdString(whyText(run.plan->schedule, reason, gap));
    } else {
        result.story = tr("The schedule of this run isn't known yet, so its idle time can't be explained.");
    }
    result.rows.emplace_back(tr("Start"), timeText(gap.start));
    result.rows.emplace_back(tr("End"), timeText(gap.end));
    return result;
}

void addWaiting(Inspection& result, const RunView& run, TaskId id)
{
    const WaitGraph graph(run.plan->schedule, costsOfRun(run), run.timing);
    const TaskId binding = graph.bindingPredecessor(id);
    if (binding == noTask)
        result.rows.emplace_back(tr("Waited for"), tr("nothing: it could start at once"));
    else
        result.rows.emplace_back(
            tr("Waited for"),
            tr("%1 (%2)").arg(taskPhrase(taskOf(run, binding)), deviceName(run, run.plan->schedule.deviceOf(binding))));
    result.rows.emplace_back(tr("On critical path"), slackText(run.slack[id]));
}

/// Idle time of a large run, whose report lists no gaps.
Inspection inspectPlainGap(const RunPicture& picture, const TimelineRow& row, const GapBar& gap)
{
    Inspection result;
    result.title = QStringLiteral("%1 · %2 · ").arg(picture.letter, deviceName(*picture.run, row.device)) +
                   tr("idle %1").arg(timeText(gap.end - gap.start));
    result.rows.emplace_back(tr("Start"), timeText(gap.start));
    result.rows.emplace_back(tr("End"), timeText(gap.end));
    result.story = tr("The run is too large, or its schedule isn't known: its idle time can't be explained.");
    return result;
}

void addMeasurement(Inspection& result, const RunView& run, const TimelineRow& row, const Bar& bar)
{
    const TraceLane& lane = run.trace.lanes[static_cast<std::size_t>(row.lane)];
    if (bar.span >= lane.measurements.size())
        return;
    const Measurement& measured = lane.measurements[bar.span];
    result.rows.emplace_back(tr("Processor time"), timeText(measured.cpu));
    result.rows.emplace_back(tr("Wall clock"), timeText(measured.wallEnd - measured.wallStart));
}

Inspection inspectBar(const RunPicture& picture, const TimelineRow& row, std::size_t index)
{
    const RunView& run = *picture.run;
    const Bar bar = row.bars[index];
    const std::vector<Span> spans = row.bars.spansOf(index);
    const Span& span = spans.front();
    Inspection result;
    result.title = QStringLiteral("%1 · %2 · %3").arg(picture.letter, deviceName(run, row.device), spanName(run, span));
    if (span.name == 0)
        result.rows.emplace_back(tr("Task"), taskPhrase(span.task));
    for (std::size_t other = 1; other < spans.size(); ++other)
        result.rows.emplace_back(tr("Together with"), taskPhrase(spans[other].task));
    if (span.version != noVersion)
        result.rows.emplace_back(tr("Weights"), tr("version %1").arg(span.version));
    result.rows.emplace_back(tr("Duration"), timeText(span.duration()));
    result.rows.emplace_back(tr("Start"), timeText(span.start));
    result.rows.emplace_back(tr("End"), timeText(span.end));
    if (const TaskId id = taskIdOf(run, row, bar); id != noTask)
        addWaiting(result, run, id);
    addMeasurement(result, run, row, bar);
    return result;
}

} // namespace

Inspection inspect(const RunPicture& picture, const Pick& pick)
{
    if (!picture.run || pick.kind == Pick::Kind::None)
        return {};
    const TimelineRow& row = picture.rows[static_cast<std::size_t>(pick.row)];
    const auto index = static_cast<std::size_t>(pick.index);
    if (pick.kind != Pick::Kind::Gap)
        return inspectBar(picture, row, index);
    const GapBar gap = row.gaps[index];
    if (gap.gap == GapBar::unexplained)
        return inspectPlainGap(picture, row, gap);
    return inspectGap(picture, picture.run->idle.gaps[gap.gap]);
}

} // namespace bubblescope::viz
