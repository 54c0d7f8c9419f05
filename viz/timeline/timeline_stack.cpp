// Which runs are stacked and how they share the height; stack_commands.cpp has what keys and menus do.

#include "viz/timeline/timeline_stack.h"

#include "viz/timeline/minimap.h"
#include "viz/timeline/note_editor.h"
#include "viz/timeline/search_bar.h"
#include "viz/timeline/stack_parts.h"

#include <QFocusEvent>
#include <QScrollBar>
#include <QVBoxLayout>

namespace bubblescope::viz {

/// The run that another is set against: its own prediction for what took place, otherwise the first of its
/// kind. −1 when there is none.
static int referenceOf(const std::vector<RunPtr>& runs, std::size_t slot)
{
    const RunView& run = *runs[slot];
    for (std::size_t other = 0; other < runs.size(); ++other)
        if (run.label != RunLabel::Predicted && runs[other]->label == RunLabel::Predicted &&
            runs[other]->title == run.title)
            return static_cast<int>(other);
    for (std::size_t other = 0; other < slot; ++other)
        if (runs[other]->label == run.label)
            return static_cast<int>(other);
    return -1;
}

std::vector<RunPicture> picturesOf(const std::vector<RunPtr>& runs, const RowOptions& options)
{
    return picturesBy(runs, [&options](const RunView&) { return options; });
}

std::vector<RunPicture> picturesBy(const std::vector<RunPtr>& runs,
                                   const std::function<RowOptions(const RunView&)>& options)
{
    std::vector<RunPicture> pictures;
    for (std::size_t slot = 0; slot < runs.size(); ++slot) {
        const int reference = referenceOf(runs, slot);
        const RunView* against = reference < 0 ? nullptr : runs[static_cast<std::size_t>(reference)].get();
        RunPicture& picture = pictures.emplace_back();
        picture.run = runs[slot];
        picture.rows = rowsOf(*runs[slot], options(*runs[slot]));
        picture.letter = TimelineStack::letterOf(static_cast<int>(slot));
        picture.facts = factsOf(*runs[slot], against, TimelineStack::letterOf(reference));
    }
    return pictures;
}

TimeRange rangeOfRuns(const std::vector<RunPtr>& runs, const std::vector<Nanoseconds>& offsets)
{
    TimeRange range{0, 0};
    for (std::size_t slot = 0; slot < runs.size(); ++slot) {
        const Nanoseconds offset = slot < offsets.size() ? offsets[slot] : 0;
        const TimeRange own = shifted({runs[slot]->idle.begin, runs[slot]->idle.end}, offset);
        range = slot == 0 ? own : TimeRange{std::min(range.begin, own.begin), std::max(range.end, own.end)};
    }
    return {range.begin, range.end + range.length() / 64};
}

TimelineStack::TimelineStack(QWidget* parent)
    : QWidget(parent)
    , m_scroll(new QScrollArea)
    , m_content(new QWidget)
    , m_column(new QVBoxLayout(m_content))
    , m_search(new SearchBar)
    , m_minimap(new Minimap(m_range))
    , m_ruler(new TimelineRuler(m_range, *m_scroll))
    , m_legend(new TimelineLegend)
    , m_editor(new NoteEditor(this))
{
    setProperty("surface", "canvas");
    setAttribute(Qt::WA_StyledBackground);
    m_content->setProperty("surface", "canvas");
    m_content->setAttribute(Qt::WA_StyledBackground);
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    m_column->addStretch(1);
    m_scroll->setWidget(m_content);
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->viewport()->installEventFilter(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_search);
    column->addWidget(m_minimap);
    column->addWidget(m_scroll, 1000);
    column->addWidget(m_ruler);
    column->addWidget(m_legend);
    column->addStretch(1);
    setMinimumHeight(m_minimap->sizeHint().height() + m_ruler->sizeHint().height() + m_legend->sizeHint().height() +
                     60);
    connectSearch();
    connect(m_editor, &NoteEditor::written, this, [this](const QString& text) {
        if (m_onNoteText)
            m_onNoteText(text);
    });
    connect(m_editor, &NoteEditor::closed, this, [this] { setFocus(); });
}

void TimelineStack::addView()
{
    auto* view = new TimelineView(m_range);
    const int slot = static_cast<int>(m_views.size());
    view->setCursorBadgeShown(slot == 0);
    view->setCriticalPathShown(m_critical);
    view->setColouring(m_colouring);
    view->setFrameTimeShown(m_frameTime);
    view->setWheelZooms(m_wheelZooms);
    view->setObjectName(QStringLiteral("timeline%1").arg(letterOf(slot)));
    connect(view, &TimelineView::pickChanged, this, [this, slot](const Pick& pick) { onPick(slot, pick); });
    connect(view, &TimelineView::commandAsked, this, &TimelineStack::run);
    connect(view, &TimelineView::rangeSelected, this, &TimelineStack::rangeSelected);
    connect(view, &TimelineView::rowHeightsChanged, this, &TimelineStack::shareHeight);
    connect(view, &TimelineView::flagClicked, this, &TimelineStack::showNote);
    // Later, because the view that asks is rebuilt.
    connect(
        view, &TimelineView::lanesToggled, this, [this, slot](int device) { toggleLanes(slot, device); },
        Qt::QueuedConnection);
    m_column->insertWidget(slot, view);
    // Views are made late; Tab comes to them where they stand.
    setTabOrder(slot == 0 ? static_cast<QWidget*>(m_scroll) : m_views.back(), view);
    m_views.push_back(view);
}

RowOptions TimelineStack::rowOptions(const RunView& run) const
{
    const auto toggled = m_toggledLanes.find(run.number);
    return {m_allLanes, toggled == m_toggledLanes.end() ? std::set<int>() : toggled->second, m_pins};
}

void TimelineStack::setRuns(const std::vector<RunPtr>& runs)
{
    m_runs.assign(runs.begin(),
                  runs.begin() + std::min<std::ptrdiff_t>(mostRuns, static_cast<std::ptrdiff_t>(runs.size())));
    while (m_views.size() < m_runs.size())
        addView();
    while (m_views.size() > m_runs.size()) {
        delete m_views.back();
        m_views.pop_back();
    }
    m_offsets = offsetsOf(m_runs, m_alignment);
    m_range.setTrace(rangeOfRuns(m_runs, m_offsets));
    m_minimap->setRun(m_runs.empty() ? nullptr : m_runs.front());
    m_matches.clear();
    m_match = {};
    rebuildRows();
    if (m_search->isVisible())
        startSearch(m_search->query());
    showFlags();
    dropStalePick();
    Q_EMIT runsChanged();
    Q_EMIT pickChanged(m_picked);
}

void TimelineStack::rebuildRows()
{
    std::vector<RunPicture> pictures = picturesBy(m_runs, [this](const RunView& run) { return rowOptions(run); });
    std::vector<const RunPicture*> shown;
    for (std::size_t slot = 0; slot < pictures.size(); ++slot) {
        m_views[slot]->setOffset(m_offsets[slot]);
        m_views[slot]->setPicture(std::move(pictures[slot]));
        m_views[slot]->setMatches(slot < m_matches.size() ? m_matches[slot] : nullptr);
        shown.push_back(&m_views[slot]->picture());
    }
    std::size_t rows = 0;
    for (const RunPicture* picture : shown)
        rows += picture->rows.size();
    constexpr std::size_t manyRows = 192; // no frame for 60 Hz on one processor
    for (TimelineView* view : m_views)
        view->setCoarseWhileMoving(rows > manyRows);
    m_legend->setPictures(shown);
    shareHeight();
    if (m_picked.slot >= 0 && m_picked.slot < static_cast<int>(m_views.size()))
        m_picked.pick = m_views[static_cast<std::size_t>(m_picked.slot)]->picked();
}

/// A pick whose run is gone or has other spans now would explain the wrong thing.
void TimelineStack::dropStalePick()
{
    if (m_picked.slot < 0)
        return;
    const auto slot = static_cast<std::size_t>(m_picked.slot);
    if (slot >= m_views.size() || m_views[slot]->picked().kind == Pick::Kind::None)
        m_picked = {};
}

void TimelineStack::setAlignment(Alignment alignment)
{
    m_alignment = alignment;
    m_offsets = offsetsOf(m_runs, m_alignment);
    for (std::size_t slot = 0; slot < m_views.size(); ++slot)
        m_views[slot]->setOffset(m_offsets[slot]);
    m_range.setTrace(rangeOfRuns(m_runs, m_offsets));
    m_match = {};
    showFlags();
    Q_EMIT alignmentChanged();
}

void TimelineStack::setAllLanes(bool all)
{
    m_allLanes = all;
    m_toggledLanes.clear();
    rebuildRows();
    Q_EMIT pickChanged(m_picked);
}

void TimelineStack::toggleLanes(int slot, int device)
{
    std::set<int>& devices = m_toggledLanes[m_runs[static_cast<std::size_t>(slot)]->number];
    if (devices.erase(device) == 0)
        devices.insert(device);
    rebuildRows();
    dropStalePick();
    Q_EMIT pickChanged(m_picked);
}

void TimelineStack::togglePin(const QString& lane)
{
    if (m_pins.erase(lane) == 0)
        m_pins.insert(lane);
    rebuildRows();
    dropStalePick();
    Q_EMIT pickChanged(m_picked);
}

void TimelineStack::setCriticalPathShown(bool shown)
{
    m_critical = shown;
    for (TimelineView* view : m_views)
        view->setCriticalPathShown(shown);
}

void TimelineStack::setColouring(const Colouring& colouring)
{
    m_colouring = colouring;
    for (TimelineView* view : m_views)
        view->setColouring(colouring);
    m_legend->update();
}

void TimelineStack::setFrameTimeShown(bool shown)
{
    m_frameTime = shown;
    for (TimelineView* view : m_views)
        view->setFrameTimeShown(shown);
}

void TimelineStack::setWheelZooms(bool zooms)
{
    m_wheelZooms = zooms;
    for (TimelineView* view : m_views)
        view->setWheelZooms(zooms);
}

void TimelineStack::clearPick()
{
    for (TimelineView* view : m_views)
        view->setPicked({});
    m_picked = {};
    Q_EMIT pickChanged(m_picked);
}

void TimelineStack::showIntervals(const std::vector<RunInterval>& intervals)
{
    m_intervals = intervals;
    for (std::size_t slot = 0; slot < m_views.size(); ++slot) {
        std::vector<RunInterval> own;
        for (const RunInterval& interval : m_intervals)
            if (interval.slot == static_cast<int>(slot))
                own.push_back(interval);
        m_views[slot]->setIntervals(std::move(own));
    }
    std::optional<TimeRange> around;
    for (const RunInterval& interval : m_intervals) {
        if (interval.slot >= static_cast<int>(m_offsets.size()))
            continue;
        const TimeRange time = shifted(interval.time, offset(interval.slot));
        around = around ? TimeRange{std::min(around->begin, time.begin), std::max(around->end, time.end)} : time;
    }
    if (!around)
        return;
    if (around->begin < m_range.visible().begin || around->end > m_range.visible().end)
        m_range.setVisible({around->begin - around->length() / 8, around->end + around->length() / 8});
    const auto first = static_cast<std::size_t>(m_intervals.front().slot);
    if (first < m_views.size())
        m_scroll->ensureWidgetVisible(m_views[first]);
}

void TimelineStack::onPick(int slot, const Pick& pick)
{
    // One pick in all runs: the inspector explains one thing.
    if (pick.kind != Pick::Kind::None)
        for (std::size_t other = 0; other < m_views.size(); ++other)
            if (static_cast<int>(other) != slot)
                m_views[other]->setPicked({});
    m_picked = pick.kind == Pick::Kind::None ? StackPick{} : StackPick{slot, pick};
    m_match = {};
    showIntervals({});
    Q_EMIT pickChanged(m_picked);
}

int TimelineStack::pleasantHeight() const
{
    const TimelineMetrics metrics(font());
    double height = metrics.rulerHeight + metrics.legendHeight + m_minimap->sizeHint().height() + 8;
    for (const TimelineView* view : m_views)
        height += view->fixedHeight() + view->sharedRows() * metrics.pleasantRow;
    return static_cast<int>(std::ceil(height));
}

void TimelineStack::scaleRows(double factor)
{
    m_rowScale = factor <= 0 ? 1 : std::clamp(m_rowScale * factor, 0.3, 8.0);
    if (factor <= 0)
        for (TimelineView* view : m_views)
            view->forgetRowHeights();
    shareHeight();
}

void TimelineStack::shareHeight()
{
    const TimelineMetrics metrics(font());
    double room = height() - metrics.rulerHeight - metrics.legendHeight - m_minimap->sizeHint().height() -
                  (m_search->isVisible() ? m_search->sizeHint().height() : 0);
    double rows = 0;
    for (TimelineView* view : m_views) {
        room -= view->fixedHeight();
        rows += view->sharedRows();
    }
    const double fitting = rows <= 0 ? metrics.pleasantRow : std::floor(room / rows);
    const double each =
        std::max(4.0, std::round(std::clamp(fitting, metrics.smallestRow, metrics.pleasantRow * 1.25) * m_rowScale));
    int used = 0;
    for (TimelineView* view : m_views) {
        view->setRowHeight(each);
        used += view->height();
    }
    if (!m_views.empty())
        m_scroll->setMaximumHeight(used); // the ruler stands right below the last row
}

void TimelineStack::updateEnds()
{
    const QRectF frame = frameIn(m_scroll->viewport()->width(), font());
    m_minimap->setEnds(frame.left(), frame.right());
}

bool TimelineStack::eventFilter(QObject* object, QEvent* event)
{
    if (object == m_scroll->viewport() && event->type() == QEvent::Resize)
        updateEnds();
    return QWidget::eventFilter(object, event);
}

void TimelineStack::focusInEvent(QFocusEvent* event)
{
    QWidget::focusInEvent(event);
    if (!m_views.empty()) // keys work at once
        m_views.front()->setFocus(event->reason());
}

void TimelineStack::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    shareHeight();
}

void TimelineStack::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        shareHeight();
        updateEnds();
    }
}

} // namespace bubblescope::viz
