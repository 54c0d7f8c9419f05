// The mode in which orders are edited in the timelines of predictions.
//
//     drag a task along its lane, or Alt+Left / Alt+Right · swap with the next · insert · delete
//        │ core/schedule/edit_order.h
//        ▼
//     Draft::order ──► prediction ──► a time for every task, or the problems, marked in place
//
// Each edit is a step of undo. An order that can't complete is drawn as a sketch with what validate()
// says about it; one that can is simulated at once. Orders are saved as PyTorch CSV or under a name in
// the document.

#pragma once

#include "core/schedule/edit_order.h"
#include "viz/document/workbench.h"
#include "viz/timeline/timeline_stack.h"

#include <QObject>
#include <QPointer>

#include <map>
#include <optional>

class QAction;
class QMenu;
class QMouseEvent;

namespace bubblescope::viz {

class OrderOverlay;

class OrderEditor : public QObject {
    Q_OBJECT

public:
    OrderEditor(Workbench& workbench, TimelineStack& stack, QObject* parent = nullptr);

    bool active() const { return m_active; }

    void setActive(bool active);

    /// Puts the commands into a menu.
    void addTo(QMenu& menu);

    // The commands, for the task that is picked. False (and a sentence) when there is none that can be edited.
    bool moveBy(int units);
    bool swapWithNext();
    bool removePicked();
    bool insert(const QString& text);
    void pickNextProblem();

    /// Tasks that the picked device's lane had and hasn't any more.
    std::vector<Task> missing() const;

    bool saveCsv(const QString& path);
    bool saveNamed(const QString& name);
    void dropOrder();

    /// The overlay of a shown run.
    OrderOverlay* overlay(int slot) const;

Q_SIGNALS:
    void activeChanged(bool active);
    /// For the person; empty: what was said is settled.
    void said(const QString& sentence);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// A task of a prediction that is shown.
    struct Target {
        int slot = 0; ///< of the draft
        RunPtr run;
        TaskId task = noTask;
    };

    void attach();
    void sayProblems();
    std::optional<Target> target() const;
    std::optional<Target> wanted();
    std::optional<Target> targetOf(const TimelineView& view, const Pick& pick) const;
    void apply(const Target& target, const EditedOrder& edited, const QString& what);
    void follow();
    const Schedule& baseOf(int slot) const;
    void adoptPicked();
    int shownSlot() const;

    bool onPress(TimelineView& view, QMouseEvent& event);
    bool onMove(TimelineView& view, QMouseEvent& event);
    bool onRelease(TimelineView& view, QMouseEvent& event);
    bool onKey(TimelineView& view, QEvent& event);
    std::size_t positionAt(const TimelineView& view, const Target& target, double x) const;

    void buildActions();
    void askInsert();
    void askCsv();
    void askName();
    QAction* action(const QString& text, const QKeySequence& keys, void (OrderEditor::*run)());
    void updateActions();

    void moveEarlier() { moveBy(-1); }

    void moveLater() { moveBy(1); }

    void swapAction() { swapWithNext(); }

    void removeAction() { removePicked(); }

    Workbench& m_workbench;
    TimelineStack& m_stack;
    bool m_active = false;
    std::map<TimelineView*, QPointer<OrderOverlay>> m_overlays;
    std::vector<QAction*> m_actions;     ///< of a picked task
    std::vector<QAction*> m_modeActions; ///< of the mode
    QAction* m_mode = nullptr;
    QAction* m_drop = nullptr;
    mutable std::array<std::optional<Schedule>, draftSlots> m_base; ///< the family's own order
    std::optional<Target> m_pressed;
    QPointF m_pressedAt;
    bool m_dragging = false;
    std::optional<std::pair<int, TaskId>> m_follow; ///< slot and task to pick once they are predicted
    bool m_said = false;
};

} // namespace bubblescope::viz
