#include "viz/window/screenshots.h"

#include "viz/window/main_window.h"

#include <QApplication>
#include <QDir>
#include <QElapsedTimer>
#include <QImageWriter>
#include <QThread>

#include <functional>

namespace bubblescope::viz {
namespace {

/// Lets background work and painting finish.
void settle(MainWindow& window)
{
    QElapsedTimer timer;
    timer.start();
    while ((window.workbench().predicting() && timer.elapsed() < 10'000) || timer.elapsed() < 150) {
        QApplication::processEvents();
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

struct State {
    const char* name;
    bool dark;
    std::function<void(MainWindow&)> arrange;
};

void change(MainWindow& window, const std::function<void(Draft&)>& how)
{
    Draft draft = window.workbench().draft();
    how(draft);
    window.workbench().edit(draft, QStringLiteral("arrange"));
    settle(window);
}

std::vector<State> states()
{
    const auto large = [](Draft& draft) {
        draft.common.stages = 16;
        draft.common.microbatches = 128;
        draft.common.model.layers = 64;
    };
    return {
        {"main-window", false,
         [](MainWindow& window) {
             pickGap(window, 1, 0, 0);
             window.stack().range().setCursor(17'400'000);
         }},
        {"main-window-dark", true, [](MainWindow& window) { pickGap(window, 0, 0, 1); }},
        {"memory", false, [](MainWindow& window) { window.panels().setCurrentIndex(1); }},
        {"theory", false, [](MainWindow& window) { window.panels().setCurrentIndex(2); }},
        {"zoomed", false,
         [](MainWindow& window) {
             window.stack().range().setVisible({3'000'000, 9'000'000});
         }},
        {"large", false, [large](MainWindow& window) { change(window, large); }},
        {"large-dark", true, [large](MainWindow& window) { change(window, large); }},
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
        {"nothing", false,
         [](MainWindow& window) {
             change(window, [](Draft& draft) { draft.common.cost = "F="; });
             window.messages().say(
                 QStringLiteral("missing.bscope doesn't exist. Choose another document with Ctrl+O."));
         }},
    };
}

} // namespace

int writeScreenshots(const QString& folder)
{
    QDir().mkpath(folder);
    for (const State& state : states()) {
        applyTheme(state.dark ? ThemeMode::Dark : ThemeMode::Light);
        MainWindow window;
        window.resize(1400, 880);
        window.show();
        settle(window);
        state.arrange(window);
        settle(window);
        QImageWriter writer(QDir(folder).filePath(QLatin1String(state.name) + QStringLiteral(".png")), "PNG");
        writer.setCompression(100);
        const QImage image = window.grab().toImage().convertToFormat(QImage::Format_RGB32);
        if (!writer.write(image)) {
            qWarning("%s", qPrintable(writer.errorString()));
            return 1;
        }
    }
    return 0;
}

} // namespace bubblescope::viz
