#include "viz/charts/sweep_chart.h"

#include "viz/charts/plot_style.h"
#include "viz/timeline/time_text.h"

#include <QApplication>

namespace bubblescope::viz {
namespace {

/// Lines differ in hue, dash and mark, so that hue isn't needed to tell them apart.
QCPScatterStyle::ScatterShape shapeOf(std::size_t line)
{
    constexpr QCPScatterStyle::ScatterShape shapes[] = {
        QCPScatterStyle::ssDisc,    QCPScatterStyle::ssSquare, QCPScatterStyle::ssTriangle,
        QCPScatterStyle::ssDiamond, QCPScatterStyle::ssCross,  QCPScatterStyle::ssTriangleInverted,
        QCPScatterStyle::ssPlus,    QCPScatterStyle::ssStar};
    return shapes[line % std::size(shapes)];
}

} // namespace

QString recipeTitle(const RecipeSpec& spec)
{
    const std::string text = spec.text();
    const std::string_view title = recipe(spec.id).title;
    const QString own = QString::fromStdString(text.substr(std::min(text.size(), spec.id.size() + 1)));
    return QString::fromUtf8(title.data(), static_cast<qsizetype>(title.size())) +
           (own.isEmpty() ? QString() : QStringLiteral(" (%1)").arg(own));
}

QString parameterTitle(const SweepParameter& parameter)
{
    return QCoreApplication::translate("Sweep", parameter.title);
}

QString parameterUnit(const SweepParameter& parameter)
{
    return *parameter.unit == '\0' ? QString() : QCoreApplication::translate("Sweep", parameter.unit);
}

SweepChart::SweepChart(Figure figure, QWidget* parent) : Chart(parent), m_figure(figure)
{
    setTitle(figure == Figure::BubbleRate ? tr("Bubble rate: idle ÷ (devices × makespan)")
                                          : tr("Throughput: microbatches per second"));
    setAccessibleName(title());
    SweepChart::rebuild();
}

void SweepChart::setLines(std::vector<SweepLine> lines, const SweepParameter& parameter, double current)
{
    m_lines = std::move(lines);
    m_parameter = &parameter;
    m_current = current;
    m_points.clear();
    for (std::size_t line = 0; line < m_lines.size(); ++line)
        for (std::size_t point = 0; point < m_lines[line].points.size(); ++point)
            if (m_lines[line].points[point].problem.empty())
                m_points.push_back({line, point});
    rebuild();
}

double SweepChart::valueOf(const SweepPoint& point) const
{
    return m_figure == Figure::BubbleRate ? point.bubbleRate * 100 : point.throughput;
}

void SweepChart::rebuild()
{
    clearPlottables();
    clearItems();
    applyStyle();
    const bool hasData = !m_points.empty();
    axisRect()->setVisible(hasData);
    legend->setVisible(hasData && m_figure == Figure::BubbleRate);
    if (!hasData) {
        replot(rpQueuedReplot);
        return;
    }
    const QString unit = parameterUnit(*m_parameter);
    xAxis->setLabel(parameterTitle(*m_parameter) + (unit.isEmpty() ? QString() : QStringLiteral(", ") + unit));
    yAxis->setLabel(m_figure == Figure::BubbleRate ? tr("bubble rate, %") : tr("microbatches / s"));
    for (std::size_t line = 0; line < m_lines.size(); ++line) {
        QPen pen(theme().series[line % theme().series.size()], 1.6);
        if (m_figure == Figure::BubbleRate)
            addClosedForm(m_lines[line], pen);
        addLine(m_lines[line], pen);
        graph()->setScatterStyle(QCPScatterStyle(shapeOf(line), pen.color(), pen.color(), 6));
    }
    rescaleAxes();
    yAxis->setRange(0, std::max(yAxis->range().upper * 1.1, 1e-9));
    const double width = xAxis->range().size();
    xAxis->setRange(xAxis->range().lower - width * 0.03 - 1e-9, xAxis->range().upper + width * 0.03 + 1e-9);
    markCurrent();
    QColor behind = theme().canvas;
    behind.setAlphaF(0.85F);
    legend->setBrush(behind);
    legend->setBorderPen(QPen(theme().border));
    legend->setFont(xAxis->tickLabelFont());
    legend->setTextColor(theme().text);
    legend->setRowSpacing(-4);
    replot(rpQueuedReplot);
}

void SweepChart::addLine(const SweepLine& line, const QPen& pen)
{
    QCPGraph* graph = addGraph();
    graph->setName(recipeTitle(line.experiment.schedules.front()));
    graph->setPen(pen);
    for (const SweepPoint& point : line.points)
        if (point.problem.empty())
            graph->addData(point.value, valueOf(point));
}

void SweepChart::addClosedForm(const SweepLine& line, const QPen& pen)
{
    if (line.closedFormSource.empty())
        return;
    QCPGraph* graph = addGraph();
    QPen dashed = pen;
    dashed.setStyle(Qt::DashLine);
    dashed.setWidthF(3);
    QColor soft = pen.color();
    soft.setAlphaF(0.45F);
    dashed.setColor(soft);
    graph->setPen(dashed);
    graph->setName((line.closedFormMeasure == "span" ? tr("%1, closed form (span rate)") : tr("%1, closed form"))
                       .arg(recipeTitle(line.experiment.schedules.front())));
    for (const SweepPoint& point : line.points)
        if (point.closedForm)
            graph->addData(point.value, *point.closedForm * 100);
}

void SweepChart::markCurrent()
{
    if (!xAxis->range().contains(m_current))
        return;
    auto* line = new QCPItemStraightLine(this);
    line->setPen(QPen(theme().mutedText, 1, Qt::DotLine));
    line->point1->setCoords(m_current, 0);
    line->point2->setCoords(m_current, 1);
}

std::vector<QPointF> SweepChart::marks() const
{
    std::vector<QPointF> places;
    places.reserve(m_points.size());
    for (const Point& at : m_points) {
        const SweepPoint& point = m_lines[at.line].points[at.point];
        places.emplace_back(xAxis->coordToPixel(point.value), yAxis->coordToPixel(valueOf(point)));
    }
    return places;
}

QString SweepChart::hintAt(const QPointF& position) const
{
    const int at = nearestPlace(marks(), position, fontMetrics().height());
    if (at < 0)
        return {};
    const Point& place = m_points[static_cast<std::size_t>(at)];
    const SweepLine& line = m_lines[place.line];
    const SweepPoint& point = line.points[place.point];
    QString text = tr("%1 · %2 %3\nbubble rate %4\n%5 microbatches per second\npeak %6 activations")
                       .arg(recipeTitle(line.experiment.schedules.front()), parameterTitle(*m_parameter),
                            cellText(point.value), percentText(point.bubbleRate),
                            QString::number(point.throughput, 'f', 1), countText(point.peakActivations));
    if (point.closedForm)
        text += tr("\nclosed form %1 (%2)")
                    .arg(percentText(*point.closedForm), QString::fromStdString(line.closedFormSource));
    return text;
}

void SweepChart::clickAt(const QPointF& position)
{
    const int at = nearestPlace(marks(), position, fontMetrics().height());
    if (at >= 0)
        Q_EMIT pointClicked(static_cast<int>(m_points[static_cast<std::size_t>(at)].line),
                            static_cast<int>(m_points[static_cast<std::size_t>(at)].point));
}

ChartTable SweepChart::table() const
{
    ChartTable table;
    table.headings << QStringLiteral("schedule")
                   << (m_parameter != nullptr ? QString::fromUtf8(m_parameter->id) : QStringLiteral("value"))
                   << QStringLiteral("bubble_rate") << QStringLiteral("microbatches_per_second")
                   << QStringLiteral("peak_activations") << QStringLiteral("closed_form_bubble_rate")
                   << QStringLiteral("problem");
    for (const SweepLine& line : m_lines)
        for (const SweepPoint& point : line.points) {
            const bool built = point.problem.empty();
            const auto number = [built](double value) { return built ? cellText(value) : QString(); };
            table.rows.push_back(
                {QString::fromStdString(line.experiment.schedules.front().text()), cellText(point.value),
                 number(point.bubbleRate), number(point.throughput), number(point.peakActivations),
                 point.closedForm ? cellText(*point.closedForm) : QString(), QString::fromStdString(point.problem)});
        }
    return table;
}

QSize SweepChart::minimumSizeHint() const
{
    const int line = fontMetrics().height();
    return {line * 14, line * 8};
}

} // namespace bubblescope::viz
