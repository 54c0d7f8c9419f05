// The window executes by starting the command line: here a script, and the real one where it is built.

#include "core/trace/document.h"
#include "tests/viz/support.h"

#include <QComboBox>
#include <QPushButton>
#include <QSpinBox>

#include <catch2/catch.hpp>

using namespace bubblescope;
using namespace bubblescope::viz;

namespace {

/// A program that does what a script says, instead of `bubblescope`.
class FakeProgram {
public:
    explicit FakeProgram(const char* script)
    {
        const QString path = m_folder.filePath(QStringLiteral("bubblescope"));
        QFile file(path);
        REQUIRE(file.open(QIODevice::WriteOnly));
        file.write("#!/bin/sh\n");
        file.write(script);
        file.close();
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv("BUBBLESCOPE_PROGRAM", path.toUtf8());
    }

    ~FakeProgram() { qunsetenv("BUBBLESCOPE_PROGRAM"); }

    QString file(const char* name) const { return m_folder.filePath(QLatin1String(name)); }

private:
    QTemporaryDir m_folder;
};

QPushButton* button(MainWindow& window, const QString& text)
{
    for (auto* candidate : window.findChildren<QPushButton*>())
        if (candidate->text().contains(text))
            return candidate;
    return nullptr;
}

} // namespace

TEST_CASE("Execute starts the command line with the experiment and the document", "[viz]")
{
    FakeProgram fake("echo \"$@\" >> \"$(dirname \"$0\")/arguments\"\ncp \"$2\" \"$(dirname \"$0\")/experiment\"\n");
    test::TestWindow test;
    button(test.window, QStringLiteral("Execute"))->click();
    REQUIRE(QTest::qWaitFor([&] { return !test.window.execution().running(); }, 5000));
    CHECK(test.window.messages().sentence().isEmpty());
    QFile arguments(fake.file("arguments"));
    REQUIRE(arguments.open(QIODevice::ReadOnly));
    const QStringList lines = QString::fromUtf8(arguments.readAll()).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
    REQUIRE(lines.size() == 2); // one call for each schedule
    CHECK(lines[0].startsWith(QLatin1String("run ")));
    CHECK(lines[0].contains(QLatin1String("--backend cpu --steps 3 -o ") + test.window.workbench().path()));
    QFile experiment(fake.file("experiment"));
    REQUIRE(experiment.open(QIODevice::ReadOnly));
    CHECK(experiment.readAll().contains("zb-h1"));
}

TEST_CASE("the last sentence of a program that fails stands in the window", "[viz]")
{
    FakeProgram fake("echo 'bubblescope: no space is left on the device; free some and run again.' >&2\nexit 1\n");
    test::TestWindow test;
    test.window.execute();
    REQUIRE(QTest::qWaitFor([&] { return !test.window.execution().running(); }, 5000));
    CHECK(test.window.messages().sentence().contains(QLatin1String("no space is left")));
    CHECK(button(test.window, QStringLiteral("Execute"))->isEnabled());
}

TEST_CASE("an execution is cancelled", "[viz]")
{
    FakeProgram fake("exec sleep 60\n");
    test::TestWindow test;
    test.window.execute();
    CHECK(QTest::qWaitFor([&] { return test.window.execution().running(); }, 2000));
    QTest::qWait(100);
    test.window.findChild<QPushButton*>(QStringLiteral("cancel"))->click();
    REQUIRE(QTest::qWaitFor([&] { return !test.window.execution().running(); }, 5000));
    CHECK(test.window.messages().sentence().startsWith(QLatin1String("Cancelled")));
}

TEST_CASE("a program that is missing is named", "[viz]")
{
    qputenv("BUBBLESCOPE_PROGRAM", "/nowhere/bubblescope");
    test::TestWindow test;
    test.window.execute();
    CHECK(test.window.messages().sentence().contains(QLatin1String("/nowhere/bubblescope is missing")));
    qunsetenv("BUBBLESCOPE_PROGRAM");
}

TEST_CASE("a growing trace shows its newest step from zero", "[viz]")
{
    Trace trace;
    TraceLane lane;
    for (int i = 0; i < 6; ++i) {
        Span span;
        span.start = 100 * i;
        span.end = span.start + 50;
        span.task.microbatch = Microbatch(i);
        lane.spans.push_back(span);
    }
    trace.lanes.push_back(lane);
    int step = 0;
    const Trace newest = newestStep(trace, 4, step);
    CHECK(step == 1);
    REQUIRE(newest.lanes[0].spans.size() == 2);
    CHECK(newest.lanes[0].spans[0].start == 0);
    CHECK(newest.lanes[0].spans[1].start == 100);
}

#ifdef BUBBLESCOPE_PROGRAM
TEST_CASE("an execution arrives live and lands beside its prediction", "[viz]")
{
    qputenv("BUBBLESCOPE_PROGRAM", BUBBLESCOPE_PROGRAM);
    test::TestWindow test;
    Draft draft = test.window.workbench().draft();
    draft.schedule[1] = draft.schedule[0];
    draft.common.cost = "F=20,B=40";
    test.window.workbench().edit(draft, QStringLiteral("one schedule, slow enough to be watched"));
    test.settle();
    test.window.findChildren<QComboBox*>();
    for (auto* combo : test.window.findChildren<QComboBox*>())
        if (const int paced = combo->findData(QStringLiteral("paced")); paced >= 0)
            combo->setCurrentIndex(paced);
    bool sawLive = false;
    QObject::connect(&test.window.execution(), &Execution::liveChanged,
                     [&](const RunPtr& run) { sawLive = sawLive || run->trace.spanCount() > 0; });
    test.window.execute();
    REQUIRE(QTest::qWaitFor([&] { return !test.window.execution().running(); }, 60'000));
    CAPTURE(test.window.messages().sentence().toStdString());
    CHECK(test.window.messages().sentence().isEmpty());
    CHECK(sawLive);
    CHECK(QTest::qWaitFor([&] { return test.window.stack().views().size() == 3; }, 5000));
    const RunPtr measured = test.window.workbench().shownRuns().back();
    CHECK(measured->label == RunLabel::Emulated);
    CHECK(measured->explained());
    qunsetenv("BUBBLESCOPE_PROGRAM");
}
#endif
