#include "viz/window/windows.h"

#include "core/base/error.h"
#include "core/trace/document.h"
#include "viz/window/main_window.h"

#include <QApplication>
#include <QFileInfo>

namespace bubblescope::viz {
namespace {

/// The runs of one document that were asked for.
struct Wanted {
    QString path;
    std::vector<int> runs;
};

QString realPath(const QString& path)
{
    const QString real = QFileInfo(path).canonicalFilePath();
    return real.isEmpty() ? QFileInfo(path).absoluteFilePath() : real;
}

std::vector<Wanted> wantedOf(const QStringList& addresses)
{
    std::vector<Wanted> all;
    for (const QString& text : addresses) {
        const RunAddress address = parseRunAddress(text.toStdString());
        const QString path = QString::fromStdString(address.path);
        auto found = std::find_if(all.begin(), all.end(),
                                  [&path](const Wanted& other) { return realPath(other.path) == realPath(path); });
        if (found == all.end())
            found = all.insert(all.end(), {path, {}});
        if (address.run)
            found->runs.push_back(*address.run);
    }
    return all;
}

void bringToFront(MainWindow& window)
{
    window.setWindowState(window.windowState() & ~Qt::WindowMinimized);
    window.show();
    window.raise();
    window.activateWindow();
}

} // namespace

std::vector<MainWindow*> openWindows()
{
    std::vector<MainWindow*> windows;
    for (QWidget* widget : QApplication::topLevelWidgets())
        if (auto* window = qobject_cast<MainWindow*>(widget))
            windows.push_back(window);
    return windows;
}

MainWindow* newWindow()
{
    auto* window = new MainWindow;
    window->setAttribute(Qt::WA_DeleteOnClose);
    window->restore();
    if (const auto others = openWindows(); others.size() > 1) {
        const int line = window->fontMetrics().height();
        window->move(others.front()->pos() + QPoint(line * 2, line * 2));
    }
    window->show();
    return window;
}

MainWindow* windowShowing(const QString& path)
{
    for (MainWindow* window : openWindows())
        if (!window->workbench().temporary() && realPath(window->workbench().path()) == realPath(path))
            return window;
    return nullptr;
}

void openInWindows(MainWindow& first, const QStringList& addresses)
{
    std::vector<Wanted> wanted;
    try {
        wanted = wantedOf(addresses);
    } catch (const Error& error) {
        first.messages().say(QString::fromUtf8(error.what()));
        return;
    }
    bool free = first.replaceable();
    for (const Wanted& document : wanted) {
        if (MainWindow* window = windowShowing(document.path)) {
            bringToFront(*window);
            if (!document.runs.empty())
                window->workbench().setShown(document.runs);
            continue;
        }
        MainWindow* window = free ? &first : newWindow();
        free = false;
        window->openDocument(document.path, document.runs);
    }
}

} // namespace bubblescope::viz
