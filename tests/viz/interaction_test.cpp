// Keys, mouse, lanes, alignment, minimap and the selected range, with real events.

#include "tests/viz/support.h"
#include "viz/panels/range_panel.h"
#include "viz/timeline/flow_arrows.h"
#include "viz/timeline/minimap.h"
#include "viz/timeline/run_painter.h"
#include "viz/timeline/search_bar.h"

#include <QClipboard>
#include <QFile>
#include <QSignalSpy>
#include <QTableWidget>
#include <QWheelEvent>

#include <catch2/catch.hpp>

#include <set>

using namespace bubblescope;
using namespace bubblescope::viz;

namespace {

/// A run with a send lane beside each compute lane, as executed runs have them.
RunPtr withTransfers(int number, const std::string& recipe = "1f1b")
{
    auto run = std::make_shared<RunView>(*test::predicted(recipe));
    run->number = number;
    std::vector<TraceLane> lanes;
    for (const TraceLane& lane : run->trace.lanes) {
        lanes.push_back(lane);
        TraceLane send;
        send.device = lane.device;
        send.kind = LaneKind::Send;
        for (const Span& span : lane.spans)
            if (span.task.work == Work::Forward && span.task.stage + 1 < 4) {
                Span message = span;
                message.task.work = Work::Send;
                message.start = span.end;
                message.end = span.end + 200'000;
                send.spans.push_back(message);
            }
        lanes.push_back(send);
    }
    run->trace.lanes = lanes;
    return run;
}

struct Stack {
    explicit Stack(std::vector<RunPtr> runs = {test::predicted("1f1b"), test::predicted("zb-h1")})
    {
        stack.resize(1000, 600);
        stack.setRuns(runs);
        stack.show();
        QTest::qWait(20);
    }

    TimelineView& view(std::size_t slot) { return *stack.views()[slot]; }

    double pixelOf(Nanoseconds aligned) { return timeToPixel(view(0).layout().axis(stack.range().visible()), aligned); }

    void drag(QWidget& widget, const QPoint& from, const QPoint& to)
    {
        QTest::mousePress(&widget, Qt::LeftButton, {}, from);
        QTest::mouseMove(&widget, (from + to) / 2);
        QTest::mouseMove(&widget, to);
        QTest::mouseRelease(&widget, Qt::LeftButton, {}, to);
    }

    void press(int key, Qt::KeyboardModifiers modifiers = {}) { QTest::keyClick(&view(0), Qt::Key(key), modifiers); }

    TimelineStack stack;
};

QKeyEvent keyAt(int key, quint32 scan, Qt::KeyboardModifiers modifiers = {})
{
    return {QEvent::KeyPress, key, modifiers, scan, 0, 0};
}

} // namespace

TEST_CASE("letters go by their place on the keyboard, signs by what is printed", "[viz][interact]")
{
    using C = TimelineCommand;
    // A US keyboard, and one whose platform tells no places.
    CHECK(timelineCommand(keyAt(Qt::Key_W, 25), true) == C::ZoomIn);
    CHECK(timelineCommand(keyAt(Qt::Key_W, 0), true) == C::ZoomIn);
    CHECK(timelineCommand(keyAt(Qt::Key_Q, 24), true) == C::Details);
    CHECK(timelineCommand(keyAt(Qt::Key_M, 58, Qt::ShiftModifier), true) == C::Note);
    // French: Z, Q, S, D lie where W, A, S, D do; A lies where Q does; W where Z does, which nothing is bound to.
    CHECK(timelineCommand(keyAt(Qt::Key_Z, 25), true) == C::ZoomIn);
    CHECK(timelineCommand(keyAt(Qt::Key_Q, 38), true) == C::PanLeft);
    CHECK(timelineCommand(keyAt(Qt::Key_A, 24), true) == C::Details);
    CHECK_FALSE(timelineCommand(keyAt(Qt::Key_W, 52), true));
    // Dvorak: comma lies where W does, W where comma does, O where S does.
    CHECK(timelineCommand(keyAt(Qt::Key_Comma, 25), true) == C::ZoomIn);
    CHECK(timelineCommand(keyAt(Qt::Key_W, 59), true) == C::Previous);
    CHECK(timelineCommand(keyAt(Qt::Key_O, 39), true) == C::ZoomOut);
    // German: / is Shift+7, + needs no Shift, on a US keyboard it does.
    CHECK(timelineCommand(keyAt(Qt::Key_Slash, 16, Qt::ShiftModifier), true) == C::Find);
    CHECK(timelineCommand(keyAt(Qt::Key_Plus, 21, Qt::ShiftModifier), true) == C::ZoomIn);
    CHECK(timelineCommand(keyAt(Qt::Key_Plus, 35), true) == C::ZoomIn);
    // Where places mean something else, letters count.
    CHECK(timelineCommand(keyAt(Qt::Key_Z, 25), false) == std::nullopt);
    CHECK(timelineCommand(keyAt(Qt::Key_A, 24), false) == C::PanLeft);
    // Ctrl and Alt belong to menus.
    CHECK_FALSE(timelineCommand(keyAt(Qt::Key_S, 39, Qt::ControlModifier), true));
}

