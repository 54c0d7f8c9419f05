#include "viz/panels/range_panel.h"

#include "viz/timeline/timeline_stack.h"

#include <QClipboard>
#include <QFileDialog>
#include <QFutureWatcher>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QSaveFile>
#include <QStackedWidget>
#include <QTableWidget>
#include <QTabWidget>
#include <QtConcurrent>
#include <QVBoxLayout>

namespace bubblescope::viz {
namespace {

constexpr std::size_t mostIntervals = 2000; ///< outlined at once; more can't be told apart

QTableWidget* makeTable(const QString& name)
{
    auto* table = new QTableWidget;
    table->setAccessibleName(name);
    table->setShowGrid(false);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::SingleSelection);
    table->setFrameShape(QFrame::NoFrame);
    table->setTabKeyNavigation(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setDefaultSectionSize(static_cast<int>(table->fontMetrics().height() * 1.6));
    table->horizontalHeader()->setHighlightSections(false);
    table->horizontalHeader()->setSectionResizeMode(QHeaderView::ResizeToContents);
    return table;
}

void fill(QTableWidget& table, const TextTable& text, int firstNumber)
{
    table.clear();
    table.setColumnCount(static_cast<int>(text.headers.size()));
    table.setRowCount(static_cast<int>(text.rows.size()));
    table.setHorizontalHeaderLabels(text.headers);
    for (int column = 0; column < table.columnCount(); ++column) {
        const Qt::Alignment side = column >= firstNumber ? Qt::AlignRight : Qt::AlignLeft;
        table.horizontalHeaderItem(column)->setTextAlignment(side | Qt::AlignVCenter);
        for (int row = 0; row < table.rowCount(); ++row) {
            auto* item = new QTableWidgetItem(text.rows[static_cast<std::size_t>(row)][column]);
            item->setTextAlignment(side | Qt::AlignVCenter);
            table.setItem(row, column, item);
        }
    }
}

bool isOf(const KindSummary& kind, const TraceColumns& trace, const SpanKind& span, std::uint32_t number)
{
    if (kind.name.empty())
        return !span.named && span.work == kind.work;
    return span.named && trace.names[number] == kind.name;
}

/// The parts of a kind's spans that lie in the range; of very many the first.
std::vector<RunInterval> intervalsOf(const RangeOfRun& range, const KindSummary& kind)
{
    std::vector<RunInterval> intervals;
    const auto columns = columnsOfRun(*range.run);
    for (const LaneColumns& lane : columns->lanes)
        for (const SpanColumns& spans : lane.subLanes) {
            const std::size_t last = spans.firstStartingFrom(range.summary.end);
            for (std::size_t at = spans.firstEndingAfter(range.summary.begin); at < last; ++at)
                for (const SpanEntry& entry : spans.entries(at))
                    if (isOf(kind, *columns, entry.kind, entry.number) && intervals.size() < mostIntervals)
                        intervals.push_back(
                            {range.slot,
                             lane.device,
                             lane.kind,
                             {std::max(entry.start, range.summary.begin), std::min(entry.end, range.summary.end)}});
        }
    return intervals;
}

} // namespace

RangePanel::RangePanel(TimelineStack& stack)
    : m_stack(stack)
    , m_pages(new QStackedWidget)
    , m_empty(new QLabel(tr("Nothing is selected. Drag over a timeline, press R on a task, or Ctrl+A for all time.")))
    , m_sentence(new QLabel)
    , m_works(makeTable(tr("Work in the range")))
    , m_devices(makeTable(tr("Devices in the range")))
{
    m_empty->setProperty("role", "muted");
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_sentence->setProperty("role", "heading");
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentence->setFocusPolicy(Qt::NoFocus); // the context menu copies
    m_works->setToolTip(tr("Tasks that an edge cuts count with the part inside. Double-click outlines them."));
    m_devices->setToolTip(tr("Busy and idle add up to the part of the range in which the run took place. "
                             "Double-click outlines the idle times."));
    auto* copy = new QPushButton(tr("Copy"));
    copy->setToolTip(tr("Copy as text (Ctrl+C)"));
    auto* csv = new QPushButton(tr("Save as CSV …"));
    auto* head = new QHBoxLayout;
    head->addWidget(m_sentence, 1);
    head->addWidget(copy);
    head->addWidget(csv);
    auto* tables = new QTabWidget;
    tables->setObjectName(QStringLiteral("rangeTables"));
    tables->setDocumentMode(true);
    tables->setAccessibleName(tr("Range"));
    tables->addTab(m_works, tr("Work"));
    tables->addTab(m_devices, tr("Devices"));
    auto* page = new QWidget;
    auto* rows = new QVBoxLayout(page);
    rows->setContentsMargins(0, 0, 0, 0);
    rows->addLayout(head);
    rows->addWidget(tables, 1);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(page);
    auto* column = new QVBoxLayout(this);
    setPanelMargins(*column);
    column->addWidget(m_pages);
    connect(copy, &QPushButton::clicked, this, &RangePanel::copy);
    connect(csv, &QPushButton::clicked, this, &RangePanel::askForCsv);
    connect(m_works, &QTableWidget::cellActivated, this, &RangePanel::openWork);
    connect(m_devices, &QTableWidget::cellActivated, this, &RangePanel::openDevice);
    for (QTableWidget* table : {m_works, m_devices})
        table->installEventFilter(this);
    connect(&stack.range(), &RangeController::selectionChanged, this, [this] {
        if (isVisible())
            compute();
    });
}

RangePanel::~RangePanel()
{
    if (m_progress)
        m_progress->cancel();
}

void RangePanel::setRuns(const std::vector<RunPtr>& runs)
{
    m_runs = runs;
    compute();
}

void RangePanel::compute()
{
    if (m_progress)
        m_progress->cancel();
    m_progress.reset();
    const TimeRange selected = m_stack.range().selection();
    if (selected.empty() || m_runs.empty()) {
        showRanges({});
        return;
    }
    std::vector<RangeOfRun> asked;
    for (std::size_t slot = 0; slot < std::min(m_runs.size(), m_stack.views().size()); ++slot) {
        RangeOfRun range{static_cast<int>(slot), TimelineStack::letterOf(static_cast<int>(slot)), m_runs[slot], {}};
        range.summary.begin = selected.begin - m_stack.offset(range.slot);
        range.summary.end = selected.end - m_stack.offset(range.slot);
        asked.push_back(std::move(range));
    }
    m_progress = std::make_shared<Progress>();
    auto* watcher = new QFutureWatcher<std::vector<RangeOfRun>>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, own = m_progress] {
        watcher->deleteLater();
        if (own != m_progress)
            return; // the selection went on
        m_progress.reset();
        showRanges(watcher->result());
    });
    watcher->setFuture(QtConcurrent::run([asked, progress = m_progress]() mutable {
        try {
            for (RangeOfRun& range : asked)
                range.summary = summariseRange(*columnsOfRun(*range.run), range.run->idle, range.summary.begin,
                                               range.summary.end, *progress);
        } catch (const Cancelled&) {
            asked.clear();
        }
        return asked;
    }));
}

