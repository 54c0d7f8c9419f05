// The replay of the window: who tells whom.
//
//     RangeController ◄── follows ── ReplayPlayer ──► playhead over each timeline, bar, state panel
//     keys, buttons, menu ──► Replay ──► ReplayPlayer                         one player for all stacked runs
//
// Closed, it costs nothing: no timer, no overlays. The state panel then goes with the mouse in the timelines.

#pragma once

#include "viz/replay/export_dialog.h"
#include "viz/replay/replay_bar.h"
#include "viz/replay/replay_panel.h"
#include "viz/replay/replay_player.h"

#include <QAction>
#include <QPointer>

class QMenu;
class QTabWidget;

namespace bubblescope::viz {

class TimelineStack;

class Replay : public QObject {
    Q_OBJECT

public:
    /// `window` is what has to be visible; the bar and the panel are put into it by the caller.
    Replay(TimelineStack& stack, QWidget& window);

    ReplayBar* bar() { return m_bar; }

    ReplayPanel* panel() { return m_panel; }

    ReplayPlayer& player() { return m_player; }

    void fillMenu(QMenu& menu);

    /// The runs that the timelines show.
    void setRuns(const std::vector<RunPtr>& runs);

    bool isOpen() const { return m_open; }

    /// Opens the bar at the begin of what is visible.
    void open();
    void close();

    /// Space: opens, plays, pauses.
    void togglePlaying();

    /// Pauses at the next (+1) or last (−1) start or end of a task.
    void step(int by);

    void askExport(ReplayFormat format);

    ReplayExportDialog* exportDialog() { return m_dialog; }

Q_SIGNALS:
    void openChanged(bool open);
    void notice(const QString& sentence);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    QAction* addAction(const QString& text, const QList<QKeySequence>& keys);
    void buildActions();
    void connectParts();
    void syncOverlays();
    void showPosition();
    void follow();
    void showState();
    std::vector<Nanoseconds> offsets() const;
    TimeRange wholeRange() const;
    void refresh();

    TimelineStack& m_stack;
    QWidget& m_window;
    ReplayPlayer m_player;
    QPointer<ReplayBar> m_bar;
    QPointer<ReplayPanel> m_panel;
    QPointer<ReplayExportDialog> m_dialog;
    std::vector<RunPtr> m_runs;
    bool m_open = false;
    bool m_speedChosen = false; ///< a person's choice outlives the runs
    QAction* m_play = nullptr;
    QAction* m_back = nullptr;
    QAction* m_forward = nullptr;
    QAction* m_slower = nullptr;
    QAction* m_faster = nullptr;
    QAction* m_loop = nullptr;
    QAction* m_follow = nullptr;
    std::array<QAction*, 3> m_upcoming{};
    QAction* m_webp = nullptr;
    QAction* m_pngs = nullptr;
    QAction* m_close = nullptr;
};

} // namespace bubblescope::viz
