// The charts below the timelines: what they show, what a click opens, and how their values leave the program.

#include "tests/viz/support.h"
#include "viz/charts/chart_export.h"
#include "viz/panels/bubble_panel.h"
#include "viz/panels/memory_panel.h"
#include "viz/timeline/pick_text.h"

#include <QClipboard>
#include <QDoubleSpinBox>
#include <QFileDialog>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSignalSpy>
#include <QSvgRenderer>
#include <QTimer>

#include <catch2/catch.hpp>

using namespace bubblescope;
using namespace bubblescope::viz;

namespace {

constexpr Nanoseconds ms = 1'000'000;

/// A window with A = 1F1B and B = ZB-H1 at F=1, B=2 and equal stages: the numbers of the textbooks.
class EqualStages : public test::TestWindow {
public:
    EqualStages()
    {
        Draft draft = window.workbench().draft();
        draft.common.model.headCost = 0;
        draft.common.model.embeddingCost = 0;
        window.workbench().edit(draft, QStringLiteral("equal stages"));
        settle();
    }

    template <class Panel>
    Panel& front()
    {
        auto* panel = window.panels().panel<Panel>();
        window.panels().setCurrentWidget(panel);
        settle();
        return *panel;
    }
};

QPoint segmentOf(const BubbleChart& chart, int device, std::optional<IdleCause> cause)
{
    for (const BubbleChart::Segment& segment : chart.segments())
        if (segment.device == device && segment.cause == cause)
            return chart.centreOf(segment).toPoint();
    return {-1, -1};
}

QString fileText(const QString& path)
{
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

} // namespace

TEST_CASE("a piece of a bar opens exactly the intervals of its cause on its device", "[viz][charts]")
{
    EqualStages test;
    auto& panel = test.front<BubblePanel>();
    BubbleChart& chart = *panel.charts()[0];
    const auto click = [&](int device, std::optional<IdleCause> cause) {
        const QPoint place = segmentOf(chart, device, cause);
        REQUIRE(place.x() > 0);
        QTest::mouseClick(&chart, Qt::LeftButton, {}, place);
        return test.window.stack().intervals();
    };
    // 1F1B with p=4, m=8: the last device waits 3 for the first forward and is done 6 before the end.
    const auto warmup = click(3, IdleCause::Warmup);
    REQUIRE(warmup.size() == 1);
    CHECK(warmup.front().slot == 0);
    CHECK(warmup.front().device == 3);
    CHECK(warmup.front().time == TimeRange{0, 3 * ms});
    const auto drain = click(3, IdleCause::Drain);
    REQUIRE(drain.size() == 1);
    CHECK(drain.front().time == TimeRange{27 * ms, 33 * ms});
    const auto work = click(3, std::nullopt);
    REQUIRE(work.size() == 1);
    CHECK(work.front().time == TimeRange{3 * ms, 27 * ms});
    CHECK(chart.hintAt(segmentOf(chart, 3, IdleCause::Drain)).contains(QStringLiteral("drain")));
    QTest::mouseClick(panel.charts()[1], Qt::LeftButton, {}, segmentOf(*panel.charts()[1], 0, std::nullopt));
    CHECK(test.window.stack().intervals().front().slot == 1);
}

TEST_CASE("idle time picked in a timeline is outlined in the chart", "[viz][charts]")
{
    EqualStages test;
    BubbleChart& chart = *test.front<BubblePanel>().charts()[0];
    CHECK(chart.outlinedDevice() == -1);
    TimelineView& view = *test.window.stack().views()[0];
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.centreOf({Pick::Kind::Gap, 3, 0}).toPoint());
    CHECK(chart.outlinedDevice() == 3);
    test.window.stack().clearPick();
    CHECK(chart.outlinedDevice() == -1);
}

TEST_CASE("a chart is read and opened with the keyboard alone", "[viz][charts]")
{
    EqualStages test;
    BubbleChart& chart = *test.front<BubblePanel>().charts()[0];
    chart.setFocus();
    QSignalSpy clicked(&chart, &BubbleChart::segmentClicked);
    QTest::keyClick(&chart, Qt::Key_End);
    CHECK(chart.accessibleDescription().startsWith(QStringLiteral("Device 3 · drain")));
    QTest::keyClick(&chart, Qt::Key_Return);
    REQUIRE(clicked.size() == 1);
    CHECK(clicked.front().front().toInt() == 3);
    QTest::keyClick(&chart, Qt::Key_Home);
    CHECK(chart.accessibleDescription().startsWith(QStringLiteral("Device 0 · work")));
}

