#include "viz/charts/heat_chart.h"

#include "viz/charts/plot_style.h"

#include <QApplication>

#include <cmath>

namespace bubblescope::viz {
namespace {

/// The cells, drawn one by one, so that drawings and pages stay sharp.
class Cells : public QCPAbstractItem {
public:
    Cells(QCustomPlot* plot, const HeatMap& map, const Theme& theme)
        : QCPAbstractItem(plot), m_map(map), m_theme(theme), m_gradient(heatGradient(theme, map.differences))
    {
        setSelectable(false);
    }

    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }

    void setOutlined(int row, int column)
    {
        m_row = row;
        m_column = column;
    }

protected:
    void draw(QCPPainter* painter) override
    {
        const double scale = m_map.scale();
        const QCPRange range(m_map.differences ? -scale : 0, scale);
        const double gap = cell(0, 0).width() > 6 && cell(0, 0).height() > 6 ? 1 : 0;
        painter->setAntialiasing(gap == 0);
        QFont small = QApplication::font();
        small.setPointSizeF(small.pointSizeF() * 0.85);
        painter->setFont(small);
        const QFontMetricsF metrics(small);
        for (int row = 0; row < m_map.rows.size(); ++row)
            for (int column = 0; column < m_map.columns; ++column) {
                const QRectF place = cell(row, column).adjusted(0, 0, -gap, -gap);
                const double value = m_map.at(row, column);
                if (std::isnan(value)) {
                    painter->fillRect(place, QBrush(m_theme.hatchLine, Qt::BDiagPattern));
                    continue;
                }
                const QColor fill = QColor::fromRgb(m_gradient.color(value, range));
                painter->fillRect(place, fill);
                const QString text = m_map.number ? m_map.number(value) : QString();
                if (text.isEmpty() || metrics.height() > place.height() ||
                    metrics.horizontalAdvance(text) + 4 > place.width())
                    continue;
                painter->setPen(m_theme.labelOn(fill));
                painter->drawText(place, Qt::AlignCenter, text);
            }
        if (m_row >= 0) {
            painter->setPen(QPen(m_theme.text, 2));
            painter->setBrush(Qt::NoBrush);
            painter->drawRect(cell(m_row, m_column).adjusted(0, 0, -gap, -gap));
        }
    }

private:
    QRectF cell(int row, int column) const
    {
        const QCPAxisRect& area = *parentPlot()->axisRect();
        const double width = static_cast<double>(area.width()) / std::max(1, m_map.columns);
        const double height =
            static_cast<double>(area.height()) / static_cast<double>(std::max<qsizetype>(1, m_map.rows.size()));
        return {area.left() + column * width, area.top() + row * height, width, height};
    }

    const HeatMap& m_map;
    const Theme& m_theme;
    QCPColorGradient m_gradient;
    int m_row = -1;
    int m_column = -1;
};

} // namespace

double HeatMap::scale() const
{
    double largest = most;
    if (most <= 0)
        for (const double value : values)
            if (!std::isnan(value))
                largest = std::max(largest, std::abs(value));
    return largest > 0 ? largest : 1;
}

QCPColorGradient heatGradient(const Theme& theme, bool differences)
{
    QCPColorGradient gradient;
    gradient.clearColorStops();
    const auto stop = [&](double at, const char* light, const char* dark) {
        gradient.setColorStopAt(at, QColor(QLatin1String(theme.dark ? dark : light)));
    };
    if (differences) {
        stop(0, "#1a4796", "#2a63c4");
        stop(0.5, "#a9aeb6", "#7d838c");
        stop(1, "#ffd27f", "#ffd790");
    } else {
        stop(0, "#eef1f5", "#23272e");
        stop(0.5, "#7fa8dc", "#3c639c");
        stop(1, "#123a7a", "#a6cbff");
    }
    return gradient;
}

HeatChart::HeatChart(QWidget* parent) : Chart(parent), m_scale(new QCPColorScale(this))
{
    m_scale->setType(QCPAxis::atRight);
    m_scale->setBarWidth(fontMetrics().height() * 2 / 3);
    auto* margins = new QCPMarginGroup(this);
    axisRect()->setMarginGroup(QCP::msTop | QCP::msBottom, margins);
    m_scale->setMarginGroup(QCP::msTop | QCP::msBottom, margins);
    HeatChart::rebuild();
}

void HeatChart::setMap(HeatMap map, const QString& title)
{
    m_map = std::move(map);
    m_outlinedRow = -1;
    setTitle(title);
    setAccessibleName(title);
    rebuild();
}

void HeatChart::setOutlined(int row, int column)
{
    m_outlinedRow = row;
    m_outlinedColumn = column;
    rebuild();
}

