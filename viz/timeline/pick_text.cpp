#include "viz/timeline/pick_text.h"

#include "viz/timeline/time_text.h"

#include <QCoreApplication>

namespace bubblescope::viz {
namespace {

QString tr(const char* source)
{
    return QCoreApplication::translate("Pick", source);
}

QString fromView(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

} // namespace

QString taskPhrase(const Task& task)
{
    QString phrase = fromView(workName(task.work).name);
    if (onGrid(task.work) || task.work == Work::Send || task.work == Work::Receive)
        phrase = tr("%1 of microbatch %2 on stage %3").arg(phrase).arg(task.microbatch.value).arg(task.stage.value);
    else
        phrase = tr("%1 on stage %2").arg(phrase).arg(task.stage.value);
    if (task.slice != 0)
        phrase += tr(", slice %1").arg(task.slice.value);
    if (task.pipe != 0)
        phrase += tr(", pipe %1").arg(task.pipe.value);
    if (task.part != 0 && task.work != Work::Send && task.work != Work::Receive)
        phrase += tr(", part %1").arg(task.part.value);
    return phrase;
}

QString causeTitle(IdleCause cause)
{
    switch (cause) {
    case IdleCause::Warmup:
        return tr("warm-up");
    case IdleCause::Drain:
        return tr("drain");
    case IdleCause::Dependency:
        return tr("dependency");
    case IdleCause::Arrival:
        return tr("arrival");
    case IdleCause::Imbalance:
        return tr("imbalance");
    case IdleCause::Communication:
        return tr("communication");
    case IdleCause::Synchronisation:
        return tr("synchronisation");
    case IdleCause::Memory:
        return tr("memory copies");
    case IdleCause::Jitter:
        return tr("jitter");
    case IdleCause::Unexplained:
        return tr("unexplained");
    }
    return {};
}

QString causePhrase(IdleCause cause)
{
    switch (cause) {
    case IdleCause::Warmup:
        return tr("the pipeline fills");
    case IdleCause::Drain:
        return tr("the pipeline drains");
    case IdleCause::Dependency:
        return tr("the order makes it wait");
    case IdleCause::Arrival:
        return tr("data hasn't arrived from outside");
    case IdleCause::Imbalance:
        return tr("another stage is slower");
    case IdleCause::Communication:
        return tr("a transfer is on its way");
    case IdleCause::Synchronisation:
        return tr("a collective or barrier");
    case IdleCause::Memory:
        return tr("a copy to or from the host");
    case IdleCause::Jitter:
        return tr("tasks took longer than usual");
    case IdleCause::Unexplained:
        return tr("not explained by the schedule");
    }
    return {};
}

QString pickHint(const RunPicture& picture, const Pick& pick)
{
    if (pick.kind == Pick::Kind::None || !picture.run)
        return {};
    const RunView& run = *picture.run;
    const TimelineRow& row = picture.rows[static_cast<std::size_t>(pick.row)];
    const QString place = deviceName(run, row.device);
    if (pick.kind == Pick::Kind::Gap) {
        const Gap& gap = run.idle.gaps[row.gaps[static_cast<std::size_t>(pick.index)].gap];
        const IdleCause cause = gap.mainCause();
        return tr("%1 idle %2\n%3: %4").arg(place, timeText(gap.length()), causeTitle(cause), causePhrase(cause));
    }
    const Bar& bar = row.bars[static_cast<std::size_t>(pick.index)];
    const TraceLane& lane = run.trace.lanes[static_cast<std::size_t>(row.lane)];
    const Span& span = lane.spans[bar.span];
    QString text = span.name != 0
                       ? QString::fromStdString(run.trace.names[span.name])
                       : QString::fromStdString(toText(span.task)) + QStringLiteral(" · ") + taskPhrase(span.task);
    if (bar.joined && bar.span + 1 < lane.spans.size())
        text += tr("\ntogether with %1").arg(taskPhrase(lane.spans[bar.span + 1].task));
    text +=
        QStringLiteral("\n") +
        tr("%1 on %2, from %3 to %4").arg(timeText(span.duration()), place, timeText(span.start), timeText(span.end));
    return text;
}

TaskId taskIdOf(const RunView& run, const TimelineRow& row, const Bar& bar)
{
    if (!run.explained())
        return noTask;
    const Span& span = run.trace.lanes[static_cast<std::size_t>(row.lane)].spans[bar.span];
    const Schedule& schedule = run.plan->schedule;
    for (const Lane& lane : schedule.lanes) {
        if (lane.device != row.device)
            continue;
        for (TaskId task = lane.begin; task < lane.end; ++task)
            if (schedule.tasks[task] == span.task)
                return task;
    }
    return noTask;
}

} // namespace bubblescope::viz
