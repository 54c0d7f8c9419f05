// Orders edited in the timeline: real events, problems marked in place, saved and opened again.

#include "core/schedule/torch_csv.h"
#include "core/trace/document.h"
#include "tests/viz/support.h"
#include "viz/edit/order_overlay.h"

#include <QAction>
#include <QFile>
#include <QInputDialog>
#include <QLineEdit>

#include <catch2/catch.hpp>
#include <fmt/ranges.h>

using namespace bubblescope;
using namespace bubblescope::viz;

namespace {

/// Two devices and two microbatches of 1F1B as A, F=1 and B=2, without a model, its order being edited.
struct EditorWindow : test::TestWindow {
    EditorWindow()
    {
        Draft draft = window.workbench().draft();
        draft.common.model = {};
        draft.common.stages = 2;
        draft.common.microbatches = 2;
        window.workbench().edit(draft, QStringLiteral("small"));
        settle();
        steps = window.workbench().undoStack().count();
        window.orderEditor().setActive(true);
    }

    TimelineView& view() { return *window.stack().views()[0]; }

    std::string row(int device)
    {
        const Schedule& schedule = window.workbench().prediction(0)->plan->schedule;
        return fmt::format("{}", fmt::join(laneTexts(schedule, schedule.computeLane(Device(device)), false), " "));
    }

    /// The place of a task of A.
    Pick find(const std::string& name)
    {
        const RunView& run = *window.workbench().prediction(0);
        for (TaskId id{}; id < run.plan->schedule.tasks.size(); ++id)
            if (toText(run.plan->schedule.tasks[id]) == name)
                return pickOf(view().picture(), id);
        return {};
    }

    void click(const std::string& name)
    {
        QTest::mouseClick(&view(), Qt::LeftButton, {}, view().centreOf(find(name)).toPoint());
    }

    void drag(const std::string& name, const std::string& onto, double beyond)
    {
        const QPointF from = view().centreOf(find(name));
        const QPointF to(view().centreOf(find(onto)).x() + beyond, from.y());
        QTest::mousePress(&view(), Qt::LeftButton, {}, from.toPoint());
        QTest::mouseMove(&view(), (from + (to - from) / 2).toPoint());
        QTest::mouseMove(&view(), to.toPoint());
        QTest::mouseRelease(&view(), Qt::LeftButton, {}, to.toPoint());
        settle();
    }

    QString picked() { return window.inspector().text().section(QLatin1Char('\n'), 0, 0); }

    int steps = 0;
};

} // namespace

TEST_CASE("a task is dragged along its lane, and a valid order is simulated at once", "[viz][order]")
{
    EditorWindow test;
    REQUIRE(test.row(0) == "0F0 0F1 0B0 0B1");
    CHECK(test.makespan(0) == 9 * unit);
    test.drag("0B0", "0F1", -4);
    CHECK(test.row(0) == "0F0 0B0 0F1 0B1");
    CHECK(test.makespan(0) == 12 * unit); // microbatch after microbatch
    CHECK(test.window.workbench().prediction(0)->problems.empty());
    CHECK(test.window.workbench().prediction(0)->explained());
    CHECK(test.window.workbench().undoStack().count() == test.steps + 1);
    CHECK(test.picked().endsWith(QStringLiteral("0B0"))); // what was moved stays picked
    test.window.workbench().undoStack().undo();
    test.settle();
    CHECK(test.row(0) == "0F0 0F1 0B0 0B1");
    CHECK(test.makespan(0) == 9 * unit);
    test.window.workbench().undoStack().redo();
    test.settle();
    CHECK(test.makespan(0) == 12 * unit);
}

TEST_CASE("tasks are moved, swapped and deleted from the keyboard", "[viz][order]")
{
    EditorWindow test;
    test.click("0B0");
    CHECK(test.picked().endsWith(QStringLiteral("0B0")));
    QTest::keyClick(&test.view(), Qt::Key_Left, Qt::AltModifier);
    test.settle();
    CHECK(test.row(0) == "0F0 0B0 0F1 0B1");
    QTest::keyClick(&test.view(), Qt::Key_Right, Qt::AltModifier);
    test.settle();
    CHECK(test.row(0) == "0F0 0F1 0B0 0B1");
    test.click("1B0");
    QTest::keyClick(&test.view(), Qt::Key_Down, Qt::AltModifier);
    test.settle();
    CHECK(test.row(1) == "1F0 1F1 1B0 1B1");
    CHECK(test.window.workbench().undoStack().count() == test.steps + 3);
    test.window.orderEditor().setActive(false);
    QTest::keyClick(&test.view(), Qt::Key_Delete);
    CHECK(test.window.workbench().undoStack().count() == test.steps + 3); // only in the mode
}

