// The window: panels around the timelines, and who tells whom.
//
//     ┌ menu, tools ─────────────────────────────────────┐
//     │ form      │ partition bar              │ inspec- │     form, partition bar ──► Workbench (draft)
//     │           │ timelines A, B, …          │ tor     │     Workbench ──► timelines, charts, run list
//     │ runs      │ charts                     │         │     timelines ──pick──► inspector
//     └ status ──────────────────────────────────────────┘     Execution ──► Workbench (live, stored)

#pragma once

#include "viz/document/execution.h"
#include "viz/document/workbench.h"
#include "viz/form/experiment_form.h"
#include "viz/inspector/inspector.h"
#include "viz/panels/panel_tabs.h"
#include "viz/partition/partition_bar.h"
#include "viz/runs/run_model.h"
#include "viz/theme/theme.h"
#include "viz/timeline/timeline_stack.h"
#include "viz/window/message_bar.h"

#include <QMainWindow>

class QComboBox;
class QLabel;
class QListView;
class QMenu;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QSplitter;
class QStackedWidget;

namespace bubblescope::viz {

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Layout and theme of the last time.
    void restore();

    /// Opens the first document; "FILE.bscope:RUN" shows that run. More files are said to need a window each.
    void openFiles(const QStringList& addresses);

    void execute();
    bool saveAs(const QString& path);
    void setTheme(ThemeMode mode);

    Workbench& workbench() { return m_workbench; }

    Execution& execution() { return m_execution; }

    TimelineStack& stack() { return *m_stack; }

    PartitionBar& partitionBar() { return *m_partition; }

    ExperimentForm& form() { return *m_form; }

    Inspector& inspector() { return *m_inspector; }

    PanelTabs& panels() { return *m_panels; }

    QListView& runList() { return *m_runList; }

    MessageBar& messages() { return *m_messages; }

protected:
    void closeEvent(QCloseEvent* event) override;
    void dragEnterEvent(QDragEnterEvent* event) override;
    void dropEvent(QDropEvent* event) override;

private:
    void buildTools();
    void buildPanels();
    QWidget* buildLeft();
    QWidget* buildCentre();
    void connectParts();
    void connectExecution();

    // menus.cpp
    void buildMenus();
    void buildFileMenu();
    void buildViewMenu();
    void buildColourMenu(QMenu& view);
    void buildRunMenu();
    void buildHelpMenu();
    void fillRecent();
    void showKeys();
    void showAbout();

    // documents.cpp
    void newDocument();
    void openDialog();
    bool saveAsDialog();
    void exportPicture();
    bool mayDiscard();

    void showRuns();
    void showDraft();
    void showPick(const StackPick& pick);
    void showTitle();
    void listMenu(const QPoint& position);

    Workbench m_workbench;
    Execution m_execution;
    RunModel m_runModel;
    TimelineStack* m_stack = nullptr;
    QStackedWidget* m_stackOrEmpty = nullptr;
    QLabel* m_empty = nullptr;
    PartitionBar* m_partition = nullptr;
    ExperimentForm* m_form = nullptr;
    Inspector* m_inspector = nullptr;
    PanelTabs* m_panels = nullptr;
    QListView* m_runList = nullptr;
    MessageBar* m_messages = nullptr;
    QSplitter* m_columns = nullptr;
    QSplitter* m_rows = nullptr;
    QPushButton* m_simulate = nullptr;
    QPushButton* m_execute = nullptr;
    QComboBox* m_backend = nullptr;
    QSpinBox* m_steps = nullptr;
    QAction* m_progressPanel = nullptr;
    QLabel* m_progressText = nullptr;
    QProgressBar* m_progress = nullptr;
    QLabel* m_statusName = nullptr;
    QMenu* m_recent = nullptr;
};

} // namespace bubblescope::viz
