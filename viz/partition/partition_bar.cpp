#include "viz/partition/partition_bar.h"

#include "viz/theme/theme.h"
#include "viz/timeline/run_painter.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolButton>

namespace bubblescope::viz {

PartitionBar::PartitionBar(QWidget* parent) : QWidget(parent), m_algorithms(new QToolButton(this))
{
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Partition"));
    setProperty("keyHelp", QStringList{tr("Page Up, Page Down|choose a boundary"), tr("←, →|move the boundary"),
                                       tr("Return|balance")});
    setToolTip(tr("Drag a boundary to move layers between stages. Double-click balances.\nKeyboard: Page Up and Page "
                  "Down choose a boundary, Left and Right move it, Return balances."));
    for (int slot = 0; slot < 2; ++slot) {
        auto* button = new QToolButton(this);
        button->setText(QChar(u'A' + slot));
        button->setCheckable(true);
        button->setAutoExclusive(true);
        button->setProperty("role", "choice");
        button->setAccessibleName(tr("Partition of schedule %1").arg(button->text()));
        button->setToolTip(
            tr("Show the partition of schedule %1: A and B have different numbers of stages").arg(button->text()));
        button->hide();
        connect(button, &QToolButton::clicked, this, [this, slot] { Q_EMIT slotChosen(slot); });
        m_choice[static_cast<std::size_t>(slot)] = button;
    }
    m_algorithms->setText(tr("Algorithms"));
    m_algorithms->setProperty("role", "choice");
    m_algorithms->setPopupMode(QToolButton::InstantPopup);
    m_algorithms->setToolTip(tr("Ways to divide the layers, each with what is predicted for it"));
}

void PartitionBar::setPartition(const std::vector<int>& partition, const std::vector<double>& layerCosts,
                                const std::vector<std::vector<int>>& homes, bool embedding, bool head)
{
    m_partition = partition;
    m_layerCosts = layerCosts;
    m_homes = homes;
    m_homes.resize(partition.size());
    m_placement = placementOf(homes);
    m_embedding = embedding;
    m_head = head;
    m_focused = std::clamp(m_focused, 0, std::max(0, static_cast<int>(partition.size()) - 2));
    QString spoken;
    for (const int layers : partition)
        spoken += (spoken.isEmpty() ? QString() : QStringLiteral(", ")) + QString::number(layers);
    setAccessibleDescription(
        tr("Layers of each stage: %1. %2. %3").arg(spoken, slowestText(), placementText(m_placement)));
    m_algorithms->setEnabled(m_partition.size() > 1 && !m_layerCosts.empty());
    updateGeometry();
    placeButtons();
    update();
}

void PartitionBar::setChoice(int slot)
{
    for (int each = 0; each < 2; ++each) {
        QToolButton& button = choice(each);
        button.setVisible(slot >= 0);
        button.setChecked(slot == each);
    }
    placeButtons();
    update();
}

QSize PartitionBar::sizeHint() const
{
    const bool strip = m_placement != StagePlacement::OneToOne;
    return {600, static_cast<int>(QFontMetricsF(font()).height() * (strip ? 5.1 : 4.1))};
}

/// The buttons stand in the header: the choice behind the caption, the algorithms at the right end.
void PartitionBar::placeButtons()
{
    const auto line = static_cast<int>(QFontMetricsF(font()).height());
    const QRectF place = bar();
    const int height = static_cast<int>(place.top()) - 5;
    QFont caption = font();
    caption.setPointSizeF(caption.pointSizeF() * 0.84);
    caption.setBold(true);
    int x = static_cast<int>(place.left() + QFontMetricsF(caption).horizontalAdvance(tr("Partition").toUpper())) + line;
    for (QToolButton* button : m_choice) {
        button->setGeometry(x, 2, line * 2, height);
        x += line * 2;
    }
    const int width = m_algorithms->sizeHint().width();
    m_algorithms->setGeometry(static_cast<int>(place.right()) - width, 2, width, height);
}

void PartitionBar::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    placeButtons();
}

