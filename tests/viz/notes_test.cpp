#include "core/trace/document.h"
#include "tests/viz/support.h"
#include "viz/panels/notes_panel.h"

#include <QLineEdit>
#include <QTableWidget>

#include <catch2/catch.hpp>

using namespace bubblescope;
using namespace bubblescope::viz;

namespace {

void write(test::TestWindow& test, const char* text)
{
    QTest::keyClick(test.window.stack().views()[0], Qt::Key_M, Qt::ShiftModifier);
    auto* editor = test.window.findChild<QLineEdit*>(QStringLiteral("noteText"));
    REQUIRE(editor->isVisible());
    QTest::keyClicks(editor, QString::fromUtf8(text));
    QTest::keyClick(editor, Qt::Key_Return);
}

std::vector<Note> stored(test::TestWindow& test)
{
    return Document::open(test.window.workbench().path().toStdString(), Document::Mode::ReadOnly).notes();
}

} // namespace

TEST_CASE("M marks for now and Delete takes the mark away", "[viz][notes]")
{
    test::TestWindow test;
    TimelineStack& stack = test.window.stack();
    TimelineView& view = *stack.views()[0];
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.centreOf({Pick::Kind::Bar, 0, 1}).toPoint());
    QTest::keyClick(&view, Qt::Key_M);
    REQUIRE(stack.mark());
    CHECK(*stack.mark() == view.rangeOf(view.picked()));
    CHECK(view.flags().size() == 1);
    CHECK(stack.views()[1]->flags().size() == 1); // a mark is a time: all runs show it
    stack.range().setSelection({3 * unit, 5 * unit});
    QTest::keyClick(&view, Qt::Key_M);
    CHECK(*stack.mark() == TimeRange{3 * unit, 5 * unit}); // there is one
    QTest::keyClick(&view, Qt::Key_Delete);
    CHECK_FALSE(stack.mark());
    CHECK(view.flags().empty());
    CHECK_FALSE(QFileInfo::exists(test.window.workbench().path())); // nothing of it was stored
}

TEST_CASE("a note is in the document at once, can be undone, changed and removed", "[viz][notes]")
{
    test::TestWindow test;
    TimelineStack& stack = test.window.stack();
    TimelineView& view = *stack.views()[0];
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.centreOf({Pick::Kind::Bar, 2, 1}).toPoint());
    const TimeRange task = view.rangeOf(view.picked());
    write(test, "late");
    REQUIRE(stored(test).size() == 1);
    CHECK(stored(test)[0].text == "late");
    CHECK(stored(test)[0].start == task.begin);
    CHECK(stored(test)[0].end == task.end);
    CHECK(stored(test)[0].device == Device(2));
    CHECK(test.window.workbench().unsaved()); // of a document without a file
    REQUIRE(view.flags().size() == 1);
    const RunLayout places = view.layout();
    const QPointF flag =
        placeOfFlag(view.flags()[0], view.picture(), places, places.axis(view.visible()), view.font()).center();
    CHECK(view.hintAt(flag).startsWith(QLatin1String("late")));

    auto& undo = test.window.workbench().undoStack();
    undo.undo();
    CHECK(stored(test).empty());
    CHECK(view.flags().empty());
    undo.redo();
    CHECK(stored(test).size() == 1);

    // In the list: F2 changes the text, Enter goes there, Delete removes it.
    auto* panel = test.window.panels().panel<NotesPanel>();
    test.window.panels().setCurrentWidget(panel);
    QTableWidget& table = panel->table();
    REQUIRE(table.rowCount() == 1);
    table.item(0, 3)->setText(QStringLiteral("very late"));
    CHECK(QTest::qWaitFor([&] { return stored(test)[0].text == "very late"; }, 2000));
    undo.undo();
    CHECK(stored(test)[0].text == "late");
    CHECK(table.item(0, 3)->text() == "late");
    stack.range().setVisible({25 * unit, 30 * unit});
    table.setCurrentCell(0, 3);
    Q_EMIT table.cellActivated(0, 3);
    CHECK(stack.range().visible().begin <= task.begin);
    CHECK(view.flags()[0].chosen);
    QTest::keyClick(&view, Qt::Key_Delete);
    CHECK(stored(test).empty());
    undo.undo();
    REQUIRE(stored(test).size() == 1);
    table.setCurrentCell(0, 3);
    QTest::keyClick(&table, Qt::Key_Delete);
    CHECK(stored(test).empty());
    CHECK(view.flags().empty());
}

