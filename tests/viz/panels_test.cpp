// The tabs that compute in the background, and those that list runs and figures.

#include "core/analyze/bubble.h"
#include "tests/viz/panel_window.h"
#include "viz/charts/theory_model.h"
#include "viz/panels/figure_table.h"
#include "viz/panels/job_bar.h"
#include "viz/panels/kernel_panel.h"
#include "viz/panels/link_panel.h"
#include "viz/panels/pareto_panel.h"
#include "viz/panels/runs_panel.h"
#include "viz/panels/sweep_panel.h"
#include "viz/panels/theory_panel.h"
#include "viz/runs/run_table.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QHeaderView>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QToolButton>

#include <catch2/catch.hpp>

#include <thread>

using namespace bubblescope;
using namespace bubblescope::viz;

namespace {

constexpr Nanoseconds ms = 1'000'000;

QString plain(QString text)
{
    return text.replace(QChar(0x00a0), QLatin1Char(' '));
}

using test::PanelWindow;

} // namespace

TEST_CASE("work in the background: the latest order wins, and cancelled work says nothing", "[viz][panels]")
{
    BackgroundJob job;
    QSignalSpy finished(&job, &BackgroundJob::finished);
    std::vector<int> arrived;
    const auto keep = [&](int value) { arrived.push_back(value); };
    const auto slow = [](const Progress& progress) {
        while (true) {
            progress.check();
            progress.report(0.5, "waiting");
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return 1;
    };
    job.start(slow, keep);
    QSignalSpy progress(&job, &BackgroundJob::progress);
    CHECK(progress.wait(5000));
    job.start([](const Progress&) { return 2; }, keep);
    CHECK(QTest::qWaitFor([&] { return !job.running(); }, 5000));
    CHECK(arrived == std::vector<int>{2});
    job.start(slow, keep);
    job.cancel();
    CHECK_FALSE(job.running());
    job.start([](const Progress&) -> int { throw Error("There is nothing to sweep."); }, keep);
    CHECK(QTest::qWaitFor([&] { return !job.running(); }, 5000));
    CHECK(finished.back().front().toString() == "There is nothing to sweep.");
    CHECK(arrived == std::vector<int>{2});
    { // a job that goes while its work runs
        BackgroundJob gone;
        gone.start(slow, keep);
    }
    QTest::qWait(20);
    CHECK(arrived == std::vector<int>{2});
}

TEST_CASE("progress of a panel can be cancelled by its button", "[viz][panels]")
{
    BackgroundJob job;
    JobBar bar(job);
    bar.show();
    auto* cancel = bar.findChild<QPushButton*>(QStringLiteral("cancelJob"));
    CHECK_FALSE(cancel->isVisible());
    job.start(
        [](const Progress& progress) {
            while (true)
                progress.check();
            return 0;
        },
        [](int) {});
    CHECK(cancel->isVisible());
    QTest::mouseClick(cancel, Qt::LeftButton);
    CHECK_FALSE(job.running());
    CHECK_FALSE(cancel->isVisible());
}

TEST_CASE("the sweep follows the textbook and a point becomes the draft", "[viz][panels]")
{
    PanelWindow<SweepPanel> test;
    test.finish();
    SweepChart& chart = test.panel().bubbleChart();
    REQUIRE(chart.lines().size() == 2); // A and B
    const std::vector<SweepPoint>& points = chart.lines()[0].points;
    REQUIRE(points.size() == 16); // 1 to 16
    for (const SweepPoint& point : points)
        CHECK(point.bubbleRate ==
              Approx(textbookBubble(4, static_cast<int>(point.value), 1, BubbleDefinition::IdleOverTotal)));
    CHECK(chart.graphCount() == 4); // two lines, a closed form of each
    std::size_t twelve = 0;
    while (chart.points()[twelve].line != 0 || points[chart.points()[twelve].point].value != 12)
        ++twelve;
    const QPointF place = chart.marks()[twelve];
    CHECK(plain(chart.hintAt(place)).contains(QString::fromUtf8("1F1B · Microbatches 12\nbubble rate 20.0 %")));
    QTest::mouseClick(&chart, Qt::LeftButton, {}, place.toPoint());
    test.finish();
    CHECK(test.window.workbench().draft().common.microbatches == 12);
    CHECK(test.makespan(0) == 45 * ms); // (12 + 3) × 3
    test.window.workbench().undoStack().undo();
    CHECK(test.window.workbench().draft().common.microbatches == 8);
    const QString csv = toCsv(chart.table());
    CHECK(csv.contains(QStringLiteral("\n1f1b,12,0.2,")));
    CHECK(csv.startsWith(QStringLiteral("schedule,microbatches,bubble_rate,")));
}

TEST_CASE("any parameter and any schedule can be swept", "[viz][panels]")
{
    PanelWindow<SweepPanel> test;
    test.finish();
    auto* parameter = test.panel().findChild<QComboBox*>(QStringLiteral("sweepParameter"));
    parameter->setFocus();
    parameter->setCurrentIndex(parameter->findData(QStringLiteral("comm")));
    auto* count = test.panel().findChild<QSpinBox*>(QStringLiteral("sweepPoints"));
    count->setFocus();
    count->selectAll();
    QTest::keyClicks(count, QStringLiteral("3"));
    QTest::keyClick(count, Qt::Key_Return);
    for (QAction* action : test.panel().findChild<QToolButton*>(QStringLiteral("sweepSchedules"))->menu()->actions())
        if (action->data() == QStringLiteral("interleaved-1f1b"))
            action->trigger();
    test.finish();
    const std::vector<SweepLine>& lines = test.panel().throughputChart().lines();
    REQUIRE(lines.size() == 3);
    REQUIRE(lines[0].points.size() == 3);
    // 1F1B with p=4, m=8: 33, 41 and 49 units for latencies of 0, 0.5 and 1.
    CHECK(lines[0].points[0].makespan == 33 * ms);
    CHECK(lines[0].points[1].makespan == 41 * ms);
    CHECK(lines[0].points[2].makespan == 49 * ms);
    CHECK(lines[2].experiment.schedules.front().id == "interleaved-1f1b");
}

TEST_CASE("a point of a sweep stands for a draft", "[viz][panels]")
{
    const Draft draft = firstDraft();
    CHECK(draftOfPoint(draft, sweepParameter("comm"), 0.5, draft.schedule[0]).common.comm == 0.5);
    CHECK(draftOfPoint(draft, sweepParameter("comm"), 0.5, draft.schedule[0]).schedule[1].id == "zb-h1");
    const Draft other = draftOfPoint(draft, sweepParameter("microbatches"), 16, parseRecipe("zb-v"));
    CHECK(other.schedule[1].id == "zb-v");
    CHECK(other.common.microbatches == 16);
    const Draft chunks = draftOfPoint(other, sweepParameter("chunks"), 2, draft.schedule[0]);
    CHECK(chunks.chunks[0] == 1); // 1F1B has no chunks
}

TEST_CASE("the front of bubble and memory is found and a choice becomes B", "[viz][panels]")
{
    PanelWindow<ParetoPanel> test;
    test.finish();
    ParetoChart& chart = test.panel().chart();
    REQUIRE(chart.choices().size() > 10);
    REQUIRE(chart.front().size() >= 2);
    for (std::size_t i = 0; i < chart.front().size(); ++i)
        for (const SearchCandidate& choice : chart.choices()) {
            const SearchCandidate& best = chart.choices()[chart.front()[i]];
            CHECK_FALSE((choice.bubbleRate < best.bubbleRate && choice.peakActivations <= best.peakActivations));
            CHECK_FALSE((choice.bubbleRate <= best.bubbleRate && choice.peakActivations < best.peakActivations));
        }
    const std::size_t wanted = chart.front().back();
    const SearchCandidate chosen = chart.choices()[wanted];
    CHECK(chart.hintAt(chart.placeOf(wanted)).contains(QStringLiteral("on the front")));
    QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.placeOf(wanted).toPoint());
    test.finish();
    CHECK(test.window.workbench().draft().schedule[1].text() == chosen.spec().text());
    CHECK(test.window.workbench().prediction(1)->bubbleRate() == Approx(chosen.bubbleRate).margin(1e-6));
    test.window.workbench().undoStack().undo();
    test.finish();
    CHECK(test.window.workbench().draft().schedule[1].id == "zb-h1");
    CHECK(toCsv(chart.table()).contains(QStringLiteral("\nzb-h1,1,")));
}