TEST_CASE("causes are named on their segments where the names fit", "[viz][charts]")
{
    const RunPtr run = test::predicted("1f1b", 4, 8, "F=1,B=2");
    BubbleChart chart;
    chart.setRun(run, QStringLiteral("A"));
    const auto shown = [&chart](int width) {
        chart.resize(width, 300);
        chart.show();
        chart.replot();
        chart.replot(); // the margins follow the letters
        QStringList names;
        for (int i = 0; i < chart.itemCount(); ++i)
            if (const auto* text = qobject_cast<QCPItemText*>(chart.item(i)); text && text->visible())
                names << text->text();
        return names;
    };
    CHECK(shown(1200).contains(causeTitle(IdleCause::Warmup)));
    CHECK(shown(1200).size() > shown(500).size());
    CHECK(shown(200).isEmpty());
}

TEST_CASE("many devices make a tall chart that scrolls", "[viz][charts]")
{
    BubbleChart chart;
    chart.setRun(test::predicted("1f1b", 64, 64), QStringLiteral("A"));
    CHECK(chart.minimumSizeHint().height() >= 64 * QFontMetrics(chart.font()).height());
    chart.resize(chart.sizeHint());
    chart.replot();
    CHECK(chart.hintAt(segmentOf(chart, 63, IdleCause::Warmup)).startsWith(QStringLiteral("Device 63")));
    chart.setRun(test::predicted("1f1b", 16, 16), QStringLiteral("A")); // all are named, so names need their lines
    CHECK(chart.minimumSizeHint().height() >= 16 * QFontMetrics(chart.font()).height());
}

TEST_CASE("the values of a chart are saved as CSV", "[viz][charts]")
{
    QTemporaryDir folder;
    BubbleChart chart;
    chart.setRun(test::predicted("1f1b"), QStringLiteral("A · 1F1B"));
    const QString path = folder.filePath(QStringLiteral("bubbles.csv"));
    saveChart(chart, path);
    const QStringList lines = fileText(path).split(QLatin1Char('\n'));
    REQUIRE(lines.size() == 6); // heading, four devices, the end of the last line
    const QStringList headings = lines[0].split(QLatin1Char(','));
    const QStringList last = lines[4].split(QLatin1Char(','));
    const auto value = [&](const char* heading) { return last[headings.indexOf(QLatin1String(heading))]; };
    CHECK(value("device") == "Device 3");
    CHECK(value("busy_ms") == "24");
    CHECK(value("warmup_ms") == "3");
    CHECK(value("drain_ms") == "6");
}

TEST_CASE("a cell with a comma or a quote survives CSV", "[viz][charts]")
{
    CHECK(toCsv({{"a", "b"}, {{"1,5", "say \"so\""}}}) == "a,b\n\"1,5\",\"say \"\"so\"\"\"\n");
    CHECK(toTabs({{"a", "b"}, {{"x\ty", "z"}}}) == "a\tb\nx y\tz\n");
    CHECK(cellText(1234567.25) == "1234567.25");
}

TEST_CASE("a chart is saved as picture, drawing and page", "[viz][charts]")
{
    QTemporaryDir folder;
    MemoryChart chart;
    chart.resize(500, 240);
    chart.setRun(test::predicted("zb-h1"), QStringLiteral("B"));
    const auto save = [&](const char* name) {
        const QString path = folder.filePath(QLatin1String(name));
        saveChart(chart, path);
        return path;
    };
    const QImage image(save("memory.png"));
    CHECK(image.size() == QSize(500, 240) * chart.devicePixelRatioF());
    QSvgRenderer drawing(save("memory.svg"));
    REQUIRE(drawing.isValid());
    CHECK(drawing.viewBox().size() == QSize(500, 240));
    QImage drawn(drawing.viewBox().size(), QImage::Format_RGB32);
    drawn.fill(Qt::white);
    QPainter painter(&drawn);
    drawing.render(&painter);
    painter.end();
    int coloured = 0;
    for (int y = 0; y < drawn.height(); ++y)
        for (int x = 0; x < drawn.width(); ++x)
            coloured += drawn.pixelColor(x, y).hslSaturation() > 80;
    CHECK(coloured > 200); // the curves are there
    const QString page = fileText(save("memory.pdf"));
    CHECK(page.startsWith(QLatin1String("%PDF-")));
    CHECK(page.size() > 2000);
    CHECK_THROWS_WITH(saveChart(chart, folder.filePath(QStringLiteral("memory.gif"))), Catch::Contains(".csv"));
    CHECK_THROWS_WITH(saveChart(chart, QStringLiteral("/nowhere/memory.csv")), Catch::Contains("Choose another place"));
    CHECK_THROWS_WITH(saveChart(chart, QStringLiteral("/nowhere/memory.svg")), Catch::Contains("Choose another place"));
}