TEST_CASE("a click on a flag chooses it, and Esc in its line keeps nothing", "[viz][notes]")
{
    test::TestWindow test;
    TimelineStack& stack = test.window.stack();
    TimelineView& view = *stack.views()[0];
    stack.range().setSelection({6 * unit, 9 * unit});
    write(test, "here");
    stack.range().setSelection({});
    REQUIRE(view.flags().size() == 1);
    CHECK(view.flags()[0].device == -1);
    const RunLayout places = view.layout();
    const QPointF flag =
        placeOfFlag(view.flags()[0], view.picture(), places, places.axis(view.visible()), view.font()).center();
    QTest::mouseClick(&view, Qt::LeftButton, {}, flag.toPoint());
    CHECK(view.flags()[0].chosen);
    QTest::keyClick(&view, Qt::Key_M, Qt::ShiftModifier);
    auto* editor = test.window.findChild<QLineEdit*>(QStringLiteral("noteText"));
    QTest::keyClicks(editor, QStringLiteral("no"));
    QTest::keyClick(editor, Qt::Key_Escape);
    CHECK_FALSE(editor->isVisible());
    CHECK(stored(test).size() == 1);
}

TEST_CASE("notes survive saving and opening, each on its run", "[viz][notes]")
{
    QTemporaryDir folder;
    const QString path = test::makeDocument(folder);
    {
        test::TestWindow test;
        test.window.openFiles({path});
        REQUIRE(QTest::qWaitFor(
            [&] {
                return test.window.workbench().shown() == std::vector<int>{1, 2} &&
                       test.window.stack().runs().size() == 2;
            },
            5000));
        TimelineView& second = *test.window.stack().views()[1];
        QTest::mouseClick(&second, Qt::LeftButton, {}, second.centreOf({Pick::Kind::Gap, 0, 0}).toPoint());
        write(test, "bubble of B");
        CHECK(second.flags().size() == 1);
        CHECK(test.window.stack().views()[0]->flags().empty());
        CHECK(test.saveAs(folder.filePath(QStringLiteral("copy.bscope"))));
        test.window.workbench().undoStack().undo(); // what undo knows still holds for the copy
        CHECK(stored(test).empty());
        test.window.workbench().undoStack().redo();
    }
    test::TestWindow test;
    test.window.openFiles({folder.filePath(QStringLiteral("copy.bscope"))});
    REQUIRE(QTest::qWaitFor(
        [&] {
            return test.window.workbench().shownRuns().size() == 2 && test.window.stack().views().size() == 2 &&
                   !test.window.stack().views()[1]->flags().empty();
        },
        5000));
    CHECK(test.window.stack().views()[1]->flags()[0].text == "bubble of B");
    CHECK(test.window.stack().views()[0]->flags().empty());
    CHECK(stored(test)[0].run == 2);
}

TEST_CASE("a note that can't be written says so and leaves nothing behind", "[viz][notes]")
{
    QTemporaryDir folder;
    const QString path = test::makeDocument(folder);
    test::TestWindow test;
    test.window.openFiles({path});
    REQUIRE(QTest::qWaitFor(
        [&] { return test.window.stack().runs().size() == 2 && test.window.workbench().shown().front() == 1; }, 5000));
    std::optional<Document> other = Document::open(path.toStdString(), Document::Mode::ReadWrite); // another writer
    write(test, "lost");
    CHECK(test.window.messages().sentence().contains(QLatin1String("lost")));
    CHECK(test.window.stack().views()[0]->flags().empty());
    CHECK_FALSE(test.window.workbench().undoStack().canUndo());

    // What was written can be undone later, when it can't be now.
    other.reset();
    write(test, "kept");
    QUndoStack& undo = test.window.workbench().undoStack();
    REQUIRE(undo.canUndo());
    other = Document::open(path.toStdString(), Document::Mode::ReadWrite);
    undo.undo();
    CHECK(test.window.stack().views()[0]->flags().size() == 1);
    other.reset();
    undo.redo();
    undo.undo();
    CHECK(test.window.stack().views()[0]->flags().empty());
    CHECK(stored(test).empty());
}
