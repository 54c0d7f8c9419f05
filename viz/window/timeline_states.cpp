#include "viz/panels/notes_panel.h"
#include "viz/panels/range_panel.h"
#include "viz/timeline/search_bar.h"
#include "viz/window/main_window.h"
#include "viz/window/screenshot_states.h"
#include "viz/window/timeline_menu.h"

#include <QAction>
#include <QApplication>
#include <QLineEdit>
#include <QMenuBar>

namespace bubblescope::viz {
namespace {

constexpr Nanoseconds millisecond = 1'000'000;

void pickBar(MainWindow& window, int slot, int row, int bar)
{
    TimelineView& view = *window.stack().views()[static_cast<std::size_t>(slot)];
    view.pick({Pick::Kind::Bar, row, bar});
}

/// A run with transfers and a copy lane, as executed ones have.
RunPtr withLanes(const RunView& from, int number)
{
    auto run = std::make_shared<RunView>(from);
    run->number = number;
    std::vector<TraceLane> lanes;
    for (const TraceLane& lane : from.trace.lanes) {
        lanes.push_back(lane);
        for (const LaneKind kind : {LaneKind::Send, LaneKind::CopyOut}) {
            TraceLane other;
            other.device = lane.device;
            other.kind = kind;
            for (const Span& span : lane.spans)
                if (span.task.work == (kind == LaneKind::Send ? Work::Forward : Work::Backward)) {
                    Span message = span;
                    message.task.work = kind == LaneKind::Send ? Work::Send : Work::Offload;
                    message.start = span.end;
                    message.end = span.end + millisecond / 3;
                    other.spans.push_back(message);
                }
            lanes.push_back(other);
        }
    }
    run->trace.lanes = std::move(lanes);
    return run;
}

void showLanes(MainWindow& window)
{
    std::vector<RunPtr> runs;
    for (const RunPtr& run : window.stack().runs())
        runs.push_back(withLanes(*run, run->number - 10));
    window.stack().setRuns(runs);
    window.stack().toggleLanes(0, 1);
    window.stack().toggleLanes(0, 2);
    window.stack().toggleLanes(1, 0);
    window.stack().togglePin(QStringLiteral("Device 3"));
}

void search(MainWindow& window)
{
    window.stack().openSearch();
    window.findChild<QLineEdit*>(QStringLiteral("searchText"))->setText(QStringLiteral("F3"));
    for (int turn = 0; turn < 200 && !window.stack().searchBar().countText().contains(QLatin1String("found")); ++turn)
        QApplication::processEvents(QEventLoop::AllEvents, 10);
    window.stack().goToMatch(true);
}

void selectRange(MainWindow& window)
{
    window.stack().range().setSelection({6 * millisecond, 15 * millisecond});
    Q_EMIT window.stack().rangeSelected();
}

void addNotes(MainWindow& window)
{
    TimelineStack& stack = window.stack();
    Q_EMIT stack.noteWritten({0, -1, {9 * millisecond, 9 * millisecond}}, QStringLiteral("steady state begins"));
    Q_EMIT stack.noteWritten({0, 2, {14 * millisecond, 18 * millisecond}},
                             QStringLiteral("stage 2 is late here, ask why"));
    stack.range().setSelection({22 * millisecond, 27 * millisecond});
    stack.run(TimelineCommand::Mark);
    stack.range().setSelection({});
    window.panels().setCurrentWidget(window.panels().panel<NotesPanel>());
}

void showHelp(MainWindow& window)
{
    for (QAction* menu : window.menuBar()->actions())
        for (QAction* action : menu->menu()->actions())
            if (action->shortcut() == QKeySequence(Qt::Key_Question))
                action->trigger();
}

void eightRuns(MainWindow& window)
{
    std::vector<RunPtr> runs;
    int number = -20;
    for (const char* recipe : {"1f1b", "gpipe", "zb-h1", "interleaved-1f1b", "1f1b", "gpipe", "zb-h1", "zb-h2"}) {
        Experiment experiment = window.workbench().draft().experimentFor(0);
        runs.push_back(predict(experiment, parseRecipe(recipe), --number));
    }
    window.stack().setRuns(runs);
    window.stack().setAlignment(Alignment::FirstBackward);
}

} // namespace

std::vector<ScreenshotState> timelineStates()
{
    const auto arrows = [](MainWindow& window) { pickBar(window, 0, 1, 3); };
    const auto palette = [](MainWindow& window) { openPalette(window); };
    const auto minimap = [](MainWindow& window) {
        window.stack().range().setVisible({12 * millisecond, 17 * millisecond});
    };
    return {
        {"lanes", false, &showLanes},
        {"lanes-dark", true, &showLanes},
        {"arrows", false, arrows},
        {"arrows-dark", true, arrows},
        {"search", false, &search},
        {"search-dark", true, &search},
        {"range", false, &selectRange},
        {"range-dark", true, &selectRange},
        {"minimap-zoomed", false, minimap},
        {"palette", false, palette},
        {"palette-dark", true, palette},
        {"help", false, &showHelp},
        {"help-dark", true, &showHelp},
        {"notes", false, &addNotes},
        {"notes-dark", true, &addNotes},
        {"eight-runs", false, &eightRuns},
        {"eight-runs-dark", true, &eightRuns},
    };
}

} // namespace bubblescope::viz
