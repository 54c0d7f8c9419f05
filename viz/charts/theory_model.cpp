#include "viz/charts/theory_model.h"

#include "core/analyze/bubble.h"
#include "viz/charts/memory_chart.h"
#include "viz/timeline/time_text.h"

#include <QCoreApplication>

namespace bubblescope::viz {
namespace {

/// What a figure was computed from.
enum class Source { None, Step, Idle, LongestSpan, FirstIdle, Peak };

/// A column is its heading, what it means, its cell and where that comes from: nothing else knows about columns.
struct Column {
    const char* heading;
    const char* meaning;
    QString (*cell)(const RunView& run);
    Source source = Source::None;
};

QString bubble(const RunView& run, BubbleDefinition definition)
{
    return percentText(bubbleOf(run.idle, definition));
}

QString none()
{
    return QCoreApplication::translate("Theory", "none");
}

/// What the schedule's letter B stands for.
QString backwardOf(const RunView& run)
{
    if (!run.plan)
        return QStringLiteral("–");
    const std::vector<Task>& tasks = run.plan->schedule.tasks;
    const auto has = [&](Work work) {
        return std::any_of(tasks.begin(), tasks.end(), [work](const Task& task) { return task.work == work; });
    };
    const bool whole = has(Work::Backward);
    const bool split = has(Work::InputGradient);
    return QCoreApplication::translate("Theory", whole && split ? QT_TRANSLATE_NOOP("Theory", "B, and I + W")
                                                 : split        ? QT_TRANSLATE_NOOP("Theory", "I + W, apart")
                                                 : whole        ? QT_TRANSLATE_NOOP("Theory", "B, in one")
                                                                : QT_TRANSLATE_NOOP("Theory", "none"));
}

const std::vector<Column>& columns()
{
    static const std::vector<Column> all = {
        {QT_TRANSLATE_NOOP("Theory", "Run"), QT_TRANSLATE_NOOP("Theory", "Schedule"),
         [](const RunView& run) { return run.title; }},
        {QT_TRANSLATE_NOOP("Theory", "Kind"), QT_TRANSLATE_NOOP("Theory", "How far the number may be trusted"),
         [](const RunView& run) { return QCoreApplication::translate("RunLabel", runLabelText(run.label)); }},
        {QT_TRANSLATE_NOOP("Theory", "Makespan\nfirst start to last end"),
         QT_TRANSLATE_NOOP("Theory", "Earliest start to latest end of the step"),
         [](const RunView& run) { return timeText(run.makespan()); }, Source::Step},
        {QT_TRANSLATE_NOOP("Theory", "Bubble rate\nidle ÷ total"),
         QT_TRANSLATE_NOOP("Theory", "Bubble rate: idle ÷ (devices × makespan)"),
         [](const RunView& run) { return bubble(run, BubbleDefinition::IdleOverTotal); }, Source::Idle},
        {QT_TRANSLATE_NOOP("Theory", "Megatron's bubble\nidle ÷ ideal"),
         QT_TRANSLATE_NOOP("Theory", "Megatron's bubble time fraction: idle ÷ (devices × ideal time)"),
         [](const RunView& run) { return bubble(run, BubbleDefinition::IdleOverIdeal); }, Source::Idle},
        {QT_TRANSLATE_NOOP("Theory", "Zero-bubble paper's\nspan rate"),
         QT_TRANSLATE_NOOP("Theory", "The zero-bubble paper's rate: idle of the longest span of a device ÷ that span"),
         [](const RunView& run) { return bubble(run, BubbleDefinition::SpanRate); }, Source::LongestSpan},
        {QT_TRANSLATE_NOOP("Theory", "Closed form\nidle of a device"),
         QT_TRANSLATE_NOOP(
             "Theory", "Idle time of one device that the paper's formula gives, for equal stages and free transfers"),
         [](const RunView& run) { return run.plan && run.plan->theory ? timeText(run.plan->theory->bubble) : none(); }},
        {QT_TRANSLATE_NOOP("Theory", "This run\nidle of device 0"),
         QT_TRANSLATE_NOOP("Theory", "Idle time of device 0 in this run"),
         [](const RunView& run) {
             return run.idle.devices.empty() ? QString() : timeText(run.idle.devices.front().idle);
         },
         Source::FirstIdle},
        {QT_TRANSLATE_NOOP("Theory", "Peak\nactivations"),
         QT_TRANSLATE_NOOP("Theory", "Most live activations of a device"),
         [](const RunView& run) { return run.memory.empty() ? QString() : countText(run.peakActivations()); },
         Source::Peak},
        {QT_TRANSLATE_NOOP("Theory", "Peak\nclosed form"),
         QT_TRANSLATE_NOOP("Theory", "Peak activations that the paper's formula gives"),
         [](const RunView& run) {
             return run.plan && run.plan->theory ? countText(run.plan->theory->peakActivations) : none();
         }},
        {QT_TRANSLATE_NOOP("Theory", "Backward\nB or I + W"),
         QT_TRANSLATE_NOOP("Theory",
                           "B computes both gradients in one task; I that of the input and W that of the weights"),
         &backwardOf},
    };
    return all;
}

/// Idle and working devices of the step, as intervals of a run in a slot.
std::vector<RunInterval> intervalsOf(const RunView& run, int slot, Source source)
{
    std::vector<RunInterval> intervals;
    const auto add = [&](int device, TimeRange time) {
        if (!time.empty())
            intervals.push_back({slot, device, LaneKind::Compute, time});
    };
    const std::vector<DeviceIdle>& devices = run.idle.devices;
    const auto longest = std::max_element(devices.begin(), devices.end(),
                                          [](const DeviceIdle& a, const DeviceIdle& b) { return a.span() < b.span(); });
    switch (source) {
    case Source::None:
        break;
    case Source::Step:
        for (int device = 0; device < static_cast<int>(devices.size()); ++device)
            add(device, {run.idle.begin, run.idle.end});
        break;
    case Source::Idle:
    case Source::FirstIdle:
        for (const Gap& gap : run.idle.gaps)
            if (source == Source::Idle || gap.device == 0)
                add(gap.device, {gap.start, gap.end});
        break;
    case Source::LongestSpan:
        if (longest != devices.end())
            add(static_cast<int>(longest - devices.begin()), {longest->firstStart, longest->lastEnd});
        break;
    case Source::Peak:
        for (const TimeRange& time : peakTimes(run))
            add(static_cast<int>(deviceWithPeak(run)), time);
        break;
    }
    return intervals;
}

} // namespace

std::vector<RunInterval> TheoryModel::intervalsAt(const QModelIndex& index) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    return intervalsOf(*m_runs[static_cast<std::size_t>(index.row())], index.row(),
                       columns()[static_cast<std::size_t>(index.column())].source);
}

