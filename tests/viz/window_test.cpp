#include "core/trace/document.h"
#include "tests/viz/support.h"
#include "viz/charts/theory_model.h"
#include "viz/render/render.h"
#include "viz/window/settings.h"

#include <QAbstractItemModelTester>
#include <QAccessible>
#include <QComboBox>
#include <QDropEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListView>
#include <QMimeData>
#include <QPushButton>
#include <QSpinBox>
#include <QSvgRenderer>

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

using namespace bubblescope;
using namespace bubblescope::viz;

TEST_CASE("clicking idle time explains it", "[viz]")
{
    test::TestWindow test;
    TimelineView& view = *test.window.stack().views()[1];
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.centreOf({Pick::Kind::Gap, 0, 0}).toPoint());
    const QString text = test.window.inspector().text();
    for (const char* part :
         {"B · Device 0 · idle", "Cause: warm-up", "Waits for: input gradient of microbatch 0 on stage 1",
          "From: Device 1", "Start: 4.00", "On critical path"}) {
        CAPTURE(part, text.toStdString());
        CHECK(text.simplified().contains(QString::fromUtf8(part)));
    }
}

TEST_CASE("clicking a task says what it waited for", "[viz]")
{
    test::TestWindow test;
    TimelineView& view = *test.window.stack().views()[0];
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.centreOf({Pick::Kind::Bar, 1, 0}).toPoint());
    const QString text = test.window.inspector().text();
    CHECK(text.contains(QLatin1String("Task: forward of microbatch 0 on stage 1")));
    CHECK(text.contains(QLatin1String("Waited for: forward of microbatch 0 on stage 0 (Device 0)")));
}

TEST_CASE("a value that can't be built is kept, and the sentence says what would be right", "[viz]")
{
    test::TestWindow test;
    auto* family = test.window.findChild<QComboBox*>(QStringLiteral("schedule1"));
    auto* microbatches = test.window.findChild<QSpinBox*>(QStringLiteral("microbatches"));
    family->setCurrentIndex(family->findData(QStringLiteral("interleaved-1f1b")));
    test.settle();
    CHECK(test.window.form().errorAt(QStringLiteral("schedule1")).isEmpty());
    microbatches->setFocus();
    microbatches->selectAll();
    QTest::keyClicks(microbatches, QStringLiteral("6"));
    test.settle();
    const QString sentence = test.window.form().errorAt(QStringLiteral("schedule1"));
    CHECK(sentence.contains(QLatin1Char('6')));
    CHECK(sentence.contains(QLatin1Char('4')));
    CHECK(sentence.contains(QLatin1Char('8')));
    CHECK(microbatches->value() == 6);
    CHECK(microbatches->property("invalid").toBool());
    CHECK(test.window.workbench().prediction(0));
    CHECK_FALSE(test.window.workbench().prediction(1));
    test.window.workbench().undoStack().undo();
    test.settle();
    CHECK(microbatches->value() == 8);
    CHECK(test.window.form().errorAt(QStringLiteral("schedule1")).isEmpty());
}

TEST_CASE("long sentences in the form push what is below them down", "[viz]")
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("large.bscope"));
    {
        Experiment large; // more tasks than the window predicts
        large.stages = 64;
        large.microbatches = 78'125;
        RunHeader header;
        header.recipe = "1f1b";
        header.experiment = toJson(large).dump();
        Trace trace;
        trace.lanes.emplace_back();
        trace.lanes.back().spans.push_back({0, unit, {}});
        Document::create(path.toStdString()).addRun(header, trace);
    }
    test::TestWindow test;
    test.window.openFiles({path});
    test.settle();
    const QWidget& form = test.window.form();
    auto* first = form.findChild<QLabel*>(QStringLiteral("scheduleError0"));
    auto* second = form.findChild<QLabel*>(QStringLiteral("scheduleError1"));
    auto* field = form.findChild<QWidget*>(QStringLiteral("schedule1"));
    REQUIRE(QTest::qWaitFor([first] { return first->isVisible(); }, 5000));
    REQUIRE(second->isVisible());
    const QLabel* label = nullptr; // of the field of B
    for (const QLabel* each : form.findChildren<QLabel*>())
        label = each->buddy() == field ? each : label;
    REQUIRE(label != nullptr);
    for (const int width : {1300, 1400, 1000, 1600}) {
        test.window.resize(width, 850);
        QTest::qWait(20);
        CHECK(label->height() >= label->minimumSizeHint().height());
        CHECK(first->height() >= first->heightForWidth(first->width()));
        CHECK(first->geometry().bottom() < field->geometry().top());
        CHECK(field->geometry().bottom() < second->geometry().top());
    }
}

