// The Compare tab and what it computes.

#include "tests/viz/panel_window.h"
#include "viz/panels/compare_panel.h"
#include "viz/panels/figure_table.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QHeaderView>
#include <QTabWidget>

#include <catch2/catch.hpp>

#include <cmath>

using namespace bubblescope;
using namespace bubblescope::viz;

namespace {

constexpr Nanoseconds ms = 1'000'000;

std::shared_ptr<const RunComparison> comparisonOf(const RunPtr& a, const RunPtr& b)
{
    return std::make_shared<const RunComparison>(
        compareViews({a, 0, QStringLiteral("A")}, {b, 1, QStringLiteral("B")}));
}

RunPtr split(const char* recipe)
{
    return test::predicted(recipe, 4, 8, "F=1,I=1,W=1");
}

/// The comparison there, and done.
class CompareWindow : public test::PanelWindow<ComparePanel> {
public:
    CompareWindow() { wait(); }

    void wait()
    {
        settle();
        (void)QTest::qWaitFor([this] { return panel().comparison() != nullptr; }, 10'000);
        QTest::qWait(20);
    }

    FigureTable& table(const char* name)
    {
        auto* found = panel().findChild<FigureTable*>(QLatin1String(name));
        panel().findChild<QTabWidget*>(QStringLiteral("compareTables"))->setCurrentWidget(found);
        QTest::qWait(10);
        return *found;
    }
};

QString plain(QString text)
{
    return text.replace(QChar(0x00a0), QLatin1Char(' '));
}

int columnOf(const QAbstractItemModel& model, const QString& heading)
{
    for (int column = 0; column < model.columnCount(); ++column)
        if (model.headerData(column, Qt::Horizontal).toString() == heading)
            return column;
    return -1;
}

QString cell(const QAbstractItemModel& model, int row, const char* heading)
{
    return plain(model.index(row, columnOf(model, QString::fromUtf8(heading))).data().toString());
}

void click(FigureTable& table, int row, int column)
{
    const QModelIndex index = table.model()->index(row, column);
    table.scrollTo(index);
    QTest::mouseClick(table.viewport(), Qt::LeftButton, {}, table.visualRect(index).center());
}

} // namespace

TEST_CASE("the difference of two runs is said in one sentence", "[viz][compare]")
{
    const auto comparison = comparisonOf(split("1f1b"), split("zb-h1"));
    // 33 and 27 units; 36 and 12 of idle time over four devices.
    CHECK(plain(comparisonText(*comparison)) ==
          QString::fromUtf8(
              "B is 1.22 × as fast as A: 27.0 ms against 33.0 ms, and 24.0 ms less idle time over all devices."));
    CHECK(comparison->idleInA);
    CHECK_FALSE(comparisonOf(split("zb-h1"), split("1f1b"))->idleInA);
}

TEST_CASE("the map of differences has a cell per stage and microbatch", "[viz][compare]")
{
    const auto comparison = comparisonOf(split("1f1b"), split("zb-h1"));
    const DeltaMap start = deltaMap(comparison, {DeltaQuantity::Start, Work::InputGradient, false});
    CHECK(start.map.rows.size() == 4);
    CHECK(start.map.columns == 8);
    CHECK(start.map.at(0, 0) == Approx(-3)); // the first gradient is on stage 0 at 7 instead of 10
    CHECK(start.map.at(3, 0) == Approx(0));
    const DeltaMap duration = deltaMap(comparison, {DeltaQuantity::Duration, Work::InputGradient, false});
    for (const double value : duration.map.values)
        CHECK(value == Approx(-1)); // 1 for I instead of 2 for B
    const DeltaMap weights = deltaMap(comparison, {DeltaQuantity::Start, Work::WeightGradient, false});
    CHECK(std::isnan(weights.map.at(0, 0))); // 1F1B has no W of its own
    const DeltaMap devices = deltaMap(comparison, {DeltaQuantity::Start, Work::Forward, true});
    CHECK(devices.map.rows.value(3) == "Device 3");
}

TEST_CASE("cells of the map differ in luminance in one direction, light and dark", "[viz][compare]")
{
    for (const Theme* theme : {&lightTheme(), &darkTheme()}) {
        QCPColorGradient gradient = heatGradient(*theme, true);
        double before = -1;
        for (const double value : {-1.0, -0.5, 0.0, 0.5, 1.0}) {
            const double now = luminance(QColor::fromRgb(gradient.color(value, {-1, 1})));
            CHECK(now > before + 0.02);
            before = now;
        }
        // Blue to yellow: the pair that no common colour blindness confuses.
        const QColor low = QColor::fromRgb(gradient.color(-1, {-1, 1}));
        const QColor high = QColor::fromRgb(gradient.color(1, {-1, 1}));
        CHECK(low.blue() > low.red() + 60);
        CHECK(high.red() > high.blue() + 60);
    }
}

TEST_CASE("the Compare tab shows devices, tasks and filled bubbles", "[viz][compare]")
{
    CompareWindow test;
    REQUIRE(test.panel().comparison());
    const QAbstractItemModel& devices = *test.table("compareDevices").model();
    QAbstractItemModelTester tester(test.table("compareTasks").model(),
                                    QAbstractItemModelTester::FailureReportingMode::Fatal);
    REQUIRE(devices.rowCount() == 4);
    CHECK(cell(devices, 3, "Busy A") == "24.0 ms");
    CHECK(cell(devices, 3, "Idle A") == "9.00 ms");
    CHECK(cell(devices, 3, "Idle B") == "3.00 ms");
    CHECK(cell(devices, 3, "Δ Idle") == QString::fromUtf8("−6.00 ms"));
    CHECK(cell(devices, 3, "Δ drain") == QString::fromUtf8("−6.00 ms"));
    CHECK(cell(devices, 0, "Peak A") == "4");
    CHECK(test.panel().remarks().contains(QStringLiteral("B is set against I")));
    CHECK(test.table("compareTasks").model()->rowCount() == 96);
    CHECK(test.table("compareBubbles").model()->rowCount() > 0);
}

TEST_CASE("tables sort by value, and a figure opens its intervals in both runs", "[viz][compare]")
{
    CompareWindow test;
    FigureTable& tasks = test.table("compareTasks");
    const int delta = columnOf(*tasks.model(), QString::fromUtf8("Δ Start"));
    QHeaderView& header = *tasks.horizontalHeader();
    tasks.scrollTo(tasks.model()->index(0, delta));
    const QPoint place(header.sectionViewportPosition(delta) + 8, header.height() / 2);
    QTest::mouseClick(header.viewport(), Qt::LeftButton, {}, place);
    CHECK(tasks.horizontalHeader()->sortIndicatorSection() == delta);
    QVariant before;
    for (int row = 0; row < tasks.model()->rowCount(); ++row) {
        const QVariant now = tasks.model()->index(row, delta).data(FigureModel::KeyRole);
        if (before.isValid() && now.isValid())
            CHECK(now.toLongLong() != before.toLongLong() - 1);
        before = now;
    }
    FigureTable& bubbles = test.table("compareBubbles");
    click(bubbles, 0, 0);
    const auto& intervals = test.window.stack().intervals();
    REQUIRE(intervals.size() >= 2);
    CHECK(intervals.front().slot == 0); // A is idle
    for (std::size_t i = 1; i < intervals.size(); ++i) {
        CHECK(intervals[i].slot == 1); // B works inside it
        CHECK(intervals[i].time.begin >= intervals.front().time.begin);
        CHECK(intervals[i].time.end <= intervals.front().time.end);
    }
    FigureTable& devices = test.table("compareDevices");
    click(devices, 3, columnOf(*devices.model(), QString::fromUtf8("drain A")));
    REQUIRE(test.window.stack().intervals().size() == 1); // ZB-H1's last device doesn't drain
    CHECK(test.window.stack().intervals().front().time == TimeRange{27 * ms, 33 * ms});
}

TEST_CASE("a cell of the map opens the task in both runs", "[viz][compare]")
{
    CompareWindow test;
    HeatChart& map = test.panel().map();
    CHECK(plain(map.hintAt(map.centreOf(0, 0)))
              .contains(QString::fromUtf8("start 10.0 ms in A, 7.00 ms in B (−3.00 ms)")));
    QTest::mouseClick(&map, Qt::LeftButton, {}, map.centreOf(0, 0).toPoint());
    const auto& intervals = test.window.stack().intervals();
    REQUIRE(intervals.size() == 2);
    CHECK(intervals[0].slot == 0);
    CHECK(intervals[0].time == TimeRange{10 * ms, 12 * ms});
    CHECK(intervals[1].slot == 1);
    CHECK(intervals[1].time == TimeRange{7 * ms, 8 * ms});
    CHECK(toCsv(map.table()).startsWith(QLatin1String("stage,microbatch,difference_ms\n0,0,-3\n")));
}

TEST_CASE("any two shown runs are compared", "[viz][compare]")
{
    CompareWindow test;
    Workbench& workbench = test.window.workbench();
    workbench.keepPredictions();
    test.settle();
    workbench.setShown({Workbench::draftA, Workbench::draftB, 2});
    REQUIRE(QTest::qWaitFor([&] { return workbench.shownRuns().size() == 3; }, 5000));
    test.wait();
    auto* other = test.panel().findChild<QComboBox*>(QStringLiteral("compareB"));
    REQUIRE(other->count() == 3);
    other->setFocus();
    QTest::keyClick(other, Qt::Key_Down);
    test.wait();
    REQUIRE(test.panel().comparison());
    CHECK(test.panel().comparison()->b.letter == "C");
    CHECK(test.panel().comparison()->b.slot == 2);
    QTest::keyClick(other, Qt::Key_Home);
    CHECK_FALSE(test.panel().comparison()); // A against A says nothing
    workbench.setShown({Workbench::draftA});
    CHECK_FALSE(test.panel().comparison());
}
