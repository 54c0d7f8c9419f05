#include "viz/window/main_window.h"

#include "core/trace/document.h"
#include "viz/panels/all_panels.h"
#include "viz/replay/replay.h"
#include "viz/run/core_text.h"
#include "viz/runs/step_menu.h"
#include "viz/timeline/time_text.h"
#include "viz/window/settings.h"

#include <QApplication>
#include <QCloseEvent>
#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QListView>
#include <QMenu>
#include <QProgressBar>
#include <QPushButton>
#include <QScrollArea>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QStatusBar>
#include <QToolBar>
#include <QVBoxLayout>

namespace bubblescope::viz {
namespace {

QWidget* panel(const char* surface)
{
    auto* widget = new QWidget;
    widget->setProperty("surface", surface);
    widget->setAttribute(Qt::WA_StyledBackground);
    return widget;
}

} // namespace

MainWindow::MainWindow(QWidget* parent) : QMainWindow(parent), m_runModel(m_workbench)
{
    setObjectName(QStringLiteral("mainWindow"));
    setAcceptDrops(true);
    buildTools();
    buildPanels();
    buildMenus();
    connectParts();
    connectExecution();
    buildReplay();
    showRuns();
    showTitle();
    const int line = fontMetrics().height();
    resize(line * 92, line * 58);
    m_stack->setFocus();
}

MainWindow::~MainWindow() = default;

void MainWindow::buildTools()
{
    auto* bar = addToolBar(tr("Tools"));
    bar->setObjectName(QStringLiteral("tools"));
    bar->setMovable(false);
    bar->setContextMenuPolicy(Qt::PreventContextMenu);
    m_simulate = new QPushButton(tr("Simulate"));
    m_simulate->setToolTip(tr("Keep the predictions of A and B as runs of the document (Ctrl+R)"));
    m_execute = new QPushButton(tr("▶  Execute"));
    m_execute->setProperty("primary", true);
    m_execute->setToolTip(tr("Really run the schedules and put the measurement beside the prediction (Ctrl+E)"));
    m_replayButton = new QPushButton(tr("Replay"));
    m_replayButton->setObjectName(QStringLiteral("replay"));
    m_replayButton->setCheckable(true);
    m_backend = new QComboBox;
    m_backend->setObjectName(QStringLiteral("backend"));
    m_backend->addItem(tr("CPU · real model"), QStringLiteral("cpu"));
    m_backend->addItem(tr("Paced · modelled times"), QStringLiteral("paced"));
    m_backend->setAccessibleName(tr("Backend"));
    m_steps = new QSpinBox;
    m_steps->setObjectName(QStringLiteral("steps"));
    m_steps->setRange(1, 10'000);
    m_steps->setValue(3);
    m_steps->setAccessibleName(tr("Steps"));
    for (QPushButton* widget : {m_simulate, m_execute, m_replayButton})
        bar->addWidget(widget);
    const auto caption = [bar](const QString& text) {
        auto* label = new QLabel(text);
        label->setProperty("role", "muted");
        label->setContentsMargins(14, 0, 4, 0);
        bar->addWidget(label);
    };
    caption(tr("Backend"));
    bar->addWidget(m_backend);
    caption(tr("Steps"));
    bar->addWidget(m_steps);
    auto* gap = new QWidget;
    gap->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    bar->addWidget(gap);
    auto* panelOfProgress = new QWidget;
    auto* row = new QHBoxLayout(panelOfProgress);
    row->setContentsMargins(0, 0, 0, 0);
    m_progressText = new QLabel;
    m_progressText->setProperty("role", "muted");
    m_progress = new QProgressBar;
    m_progress->setTextVisible(false);
    m_progress->setFixedWidth(fontMetrics().height() * 14);
    m_progress->setAccessibleName(tr("Progress"));
    auto* cancel = new QPushButton(tr("Cancel"));
    cancel->setObjectName(QStringLiteral("cancel"));
    cancel->setProperty("flat", true);
    connect(cancel, &QPushButton::clicked, this, &MainWindow::cancelWork);
    row->addWidget(m_progressText);
    row->addWidget(m_progress);
    row->addWidget(cancel);
    m_progressPanel = bar->addWidget(panelOfProgress);
    m_progressPanel->setVisible(false);
}

QWidget* MainWindow::buildLeft()
{
    QWidget* left = panel("panel");
    auto* column = new QVBoxLayout(left);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_form = new ExperimentForm(m_workbench);
    auto* scroll = new QScrollArea;
    scroll->setWidget(m_form);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus); // it follows the field that has the focus
    scroll->viewport()->setAutoFillBackground(false);
    m_form->setAutoFillBackground(false);
    m_runList = new QListView;
    m_runList->setModel(&m_runModel);
    m_runList->setItemDelegate(new RunDelegate(m_runList));
    m_runList->setAccessibleName(tr("Runs"));
    m_runList->setMouseTracking(true);
    m_runList->setContextMenuPolicy(Qt::CustomContextMenu);
    m_runList->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_runList->setToolTip(tr("Click to show or hide a run; right-click to make it A or B."));
    QWidget* runs = panel("panel");
    auto* runColumn = new QVBoxLayout(runs);
    const int line = fontMetrics().height();
    runColumn->setContentsMargins(line * 3 / 4, line / 2, line * 3 / 4, line / 4);
    runColumn->addWidget(captionLabel(tr("Runs")));
    runColumn->addWidget(m_runList, 1);
    auto* split = new QSplitter(Qt::Vertical);
    split->setObjectName(QStringLiteral("left"));
    split->setChildrenCollapsible(false);
    split->setHandleWidth(1);
    split->addWidget(scroll);
    split->addWidget(runs);
    split->setStretchFactor(0, 3);
    split->setStretchFactor(1, 2);
    split->setSizes({line * 36, line * 18});
    column->addWidget(split);
    return left;
}

QWidget* MainWindow::buildCentre()
{
    QWidget* centre = panel("canvas");
    auto* column = new QVBoxLayout(centre);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    m_messages = new MessageBar;
    m_partition = new PartitionBar;
    m_partitionControl = new PartitionControl(m_workbench, *m_partition, this);
    m_stack = new TimelineStack;
    m_panels = new PanelTabs;
    addPanels(*m_panels, m_workbench, *m_stack);
    m_replay = new Replay(*m_stack, *this);
    m_panels->add(m_replay->panel(), tr("Replay"));
    m_empty = new QLabel;
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setProperty("role", "muted");
    m_stackOrEmpty = new QStackedWidget;
    m_stackOrEmpty->addWidget(m_stack);
    m_stackOrEmpty->addWidget(m_empty);
    QWidget* timelines = panel("canvas");
    auto* timelineColumn = new QVBoxLayout(timelines);
    timelineColumn->setContentsMargins(0, 0, 0, 0);
    timelineColumn->setSpacing(0);
    timelineColumn->addWidget(m_stackOrEmpty, 1);
    timelineColumn->addWidget(m_replay->bar());
    m_rows = new QSplitter(Qt::Vertical);
    m_rows->setObjectName(QStringLiteral("rows"));
    m_rows->setHandleWidth(1);
    m_rows->addWidget(timelines);
    m_rows->addWidget(m_panels);
    m_rows->setChildrenCollapsible(false);
    m_rows->setStretchFactor(0, 5);
    m_rows->setStretchFactor(1, 3);
    const int line = fontMetrics().height();
    m_rows->setSizes({line * 32, line * 17});
    column->addWidget(m_messages);
    column->addSpacing(line / 3);
    column->addWidget(m_partition);
    column->addWidget(m_rows, 1);
    return centre;
}

void MainWindow::buildPanels()
{
    m_inspector = new Inspector;
    QWidget* right = panel("panel");
    m_details = right;
    auto* column = new QVBoxLayout(right);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    const auto scrolled = [](QWidget* widget, Qt::FocusPolicy focus) {
        auto* scroll = new QScrollArea;
        scroll->setFocusPolicy(focus);
        scroll->setAccessibleName(widget->accessibleName());
        scroll->setWidget(widget);
        scroll->setWidgetResizable(true);
        scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        scroll->setFrameShape(QFrame::NoFrame);
        return scroll;
    };
    m_whatIf = new WhatIfPanel(m_workbench);
    auto* halves = new QSplitter(Qt::Vertical);
    halves->setHandleWidth(1);
    halves->setChildrenCollapsible(false);
    halves->addWidget(scrolled(m_inspector, Qt::StrongFocus));
    halves->addWidget(scrolled(m_whatIf, Qt::NoFocus));
    halves->setStretchFactor(0, 1);
    column->addWidget(halves);
    m_columns = new QSplitter;
    m_columns->setObjectName(QStringLiteral("columns"));
    m_columns->setHandleWidth(1);
    m_columns->addWidget(buildLeft());
    m_columns->addWidget(buildCentre());
    m_orderEditor = new OrderEditor(m_workbench, *m_stack, this);
    m_columns->addWidget(right);
    m_columns->setChildrenCollapsible(false);
    m_columns->setStretchFactor(1, 1);
    const int line = fontMetrics().height();
    m_columns->setSizes({line * 17, line * 60, line * 17});
    halves->setSizes({line * 40, line * 20});
    setCentralWidget(m_columns);
    m_statusName = new QLabel;
    statusBar()->addWidget(m_statusName, 1);
    auto* hint = new QLabel(tr("W/S zoom · A/D pan · F fit · / find · M mark · Space replay · ? keys"));
    statusBar()->addPermanentWidget(hint);
    statusBar()->setSizeGripEnabled(false);
}

void MainWindow::connectParts()
{
    connect(&m_workbench, &Workbench::shownChanged, this, &MainWindow::showRuns);
    connect(&m_workbench, &Workbench::documentChanged, this, &MainWindow::showTitle);
    connect(&m_workbench, &Workbench::runsChanged, this, &MainWindow::showTitle);
    connect(&m_workbench.undoStack(), &QUndoStack::cleanChanged, this, &MainWindow::showTitle);
    connect(&m_workbench, &Workbench::problem, this, [this](const QString& sentence) { m_messages->say(sentence); });
    connect(&m_workbench.jobs(), &DocumentJobs::progress, this, &MainWindow::showProgress);
    connect(&m_workbench.jobs(), &DocumentJobs::idle, this, &MainWindow::hideProgress);
    m_explainer = new Explainer(m_workbench, *m_stack, *m_inspector, this);
    connect(m_orderEditor, &OrderEditor::said, m_messages,
            [this](const QString& sentence) { m_messages->say(sentence); });
    connect(m_runList, &QListView::clicked, this,
            [this](const QModelIndex& index) { m_workbench.toggleShown(index.data(RunModel::NumberRole).toInt()); });
    connect(m_runList, &QListView::activated, this, [this](const QModelIndex& index) {
        if (!(QApplication::mouseButtons() & Qt::LeftButton) && m_runList->hasFocus())
            m_workbench.show(index.data(RunModel::NumberRole).toInt(), 0);
    });
    connect(m_runList, &QWidget::customContextMenuRequested, this, &MainWindow::listMenu);
    connect(m_simulate, &QPushButton::clicked, this, [this] { m_workbench.keepPredictions(); });
    connect(m_execute, &QPushButton::clicked, this, &MainWindow::execute);
}

void MainWindow::connectExecution()
{
    connect(&m_execution, &Execution::progress, this, &MainWindow::showProgress);
    connect(&m_execution, &Execution::liveChanged, &m_workbench, &Workbench::setLive);
    connect(&m_execution, &Execution::finished, this, [this](const QString& sentence) {
        hideProgress();
        m_execute->setEnabled(true);
        m_simulate->setEnabled(true);
        m_workbench.setExecuting(false);
        m_workbench.setLive(nullptr);
        m_workbench.reload(true);
        m_messages->say(sentence);
    });
}

void MainWindow::showProgress(double fraction, const QString& text)
{
    m_progressPanel->setVisible(true);
    m_progress->setRange(0, fraction < 0 ? 0 : 1000);
    m_progress->setValue(static_cast<int>(fraction * 1000));
    m_progressText->setText(text);
}

void MainWindow::hideProgress()
{
    if (!m_execution.running() && !m_workbench.jobs().busy() && !m_workbench.jobs().reading())
        m_progressPanel->setVisible(false);
}

void MainWindow::cancelWork()
{
    m_execution.cancel();
    m_workbench.jobs().cancel();
}

void MainWindow::execute()
{
    if (m_execution.running())
        return;
    ExecutionOrder order;
    for (int slot = 0; slot < draftSlots; ++slot) {
        if (!m_workbench.predictionError(slot).isEmpty()) {
            m_messages->say(tr("Schedule %1 can't be executed: %2")
                                .arg(TimelineStack::letterOf(slot), m_workbench.predictionError(slot)));
            return;
        }
        const Draft& draft = m_workbench.draft();
        const RunPtr& run = m_workbench.prediction(slot);
        if (run && !run->problems.empty()) {
            m_messages->say(tr("Schedule %1 can't be executed: %2")
                                .arg(TimelineStack::letterOf(slot), coreText(run->problems.front().sentence)));
            return;
        }
        if (slot > 0 && draft.schedule[1].text() == draft.schedule[0].text() && draft.order[1] == draft.order[0])
            continue;
        order.orders.push_back(draft.order[static_cast<std::size_t>(slot)]);
        order.experiments.push_back(m_workbench.draft().experimentFor(slot));
        const std::string_view title = recipe(m_workbench.draft().schedule[static_cast<std::size_t>(slot)].id).title;
        order.titles.push_back(QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size())));
    }
    order.backend = m_backend->currentData().toString();
    order.steps = m_steps->value();
    order.document = m_workbench.path();
    for (const RunInfo& info : m_workbench.runs())
        order.lastRun = std::max(order.lastRun, info.id);
    m_messages->say({});
    m_execute->setEnabled(false);
    m_simulate->setEnabled(false); // the child is the document's one writer now
    m_workbench.setExecuting(true);
    // What is being written already comes first.
    m_workbench.jobs().whenIdle([this, order] { m_execution.start(order); });
}