TEST_CASE("no key of the timelines is bound twice", "[viz][interact]")
{
    std::set<std::pair<int, int>> seen;
    std::set<TimelineCommand> commands;
    for (const TimelineBinding& binding : timelineBindings()) {
        CHECK(commands.insert(binding.command).second);
        CHECK(QString::fromUtf8(binding.what).size() > 3);
        for (const TimelineKey& key : binding.keys) {
            CAPTURE(binding.what);
            CHECK(seen.insert({key.key, static_cast<int>(key.modifiers)}).second);
        }
    }
}

TEST_CASE("runs are aligned by time, step, first backward and end", "[viz][interact]")
{
    // 1F1B of 4 stages, 8 microbatches, F=1, B=2: first backward at 4, end at 33. GPipe: 8 forwards, then at 11.
    Stack test({test::predicted("1f1b"), test::predicted("gpipe")});
    const Nanoseconds endOfGpipe = test.stack.runs()[1]->idle.end;
    CHECK(test.stack.offset(1) == 0);
    test.stack.setAlignment(Alignment::FirstBackward);
    CHECK(test.stack.offset(0) == 0);
    CHECK(test.stack.offset(1) == 4 * unit - 11 * unit);
    CHECK(test.stack.range().trace().begin == -7 * unit);
    test.stack.setAlignment(Alignment::End);
    CHECK(test.stack.offset(1) == 33 * unit - endOfGpipe);
    test.stack.setAlignment(Alignment::Step);
    CHECK(test.stack.offset(1) == 0);
    auto late = std::make_shared<RunView>(*test::predicted("1f1b"));
    late->idle.begin = 5 * unit;
    CHECK(offsetsOf({test.stack.runs()[0], late}, Alignment::Step) == std::vector<Nanoseconds>{0, -5 * unit});
    auto forwardOnly = std::make_shared<RunView>(*late);
    for (TraceLane& lane : forwardOnly->trace.lanes)
        for (Span& span : lane.spans)
            span.task.work = Work::Forward;
    CHECK(anchorOf(*forwardOnly, Alignment::FirstBackward) == 5 * unit); // it has none: its begin
}

