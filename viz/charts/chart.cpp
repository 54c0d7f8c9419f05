#include "viz/charts/chart.h"

#include "viz/charts/chart_export.h"
#include "viz/charts/plot_style.h"

#include <QApplication>
#include <QContextMenuEvent>
#include <QMenu>
#include <QToolButton>
#include <QToolTip>

namespace bubblescope::viz {

Chart::Chart(QWidget* parent)
    : QCustomPlot(parent), m_theme(&currentTheme()), m_menu(new QMenu(this)), m_button(new QToolButton(this))
{
    setFocusPolicy(Qt::StrongFocus);
    fillMenu();
    m_button->setText(QStringLiteral("⋯"));
    m_button->setAutoRaise(true);
    m_button->setMenu(m_menu);
    m_button->setPopupMode(QToolButton::InstantPopup);
    m_button->setStyleSheet(QStringLiteral("QToolButton::menu-indicator { image: none; }"));
    m_button->setToolTip(tr("Save or copy this chart"));
    m_button->setAccessibleName(tr("Save or copy this chart"));
}

void Chart::fillMenu()
{
    m_menu->setTitle(tr("Save or copy this chart"));
    for (const ChartFormat format : chartFormats)
        m_menu->addAction(tr("Save as %1 …").arg(formatName(format)), this, [this, format] {
            const QString sentence = askAndSave(*this, format);
            if (!sentence.isEmpty())
                Q_EMIT problem(sentence);
        });
    m_menu->addSeparator();
    m_menu->addAction(tr("Copy picture") + QStringLiteral("\tCtrl+C"), this, [this] { copyPicture(*this); });
    m_menu->addAction(tr("Copy data") + QStringLiteral("\tCtrl+Shift+C"), this, [this] { copyTable(table()); });
}

void Chart::setTheme(const Theme& theme)
{
    m_theme = &theme;
    rebuild();
}

void Chart::applyStyle()
{
    stylePlot(*this, *m_theme);
    setPlotTitle(*this, m_title, *m_theme);
}

bool Chart::event(QEvent* event)
{
    // Keys of the chart come before those of the window's menus.
    if (event->type() == QEvent::ShortcutOverride) {
        auto* key = static_cast<QKeyEvent*>(event);
        const bool copies = key->key() == Qt::Key_C && key->modifiers().testFlag(Qt::ControlModifier) && hasFocus();
        if (copies) {
            event->accept();
            return true;
        }
    }
    return QCustomPlot::event(event);
}

void Chart::changeEvent(QEvent* event)
{
    QCustomPlot::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_theme != &currentTheme())
        setTheme(currentTheme());
    else if (event->type() == QEvent::FontChange)
        rebuild();
}

void Chart::contextMenuEvent(QContextMenuEvent* event)
{
    m_menu->popup(event->globalPos());
    event->accept();
}

void Chart::focusInEvent(QFocusEvent* event)
{
    QCustomPlot::focusInEvent(event);
    update();
}

void Chart::focusOutEvent(QFocusEvent* event)
{
    QCustomPlot::focusOutEvent(event);
    m_mark = -1;
    update();
}

void Chart::sayHint(const QPointF& position)
{
    const QString hint = hintAt(position);
    setAccessibleDescription(hint);
    if (hint.isEmpty())
        QToolTip::hideText();
    else
        QToolTip::showText(mapToGlobal(position.toPoint()), hint, this);
}

void Chart::goToMark(int mark)
{
    const std::vector<QPointF> places = marks();
    if (places.empty())
        return;
    m_mark = std::clamp(mark, 0, static_cast<int>(places.size()) - 1);
    sayHint(places[static_cast<std::size_t>(m_mark)]);
    update();
}

void Chart::keyPressEvent(QKeyEvent* event)
{
    const int all = static_cast<int>(marks().size());
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Up:
        return goToMark(m_mark < 0 ? all : m_mark - 1);
    case Qt::Key_Right:
    case Qt::Key_Down:
        return goToMark(m_mark + 1);
    case Qt::Key_Home:
        return goToMark(0);
    case Qt::Key_End:
        return goToMark(all);
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (m_mark >= 0 && m_mark < all)
            clickAt(marks()[static_cast<std::size_t>(m_mark)]);
        return;
    case Qt::Key_C:
        if (event->modifiers() == Qt::ControlModifier)
            return copyPicture(*this);
        if (event->modifiers() == (Qt::ControlModifier | Qt::ShiftModifier))
            return copyTable(table());
        break;
    default:
        break;
    }
    QCustomPlot::keyPressEvent(event);
}

void Chart::mouseMoveEvent(QMouseEvent* event)
{
    QCustomPlot::mouseMoveEvent(event);
    if (event->buttons() == Qt::NoButton)
        sayHint(event->position());
}

void Chart::mousePressEvent(QMouseEvent* event)
{
    QCustomPlot::mousePressEvent(event);
    m_pressed = event->position();
    m_mark = -1;
}

void Chart::mouseReleaseEvent(QMouseEvent* event)
{
    QCustomPlot::mouseReleaseEvent(event);
    const double moved = (event->position() - m_pressed).manhattanLength();
    if (event->button() == Qt::LeftButton && moved < QApplication::startDragDistance())
        clickAt(event->position());
}

void Chart::paintEvent(QPaintEvent* event)
{
    QCustomPlot::paintEvent(event);
    if (!hasFocus())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(m_theme->accent, 1, Qt::DotLine));
    painter.drawRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5));
    const std::vector<QPointF> places = marks();
    if (m_mark < 0 || m_mark >= static_cast<int>(places.size()))
        return;
    const double radius = fontMetrics().height() * 0.5;
    painter.setPen(QPen(m_theme->text, 2));
    painter.drawEllipse(places[static_cast<std::size_t>(m_mark)], radius, radius);
}

void Chart::resizeEvent(QResizeEvent* event)
{
    QCustomPlot::resizeEvent(event);
    const int side = fontMetrics().height() * 3 / 2;
    m_button->setGeometry(width() - side, 0, side, side);
}

} // namespace bubblescope::viz
