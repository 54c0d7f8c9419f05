#include "viz/window/command_palette.h"

#include "viz/theme/theme.h"
#include "viz/timeline/timeline_stack.h"
#include "viz/window/fuzzy_match.h"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTimer>
#include <QVBoxLayout>

#include <algorithm>

namespace bubblescope::viz {
namespace {

enum Role { GroupRole = Qt::UserRole, ShortcutRole, CheckedRole, CommandRole };

QString withoutMnemonic(QString text)
{
    text.replace(QLatin1String("&&"), QString(QChar(1)));
    text.remove(QLatin1Char('&'));
    return text.replace(QChar(1), QLatin1Char('&')).trimmed();
}

void collect(const QList<QAction*>& actions, const QString& group, std::vector<Command>& commands)
{
    for (QAction* action : actions) {
        if (action->isSeparator() || !action->isVisible() || action->text().isEmpty())
            continue;
        const QString title = withoutMnemonic(action->text());
        if (QMenu* menu = action->menu()) {
            Q_EMIT menu->aboutToShow(); // some fill themselves when they open
            collect(menu->actions(), group.isEmpty() ? title : group + QStringLiteral(" › ") + title, commands);
            continue;
        }
        Command command;
        command.title = title;
        command.group = group;
        command.shortcut = action->shortcut().toString(QKeySequence::NativeText);
        command.enabled = action->isEnabled();
        command.checked = action->isCheckable() && action->isChecked();
        command.run = [guarded = QPointer<QAction>(action)] {
            if (guarded)
                guarded->trigger();
        };
        commands.push_back(std::move(command));
    }
}

/// Title at the left, group behind it, shortcut at the right.
class CommandDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override
    {
        const Theme& theme = currentTheme();
        const QFontMetrics metrics(option.font);
        const int space = metrics.averageCharWidth() * 2;
        painter->save();
        if (option.state.testFlag(QStyle::State_Selected)) {
            painter->fillRect(option.rect, theme.accentSoft);
            painter->fillRect(QRect(option.rect.topLeft(), QSize(3, option.rect.height())), theme.accent);
        }
        QRect place = option.rect.adjusted(space, 0, -space, 0);
        const bool enabled = index.flags().testFlag(Qt::ItemIsEnabled);
        const QString shortcut = index.data(ShortcutRole).toString();
        painter->setFont(option.font);
        painter->setPen(theme.mutedText);
        painter->drawText(place, Qt::AlignRight | Qt::AlignVCenter, shortcut);
        if (!shortcut.isEmpty())
            place.setRight(place.right() - metrics.horizontalAdvance(shortcut) - space);
        const QString title = (index.data(CheckedRole).toBool() ? QStringLiteral("✓ ") : QString()) +
                              index.data(Qt::DisplayRole).toString();
        painter->setPen(enabled ? theme.text : theme.mutedText);
        painter->drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                          metrics.elidedText(title, Qt::ElideRight, place.width()));
        place.setLeft(place.left() + metrics.horizontalAdvance(title) + space);
        painter->setPen(theme.mutedText);
        painter->drawText(place, Qt::AlignLeft | Qt::AlignVCenter,
                          metrics.elidedText(index.data(GroupRole).toString(), Qt::ElideRight, place.width()));
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override
    {
        return {100, static_cast<int>(QFontMetrics(option.font).height() * 1.8)};
    }
};

} // namespace

std::vector<Command> commandsOf(const QMenuBar& bar)
{
    std::vector<Command> commands;
    collect(bar.actions(), {}, commands);
    return commands;
}

std::vector<Command> commandsOf(TimelineStack& stack)
{
    std::vector<Command> commands;
    for (const TimelineBinding& binding : timelineBindings()) {
        if (binding.keys.empty())
            continue;
        Command command;
        command.title = translatedKeyText(binding.what);
        command.title[0] = command.title[0].toUpper();
        command.group = TimelineStack::tr("Timeline") + QStringLiteral(" › ") + translatedKeyText(binding.group);
        command.shortcut = keyTexts(binding).join(QStringLiteral(", "));
        command.run = [&stack, what = binding.command] { stack.run(what); };
        commands.push_back(std::move(command));
    }
    return commands;
}