TEST_CASE("in aligned timelines a pick, the cursor and a selection mean the run's own time", "[viz][interact]")
{
    Stack test({test::predicted("1f1b"), test::predicted("gpipe")});
    test.stack.setAlignment(Alignment::FirstBackward);
    QTest::qWait(20);
    // The first backwards of both lie below each other.
    const auto first = [&](std::size_t slot) {
        const TimelineRow& row = test.view(slot).picture().rows[3];
        for (std::size_t bar = 0; bar < row.bars.size(); ++bar)
            if (row.bars[bar].work == Work::Backward)
                return test.view(slot).centreOf({Pick::Kind::Bar, 3, static_cast<int>(bar)});
        return QPointF();
    };
    CHECK(first(0).x() == Approx(first(1).x()));
    QTest::mouseClick(&test.view(1), Qt::LeftButton, {}, first(1).toPoint());
    CHECK(test.view(1).rangeOf(test.view(1).picked()).begin == 11 * unit);
    QTest::mouseMove(&test.view(1), first(1).toPoint());
    CHECK(std::abs(*test.stack.range().cursor() - 5 * unit) < 100'000); // the middle of 4 … 6 in A's time
    test.press(Qt::Key_R);
    CHECK(test.stack.range().selection() == TimeRange{4 * unit, 6 * unit});
    CHECK(test.view(1).selection() == TimeRange{11 * unit, 13 * unit});
    test.stack.showIntervals({{1, 0, LaneKind::Compute, {11 * unit, 12 * unit}}});
    CHECK(test.stack.range().visible().begin <= 4 * unit);
}

TEST_CASE("lanes of a device open at its arrow and by key, and rows become higher", "[viz][interact]")
{
    Stack test({withTransfers(1), withTransfers(2)});
    TimelineView& view = test.view(0);
    CHECK(view.picture().rows.size() == 4);
    REQUIRE_FALSE(view.lanesArrow(1).isEmpty());
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.lanesArrow(1).center().toPoint());
    QTest::qWait(20);
    REQUIRE(view.picture().rows.size() == 5);
    CHECK(view.picture().rows[2].label == "send");
    CHECK(view.picture().rows[1].lanesOpen);
    CHECK_FALSE(view.picture().rows[1].caption.isEmpty()); // the utilisation stays
    CHECK(test.view(1).picture().rows.size() == 4);        // each run for itself
    // By key, on the picked device; the pick stays on its lane though rows move.
    const Pick last{Pick::Kind::Bar, 4, 1};
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.centreOf(last).toPoint());
    const TimeRange time = view.rangeOf(view.picked());
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.lanesArrow(1).center().toPoint());
    QTest::qWait(20);
    CHECK(view.picked().row == 3);
    CHECK(view.rangeOf(view.picked()) == time);
    CHECK(test.stack.picked().pick == view.picked());
    test.press(Qt::Key_Period);
    test.stack.setAllLanes(true);
    CHECK(view.picture().rows.size() == 7); // device 3 sends nothing forward
    test.press(Qt::Key_Escape);
    test.press(Qt::Key_L);
    CHECK(view.picture().rows.size() == 4);

    // Heights: a drag below a label for one row, Ctrl+Up for all, double-click to go back.
    const double before = view.rowHeights()[0];
    const QRectF row = view.layout().rowRect(0);
    const QPoint edge(static_cast<int>(view.layout().labels.center().x()), static_cast<int>(row.bottom()));
    test.drag(view, edge, edge + QPoint(0, 30));
    CHECK(view.rowHeights()[0] == Approx(row.height() + 30).margin(2));
    CHECK(view.rowHeights()[1] <= before);
    test.press(Qt::Key_Up, Qt::ControlModifier);
    CHECK(view.rowHeights()[1] > before);
    test.press(Qt::Key_Down, Qt::ControlModifier);
    const QPoint lower(edge.x(), static_cast<int>(view.layout().rowRect(0).bottom()));
    QTest::mouseDClick(&view, Qt::LeftButton, {}, lower);
    CHECK(view.rowHeights()[0] == view.rowHeights()[1]);
}

TEST_CASE("a pinned lane stands on top of every run that has it", "[viz][interact]")
{
    Stack test({withTransfers(1), withTransfers(2)});
    test.stack.setAllLanes(true);
    TimelineView& view = test.view(0);
    const int send = view.rowOfLane(5); // device 2's
    REQUIRE(view.picture().rows[static_cast<std::size_t>(send)].label == "send");
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.centreOf({Pick::Kind::Bar, send, 0}).toPoint());
    test.press(Qt::Key_T, Qt::ShiftModifier);
    CHECK(view.picture().rows[0].label == QStringLiteral("2 · send"));
    CHECK(test.view(1).picture().rows[0].pinned);
    CHECK(view.picked().row == 0);
    test.stack.setAllLanes(false);
    CHECK(view.picture().rows.size() == 5); // a pinned lane stays though the others are closed
    test.press(Qt::Key_T, Qt::ShiftModifier);
    CHECK(view.picture().rows.size() == 4);
}

