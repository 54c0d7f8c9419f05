// The replay in the window: keys, buttons, playhead, panel, projector view. The clock is the test's.

#include "tests/viz/support.h"
#include "viz/replay/replay.h"
#include "viz/replay/replay_overlay.h"
#include "viz/timeline/time_text.h"
#include "viz/window/projector.h"

#include <QAccessible>
#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMenuBar>
#include <QPushButton>
#include <QSlider>
#include <QSpinBox>
#include <QSplitter>
#include <QStatusBar>
#include <QToolBar>
#include <QToolButton>

#include <catch2/catch.hpp>

using namespace bubblescope;
using namespace bubblescope::viz;

namespace {

constexpr Nanoseconds ms = 1'000'000;
constexpr Nanoseconds second = 1'000'000'000;

struct ReplayWindow : test::TestWindow {
    ReplayWindow()
    {
        window.activateWindow();
        (void)QTest::qWaitForWindowActive(&window);
        window.replay().player().setClock([this] { return now; });
        view().setFocus();
    }

    TimelineView& view(std::size_t slot = 0) { return *window.stack().views()[slot]; }

    Replay& replay() { return window.replay(); }

    void pass(Nanoseconds time)
    {
        now += time;
        replay().player().tick();
    }

    void key(int code, Qt::KeyboardModifiers modifiers = {})
    {
        QWidget* focus = QApplication::focusWidget();
        QTest::keyClick(focus ? focus : &view(), Qt::Key(code), modifiers);
    }

    template <class Widget>
    Widget* named(const char* name)
    {
        return window.findChild<Widget*>(QLatin1String(name));
    }

    QAction* action(const QString& text)
    {
        for (QAction* menu : window.menuBar()->actions())
            for (QAction* action : menu->menu()->actions())
                if (action->text().remove(QLatin1Char('&')) == text)
                    return action;
        return nullptr;
    }

    Nanoseconds now = 0;
};

/// Share of the pixels in a column of the overlaid view that have the playhead's colour.
double playheadAt(TimelineView& view, const RangeController& range, Nanoseconds time)
{
    const QImage image = view.grab().toImage();
    const RunLayout places = view.layout();
    const int x = static_cast<int>(timeToPixel(places.axis(range.visible()), time));
    int hits = 0;
    int rows = 0;
    for (int y = static_cast<int>(places.frame.top()) + 1; y < static_cast<int>(places.frame.bottom()) - 1; ++y, ++rows)
        for (int near = x - 1; near <= x + 1; ++near)
            if (image.pixelColor(near, y) == currentTheme().cursor) {
                ++hits;
                break;
            }
    return static_cast<double>(hits) / rows;
}

} // namespace

TEST_CASE("Space plays, and the playhead is where the clock says, in every timeline", "[viz][replay]")
{
    ReplayWindow test;
    CHECK_FALSE(test.replay().bar()->isVisible());
    test.key(Qt::Key_Space);
    REQUIRE(test.replay().isOpen());
    CHECK(test.replay().bar()->isVisible());
    CHECK(test.named<QPushButton>("replay")->isChecked());
    CHECK(test.window.panels().currentWidget() == test.replay().panel());
    CHECK(test.replay().player().playing());
    test.replay().player().setSpeed(0.01);
    test.pass(2 * second);
    CHECK(test.replay().player().position() == 20 * ms);
    QTest::qWait(1);
    for (std::size_t slot = 0; slot < 2; ++slot) {
        CHECK(playheadAt(test.view(slot), test.window.stack().range(), 20 * ms) > 0.95);
        CHECK(playheadAt(test.view(slot), test.window.stack().range(), 10 * ms) < 0.05);
    }
    CHECK(test.named<QLabel>("replayTime")->text().startsWith(timeText(20 * ms)));
    test.key(Qt::Key_Space);
    CHECK_FALSE(test.replay().player().playing());
    test.pass(second);
    CHECK(test.replay().player().position() == 20 * ms);
}

