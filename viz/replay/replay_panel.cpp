#include "viz/replay/replay_panel.h"

#include "viz/timeline/time_text.h"
#include "viz/timeline/timeline_stack.h"

#include <QFutureWatcher>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QScrollArea>
#include <QtConcurrent>
#include <QToolTip>
#include <QVBoxLayout>

#include <cmath>

namespace bubblescope::viz {
namespace {

/// Spans that are made ready within a frame or two.
constexpr std::size_t readyAtOnce = 50'000;

/// The first time in which a device holds the most.
TimeRange peakOf(const RunView& run, int device)
{
    const ActivationCurve& curve = run.memory[static_cast<std::size_t>(device)];
    for (std::size_t i = 0; i < curve.steps.size(); ++i)
        if (curve.steps[i].time == curve.peakAt)
            return {curve.peakAt, i + 1 < curve.steps.size() ? curve.steps[i + 1].time : run.idle.end};
    return {};
}

} // namespace

ReplayStateView::ReplayStateView(QWidget* parent) : QWidget(parent)
{
    setMouseTracking(true);
    setAccessibleName(tr("State of the replay"));
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Preferred);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    m_describe.setSingleShot(true);
    m_describe.setInterval(300);
    connect(&m_describe, &QTimer::timeout, this, &ReplayStateView::describe);
}

void ReplayStateView::setRuns(const std::vector<RunPtr>& runs)
{
    if (runs == m_wanted)
        return;
    m_wanted = runs;
    std::size_t spans = 0;
    for (const RunPtr& run : runs)
        spans += run->trace.spanCount();
    m_preparing = spans > readyAtOnce;
    if (!m_preparing) {
        adopt(std::vector<ReplayRun>(runs.begin(), runs.end()));
        return;
    }
    adopt({});
    using Runs = std::vector<ReplayRun>;
    auto* watcher = new QFutureWatcher<Runs>(this);
    connect(watcher, &QFutureWatcherBase::finished, this, [this, watcher, runs] {
        watcher->deleteLater();
        if (runs != m_wanted)
            return; // others are shown by now
        m_preparing = false;
        adopt(watcher->result());
    });
    watcher->setFuture(QtConcurrent::run([runs] { return Runs(runs.begin(), runs.end()); }));
}

void ReplayStateView::adopt(std::vector<ReplayRun> runs)
{
    m_runs = std::move(runs);
    align();
    arrange();
    updateGeometry();
}

void ReplayStateView::align()
{
    for (std::size_t slot = 0; slot < m_runs.size(); ++slot)
        m_runs[slot].setOffset(slot < m_offsets.size() ? m_offsets[slot] : 0);
}

void ReplayStateView::setOffsets(std::vector<Nanoseconds> offsets)
{
    if (offsets == m_offsets)
        return;
    m_offsets = std::move(offsets);
    align();
    arrange();
}

void ReplayStateView::setTime(Nanoseconds time)
{
    if (time == m_time)
        return;
    m_time = time;
    if (isVisible()) // behind other tabs it costs nothing
        arrange();
}

void ReplayStateView::showEvent(QShowEvent* event)
{
    QWidget::showEvent(event);
    arrange();
}

QRectF ReplayStateView::inner(int width) const
{
    const double line = fontMetrics().height();
    return {line, line * 0.3, std::max(1.0, width - 2 * line), 0};
}

int ReplayStateView::heightForWidth(int width) const
{
    const double line = fontMetrics().height();
    return static_cast<int>(std::ceil(layoutState(m_runs, m_time, inner(width), font()).height + line * 0.6));
}

QSize ReplayStateView::sizeHint() const
{
    return {width(), heightForWidth(std::max(width(), 300))};
}

void ReplayStateView::arrange()
{
    m_picture = layoutState(m_runs, m_time, inner(width()), font());
    m_describe.start();
    update();
}

void ReplayStateView::describe()
{
    QStringList sentences{tr("at %1").arg(timeText(m_time))};
    for (const StateBlock& block : m_picture.blocks)
        for (const StateRow& row : block.rows) {
            if (sentences.size() > 16)
                break; // what is read out has to end
            QStringList numbers;
            for (const InFlight& entry : row.moment.inFlight)
                numbers << microbatchText(entry);
            sentences << tr("%1 %2: %3, in flight: %4")
                             .arg(TimelineStack::letterOf(block.slot), deviceName(*block.run->run(), row.device),
                                  runningText(row.moment.running, block.run->run()->trace),
                                  numbers.isEmpty() ? tr("none") : numbers.join(QStringLiteral(", ")));
        }
    setAccessibleDescription(sentences.join(QStringLiteral("; ")));
}

ReplayStateView::Hit ReplayStateView::hit(const QPointF& position) const
{
    for (const StateBlock& block : m_picture.blocks)
        for (const StateRow& row : block.rows) {
            if (!row.area.contains(position))
                continue;
            Hit found{&block, &row, -1, false, false};
            for (std::size_t i = 0; i < row.chips.size(); ++i)
                if (row.chips[i].place.contains(position))
                    found.chip = static_cast<int>(i);
            found.bar = row.moment.memory && (row.bar.united(row.level)).contains(position);
            found.running = row.running.contains(position);
            return found;
        }
    return {};
}

