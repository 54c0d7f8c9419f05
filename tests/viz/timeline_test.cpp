#include "tests/viz/support.h"
#include "viz/timeline/timeline_stack.h"

#include <QSignalSpy>
#include <QWheelEvent>

#include <catch2/catch.hpp>

using namespace bubblescope;
using namespace bubblescope::viz;

namespace {

/// Two runs under each other, shown.
struct Stack {
    Stack()
    {
        stack.resize(1000, 500);
        stack.setRuns({test::predicted("1f1b"), test::predicted("zb-h1")});
        stack.show();
        QTest::qWait(20);
    }

    TimelineView& view(std::size_t slot) { return *stack.views()[slot]; }

    Nanoseconds timeAt(std::size_t slot, const QPointF& position)
    {
        return pixelToTime(view(slot).layout().axis(stack.range().visible()), position.x());
    }

    void wheel(std::size_t slot, const QPointF& position, int notches, Qt::KeyboardModifiers keys)
    {
        QWheelEvent event(position, view(slot).mapToGlobal(position), {}, {0, 120 * notches}, Qt::NoButton, keys,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&view(slot), &event);
    }

    TimelineStack stack;
};

} // namespace

TEST_CASE("Ctrl and the wheel zoom and keep the time under the pointer", "[viz]")
{
    Stack test;
    for (const double x : {300.0, 555.0, 801.0}) {
        test.stack.range().showAll();
        const QPointF pointer(x, 80);
        const Nanoseconds before = test.timeAt(0, pointer);
        const TimeRange visible = test.stack.range().visible();
        test.wheel(0, pointer, 3, Qt::ControlModifier);
        CHECK(test.stack.range().visible().length() < visible.length());
        CHECK(std::abs(test.timeAt(0, pointer) - before) <= 2);
    }
}

TEST_CASE("both timelines show the same range, whichever is zoomed or panned", "[viz]")
{
    Stack test;
    test.wheel(1, {500, 60}, 4, Qt::ControlModifier);
    const TimeRange zoomed = test.stack.range().visible();
    CHECK(zoomed != test.stack.range().trace());
    for (std::size_t slot = 0; slot < 2; ++slot)
        CHECK(test.view(slot).layout().axis(test.stack.range().visible()).range == zoomed);
    CHECK(test.view(0).layout().frame.left() == test.view(1).layout().frame.left());
    CHECK(test.view(0).layout().frame.width() == test.view(1).layout().frame.width());
    QTest::keyClick(&test.view(0), Qt::Key_D);
    CHECK(test.stack.range().visible().begin > zoomed.begin);
    CHECK(test.stack.range().visible().length() == zoomed.length());
    QTest::keyClick(&test.view(0), Qt::Key_A);
    QTest::keyClick(&test.view(0), Qt::Key_S);
    CHECK(test.stack.range().visible().length() > zoomed.length());
    QTest::keyClick(&test.view(0), Qt::Key_W);
    QTest::keyClick(&test.view(0), Qt::Key_F);
    CHECK(test.stack.range().showsAll());
}

TEST_CASE("a drag selects a range, F shows it, Escape clears it", "[viz]")
{
    Stack test;
    TimelineView& view = test.view(0);
    QTest::mousePress(&view, Qt::LeftButton, {}, {300, 70});
    QTest::mouseMove(&view, {400, 70});
    QTest::mouseMove(&view, {500, 75});
    QTest::mouseRelease(&view, Qt::LeftButton, {}, {500, 75});
    const TimeRange selection = test.stack.range().selection();
    CHECK(std::abs(selection.begin - test.timeAt(0, {300, 0})) <= 1);
    CHECK(std::abs(selection.end - test.timeAt(0, {500, 0})) <= 1);
    QTest::keyClick(&view, Qt::Key_F);
    CHECK(test.stack.range().visible() == selection);
    QTest::keyClick(&view, Qt::Key_Escape);
    CHECK(test.stack.range().selection().empty());
}

TEST_CASE("Shift and a drag pan", "[viz]")
{
    Stack test;
    test.stack.range().setVisible({5'000'000, 15'000'000});
    TimelineView& view = test.view(0);
    QTest::mousePress(&view, Qt::LeftButton, Qt::ShiftModifier, {600, 70});
    QTest::mouseMove(&view, {500, 70});
    QTest::mouseRelease(&view, Qt::LeftButton, Qt::ShiftModifier, {500, 70});
    CHECK(test.stack.range().visible().begin > 5'000'000);
    CHECK(test.stack.range().visible().length() == 10'000'000);
    CHECK(test.stack.range().selection().empty());
}