TEST_CASE("the state panel moves with the replay", "[viz][replay]")
{
    ReplayWindow test;
    test.replay().open();
    ReplayStateView& state = test.replay().panel()->state();
    const auto inFlight = [&state](std::size_t slot, std::size_t device) {
        QStringList numbers;
        for (const InFlight& entry : state.picture().blocks[slot].rows[device].moment.inFlight)
            numbers << microbatchText(entry);
        return numbers.join(QLatin1Char(' ')).toStdString();
    };
    const RunPtr run = test.window.workbench().prediction(0);
    const Nanoseconds secondForward = run->trace.lanes[0].spans[1].start;
    test.replay().player().seek(secondForward);
    REQUIRE(state.picture().blocks.size() == 2);
    CHECK(inFlight(0, 0) == "0 1");
    CHECK(inFlight(0, 3).empty());
    test.replay().player().seek(secondForward - 1);
    CHECK(inFlight(0, 0) == "0");
    CHECK(state.picture().blocks[0].rows[0].moment.memory->live == 1);
}

TEST_CASE("a microbatch in flight opens the time in which it is held; a bar opens its peak", "[viz][replay]")
{
    ReplayWindow test;
    test.replay().open();
    const RunPtr run = test.window.workbench().prediction(0);
    test.replay().player().seek(run->trace.lanes[0].spans[2].start);
    ReplayStateView& state = test.replay().panel()->state();
    const StateRow row = state.picture().blocks[0].rows[0];
    REQUIRE(row.chips.size() == 3);
    QTest::mouseClick(&state, Qt::LeftButton, {}, row.chips[1].place.center().toPoint());
    REQUIRE(test.window.stack().intervals().size() == 1);
    const RunInterval held = test.window.stack().intervals().front();
    CHECK(held.slot == 0);
    CHECK(held.device == 0);
    CHECK(held.time.begin == run->trace.lanes[0].spans[1].start);
    const auto backward = std::find_if(run->trace.lanes[0].spans.begin(), run->trace.lanes[0].spans.end(),
                                       [](const Span& span) { return toText(span.task) == "0B1"; });
    CHECK(held.time.end == backward->end);
    CHECK(state.hintAt(row.chips[1].place.center()).contains(QLatin1String("activations of microbatch 1")));
    QTest::mouseClick(&state, Qt::LeftButton, {}, row.bar.center().toPoint());
    REQUIRE(test.window.stack().intervals().size() == 1);
    CHECK(test.window.stack().intervals().front().time.begin == run->memory[0].peakAt);
}

TEST_CASE("comma and period step by task while replaying, and along the lane otherwise", "[viz][replay]")
{
    ReplayWindow test;
    test.key(Qt::Key_Period);
    CHECK(test.view().picked().kind == Pick::Kind::Bar); // no replay: along the lane
    test.key(Qt::Key_Escape);
    test.replay().open();
    test.view().setFocus();
    const std::vector<ReplayRun>& runs = test.replay().panel()->state().runs();
    const Nanoseconds first = *nextStop(runs, 0, +1);
    const Nanoseconds next = *nextStop(runs, first, +1);
    test.key(Qt::Key_Period);
    CHECK(test.replay().player().position() == first);
    test.key(Qt::Key_Period);
    CHECK(test.replay().player().position() == next);
    test.key(Qt::Key_Comma);
    CHECK(test.replay().player().position() == first);
    CHECK(test.view().picked().kind == Pick::Kind::None);
    QTest::mouseClick(test.named<QToolButton>("replayForward"), Qt::LeftButton);
    CHECK(test.replay().player().position() == next);
    QTest::mouseClick(test.named<QToolButton>("replayBack"), Qt::LeftButton);
    CHECK(test.replay().player().position() == first);
    test.replay().player().play();
    test.view().setFocus();
    test.key(Qt::Key_Period);
    CHECK_FALSE(test.replay().player().playing()); // who steps wants to look
}

TEST_CASE("Space still presses the button that has the focus", "[viz][replay]")
{
    ReplayWindow test;
    test.replay().open();
    auto* loop = test.named<QCheckBox>("replayLoop");
    loop->setFocus();
    test.key(Qt::Key_Space);
    CHECK(loop->isChecked());
    CHECK(test.replay().player().loops());
    CHECK_FALSE(test.replay().player().playing());
    CHECK(test.action(QStringLiteral("Loop"))->isChecked());
    test.named<QSlider>("replayPosition")->setFocus();
    test.key(Qt::Key_Space);
    CHECK(test.replay().player().playing());
    auto* cost = test.window.findChild<QLineEdit*>(QStringLiteral("cost"));
    cost->setFocus();
    const QString before = cost->text();
    test.key(Qt::Key_Space);
    CHECK(cost->text() != before); // a space is typed
    CHECK(test.replay().player().playing());
}