TEST_CASE("links show when messages are on their way and open what sent them", "[viz][panels]")
{
    Experiment experiment;
    experiment.stages = 2;
    experiment.microbatches = 1;
    experiment.cost = "F=1,B=2";
    experiment.comm = 0.5;
    const RunPtr run = predict(experiment, parseRecipe("1f1b"), Workbench::draftA);
    const auto links = std::make_shared<const std::vector<LinkUse>>(linkUse(run->trace, run->plan.get(), &run->timing));
    // F 0–1, message 1–1.5, F and B 1.5–4.5, message 4.5–5, B 5–7.
    const HeatMap map = linkMap(links, *run, 7);
    REQUIRE(map.rows == QStringList({QString::fromUtf8("0 → 1"), QString::fromUtf8("1 → 0")}));
    CHECK(map.at(0, 1) == Approx(0.5));
    CHECK(map.at(1, 4) == Approx(0.5));
    CHECK(map.at(0, 4) == Approx(0));
    CHECK(plain(map.hint(0, 1)).contains(QStringLiteral("50.0 %")));
    const auto sent = messageIntervals((*links)[0], *run, 0, {ms, 2 * ms});
    REQUIRE(sent.size() == 1);
    CHECK(sent.front().lane == LaneKind::Compute); // the latency model occupies no send lane
    CHECK(sent.front().time == TimeRange{0, ms});
    CHECK(messageIntervals((*links)[0], *run, 0, {3 * ms, 4 * ms}).empty());

    PanelWindow<LinkPanel> test;
    HeatChart& chart = *test.panel().charts()[0];
    REQUIRE(chart.map().rows.size() == 6); // three neighbours, both ways
    QSignalSpy asked(&test.window.panels(), &PanelTabs::intervalsAsked);
    QTest::mouseClick(&chart, Qt::LeftButton, {}, chart.centreOf(0, 3).toPoint());
    CHECK(asked.size() == 1);
}

