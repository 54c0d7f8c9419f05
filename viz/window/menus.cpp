// The menus, and the two boxes of Help.

#include "viz/charts/custom_plot.h"
#include "viz/runs/step_menu.h"
#include "viz/timeline/timeline_stack.h"
#include "viz/window/key_help.h"
#include "viz/window/main_window.h"
#include "viz/window/settings.h"
#include "viz/window/timeline_menu.h"
#include "viz/window/windows.h"

#include <QActionGroup>
#include <QApplication>
#include <QDialog>
#include <QDialogButtonBox>
#include <QFileInfo>
#include <QLabel>
#include <QMenuBar>
#include <QPushButton>
#include <QVBoxLayout>

namespace bubblescope::viz {
namespace {

void showText(QWidget* parent, const QString& title, const QString& html)
{
    QDialog dialog(parent);
    dialog.setWindowTitle(title);
    auto* column = new QVBoxLayout(&dialog);
    auto* text = new QLabel(html);
    text->setTextFormat(Qt::RichText);
    text->setTextInteractionFlags(Qt::TextBrowserInteraction);
    text->setOpenExternalLinks(true);
    text->setWordWrap(true);
    text->setMinimumWidth(parent->fontMetrics().height() * 30);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close);
    QObject::connect(buttons, &QDialogButtonBox::rejected, &dialog, &QDialog::reject);
    column->addWidget(text);
    column->addWidget(buttons);
    dialog.exec();
}

} // namespace

void MainWindow::buildMenus()
{
    buildFileMenu();
    auto* edit = menuBar()->addMenu(tr("&Edit"));
    QAction* undo = m_workbench.undoStack().createUndoAction(this, tr("Undo"));
    undo->setShortcut(QKeySequence::Undo);
    QAction* redo = m_workbench.undoStack().createRedoAction(this, tr("Redo"));
    redo->setShortcut(QKeySequence::Redo);
    edit->addActions({undo, redo});
    addTimelineEditActions(*this, *edit);
    edit->addSeparator();
    m_orderEditor->addTo(*edit);
    edit->addSeparator();
    edit->addAction(tr("&Settings …"), QKeySequence(Qt::CTRL | Qt::Key_Comma), this, &MainWindow::settingsDialog);
    buildRunMenu();
    buildViewMenu();
    buildReplayMenu();
    buildHelpMenu();
}

void MainWindow::buildFileMenu()
{
    auto* menu = menuBar()->addMenu(tr("&File"));
    menu->addAction(tr("&New"), QKeySequence(QKeySequence::New), this, &MainWindow::newDocument);
    menu->addAction(tr("New &window"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N), this, [] { newWindow(); });
    menu->addAction(tr("&Open …"), QKeySequence(QKeySequence::Open), this, &MainWindow::openDialog);
    m_recent = menu->addMenu(tr("Open &recent"));
    connect(m_recent, &QMenu::aboutToShow, this, &MainWindow::fillRecent);
    menu->addSeparator();
    // Runs are stored when they are made; saving stores what was edited.
    menu->addAction(tr("&Save"), QKeySequence(QKeySequence::Save), this, [this] { save(); });
    menu->addAction(tr("Save &as …"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_S), this,
                    [this] { saveAsDialog({}); });
    menu->addAction(tr("Recover &unsaved work"), this, &MainWindow::offerRecovery);
    menu->addSeparator();
    menu->addAction(tr("&Export picture …"), QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_E), this,
                    &MainWindow::exportPicture);
    menu->addAction(tr("&Print …"), QKeySequence(Qt::CTRL | Qt::ALT | Qt::Key_P), this, &MainWindow::printDialog);
    menu->addAction(tr("Print to P&DF …"), this, &MainWindow::printPdfDialog);
    menu->addSeparator();
    menu->addAction(tr("&Close window"), QKeySequence(QKeySequence::Close), this, &QWidget::close);
    menu->addAction(tr("&Quit"), QKeySequence(QKeySequence::Quit), qApp, &QApplication::closeAllWindows);
}

void MainWindow::fillRecent()
{
    m_recent->clear();
    for (const QString& path : settings::recentFiles())
        m_recent->addAction(QFileInfo(path).fileName() + QStringLiteral("  –  ") + QFileInfo(path).absolutePath(), this,
                            [this, path] { openFiles({path}); });
    if (m_recent->isEmpty())
        m_recent->addAction(tr("Nothing opened yet"))->setEnabled(false);
}