TEST_CASE("the sliders seek and set the speed, the presets too", "[viz][replay]")
{
    ReplayWindow test;
    test.replay().open();
    ReplayPlayer& player = test.replay().player();
    auto* position = test.named<QSlider>("replayPosition");
    position->setFocus();
    test.key(Qt::Key_End);
    CHECK(player.position() == player.range().end);
    test.key(Qt::Key_Home);
    CHECK(player.position() == player.range().begin);
    test.key(Qt::Key_PageUp);
    CHECK(std::abs(player.position() - player.range().begin - player.range().length() / 20) <= 1);
    auto* speed = test.named<QSlider>("replaySpeed");
    speed->setFocus();
    test.key(Qt::Key_End);
    CHECK(player.speed() == Approx(1));
    test.key(Qt::Key_Home);
    CHECK(player.speed() == Approx(0.001));
    auto* presets = test.named<QComboBox>("replaySpeeds");
    CHECK(presets->currentText() == speedText(0.001));
    test.key(Qt::Key_Right);
    CHECK(player.speed() == Approx(0.001 * std::pow(1000, 1 / 60.0)));
    CHECK(presets->currentText() == speedText(player.speed()));
    presets->setFocus();
    test.key(Qt::Key_Home);
    CHECK(player.speed() == 1);
    CHECK(speed->value() == speed->maximum());
    CHECK(presets->count() == static_cast<int>(replaySpeeds().size()));
    CHECK(sliderOfSpeed(speedOfSlider(17, 60), 60) == 17);
}

TEST_CASE("later tasks are shown, dimmed or hidden", "[viz][replay]")
{
    ReplayWindow test;
    const BarList& bars = test.view().picture().rows[0].bars;
    const Pick pick{Pick::Kind::Bar, 0, static_cast<int>(bars.solid()) - 1};
    const Bar late = bars[bars.solid() - 1];
    const QPoint place = test.view().centreOf(pick).toPoint() + QPoint(0, 9); // below the letter
    const auto colour = [&] { return test.view().grab().toImage().pixelColor(place); };
    const QColor full = colour();
    REQUIRE(full == currentTheme().of(late.work));
    test.replay().open();
    const QColor dimmed = colour();
    CHECK(dimmed != full);
    CHECK(dimmed != currentTheme().canvas);
    test.action(QStringLiteral("Later tasks hidden"))->trigger();
    CHECK(test.named<QComboBox>("replayUpcoming")->currentText() == "hidden");
    CHECK(colour() == currentTheme().canvas);
    test.named<QComboBox>("replayUpcoming")->setCurrentIndex(0);
    CHECK(test.action(QStringLiteral("Later tasks shown"))->isChecked());
    CHECK(colour() == full);
    test.named<QComboBox>("replayUpcoming")->setCurrentIndex(2);
    test.replay().player().seek(late.start); // it has begun: it is seen whole
    CHECK(colour() == full);
    test.replay().close();
    CHECK(test.view().findChild<ReplayOverlay*>() == nullptr);
    CHECK(colour() == full);
}

TEST_CASE("zoomed in, the visible range goes with the playhead", "[viz][replay]")
{
    ReplayWindow test;
    RangeController& range = test.window.stack().range();
    range.setVisible({0, 5 * ms});
    test.replay().open();
    test.replay().player().setSpeed(0.01);
    test.replay().player().play();
    test.pass(second / 10);
    CHECK(range.visible() == TimeRange{0, 5 * ms}); // room enough
    test.pass(second);
    CHECK(range.visible().length() == 5 * ms);
    CHECK(range.visible().begin == 11 * ms - 4 * ms); // at four fifths
    test.replay().player().seek(2 * ms);
    CHECK(range.visible().begin == 1 * ms); // at one fifth
    test.named<QCheckBox>("replayFollow")->click();
    test.replay().player().seek(20 * ms);
    CHECK(range.visible().begin == 1 * ms);
    range.showAll();
    test.named<QCheckBox>("replayFollow")->click();
    test.replay().player().seek(30 * ms);
    CHECK(range.showsAll());
}

