#include "viz/timeline/timeline_stack.h"

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

std::vector<RunPicture> picturesOf(const std::vector<RunPtr>& runs, RowOptions options)
{
    std::vector<RunPicture> pictures;
    for (std::size_t slot = 0; slot < runs.size(); ++slot) {
        const int reference = referenceOf(runs, slot);
        const RunView* against = reference < 0 ? nullptr : runs[static_cast<std::size_t>(reference)].get();
        RunPicture& picture = pictures.emplace_back();
        picture.run = runs[slot];
        picture.rows = rowsOf(*runs[slot], options);
        picture.letter = TimelineStack::letterOf(static_cast<int>(slot));
        picture.facts = factsOf(*runs[slot], against, TimelineStack::letterOf(reference));
    }
    return pictures;
}

TimeRange rangeOfRuns(const std::vector<RunPtr>& runs)
{
    TimeRange range{0, 0};
    for (const RunPtr& run : runs) {
        range.begin = std::min(range.begin, run->idle.begin);
        range.end = std::max(range.end, run->idle.end);
    }
    return {range.begin, range.end + range.length() / 64};
}

/// The time axis below the timelines; it has the frame's left and right edge.
class TimelineStack::Ruler : public QWidget {
public:
    Ruler(RangeController& range, QScrollArea& timelines) : m_range(range), m_timelines(timelines)
    {
        setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
        connect(&range, &RangeController::visibleChanged, this, qOverload<>(&QWidget::update));
    }

    QSize sizeHint() const override { return {100, static_cast<int>(TimelineMetrics(font()).rulerHeight)}; }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), currentTheme().canvas);
        const TimelineMetrics metrics(font());
        // As wide as the timelines, which may have a scroll bar beside them.
        const QRectF area(0, 0, m_timelines.viewport()->width(), height());
        const RunLayout places = layoutRun(area, 1, metrics, 10);
        paintRuler(painter, area.adjusted(0, 0, -metrics.margin / 2, 0), places.axis(m_range.visible()), currentTheme(),
                   font());
    }

private:
    RangeController& m_range;
    QScrollArea& m_timelines;
};

class TimelineStack::Legend : public QWidget {
public:
    Legend() { setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed); }

    void setPictures(std::vector<const RunPicture*> pictures)
    {
        m_pictures = std::move(pictures);
        update();
    }

    QSize sizeHint() const override { return {100, static_cast<int>(TimelineMetrics(font()).legendHeight)}; }

protected:
    void paintEvent(QPaintEvent*) override
    {
        QPainter painter(this);
        painter.fillRect(rect(), currentTheme().canvas);
        const TimelineMetrics metrics(font());
        const QRectF area = QRectF(rect()).adjusted(metrics.margin + metrics.labelWidth, 0, -metrics.margin, 0);
        paintLegend(painter, area, m_pictures, currentTheme(), font());
    }

private:
    std::vector<const RunPicture*> m_pictures;
};

TimelineStack::TimelineStack(QWidget* parent)
    : QWidget(parent)
    , m_scroll(new QScrollArea)
    , m_content(new QWidget)
    , m_column(new QVBoxLayout(m_content))
    , m_ruler(new Ruler(m_range, *m_scroll))
    , m_legend(new Legend)
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
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(m_scroll, 1000);
    column->addWidget(m_ruler);
    column->addWidget(m_legend);
    column->addStretch(1);
    setMinimumHeight(m_ruler->sizeHint().height() + m_legend->sizeHint().height() + 60);
}