TEST_CASE("the menu of a chart asks for a file and says what went wrong", "[viz][charts]")
{
    QTemporaryDir folder;
    EqualStages test;
    BubbleChart& chart = *test.front<BubblePanel>().charts()[0];
    const auto choose = [&](const QString& action, const QString& path) {
        QTimer::singleShot(0, [&] {
            auto* dialog = qobject_cast<QFileDialog*>(QApplication::activeModalWidget());
            REQUIRE(dialog != nullptr);
            dialog->findChild<QLineEdit*>()->setText(path);
            QTest::keyClick(dialog->findChild<QLineEdit*>(), Qt::Key_Return);
            if (dialog->isVisible())
                dialog->reject();
        });
        for (QAction* entry : chart.exportMenu()->actions())
            if (entry->text().contains(action))
                entry->trigger();
    };
    const QString path = folder.filePath(QStringLiteral("picture.svg"));
    choose(QStringLiteral("SVG"), path);
    CHECK(QSvgRenderer(path).isValid());
    QContextMenuEvent asks(QContextMenuEvent::Keyboard, {20, 20}, chart.mapToGlobal(QPoint(20, 20)));
    QApplication::sendEvent(&chart, &asks);
    CHECK(chart.exportMenu()->isVisible());
    chart.exportMenu()->hide();
    Q_EMIT chart.problem(QStringLiteral("It can't be written."));
    CHECK(test.window.messages().sentence().contains(QLatin1String("can't be written")));
}

TEST_CASE("a chart is copied as a picture with its values beside it", "[viz][charts]")
{
    EqualStages test;
    BubbleChart& chart = *test.front<BubblePanel>().charts()[0];
    chart.setFocus();
    QTest::keyClick(&chart, Qt::Key_C, Qt::ControlModifier);
    const QMimeData* copied = QApplication::clipboard()->mimeData();
    REQUIRE(copied->hasImage());
    CHECK(qvariant_cast<QImage>(copied->imageData()).size() == chart.size() * chart.devicePixelRatioF());
    CHECK(copied->text() == toTabs(chart.table()));
    QTest::keyClick(&chart, Qt::Key_C, Qt::ControlModifier | Qt::ShiftModifier);
    copied = QApplication::clipboard()->mimeData();
    CHECK_FALSE(copied->hasImage());
    CHECK(QString::fromUtf8(copied->data(QStringLiteral("text/csv"))) == toCsv(chart.table()));
}

TEST_CASE("the peak of memory is explained and opens the forwards that make it", "[viz][charts]")
{
    EqualStages test;
    auto& panel = test.front<MemoryPanel>();
    auto* peak = panel.findChild<QPushButton*>(QStringLiteral("peak0"));
    // 1F1B: the first device has done four forwards before the first backward comes back.
    CHECK(peak->text().replace(QChar(0x00a0), QLatin1Char(' ')) ==
          QString::fromUtf8("Device 0 holds 4 activations at 3.00 ms: stage 0 of microbatches 0–3"));
    QTest::mouseClick(peak, Qt::LeftButton);
    const auto& intervals = test.window.stack().intervals();
    REQUIRE(intervals.size() == 4);
    for (int microbatch = 0; microbatch < 4; ++microbatch) {
        CHECK(intervals[static_cast<std::size_t>(microbatch)].device == 0);
        CHECK(intervals[static_cast<std::size_t>(microbatch)].time ==
              TimeRange{microbatch * ms, (microbatch + 1) * ms});
    }
    CHECK(test.window.stack().range().cursor() == 3 * ms);
}

TEST_CASE("a click into the memory chart moves the cursor of the timelines there", "[viz][charts]")
{
    EqualStages test;
    MemoryChart& chart = *test.front<MemoryPanel>().charts()[0];
    const double x = chart.xAxis->coordToPixel(20);
    QTest::mouseClick(&chart, Qt::LeftButton, {}, QPointF(x, chart.axisRect()->center().y()).toPoint());
    REQUIRE(test.window.stack().range().cursor());
    CHECK(std::abs(*test.window.stack().range().cursor() - 20 * ms) < ms / 5);
}

TEST_CASE("the memory limit is a line, an edit, and a step of undo", "[viz][charts]")
{
    EqualStages test;
    auto& panel = test.front<MemoryPanel>();
    auto* limit = panel.findChild<QDoubleSpinBox*>(QStringLiteral("memoryLimit"));
    const int lines = panel.charts()[0]->itemCount();
    limit->setFocus();
    limit->selectAll();
    QTest::keyClicks(limit, QStringLiteral("3"));
    test.settle();
    CHECK(test.window.workbench().draft().common.memoryLimit == 3);
    CHECK(panel.charts()[0]->limit() == 3);
    CHECK(panel.charts()[0]->itemCount() == lines + 2); // the line and its label
    test.window.workbench().undoStack().undo();
    test.settle();
    CHECK(panel.charts()[0]->limit() == 0);
    CHECK(limit->value() == 0);
}