TEST_CASE("a wrong cost is explained beside the costs", "[viz]")
{
    test::TestWindow test;
    auto* cost = test.window.findChild<QLineEdit*>(QStringLiteral("cost"));
    cost->selectAll();
    QTest::keyClicks(cost, QStringLiteral("F=x"));
    test.settle();
    CHECK(test.window.form().errorAt(QStringLiteral("cost")).contains(QLatin1String("not a cost")));
    CHECK(cost->text() == "F=x");
    CHECK(test.window.stack().views().empty()); // nothing is shown, and nothing is made up
}

TEST_CASE("runs are shown as A and B from the list", "[viz]")
{
    test::TestWindow test;
    QAbstractItemModelTester tester(test.window.runList().model(),
                                    QAbstractItemModelTester::FailureReportingMode::Fatal);
    Workbench& workbench = test.window.workbench();
    workbench.keepPredictions();
    test.settle();
    auto* model = static_cast<RunModel*>(test.window.runList().model());
    REQUIRE(model->rowCount() == 4);
    CHECK(model->index(0).data(RunModel::LetterRole) == "A");
    CHECK(model->index(2).data(RunModel::LetterRole) == "");
    const QRect card = test.window.runList().visualRect(model->index(2));
    QTest::mouseClick(test.window.runList().viewport(), Qt::LeftButton, {}, card.center());
    CHECK(QTest::qWaitFor([&] { return test.window.stack().views().size() == 3; }, 5000));
    CHECK(model->index(2).data(RunModel::LetterRole) == "C");
    workbench.show(2, 0);
    CHECK(model->index(3).data(RunModel::LetterRole) == "A");
    CHECK(workbench.shown() == std::vector<int>{2, Workbench::draftB, 1});
}

TEST_CASE("theory stands beside prediction in a proper table model", "[viz]")
{
    TheoryModel model;
    QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal);
    model.setRuns({test::predicted("1f1b"), test::predicted("zb-h1", 4, 8, "F=1,I=1,W=1")});
    CHECK(model.rowCount() == 2);
    const auto cell = [&](int row, int column) {
        return model.index(row, column).data().toString().replace(QChar(0x00a0), QLatin1Char(' ')).toStdString();
    };
    CHECK(cell(0, 0) == "1F1B");
    CHECK(cell(0, 1) == "predicted");
    CHECK(cell(0, 2) == "33.0 ms");
    CHECK(cell(0, 3) == "27.3 %");
    CHECK(cell(1, 2) == "27.0 ms");
}

TEST_CASE("a document is saved, opened and remembered", "[viz]")
{
    QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("saved.bscope"));
    {
        test::TestWindow test;
        CHECK_FALSE(test.window.workbench().unsaved());
        test.window.workbench().keepPredictions();
        test.settle();
        CHECK(test.window.workbench().unsaved());
        CHECK(test.saveAs(path));
        CHECK_FALSE(test.window.workbench().unsaved());
        CHECK(test.window.windowTitle().contains(QLatin1String("saved.bscope")));
    }
    CHECK(settings::recentFiles().value(0) == path);
    test::TestWindow test;
    test.window.openFiles({path});
    REQUIRE(QTest::qWaitFor(
        [&] { return test.window.workbench().shownRuns().size() == 2 && test.window.workbench().shown().front() == 1; },
        5000));
    CHECK(test.window.workbench().run(1)->title == "1F1B");
    CHECK(test.window.workbench().run(1)->explained());
    CHECK(test.window.workbench().draft().schedule[1].id == "zb-h1");
}

