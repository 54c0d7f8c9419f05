#include "viz/panels/chart_legend.h"

namespace bubblescope::viz {

ChartLegend::ChartLegend(Paint paint, QWidget* parent) : QWidget(parent), m_paint(paint)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void ChartLegend::setRuns(std::vector<RunPtr> runs)
{
    m_runs = std::move(runs);
    update();
}

QSize ChartLegend::sizeHint() const
{
    return {100, static_cast<int>(QFontMetricsF(font()).height() * 1.8)};
}

void ChartLegend::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.fillRect(rect(), currentTheme().canvas);
    if (!m_runs.empty()) // a key to nothing explains nothing
        m_paint(painter, QRectF(rect()).adjusted(fontMetrics().height(), 0, 0, 0), m_runs, currentTheme(), font());
}

std::vector<RunPtr> firstRuns(const std::vector<RunPtr>& runs, std::size_t most)
{
    return {runs.begin(), runs.begin() + static_cast<std::ptrdiff_t>(std::min(most, runs.size()))};
}

} // namespace bubblescope::viz