TEST_CASE("Alt with arrows goes back and forward, and moves tasks while orders are edited", "[viz][order]")
{
    EditorWindow test;
    const auto owners = [&test] {
        QStringList texts;
        for (const QAction* action : test.window.findChildren<QAction*>())
            if (action->shortcut() == QKeySequence(Qt::ALT | Qt::Key_Left))
                texts << action->text().remove(QLatin1Char('&'));
        return texts;
    };
    CHECK(owners() == QStringList{QStringLiteral("Move task earlier")});
    RangeController& range = test.window.stack().range();
    const TimeRange all = range.visible();
    range.setVisible({all.begin, all.begin + all.length() * 3 / 4});
    range.settle();
    test.click("0B0");
    QTest::keyClick(&test.view(), Qt::Key_Left, Qt::AltModifier);
    test.settle();
    CHECK(test.row(0) == "0F0 0B0 0F1 0B1");
    test.window.orderEditor().setActive(false);
    CHECK(owners() == QStringList{QStringLiteral("Back")});
    const TimeRange half = range.visible();
    REQUIRE(half.length() < range.trace().length());
    QTest::keyClick(&test.view(), Qt::Key_Left, Qt::AltModifier);
    CHECK(range.visible().length() > half.length());
    CHECK(test.row(0) == "0F0 0B0 0F1 0B1"); // the order stays
}

TEST_CASE("a deadlock is marked in place, with its victims, said in a sentence, and undone", "[viz][order]")
{
    EditorWindow test;
    test.click("0B0");
    for (int i = 0; i < 2; ++i) {
        QTest::keyClick(&test.view(), Qt::Key_Left, Qt::AltModifier);
        test.settle();
    }
    REQUIRE(test.row(0) == "0B0 0F0 0F1 0B1");
    const RunPtr run = test.window.workbench().prediction(0);
    REQUIRE(run->problems.size() == 1);
    CHECK(run->problems[0].kind == Problem::Kind::Deadlock);
    const QString sentence = QString::fromStdString(run->problems[0].sentence);
    CHECK(test.window.messages().sentence().contains(sentence));
    const auto marks = OrderOverlay::marksOf(*run);
    REQUIRE(marks.size() >= 2);
    OrderOverlay* overlay = test.window.orderEditor().overlay(0);
    REQUIRE(overlay != nullptr);
    for (const OrderOverlay::Mark& mark : marks) {
        const QRectF place = overlay->placeOf(mark.task);
        CHECK(place.width() > 5);
        // The outline is there to be seen.
        if (!mark.victim) {
            const QImage image = test.view().grab().toImage();
            const double scale = image.devicePixelRatio();
            const QColor edge = image.pixelColor((QPointF(place.center().x(), place.bottom() - 1) * scale).toPoint());
            CHECK(edge.red() > edge.green() + 40);
        }
    }
    CHECK(test.view().picture().facts.contains(QStringLiteral("problems")));
    test.click("0B0");
    CHECK(test.window.inspector().text().contains(sentence));
    test.window.workbench().undoStack().undo();
    test.settle();
    CHECK(test.window.messages().sentence().isEmpty());
    CHECK(test.window.workbench().prediction(0)->problems.empty());
}

