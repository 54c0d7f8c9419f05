// Showing schedules to others: the replay and the projector view.

#include "viz/replay/replay.h"
#include "viz/window/main_window.h"
#include "viz/window/projector.h"

#include <QMenuBar>
#include <QPushButton>
#include <QSplitter>
#include <QStatusBar>
#include <QToolBar>

namespace bubblescope::viz {

void MainWindow::buildReplay()
{
    constexpr int noticeMilliseconds = 10'000;
    m_replayButton->setToolTip(tr("Play the schedules with a moving cursor; memory and microbatches move with it "
                                  "(Space in the timelines)"));
    connect(m_replayButton, &QPushButton::clicked, this, [this](bool on) {
        if (!on) {
            m_replay->close();
            return;
        }
        m_replay->togglePlaying();
        m_stack->setFocus(); // so that Space goes on from here
        m_replayButton->setChecked(m_replay->isOpen());
    });
    connect(m_replay, &Replay::openChanged, this, [this, before = -1](bool open) mutable {
        m_replayButton->setChecked(open);
        if (open) {
            before = m_panels->currentIndex();
            m_panels->setCurrentWidget(m_replay->panel());
        } else if (m_panels->currentWidget() == m_replay->panel() && before >= 0) {
            m_panels->setCurrentIndex(before);
        }
    });
    connect(m_replay, &Replay::notice, this,
            [this](const QString& sentence) { statusBar()->showMessage(sentence, noticeMilliseconds); });
}

void MainWindow::buildReplayMenu()
{
    m_replay->fillMenu(*menuBar()->addMenu(tr("Re&play")));
}

void MainWindow::buildProjector(QMenu& menu)
{
    const std::vector<QWidget*> parts{m_columns->widget(0),
                                      m_columns->widget(2),
                                      m_partition,
                                      m_panels,
                                      findChild<QToolBar*>(QStringLiteral("tools")),
                                      statusBar()};
    m_projector = new Projector(*this, parts, {m_columns, m_rows});
    menu.addSeparator();
    QAction* action = menu.addAction(tr("&Projector view"));
    action->setShortcuts({QKeySequence(Qt::Key_F11), QKeySequence(Qt::SHIFT | Qt::Key_F11)});
    action->setCheckable(true);
    connect(action, &QAction::toggled, m_projector, &Projector::setOn);
    connect(m_projector, &Projector::changed, action, &QAction::setChecked);
}

} // namespace bubblescope::viz
