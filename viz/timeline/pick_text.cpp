#include "viz/timeline/pick_text.h"

#include "viz/run/core_text.h"
#include "viz/timeline/time_text.h"

#include <QCoreApplication>

namespace bubblescope::viz {
namespace {

QString tr(const char* source)
{
    return QCoreApplication::translate("Pick", source);
}

} // namespace

QString taskPhrase(const Task& task)
{
    QString phrase = workTitle(task.work);
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

QString spanName(const RunView& run, const Span& span)
{
    const std::vector<std::string>& names = run.columns ? run.columns->names : run.trace.names;
    if (span.name == 0)
        return QString::fromStdString(toText(span.task));
    return span.name < names.size() ? QString::fromStdString(names[span.name]) : QString();
}

namespace {

QString gapHint(const RunPicture& picture, const TimelineRow& row, std::size_t index)
{
    const RunView& run = *picture.run;
    const GapBar bar = row.gaps[index];
    QString idle = tr("%1 idle %2").arg(deviceName(run, row.device), timeText(bar.end - bar.start));
    if (bar.gap == GapBar::unexplained)
        return idle;
    const IdleCause cause = run.idle.gaps[bar.gap].mainCause();
    return idle + QStringLiteral("\n") + tr("%1: %2").arg(causeTitle(cause), causePhrase(cause));
}

} // namespace

QString pickHint(const RunPicture& picture, const Pick& pick)
{
    if (pick.kind == Pick::Kind::None || !picture.run)
        return {};
    const RunView& run = *picture.run;
    const TimelineRow& row = picture.rows[static_cast<std::size_t>(pick.row)];
    const auto index = static_cast<std::size_t>(pick.index);
    if (pick.kind == Pick::Kind::Gap)
        return gapHint(picture, row, index);
    const std::vector<Span> spans = row.bars.spansOf(index);
    const Span& span = spans.front();
    QString text = spanName(run, span);
    if (span.name == 0)
        text += QStringLiteral(" · ") + taskPhrase(span.task);
    for (std::size_t other = 1; other < spans.size(); ++other)
        text += tr("\ntogether with %1").arg(taskPhrase(spans[other].task));
    const QString place = deviceName(run, row.device);
    text += QStringLiteral("\n");
    if (span.duration() <= 0)
        return text + tr("at %1 on %2, takes no time").arg(timeText(span.start), place);
    return text + tr("%1 on %2, from %3 to %4")
                      .arg(timeText(span.duration()), place, timeText(span.start), timeText(span.end));
}

TaskId taskIdOf(const RunView& run, const TimelineRow& row, const Bar& bar)
{
    if (!run.timed())
        return noTask;
    const std::vector<Span>& spans = run.trace.lanes[static_cast<std::size_t>(row.lane)].spans;
    if (bar.span >= spans.size())
        return noTask;
    const Span& span = spans[bar.span];
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