void PartitionBar::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        placeButtons();
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

QString PartitionBar::homesText(int stage, double width) const
{
    QString numbers;
    for (const int device : m_homes[static_cast<std::size_t>(stage)])
        numbers += (numbers.isEmpty() ? QString() : QStringLiteral(" + ")) + QString::number(device);
    const QFontMetricsF metrics(font());
    for (const QString& text : {tr("device %1").arg(numbers), numbers})
        if (metrics.horizontalAdvance(text) + 4 < width)
            return text;
    return {};
}

/// The colours of a stage's devices, below each other where there are several; their names below the bar.
void PartitionBar::paintHomes(QPainter& painter, int stage, const QRectF& area) const
{
    const Theme& theme = currentTheme();
    const std::vector<int>& homes = m_homes[static_cast<std::size_t>(stage)];
    const auto colour = [&theme](int device) {
        return theme.stage[static_cast<std::size_t>(device) % theme.stage.size()];
    };
    if (homes.empty())
        painter.fillRect(area, colour(stage));
    for (std::size_t i = 0; i < homes.size(); ++i) {
        const double height = area.height() / static_cast<double>(homes.size());
        painter.fillRect(QRectF(area.left(), area.top() + height * static_cast<double>(i), area.width(), height),
                         colour(homes[i]));
    }
    if (m_placement == StagePlacement::OneToOne)
        return;
    painter.setFont(font());
    painter.setPen(theme.mutedText);
    painter.drawText(area.translated(0, area.height()).adjusted(0, 3, 0, 3), Qt::AlignHCenter | Qt::AlignTop,
                     homesText(stage, area.width()));
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
        paintHomes(painter, stage, area);
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
    const auto count = static_cast<int>(geometry.boundary.size());
    const bool dense = place.width() < 24.0 * (count + 1); // then lines instead of handles leave room for the stages
    for (int index = 0; index < count; ++index) {
        const double x = geometry.boundaryX(index);
        const bool strong = index == m_dragged || (hasFocus() && index == m_focused);
        if (dense && !strong) {
            painter.setPen(QPen(theme.accent, 1.5));
            painter.drawLine(QPointF(x, place.top() - 2), QPointF(x, place.bottom() + 2));
            continue;
        }
        painter.setPen(QPen(theme.accent, strong ? 2.5 : 1.5));
        painter.setBrush(strong ? theme.accentSoft : theme.canvas);
        painter.drawRoundedRect(QRectF(x - 3, place.top() - 3, 6, place.height() + 6), 3, 3);
    }
}

/// What the header says at the right; what matters most comes last.
QStringList PartitionBar::headerParts() const
{
    if (m_layerCosts.empty())
        return {tr("give the model layers to divide them among the stages")};
    if (m_partition.size() < 2)
        return {tr("one stage has all layers")};
    QStringList parts{tr("drag a boundary"), tr("double-click to balance")};
    if (m_placement != StagePlacement::OneToOne)
        parts << placementText(m_placement);
    return parts << slowestText();
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
    const double left = m_choice[1]->isVisibleTo(this) ? m_choice[1]->geometry().right() : header.left();
    const QRectF room = header.adjusted(left - header.left() + 8, 0, m_algorithms->x() - header.right() - 12, 0);
    // What doesn't fit is left out from the front, part by part.
    QStringList parts = headerParts();
    while (parts.size() > 1 && QFontMetricsF(font()).horizontalAdvance(parts.join(QStringLiteral(" · "))) >
                                   room.width() - QFontMetricsF(caption).horizontalAdvance(tr("Partition").toUpper()))
        parts.removeFirst();
    painter.drawText(room, Qt::AlignRight | Qt::AlignBottom, parts.join(QStringLiteral(" · ")));
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
