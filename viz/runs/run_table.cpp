#include "viz/runs/run_table.h"

#include "viz/document/run_loader.h"
#include "viz/timeline/time_text.h"
#include "viz/timeline/timeline_stack.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <limits>

namespace bubblescope::viz {
namespace {

using Json = nlohmann::json;

struct Heading {
    const char* text;
    const char* meaning;
};

constexpr Heading headings[RunTable::columns] = {
    {QT_TRANSLATE_NOOP("RunTable", "Shown"), QT_TRANSLATE_NOOP("RunTable", "Space or a click shows or hides a run; "
                                                                           "a letter gives it that place")},
    {QT_TRANSLATE_NOOP("RunTable", "Run"), QT_TRANSLATE_NOOP("RunTable", "Number in the document and title")},
    {QT_TRANSLATE_NOOP("RunTable", "Kind"), QT_TRANSLATE_NOOP("RunTable", "How far its numbers may be trusted")},
    {QT_TRANSLATE_NOOP("RunTable", "Makespan"),
     QT_TRANSLATE_NOOP("RunTable", "Earliest start to latest end of the step")},
    {QT_TRANSLATE_NOOP("RunTable", "Bubble"), QT_TRANSLATE_NOOP("RunTable", "Idle ÷ (devices × makespan)")},
    {QT_TRANSLATE_NOOP("RunTable", "Peak"), QT_TRANSLATE_NOOP("RunTable", "Most live activations of a device")},
    {QT_TRANSLATE_NOOP("RunTable", "Microbatches/s"), QT_TRANSLATE_NOOP("RunTable", "Microbatches ÷ makespan")},
    {QT_TRANSLATE_NOOP("RunTable", "Verified"),
     QT_TRANSLATE_NOOP("RunTable", "Whether its gradients were compared with those of one device, and agreed")},
    {QT_TRANSLATE_NOOP("RunTable", "Schedule"), QT_TRANSLATE_NOOP("RunTable", "As it is typed on the command line")},
    {QT_TRANSLATE_NOOP("RunTable", "Date"), QT_TRANSLATE_NOOP("RunTable", "When it was stored")},
    {QT_TRANSLATE_NOOP("RunTable", "Spans"), QT_TRANSLATE_NOOP("RunTable", "Tasks, kernels and transfers in it")},
};

QString verifiedText(const std::string& verify)
{
    const Json json = Json::parse(verify, nullptr, false);
    if (!json.is_object() || !json.contains("passed"))
        return QStringLiteral("–");
    if (!json.value("passed", false))
        return RunTable::tr("no");
    return json.value("bit_equal", false) ? RunTable::tr("yes, to the bit") : RunTable::tr("yes");
}

double throughputOf(int microbatches, Nanoseconds makespan)
{
    return makespan > 0 && microbatches > 0 ? microbatches * 1e9 / static_cast<double>(makespan) : -1;
}

QString knownText(double value, const QString& text)
{
    return value < 0 ? QStringLiteral("–") : text;
}

} // namespace

RunTable::RunTable(Workbench& workbench, QObject* parent) : QAbstractTableModel(parent), m_workbench(workbench)
{
    connect(&workbench, &Workbench::runsChanged, this, &RunTable::refresh);
    connect(&workbench, &Workbench::shownChanged, this, &RunTable::refresh);
    connect(&workbench, &Workbench::predictionsChanged, this, &RunTable::refresh);
    m_rows = rowsNow();
}

void RunTable::takeRun(Row& row, const RunView& run)
{
    row.title = run.title;
    row.kind = QCoreApplication::translate("RunLabel", runLabelText(run.label));
    row.makespan = run.makespan();
    row.bubble = run.bubbleRate();
    row.peak = run.memory.empty() ? row.peak : run.peakActivations();
    row.throughput = throughputOf(run.plan ? run.plan->schedule.shape.microbatchesPerStep() : 0, run.makespan());
    row.note = run.note;
    if (run.plan)
        row.schedule = QString::fromStdString(run.plan->spec.text());
}

void RunTable::takeStored(Row& row, const RunInfo& info)
{
    const RunView head = headOf(info);
    row.title = head.title;
    row.kind = QCoreApplication::translate("RunLabel", runLabelText(head.label));
    row.note = head.note;
    row.schedule = QString::fromStdString(info.header.recipe);
    row.created = info.createdMs;
    row.spans = info.spans;
    row.verified = verifiedText(info.outcome.verify);
    const Json summary = Json::parse(info.outcome.summary, nullptr, false);
    if (!summary.is_object())
        return;
    row.makespan = summary.value("makespan_ns", row.makespan);
    row.bubble = summary.value("bubble_rate", row.bubble);
    row.throughput = throughputOf(summary.value("microbatches", 0) * summary.value("steps", 1), row.makespan);
    if (summary.contains("devices"))
        for (const Json& device : summary["devices"])
            if (device.contains("peak_activations") && device["peak_activations"].is_number())
                row.peak = std::max(row.peak, device["peak_activations"].get<double>());
}

std::vector<RunTable::Row> RunTable::rowsNow() const
{
    std::vector<Row> rows;
    for (const int number : {Workbench::draftA, Workbench::draftB, Workbench::live}) {
        const RunPtr run = m_workbench.run(number);
        if (!run)
            continue;
        Row row;
        row.number = number;
        row.verified = QStringLiteral("–");
        takeRun(row, *run);
        rows.push_back(row);
    }
    for (const RunInfo& info : m_workbench.runs()) {
        Row row;
        row.number = info.id;
        takeStored(row, info);
        const RunPtr loaded = m_workbench.run(info.id);
        if (loaded && loaded->makespan() > 0)
            takeRun(row, *loaded);
        row.title = QStringLiteral("%1 · ").arg(info.id) + row.title;
        rows.push_back(row);
    }
    const std::vector<int>& shown = m_workbench.shown();
    for (Row& row : rows)
        if (const auto found = std::find(shown.begin(), shown.end(), row.number); found != shown.end())
            row.slot = static_cast<int>(found - shown.begin());
    return rows;
}

void RunTable::refresh()
{
    std::vector<Row> rows = rowsNow();
    const bool same = std::equal(rows.begin(), rows.end(), m_rows.begin(), m_rows.end(),
                                 [](const Row& a, const Row& b) { return a.number == b.number; });
    if (!same)
        beginResetModel();
    m_rows = std::move(rows);
    if (!same)
        endResetModel();
    else if (!m_rows.empty())
        Q_EMIT dataChanged(index(0, 0), index(static_cast<int>(m_rows.size()) - 1, columns - 1));
}

int RunTable::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

int RunTable::columnCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : columns;
}

