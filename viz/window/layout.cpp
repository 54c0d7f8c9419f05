// What a window remembers of itself: its place, its splitters, the tab in front, the switches of the View menu.

#include "viz/window/language.h"
#include "viz/window/main_window.h"
#include "viz/window/settings.h"
#include "viz/window/settings_dialog.h"
#include "viz/window/windows.h"

#include <QApplication>
#include <QComboBox>
#include <QMenuBar>
#include <QSpinBox>
#include <QSplitter>

namespace bubblescope::viz {
namespace {

/// Switches that have a name of their own are remembered; what is checked among several isn't a switch.
std::vector<QAction*> namedSwitches(const QMainWindow& window)
{
    std::vector<QAction*> switches;
    for (const QAction* top : window.menuBar()->actions())
        if (top->menu())
            for (QAction* action : top->menu()->actions())
                if (action->isCheckable() && !action->actionGroup() && !action->objectName().isEmpty())
                    switches.push_back(action);
    return switches;
}

std::vector<QSplitter*> namedSplitters(const QMainWindow& window)
{
    std::vector<QSplitter*> splitters;
    for (QSplitter* splitter : window.findChildren<QSplitter*>())
        if (!splitter->objectName().isEmpty())
            splitters.push_back(splitter);
    return splitters;
}

} // namespace

void MainWindow::keepLayout() const
{
    settings::setLayout("window", saveGeometry());
    for (const QSplitter* splitter : namedSplitters(*this))
        settings::setLayout(qPrintable(splitter->objectName()), splitter->saveState());
    settings::setLayout("tab", QByteArray::number(m_panels->currentIndex()));
    for (const QAction* action : namedSwitches(*this))
        settings::setShown(action->objectName(), action->isChecked());
}

void MainWindow::restore()
{
    applyTheme(settings::themeMode());
    restoreGeometry(settings::layout("window"));
    for (QSplitter* splitter : namedSplitters(*this))
        splitter->restoreState(settings::layout(qPrintable(splitter->objectName())));
    if (const int tab = settings::layout("tab").toInt(); tab < m_panels->count())
        m_panels->setCurrentIndex(tab);
    for (QAction* action : namedSwitches(*this))
        action->setChecked(settings::shown(action->objectName(), action->isChecked()));
    m_backend->setCurrentIndex(std::max(0, m_backend->findData(settings::backend())));
    m_steps->setValue(settings::steps());
    m_stack->setAlignment(static_cast<Alignment>(std::clamp(settings::number("alignment", 0), 0, 3)));
    useHabits();
}

void MainWindow::useHabits()
{
    m_workbench.autosave().setInterval(settings::autosaveSeconds() * 1000);
    m_stack->setWheelZooms(settings::wheelZooms());
}

void MainWindow::setTheme(ThemeMode mode)
{
    applyTheme(mode);
    settings::setThemeMode(mode);
    for (const MainWindow* window : openWindows())
        for (QWidget* widget : window->findChildren<QWidget*>())
            widget->update();
}

void MainWindow::settingsDialog()
{
    SettingsDialog dialog(this);
    const QString language = settings::language();
    connect(&dialog, &SettingsDialog::changed, this, [this, language] {
        setTheme(settings::themeMode());
        for (MainWindow* window : openWindows())
            window->useHabits();
        if (settings::language() != language) {
            useLanguage(settings::language());
            m_messages->say(tr("New windows speak the language you chose; this one keeps its own."),
                            {{tr("New window"), [] { newWindow(); }}});
        }
    });
    dialog.exec();
}

} // namespace bubblescope::viz
