#include "viz/window/screenshots.h"

#include "viz/panels/bubble_panel.h"
#include "viz/panels/compare_panel.h"
#include "viz/panels/kernel_panel.h"
#include "viz/panels/link_panel.h"
#include "viz/panels/memory_panel.h"
#include "viz/panels/pareto_panel.h"
#include "viz/panels/runs_panel.h"
#include "viz/panels/sweep_panel.h"
#include "viz/panels/theory_panel.h"
#include "viz/replay/replay.h"
#include "viz/window/edit_screenshots.h"
#include "viz/window/language.h"
#include "viz/window/main_window.h"
#include "viz/window/projector.h"
#include "viz/window/screenshot_states.h"
#include "viz/window/settings_dialog.h"

#include <QApplication>
#include <QDialog>
#include <QDir>
#include <QElapsedTimer>
#include <QFileInfo>
#include <QImageWriter>
#include <QPainter>
#include <QThread>

#include <functional>

namespace bubblescope::viz {
namespace {

/// Lets background work and painting finish.
void settle(MainWindow& window)
{
    QElapsedTimer timer;
    timer.start();
    const auto busy = [&window] {
        const auto jobs = window.findChildren<BackgroundJob*>();
        return window.workbench().predicting() || window.workbench().jobs().busy() ||
               window.workbench().jobs().reading() ||
               std::any_of(jobs.begin(), jobs.end(), [](const BackgroundJob* job) { return job->running(); });
    };
    while ((busy() && timer.elapsed() < 30'000) || timer.elapsed() < 150) {
        QApplication::processEvents();
        QApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete); // no event loop runs that would
        QThread::msleep(5);
    }
}

/// Picks the longest gap of a device in the run of a slot.
void pickGap(MainWindow& window, int slot, std::size_t row, std::size_t gap)
{
    TimelineView& view = *window.stack().views()[static_cast<std::size_t>(slot)];
    if (view.picture().rows.size() <= row || view.picture().rows[row].gaps.size() <= gap)
        return;
    const Pick pick{Pick::Kind::Gap, static_cast<int>(row), static_cast<int>(gap)};
    view.setPicked(pick);
    Q_EMIT view.pickChanged(pick);
}

using State = ScreenshotState;

/// The window with the dialogs that stand before it.
QImage pictureOf(MainWindow& window)
{
    QPixmap picture = window.grab();
    for (auto* dialog : window.findChildren<QDialog*>()) {
        if (!dialog->isVisible())
            continue;
        QPainter painter(&picture);
        const QPoint place((window.width() - dialog->width()) / 2, (window.height() - dialog->height()) / 3);
        painter.drawPixmap(place, dialog->grab());
        painter.setPen(currentTheme().border);
        painter.drawRect(QRect(place, dialog->size()));
    }
    QWidget* popup = QApplication::activePopupWidget();
    if (popup && !qobject_cast<QDialog*>(popup)) { // a window of its own
        QPainter(&picture).drawPixmap(window.mapFromGlobal(popup->pos()), popup->grab());
        popup->close();
    }
    return picture.toImage().convertToFormat(QImage::Format_RGB32);
}

void showSettings(MainWindow& window)
{
    auto* dialog = new SettingsDialog(&window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

void sayRecovery(MainWindow& window)
{
    window.messages().say(MainWindow::tr("Bubblescope ended unexpectedly while this wasn't saved: %1.")
                              .arg(QStringLiteral("untitled of 30/11/2026 18:40, demo.bscope of 30/11/2026 18:12")),
                          {{MainWindow::tr("Recover"), [] {}}, {MainWindow::tr("Discard"), [] {}}});
}

void change(MainWindow& window, const std::function<void(Draft&)>& how)
{
    Draft draft = window.workbench().draft();
    how(draft);
    window.workbench().edit(draft, QStringLiteral("arrange"));
    settle(window);
}

/// Brings a tab to the front, and its work to an end.
template <class Panel>
Panel& front(MainWindow& window)
{
    auto* panel = window.panels().panel<Panel>();
    window.panels().setCurrentWidget(panel);
    settle(window);
    return *panel;
}

template <class Panel>
void showPanel(MainWindow& window)
{
    front<Panel>(window);
}

/// 64 devices and 8 shown runs, with a panel in front.
template <class Panel>
void showMuch(MainWindow& window)
{
    change(window, [](Draft& draft) {
        draft.common.stages = 64;
        draft.common.microbatches = 128;
        draft.common.model.layers = 128;
        draft.common.comm = 0.1;
        draft.common.memoryLimit = 96;
    });
    for (int copies = 0; copies < 3; ++copies)
        window.workbench().keepPredictions();
    settle(window); // stored in the background: shown before, they wouldn't be there
    window.workbench().setShown({Workbench::draftA, Workbench::draftB, 1, 2, 3, 4, 5, 6});
    settle(window);
    front<Panel>(window);
}

/// One device, one microbatch.
template <class Panel>
void showLittle(MainWindow& window)
{
    change(window, [](Draft& draft) {
        draft.common.stages = 1;
        draft.common.microbatches = 1;
    });
    front<Panel>(window);
}

/// The states of the tabs below the timelines.
void addPanelStates(std::vector<State>& states)
{
    const auto add = [&states](const char* name, bool dark, std::function<void(MainWindow&)> arrange) {
        states.push_back({name, dark, std::move(arrange)});
    };
    add("bubbles-much", false, &showMuch<BubblePanel>);
    add("memory-limit", true, [](MainWindow& window) {
        change(window, [](Draft& draft) { draft.common.memoryLimit = 3; });
        front<MemoryPanel>(window);
    });
    add("memory-much", false, &showMuch<MemoryPanel>);
    add("compare", false, [](MainWindow& window) {
        HeatChart& map = front<ComparePanel>(window).map();
        map.clickAt(map.centreOf(0, 4));
    });
    add("compare-dark", true, &showPanel<ComparePanel>);
    add("compare-much", false, &showMuch<ComparePanel>);
    add("compare-little", false, &showLittle<ComparePanel>);
    add("theory-dark", true, &showPanel<TheoryPanel>);
    add("runs", false, [](MainWindow& window) {
        window.workbench().keepPredictions();
        settle(window);
        front<RunsPanel>(window);
    });
    add("runs-much-dark", true, &showMuch<RunsPanel>);
    add("sweep", false, &showPanel<SweepPanel>);
    add("sweep-dark", true, &showPanel<SweepPanel>);
    add("sweep-little", false, &showLittle<SweepPanel>);
    add("pareto", false, &showPanel<ParetoPanel>);
    add("pareto-dark", true, [](MainWindow& window) {
        change(window, [](Draft& draft) { draft.common.memoryLimit = 6; });
        front<ParetoPanel>(window);
    });
    add("links", false, [](MainWindow& window) {
        change(window, [](Draft& draft) { draft.common.comm = 0.3; });
        front<LinkPanel>(window);
    });
    add("links-much-dark", true, &showMuch<LinkPanel>);
    add("links-little", false, &showLittle<LinkPanel>);
    add("kernels", false, &showPanel<KernelPanel>);
    add("kernels-dark", true, &showPanel<KernelPanel>);
}

std::vector<State> states()
{
    const auto large = [](Draft& draft) {
        draft.common.stages = 16;
        draft.common.microbatches = 128;
        draft.common.model.layers = 64;
    };
    const auto replay = [](MainWindow& window) {
        window.replay().open();
        const TimeRange whole = window.replay().player().range();
        window.replay().player().seek(whole.begin + whole.length() * 46 / 100);
    };
    std::vector<State> all{
        {"main-window", false,
         [](MainWindow& window) {
             pickGap(window, 1, 0, 0);
             window.stack().range().setCursor(17'400'000);
         }},
        {"main-window-dark", true, [](MainWindow& window) { pickGap(window, 0, 0, 1); }},
        {"memory", false, &showPanel<MemoryPanel>},
        {"theory", false, &showPanel<TheoryPanel>},
        {"zoomed", false,
         [](MainWindow& window) {
             window.stack().range().setVisible({3'000'000, 9'000'000});
         }},
        {"suggestions", false, arrangeSuggestions},
        {"suggestions-dark", true, arrangeSuggestions},
        {"placement", false, arrangePlacement},
        {"partition-menu", false, arrangePartitionMenu},
        {"partition-v", false, arrangeV},
        {"partition-both-ways-dark", true, arrangeBidirectional},
        {"order", false, arrangeOrder},
        {"order-problem", false, arrangeOrderProblem},
        {"order-problem-dark", true, arrangeOrderProblem},
        {"large", false, [large](MainWindow& window) { change(window, large); }},
        {"large-dark", true, [large](MainWindow& window) { change(window, large); }},
        {"replay", false, replay},
        {"replay-dark", true, replay},
        {"replay-large", false,
         [large, replay](MainWindow& window) {
             change(window, large);
             replay(window);
         }},
        {"projector", false,
         [replay](MainWindow& window) {
             replay(window);
             window.projector().setOn(true);
             window.setWindowState(Qt::WindowNoState); // the screen of a picture is small
             window.resize(1400, 880);
         }},
        {"projector-dark", true,
         [replay](MainWindow& window) {
             replay(window);
             window.projector().setOn(true);
             window.setWindowState(Qt::WindowNoState); // the screen of a picture is small
             window.resize(1400, 880);
         }},
        {"little", false,
         [](MainWindow& window) {
             change(window, [](Draft& draft) {
                 draft.common.stages = 1;
                 draft.common.microbatches = 1;
             });
         }},
        {"form-error", false,
         [](MainWindow& window) {
             change(window, [](Draft& draft) {
                 draft.schedule[1] = parseRecipe("interleaved-1f1b");
                 draft.common.microbatches = 6;
             });
         }},
        {"settings", false, showSettings},
        {"settings-dark", true, showSettings},
        {"recovery", false, sayRecovery},
        {"german", false, [](MainWindow& window) { pickGap(window, 1, 0, 0); }, QStringLiteral("de")},
        {"nothing", false,
         [](MainWindow& window) {
             change(window, [](Draft& draft) { draft.common.cost = "F="; });
             window.messages().say(
                 QStringLiteral("missing.bscope doesn't exist. Choose another document with Ctrl+O."));
         }},
    };
    addPanelStates(all);
    return all;
}

/// The window with a document, as soon as all of it is there.
std::vector<State> documentStates(const QStringList& documents)
{
    std::vector<State> all;
    for (const QString& path : documents)
        for (const bool dark : {false, true}) {
            const auto open = [path](MainWindow& window) {
                window.workbench().open(path);
                settle(window);
            };
            all.push_back(
                {QFileInfo(path).completeBaseName() + (dark ? QStringLiteral("-dark") : QString()), dark, open});
        }
    return all;
}

bool write(const QImage& picture, const QString& folder, const QString& name)
{
    QDir().mkpath(folder);
    QImageWriter writer(QDir(folder).filePath(name + QStringLiteral(".png")), "PNG");
    writer.setCompression(100);
    if (writer.write(picture))
        return true;
    qWarning("%s", qPrintable(writer.errorString()));
    return false;
}

} // namespace

int writeScreenshots(const QString& folder, const QStringList& documents)
{
    std::vector<State> all = documents.isEmpty() ? states() : documentStates(documents);
    if (documents.isEmpty())
        for (State& state : timelineStates())
            all.push_back(std::move(state));
    for (const State& state : all) {
        applyTheme(state.dark ? ThemeMode::Dark : ThemeMode::Light);
        useLanguage(state.language);
        MainWindow window;
        window.resize(1400, 880);
        window.show();
        settle(window);
        state.arrange(window);
        settle(window);
        const QImage picture = pictureOf(window);
        if (!write(picture, folder, state.name) ||
            !write(picture.convertToFormat(QImage::Format_Grayscale8), folder + QStringLiteral("/grey"), state.name))
            return 1;
    }
    return 0;
}

} // namespace bubblescope::viz