void MainWindow::showRuns()
{
    const std::vector<RunPtr> runs = m_workbench.shownRuns();
    if (runs.empty()) {
        const bool impossible = !m_workbench.predictionError(0).isEmpty() || !m_workbench.predictionError(1).isEmpty();
        m_empty->setText(impossible ? tr("These values can't be built.\n\nThe form at the left says beside the field "
                                         "what would be right. Ctrl+Z takes the last change back.")
                         : m_workbench.predicting() ? tr("Predicting …")
                                                    : tr("Nothing to show yet.\n\nChoose schedules at the left, or "
                                                         "open a document with Ctrl+O, or drop a .bscope file here."));
    }
    m_stackOrEmpty->setCurrentIndex(runs.empty() ? 1 : 0);
    m_stack->setRuns(runs);
    // What a prediction doesn't know yet would only flicker in the panels; it follows in a moment.
    if (std::none_of(runs.begin(), runs.end(), [](const RunPtr& run) { return run->pending; })) {
        m_panels->setRuns(runs);
        m_replay->setRuns(runs);
    }
}

void MainWindow::showTitle()
{
    setWindowTitle(m_workbench.displayName() + (m_workbench.unsaved() ? QStringLiteral("*") : QString()) +
                   QStringLiteral(" – Bubblescope"));
    const QString state = m_workbench.unsaved()     ? tr("not saved yet: Ctrl+S")
                          : m_workbench.temporary() ? tr("new")
                                                    : tr("saved");
    m_statusName->setText(m_workbench.displayName() + QStringLiteral(" · ") + state + QStringLiteral(" · ") +
                          tr("bubble = idle ÷ (devices × makespan)"));
}

void MainWindow::listMenu(const QPoint& position)
{
    QModelIndex index = m_runList->indexAt(position);
    if (!index.isValid())
        index = m_runList->currentIndex(); // asked for with the keyboard
    if (!index.isValid())
        return;
    const int number = index.data(RunModel::NumberRole).toInt();
    QMenu menu;
    for (int slot = 0; slot < 2; ++slot)
        menu.addAction(tr("Show as %1").arg(TimelineStack::letterOf(slot)), this,
                       [this, number, slot] { m_workbench.show(number, slot); });
    menu.addAction(tr("Show or hide"), this, [this, number] { m_workbench.toggleShown(number); });
    addStepMenu(menu, m_workbench, number);
    menu.exec(m_runList->viewport()->mapToGlobal(position));
}

void MainWindow::setDetailsShown(bool shown)
{
    m_details->setVisible(shown);
}

} // namespace bubblescope::viz
