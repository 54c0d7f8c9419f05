#include "viz/window/key_help.h"

#include "viz/theme/theme.h"
#include "viz/timeline/timeline_keys.h"
#include "viz/window/command_palette.h"

#include <QFrame>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QMenuBar>
#include <QScrollArea>
#include <QVBoxLayout>

namespace bubblescope::viz {
namespace {

KeyGroup& groupNamed(std::vector<KeyGroup>& groups, const QString& title)
{
    for (KeyGroup& group : groups)
        if (group.title == title)
            return group;
    groups.push_back({title, {}});
    return groups.back();
}

/// How much room a group takes, in lines: long texts take two.
std::size_t linesOf(const KeyGroup& group)
{
    constexpr qsizetype lettersOfLine = 30;
    std::size_t lines = 2;
    for (const auto& [keys, what] : group.rows)
        lines += static_cast<std::size_t>(1 + what.size() / lettersOfLine);
    return lines;
}

/// Groups in their order, in columns of about the same height.
std::vector<std::vector<const KeyGroup*>> inColumns(const std::vector<KeyGroup>& groups, std::size_t columns)
{
    std::size_t left = 0;
    for (const KeyGroup& group : groups)
        left += linesOf(group);
    std::vector<std::vector<const KeyGroup*>> parts(columns);
    std::size_t at = 0;
    std::size_t filled = 0;
    for (const KeyGroup& group : groups) {
        const std::size_t fair = (left + filled) / (columns - at);
        if (filled > 0 && at + 1 < columns && filled + linesOf(group) / 2 > fair) {
            ++at;
            filled = 0;
        }
        parts[at].push_back(&group);
        filled += linesOf(group);
        left -= linesOf(group);
    }
    return parts;
}

/// In place of what a menu says about the same keys, which is shorter.
void explain(KeyGroup& group, const QString& keys, const QString& what)
{
    for (auto& row : group.rows)
        if (row.first == keys) {
            row.second = what;
            return;
        }
    group.rows.emplace_back(keys, what);
}

QWidget* columnOf(const std::vector<const KeyGroup*>& groups)
{
    auto* widget = new QWidget;
    auto* grid = new QGridLayout(widget);
    const int line = widget->fontMetrics().height();
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(line);
    grid->setVerticalSpacing(line / 4);
    grid->setColumnStretch(1, 1);
    int row = 0;
    for (const KeyGroup* group : groups) {
        auto* title = new QLabel(group->title);
        title->setProperty("role", "heading");
        title->setContentsMargins(0, row == 0 ? 0 : line / 2, 0, 0);
        grid->addWidget(title, row++, 0, 1, 2);
        for (const auto& [keys, what] : group->rows) {
            auto* key = new QLabel(keys);
            key->setAlignment(Qt::AlignRight | Qt::AlignTop);
            auto* text = new QLabel(what);
            text->setProperty("role", "muted");
            text->setWordWrap(true);
            for (QLabel* label : {key, text})
                label->setContentsMargins(0, 1, 0, 0); // dots of capitals may stand above the font's ascent
            grid->addWidget(key, row, 0);
            grid->addWidget(text, row++, 1);
        }
    }
    grid->setRowStretch(row, 1);
    return widget;
}

} // namespace

std::vector<KeyGroup> keyGroups(const QMenuBar& bar, const QWidget& window)
{
    std::vector<KeyGroup> groups;
    for (const TimelineBinding& binding : timelineBindings())
        if (!binding.keys.empty())
            groupNamed(groups, translatedKeyText(binding.group))
                .rows.emplace_back(keyTexts(binding).join(QStringLiteral(", ")), translatedKeyText(binding.what));
    KeyGroup& mouse = groupNamed(groups, KeyHelp::tr("Mouse"));
    for (const MouseGesture& gesture : timelineGestures())
        mouse.rows.emplace_back(translatedKeyText(gesture.gesture), translatedKeyText(gesture.what));
    for (const Command& command : commandsOf(bar))
        if (!command.shortcut.isEmpty())
            groupNamed(groups, command.group.section(QStringLiteral(" › "), 0, 0))
                .rows.emplace_back(command.shortcut, command.title);
    for (const QWidget* widget : window.findChildren<QWidget*>())
        for (const QString& line : widget->property("keyHelp").toStringList())
            explain(groupNamed(groups, widget->accessibleName()), line.section(QLatin1Char('|'), 0, 0),
                    line.section(QLatin1Char('|'), 1));
    return groups;
}

KeyHelp::KeyHelp(QWidget* parent, const std::vector<KeyGroup>& groups) : QDialog(parent)
{
    setAttribute(Qt::WA_DeleteOnClose);
    setObjectName(QStringLiteral("keyHelp"));
    setWindowTitle(tr("Keys"));
    const int line = fontMetrics().height();
    const QSize room(std::min(line * 100, parent->width() - line * 2), std::min(line * 64, parent->height() - line));
    auto* content = new QWidget;
    content->setProperty("surface", "canvas");
    content->setAttribute(Qt::WA_StyledBackground);
    auto* row = new QHBoxLayout(content);
    row->setContentsMargins(line, line, line, line);
    row->setSpacing(line * 2);
    const int columns = std::clamp(room.width() / (line * 19), 1, 4);
    for (const auto& part : inColumns(groups, static_cast<std::size_t>(columns)))
        row->addWidget(columnOf(part), 1);
    auto* scroll = new QScrollArea;
    scroll->setWidget(content);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    auto* foot = new QLabel(tr("W A S D go by their place on the keyboard. Everything else is in the command palette: "
                               "Ctrl+Shift+P. Esc or ? closes this."));
    foot->setProperty("role", "muted");
    foot->setContentsMargins(line, line / 2, line, line / 2);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(scroll, 1);
    column->addWidget(foot);
    const int wanted = row->totalHeightForWidth(room.width()) + foot->sizeHint().height() + 2;
    resize(room.width(), std::min(room.height(), wanted));
}

void KeyHelp::keyPressEvent(QKeyEvent* event)
{
    if (event->key() == Qt::Key_Question)
        close();
    else
        QDialog::keyPressEvent(event);
}

} // namespace bubblescope::viz