TEST_CASE("arrows lead to predecessors and successors, and ] and [ go along them", "[viz][interact]")
{
    Stack test;
    TimelineView& view = test.view(0);
    // 1F0 of device 1: from 0F0, to 2F0 and (stash) 1B0.
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.centreOf({Pick::Kind::Bar, 1, 0}).toPoint());
    REQUIRE(view.arrows().before.size() == 1);
    CHECK(view.arrows().before[0] == Pick{Pick::Kind::Bar, 0, 0});
    REQUIRE(view.arrows().after.size() == 2);
    CHECK(view.arrows().after[0] == Pick{Pick::Kind::Bar, 2, 0});
    CHECK(view.arrows().after[1].row == 1);
    test.press(Qt::Key_BracketRight);
    CHECK(view.picked() == Pick{Pick::Kind::Bar, 2, 0});
    test.press(Qt::Key_BracketLeft);
    CHECK(view.picked() == Pick{Pick::Kind::Bar, 1, 0});
    test.press(Qt::Key_BracketRight, Qt::ControlModifier);
    CHECK(view.chosenSuccessor() == 1);
    test.press(Qt::Key_BracketRight);
    CHECK(view.picked().row == 1); // its own backward
    CHECK(view.picture().rows[1].bars[static_cast<std::size_t>(view.picked().index)].work == Work::Backward);
    // Arrows are drawn: the picture differs from the one without a pick.
    const QImage with = view.grab().toImage();
    view.setPicked({});
    CHECK(with != view.grab().toImage());
}

TEST_CASE("without a plan arrows follow the messages that were recorded", "[viz][interact]")
{
    auto run = std::make_shared<RunView>(*test::predicted("1f1b"));
    const Span sender = run->trace.lanes[0].spans[1]; // 0F1
    run->plan = nullptr;
    run->timing = {};
    run->slack.clear();
    run->trace.links = {{Device(0), Device(1), sender.task, sender.end, sender.end, 100}};
    Stack test({run});
    QTest::mouseClick(&test.view(0), Qt::LeftButton, {}, test.view(0).centreOf({Pick::Kind::Bar, 0, 1}).toPoint());
    REQUIRE(test.view(0).arrows().after.size() == 1);
    test.press(Qt::Key_BracketRight);
    CHECK(test.view(0).picked() == Pick{Pick::Kind::Bar, 1, 1}); // 1F1
    CHECK(test.view(0).arrows().before.size() == 1);
}

TEST_CASE("the minimap shows how busy A is; its frame pans, its edges zoom", "[viz][interact]")
{
    // Two devices, two microbatches, 9 units: both are busy from 1 to 2, device 1 alone from 2 to 4.
    const Density density = densityOf(*test::predicted("1f1b", 2, 2), {0, 9 * unit}, 9);
    CHECK(density.busy(0) == Approx(0.5));
    CHECK(density.busy(1) == Approx(1.0));
    CHECK(density.busy(2) == Approx(0.5));
    CHECK(density.parts[2][static_cast<std::size_t>(Work::Backward)] == Approx(0.5));
    CHECK(density.busy(8) == Approx(0.5));

    Stack test;
    Minimap& map = test.stack.minimap();
    REQUIRE(QTest::qWaitFor([&] { return !map.density().parts.empty(); }, 5000));
    CHECK(map.area().left() == test.view(0).layout().frame.left());
    CHECK(map.area().right() == test.view(0).layout().frame.right());
    test.stack.range().setVisible({10 * unit, 20 * unit});
    const int y = map.height() / 2;
    const auto at = [y](double x) { return QPoint(static_cast<int>(std::lround(x)), y); };
    const double pixelsPerUnit = map.area().width() / static_cast<double>(test.stack.range().trace().length()) * unit;
    test.drag(map, at(map.frame().center().x()), at(map.frame().center().x() - 5 * pixelsPerUnit));
    CHECK(std::abs(test.stack.range().visible().begin - 5 * unit) < unit / 10);
    CHECK(test.stack.range().visible().length() == 10 * unit);
    test.drag(map, at(map.frame().right()), at(map.frame().right() + 5 * pixelsPerUnit));
    CHECK(std::abs(test.stack.range().visible().length() - 15 * unit) < unit / 10);
    CHECK(std::abs(test.stack.range().visible().begin - 5 * unit) < unit / 10);
    // A drag beside the frame makes a new one; a double-click shows everything.
    test.drag(map, at(map.area().left() + 25 * pixelsPerUnit), at(map.area().left() + 30 * pixelsPerUnit));
    CHECK(std::abs(test.stack.range().visible().begin - 25 * unit) < unit / 5);
    CHECK(std::abs(test.stack.range().visible().end - 30 * unit) < unit / 5);
    QTest::mouseDClick(&map, Qt::LeftButton, {}, at(map.area().center().x()));
    CHECK(test.stack.range().showsAll());
}

