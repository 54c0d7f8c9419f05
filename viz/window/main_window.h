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
#include "viz/edit/explainer.h"
#include "viz/edit/order_editor.h"
#include "viz/edit/what_if_panel.h"
#include "viz/form/experiment_form.h"
#include "viz/inspector/inspector.h"
#include "viz/panels/panel_tabs.h"
#include "viz/partition/partition_bar.h"
#include "viz/partition/partition_control.h"
#include "viz/runs/run_model.h"
#include "viz/theme/theme.h"
#include "viz/timeline/timeline_stack.h"
#include "viz/window/message_bar.h"

#include <QMainWindow>

class QComboBox;
class QLabel;
class QListView;
class QMenu;
class QPrinter;
class QProgressBar;
class QPushButton;
class QSpinBox;
class QSplitter;
class QStackedWidget;

namespace bubblescope::viz {

class Projector;
class Replay;

class MainWindow : public QMainWindow {
    Q_OBJECT

public:
    explicit MainWindow(QWidget* parent = nullptr);
    ~MainWindow() override;

    /// Layout and theme of the last time.
    void restore();

    /// Opens each document in a window of its own; "FILE.bscope:RUN" shows that run.
    void openFiles(const QStringList& addresses);

    /// Opens one in this window, whose document is given up.
    void openDocument(const QString& path, const std::vector<int>& runs = {});

    /// True when another document can take this window: nothing in it would be lost.
    bool replaceable() const;

    void execute();
    void cancelWork();
    void saveAs(const QString& path, const Workbench::Done& done = {});
    void setTheme(ThemeMode mode);

    /// Says what a program that died has left, with buttons to recover it.
    void offerRecovery();

    /// Settings that this window follows were changed.
    void useHabits();

    void printPdf(const QString& path);

    /// Shows or hides the panel that explains what is picked.
    void setDetailsShown(bool shown);

    Workbench& workbench() { return m_workbench; }

    Execution& execution() { return m_execution; }

    TimelineStack& stack() { return *m_stack; }

    PartitionBar& partitionBar() { return *m_partition; }

    PartitionControl& partitionControl() { return *m_partitionControl; }

    ExperimentForm& form() { return *m_form; }

    Inspector& inspector() { return *m_inspector; }

    WhatIfPanel& whatIf() { return *m_whatIf; }

    Explainer& explainer() { return *m_explainer; }

    OrderEditor& orderEditor() { return *m_orderEditor; }

    PanelTabs& panels() { return *m_panels; }

    QListView& runList() { return *m_runList; }

    MessageBar& messages() { return *m_messages; }

    Replay& replay() { return *m_replay; }

    Projector& projector() { return *m_projector; }

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

    // teaching.cpp
    void buildReplay();
    void buildReplayMenu();
    void buildProjector(QMenu& menu);

    // documents.cpp
    void newDocument();
    void openDialog();
    void save(const Workbench::Done& done = {});
    void saveAsDialog(const Workbench::Done& done);
    void recover(const std::vector<LeftWork>& left);
    void exportPicture();
    void printTo(QPrinter& printer);
    void printDialog();
    void printPdfDialog();

    /// Goes on at once when nothing would be lost, else after asking, and not at all when the answer is Cancel.
    void whenSaved(const std::function<void()>& next);

    // layout.cpp
    void keepLayout() const;
    void settingsDialog();

    void showProgress(double fraction, const QString& text);
    void hideProgress();
    void showRuns();
    void showTitle();
    void listMenu(const QPoint& position);

    Workbench m_workbench;
    Execution m_execution;
    RunModel m_runModel;
    TimelineStack* m_stack = nullptr;
    QStackedWidget* m_stackOrEmpty = nullptr;
    QLabel* m_empty = nullptr;
    PartitionBar* m_partition = nullptr;
    PartitionControl* m_partitionControl = nullptr;
    ExperimentForm* m_form = nullptr;
    Inspector* m_inspector = nullptr;
    WhatIfPanel* m_whatIf = nullptr;
    Explainer* m_explainer = nullptr;
    OrderEditor* m_orderEditor = nullptr;
    QWidget* m_details = nullptr; // the column that the inspector stands in
    PanelTabs* m_panels = nullptr;
    QListView* m_runList = nullptr;
    MessageBar* m_messages = nullptr;
    Replay* m_replay = nullptr;
    Projector* m_projector = nullptr;
    QPushButton* m_replayButton = nullptr;
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
    bool m_closing = false; ///< the person has answered
};

} // namespace bubblescope::viz