void RangePanel::showRanges(std::vector<RangeOfRun> ranges)
{
    m_ranges = std::move(ranges);
    m_pages->setCurrentIndex(m_ranges.empty() ? 0 : 1);
    if (m_ranges.empty())
        return;
    m_sentence->setText(rangeSentence(m_ranges));
    fill(*m_works, workTable(m_ranges), 2);
    fill(*m_devices, deviceTable(m_ranges), 2);
}

void RangePanel::openWork(int row)
{
    std::vector<RunInterval> intervals;
    for (const RangeOfRun& range : m_ranges) {
        const auto kinds = static_cast<int>(range.summary.kinds.size());
        if (row >= kinds) {
            row -= kinds;
            continue;
        }
        const KindSummary& kind = range.summary.kinds[static_cast<std::size_t>(row)];
        intervals = intervalsOf(range, kind);
        break;
    }
    Q_EMIT intervalsAsked(intervals);
}

void RangePanel::openDevice(int row)
{
    std::vector<RunInterval> intervals;
    for (const RangeOfRun& range : m_ranges) {
        const auto devices = static_cast<int>(range.summary.devices.size());
        if (row >= devices) {
            row -= devices;
            continue;
        }
        for (const Gap& gap : range.run->idle.gaps) {
            const TimeRange part{std::max(gap.start, range.summary.begin), std::min(gap.end, range.summary.end)};
            if (gap.device == row && !part.empty() && intervals.size() < mostIntervals)
                intervals.push_back({range.slot, row, LaneKind::Compute, part});
        }
        break;
    }
    Q_EMIT intervalsAsked(intervals);
}

void RangePanel::copy() const
{
    QGuiApplication::clipboard()->setText(rangeAsText(m_ranges));
}

bool RangePanel::saveCsv(const QString& path, QString& problem) const
{
    QSaveFile file(path);
    const QByteArray text = rangeAsCsv(m_ranges).toUtf8();
    if (file.open(QIODevice::WriteOnly) && file.write(text) == text.size() && file.commit())
        return true;
    problem = tr("%1 can't be written: %2. Choose another place.").arg(path, file.errorString());
    return false;
}

void RangePanel::askForCsv()
{
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Save the range"), QStringLiteral("range.csv"), tr("Tables (*.csv)"));
    QString sentence;
    if (!path.isEmpty() && !saveCsv(path, sentence))
        Q_EMIT problem(sentence);
}

bool RangePanel::eventFilter(QObject* object, QEvent* event)
{
    // Before the table, which would copy a single cell, and before the window's own Copy.
    if (event->type() == QEvent::ShortcutOverride || event->type() == QEvent::KeyPress) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Copy)) {
            if (event->type() == QEvent::KeyPress)
                copy();
            event->accept();
            return true;
        }
    }
    return RunPanel::eventFilter(object, event);
}

} // namespace bubblescope::viz
