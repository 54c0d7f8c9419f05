#include "viz/replay/replay_scene.h"

#include "viz/timeline/time_badge.h"
#include "viz/timeline/timeline_stack.h"

#include <cmath>
#include <numeric>

namespace bubblescope::viz {
namespace {

constexpr double padding = 8;

/// Timelines with ruler and legend.
double timelinesHeight(const std::vector<int>& rowsOfRuns, const TimelineMetrics& metrics, double row)
{
    double height = metrics.rulerHeight + metrics.legendHeight + padding;
    for (const int rows : rowsOfRuns)
        height += heightOfRun(metrics, rows, row);
    return height;
}

std::vector<int> rowsOfRuns(const std::vector<RunPicture>& pictures)
{
    std::vector<int> rows;
    for (const RunPicture& picture : pictures)
        rows.push_back(static_cast<int>(picture.rows.size()));
    return rows;
}

double stateHeightOf(const std::vector<int>& devices, double width, const TimelineMetrics& metrics, const QFont& font)
{
    return stateHeight(devices, width - 2 * metrics.margin, font) + padding;
}

} // namespace

int ReplayScene::heightFor(const std::vector<RunPtr>& runs, int width, const QFont& font)
{
    const TimelineMetrics metrics(font);
    std::vector<int> devices;
    for (const RunPtr& run : runs)
        devices.push_back(run->trace.devices());
    const int rows = std::accumulate(devices.begin(), devices.end(), 0);
    const double row = rows > 24 ? metrics.smallestRow * 1.2 : metrics.pleasantRow;
    return static_cast<int>(
        std::ceil(timelinesHeight(devices, metrics, row) + stateHeightOf(devices, width, metrics, font)));
}

ReplayScene::ReplayScene(const std::vector<RunPtr>& runs, TimeRange range, const ReplayLook& look,
                         const std::vector<Nanoseconds>& offsets)
    : m_look(look)
    , m_range(range)
    , m_theme(look.dark ? darkTheme() : lightTheme())
    , m_metrics(look.font)
    , m_runs(runs.begin(), runs.end())
    , m_pictures(picturesOf(runs, RowOptions{}))
{
    for (std::size_t slot = 0; slot < std::min(m_runs.size(), offsets.size()); ++slot)
        m_runs[slot].setOffset(offsets[slot]);
    paintStill();
}

QRectF ReplayScene::stateArea() const
{
    return {m_metrics.margin, m_stateTop, m_look.size.width() - 2 * m_metrics.margin,
            std::max(0.0, m_look.size.height() - padding - m_stateTop)};
}

void ReplayScene::paintStill()
{
    m_still = QImage(m_look.size * m_look.scale, QImage::Format_RGB32);
    m_still.setDevicePixelRatio(m_look.scale);
    m_still.fill(m_theme.canvas);
    QPainter painter(&m_still);
    painter.setRenderHint(QPainter::TextAntialiasing);
    const std::vector<int> each = rowsOfRuns(m_pictures);
    const int rows = std::max(1, std::accumulate(each.begin(), each.end(), 0));
    std::vector<int> devices;
    for (const ReplayRun& run : m_runs)
        devices.push_back(run.devices());
    const double state = stateHeightOf(devices, m_look.size.width(), m_metrics, m_look.font);
    const double fixed = timelinesHeight(each, m_metrics, 0);
    // Where both have no room, the state below gives way: it says how many devices are left out.
    const double least = std::min(m_metrics.smallestRow, (m_look.size.height() - fixed) / rows);
    const double room = m_look.size.height() - fixed - state;
    const double row = std::clamp(std::floor(room / rows), std::max(4.0, least), m_metrics.pleasantRow * 1.6);
    double top = padding / 2;
    std::vector<const RunPicture*> shown;
    for (std::size_t slot = 0; slot < m_pictures.size(); ++slot) {
        const RunPicture& picture = m_pictures[slot];
        const int count = static_cast<int>(picture.rows.size());
        const double height = heightOfRun(m_metrics, count, row);
        m_places.push_back(layoutRun(QRectF(0, top, m_look.size.width(), height), count, m_metrics, row));
        paintRun(painter, slot);
        shown.push_back(&picture);
        top += height;
    }
    const double right = m_look.size.width() - m_metrics.margin / 2;
    paintRuler(painter, QRectF(0, top, right, m_metrics.rulerHeight), m_places.back().axis(m_range), m_theme,
               m_look.font);
    top += m_metrics.rulerHeight;
    const QRectF frame = m_places.back().frame;
    paintLegend(painter, QRectF(frame.left(), top, frame.width(), m_metrics.legendHeight), shown, m_theme, m_look.font);
    m_stateTop = top + m_metrics.legendHeight + padding / 2;
}

void ReplayScene::paintRun(QPainter& painter, std::size_t slot) const
{
    const RunLayout& places = m_places[slot];
    const RunPainter run(m_pictures[slot], places, ownRange(slot), m_theme, m_look.font);
    run.paintHeader(painter);
    run.paintLabels(painter);
    painter.drawImage(places.frame.topLeft(), run.rasterRows(m_look.scale));
    run.paintFrame(painter);
}

QImage ReplayScene::frame(Nanoseconds time) const
{
    QImage image = m_still.copy();
    image.setDevicePixelRatio(m_look.scale);
    QPainter painter(&image);
    painter.setRenderHint(QPainter::TextAntialiasing);
    for (std::size_t slot = 0; slot < m_pictures.size(); ++slot)
        paintUpcoming(painter, m_pictures[slot], m_places[slot], m_places[slot].axis(ownRange(slot)),
                      time - m_runs[slot].offset(), m_look.upcoming, m_theme);
    const TimeAxis axis = m_places.front().axis(m_range);
    paintPlayhead(painter, axis, time, m_places.front().frame.top() - 3, m_places.back().frame.bottom() + 3, m_theme);
    paintTimeBadge(painter, axis, time, m_places.front().frame.top() - 1, m_theme, m_look.font);
    if (const QRectF area = stateArea(); area.height() > m_metrics.legendHeight * 2)
        paintState(painter, layoutState(m_runs, time, area, m_look.font), m_theme, m_look.font);
    return image;
}

} // namespace bubblescope::viz