TEST_CASE("a deleted task is missing until it is inserted again", "[viz][order]")
{
    EditorWindow test;
    test.click("1F1");
    QTest::keyClick(&test.view(), Qt::Key_Delete);
    test.settle();
    CHECK(test.row(1) == "1F0 1B0 1B1");
    CHECK(test.window.messages().sentence().contains(QStringLiteral("1F1")));
    test.click("1B1");
    QTest::keyClick(&test.view(), Qt::Key_Insert);
    auto* dialog = test.window.findChild<QInputDialog*>();
    REQUIRE(dialog != nullptr);
    CHECK(dialog->comboBoxItems().join(QLatin1Char(' ')) == QLatin1String("1F1"));
    dialog->accept();
    test.settle();
    CHECK(test.row(1) == "1F0 1B0 1F1 1B1");
    CHECK(test.window.messages().sentence().isEmpty());
    CHECK(test.makespan(0) == 9 * unit);
    // Nonsense is refused with a sentence and changes nothing.
    const int steps = test.window.workbench().undoStack().count();
    test.click("1B1");
    CHECK_FALSE(test.window.orderEditor().insert(QStringLiteral("F1")));
    CHECK(test.window.messages().sentence().contains(QStringLiteral("is no task")));
    CHECK_FALSE(test.window.orderEditor().insert(QStringLiteral("9F0")));
    CHECK(test.window.messages().sentence().contains(QStringLiteral("stages are 0 to 1")));
    CHECK(test.window.workbench().undoStack().count() == steps);
}

TEST_CASE("costs can still be changed under an order by hand, and sizes are asked for again", "[viz][order]")
{
    EditorWindow test;
    test.drag("0B0", "0F1", -4);
    Draft draft = test.window.workbench().draft();
    draft.common.comm = 0.5;
    test.window.workbench().edit(draft, QStringLiteral("slower link"));
    test.settle();
    CHECK(test.makespan(0) == 14 * unit); // four hops on the way, each 0.5
    draft.common.microbatches = 4;
    test.window.workbench().edit(draft, QStringLiteral("more"));
    test.settle();
    CHECK(test.window.workbench().predictionError(0).contains(QStringLiteral("2 microbatches")));
    test.window.orderEditor().dropOrder();
    test.settle();
    CHECK(test.window.workbench().prediction(0)->title == QStringLiteral("1F1B"));
}

TEST_CASE("an order by hand is saved as PyTorch CSV that reads back as the same order", "[viz][order]")
{
    EditorWindow test;
    test.drag("0B0", "0F1", -4);
    test.click("0B0");
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("order.csv"));
    REQUIRE(test.window.orderEditor().saveCsv(path));
    QFile file(path);
    REQUIRE(file.open(QIODevice::ReadOnly));
    const std::string text = file.readAll().toStdString();
    CHECK(text == "0F0,0B0,0F1,0B1\n1F0,1B0,1F1,1B1\n");
    const Schedule read = importTorchCsv(readTorchCsv(text)).schedule;
    CHECK(fmt::format("{}", fmt::join(laneTexts(read, read.computeLane(Device(0)), false), " ")) == "0F0 0B0 0F1 0B1");
    CHECK_FALSE(test.window.orderEditor().saveCsv(folder.filePath(QStringLiteral("nowhere/order.csv"))));
    CHECK(test.window.messages().sentence().contains(QStringLiteral("can't be written")));
}

TEST_CASE("a named order lives in the document: it opens, shows and can be edited on", "[viz][order]")
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("named.bscope"));
    {
        EditorWindow test;
        test.drag("0B0", "0F1", -4);
        test.click("0B0");
        REQUIRE(test.window.orderEditor().saveNamed(QStringLiteral("one by one")));
        REQUIRE(test.saveAs(path));
    }
    const Document document = Document::open(path.toStdString(), Document::Mode::ReadOnly);
    REQUIRE(document.runs().size() == 1);
    CHECK(document.runs()[0].header.recipe == "custom:one by one");
    test::TestWindow again;
    again.window.openFiles({path});
    REQUIRE(QTest::qWaitFor([&] { return again.window.workbench().run(1) != nullptr; }, 10'000));
    again.settle();
    const RunPtr stored = again.window.workbench().run(1);
    CHECK(stored->title == QStringLiteral("one by one"));
    CHECK(stored->makespan() == 12 * unit);
    CHECK(stored->explained());
    // Editing it makes a copy the schedule A.
    TimelineView& view = *again.window.stack().views()[0];
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.centreOf({Pick::Kind::Bar, 0, 0}).toPoint());
    again.window.orderEditor().setActive(true);
    again.settle();
    REQUIRE(again.window.workbench().prediction(0));
    CHECK(again.window.workbench().prediction(0)->title == QStringLiteral("one by one"));
    CHECK(again.makespan(0) == 12 * unit);
}