TEST_CASE("a file that is no document is refused with a sentence in the window", "[viz]")
{
    QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("wrong.bscope")));
    REQUIRE(file.open(QIODevice::WriteOnly));
    file.write("not a database, but long enough to look like a file of some kind");
    file.close();
    test::TestWindow test;
    test.window.openFiles({file.fileName()});
    CHECK(QTest::qWaitFor([&] { return !test.window.messages().sentence().isEmpty(); }, 5000));
    CHECK(test.window.workbench().temporary()); // what was there is still there
    CHECK(test.window.stack().views().size() == 2);
}

TEST_CASE("a dropped document opens", "[viz]")
{
    QTemporaryDir folder;
    const QString path = test::makeDocument(folder);
    REQUIRE_FALSE(path.isEmpty());
    test::TestWindow test;
    QMimeData data;
    data.setUrls({QUrl::fromLocalFile(path)});
    QDragEnterEvent enter({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&test.window, &enter);
    CHECK(enter.isAccepted());
    QDropEvent drop({100, 100}, Qt::CopyAction, &data, Qt::LeftButton, {});
    QApplication::sendEvent(&test.window, &drop);
    CHECK(QTest::qWaitFor([&] { return test.window.workbench().path() == path; }, 5000));
}

TEST_CASE("light and dark paint the same window", "[viz]")
{
    test::TestWindow test;
    test.window.setTheme(ThemeMode::Dark);
    CHECK(currentTheme().dark);
    CHECK(luminance(test.window.grab().toImage().pixelColor(5, 5)) < 0.1);
    test.window.setTheme(ThemeMode::Light);
    CHECK(luminance(test.window.grab().toImage().pixelColor(5, 5)) > 0.8);
}

TEST_CASE("every control has a name that can be read out", "[viz]")
{
    test::TestWindow test;
    const auto form = test.window.form().findChildren<QWidget*>();
    for (QWidget* widget : form)
        if ((qobject_cast<QAbstractSpinBox*>(widget) || qobject_cast<QComboBox*>(widget)) &&
            widget->focusPolicy() != Qt::NoFocus) {
            auto* access = QAccessible::queryAccessibleInterface(widget);
            CAPTURE(widget->objectName().toStdString());
            CHECK((access && !access->text(QAccessible::Name).isEmpty()));
        }
}

TEST_CASE("pictures are written without a window, in every format", "[viz]")
{
    QTemporaryDir folder;
    const std::vector<RunPtr> runs{test::predicted("1f1b"), test::predicted("zb-h1")};
    for (const char* name : {"two.png", "two.svg", "two.pdf"}) {
        const QString path = folder.filePath(QLatin1String(name));
        render(runs, path, {});
        CAPTURE(name);
        CHECK(QFileInfo(path).size() > 10'000);
    }
    QSvgRenderer drawing(folder.filePath(QStringLiteral("two.svg")));
    QImage image(drawing.defaultSize(), QImage::Format_RGB32);
    image.fill(Qt::white);
    QPainter painter(&image);
    drawing.render(&painter);
    painter.end();
    int forward = 0;
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            forward += image.pixelColor(x, y) == lightTheme().of(Work::Forward);
    CHECK(forward > image.width() * image.height() / 20);
    if (const QString kept = qEnvironmentVariable("BUBBLESCOPE_KEEP_PICTURES"); !kept.isEmpty())
        image.save(kept + QStringLiteral("/svg.png"));
    for (const RenderView view : {RenderView::Bubbles, RenderView::Memory}) {
        const QString path = folder.filePath(QStringLiteral("chart.png"));
        RenderOptions options;
        options.view = view;
        options.size = {900, 300};
        options.scale = 1;
        render(runs, path, options);
        CHECK(QImage(path).size() == QSize(900, 300));
    }
    CHECK_THROWS_WITH(render(runs, folder.filePath(QStringLiteral("two.gif")), {}),
                      Catch::Contains(".png, .svg or .pdf"));
    CHECK_THROWS_WITH(render(runs, QStringLiteral("/nowhere/two.png"), {}), Catch::Contains("can't be written"));
}
