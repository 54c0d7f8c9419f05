// Runs of several steps: which one is shown, and that each is read once.

#include "core/trace/document.h"
#include "tests/viz/support.h"
#include "viz/runs/step_menu.h"

#include <QMenu>
#include <QMenuBar>
#include <QSignalSpy>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace bubblescope;
using namespace bubblescope::viz;

namespace {

constexpr int steps = 3;

/// A measured run of three steps of 1F1B on two devices; the second step is twice as slow, the third three times.
QString documentOfSteps(const QTemporaryDir& folder)
{
    Experiment experiment;
    experiment.stages = 2;
    experiment.microbatches = 2;
    experiment.cost = "F=1,B=2";
    experiment.steps = 1;
    const Plan step = plan(experiment, parseRecipe("1f1b"));
    const Timing timing = simulate(step.schedule, step.costs);
    const Schedule all = repeatSteps(step.schedule, steps);
    Timing stretched;
    stretched.start.resize(all.tasks.size());
    stretched.end.resize(all.tasks.size());
    for (std::size_t lane = 0; lane < all.lanes.size(); ++lane) {
        const Lane& once = step.schedule.lanes[lane];
        for (TaskId task = all.lanes[lane].begin; task < all.lanes[lane].end; ++task) {
            const std::uint32_t place = task - all.lanes[lane].begin;
            const auto round = static_cast<Nanoseconds>(place / once.size());
            const TaskId source(once.begin + place % once.size());
            const Nanoseconds before = timing.makespan() * round * (round + 1) / 2;
            stretched.start[task] = before + timing.start[source] * (round + 1);
            stretched.end[task] = before + timing.end[source] * (round + 1);
        }
    }
    stretched.finish = *std::max_element(stretched.end.begin(), stretched.end.end());
    experiment.steps = steps;
    RunHeader header;
    header.label = RunLabel::Measured;
    header.title = "1F1B";
    header.recipe = "1f1b";
    header.experiment = toJson(experiment).dump();
    const QString path = folder.filePath(QStringLiteral("steps.bscope"));
    Document document = Document::openOrCreate(path.toStdString());
    document.addRun(header, traceOf(all, stretched), RunOutcome());
    return path;
}

struct StepWindow : test::TestWindow {
    StepWindow()
    {
        window.activateWindow();
        (void)QTest::qWaitForWindowActive(&window);
        path = documentOfSteps(folder);
        window.openFiles({path + QStringLiteral(":1")});
        loaded = QTest::qWaitFor([this] { return run() != nullptr; }, 5000);
        settle();
    }

    RunPtr run() { return window.workbench().run(1); }

    QAction* action(const QString& text)
    {
        for (QAction* menu : window.menuBar()->actions())
            for (QAction* action : menu->menu()->actions())
                if (action->text().remove(QLatin1Char('&')) == text)
                    return action;
        return nullptr;
    }

    QTemporaryDir folder;
    QString path;
    bool loaded = false;
};

constexpr Nanoseconds ms = 1'000'000;

} // namespace

TEST_CASE("the last step is shown first; the keys go to the others", "[viz][steps]")
{
    StepWindow test;
    REQUIRE(test.loaded);
    REQUIRE(test.run()->steps == 3);
    CHECK(test.run()->step == 2);
    CHECK(test.run()->makespan() == 27 * ms); // (m + p − 1) × (F + B) = 9 ms, three times as slow
    CHECK(test.action(QStringLiteral("Previous step"))->isEnabled());
    CHECK_FALSE(test.action(QStringLiteral("Next step"))->isEnabled());
    QTest::keyClick(&test.window, Qt::Key_PageUp, Qt::ControlModifier);
    REQUIRE(QTest::qWaitFor([&] { return test.run()->step == 1; }, 5000));
    CHECK(test.run()->makespan() == 18 * ms);
    CHECK(test.window.stack().views()[0]->picture().run == test.run());
    CHECK(titleWithLabel(*test.run()).contains(QStringLiteral("step 2 of 3")));
    test.action(QStringLiteral("Previous step"))->trigger();
    REQUIRE(QTest::qWaitFor([&] { return test.run()->step == 0; }, 5000));
    CHECK(test.run()->makespan() == 9 * ms);
    CHECK_FALSE(test.action(QStringLiteral("Previous step"))->isEnabled());
}

TEST_CASE("a step that was read is shown at once, as the same view", "[viz][steps]")
{
    StepWindow test;
    REQUIRE(test.loaded);
    const RunPtr third = test.run();
    test.window.workbench().showStep(1, 0);
    CHECK(test.run() == third); // until the other is there
    REQUIRE(QTest::qWaitFor([&] { return test.run()->step == 0; }, 5000));
    const RunPtr first = test.run();
    test.window.workbench().showStep(1, 2);
    CHECK(test.run() == third);
    test.window.workbench().showStep(1, 0);
    CHECK(test.run() == first);
    test.window.workbench().showStep(1, 99); // past the end: the last
    CHECK(test.run() == third);
}

TEST_CASE("who changes their mind sees the step they asked for last", "[viz][steps]")
{
    StepWindow test;
    REQUIRE(test.loaded);
    test.window.workbench().showStep(1, 0);
    test.window.workbench().showStep(1, 1);
    REQUIRE(QTest::qWaitFor([&] { return test.run()->step == 1; }, 5000));
    QTest::qWait(200);
    CHECK(test.run()->step == 1);
}

TEST_CASE("the list's menu offers the steps of a run of several", "[viz][steps]")
{
    StepWindow test;
    REQUIRE(test.loaded);
    QMenu menu;
    addStepMenu(menu, test.window.workbench(), Workbench::draftA);
    CHECK(menu.isEmpty());
    addStepMenu(menu, test.window.workbench(), 1);
    REQUIRE(menu.actions().size() == 1);
    QMenu* offered = menu.actions().front()->menu();
    CHECK(menu.actions().front()->text() == "Step 3 of 3");
    REQUIRE(offered->actions().size() == 3);
    CHECK(offered->actions()[2]->isChecked());
    offered->actions()[1]->trigger();
    CHECK(QTest::qWaitFor([&] { return test.run()->step == 1; }, 5000));
}