void TheoryModel::setRuns(std::vector<RunPtr> runs)
{
    beginResetModel();
    m_runs = std::move(runs);
    endResetModel();
}

int TheoryModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_runs.size());
}

int TheoryModel::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(columns().size());
}

QVariant TheoryModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const RunView& run = *m_runs[static_cast<std::size_t>(index.row())];
    const Column& column = columns()[static_cast<std::size_t>(index.column())];
    if (role == Qt::DisplayRole)
        return column.cell(run);
    if (role == Qt::ToolTipRole)
        return index.column() >= 6 && run.plan && run.plan->theory ? QString::fromStdString(run.plan->theory->source)
                                                                   : QString();
    if (role == Qt::TextAlignmentRole)
        return {index.column() < 2 ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter};
    return {};
}

QVariant TheoryModel::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical)
        return role == Qt::DisplayRole ? QVariant(QString(QChar(u'A' + section))) : QVariant();
    if (section < 0 || section >= columnCount())
        return {};
    const Column& column = columns()[static_cast<std::size_t>(section)];
    if (role == Qt::DisplayRole)
        return QCoreApplication::translate("Theory", column.heading);
    if (role == Qt::ToolTipRole)
        return QCoreApplication::translate("Theory", column.meaning);
    if (role == Qt::TextAlignmentRole)
        return {section < 2 ? Qt::AlignLeft | Qt::AlignVCenter : Qt::AlignRight | Qt::AlignVCenter};
    return {};
}

} // namespace bubblescope::viz
