#include "viz/replay/replay.h"

#include "viz/replay/replay_overlay.h"
#include "viz/replay/webp_writer.h"
#include "viz/timeline/timeline_stack.h"

#include <QActionGroup>
#include <QEvent>
#include <QMenu>

#include <cmath>

namespace bubblescope::viz {
namespace {

constexpr double followFrom = 0.8;   ///< share of the visible range at which it begins to move
constexpr double followBackTo = 0.2; ///< where the playhead is put when it lies before the range

} // namespace

Replay::Replay(TimelineStack& stack, QWidget& window)
    : QObject(&window), m_stack(stack), m_window(window), m_bar(new ReplayBar(m_player)), m_panel(new ReplayPanel)
{
    m_bar->hide();
    buildActions();
    connectParts();
    window.installEventFilter(this);
}

QAction* Replay::addAction(const QString& text, const QList<QKeySequence>& keys)
{
    auto* action = new QAction(text, this);
    action->setShortcuts(keys);
    // Keys without Ctrl belong to the timelines: elsewhere Space presses a button and a comma is a comma.
    action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
    m_stack.addAction(action);
    for (QWidget* slider : m_bar->sliders())
        slider->addAction(action);
    return action;
}

void Replay::buildActions()
{
    m_play = addAction(tr("&Play"), {Qt::Key_Space});
    m_play->setAutoRepeat(false); // who holds Space down doesn't want flicker
    m_back = addAction(tr("Step &back"), {Qt::Key_Comma});
    m_forward = addAction(tr("Step &forward"), {Qt::Key_Period});
    m_slower = addAction(tr("&Slower"), {Qt::Key_Less});
    m_faster = addAction(tr("F&aster"), {Qt::Key_Greater});
    m_loop = new QAction(tr("&Loop"), this);
    m_follow = new QAction(tr("Visible range f&ollows"), this);
    for (QAction* action : {m_loop, m_follow})
        action->setCheckable(true);
    m_follow->setChecked(m_bar->follows());
    const QString upcoming[] = {tr("Later tasks s&hown"), tr("Later tasks &dimmed"), tr("Later tasks h&idden")};
    auto* group = new QActionGroup(this);
    for (std::size_t i = 0; i < m_upcoming.size(); ++i) {
        m_upcoming[i] = new QAction(upcoming[i], this);
        m_upcoming[i]->setCheckable(true);
        group->addAction(m_upcoming[i]);
        connect(m_upcoming[i], &QAction::triggered, this,
                [this, i] { m_bar->setUpcoming(static_cast<Upcoming>(static_cast<int>(i))); });
    }
    m_webp = new QAction(canWriteWebp() ? tr("Export as animated &WebP …")
                                        : tr("Export as animated &WebP (this build has no libwebp)"),
                         this);
    m_webp->setEnabled(canWriteWebp());
    m_webp->setToolTip(whyNoWebp());
    m_webp->setStatusTip(whyNoWebp());
    m_pngs = new QAction(tr("Export as &numbered PNGs …"), this);
    m_close = new QAction(tr("&Close the replay"), this);
    showState();
}

void Replay::connectParts()
{
    connect(m_play, &QAction::triggered, this, &Replay::togglePlaying);
    connect(m_back, &QAction::triggered, this, [this] { step(-1); });
    connect(m_forward, &QAction::triggered, this, [this] { step(+1); });
    connect(m_slower, &QAction::triggered, this, [this] { m_player.setSpeed(m_player.speed() / std::cbrt(10.0)); });
    connect(m_faster, &QAction::triggered, this, [this] { m_player.setSpeed(m_player.speed() * std::cbrt(10.0)); });
    connect(m_loop, &QAction::toggled, &m_player, &ReplayPlayer::setLoops);
    connect(&m_player, &ReplayPlayer::loopsChanged, m_loop, &QAction::setChecked);
    connect(m_follow, &QAction::toggled, m_bar, &ReplayBar::setFollows);
    connect(m_bar, &ReplayBar::followsChanged, m_follow, &QAction::setChecked);
    connect(m_webp, &QAction::triggered, this, [this] { askExport(ReplayFormat::Webp); });
    connect(m_pngs, &QAction::triggered, this, [this] { askExport(ReplayFormat::Png); });
    connect(m_close, &QAction::triggered, this, &Replay::close);
    connect(m_bar, &ReplayBar::stepAsked, this, &Replay::step);
    connect(m_bar, &ReplayBar::closeAsked, this, &Replay::close);
    connect(m_bar, &ReplayBar::exportAsked, this,
            [this] { askExport(canWriteWebp() ? ReplayFormat::Webp : ReplayFormat::Png); });
    connect(m_bar, &ReplayBar::upcomingChanged, this, [this] {
        showState();
        showPosition();
    });
    connect(&m_player, &ReplayPlayer::playingChanged, this, &Replay::showState);
    connect(&m_player, &ReplayPlayer::positionChanged, this, [this] {
        showPosition();
        follow();
    });
    connect(&m_player, &ReplayPlayer::speedChanged, this, [this] { m_speedChosen = m_speedChosen || m_open; });
    connect(&m_stack, &TimelineStack::alignmentChanged, this, [this] {
        if (m_open)
            refresh();
        else
            m_panel->setOffsets(offsets());
    });
    connect(&m_stack.range(), &RangeController::cursorChanged, this, [this] {
        if (!m_open && m_stack.range().cursor() && m_panel->isVisible())
            m_panel->setTime(*m_stack.range().cursor());
    });
}

void Replay::fillMenu(QMenu& menu)
{
    menu.setToolTipsVisible(true);
    menu.addActions({m_play, m_back, m_forward});
    menu.addSeparator();
    menu.addActions({m_slower, m_faster, m_loop, m_follow});
    menu.addSeparator();
    menu.addActions({m_upcoming[0], m_upcoming[1], m_upcoming[2]});
    menu.addSeparator();
    menu.addActions({m_webp, m_pngs});
    menu.addSeparator();
    menu.addAction(m_close);
}

TimeRange Replay::wholeRange() const
{
    const std::vector<Nanoseconds> aligned = offsets();
    TimeRange whole;
    for (std::size_t i = 0; i < m_runs.size(); ++i) {
        const TimeRange own = shifted({m_runs[i]->idle.begin, m_runs[i]->idle.end}, aligned[i]);
        whole = i == 0 ? own : TimeRange{std::min(whole.begin, own.begin), std::max(whole.end, own.end)};
    }
    return whole;
}

/// Of the runs in the timelines; the player's time is that of their axis.
std::vector<Nanoseconds> Replay::offsets() const
{
    std::vector<Nanoseconds> offsets(m_runs.size(), 0);
    for (std::size_t slot = 0; slot < std::min(m_runs.size(), m_stack.runs().size()); ++slot)
        offsets[slot] = m_stack.offset(static_cast<int>(slot));
    return offsets;
}

void Replay::setRuns(const std::vector<RunPtr>& runs)
{
    m_runs = runs;
    if (!m_open)
        return;
    if (m_runs.empty()) {
        close();
        return;
    }
    refresh();
}

void Replay::refresh()
{
    m_panel->setRuns(m_runs);
    m_panel->setOffsets(offsets());
    m_player.setRange(wholeRange());
    syncOverlays();
}

void Replay::open()
{
    if (m_open || m_runs.empty())
        return;
    m_panel->setRuns(m_runs);
    m_panel->setOffsets(offsets());
    const TimeRange whole = wholeRange();
    if (!m_speedChosen)
        m_player.setSpeed(pleasantSpeed(whole.length()));
    m_player.setRange(whole);
    const RangeController& range = m_stack.range();
    m_player.seek(range.showsAll() ? whole.begin : std::max(whole.begin, range.visible().begin));
    m_open = true;
    m_bar->show();
    syncOverlays();
    showState();
    Q_EMIT openChanged(true);
}

void Replay::close()
{
    if (!m_open)
        return;
    m_player.pause();
    m_open = false;
    if (m_bar->isAncestorOf(m_window.focusWidget()))
        m_stack.setFocus();
    m_bar->hide();
    syncOverlays();
    showState();
    Q_EMIT openChanged(false);
}

void Replay::togglePlaying()
{
    open();
    if (m_open)
        m_player.toggle();
}

void Replay::step(int by)
{
    if (!m_open)
        return;
    m_player.pause();
    if (const auto stop = nextStop(m_panel->state().runs(), m_player.position(), by))
        m_player.seek(*stop);
}

/// One overlay on every timeline while the replay is open.
void Replay::syncOverlays()
{
    bool topmost = true;
    for (TimelineView* view : m_stack.views()) {
        auto* overlay = view->findChild<ReplayOverlay*>(QString(), Qt::FindDirectChildrenOnly);
        if (m_open && !overlay)
            new ReplayOverlay(*view, m_stack.range(), topmost);
        else if (!m_open)
            delete overlay;
        topmost = false;
    }
    showPosition();
}

void Replay::showPosition()
{
    if (!m_open)
        return;
    for (TimelineView* view : m_stack.views())
        if (auto* overlay = view->findChild<ReplayOverlay*>(QString(), Qt::FindDirectChildrenOnly))
            overlay->setMoment(m_player.position(), m_bar->upcoming());
    m_panel->setTime(m_player.position());
}

void Replay::follow()
{
    RangeController& range = m_stack.range();
    if (!m_open || !m_bar->follows() || range.showsAll())
        return;
    const TimeRange visible = range.visible();
    const auto length = static_cast<double>(visible.length());
    const double share = static_cast<double>(m_player.position() - visible.begin) / length;
    if (share >= 0 && share <= followFrom)
        return;
    const double target = share < 0 ? followBackTo : followFrom;
    const Nanoseconds begin = m_player.position() - static_cast<Nanoseconds>(std::llround(target * length));
    range.setVisible({begin, begin + visible.length()});
}

void Replay::showState()
{
    m_play->setText(m_player.playing() ? tr("&Pause") : tr("&Play"));
    for (QAction* action : {m_back, m_forward, m_slower, m_faster, m_close})
        action->setEnabled(m_open);
    m_upcoming[static_cast<std::size_t>(m_bar->upcoming())]->setChecked(true);
}

void Replay::askExport(ReplayFormat format)
{
    if (m_runs.empty()) {
        Q_EMIT notice(tr("There is nothing to replay: show at least one run."));
        return;
    }
    if (m_dialog && m_dialog->job().running()) {
        m_dialog->raise();
        m_dialog->activateWindow();
        return;
    }
    delete m_dialog;
    const RangeController& range = m_stack.range();
    const TimeRange whole = wholeRange();
    const double speed = m_open || m_speedChosen ? m_player.speed() : pleasantSpeed(whole.length());
    const TimeRange visible = range.showsAll() ? TimeRange{} : range.visible();
    m_dialog = new ReplayExportDialog(m_runs, format, {whole, visible, range.selection(), offsets()}, speed, &m_window);
    m_dialog->setAttribute(Qt::WA_DeleteOnClose);
    m_dialog->setUpcoming(m_bar->upcoming());
    connect(m_dialog, &ReplayExportDialog::written, this, &Replay::notice);
    m_dialog->show();
}

bool Replay::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == &m_window &&
        (event->type() == QEvent::Hide || event->type() == QEvent::Show || event->type() == QEvent::WindowStateChange))
        m_player.setSuspended(event->type() == QEvent::Hide || m_window.isMinimized());
    return QObject::eventFilter(watched, event);
}

} // namespace bubblescope::viz
