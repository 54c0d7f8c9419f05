#include "viz/charts/theory_model.h"

#include "core/analyze/bubble.h"
#include "viz/timeline/time_text.h"

#include <QCoreApplication>

namespace bubblescope::viz {
namespace {

/// A column is its heading, what it means, and its cell: nothing else knows about columns.
struct Column {
    const char* heading;
    const char* meaning;
    QString (*cell)(const RunView& run);
};

QString bubble(const RunView& run, BubbleDefinition definition)
{
    return percentText(bubbleOf(run.idle, definition));
}

const std::vector<Column>& columns()
{
    static const std::vector<Column> all = {
        {QT_TRANSLATE_NOOP("Theory", "Run"), QT_TRANSLATE_NOOP("Theory", "Schedule"),
         [](const RunView& run) { return run.title; }},
        {QT_TRANSLATE_NOOP("Theory", "Kind"), QT_TRANSLATE_NOOP("Theory", "How far the number may be trusted"),
         [](const RunView& run) { return QString::fromUtf8(runLabelText(run.label)); }},
        {QT_TRANSLATE_NOOP("Theory", "Makespan"),
         QT_TRANSLATE_NOOP("Theory", "Earliest start to latest end of the step"),
         [](const RunView& run) { return timeText(run.makespan()); }},
        {QT_TRANSLATE_NOOP("Theory", "Idle ÷ total"),
         QT_TRANSLATE_NOOP("Theory", "Bubble rate: idle ÷ (devices × makespan)"),
         [](const RunView& run) { return bubble(run, BubbleDefinition::IdleOverTotal); }},
        {QT_TRANSLATE_NOOP("Theory", "Idle ÷ ideal"),
         QT_TRANSLATE_NOOP("Theory", "Megatron's bubble time fraction: idle ÷ (devices × ideal time)"),
         [](const RunView& run) { return bubble(run, BubbleDefinition::IdleOverIdeal); }},
        {QT_TRANSLATE_NOOP("Theory", "Span rate"),
         QT_TRANSLATE_NOOP("Theory", "The zero-bubble paper's rate: idle of the longest span of a device ÷ that span"),
         [](const RunView& run) { return bubble(run, BubbleDefinition::SpanRate); }},
        {QT_TRANSLATE_NOOP("Theory", "Closed form"),
         QT_TRANSLATE_NOOP(
             "Theory", "Idle time of one device that the paper's formula gives, for equal stages and free transfers"),
         [](const RunView& run) {
             return run.plan && run.plan->theory ? timeText(run.plan->theory->bubble)
                                                 : QCoreApplication::translate("Theory", "none");
         }},
        {QT_TRANSLATE_NOOP("Theory", "Idle, device 0"),
         QT_TRANSLATE_NOOP("Theory", "Idle time of device 0 in this run"),
         [](const RunView& run) {
             return run.idle.devices.empty() ? QString() : timeText(run.idle.devices.front().idle);
         }},
        {QT_TRANSLATE_NOOP("Theory", "Peak"), QT_TRANSLATE_NOOP("Theory", "Most live activations of a device"),
         [](const RunView& run) { return run.memory.empty() ? QString() : countText(run.peakActivations()); }},
        {QT_TRANSLATE_NOOP("Theory", "Peak, closed form"),
         QT_TRANSLATE_NOOP("Theory", "Peak activations that the paper's formula gives"),
         [](const RunView& run) {
             return run.plan && run.plan->theory ? countText(run.plan->theory->peakActivations)
                                                 : QCoreApplication::translate("Theory", "none");
         }},
    };
    return all;
}

} // namespace

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
        return run.plan && run.plan->theory ? QString::fromStdString(run.plan->theory->source) : QString();
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
