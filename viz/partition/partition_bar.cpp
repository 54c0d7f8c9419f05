#include "viz/partition/partition_bar.h"

#include "viz/theme/theme.h"
#include "viz/timeline/run_painter.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>

namespace bubblescope::viz {

PartitionBar::PartitionBar(QWidget* parent) : QWidget(parent)
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Partition"));
    setToolTip(tr("Drag a boundary to move layers between stages. Double-click balances.\nKeyboard: Page Up and Page "
                  "Down choose a boundary, Left and Right move it, Return balances."));
}

void PartitionBar::setPartition(const std::vector<int>& partition, const std::vector<double>& layerCosts, int devices,
                                bool embedding, bool head)
{
    m_partition = partition;
    m_layerCosts = layerCosts;
    m_devices = std::max(1, devices);
    m_embedding = embedding;
    m_head = head;
    m_focused = std::clamp(m_focused, 0, std::max(0, static_cast<int>(partition.size()) - 2));
    QString spoken;
    for (const int layers : partition)
        spoken += (spoken.isEmpty() ? QString() : QStringLiteral(", ")) + QString::number(layers);
    setAccessibleDescription(tr("Layers of each stage: %1. %2").arg(spoken, slowestText()));
    update();
}

QSize PartitionBar::sizeHint() const
{
    return {600, static_cast<int>(QFontMetricsF(font()).height() * 4.1)};
}

QRectF PartitionBar::bar() const
{
    const double line = QFontMetricsF(font()).height();
    const TimelineMetrics metrics(font());
    return {metrics.margin, line * 1.75, width() - 2 * metrics.margin, line * 1.95};
}

PartitionGeometry PartitionBar::geometryNow() const
{
    return partitionGeometry(m_partition, m_layerCosts, bar().left(), bar().width());
}

QPointF PartitionBar::handle(int index) const
{
    return {geometryNow().boundaryX(index), bar().center().y()};
}

QString PartitionBar::slowestText() const
{
    if (m_partition.size() < 2)
        return {};
    const PartitionGeometry geometry = partitionGeometry(m_partition, m_layerCosts, 0, 1);
    if (geometry.imbalance() < 1.0005)
        return tr("all stages cost the same");
    return tr("slowest stage %1: %2 × mean").arg(geometry.slowest()).arg(geometry.imbalance(), 0, 'f', 2);
}

QString PartitionBar::stageText(int stage, int firstLayer, double width) const
{
    const int layers = m_partition[static_cast<std::size_t>(stage)];
    QString range = layers == 0   ? tr("no layer")
                    : layers == 1 ? QStringLiteral("L%1").arg(firstLayer)
                                  : QStringLiteral("L%1–L%2").arg(firstLayer).arg(firstLayer + layers - 1);
    if (stage == 0 && m_embedding)
        range = tr("Emb + ") + range;
    if (stage + 1 == static_cast<int>(m_partition.size()) && m_head)
        range += tr(" + head");
    const QFontMetricsF metrics(font());
    for (const QString& text :
         {tr("Stage %1 · %2").arg(stage).arg(range), tr("Stage %1").arg(stage), QString::number(stage)})
        if (metrics.horizontalAdvance(text) * 1.12 + 8 < width)
            return text;
    return {};
}

void PartitionBar::paintStages(QPainter& painter, const PartitionGeometry& geometry) const
{
    const Theme& theme = currentTheme();
    const QRectF place = bar();
    int layer = 0;
    QFont bold = font();
    bold.setBold(true);
    bold.setPointSizeF(bold.pointSizeF() * 0.95);
    for (int stage = 0; stage < geometry.stages(); ++stage) {
        const int end = layer + m_partition[static_cast<std::size_t>(stage)];
        const double left = geometry.edge[static_cast<std::size_t>(layer)];
        const double right =
            geometry.edge[static_cast<std::size_t>(std::min<int>(end, static_cast<int>(geometry.edge.size()) - 1))];
        const QRectF area(left, place.top(), right - left, place.height());
        painter.fillRect(area, theme.stage[static_cast<std::size_t>(stage % m_devices) % theme.stage.size()]);
        if ((right - left) / std::max(1, end - layer) > 3) {
            painter.setPen(QPen(theme.canvas, 1));
            for (int inner = layer + 1; inner < end; ++inner) {
                const double x = std::round(geometry.edge[static_cast<std::size_t>(inner)]) + 0.5;
                painter.drawLine(QPointF(x, area.top()), QPointF(x, area.bottom()));
            }
        }
        painter.setFont(bold);
        painter.setPen(theme.text);
        painter.drawText(area, Qt::AlignCenter, stageText(stage, layer, area.width()));
        layer = end;
    }
}