QVariant RunTable::textOf(const Row& row, int column) const
{
    switch (column) {
    case Shown:
        return row.slot < 0 ? QString() : TimelineStack::letterOf(row.slot);
    case Title:
        return row.title;
    case Kind:
        return row.kind;
    case Makespan:
        return knownText(static_cast<double>(row.makespan), timeText(row.makespan));
    case Bubble:
        return knownText(row.bubble, percentText(row.bubble));
    case Peak:
        return knownText(row.peak, countText(row.peak));
    case Throughput:
        return knownText(row.throughput, QString::number(row.throughput, 'f', 1));
    case Verified:
        return row.verified;
    case Schedule:
        return row.schedule;
    case Date:
        return row.created == 0 ? tr("now")
                                : QLocale().toString(QDateTime::fromMSecsSinceEpoch(row.created), QLocale::ShortFormat);
    case Spans:
        return row.spans < 0 ? QStringLiteral("–") : QString::number(row.spans);
    default:
        return {};
    }
}

QVariant RunTable::keyOf(const Row& row, int column) const
{
    switch (column) {
    case Shown:
        return row.slot < 0 ? TimelineStack::mostRuns : row.slot;
    case Makespan:
        return QVariant::fromValue<qlonglong>(row.makespan);
    case Bubble:
        return row.bubble;
    case Peak:
        return row.peak;
    case Throughput:
        return row.throughput;
    case Date:
        return QVariant::fromValue<qlonglong>(row.created == 0 ? std::numeric_limits<qlonglong>::max() : row.created);
    case Spans:
        return QVariant::fromValue<qlonglong>(row.spans);
    default:
        return textOf(row, column);
    }
}

QVariant RunTable::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole:
        return textOf(row, column);
    case KeyRole:
        return keyOf(row, column);
    case NumberRole:
        return row.number;
    case Qt::CheckStateRole:
        return column == Shown ? QVariant(row.slot < 0 ? Qt::Unchecked : Qt::Checked) : QVariant();
    case Qt::ToolTipRole:
        return row.note.isEmpty() ? QVariant() : QVariant(row.note);
    case Qt::TextAlignmentRole:
        return {((column >= Makespan && column <= Throughput) || column == Spans ? Qt::AlignRight : Qt::AlignLeft) |
                Qt::AlignVCenter};
    default:
        return {};
    }
}

bool RunTable::setData(const QModelIndex& index, const QVariant&, int role)
{
    if (role != Qt::CheckStateRole || index.column() != Shown || !checkIndex(index, CheckIndexOption::IndexIsValid))
        return false;
    m_workbench.toggleShown(m_rows[static_cast<std::size_t>(index.row())].number);
    return true;
}

QVariant RunTable::headerData(int section, Qt::Orientation orientation, int role) const
{
    if (orientation == Qt::Vertical || section < 0 || section >= columns)
        return {};
    const Heading& heading = headings[section];
    if (role == Qt::DisplayRole)
        return QCoreApplication::translate("RunTable", heading.text);
    if (role == Qt::ToolTipRole)
        return QCoreApplication::translate("RunTable", heading.meaning);
    return {};
}

Qt::ItemFlags RunTable::flags(const QModelIndex& index) const
{
    const Qt::ItemFlags plain = QAbstractTableModel::flags(index);
    return index.isValid() && index.column() == Shown ? plain | Qt::ItemIsUserCheckable : plain;
}

} // namespace bubblescope::viz
