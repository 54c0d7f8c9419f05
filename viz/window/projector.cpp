#include "viz/window/projector.h"

#include <QApplication>
#include <QMenuBar>
#include <QPushButton>
#include <QSplitter>

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
    setProgramFont(m_font);
    m_leave->hide();
    for (QWidget* part : m_wereShown)
        part->show();
    for (std::size_t i = 0; i < m_splitters.size(); ++i)
        m_splitters[i]->restoreState(m_sizes[i]);
    m_window.setWindowState(m_state);
}

} // namespace bubblescope::viz
