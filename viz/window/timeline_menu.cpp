#include "viz/window/timeline_menu.h"

#include "viz/panels/range_panel.h"
#include "viz/window/command_palette.h"
#include "viz/window/main_window.h"
#include "viz/window/settings.h"
#include "viz/window/windows.h"

#include <QActionGroup>
#include <QClipboard>
#include <QGuiApplication>
#include <QMenu>
#include <QMenuBar>

namespace bubblescope::viz {
namespace {

void copySelection(MainWindow& window)
{
    const auto* panel = window.panels().panel<RangePanel>();
    if (panel && !panel->ranges().empty() && !window.stack().range().selection().empty())
        panel->copy();
    else if (const QString text = window.stack().pickedText(); !text.isEmpty())
        QGuiApplication::clipboard()->setText(text);
}

/// A shortcut that text fields and tables have a meaning of their own for: only where the timelines have the focus.
QAction* inTimelines(MainWindow& window, QAction* action)
{
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    window.stack().addAction(action);
    return action;
}

void addAlignment(MainWindow& window, QMenu& view)
{
    auto* menu = view.addMenu(MainWindow::tr("&Align runs"));
    auto* group = new QActionGroup(menu);
    const std::pair<Alignment, QString> ways[] = {{Alignment::Time, MainWindow::tr("by &time")},
                                                  {Alignment::Step, MainWindow::tr("by begin of the &step")},
                                                  {Alignment::FirstBackward, MainWindow::tr("by first &backward")},
                                                  {Alignment::End, MainWindow::tr("by &end")}};
    TimelineStack& stack = window.stack();
    for (const auto& [way, text] : ways) {
        QAction* action = menu->addAction(text, &window, [&stack, way = way] {
            stack.setAlignment(way);
            settings::setNumber("alignment", static_cast<int>(way));
        });
        action->setCheckable(true);
        action->setChecked(stack.alignment() == way);
        group->addAction(action);
        QObject::connect(menu, &QMenu::aboutToShow, action,
                         [action, &stack, way = way] { action->setChecked(stack.alignment() == way); });
    }
}

void addRows(MainWindow& window, QMenu& view)
{
    TimelineStack& stack = window.stack();
    auto* menu = view.addMenu(MainWindow::tr("&Rows"));
    menu->addAction(MainWindow::tr("&As high as fits"), &window, [&stack] { stack.scaleRows(0); });
    menu->addAction(MainWindow::tr("Open or close lanes of the &device"), &window,
                    [&stack] { stack.run(TimelineCommand::ToggleLanes); });
    menu->addAction(MainWindow::tr("&Pin the lane to the top, or let it go"), &window,
                    [&stack] { stack.run(TimelineCommand::PinLane); });
}

} // namespace

void addTimelineEditActions(MainWindow& window, QMenu& menu)
{
    TimelineStack& stack = window.stack();
    menu.addSeparator();
    inTimelines(window, menu.addAction(MainWindow::tr("&Copy"), QKeySequence(QKeySequence::Copy), &window,
                                       [&window] { copySelection(window); }));
    inTimelines(window, menu.addAction(MainWindow::tr("Select &all time"), QKeySequence(QKeySequence::SelectAll),
                                       &window, [&stack] { stack.run(TimelineCommand::SelectAll); }));
    menu.addSeparator();
    menu.addAction(MainWindow::tr("&Find tasks …"), QKeySequence(QKeySequence::Find), &window,
                   [&stack] { stack.openSearch(); });
    menu.addAction(MainWindow::tr("Find a &lane …"), QKeySequence(Qt::CTRL | Qt::Key_P), &window,
                   [&window] { openLaneSearch(window); });
    menu.addSeparator();
    menu.addAction(MainWindow::tr("&Mark for now"), &window, [&stack] { stack.run(TimelineCommand::Mark); });
    menu.addAction(MainWindow::tr("Write a &note …"), &window, [&stack] { stack.run(TimelineCommand::Note); });
}

void addTimelineViewActions(MainWindow& window, QMenu& menu)
{
    TimelineStack& stack = window.stack();
    RangeController& range = stack.range();
    QAction* back = menu.addAction(MainWindow::tr("&Back"), &window, [&range] { range.back(); });
    QAction* forward = menu.addAction(MainWindow::tr("For&ward"), &window, [&range] { range.forward(); });
    // While orders are edited, these keys move the picked task.
    const auto giveKeys = [back, forward](bool editing) {
        back->setShortcut(editing ? QKeySequence() : QKeySequence(Qt::ALT | Qt::Key_Left));
        forward->setShortcut(editing ? QKeySequence() : QKeySequence(Qt::ALT | Qt::Key_Right));
    };
    giveKeys(window.orderEditor().active());
    QObject::connect(&window.orderEditor(), &OrderEditor::activeChanged, back, giveKeys);
    menu.addSeparator();
    addAlignment(window, menu);
    addRows(window, menu);
    auto* wheel = menu.addAction(MainWindow::tr("W&heel zooms"));
    wheel->setCheckable(true);
    QObject::connect(wheel, &QAction::toggled, &stack, [&stack](bool zooms) {
        stack.setWheelZooms(zooms);
        settings::setWheelZooms(zooms);
        for (MainWindow* each : openWindows())
            each->useHabits();
    });
    QObject::connect(&menu, &QMenu::aboutToShow, wheel, [wheel, &stack] { wheel->setChecked(stack.wheelZooms()); });
    auto* details = menu.addAction(MainWindow::tr("D&etails"));
    details->setCheckable(true);
    details->setChecked(true);
    QObject::connect(details, &QAction::toggled, &window, &MainWindow::setDetailsShown);
    QObject::connect(&stack, &TimelineStack::detailsAsked, details, &QAction::toggle);
    QObject::connect(&stack, &TimelineStack::laneSearchAsked, &window, [&window] { openLaneSearch(window); });
    QObject::connect(&stack, &TimelineStack::rangeSelected, &window, [&window] {
        if (auto* panel = window.panels().panel<RangePanel>())
            window.panels().setCurrentWidget(panel);
    });
    menu.addAction(MainWindow::tr("Co&mmand palette …"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_P), &window,
                   [&window] { openPalette(window); });
}

void openPalette(MainWindow& window)
{
    std::vector<Command> commands = commandsOf(*window.menuBar());
    for (Command& command : commandsOf(window.stack()))
        commands.push_back(std::move(command));
    (new CommandPalette(&window, std::move(commands), MainWindow::tr("Do what?")))->show();
}

void openLaneSearch(MainWindow& window)
{
    (new CommandPalette(&window, lanesOf(window.stack()), MainWindow::tr("Go to which lane?")))->show();
}

} // namespace bubblescope::viz
