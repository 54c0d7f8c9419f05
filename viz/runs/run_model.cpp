#include "viz/runs/run_model.h"

#include "viz/document/run_loader.h"
#include "viz/run/core_text.h"
#include "viz/theme/theme.h"
#include "viz/timeline/time_text.h"
#include "viz/timeline/timeline_stack.h"

#include <QPainter>

#include <nlohmann/json.hpp>

namespace bubblescope::viz {
namespace {

QString factsOfTimes(Nanoseconds makespan, double bubble)
{
    return timeText(makespan) + QStringLiteral(" · ") + RunModel::tr("bubble %1").arg(percentText(bubble));
}

/// From the summary that the run was stored with, so that listing needs no spans.
QString factsOfStored(const RunInfo& info)
{
    const auto summary = nlohmann::json::parse(info.outcome.summary, nullptr, false);
    if (info.outcome.state != RunState::Complete)
        return runStateTitle(info.outcome.state);
    if (summary.is_object() && summary.contains("makespan_ns") && summary.contains("bubble_rate"))
        return factsOfTimes(summary["makespan_ns"].get<Nanoseconds>(), summary["bubble_rate"].get<double>());
    return RunModel::tr("%1 spans").arg(info.spans);
}

} // namespace

RunModel::RunModel(Workbench& workbench, QObject* parent) : QAbstractListModel(parent), m_workbench(workbench)
{
    connect(&workbench, &Workbench::runsChanged, this, &RunModel::refresh);
    connect(&workbench, &Workbench::shownChanged, this, &RunModel::refresh);
    connect(&workbench, &Workbench::predictionsChanged, this, &RunModel::refresh);
    m_entries = entriesNow();
}

std::vector<RunModel::Entry> RunModel::entriesNow() const
{
    std::vector<Entry> entries;
    for (int slot = 0; slot < draftSlots; ++slot) {
        const int number = Workbench::draftA - slot;
        const RunPtr run = m_workbench.prediction(slot);
        const std::string_view title = recipe(m_workbench.draft().schedule[static_cast<std::size_t>(slot)].id).title;
        const CustomOrderPtr& order = m_workbench.draft().order[static_cast<std::size_t>(slot)];
        const QString name = order ? QString::fromStdString(order->name)
                                   : QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size()));
        Entry entry{number, name + tr(" · predicted"), {}, {}, tr("Follows the form and the partition bar")};
        entry.facts = run && !run->problems.empty()                 ? tr("the order has problems")
                      : run                                         ? factsOfTimes(run->makespan(), run->bubbleRate())
                      : m_workbench.predictionError(slot).isEmpty() ? tr("predicting …")
                                                                    : tr("not possible: see the form");
        entries.push_back(entry);
    }
    if (const RunPtr live = m_workbench.run(Workbench::live))
        entries.push_back({Workbench::live, titleWithLabel(*live), {}, tr("executing …"), {}});
    for (const RunInfo& info : m_workbench.runs()) {
        const RunView head = headOf(info);
        const RunPtr loaded = m_workbench.run(info.id);
        entries.push_back({info.id,
                           QStringLiteral("%1  ").arg(info.id) + titleWithLabel(loaded ? *loaded : head),
                           {},
                           loaded && loaded->makespan() > 0 ? factsOfTimes(loaded->makespan(), loaded->bubbleRate())
                                                            : factsOfStored(info),
                           head.note});
    }
    const std::vector<int>& shown = m_workbench.shown();
    for (Entry& entry : entries)
        if (const auto found = std::find(shown.begin(), shown.end(), entry.number); found != shown.end())
            entry.letter = TimelineStack::letterOf(static_cast<int>(found - shown.begin()));
    return entries;
}

void RunModel::refresh()
{
    std::vector<Entry> entries = entriesNow();
    const bool sameRuns = entries.size() == m_entries.size() &&
                          std::equal(entries.begin(), entries.end(), m_entries.begin(),
                                     [](const Entry& a, const Entry& b) { return a.number == b.number; });
    if (!sameRuns)
        beginResetModel();
    m_entries = std::move(entries);
    if (!sameRuns)
        endResetModel();
    else if (!m_entries.empty())
        Q_EMIT dataChanged(index(0), index(static_cast<int>(m_entries.size()) - 1));
}

int RunModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_entries.size());
}

QVariant RunModel::data(const QModelIndex& index, int role) const
{
    if (!checkIndex(index, CheckIndexOption::IndexIsValid))
        return {};
    const Entry& entry = m_entries[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return entry.title;
    case Qt::AccessibleTextRole:
        return entry.letter + QLatin1Char(' ') + entry.title + QStringLiteral(", ") + entry.facts;
    case Qt::ToolTipRole:
        return entry.hint.isEmpty() ? QVariant() : QVariant(entry.hint);
    case NumberRole:
        return entry.number;
    case LetterRole:
        return entry.letter;
    case FactsRole:
        return entry.facts;
    default:
        return {};
    }
}

int RunModel::rowOf(int number) const
{
    for (std::size_t row = 0; row < m_entries.size(); ++row)
        if (m_entries[row].number == number)
            return static_cast<int>(row);
    return -1;
}

QSize RunDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const
{
    return {100, static_cast<int>(option.fontMetrics.height() * 2.9)};
}

void RunDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const
{
    const Theme& theme = currentTheme();
    const QString letter = index.data(RunModel::LetterRole).toString();
    const QRectF card = QRectF(option.rect).adjusted(1.5, 2.5, -1.5, -2.5);
    const double line = option.fontMetrics.height();
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool focused = option.state.testFlag(QStyle::State_HasFocus) || option.state.testFlag(QStyle::State_Selected);
    painter->setPen(QPen(letter.isEmpty() && !focused ? theme.border : theme.accent, focused ? 1.6 : 1));
    painter->setBrush(option.state.testFlag(QStyle::State_MouseOver) ? theme.accentSoft
                      : letter.isEmpty()                             ? theme.window
                                                                     : theme.canvas);
    painter->drawRoundedRect(card, 4, 4);
    const double side = std::ceil(line * 1.25);
    const QRectF badge(card.left() + line * 0.5, card.center().y() - side / 2, side, side);
    QFont bold = option.font;
    bold.setBold(true);
    if (!letter.isEmpty()) {
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme.accent);
        painter->drawRoundedRect(badge, 3, 3);
        painter->setPen(theme.accentText);
        painter->setFont(bold);
        painter->drawText(badge, Qt::AlignCenter, letter);
    }
    QRectF text(badge.right() + line * 0.6, card.top(), card.right() - badge.right() - line * 0.8,
                card.height() / 2 + 1);
    painter->setFont(option.font);
    painter->setPen(theme.text);
    painter->drawText(
        text, Qt::AlignLeft | Qt::AlignBottom,
        option.fontMetrics.elidedText(index.data().toString(), Qt::ElideRight, static_cast<int>(text.width())));
    text.moveTop(card.center().y() + 1);
    QFont small = option.font;
    small.setPointSizeF(small.pointSizeF() * 0.9);
    painter->setFont(small);
    painter->setPen(theme.mutedText);
    painter->drawText(text, Qt::AlignLeft | Qt::AlignTop,
                      QFontMetrics(small).elidedText(index.data(RunModel::FactsRole).toString(), Qt::ElideRight,
                                                     static_cast<int>(text.width())));
    painter->restore();
}

} // namespace bubblescope::viz