TEST_CASE("edges of the selection are dragged and moved by keys", "[viz][interact]")
{
    Stack test;
    TimelineView& view = test.view(0);
    test.stack.range().setSelection({10 * unit, 20 * unit});
    const auto at = [&](Nanoseconds time) { return QPoint(static_cast<int>(std::lround(test.pixelOf(time))), 80); };
    test.drag(view, at(20 * unit), at(25 * unit));
    CHECK(std::abs(test.stack.range().selection().end - 25 * unit) < unit / 10);
    CHECK(test.stack.range().selection().begin == 10 * unit);
    test.drag(view, at(10 * unit), at(28 * unit)); // past the other edge
    CHECK(std::abs(test.stack.range().selection().begin - 25 * unit) < unit / 10);
    CHECK(std::abs(test.stack.range().selection().end - 28 * unit) < unit / 10);
    // A drag elsewhere is a new selection.
    test.drag(view, at(2 * unit), at(4 * unit));
    CHECK(std::abs(test.stack.range().selection().begin - 2 * unit) < unit / 10);
    const TimeRange before = test.stack.range().selection();
    const Nanoseconds step = test.stack.range().visible().length() / 100;
    test.press(Qt::Key_Right, Qt::ShiftModifier);
    CHECK(test.stack.range().selection() == TimeRange{before.begin, before.end + step});
    test.press(Qt::Key_Left, Qt::ControlModifier | Qt::ShiftModifier);
    CHECK(test.stack.range().selection() == TimeRange{before.begin - step, before.end + step});
    CHECK(test.stack.range().visible() == test.stack.range().trace()); // none of that panned
}

TEST_CASE("Backspace and Alt with arrows walk through where the view was", "[viz][interact]")
{
    test::TestWindow test;
    RangeController& range = test.window.stack().range();
    TimelineView& view = *test.window.stack().views()[0];
    const TimeRange all = range.visible();
    for (int i = 0; i < 5; ++i)
        QTest::keyClick(&view, Qt::Key_W); // one burst, one place
    const TimeRange near = range.visible();
    range.settle();
    range.setVisible({near.begin, near.begin + near.length() / 4});
    const TimeRange nearer = range.visible();
    QTest::keyClick(&view, Qt::Key_Backspace);
    CHECK(range.visible() == near);
    QTest::keyClick(&view, Qt::Key_Backspace);
    CHECK(range.visible() == all);
    QTest::keyClick(&view, Qt::Key_Backspace); // nothing before that
    CHECK(range.visible() == all);
    QTest::keyClick(&test.window, Qt::Key_Right, Qt::AltModifier);
    QTest::keyClick(&test.window, Qt::Key_Right, Qt::AltModifier);
    CHECK(range.visible() == nearer);
    QTest::keyClick(&test.window, Qt::Key_Left, Qt::AltModifier);
    CHECK(range.visible() == near);
    // Going elsewhere from here forgets what came after.
    range.setVisible({0, 1'000'000});
    range.settle();
    range.forward();
    CHECK(range.visible() == TimeRange{0, 1'000'000});
}

