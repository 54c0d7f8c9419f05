#include "viz/charts/histogram_chart.h"

#include "viz/charts/plot_style.h"
#include "viz/run/core_text.h"
#include "viz/timeline/time_text.h"

#include <QApplication>

#include <cmath>

namespace bubblescope::viz {
namespace {

constexpr int mostBins = 40;

} // namespace

HistogramChart::HistogramChart(QWidget* parent) : Chart(parent)
{
    setAccessibleName(tr("Histogram of durations"));
    HistogramChart::rebuild();
}

void HistogramChart::setGroup(const DurationGroup& group, const QString& title)
{
    m_group.name = group.name;
    m_group.total = group.total;
    m_median = group.quantile(0.5);
    m_count = group.durations.size();
    const int bins = std::clamp(static_cast<int>(std::sqrt(static_cast<double>(m_count))) * 2, 8, mostBins);
    m_histogram = histogramOf(group.durations, bins);
    setTitle(title);
    rebuild();
}

void HistogramChart::rebuild()
{
    clearPlottables();
    clearItems();
    applyStyle();
    const bool hasData = !m_histogram.counts.empty();
    axisRect()->setVisible(hasData);
    if (!hasData) {
        replot(rpQueuedReplot);
        return;
    }
    const bool logarithmic = m_histogram.logarithmic;
    xAxis->setScaleType(logarithmic ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    xAxis->setTicker(logarithmic ? QSharedPointer<QCPAxisTicker>(new QCPAxisTickerLog)
                                 : QSharedPointer<QCPAxisTicker>(new QCPAxisTicker));
    xAxis->setNumberFormat(QStringLiteral("g"));
    xAxis->setLabel(logarithmic ? tr("duration, ms (logarithmic)") : tr("duration, ms"));
    yAxis->setLabel(tr("how often"));
    QCPGraph* graph = addGraph();
    graph->setLineStyle(QCPGraph::lsStepLeft);
    graph->setPen(QPen(theme().busy, 1.4));
    QColor fill = theme().busy;
    fill.setAlphaF(0.6F);
    graph->setBrush(fill);
    std::size_t most = 1;
    const double begin = m_histogram.edges.front() / 1e6;
    const double end = m_histogram.edges.back() / 1e6;
    graph->addData(begin, 0);
    for (std::size_t bin = 0; bin < m_histogram.counts.size(); ++bin) {
        graph->addData(m_histogram.edges[bin] / 1e6, static_cast<double>(m_histogram.counts[bin]));
        most = std::max(most, m_histogram.counts[bin]);
    }
    graph->addData(end, static_cast<double>(m_histogram.counts.back()));
    graph->addData(end, 0);
    if (logarithmic)
        xAxis->setRange(begin / 1.2, end * 1.2);
    else
        xAxis->setRange(begin - (end - begin) * 0.05, end + (end - begin) * 0.05);
    yAxis->setRange(0, static_cast<double>(most) * 1.2);
    markMedian();
    replot(rpQueuedReplot);
}

void HistogramChart::markMedian()
{
    auto* line = new QCPItemStraightLine(this);
    line->setPen(QPen(theme().text, 1, Qt::DashLine));
    const double at = inMilliseconds(m_median);
    line->point1->setCoords(at, 0);
    line->point2->setCoords(at, 1);
    auto* label = new QCPItemText(this);
    label->setText(tr("median %1").arg(timeText(m_median)));
    label->setColor(theme().text);
    label->setFont(xAxis->tickLabelFont());
    label->setClipToAxisRect(false);
    const bool right = xAxis->coordToPixel(at) > axisRect()->center().x();
    label->setPositionAlignment((right ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignTop);
    label->setPadding(QMargins(5, 0, 5, 0));
    label->position->setCoords(at, yAxis->range().upper);
}

int HistogramChart::binAt(const QPointF& position) const
{
    if (m_histogram.counts.empty() || !axisRect()->rect().contains(position.toPoint()))
        return -1;
    const double at = xAxis->pixelToCoord(position.x()) * 1e6;
    const auto after = std::upper_bound(m_histogram.edges.begin(), m_histogram.edges.end(), at);
    const auto bin = static_cast<int>(after - m_histogram.edges.begin()) - 1;
    return bin < static_cast<int>(m_histogram.counts.size()) ? bin : -1;
}

QString HistogramChart::hintAt(const QPointF& position) const
{
    const int bin = binAt(position);
    if (bin < 0)
        return {};
    const auto at = static_cast<std::size_t>(bin);
    return tr("%1: %2 of %3 last %4 to %5")
        .arg(spanTitle(m_group.name))
        .arg(m_histogram.counts[at])
        .arg(m_count)
        .arg(timeText(static_cast<Nanoseconds>(std::llround(m_histogram.edges[at]))),
             timeText(static_cast<Nanoseconds>(std::llround(m_histogram.edges[at + 1]))));
}

std::vector<QPointF> HistogramChart::marks() const
{
    std::vector<QPointF> places;
    for (std::size_t bin = 0; bin < m_histogram.counts.size(); ++bin) {
        const double left = xAxis->coordToPixel(m_histogram.edges[bin] / 1e6);
        const double right = xAxis->coordToPixel(m_histogram.edges[bin + 1] / 1e6);
        places.emplace_back((left + right) / 2, yAxis->coordToPixel(static_cast<double>(m_histogram.counts[bin])));
    }
    return places;
}

void HistogramChart::clickAt(const QPointF& position)
{
    const int bin = binAt(position);
    if (bin < 0)
        return;
    const auto at = static_cast<std::size_t>(bin);
    Q_EMIT binClicked(static_cast<Nanoseconds>(std::ceil(m_histogram.edges[at])),
                      static_cast<Nanoseconds>(std::ceil(m_histogram.edges[at + 1])));
}

ChartTable HistogramChart::table() const
{
    ChartTable table;
    table.headings << QStringLiteral("name") << QStringLiteral("from_ms") << QStringLiteral("to_ms")
                   << QStringLiteral("count");
    for (std::size_t bin = 0; bin < m_histogram.counts.size(); ++bin)
        table.rows.push_back({QString::fromStdString(m_group.name), cellText(m_histogram.edges[bin] / 1e6),
                              cellText(m_histogram.edges[bin + 1] / 1e6), QString::number(m_histogram.counts[bin])});
    return table;
}

QSize HistogramChart::minimumSizeHint() const
{
    const int line = fontMetrics().height();
    return {line * 14, line * 8};
}

} // namespace bubblescope::viz
