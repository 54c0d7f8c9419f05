// What if, suggestions, partition: real events on the window, figures against core and closed forms.

#include "core/analyze/why.h"
#include "tests/viz/support.h"
#include "viz/edit/slider_field.h"
#include "viz/inspector/suggestion_list.h"
#include "viz/timeline/time_text.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QLabel>
#include <QPushButton>
#include <QSlider>
#include <QStyleOptionSlider>
#include <QToolButton>

#include <catch2/catch.hpp>

using namespace bubblescope;
using namespace bubblescope::viz;
using Layers = std::vector<int>;

namespace {

/// Four devices, F=1 and B=2, without a model: the textbook's 1F1B beside ZB-H1.
void makeTextbook(test::TestWindow& test)
{
    Draft draft = test.window.workbench().draft();
    draft.common.model = {};
    test.window.workbench().edit(draft, QStringLiteral("textbook"));
    test.settle();
}

QPoint handleOf(QSlider& slider)
{
    QStyleOptionSlider option;
    option.initFrom(&slider);
    option.orientation = Qt::Horizontal;
    option.minimum = slider.minimum();
    option.maximum = slider.maximum();
    option.sliderPosition = slider.sliderPosition();
    option.sliderValue = slider.value();
    return slider.style()->subControlRect(QStyle::CC_Slider, &option, QStyle::SC_SliderHandle, &slider).center();
}

Nanoseconds predictedAgain(const Draft& draft, int slot)
{
    const Plan made = plan(draft.experimentFor(slot), draft.schedule[static_cast<std::size_t>(slot)]);
    return simulate(made.schedule, made.costs).makespan();
}

void pickLongestGap(test::TestWindow& test, int slot, int row)
{
    TimelineView& view = *test.window.stack().views()[static_cast<std::size_t>(slot)];
    const TimelineRow& there = view.picture().rows[static_cast<std::size_t>(row)];
    int longest = 0;
    for (std::size_t i = 0; i < there.gaps.size(); ++i)
        if (there.gaps[i].end - there.gaps[i].start >
            there.gaps[static_cast<std::size_t>(longest)].end - there.gaps[static_cast<std::size_t>(longest)].start)
            longest = static_cast<int>(i);
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.centreOf({Pick::Kind::Gap, row, longest}).toPoint());
}

