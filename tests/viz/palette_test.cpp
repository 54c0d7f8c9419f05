#include "tests/viz/support.h"
#include "viz/window/command_palette.h"
#include "viz/window/fuzzy_match.h"
#include "viz/window/key_help.h"

#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMenuBar>

#include <catch2/catch.hpp>

using namespace bubblescope;
using namespace bubblescope::viz;

namespace {

CommandPalette* palette(test::TestWindow& test, int key, Qt::KeyboardModifiers modifiers)
{
    // Where no window manager does it, nobody is active after a popup was closed.
    test.window.activateWindow();
    (void)QTest::qWaitForWindowActive(&test.window);
    QTest::keyClick(test.window.stack().views()[0], Qt::Key(key), modifiers);
    (void)QTest::qWaitFor([&] { return test.window.findChild<CommandPalette*>() != nullptr; }, 2000);
    return test.window.findChild<CommandPalette*>();
}

} // namespace

TEST_CASE("letters in their order match; begins of words match best", "[viz][palette]")
{
    CHECK(fuzzyScore("", "anything") == 0);
    CHECK(fuzzyScore("zi", "Zoom in") > 0);
    CHECK(fuzzyScore("iz", "Zoom in") == -1);
    CHECK(fuzzyScore("zi", "Zoom in") > fuzzyScore("zi", "Resizing"));
    CHECK(fuzzyScore("fit", "Fit everything") > fuzzyScore("fit", "find tasks in time"));
    CHECK(fuzzyScore("by back", "by first backward") > 0);
    CHECK(fuzzyScore("x", "") == -1);
}

TEST_CASE("the palette lists every action of the menus and every key, and runs what is chosen", "[viz][palette]")
{
    test::TestWindow test;
    CommandPalette* box = palette(test, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    REQUIRE(box);
    const QStringList all = box->titles();
    for (const Command& command : commandsOf(*test.window.menuBar()))
        CHECK(all.contains(command.title));
    CHECK(all.contains(QStringLiteral("Zoom in at the pointer")));
    CHECK(all.contains(QStringLiteral("by first backward")));
    auto* text = box->findChild<QLineEdit*>(QStringLiteral("paletteText"));
    QTest::keyClicks(text, QStringLiteral("first backw"));
    CHECK(box->titles().front() == "by first backward");
    QTest::keyClick(text, Qt::Key_Return);
    CHECK(QTest::qWaitFor([&] { return test.window.stack().alignment() == Alignment::FirstBackward; }, 2000));
    CHECK(QTest::qWaitFor([&] { return test.window.findChild<CommandPalette*>() == nullptr; }, 2000));
    test.window.stack().setAlignment(Alignment::Time);

    // A key of the timelines works from here, too; arrows choose, Esc closes.
    box = palette(test, Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
    REQUIRE(box);
    text = box->findChild<QLineEdit*>(QStringLiteral("paletteText"));
    QTest::keyClicks(text, QStringLiteral("details"));
    auto* list = box->findChild<QListWidget*>(QStringLiteral("paletteList"));
    QTest::keyClick(text, Qt::Key_Down);
    CHECK(list->currentRow() == 1);
    QTest::keyClick(text, Qt::Key_Escape);
    CHECK(QTest::qWaitFor([&] { return test.window.findChild<CommandPalette*>() == nullptr; }, 2000));
    CHECK(test.window.inspector().isVisible());
}

TEST_CASE("Ctrl+P goes to a lane by its name", "[viz][palette]")
{
    test::TestWindow test;
    CommandPalette* box = palette(test, Qt::Key_P, Qt::ControlModifier);
    REQUIRE(box);
    CHECK(box->titles().size() == 8); // 4 devices, 2 runs
    auto* text = box->findChild<QLineEdit*>(QStringLiteral("paletteText"));
    QTest::keyClicks(text, QStringLiteral("b dev 2"));
    QTest::keyClick(text, Qt::Key_Return);
    CHECK(QTest::qWaitFor([&] { return test.window.stack().picked().slot == 1; }, 2000));
    CHECK(test.window.stack().picked().pick.row == 2);
}

TEST_CASE("the help lists the keys that work now", "[viz][palette]")
{
    test::TestWindow test;
    auto* action = test.window.menuBar()->actions().last()->menu()->addAction(QStringLiteral("Dance"));
    action->setShortcut(QKeySequence(QStringLiteral("Ctrl+Alt+9")));
    const std::vector<KeyGroup> groups = keyGroups(*test.window.menuBar(), test.window);
    QStringList rows;
    for (const KeyGroup& group : groups)
        for (const auto& [keys, what] : group.rows)
            rows << keys + QLatin1Char('|') + what;
    CHECK(rows.contains(QStringLiteral("Ctrl+Alt+9|Dance")));
    CHECK(rows.contains(QStringLiteral("W, +, =|zoom in at the pointer")));
    CHECK(rows.contains(QStringLiteral("Return|balance")));
    CHECK(rows.contains(QStringLiteral("Ctrl+Z|Undo")));
    for (const TimelineBinding& binding : timelineBindings())
        for (const QString& key : keyTexts(binding))
            CHECK_FALSE(rows.filter(key).isEmpty());
    QTest::keyClick(test.window.stack().views()[0], Qt::Key_Question);
    REQUIRE(QTest::qWaitFor([&] { return test.window.findChild<KeyHelp*>() != nullptr; }, 2000));
    auto* help = test.window.findChild<KeyHelp*>();
    CHECK(help->isVisible());
    QTest::keyClick(help, Qt::Key_Question, Qt::ShiftModifier);
    CHECK(QTest::qWaitFor([&] { return test.window.findChild<KeyHelp*>() == nullptr; }, 2000));
}

TEST_CASE("no two actions of the menus have one shortcut", "[viz][palette]")
{
    test::TestWindow test;
    QStringList seen;
    for (const Command& command : commandsOf(*test.window.menuBar()))
        if (!command.shortcut.isEmpty()) {
            CAPTURE(command.title.toStdString(), command.shortcut.toStdString());
            CHECK_FALSE(seen.contains(command.shortcut));
            seen << command.shortcut;
        }
}
