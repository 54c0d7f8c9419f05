#include "viz/window/projector.h"

#include <QApplication>
#include <QEvent>
#include <QMenuBar>
#include <QPushButton>
#include <QSplitter>
#include <QTimer>

namespace bubblescope::viz {
namespace {

void setProgramFont(const QFont& font)
{
    QApplication::setFont(font);
    // With a style sheet, widgets take the new font only when they are polished again.
    qApp->setStyleSheet(qApp->styleSheet());
}

} // namespace

Projector::Projector(QMainWindow& window, std::vector<QWidget*> parts, std::vector<QSplitter*> splitters)
    : QObject(&window)
    , m_window(window)
    , m_parts(std::move(parts))
    , m_splitters(std::move(splitters))
    , m_leave(new QPushButton(tr("Leave the projector view (F11)")))
{
    m_leave->setProperty("flat", true);
    m_leave->setObjectName(QStringLiteral("leaveProjector"));
    m_leave->hide();
    window.menuBar()->setCornerWidget(m_leave);
    window.installEventFilter(this);
    connect(m_leave, &QPushButton::clicked, this, [this] { setOn(false); });
}

Projector::~Projector()
{
    if (m_on)
        QApplication::setFont(m_font); // another window must not inherit it
}

void Projector::setOn(bool on)
{
    if (on == m_on)
        return;
    m_on = on;
    on ? enter() : leave();
    Q_EMIT changed(on);
}

void Projector::enter()
{
    m_wereShown.clear();
    for (QWidget* part : m_parts)
        if (!part->isHidden())
            m_wereShown.push_back(part);
    m_sizes.clear();
    for (const QSplitter* splitter : m_splitters)
        m_sizes.push_back(splitter->saveState());
    m_font = QApplication::font();
    m_state = m_window.windowState();
    m_size = m_window.size();
    m_awaitsSize = false;
    for (QWidget* part : m_wereShown)
        part->hide();
    QFont larger = m_font;
    if (m_font.pointSizeF() > 0)
        larger.setPointSizeF(m_font.pointSizeF() * largerType);
    else
        larger.setPixelSize(static_cast<int>(m_font.pixelSize() * largerType));
    setProgramFont(larger);
    m_leave->show();
    m_window.menuBar()->setCornerWidget(m_leave); // lays it out anew
    m_window.setWindowState(m_state | Qt::WindowFullScreen);
}

void Projector::leave()
{
    // First the type and the window: parts that come back to a window of another size would widen it, and a part of
    // that would stay.
    setProgramFont(m_font);
    m_leave->hide();
    m_window.setWindowState(m_state);
    const bool placed = m_state & (Qt::WindowFullScreen | Qt::WindowMaximized);
    if (!placed)
        m_window.resize(m_size);
    for (QWidget* part : m_wereShown)
        part->show();
    restoreSplitters();
    // Window managers give the size back later than they are asked to.
    m_awaitsSize = !placed && m_window.size() != m_size;
}

void Projector::restoreSplitters()
{
    for (std::size_t i = 0; i < m_splitters.size(); ++i)
        m_splitters[i]->restoreState(m_sizes[i]);
}

bool Projector::eventFilter(QObject* watched, QEvent* event)
{
    if (event->type() == QEvent::Resize && m_awaitsSize && m_window.size() == m_size) {
        m_awaitsSize = false;
        QTimer::singleShot(0, this, [this] { // the window has laid itself out
            if (!m_on)
                restoreSplitters();
        });
    }
    return QObject::eventFilter(watched, event);
}

} // namespace bubblescope::viz