void TimelineStack::addView()
{
    auto* view = new TimelineView(m_range);
    const int slot = static_cast<int>(m_views.size());
    view->setCursorBadgeShown(slot == 0);
    view->setCriticalPathShown(m_critical);
    view->setColouring(m_colouring);
    view->setFrameTimeShown(m_frameTime);
    view->setObjectName(QStringLiteral("timeline%1").arg(letterOf(slot)));
    connect(view, &TimelineView::pickChanged, this, [this, slot](const Pick& pick) { onPick(slot, pick); });
    connect(view, &TimelineView::intervalsCleared, this, [this] { showIntervals({}); });
    m_column->insertWidget(slot, view);
    // Views are made late; Tab comes to them where they stand.
    setTabOrder(slot == 0 ? static_cast<QWidget*>(m_scroll) : m_views.back(), view);
    m_views.push_back(view);
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
    m_range.setTrace(rangeOfRuns(m_runs));
    std::vector<RunPicture> pictures = picturesOf(m_runs, {m_allLanes});
    std::vector<const RunPicture*> shown;
    for (std::size_t slot = 0; slot < pictures.size(); ++slot) {
        m_views[slot]->setPicture(std::move(pictures[slot]));
        shown.push_back(&m_views[slot]->picture());
    }
    m_legend->setPictures(shown);
    shareHeight();
    // A pick whose run is gone or has other spans now would explain the wrong thing.
    if (m_picked.slot >= static_cast<int>(m_views.size()))
        m_picked = {};
    else if (m_picked.slot >= 0) {
        const Pick kept = m_views[static_cast<std::size_t>(m_picked.slot)]->picked();
        const auto& rows = m_views[static_cast<std::size_t>(m_picked.slot)]->picture().rows;
        const bool valid = kept.kind != Pick::Kind::None && static_cast<std::size_t>(kept.row) < rows.size() &&
                           static_cast<std::size_t>(kept.index) <
                               (kept.kind == Pick::Kind::Gap ? rows[static_cast<std::size_t>(kept.row)].gaps.size()
                                                             : rows[static_cast<std::size_t>(kept.row)].bars.size());
        if (!valid) {
            m_views[static_cast<std::size_t>(m_picked.slot)]->setPicked({});
            m_picked = {};
        }
    }
    Q_EMIT pickChanged(m_picked);
}

void TimelineStack::setAllLanes(bool all)
{
    m_allLanes = all;
    setRuns(std::vector<RunPtr>(m_runs));
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
    if (m_intervals.empty())
        return;
    TimeRange around = m_intervals.front().time;
    for (const RunInterval& interval : m_intervals)
        around = {std::min(around.begin, interval.time.begin), std::max(around.end, interval.time.end)};
    if (around.begin < m_range.visible().begin || around.end > m_range.visible().end)
        m_range.setVisible({around.begin - around.length() / 8, around.end + around.length() / 8});
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
    showIntervals({});
    Q_EMIT pickChanged(m_picked);
}

int TimelineStack::rowCount() const
{
    int rows = 0;
    for (const TimelineView* view : m_views)
        rows += static_cast<int>(view->picture().rows.size());
    return rows;
}

int TimelineStack::pleasantHeight() const
{
    const TimelineMetrics metrics(font());
    double height = metrics.rulerHeight + metrics.legendHeight + 8;
    for (const TimelineView* view : m_views)
        height += heightOfRun(metrics, static_cast<int>(view->picture().rows.size()), metrics.pleasantRow);
    return static_cast<int>(std::ceil(height));
}

void TimelineStack::shareHeight()
{
    const int rows = rowCount();
    if (rows == 0)
        return;
    const TimelineMetrics metrics(font());
    double room = height() - metrics.rulerHeight - metrics.legendHeight;
    for (const TimelineView* view : m_views)
        room -= heightOfRun(metrics, static_cast<int>(view->picture().rows.size()), 0);
    const double each = std::clamp(std::floor(room / rows), metrics.smallestRow, metrics.pleasantRow * 1.25);
    int used = 0;
    for (TimelineView* view : m_views) {
        view->setRowHeight(each);
        used += view->height();
    }
    m_scroll->setMaximumHeight(used); // the ruler stands right below the last row
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
    if (event->type() == QEvent::FontChange)
        shareHeight();
}

} // namespace bubblescope::viz