TEST_CASE("a click picks what is under it, in one run only", "[viz]")
{
    Stack test;
    QSignalSpy spy(&test.stack, &TimelineStack::pickChanged);
    const Pick bar{Pick::Kind::Bar, 1, 2};
    QTest::mouseClick(&test.view(0), Qt::LeftButton, {}, test.view(0).centreOf(bar).toPoint());
    CHECK(test.view(0).picked() == bar);
    const Pick gap{Pick::Kind::Gap, 0, 0};
    QTest::mouseClick(&test.view(1), Qt::LeftButton, {}, test.view(1).centreOf(gap).toPoint());
    CHECK(test.view(1).picked() == gap);
    CHECK(test.view(0).picked() == Pick{});
    CHECK(test.stack.picked().slot == 1);
    CHECK(spy.count() == 2);
}

TEST_CASE("the keyboard walks along a lane over tasks and idle time", "[viz]")
{
    Stack test;
    TimelineView& view = test.view(0);
    QTest::keyClick(&view, Qt::Key_Period);
    CHECK(view.picked() == Pick{Pick::Kind::Bar, 0, 0});
    for (int i = 0; i < 4; ++i)
        QTest::keyClick(&view, Qt::Key_Period);
    CHECK(view.picked() == Pick{Pick::Kind::Gap, 0, 0}); // after four forwards device 0 waits
    QTest::keyClick(&view, Qt::Key_Comma);
    CHECK(view.picked() == Pick{Pick::Kind::Bar, 0, 3});
    QTest::keyClick(&view, Qt::Key_Down);
    CHECK(view.picked().row == 1);
}

TEST_CASE("hovering says what a task is and moves the cursor of all timelines", "[viz]")
{
    Stack test;
    const QPointF there = test.view(0).centreOf({Pick::Kind::Bar, 0, 0});
    CHECK(test.view(0).hintAt(there).contains(QLatin1String("forward of microbatch 0 on stage 0")));
    CHECK(test.view(0).hintAt(test.view(0).centreOf({Pick::Kind::Gap, 0, 0})).contains(QLatin1String("warm-up")));
    QTest::mouseMove(&test.view(0), there.toPoint());
    REQUIRE(test.stack.range().cursor());
    CHECK(std::abs(*test.stack.range().cursor() - 500'000) < 30'000);
}

TEST_CASE("more than eight runs aren't shown, and none at all is no crash", "[viz]")
{
    Stack test;
    test.stack.setRuns(std::vector<RunPtr>(12, test::predicted("gpipe")));
    CHECK(test.stack.views().size() == 8);
    test.stack.setRuns({});
    QTest::qWait(20);
    CHECK(test.stack.views().empty());
}

TEST_CASE("a run that took place is set against its own prediction, others against the first", "[viz]")
{
    auto measured = std::make_shared<RunView>(*test::predicted("zb-h1", 4, 8, "F=1.1,B=2.2"));
    measured->label = RunLabel::Measured;
    const auto pictures = picturesOf({test::predicted("1f1b"), test::predicted("zb-h1"), measured}, {});
    CHECK_FALSE(pictures[0].facts.contains(QLatin1String("than")));
    CHECK(pictures[1].facts.endsWith(QStringLiteral("1.22 × faster than A")));
    CHECK(pictures[2].facts.simplified().endsWith(QLatin1String("longer than predicted (B)")));
}

TEST_CASE("runs that show unlike numbers of steps compare by the time of one", "[viz]")
{
    const RunPtr one = test::predicted("1f1b", 4, 8, "F=1,B=2");
    RunView two = *test::predicted("gpipe", 4, 16, "F=1,B=2");
    CHECK(factsOf(two, one.get(), QStringLiteral("A")).endsWith(QStringLiteral("1.73 × slower than A"))); // 57 to 33
    two.experiment.steps = 2; // of 8 microbatches each, running into each other
    CHECK(factsOf(two, one.get(), QStringLiteral("A"))
              .endsWith(QStringLiteral("1.16 × faster than A · per step, 2 are shown"))); // 28.5 to 33
}
