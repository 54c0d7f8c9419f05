#include "core/trace/document.h"
#include "tests/viz/support.h"
#include "viz/document/run_loader.h"
#include "viz/timeline/timeline_stack.h"

#include <QFileInfo>
#include <QSignalSpy>

#include <catch2/catch.hpp>

using namespace bubblescope;
using namespace bubblescope::viz;

namespace {

constexpr std::size_t spans = 1'000'800;

/// A document with one run that is large, and has no cache yet.
QString largeDocument(const QTemporaryDir& folder)
{
    Trace trace;
    trace.names = {"", "gemm"};
    for (int device = 0; device < 4; ++device) {
        TraceLane& lane = trace.lanes.emplace_back();
        lane.device = Device(device);
        for (std::size_t i = 0; i < spans / 4; ++i) {
            Span span;
            span.start = static_cast<Nanoseconds>(i) * 1000;
            span.end = span.start + 700;
            span.task.work = i % 3 == 0 ? Work::Forward : Work::Backward;
            span.task.stage = Stage(device);
            span.task.microbatch = Microbatch(static_cast<int>(i % 64));
            lane.spans.push_back(span);
        }
    }
    const QString path = folder.filePath(QStringLiteral("large.bscope"));
    RunHeader header;
    header.label = RunLabel::Recorded;
    header.title = "large";
    Document::create(path.toStdString()).addRun(header, trace);
    return path;
}

bool cached(const QString& path)
{
    return Document::open(path.toStdString(), Document::Mode::ReadOnly).hasColumnCache(1);
}

} // namespace

TEST_CASE("a large run is shown from columns, picked, and cached for the next opening", "[viz][large]")
{
    const QTemporaryDir folder;
    const QString path = largeDocument(folder);
    REQUIRE_FALSE(cached(path));
    {
        Workbench workbench;
        workbench.open(path);
        REQUIRE(QTest::qWaitFor([&] { return workbench.run(1) != nullptr; }, 60'000));
        const RunPtr run = workbench.run(1);
        REQUIRE(run->columns);
        CHECK_FALSE(run->preview); // there was no cache to take one from
        CHECK(run->columns->spanCount() == spans);
        CHECK(run->trace.spanCount() == 0);
        CHECK(run->bubbleRate() == Approx(0.3).margin(0.001));

        TimelineStack stack;
        stack.resize(1000, 400);
        stack.setRuns({run});
        stack.show();
        stack.range().setVisible({5'000'000, 5'020'000});
        QTest::qWait(20);
        TimelineView& view = *stack.views().front();
        const Pick bar{Pick::Kind::Bar, 2, 5010};
        QTest::mouseClick(&view, Qt::LeftButton, {}, view.centreOf(bar).toPoint());
        CHECK(view.picked() == bar);
        CHECK(view.hintAt(view.centreOf(bar)).contains(QLatin1String("microbatch 18"))); // 5010 modulo 64
        const Pick gap{Pick::Kind::Gap, 2, 5011};
        QTest::mouseClick(&view, Qt::LeftButton, {}, view.centreOf(gap).toPoint());
        CHECK(view.picked() == gap);
        CHECK(view.hintAt(view.centreOf(gap)).contains(QLatin1String("idle")));
        // Where a pixel holds many tasks, the hint says how many.
        stack.range().showAll();
        QTest::qWait(20);
        CHECK(view.hintAt(view.layout().rowRect(1).center()).contains(QLatin1String("one of")));
        REQUIRE(QTest::qWaitFor([&] { return !workbench.jobs().busy(); }, 60'000));
    }
    CHECK(cached(path));
    CHECK_FALSE(QFileInfo::exists(path + QStringLiteral("-wal")));

    // The second opening shows a preview first.
    const Document document = Document::open(path.toStdString(), Document::Mode::ReadOnly);
    const RunPtr preview = previewRun(document, document.run(1));
    REQUIRE(preview);
    CHECK(preview->preview);
    CHECK(preview->columns->spanCount() < spans / 2);
    CHECK(preview->makespan() == loadRun(document, document.run(1))->makespan());
    CHECK(preview->bubbleRate() == Approx(0.3).margin(0.001));
}

TEST_CASE("reading a large run can be cancelled, and the window goes on", "[viz][large]")
{
    const QTemporaryDir folder;
    const QString path = largeDocument(folder);
    Workbench workbench;
    QSignalSpy problems(&workbench, &Workbench::problem);
    // At the first sign of progress, so that most is still to be read.
    const auto cancelling = QObject::connect(&workbench.jobs(), &DocumentJobs::progress, [&workbench](double fraction) {
        if (fraction > 0)
            workbench.jobs().cancel();
    });
    workbench.open(path);
    REQUIRE(QTest::qWaitFor([&] { return workbench.shown().front() == 1; }, 60'000));
    REQUIRE(QTest::qWaitFor([&] { return workbench.shown().front() != 1; }, 60'000));
    QObject::disconnect(cancelling);
    CHECK(workbench.run(1) == nullptr);
    CHECK(problems.isEmpty());
    CHECK(workbench.shown() == std::vector<int>{Workbench::draftA, Workbench::draftB});
    // Asked for again, it is read.
    workbench.toggleShown(1);
    CHECK(QTest::qWaitFor([&] { return workbench.run(1) != nullptr; }, 60'000));
}

TEST_CASE("a document that can't be written is shown without a cache", "[viz][large]")
{
    const QTemporaryDir folder;
    const QString path = largeDocument(folder);
    RunView run;
    run.number = 1;
    const Document document = Document::open(path.toStdString(), Document::Mode::ReadOnly);
    run.columns = std::make_shared<const TraceColumns>(document.readColumns(1));
    const Document writer = Document::open(path.toStdString(), Document::Mode::ReadWrite); // somebody writes
    keepColumns(path.toStdString(), run);
    CHECK_FALSE(document.hasColumnCache(1));
    keepColumns(folder.filePath(QStringLiteral("missing.bscope")).toStdString(), run);
}