std::vector<Command> lanesOf(TimelineStack& stack)
{
    std::vector<Command> commands;
    for (std::size_t slot = 0; slot < stack.runs().size(); ++slot) {
        const RunView& run = *stack.runs()[slot];
        for (std::size_t lane = 0; lane < run.trace.lanes.size(); ++lane) {
            if (run.columns ? run.columns->lanes[lane].spans() == 0 : run.trace.lanes[lane].spans.empty())
                continue;
            Command command;
            command.title = TimelineStack::letterOf(static_cast<int>(slot)) + QStringLiteral(" · ") +
                            laneName(run, static_cast<int>(lane));
            command.group = titleWithLabel(run);
            command.run = [&stack, slot, lane] { stack.showLane(static_cast<int>(slot), static_cast<int>(lane)); };
            commands.push_back(std::move(command));
        }
    }
    return commands;
}

CommandPalette::CommandPalette(QWidget* parent, std::vector<Command> commands, const QString& placeholder)
    : QDialog(parent, Qt::Popup), m_commands(std::move(commands)), m_text(new QLineEdit), m_list(new QListWidget)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("palette"));
    setAccessibleName(placeholder);
    m_text->setObjectName(QStringLiteral("paletteText"));
    m_text->setPlaceholderText(placeholder);
    m_text->setAccessibleName(placeholder);
    m_text->installEventFilter(this);
    m_list->setObjectName(QStringLiteral("paletteList"));
    m_list->setAccessibleName(placeholder);
    m_list->setItemDelegate(new CommandDelegate(m_list));
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setUniformItemSizes(true);
    auto* column = new QVBoxLayout(this);
    const int line = fontMetrics().height();
    column->setContentsMargins(line / 2, line / 2, line / 2, line / 2);
    column->addWidget(m_text);
    column->addWidget(m_list);
    const int width = std::min(line * 46, parent->width() - line * 4);
    resize(width, std::min(line * 30, parent->height() - line * 6));
    move(parent->mapToGlobal(QPoint((parent->width() - width) / 2, line * 4)));
    connect(m_text, &QLineEdit::textChanged, this, &CommandPalette::filter);
    connect(m_list, &QListWidget::itemClicked, this, &CommandPalette::runCurrent);
    filter({});
}

void CommandPalette::showEvent(QShowEvent* event)
{
    QDialog::showEvent(event);
    m_text->setFocus();
}

void CommandPalette::filter(const QString& typed)
{
    std::vector<std::pair<int, std::size_t>> ranked;
    for (std::size_t at = 0; at < m_commands.size(); ++at) {
        const Command& command = m_commands[at];
        // What stands in the title counts more than what stands in the menu's name.
        const int title = fuzzyScore(typed, command.title);
        const int whole = fuzzyScore(typed, command.group + QLatin1Char(' ') + command.title);
        if (title >= 0 || whole >= 0)
            ranked.emplace_back(std::max(title * 2, whole), at);
    }
    std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    m_list->clear();
    for (const auto& [score, at] : ranked) {
        const Command& command = m_commands[at];
        auto* item = new QListWidgetItem(command.title);
        item->setData(GroupRole, command.group);
        item->setData(ShortcutRole, command.shortcut);
        item->setData(CheckedRole, command.checked);
        item->setData(CommandRole, static_cast<qulonglong>(at));
        if (!command.enabled)
            item->setFlags(item->flags() & ~(Qt::ItemIsEnabled | Qt::ItemIsSelectable));
        m_list->addItem(item);
    }
    m_list->setCurrentRow(0);
}

QStringList CommandPalette::titles() const
{
    QStringList titles;
    for (int row = 0; row < m_list->count(); ++row)
        titles << m_list->item(row)->text();
    return titles;
}

void CommandPalette::runCurrent()
{
    const QListWidgetItem* item = m_list->currentItem();
    if (!item || !item->flags().testFlag(Qt::ItemIsEnabled))
        return;
    const std::function<void()> run = m_commands[item->data(CommandRole).toULongLong()].run;
    QWidget* window = parentWidget();
    close();
    // When the palette is gone: what runs may open a window of its own.
    QTimer::singleShot(0, window, run);
}

bool CommandPalette::eventFilter(QObject* object, QEvent* event)
{
    if (object != m_text || event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(object, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    const int page = std::max(1, m_list->height() / std::max(1, m_list->sizeHintForRow(0)) - 1);
    const std::pair<int, int> moves[] = {
        {Qt::Key_Down, 1}, {Qt::Key_Up, -1}, {Qt::Key_PageDown, page}, {Qt::Key_PageUp, -page}};
    for (const auto& [which, by] : moves)
        if (key->key() == which) {
            m_list->setCurrentRow(std::clamp(m_list->currentRow() + by, 0, std::max(0, m_list->count() - 1)));
            return true;
        }
    if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
        runCurrent();
        return true;
    }
    return false;
}

} // namespace bubblescope::viz