void waitForSuggestions(test::TestWindow& test)
{
    REQUIRE(QTest::qWaitFor([&] { return !test.window.explainer().working(); }, 20'000));
}

/// The value label of a row of the inspector.
QLabel* valueOf(test::TestWindow& test, const QString& name)
{
    for (auto* label : test.window.inspector().findChildren<QLabel*>())
        if (label->accessibleName().startsWith(name + QStringLiteral(":")))
            return label;
    return nullptr;
}

} // namespace

TEST_CASE("a slider's way stands for a quantity and back", "[viz][edit]")
{
    const SliderScale log{SliderScale::Kind::Logarithmic, 1, 1024, 0};
    CHECK(log.valueAt(0) == 1);
    CHECK(log.valueAt(500) == 32);
    CHECK(log.valueAt(1000) == 1024);
    CHECK(log.positionOf(32) == 500);
    CHECK(log.positionOf(5000) == 1000);
    const SliderScale cubic{SliderScale::Kind::Cubic, 0, 8, 3};
    CHECK(cubic.valueAt(0) == 0);
    CHECK(cubic.valueAt(500) == 1);
    CHECK(cubic.positionOf(1) == 500);
    const SliderScale link{SliderScale::Kind::Logarithmic, 1, 100, 2, true};
    CHECK(link.valueAt(1000) == 0); // no limit
    CHECK(link.positionOf(0) == 1000);
    CHECK(link.positionOf(100) == 999);
    CHECK(link.valueAt(500) == 10);
}

TEST_CASE("dragging the microbatches' slider predicts while the button is down and is one step of undo", "[viz][edit]")
{
    test::TestWindow test;
    makeTextbook(test);
    const int steps = test.window.workbench().undoStack().count();
    SliderField& field = test.window.whatIf().microbatches();
    QSlider& slider = field.slider();
    const QPoint from = handleOf(slider);
    QTest::mousePress(&slider, Qt::LeftButton, {}, from);
    for (int x = 4; x <= 40; x += 4)
        QTest::mouseMove(&slider, from + QPoint(x, 0));
    test.settle();
    const int microbatches = test.window.workbench().draft().common.microbatches;
    CHECK(microbatches > 8);
    CHECK(test.makespan(0) == (microbatches + 3) * 3 * unit); // 1F1B: (m + p − 1) × (F + B)
    CHECK(field.box().value() == microbatches);
    CHECK(test.window.workbench().undoStack().count() == steps + 1);
    QTest::mouseRelease(&slider, Qt::LeftButton, {}, from + QPoint(40, 0));
    QTest::keyClick(&slider, Qt::Key_Right);
    CHECK(test.window.workbench().undoStack().count() == steps + 2); // the next gesture is another step
    test.window.workbench().undoStack().undo();
    test.window.workbench().undoStack().undo();
    test.settle();
    CHECK(test.makespan(0) == 33 * unit);
    CHECK(field.box().value() == 8);
}

TEST_CASE("numbers are typed beside the sliders", "[viz][edit]")
{
    test::TestWindow test;
    makeTextbook(test);
    const int steps = test.window.workbench().undoStack().count();
    const auto type = [](SliderField& field, const QString& text) {
        field.box().setFocus();
        field.box().selectAll();
        QTest::keyClicks(&field.box(), text);
        QTest::keyClick(&field.box(), Qt::Key_Return);
    };
    type(test.window.whatIf().microbatches(), QStringLiteral("24"));
    CHECK(test.window.workbench().undoStack().count() == steps + 1);
    type(test.window.whatIf().latency(), QStringLiteral("0.5"));
    test.settle();
    CHECK(test.window.workbench().draft().common.microbatches == 24);
    CHECK(test.window.workbench().draft().common.comm == 0.5);
    CHECK(test.makespan(0) == predictedAgain(test.window.workbench().draft(), 0));
    QComboBox& stage = test.window.whatIf().speedStage();
    stage.setCurrentIndex(2);
    type(test.window.whatIf().speed(), QStringLiteral("0.5"));
    test.settle();
    CHECK(test.window.workbench().draft().common.stageSpeed == std::vector<double>{1, 1, 0.5, 1});
    // The slow stage works 24 × 6 ms; before and after it the pipeline fills and drains.
    CHECK(test.makespan(0) >= 24 * 6 * unit + 6 * unit);
    QTest::mouseClick(&test.window.whatIf().recompute(), Qt::LeftButton, {}, QPoint(8, 8));
    test.settle();
    CHECK(test.window.workbench().draft().common.recompute);
    CHECK(test.makespan(0) == predictedAgain(test.window.workbench().draft(), 0));
    test.window.workbench().undoStack().setIndex(steps);
    test.settle();
    CHECK(test.makespan(0) == 33 * unit);
    CHECK_FALSE(test.window.whatIf().recompute().isChecked());
}

TEST_CASE("a slider stops at microbatches that both schedules can be built with; typing doesn't", "[viz][edit]")
{
    test::TestWindow test;
    Draft draft = test.window.workbench().draft();
    draft.setSchedule(1, parseRecipe("interleaved-1f1b"), 0);
    CHECK(nearestBuildable(draft, 8) == 8);
    CHECK(nearestBuildable(draft, 7) == 8);
    CHECK(nearestBuildable(draft, 9) == 8);
    CHECK(nearestBuildable(draft, 1) == 4);
}

TEST_CASE("a slow part of the model is slow in both schedules", "[viz][edit]")
{
    Draft draft = firstDraft();
    draft.setSchedule(1, parseRecipe("interleaved-1f1b"), 0);
    draft.common.stageSpeed = {1, 1, 1, 0.5};
    CHECK(draft.experimentFor(0).stageSpeed == std::vector<double>{1, 1, 1, 0.5});
    CHECK(draft.experimentFor(1).stageSpeed == std::vector<double>{1, 1, 1, 1, 1, 1, 0.5, 0.5});
}

TEST_CASE("schedules with several chunks are set against the same model", "[viz][edit]")
{
    test::TestWindow test;
    makeTextbook(test);
    Workbench& workbench = test.window.workbench();
    Draft draft = workbench.draft();
    draft.setSchedule(1, parseRecipe("interleaved-1f1b"), 2);
    workbench.edit(draft, QStringLiteral("interleave"));
    test.settle();
    // m (F + B) + (p - 1) (F + B) / v against m (F + B) + (p - 1) (F + B).
    CHECK(workbench.prediction(0)->makespan() == 33'000'000);
    CHECK(workbench.prediction(1)->makespan() == 28'500'000);
    auto* costOf = test.window.findChild<QComboBox*>(QStringLiteral("costOf"));
    REQUIRE(costOf);
    costOf->setFocus();
    QTest::keyClick(costOf, Qt::Key_Down);
    test.settle();
    CHECK(workbench.draft().common.costOf == CostOf::EachStage);
    CHECK(workbench.prediction(0)->makespan() == 33'000'000);
    CHECK(workbench.prediction(1)->makespan() == 57'000'000);
    workbench.undoStack().undo();
    test.settle();
    CHECK(workbench.prediction(1)->makespan() == 28'500'000);
    CHECK(costOf->currentIndex() == 0);
}

TEST_CASE("a stored run with one stage a device compares with schedules that have more", "[viz][edit]")
{
    Experiment stored;
    stored.cost = "F=1,B=2";
    CHECK(draftOf(stored, "1f1b", "zb-h1").common.costOf == CostOf::DeviceShare);
    stored.chunks = 2; // its costs are of smaller stages already
    CHECK(draftOf(stored, "interleaved-1f1b", "").common.costOf == CostOf::EachStage);
}

TEST_CASE("times come first, causes follow, and the latest edit wins", "[viz][edit]")
{
    test::TestWindow test;
    makeTextbook(test);
    Workbench& workbench = test.window.workbench();
    std::vector<bool> pending;
    QObject::connect(&workbench, &Workbench::predictionsChanged, &workbench,
                     [&] { pending.push_back(workbench.prediction(0)->pending); });
    for (int microbatches = 9; microbatches <= 40; ++microbatches) {
        Draft draft = workbench.draft();
        draft.common.microbatches = microbatches;
        workbench.edit(draft, QStringLiteral("more"), 77);
        CHECK(workbench.predicting());
        QTest::qWait(1);
    }
    test.settle();
    REQUIRE(pending.size() >= 2);
    CHECK(pending.front());
    CHECK_FALSE(pending.back());
    CHECK(test.makespan(0) == 43 * 3 * unit);
    CHECK(workbench.prediction(0)->explained());
    CHECK(workbench.prediction(0)->experiment.microbatches == 40);
}

TEST_CASE("Apply does what the suggestion says, by as much, and is one step of undo", "[viz][edit]")
{
    test::TestWindow test;
    for (const int slot : {0, 1}) {
        Draft draft = test.window.workbench().draft();
        draft.common.model.headCost = 3;
        draft.common.partition = {6, 6, 6, 6};
        test.window.workbench().edit(draft, QStringLiteral("a heavy head"));
        test.settle();
        pickLongestGap(test, slot, 0);
        waitForSuggestions(test);
        SuggestionList& list = test.window.inspector().suggestions();
        const std::size_t count = list.shown().size();
        REQUIRE(count >= 2);
        CHECK(count <= 3);
        for (std::size_t i = 0; i < count; ++i) {
            const Nanoseconds before = test.makespan(slot);
            const Suggestion chosen = list.shown()[i];
            CAPTURE(slot, chosen.change);
            CHECK(list.text().contains(QString::fromStdString(chosen.change)));
            auto* apply = list.findChild<QPushButton*>(QStringLiteral("apply%1").arg(i));
            REQUIRE(apply != nullptr);
            const int steps = test.window.workbench().undoStack().index();
            QTest::mouseClick(apply, Qt::LeftButton);
            test.settle();
            CHECK(test.window.workbench().undoStack().index() == steps + 1);
            CHECK(test.makespan(slot) == chosen.after.makespan);
            const RunPtr run = test.window.workbench().prediction(slot);
            CHECK(run->bubbleRate() == Approx(chosen.after.bubbleRate).margin(1e-12));
            const double per = static_cast<double>(run->makespan()) / run->experiment.microbatches;
            CHECK(per < static_cast<double>(before) / draft.common.microbatches);
            test.window.workbench().undoStack().undo();
            test.settle();
            CHECK(test.makespan(slot) == before);
            waitForSuggestions(test);
            if (test.window.stack().picked().slot < 0)
                pickLongestGap(test, slot, 0);
            waitForSuggestions(test);
            REQUIRE(list.shown().size() == count);
        }
        test.window.workbench().undoStack().setIndex(0);
        test.settle();
    }
}

TEST_CASE("suggestions of a pick end with the pick", "[viz][edit]")
{
    test::TestWindow test;
    pickLongestGap(test, 0, 0);
    CHECK(test.window.explainer().working());
    QTest::keyClick(test.window.stack().views()[0], Qt::Key_Escape);
    CHECK_FALSE(test.window.explainer().working());
    QTest::qWait(300);
    CHECK(test.window.inspector().suggestions().shown().empty());
    CHECK_FALSE(test.window.inspector().suggestions().isVisible());
}

TEST_CASE("figures of the inspector open the intervals that they come from", "[viz][edit]")
{
    test::TestWindow test;
    pickLongestGap(test, 0, 0);
    QTest::qWait(30);
    const StackPick picked = test.window.stack().picked();
    REQUIRE(picked.slot == 0);
    const TimelineRow& row = test.window.stack().views()[0]->picture().rows[0];
    const GapBar gap = row.gaps[static_cast<std::size_t>(picked.pick.index)];
    QLabel* cause = valueOf(test, QStringLiteral("Cause"));
    REQUIRE(cause != nullptr);
    QTest::mouseClick(cause, Qt::LeftButton, {}, QPoint(6, cause->fontMetrics().height() / 2));
    REQUIRE(test.window.stack().intervals().size() == 1);
    CHECK(test.window.stack().intervals()[0].slot == 0);
    CHECK(test.window.stack().intervals()[0].device == 0);
    CHECK(test.window.stack().intervals()[0].time == TimeRange{gap.start, gap.end});
    QLabel* late = valueOf(test, QStringLiteral("Who is late"));
    REQUIRE(late != nullptr);
    QTest::mouseClick(late, Qt::LeftButton, {}, QPoint(6, late->fontMetrics().height() / 2));
    Nanoseconds sum = 0;
    for (const RunInterval& interval : test.window.stack().intervals())
        sum += interval.time.length();
    const RunPtr run = test.window.workbench().prediction(0);
    const Costs costs = costsOfRun(*run);
    const Why reason = why(run->plan->schedule, WaitGraph(run->plan->schedule, costs, run->timing), run->slack,
                           run->idle.gaps[gap.gap]);
    CHECK(sum == reason.lateTime);
}

TEST_CASE("a task's start is explained step by step, and the chain can be followed by clicking", "[viz][edit]")
{
    test::TestWindow test;
    makeTextbook(test);
    TimelineView& view = *test.window.stack().views()[0];
    // 2F1 of 1F1B: device 2's lane is free at 3, 1F1 has ended at 3.
    const Pick pick{Pick::Kind::Bar, 2, 1};
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.centreOf(pick).toPoint());
    QTest::qWait(30); // the rows are laid out
    const QString text = test.window.inspector().text();
    CAPTURE(text.toStdString());
    CHECK(text.contains(QStringLiteral("the lane is free, 2F0 has ended")));
    CHECK(text.contains(QStringLiteral("the result of 1F1 arrives from Device 1")));
    CHECK(text.contains(QStringLiteral("► ")));
    CHECK(text.contains(QStringLiteral("Start = the latest of them = 3.00")));
    QLabel* waited = valueOf(test, QStringLiteral("Waited for"));
    REQUIRE(waited != nullptr);
    QTest::mouseClick(waited, Qt::LeftButton, {}, QPoint(6, waited->fontMetrics().height() / 2));
    QTest::qWait(10);
    CHECK(test.window.inspector().text().contains(QStringLiteral("· 2F0"))); // a tie: the lane counts first
}