QString ReplayStateView::hintAt(const QPointF& position) const
{
    const Hit under = hit(position);
    if (!under.row)
        return {};
    const RunView& run = *under.block->run->run();
    const QString device = deviceName(run, under.row->device);
    if (under.chip >= 0) {
        const StateChip& chip = under.row->chips[static_cast<std::size_t>(under.chip)];
        const InFlight& entry = under.row->moment.inFlight[chip.first];
        if (chip.first != chip.last)
            return tr("%1 holds activations of microbatches %2\nClick to see them in the timeline.")
                .arg(device, chipText(*under.row, chip));
        return tr("%1 holds activations of microbatch %2\nfrom %3 to %4 (%5)\nClick to see it in the timeline.")
            .arg(device, microbatchText(entry), timeText(entry.begin), timeText(entry.end),
                 timeText(entry.end - entry.begin));
    }
    if (under.bar) {
        const MemoryLevel& memory = *under.row->moment.memory;
        QString text = tr("%1: %2 live activations at %3\nmost so far %4, peak of the run %5")
                           .arg(device, countText(memory.live), timeText(m_time), countText(memory.mostSoFar),
                                countText(memory.peak));
        if (const double limit = under.block->run->memoryLimit(); limit > 0)
            text += tr(", limit %1").arg(countText(limit));
        return text + QLatin1Char('\n') + tr("Click to see the peak in the timeline.");
    }
    if (under.running && !under.row->moment.running.empty()) {
        const Span& span = under.row->moment.running.front();
        return tr("%1: %2, %3 of %4 done")
            .arg(device, runningText(under.row->moment.running, run.trace),
                 timeText(m_time - under.block->run->offset() - span.start), timeText(span.duration()));
    }
    if (!under.row->more.isEmpty() && under.row->more.contains(position)) {
        QStringList numbers;
        for (const InFlight& entry : under.row->moment.inFlight)
            numbers << microbatchText(entry);
        return tr("In flight on %1: %2").arg(device, numbers.join(QStringLiteral(", ")));
    }
    return {};
}

std::vector<RunInterval> ReplayStateView::intervalsAt(const QPointF& position) const
{
    const Hit under = hit(position);
    if (!under.row)
        return {};
    std::vector<TimeRange> times;
    if (under.chip >= 0) {
        const StateChip& chip = under.row->chips[static_cast<std::size_t>(under.chip)];
        for (std::size_t i = chip.first; i <= chip.last; ++i)
            times.push_back({under.row->moment.inFlight[i].begin, under.row->moment.inFlight[i].end});
    } else if (under.bar) {
        times.push_back(peakOf(*under.block->run->run(), under.row->device));
    } else if (under.running && !under.row->moment.running.empty()) {
        times.push_back({under.row->moment.running.front().start, under.row->moment.running.front().end});
    }
    std::vector<RunInterval> intervals;
    for (const TimeRange& time : times)
        if (!time.empty())
            intervals.push_back({under.block->slot, under.row->device, LaneKind::Compute, time});
    return intervals;
}

bool ReplayStateView::event(QEvent* event)
{
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        QToolTip::showText(help->globalPos(), hintAt(help->pos()), this);
        return true;
    }
    return QWidget::event(event);
}

void ReplayStateView::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    if (!m_preparing) {
        paintState(painter, m_picture, currentTheme(), font());
        return;
    }
    painter.setPen(currentTheme().mutedText);
    painter.drawText(rect(), Qt::AlignCenter, tr("Making the replay ready …"));
}

void ReplayStateView::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    arrange();
}

void ReplayStateView::mouseMoveEvent(QMouseEvent* event)
{
    setCursor(intervalsAt(event->position()).empty() ? Qt::ArrowCursor : Qt::PointingHandCursor);
}

void ReplayStateView::mouseReleaseEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        if (const auto intervals = intervalsAt(event->position()); !intervals.empty())
            Q_EMIT intervalsAsked(intervals);
}

void ReplayStateView::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        arrange();
        updateGeometry();
    }
}

ReplayPanel::ReplayPanel() : m_state(new ReplayStateView), m_scroll(new QScrollArea)
{
    m_scroll->setWidget(m_state);
    m_scroll->setAccessibleName(tr("Replay"));
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->viewport()->setAutoFillBackground(false);
    m_state->setAutoFillBackground(false);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(0, 0, 0, 0);
    column->addWidget(m_scroll, 1);
    connect(m_state, &ReplayStateView::intervalsAsked, this, &RunPanel::intervalsAsked);
}

void ReplayPanel::setRuns(const std::vector<RunPtr>& runs)
{
    m_state->setRuns(runs);
}

void ReplayPanel::setOffsets(const std::vector<Nanoseconds>& offsets)
{
    m_state->setOffsets(offsets);
}

void ReplayPanel::setTime(Nanoseconds time)
{
    m_state->setTime(time);
}

} // namespace bubblescope::viz
