#include "viz/panels/compare_panel.h"

#include "viz/panels/figure_table.h"
#include "viz/run/core_text.h"
#include "viz/timeline/timeline_stack.h"

#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QSignalBlocker>
#include <QSortFilterProxyModel>
#include <QSplitter>
#include <QTabWidget>
#include <QVBoxLayout>

namespace bubblescope::viz {
namespace {

QLabel* mutedLabel(const QString& text = {})
{
    auto* label = new QLabel(text);
    label->setProperty("role", "muted");
    return label;
}

QComboBox* chooser(const QString& name, const QString& accessible)
{
    auto* box = new QComboBox;
    box->setObjectName(name);
    box->setAccessibleName(accessible);
    box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    return box;
}

} // namespace

ComparePanel::ComparePanel() : m_summary(new QLabel), m_remarks(mutedLabel())
{
    const int line = fontMetrics().height();
    m_sides = {chooser(QStringLiteral("compareA"), tr("Run that is compared with")),
               chooser(QStringLiteral("compareB"), tr("Run that is compared"))};
    auto* head = new QHBoxLayout;
    head->setSpacing(line / 2);
    head->addWidget(m_sides[0]);
    head->addWidget(mutedLabel(tr("against")));
    head->addWidget(m_sides[1]);
    head->addWidget(m_summary, 1);
    m_summary->setWordWrap(true);
    m_summary->setMinimumWidth(line * 10);
    m_remarks->setObjectName(QStringLiteral("compareRemarks"));
    m_remarks->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_remarks->setWordWrap(true);
    auto* split = new QSplitter;
    split->setHandleWidth(1);
    split->setChildrenCollapsible(false);
    split->addWidget(buildTables());
    split->addWidget(buildMap());
    split->setStretchFactor(0, 1);
    split->setStretchFactor(1, 1);
    auto* column = new QVBoxLayout(this);
    setPanelMargins(*column);
    column->addLayout(head);
    column->addWidget(m_remarks);
    column->addWidget(split, 1);
    for (QComboBox* side : m_sides)
        connect(side, &QComboBox::currentIndexChanged, this, &ComparePanel::compare);
    connect(&m_job, &BackgroundJob::started, this, [this] { m_summary->setText(tr("Comparing …")); });
    connect(&m_job, &BackgroundJob::finished, this, [this](const QString& sentence) {
        if (!sentence.isEmpty())
            Q_EMIT problem(sentence);
    });
}

FigureTable* ComparePanel::addTable(QTabWidget& tabs, std::size_t which, const QString& title, const QString& name)
{
    auto* model = new FigureModel(this);
    m_models[which] = model;
    auto* sorted = new QSortFilterProxyModel(this);
    sorted->setSourceModel(model);
    sorted->setSortRole(FigureModel::KeyRole);
    auto* table = new FigureTable(sorted, name);
    table->verticalHeader()->hide();
    table->setSortingEnabled(true);
    table->horizontalHeader()->setSortIndicator(-1, Qt::AscendingOrder); // as it was computed, until a person sorts
    connect(table, &FigureTable::problem, this, &RunPanel::problem);
    connect(table, &FigureTable::opened, this, [this, model, sorted](const QModelIndex& index) {
        Q_EMIT intervalsAsked(model->intervalsAt(sorted->mapToSource(index)));
    });
    tabs.addTab(table, title);
    return table;
}

QWidget* ComparePanel::buildTables()
{
    auto* tabs = new QTabWidget;
    tabs->setObjectName(QStringLiteral("compareTables"));
    tabs->setDocumentMode(true);
    tabs->setAccessibleName(tr("Differences"));
    addTable(*tabs, 2, tr("What was filled"), tr("Idle time that the faster run spends working"))
        ->setObjectName(QStringLiteral("compareBubbles"));
    addTable(*tabs, 0, tr("Devices"), tr("Differences per device"))->setObjectName(QStringLiteral("compareDevices"));
    addTable(*tabs, 1, tr("Tasks"), tr("Differences per task"))->setObjectName(QStringLiteral("compareTasks"));
    return tabs;
}

QWidget* ComparePanel::buildMap()
{
    m_quantity = chooser(QStringLiteral("deltaQuantity"), tr("Difference that the map shows"));
    m_quantity->addItem(tr("Start"), static_cast<int>(DeltaQuantity::Start));
    m_quantity->addItem(tr("End"), static_cast<int>(DeltaQuantity::End));
    m_quantity->addItem(tr("Duration"), static_cast<int>(DeltaQuantity::Duration));
    m_quantity->addItem(tr("Idle before"), static_cast<int>(DeltaQuantity::IdleBefore));
    m_work = chooser(QStringLiteral("deltaWork"), tr("Work that the map shows"));
    m_rows = chooser(QStringLiteral("deltaRows"), tr("Rows of the map"));
    m_rows->addItem(tr("by stage"));
    m_rows->addItem(tr("by device"));
    m_map = new HeatChart;
    auto* choices = new QHBoxLayout;
    choices->setSpacing(fontMetrics().height() / 2);
    choices->addWidget(m_quantity);
    choices->addWidget(mutedLabel(tr("of")));
    choices->addWidget(m_work);
    choices->addWidget(m_rows);
    choices->addStretch(1);
    auto* side = new QWidget;
    auto* column = new QVBoxLayout(side);
    column->setContentsMargins(fontMetrics().height() / 2, fontMetrics().height() / 4, 0, 0);
    column->addLayout(choices);
    column->addWidget(m_map, 1);
    for (QComboBox* box : {m_quantity, m_work, m_rows})
        connect(box, &QComboBox::currentIndexChanged, this, &ComparePanel::showMap);
    connect(m_map, &HeatChart::cellClicked, this, &ComparePanel::openCell);
    return side;
}

void ComparePanel::setRuns(const std::vector<RunPtr>& runs)
{
    if (runs == m_runs)
        return;
    m_runs = runs;
    showChoices();
    compare();
}

void ComparePanel::showChoices()
{
    for (std::size_t side = 0; side < m_sides.size(); ++side) {
        QComboBox& box = *m_sides[side];
        const QSignalBlocker quiet(&box);
        const int chosen = box.currentIndex() < 0 ? static_cast<int>(side) : box.currentIndex();
        box.clear();
        for (std::size_t slot = 0; slot < m_runs.size(); ++slot)
            box.addItem(TimelineStack::letterOf(static_cast<int>(slot)) + QStringLiteral(" · ") +
                        titleWithLabel(*m_runs[slot]));
        const int last = static_cast<int>(m_runs.size()) - 1;
        box.setCurrentIndex(chosen <= last ? chosen : std::min(static_cast<int>(side), last));
    }
}

void ComparePanel::compare()
{
    const int a = m_sides[0]->currentIndex();
    const int b = m_sides[1]->currentIndex();
    m_job.cancel();
    m_comparison.reset();
    if (a < 0 || b < 0 || a == b) {
        for (FigureModel* model : m_models)
            model->set({}, 0);
        m_map->setMap({}, QString());
        m_remarks->clear();
        m_summary->setText(m_runs.size() < 2 ? tr("Show a second run to compare: click it in the list of runs.")
                                             : tr("Choose two different runs."));
        return;
    }
    const auto side = [this](int slot) {
        return ComparedRun{m_runs[static_cast<std::size_t>(slot)], slot, TimelineStack::letterOf(slot)};
    };
    m_job.start([first = side(a), second = side(b)](const Progress&) { return compareViews(first, second); },
                [this](const RunComparison& comparison) { show(comparison); });
}

void ComparePanel::show(const RunComparison& comparison)
{
    m_comparison = std::make_shared<const RunComparison>(comparison);
    m_summary->setText(comparisonText(comparison));
    m_remarks->setText(remarks());
    m_remarks->setVisible(!comparison.tasks.remarks.empty());
    fillDeviceTable(*m_models[0], m_comparison);
    fillTaskTable(*m_models[1], m_comparison);
    fillBubbleTable(*m_models[2], m_comparison);
    for (auto* table : findChildren<FigureTable*>())
        table->resizeColumnsToContents();
    showWorks();
    showMap();
}

QString ComparePanel::remarks() const
{
    QStringList sentences;
    if (m_comparison)
        for (const std::string& remark : m_comparison->tasks.remarks)
            sentences << coreText(remark);
    // core calls the two A and B; here they may have other letters.
    QString text = sentences.join(QLatin1Char(' '));
    if (m_comparison && (m_comparison->a.letter != QLatin1String("A") || m_comparison->b.letter != QLatin1String("B")))
        text = tr("(A here is %1, B is %2.) ").arg(m_comparison->a.letter, m_comparison->b.letter) + text;
    return text;
}

void ComparePanel::showWorks()
{
    const QSignalBlocker quiet(m_work);
    const QVariant chosen = m_work->currentData();
    m_work->clear();
    for (const Work work : comparedWorks(m_comparison->tasks))
        m_work->addItem(workTitle(work), static_cast<int>(work));
    // The way back tells more than the way there, which is alike in most schedules.
    int index = m_work->findData(chosen);
    for (const Work work : {Work::InputGradient, Work::Backward})
        index = index < 0 ? m_work->findData(static_cast<int>(work)) : index;
    m_work->setCurrentIndex(std::max(0, index));
}

void ComparePanel::showMap()
{
    if (!m_comparison)
        return;
    if (m_work->count() == 0) {
        m_map->setMap({}, tr("No task is in both runs"));
        return;
    }
    const DeltaMapOrder order{static_cast<DeltaQuantity>(m_quantity->currentData().toInt()),
                              static_cast<Work>(m_work->currentData().toInt()), m_rows->currentIndex() == 1};
    m_delta = deltaMap(m_comparison, order);
    m_map->setMap(m_delta.map, tr("%1 of %2, %3 − %4, ms")
                                   .arg(m_quantity->currentText(), m_work->currentText(), m_comparison->b.letter,
                                        m_comparison->a.letter));
}

void ComparePanel::openCell(int row, int column)
{
    if (!m_comparison)
        return;
    std::vector<RunInterval> intervals;
    const std::size_t cell = static_cast<std::size_t>(row) * static_cast<std::size_t>(m_delta.map.columns) +
                             static_cast<std::size_t>(column);
    for (const std::size_t at : m_delta.tasks[cell])
        for (const RunInterval& interval : intervalsOf(*m_comparison, m_comparison->tasks.tasks[at]))
            intervals.push_back(interval);
    m_map->setOutlined(row, column);
    Q_EMIT intervalsAsked(intervals);
}

} // namespace bubblescope::viz