TEST_CASE("every algorithm shows what is predicted before it is chosen", "[viz][edit]")
{
    test::TestWindow test;
    Draft draft = test.window.workbench().draft();
    draft.common.model.headCost = 4;
    draft.common.partition = {3, 9, 6, 6};
    test.window.workbench().edit(draft, QStringLiteral("uneven"));
    test.settle();
    PartitionControl& control = test.window.partitionControl();
    control.menu().popup(QPoint(0, 0));
    REQUIRE(QTest::qWaitFor([&] { return !control.working(); }, 10'000));
    REQUIRE(control.menu().actions().size() == 4);
    QAction* balanced = nullptr;
    for (QAction* action : control.menu().actions()) {
        CHECK(action->text().contains(QStringLiteral("bubble")));
        CHECK_FALSE(action->isChecked());
        if (action->objectName() == QLatin1String("balanced"))
            balanced = action;
    }
    REQUIRE(balanced != nullptr);
    draft.common.partition = balancedPartition(draft.layerCosts(), 4);
    CHECK(balanced->text().contains(timeText(predictedAgain(draft, 0))));
    balanced->trigger();
    control.menu().hide();
    test.settle();
    CHECK(test.window.partitionBar().partition() == draft.common.partition);
    CHECK(test.makespan(0) == predictedAgain(draft, 0));
    test.window.workbench().undoStack().undo();
    CHECK(test.window.partitionBar().partition() == Layers{3, 9, 6, 6});
}

TEST_CASE("B's partition is edited on its own where it has another number of stages", "[viz][edit]")
{
    test::TestWindow test;
    PartitionBar& bar = test.window.partitionBar();
    CHECK_FALSE(bar.choice(1).isVisible()); // 1F1B and ZB-H1 share theirs
    Draft draft = test.window.workbench().draft();
    draft.setSchedule(1, parseRecipe("zb-v"), 0);
    test.window.workbench().edit(draft, QStringLiteral("a V"));
    test.settle();
    CHECK(bar.placement() == StagePlacement::OneToOne);
    REQUIRE(bar.choice(1).isVisible());
    QTest::mouseClick(&bar.choice(1), Qt::LeftButton);
    CHECK(bar.partition() == Layers(8, 3));
    CHECK(bar.placement() == StagePlacement::V);
    const Nanoseconds ofA = test.makespan(0);
    bar.setFocus();
    QTest::keyClick(&bar, Qt::Key_Right);
    test.settle();
    CHECK(bar.partition() == Layers{4, 2, 3, 3, 3, 3, 3, 3});
    CHECK(test.window.workbench().draft().partition(0) == Layers(4, 6));
    CHECK(test.makespan(0) == ofA);
    CHECK(test.window.workbench().prediction(1)->plan->partition == Layers{4, 2, 3, 3, 3, 3, 3, 3});
    QTest::mouseClick(&bar.choice(0), Qt::LeftButton);
    CHECK(bar.partition() == Layers(4, 6));
}

TEST_CASE("placements have names", "[viz][edit]")
{
    CHECK(placementOf({{0}, {1}, {2}}) == StagePlacement::OneToOne);
    CHECK(placementOf({{0}, {1}, {0}, {1}}) == StagePlacement::Looped);
    CHECK(placementOf({{0}, {1}, {1}, {0}}) == StagePlacement::V);
    CHECK(placementOf({{0}, {1}, {1}, {0}, {0}, {1}, {1}, {0}}) == StagePlacement::Wave);
    CHECK(placementOf({{0, 1}, {1, 0}}) == StagePlacement::Bidirectional);
    CHECK(placementOf({{1}, {0}}) == StagePlacement::Custom);
}