void MainWindow::buildRunMenu()
{
    auto* menu = menuBar()->addMenu(tr("&Run"));
    menu->addAction(tr("&Simulate"), QKeySequence(Qt::CTRL | Qt::Key_R), m_simulate, &QPushButton::click);
    menu->addAction(tr("&Execute"), QKeySequence(Qt::CTRL | Qt::Key_E), m_execute, &QPushButton::click);
    menu->addAction(tr("&Cancel"), QKeySequence(Qt::CTRL | Qt::Key_Period), this, &MainWindow::cancelWork);
    menu->addSeparator();
    menu->addAction(tr("&Balance the partition"), QKeySequence(Qt::CTRL | Qt::Key_B), m_partition,
                    &PartitionBar::balanceAsked);
    menu->addMenu(&m_partitionControl->menu());
    menu->addSeparator();
    addStepActions(*menu, m_workbench);
}

void MainWindow::buildViewMenu()
{
    auto* menu = menuBar()->addMenu(tr("&View"));
    RangeController& range = m_stack->range();
    const auto zoom = [&range](double factor) {
        return [&range, factor] { range.zoom(range.visible().begin + range.visible().length() / 2, factor); };
    };
    menu->addAction(tr("Zoom &in"), QKeySequence(QKeySequence::ZoomIn), this, zoom(1.5));
    menu->addAction(tr("Zoom &out"), QKeySequence(QKeySequence::ZoomOut), this, zoom(1 / 1.5));
    menu->addAction(tr("&Fit everything"), QKeySequence(Qt::CTRL | Qt::Key_0), this, [&range] { range.showAll(); });
    addTimelineViewActions(*this, *menu);
    menu->addSeparator();
    auto* critical = menu->addAction(tr("&Critical path"));
    critical->setCheckable(true);
    critical->setObjectName(QStringLiteral("criticalPath"));
    connect(critical, &QAction::toggled, m_stack, &TimelineStack::setCriticalPathShown);
    auto* lanes = menu->addAction(tr("Communication and copy &lanes"));
    lanes->setCheckable(true);
    lanes->setObjectName(QStringLiteral("allLanes"));
    connect(lanes, &QAction::toggled, m_stack, &TimelineStack::setAllLanes);
    buildColourMenu(*menu);
    auto* frameTime = menu->addAction(tr("&Time of each frame"));
    frameTime->setCheckable(true);
    connect(frameTime, &QAction::toggled, m_stack, &TimelineStack::setFrameTimeShown);
    buildProjector(*menu);
    menu->addSeparator();
    auto* themes = new QActionGroup(this);
    const std::pair<ThemeMode, QString> modes[] = {{ThemeMode::System, tr("Colours of the &system")},
                                                   {ThemeMode::Light, tr("Li&ght")},
                                                   {ThemeMode::Dark, tr("&Dark")}};
    for (const auto& [mode, text] : modes) {
        QAction* action = menu->addAction(text, this, [this, mode = mode] { setTheme(mode); });
        action->setCheckable(true);
        action->setChecked(settings::themeMode() == mode);
        themes->addAction(action);
    }
}

void MainWindow::buildColourMenu(QMenu& view)
{
    auto* menu = view.addMenu(tr("Colour b&y"));
    auto* group = new QActionGroup(this);
    const std::pair<ColourBy, QString> ways[] = {{ColourBy::Work, tr("&Work")},
                                                 {ColourBy::Microbatch, tr("&Microbatch")},
                                                 {ColourBy::Chunk, tr("&Chunk of the device")}};
    for (const auto& [by, text] : ways) {
        QAction* action = menu->addAction(text, this, [this, by = by] { m_stack->setColouring({by, {}, 0}); });
        action->setCheckable(true);
        action->setChecked(by == ColourBy::Work);
        group->addAction(action);
    }
}

void MainWindow::buildHelpMenu()
{
    auto* menu = menuBar()->addMenu(tr("&Help"));
    menu->addAction(tr("&Keys"), QKeySequence(Qt::Key_Question), this, &MainWindow::showKeys);
    menu->addAction(tr("&About Bubblescope"), this, &MainWindow::showAbout);
}

void MainWindow::showKeys()
{
    (new KeyHelp(this, keyGroups(*menuBar(), *this)))->show();
}

void MainWindow::showAbout()
{
    showText(this, tr("About Bubblescope"),
             tr("<h3>Bubblescope %1</h3>"
                "<p>Shows where the time and the memory of pipeline-parallel training go.</p>"
                "<p>The project is licensed under the Apache License 2.0. This program, bubblescope-ui, links "
                "QCustomPlot (GPL-3.0-or-later) and Qt, "
                "so this binary is distributed under the <a href='https://www.gnu.org/licenses/gpl-3.0.html'>GNU "
                "General Public License, version 3 or later</a>, "
                "without any warranty. The command line links neither.</p>"
                "<p>Qt %2 · QCustomPlot %3</p>")
                 .arg(QApplication::applicationVersion(), QString::fromLatin1(qVersion()),
                      QStringLiteral(QCUSTOMPLOT_VERSION_STR)));
}

} // namespace bubblescope::viz