TEST_CASE("an edit while replaying keeps the place; closing gives everything back", "[viz][replay]")
{
    ReplayWindow test;
    const int tab = test.window.panels().currentIndex();
    test.named<QPushButton>("replay")->click();
    REQUIRE(test.replay().isOpen());
    test.replay().player().seek(9 * ms);
    Draft draft = test.window.workbench().draft();
    draft.common.microbatches = 12;
    test.window.workbench().edit(draft, QStringLiteral("more"));
    test.settle();
    CHECK(test.replay().player().position() == 9 * ms);
    CHECK(test.replay().player().range().end == std::max(test.makespan(0), test.makespan(1)));
    CHECK(test.view().findChild<ReplayOverlay*>());
    test.named<QPushButton>("replayClose")->click();
    CHECK_FALSE(test.replay().isOpen());
    CHECK_FALSE(test.named<QPushButton>("replay")->isChecked());
    CHECK_FALSE(test.replay().bar()->isVisible());
    CHECK(test.window.panels().currentIndex() == tab);
    CHECK_FALSE(test.action(QStringLiteral("Step forward"))->isEnabled());
}

TEST_CASE("a run that disappears ends its replay", "[viz][replay]")
{
    ReplayWindow test;
    test.replay().togglePlaying();
    Draft draft = test.window.workbench().draft();
    draft.common.cost = "F=";
    test.window.workbench().edit(draft, QStringLiteral("broken"));
    test.settle();
    CHECK_FALSE(test.replay().isOpen());
    CHECK_FALSE(test.replay().player().playing());
}

TEST_CASE("aligned runs are replayed by the time of the axis", "[viz][replay]")
{
    ReplayWindow test;
    TimelineStack& stack = test.window.stack();
    test.replay().open();
    test.replay().player().seek(20 * ms);
    stack.setAlignment(Alignment::End);
    const Nanoseconds offset = stack.offset(1);
    REQUIRE(offset != 0);
    const IdleReport& idleOfA = stack.runs()[0]->idle;
    const IdleReport& idleOfB = stack.runs()[1]->idle;
    CHECK(test.replay().player().range().begin == std::min(idleOfA.begin, idleOfB.begin + offset));
    CHECK(test.replay().player().range().end == std::max(idleOfA.end, idleOfB.end + offset));
    CHECK(test.replay().player().position() == 20 * ms);
    QTest::qWait(1);
    for (std::size_t slot = 0; slot < 2; ++slot)
        CHECK(playheadAt(test.view(slot), stack.range(), 20 * ms) > 0.9);
    const ReplayStateView& state = test.replay().panel()->state();
    REQUIRE(state.runs().size() == 2);
    CHECK(state.runs()[1].offset() == offset);
    const DeviceMoment own = ReplayRun(stack.runs()[1]).at(0, 20 * ms - offset);
    const DeviceMoment shown = state.picture().blocks[1].rows[0].moment;
    REQUIRE(shown.running.size() == own.running.size());
    for (std::size_t i = 0; i < own.running.size(); ++i)
        CHECK(shown.running[i].start == own.running[i].start);
    CHECK(shown.inFlight == own.inFlight);
    stack.setAlignment(Alignment::Time);
    CHECK(state.runs()[1].offset() == 0);
}

TEST_CASE("nobody sees a hidden window, so it stands still", "[viz][replay]")
{
    ReplayWindow test;
    test.replay().togglePlaying();
    test.replay().player().setSpeed(0.01);
    test.pass(second / 2);
    test.window.hide();
    test.pass(50 * second);
    CHECK(test.replay().player().position() == 5 * ms);
    test.window.show();
    test.pass(second / 2);
    CHECK(test.replay().player().position() == 10 * ms);
}