TEST_CASE("durations have a histogram per work that opens its tasks", "[viz][panels]")
{
    PanelWindow<KernelPanel> test;
    auto* name = test.panel().findChild<QComboBox*>(QStringLiteral("kernelName"));
    REQUIRE(QTest::qWaitFor([&] { return name->count() > 0; }, 5000));
    CHECK(name->findData(QStringLiteral("forward")) >= 0);
    name->setCurrentIndex(name->findData(QStringLiteral("forward")));
    HistogramChart& chart = *test.panel().charts()[0];
    REQUIRE(chart.histogram().counts == std::vector<std::size_t>{32}); // all alike: one bin
    chart.replot();
    QTest::mouseClick(&chart, Qt::LeftButton, {},
                      QPoint(chart.marks()[0].toPoint().x(), chart.axisRect()->center().y()));
    CHECK(test.window.stack().intervals().size() == 32);
    CHECK(plain(chart.title()).contains(QStringLiteral("32 times, 32.0 ms in all")));
    CHECK(toCsv(chart.table()).startsWith(QStringLiteral("name,from_ms,to_ms,count\nforward,0.95,1.05,32\n")));
}

TEST_CASE("all runs stand in a table that sorts and shows them", "[viz][panels]")
{
    PanelWindow<RunsPanel> test;
    Workbench& workbench = test.window.workbench();
    workbench.keepPredictions();
    test.settle();
    FigureTable& table = test.panel().table();
    QAbstractItemModelTester tester(table.model(), QAbstractItemModelTester::FailureReportingMode::Fatal);
    const auto cell = [&](int row, int column) { return plain(table.model()->index(row, column).data().toString()); };
    REQUIRE(table.model()->rowCount() == 4);
    CHECK(cell(0, RunTable::Shown) == "A");
    CHECK(cell(0, RunTable::Makespan) == "33.0 ms");
    CHECK(cell(0, RunTable::Bubble) == "27.3 %");
    CHECK(cell(0, RunTable::Peak) == "4");
    CHECK(cell(0, RunTable::Throughput) == "242.4"); // 8 ÷ 33 ms
    CHECK(cell(0, RunTable::Date) == "now");
    CHECK(cell(2, RunTable::Title) == QString::fromUtf8("1 · 1F1B"));
    CHECK(cell(3, RunTable::Schedule) == "zb-h1");
    QHeaderView& header = *table.horizontalHeader();
    const QPoint makespan(header.sectionViewportPosition(RunTable::Makespan) + 8, header.height() / 2);
    QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, makespan);
    CHECK(cell(0, RunTable::Makespan) == "27.0 ms");
    QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, makespan);
    CHECK(cell(0, RunTable::Makespan) == "33.0 ms");
}