void HeatChart::rebuild()
{
    clearItems();
    applyStyle();
    const bool hasData = !m_map.rows.isEmpty() && m_map.columns > 0;
    axisRect()->setVisible(hasData);
    m_scale->setVisible(hasData);
    if (!hasData) {
        if (m_scale->layout() != nullptr)
            plotLayout()->take(m_scale);
        replot(rpQueuedReplot);
        return;
    }
    if (m_scale->layout() == nullptr)
        plotLayout()->addElement(plotLayout()->rowCount() - 1, 1, m_scale);
    const auto rows = static_cast<int>(m_map.rows.size());
    QSharedPointer<QCPAxisTickerText> names(new QCPAxisTickerText);
    const int every = std::max(1, (rows + 9) / 10);
    for (int row = 0; row < rows; row += every)
        names->addTick(row, m_map.rows[row]);
    yAxis->setTicker(names);
    yAxis->setRangeReversed(true);
    yAxis->setRange(-0.5, rows - 0.5);
    xAxis->setRange(m_map.begin, m_map.end);
    xAxis->setLabel(m_map.xLabel);
    yAxis->setLabel(m_map.yLabel);
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->grid()->setVisible(false);
        axis->setBasePen(Qt::NoPen);
        axis->setTickPen(Qt::NoPen);
    }
    const double scale = m_map.scale();
    m_scale->setGradient(heatGradient(theme(), m_map.differences));
    m_scale->setDataRange({m_map.differences ? -scale : 0, scale});
    QSharedPointer<QCPAxisTickerText> ends(new QCPAxisTickerText); // words and numbers say what the colours mean
    const auto end = [&](double value, const QString& meaning) {
        const QString number = m_map.number ? m_map.number(value) : QString();
        ends->addTick(value, meaning.isEmpty() ? number : number + QLatin1Char('\n') + meaning);
    };
    end(scale, m_map.high);
    end(0, m_map.differences ? QString() : m_map.low);
    if (m_map.differences)
        end(-scale, m_map.low);
    QCPAxis* axis = m_scale->axis();
    axis->setTicker(ends);
    axis->setTickLabelColor(theme().mutedText);
    axis->setTickLabelFont(xAxis->tickLabelFont());
    axis->setBasePen(Qt::NoPen);
    axis->setTickPen(QPen(theme().border));
    auto* cells = new Cells(this, m_map, theme());
    cells->setOutlined(m_outlinedRow, m_outlinedColumn);
    replot(rpQueuedReplot);
}

std::optional<std::pair<int, int>> HeatChart::cellAt(const QPointF& position) const
{
    const QRectF area(axisRect()->rect());
    if (m_map.rows.isEmpty() || m_map.columns == 0 || !area.contains(position))
        return std::nullopt;
    const auto rows = static_cast<int>(m_map.rows.size());
    const int row = static_cast<int>((position.y() - area.top()) / area.height() * rows);
    const int column = static_cast<int>((position.x() - area.left()) / area.width() * m_map.columns);
    return std::pair(std::clamp(row, 0, rows - 1), std::clamp(column, 0, m_map.columns - 1));
}

QString HeatChart::hintAt(const QPointF& position) const
{
    const auto cell = cellAt(position);
    return cell && m_map.hint ? m_map.hint(cell->first, cell->second) : QString();
}

QPointF HeatChart::centreOf(int row, int column) const
{
    const QRectF area(axisRect()->rect());
    return {area.left() + (column + 0.5) * area.width() / m_map.columns,
            area.top() + (row + 0.5) * area.height() / static_cast<double>(m_map.rows.size())};
}

std::vector<QPointF> HeatChart::marks() const
{
    std::vector<QPointF> places;
    for (int row = 0; row < m_map.rows.size(); ++row)
        for (int column = 0; column < m_map.columns; ++column)
            places.push_back(centreOf(row, column));
    return places;
}

void HeatChart::clickAt(const QPointF& position)
{
    if (const auto cell = cellAt(position))
        Q_EMIT cellClicked(cell->first, cell->second);
}

ChartTable HeatChart::table() const
{
    ChartTable table;
    table.headings = m_map.headings;
    const double width = m_map.columns > 0 ? (m_map.end - m_map.begin) / m_map.columns : 0;
    for (int row = 0; row < m_map.rows.size(); ++row)
        for (int column = 0; column < m_map.columns; ++column) {
            const double value = m_map.at(row, column);
            QStringList cells{m_map.rows[row], cellText(m_map.begin + width * (column + m_map.labelled)),
                              std::isnan(value) ? QString() : cellText(value)};
            if (m_map.cells)
                cells += m_map.cells(row, column);
            table.rows.push_back(cells);
        }
    return table;
}

QSize HeatChart::minimumSizeHint() const
{
    const int line = fontMetrics().height();
    return {line * 16, line * 8};
}

} // namespace bubblescope::viz