TEST_CASE("the timer of the replay really plays", "[viz][replay]")
{
    test::TestWindow test;
    test.window.replay().togglePlaying();
    test.window.replay().player().setSpeed(1);
    CHECK(QTest::qWaitFor(
        [&] { return test.window.replay().player().position() == test.window.replay().player().range().end; }, 10'000));
    CHECK_FALSE(test.window.replay().player().playing());
}

TEST_CASE("a large run is made ready in the background", "[viz][replay]")
{
    ReplayStateView view;
    view.resize(900, 300);
    view.show();
    view.setTime(20 * ms);
    view.setRuns({test::predicted("1f1b", 32, 1024)});
    CHECK(view.preparing());
    CHECK(view.picture().blocks.empty());
    REQUIRE(QTest::qWaitFor([&] { return !view.preparing(); }, 20'000));
    REQUIRE(view.picture().blocks.size() == 1);
    CHECK(view.picture().blocks[0].rows[0].moment.inFlight.size() == 21);
    view.setRuns({test::predicted("1f1b", 32, 1024)});
    const std::vector<RunPtr> little{test::predicted("1f1b")};
    view.setRuns(little); // before the large one is ready
    CHECK_FALSE(view.preparing());
    QTest::qWait(300);
    CHECK(view.runs().front().run() == little.front());
}

TEST_CASE("nothing in the bar is cut off, however narrow or large", "[viz][replay]")
{
    applyTheme(ThemeMode::Light);
    ReplayPlayer player;
    player.setRange({0, 33 * ms});
    ReplayBar bar(player);
    bar.show();
    QFont large = bar.font();
    large.setPointSizeF(large.pointSizeF() * 1.6);
    for (const int width : {1400, 900, 640}) {
        bar.resize(width, bar.sizeHint().height());
        QTest::qWait(10);
        for (QWidget* widget : bar.findChildren<QWidget*>()) {
            if (widget->window() != &bar)
                continue; // the list of a combo box is a window of its own
            CAPTURE(width, widget->objectName().toStdString());
            const QRect place(widget->mapTo(&bar, QPoint()), widget->size());
            CHECK(bar.rect().contains(place));
            if (qobject_cast<QAbstractButton*>(widget) || qobject_cast<QComboBox*>(widget) ||
                qobject_cast<QLabel*>(widget))
                CHECK(widget->width() >= widget->sizeHint().width());
        }
        bar.setFont(large); // the next width with larger type
    }
}

TEST_CASE("every control of the replay has a name that can be read out", "[viz][replay]")
{
    ReplayWindow test;
    test.replay().open();
    int controls = 0;
    const auto widgets = test.replay().bar()->findChildren<QWidget*>();
    for (QWidget* widget : widgets) {
        if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible())
            continue;
        auto* access = QAccessible::queryAccessibleInterface(widget);
        CAPTURE(widget->objectName().toStdString());
        CHECK((access && !access->text(QAccessible::Name).isEmpty()));
        ++controls;
    }
    CHECK(controls >= 12);
    test.replay().player().seek(1);
    CHECK(QTest::qWaitFor(
        [&] { return test.replay().panel()->state().accessibleDescription().contains(QLatin1String("in flight: 0")); },
        2000));
}

TEST_CASE("the projector view shows little and large, and gives everything back", "[viz][replay]")
{
    applyTheme(ThemeMode::Light); // with its style sheet, as in the program
    ReplayWindow test;
    test.replay().open();
    const QSize size = test.window.size();
    const double type = QApplication::font().pointSizeF();
    const auto share = [&] { return static_cast<double>(test.view().width()) / test.window.width(); };
    CHECK(share() < 0.7);
    const QList<int> sizes = test.window.findChild<QSplitter*>()->sizes();
    const auto shown = [&] {
        return std::vector<bool>{test.window.form().isVisible(),         test.window.inspector().isVisible(),
                                 test.window.partitionBar().isVisible(), test.window.panels().isVisible(),
                                 test.window.statusBar()->isVisible(),   test.named<QToolBar>("tools")->isVisible()};
    };
    test.window.partitionBar().hide(); // by the person, before
    const std::vector<bool> before = shown();
    test.key(Qt::Key_F11);
    CHECK(test.window.projector().isOn());
    QTest::qWait(20);
    CHECK(shown() == std::vector<bool>(6, false));
    CHECK(test.view().isVisible());
    CHECK(test.replay().bar()->isVisible());
    CHECK(share() > 0.95);
    CHECK(test.view().font().pointSizeF() == Approx(type * 1.6));
    CHECK(test.window.isFullScreen());
    test.key(Qt::Key_Space); // keys go on working
    CHECK(test.replay().player().playing());
    test.named<QPushButton>("leaveProjector")->click();
    QTest::qWait(20);
    CHECK_FALSE(test.window.projector().isOn());
    CHECK(shown() == before);
    CHECK(QApplication::font().pointSizeF() == Approx(type));
    CHECK_FALSE(test.window.isFullScreen());
    CHECK(test.window.size() == size);
    CHECK(test.window.findChild<QSplitter*>()->sizes() == sizes);
    test.key(Qt::Key_F11, Qt::ShiftModifier);
    CHECK(test.window.projector().isOn());
    test.window.close(); // what is remembered is the ordinary layout
    CHECK_FALSE(test.window.projector().isOn());
    CHECK(QApplication::font().pointSizeF() == Approx(type));
}