TEST_CASE("Esc closes the search, then clears outlines, selection, pick and mark", "[viz][interact]")
{
    Stack test;
    TimelineView& view = test.view(0);
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.centreOf({Pick::Kind::Bar, 1, 2}).toPoint());
    test.press(Qt::Key_M);
    test.press(Qt::Key_R);
    test.stack.showIntervals({{0, 0, LaneKind::Compute, {0, unit}}});
    test.press(Qt::Key_Slash);
    REQUIRE(test.stack.searchBar().isVisible());
    const auto state = [&] {
        return QStringLiteral("%1%2%3%4%5")
            .arg(test.stack.searchBar().isVisible())
            .arg(!test.stack.intervals().empty())
            .arg(!test.stack.range().selection().empty())
            .arg(test.stack.picked().slot >= 0)
            .arg(test.stack.mark().has_value())
            .toStdString();
    };
    for (const char* wanted : {"11111", "01111", "00111", "00011", "00001", "00000"}) {
        CHECK(state() == wanted);
        test.press(Qt::Key_Escape);
    }
}

TEST_CASE("F fits the picked task and then everything; R and Ctrl+A select", "[viz][interact]")
{
    test::TestWindow test;
    RangeController& range = test.window.stack().range();
    TimelineView& view = *test.window.stack().views()[0];
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.centreOf({Pick::Kind::Bar, 1, 2}).toPoint());
    const TimeRange task = view.rangeOf(view.picked());
    QTest::keyClick(&view, Qt::Key_F);
    CHECK(range.visible() == TimeRange{task.begin - task.length() / 2, task.end + task.length() / 2});
    QTest::keyClick(&view, Qt::Key_F);
    CHECK(range.showsAll());
    QTest::keyClick(&view, Qt::Key_R);
    CHECK(range.selection() == task);
    QTest::keyClick(&view, Qt::Key_F);
    CHECK(range.visible() == task);
    QTest::keyClick(&view, Qt::Key_A, Qt::ControlModifier);
    CHECK(range.selection() == range.trace());
    // Q hides the details and brings them back.
    CHECK(test.window.inspector().isVisible());
    QTest::keyClick(&view, Qt::Key_Q);
    CHECK_FALSE(test.window.inspector().isVisible());
    QTest::keyClick(&view, Qt::Key_Q);
    CHECK(test.window.inspector().isVisible());
}

TEST_CASE("the wheel zooms where that is set", "[viz][interact]")
{
    Stack test;
    const auto wheel = [&](Qt::KeyboardModifiers keys) {
        QWheelEvent event({500, 80}, test.view(0).mapToGlobal(QPointF(500, 80)), {}, {0, 120}, Qt::NoButton, keys,
                          Qt::NoScrollPhase, false);
        QApplication::sendEvent(&test.view(0), &event);
        return !test.stack.range().showsAll();
    };
    CHECK_FALSE(wheel({}));
    CHECK(wheel(Qt::ControlModifier));
    test.stack.range().showAll();
    test.stack.setWheelZooms(true);
    CHECK_FALSE(wheel(Qt::ControlModifier));
    CHECK(wheel({}));
}

