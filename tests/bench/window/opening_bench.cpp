// How fast a large document opens: the first picture, and all spans usable, with its cache and without.
//
// From the call that opens it, in a window that is there already; the file is in the system's cache. Without the
// cache the rows are read, which is the baseline; then the cache is kept, and a new window opens the document again.

#include "core/trace/document.h"
#include "tests/bench/window/window_bench.h"
#include "viz/timeline/timeline_stack.h"
#include "viz/window/main_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QStandardPaths>
#include <QTemporaryDir>

#include <fmt/format.h>

#include <cstdio>

namespace bubblescope::bench {

using namespace viz;

namespace {

/// The spans of syntheticColumns() as rows.
void writeDocument(const QString& path, std::size_t spans)
{
    Trace trace;
    const TraceColumns columns = syntheticColumns(spans, 1);
    for (const LaneColumns& lane : columns.lanes) {
        TraceLane& made = trace.lanes.emplace_back();
        made.device = lane.device;
        made.spans.reserve(lane.subLanes.front().size());
        for (const SpanChunk& chunk : lane.subLanes.front().chunks())
            for (std::uint32_t i = 0; i < chunk.count; ++i)
                made.spans.push_back(spanOf(chunk.entry(i)));
    }
    RunHeader header;
    header.label = RunLabel::Recorded;
    header.title = "synthetic";
    Document::create(path.toStdString()).addRun(header, trace);
}

double seconds(const QElapsedTimer& timer)
{
    return static_cast<double>(timer.nsecsElapsed()) / 1e9;
}

/// The stored run as it is painted now; null before.
RunPtr shownRun(MainWindow& window)
{
    for (TimelineView* view : window.stack().views())
        if (view->picture().run && view->picture().run->number == 1) {
            view->repaint();
            return view->picture().run;
        }
    return nullptr;
}

void open(const QString& path, const std::string& how, const std::string& firstGoal, const std::string& allGoal)
{
    MainWindow window;
    window.resize(1700, 1000);
    window.show();
    while (window.workbench().predicting())
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    QElapsedTimer timer;
    timer.start();
    window.openDocument(path);
    RunPtr run;
    while (!(run = shownRun(window)))
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    const double first = seconds(timer);
    while (shownRun(window)->preview)
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    const double all = seconds(timer);
    while (window.workbench().jobs().busy())
        QApplication::processEvents(QEventLoop::WaitForMoreEvents);
    fmt::print("  {:<16} first picture {:>6.2f} s {:<10}  all spans {:>6.2f} s {:<10}  at rest {:>6.2f} s   {}\n", how,
               first, firstGoal, all, allGoal, seconds(timer), load());
    std::fflush(stdout);
}

} // namespace

void benchOpening(std::size_t spans)
{
    QStandardPaths::setTestModeEnabled(true); // the windows' settings are none of anybody's
    const QTemporaryDir folder;
    const QString path = folder.filePath(QStringLiteral("large.bscope"));
    writeDocument(path, spans);
    const auto bytes = [&] { return static_cast<double>(QFileInfo(path).size()) / static_cast<double>(spans); };
    fmt::print("opening a document with {} million spans, {:.1f} bytes a span on disk\n", spans / 1'000'000, bytes());
    open(path, "without cache", "", "(baseline)");
    open(path, "with its cache", "(goal 0.3)", "(goal 1)");
    open(path, "once more", "(goal 0.3)", "(goal 1)");
    fmt::print("  with the cache {:.1f} bytes a span on disk\n", bytes());
}

} // namespace bubblescope::bench
