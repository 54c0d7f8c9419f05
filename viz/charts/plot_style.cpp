#include "viz/charts/plot_style.h"

#include <QApplication>
#include <QFontMetrics>

namespace bubblescope::viz {

void stylePlot(QCustomPlot& plot, const Theme& theme)
{
    const QFont font = QApplication::font();
    QFont small = font;
    small.setPointSizeF(font.pointSizeF() * 0.92);
    plot.setBackground(QBrush(theme.canvas));
    plot.plotLayout()->setRowSpacing(0);
    for (QCPAxisRect* rect : plot.axisRects()) {
        for (QCPAxis* axis : rect->axes()) {
            axis->setBasePen(QPen(theme.border));
            axis->setTickPen(QPen(theme.border));
            axis->setSubTickPen(QPen(Qt::NoPen));
            axis->setTickLabelColor(theme.mutedText);
            axis->setLabelColor(theme.mutedText);
            axis->setTickLabelFont(small);
            axis->setLabelFont(small);
            axis->setTickLengthOut(3);
            axis->setTickLengthIn(0);
            axis->grid()->setPen(QPen(theme.border, 1, Qt::DotLine));
            axis->grid()->setZeroLinePen(QPen(theme.border));
        }
    }
}

void setPlotTitle(QCustomPlot& plot, const QString& title, const Theme& theme)
{
    QFont bold = QApplication::font();
    bold.setBold(true);
    auto* element = qobject_cast<QCPTextElement*>(plot.plotLayout()->element(0, 0));
    if (!element) {
        plot.plotLayout()->insertRow(0);
        element = new QCPTextElement(&plot);
        plot.plotLayout()->addElement(0, 0, element);
        element->setMargins(QMargins(2, 2, 2, 4));
    }
    element->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
    element->setText(title);
    element->setFont(bold);
    element->setTextColor(theme.text);
}

int nearestPlace(const std::vector<QPointF>& places, const QPointF& position, double within)
{
    int nearest = -1;
    double least = within * within;
    for (std::size_t i = 0; i < places.size(); ++i) {
        const QPointF away = places[i] - position;
        const double distance = QPointF::dotProduct(away, away);
        if (distance <= least) {
            least = distance;
            nearest = static_cast<int>(i);
        }
    }
    return nearest;
}

} // namespace bubblescope::viz