TEST_CASE("runs are shown and hidden from the table with keys alone", "[viz][panels]")
{
    PanelWindow<RunsPanel> test;
    Workbench& workbench = test.window.workbench();
    workbench.keepPredictions();
    test.settle();
    FigureTable& table = test.panel().table();
    table.setFocus();
    table.setCurrentIndex(table.model()->index(2, RunTable::Title));
    QTest::keyClick(&table, Qt::Key_Space);
    CHECK(workbench.shown() == std::vector<int>{Workbench::draftA, Workbench::draftB, 1});
    QTest::keyClick(&table, Qt::Key_Space);
    CHECK(workbench.shown() == std::vector<int>{Workbench::draftA, Workbench::draftB});
    QTest::keyClick(&table, Qt::Key_B);
    CHECK(workbench.shown() == std::vector<int>{Workbench::draftA, 1});
    const QModelIndex box = table.model()->index(3, RunTable::Shown);
    CHECK(table.model()->setData(box, Qt::Checked, Qt::CheckStateRole));
    CHECK(workbench.shown() == std::vector<int>{Workbench::draftA, 1, 2});
}

TEST_CASE("headings of the theory say which bubble they are, and cells open what they were computed from",
          "[viz][panels]")
{
    PanelWindow<TheoryPanel> test;
    auto* table = test.panel().findChild<FigureTable*>();
    const auto column = [&](const char* part) {
        for (int at = 0; at < table->model()->columnCount(); ++at)
            if (table->model()->headerData(at, Qt::Horizontal).toString().contains(QString::fromUtf8(part)))
                return at;
        return -1;
    };
    for (const char* part : {"idle ÷ total", "idle ÷ ideal", "span rate", "closed form", "B or I + W"}) {
        CAPTURE(part);
        CHECK(column(part) >= 0);
    }
    CHECK(table->model()->index(0, column("B or I + W")).data() == "B, in one");
    CHECK(table->model()->index(1, column("B or I + W")).data() == "I + W, apart");
    const auto open = [&](int row, int at) {
        table->scrollTo(table->model()->index(row, at));
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(table->model()->index(row, at)).center());
        return test.window.stack().intervals();
    };
    Nanoseconds idle = 0;
    for (const RunInterval& interval : open(0, column("idle ÷ total"))) {
        CHECK(interval.slot == 0);
        idle += interval.time.length();
    }
    CHECK(idle == 36 * ms); // four devices × (p−1)(F+B)
    CHECK(open(0, column("first start to last end")).size() == 4);
    CHECK(open(0, column("activations")).size() == 4); // the four forwards of device 0
    const auto span = open(1, column("span rate"));
    REQUIRE(span.size() == 1);
    CHECK(span.front().slot == 1);
    CHECK(open(0, column("closed form")).empty());
}