void PartitionBar::paintHandles(QPainter& painter, const PartitionGeometry& geometry) const
{
    const Theme& theme = currentTheme();
    const QRectF place = bar();
    painter.setRenderHint(QPainter::Antialiasing);
    for (int index = 0; index < static_cast<int>(geometry.boundary.size()); ++index) {
        const double x = geometry.boundaryX(index);
        const bool strong = index == m_dragged || (hasFocus() && index == m_focused);
        painter.setPen(QPen(theme.accent, strong ? 2.5 : 1.5));
        painter.setBrush(strong ? theme.accentSoft : theme.canvas);
        painter.drawRoundedRect(QRectF(x - 3, place.top() - 3, 6, place.height() + 6), 3, 3);
    }
}

void PartitionBar::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    const Theme& theme = currentTheme();
    painter.fillRect(rect(), theme.canvas);
    QFont caption = font();
    caption.setPointSizeF(caption.pointSizeF() * 0.84);
    caption.setBold(true);
    const QRectF header(bar().left(), 0, bar().width(), bar().top() - 4);
    painter.setPen(theme.mutedText);
    painter.setFont(caption);
    painter.drawText(header, Qt::AlignLeft | Qt::AlignBottom, tr("Partition").toUpper());
    painter.setFont(font());
    const bool editable = m_partition.size() > 1 && !m_layerCosts.empty();
    painter.drawText(header, Qt::AlignRight | Qt::AlignBottom,
                     editable               ? tr("drag a boundary · %1 · double-click to balance").arg(slowestText())
                     : m_layerCosts.empty() ? tr("give the model layers to divide them among the stages")
                                            : tr("one stage has all layers"));
    if (!editable)
        return;
    const PartitionGeometry geometry = geometryNow();
    paintStages(painter, geometry);
    paintHandles(painter, geometry);
}

void PartitionBar::propose(const std::vector<int>& partition)
{
    if (partition != m_partition)
        Q_EMIT partitionEdited(partition, m_dragNumber);
}

void PartitionBar::mousePressEvent(QMouseEvent* event)
{
    if (event->button() != Qt::LeftButton || m_partition.size() < 2)
        return;
    m_dragged = geometryNow().boundaryAt(event->position().x(), 8);
    if (m_dragged < 0)
        return;
    m_focused = m_dragged;
    ++m_dragNumber;
    update();
}

void PartitionBar::mouseMoveEvent(QMouseEvent* event)
{
    if (m_partition.size() < 2)
        return;
    const PartitionGeometry geometry = geometryNow();
    if (m_dragged >= 0)
        propose(geometry.moved(m_dragged, event->position().x()));
    const bool grabs = m_dragged >= 0 || geometry.boundaryAt(event->position().x(), 8) >= 0;
    setCursor(grabs ? Qt::SplitHCursor : Qt::ArrowCursor);
}

void PartitionBar::mouseReleaseEvent(QMouseEvent*)
{
    m_dragged = -1;
    update();
}

void PartitionBar::mouseDoubleClickEvent(QMouseEvent*)
{
    m_dragged = -1;
    Q_EMIT balanceAsked();
}

void PartitionBar::keyPressEvent(QKeyEvent* event)
{
    const int last = static_cast<int>(m_partition.size()) - 2;
    if (last < 0)
        return QWidget::keyPressEvent(event);
    switch (event->key()) {
    case Qt::Key_PageUp:
        m_focused = std::max(0, m_focused - 1);
        break;
    case Qt::Key_PageDown:
        m_focused = std::min(last, m_focused + 1);
        break;
    case Qt::Key_Left:
        ++m_dragNumber;
        propose(geometryNow().movedBy(m_focused, -1));
        break;
    case Qt::Key_Right:
        ++m_dragNumber;
        propose(geometryNow().movedBy(m_focused, 1));
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        Q_EMIT balanceAsked();
        break;
    default:
        return QWidget::keyPressEvent(event);
    }
    update();
}

} // namespace bubblescope::viz