TEST_CASE("a selected range is summed in its tab, copied and saved", "[viz][interact]")
{
    test::TestWindow test;
    Draft draft = test.window.workbench().draft();
    draft.common.model = {}; // otherwise the last stage is longer
    test.window.workbench().edit(draft, QStringLiteral("no model"));
    test.settle();
    TimelineView& view = *test.window.stack().views()[0];
    auto* panel = test.window.panels().panel<RangePanel>();
    REQUIRE(panel);
    const auto at = [&](Nanoseconds time) {
        return QPoint(
            static_cast<int>(std::lround(timeToPixel(view.layout().axis(test.window.stack().range().visible()), time))),
            80);
    };
    QTest::mousePress(&view, Qt::LeftButton, {}, at(0));
    QTest::mouseMove(&view, at(2 * unit));
    QTest::mouseMove(&view, at(4 * unit));
    QTest::mouseRelease(&view, Qt::LeftButton, {}, at(4 * unit));
    CHECK(test.window.panels().currentWidget() == panel);
    test.window.stack().range().setSelection({0, 4 * unit}); // to the nanosecond
    REQUIRE(QTest::qWaitFor([&] { return panel->ranges().size() == 2 && panel->ranges()[0].summary.end == 4 * unit; },
                            5000));
    // In A, F0…F3 of device 0, F0…F2 of 1, F0 and F1 of 2, F0 of 3: ten forwards of 1 ms in 4 × 4 ms.
    const auto cell = [](QTableWidget& table, int row, int column) {
        return table.item(row, column)->text().replace(QChar(0x00a0), QLatin1Char(' ')).toStdString();
    };
    QTableWidget& works = panel->works();
    CHECK(cell(works, 0, 0) == "A");
    CHECK(cell(works, 0, 1) == "forward");
    CHECK(cell(works, 0, 2) == "10");
    CHECK(cell(works, 0, 3) == "10.0 ms");
    CHECK(cell(works, 0, 7) == "62.5 %");
    QTableWidget& devices = panel->devices();
    REQUIRE(devices.rowCount() == 8);
    CHECK(cell(devices, 3, 1) == "Device 3");
    CHECK(cell(devices, 3, 2) == "1.00 ms");
    CHECK(cell(devices, 3, 3) == "3.00 ms");
    QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
    const QString copied = QGuiApplication::clipboard()->text().replace(QChar(0x00a0), QLatin1Char(' '));
    CHECK(copied.startsWith(QLatin1String("4.00 ms, from 0 ms to 4.00 ms")));
    CHECK(copied.contains(QLatin1String("A\tforward\t10\t10.0 ms\t1.00 ms")));
    QGuiApplication::clipboard()->clear();
    works.setFocus();
    QTest::keyClick(&works, Qt::Key_C, Qt::ControlModifier);
    CHECK_FALSE(QGuiApplication::clipboard()->text().isEmpty());
    QTemporaryDir folder;
    QString problem;
    REQUIRE(panel->saveCsv(folder.filePath(QStringLiteral("range.csv")), problem));
    QFile file(folder.filePath(QStringLiteral("range.csv")));
    REQUIRE(file.open(QIODevice::ReadOnly));
    const QString csv = QString::fromUtf8(file.readAll());
    CHECK(csv.contains(QLatin1String("A,0,4000000,forward,10,10000000,1000000,1000000,1000000,0.625\n")));
    CHECK(csv.contains(QLatin1String("\nA,3,1000000,3000000,3000000,0,")));
    CHECK_FALSE(panel->saveCsv(QStringLiteral("/nowhere/range.csv"), problem));
    CHECK(problem.contains(QLatin1String("/nowhere/range.csv can't be written")));
    // A figure opens what it was computed from.
    Q_EMIT works.cellActivated(0, 2);
    CHECK(test.window.stack().intervals().size() == 10);
    // Nothing selected: the tab says how to.
    test.window.stack().range().setSelection({});
    CHECK(panel->ranges().empty());
}

TEST_CASE("eight runs of any kind are stacked under one axis", "[viz][interact]")
{
    std::vector<RunPtr> runs;
    for (const char* recipe : {"1f1b", "gpipe", "zb-h1", "1f1b", "gpipe", "zb-h1", "1f1b", "gpipe"})
        runs.push_back(test::predicted(recipe));
    Stack test(runs);
    CHECK(test.stack.views().size() == 8);
    test.stack.setAlignment(Alignment::End);
    for (int key : {Qt::Key_W, Qt::Key_D, Qt::Key_F, Qt::Key_Period})
        test.press(key);
    for (std::size_t slot = 1; slot < 8; ++slot)
        CHECK(test.view(slot).layout().frame.width() == test.view(0).layout().frame.width());
    CHECK(test.view(7).picture().letter == "H");
}

TEST_CASE("where nothing is picked there are no arrows to go along", "[viz][interaction]")
{
    const auto pictures = picturesOf({test::predicted("1f1b")}, {});
    const FlowArrows none = flowOf(pictures[0], Pick{});
    CHECK(none.empty());
    CHECK(mainFlow(pictures[0], Pick{}, none.after) == 0);
}
