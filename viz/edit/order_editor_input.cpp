// Mouse, keys and menu of the order editor.

#include "viz/edit/order_editor.h"
#include "viz/edit/order_overlay.h"

#include <QAction>
#include <QFileDialog>
#include <QInputDialog>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>

namespace bubblescope::viz {

bool OrderEditor::eventFilter(QObject* watched, QEvent* event)
{
    auto* view = qobject_cast<TimelineView*>(watched);
    if (view == nullptr || !m_active)
        return QObject::eventFilter(watched, event);
    switch (event->type()) {
    case QEvent::MouseButtonPress:
        return onPress(*view, *static_cast<QMouseEvent*>(event));
    case QEvent::MouseMove:
        return onMove(*view, *static_cast<QMouseEvent*>(event));
    case QEvent::MouseButtonRelease:
        return onRelease(*view, *static_cast<QMouseEvent*>(event));
    case QEvent::ShortcutOverride:
    case QEvent::KeyPress:
        return onKey(*view, *event);
    default:
        return false;
    }
}

bool OrderEditor::onPress(TimelineView& view, QMouseEvent& event)
{
    m_pressed.reset();
    if (event.button() != Qt::LeftButton || event.modifiers() != Qt::NoModifier)
        return false;
    m_pressed = targetOf(view, view.hit(event.position()));
    m_pressedAt = event.position();
    m_dragging = false;
    if (m_pressed)
        view.setFocus(Qt::MouseFocusReason);
    return m_pressed.has_value(); // what is no task of a prediction is the timeline's own
}

bool OrderEditor::onMove(TimelineView& view, QMouseEvent& event)
{
    if (!m_pressed)
        return false;
    if (!m_dragging && (event.position() - m_pressedAt).manhattanLength() < 4)
        return true;
    m_dragging = true;
    const Schedule& schedule = m_pressed->run->plan->schedule;
    const Lane& lane = schedule.lanes[schedule.laneOf(m_pressed->task)];
    const std::size_t position = positionAt(view, *m_pressed, event.position().x());
    // The line stands before the unit that would come next.
    TaskId next = lane.begin;
    const TaskId own = unitBegin(schedule, m_pressed->task);
    for (std::size_t passed = 0; next < lane.end; next = schedule.unitEnd(next)) {
        if (next == own)
            continue;
        if (passed++ == position)
            break;
    }
    const Timing& timing = m_pressed->run->timing;
    const Nanoseconds time = next < lane.end ? timing.start[next] : timing.end[lane.end - 1U];
    const Pick pick = view.hit(m_pressedAt);
    if (OrderOverlay* overlay = m_overlays[&view])
        overlay->setDrop(std::pair(pick.row, time));
    return true;
}

bool OrderEditor::onRelease(TimelineView& view, QMouseEvent& event)
{
    if (!m_pressed)
        return false;
    const Target target = *std::exchange(m_pressed, std::nullopt);
    if (OrderOverlay* overlay = m_overlays[&view])
        overlay->setDrop(std::nullopt);
    if (!m_dragging) {
        const Pick pick = view.hit(event.position());
        view.setPicked(pick);
        Q_EMIT view.pickChanged(pick);
        return true;
    }
    const Schedule& schedule = target.run->plan->schedule;
    const std::size_t position = positionAt(view, target, event.position().x());
    if (position != unitPosition(schedule, target.task))
        apply(target, moveUnit(schedule, target.task, position), tr("move a task"));
    return true;
}

/// Units, without the dragged one, whose middle lies left of x.
std::size_t OrderEditor::positionAt(const TimelineView& view, const Target& target, double x) const
{
    const Nanoseconds time = pixelToTime(view.layout().axis(view.visible()), x);
    const Schedule& schedule = target.run->plan->schedule;
    const Timing& timing = target.run->timing;
    const Lane& lane = schedule.lanes[schedule.laneOf(target.task)];
    const TaskId own = unitBegin(schedule, target.task);
    std::size_t position = 0;
    for (TaskId id = lane.begin; id < lane.end; id = schedule.unitEnd(id))
        if (id != own && timing.start[id] + timing.end[id] < 2 * time)
            ++position;
    return position;
}

bool OrderEditor::onKey(TimelineView& view, QEvent& event)
{
    auto& key = static_cast<QKeyEvent&>(event);
    const bool alt = key.modifiers() == Qt::AltModifier;
    const bool plain = key.modifiers() == Qt::NoModifier || key.modifiers() == Qt::KeypadModifier;
    const bool known =
        (alt && (key.key() == Qt::Key_Left || key.key() == Qt::Key_Right || key.key() == Qt::Key_Down)) ||
        (plain && (key.key() == Qt::Key_Delete || key.key() == Qt::Key_Insert));
    if (!known)
        return false;
    if (event.type() == QEvent::ShortcutOverride) {
        event.accept(); // these keys are the editor's while it is on
        return true;
    }
    view.setFocus();
    switch (key.key()) {
    case Qt::Key_Left:
        moveBy(-1);
        break;
    case Qt::Key_Right:
        moveBy(1);
        break;
    case Qt::Key_Down:
        swapWithNext();
        break;
    case Qt::Key_Delete:
        removePicked();
        break;
    default:
        askInsert();
    }
    return true;
}

QAction* OrderEditor::action(const QString& text, const QKeySequence& keys, void (OrderEditor::*run)())
{
    auto* made = new QAction(text, this);
    made->setShortcut(keys);
    // Shown in the menu; a timeline has to be in focus for them, so that they don't take keys from fields.
    made->setShortcutContext(Qt::WidgetShortcut);
    connect(made, &QAction::triggered, this, run);
    return made;
}

void OrderEditor::buildActions()
{
    m_mode = new QAction(tr("Edit the &order"), this);
    m_mode->setCheckable(true);
    m_mode->setShortcut(QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_O));
    m_mode->setToolTip(tr("Move, swap, insert and delete tasks in the timelines of predictions"));
    connect(m_mode, &QAction::toggled, this, &OrderEditor::setActive);
    m_actions = {action(tr("Move task &earlier"), {}, &OrderEditor::moveEarlier),
                 action(tr("Move task la&ter"), {}, &OrderEditor::moveLater),
                 action(tr("S&wap task with the next"), QKeySequence(Qt::ALT | Qt::Key_Down), &OrderEditor::swapAction),
                 action(tr("&Insert task before …"), QKeySequence(Qt::Key_Insert), &OrderEditor::askInsert),
                 action(tr("&Delete task"), QKeySequence(Qt::Key_Delete), &OrderEditor::removeAction)};
    QAction* next = action(tr("Next &problem of the order"), QKeySequence(Qt::Key_F8), &OrderEditor::pickNextProblem);
    next->setShortcutContext(Qt::WindowShortcut);
    m_modeActions = {next, action(tr("Save order as PyTorch CS&V …"), {}, &OrderEditor::askCsv),
                     action(tr("Save order &under a name …"), {}, &OrderEditor::askName)};
    m_drop = action(tr("D&rop the order by hand"), {}, &OrderEditor::dropOrder);
}

void OrderEditor::addTo(QMenu& menu)
{
    menu.addAction(m_mode);
    for (QAction* each : m_actions)
        menu.addAction(each);
    for (QAction* each : m_modeActions)
        menu.addAction(each);
    menu.addAction(m_drop);
}

void OrderEditor::updateActions()
{
    // Otherwise they are the timelines' keys for back and forward.
    m_actions[0]->setShortcut(m_active ? QKeySequence(Qt::ALT | Qt::Key_Left) : QKeySequence());
    m_actions[1]->setShortcut(m_active ? QKeySequence(Qt::ALT | Qt::Key_Right) : QKeySequence());
    const bool picked = m_active && target().has_value();
    for (QAction* each : m_actions)
        each->setEnabled(picked);
    m_drop->setEnabled(m_workbench.draft().order[static_cast<std::size_t>(shownSlot())] != nullptr);
}

void OrderEditor::askInsert()
{
    if (!wanted())
        return;
    QStringList offered;
    for (const Task& task : missing())
        offered << QString::fromStdString(toText(task));
    auto* dialog = new QInputDialog(m_stack.window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Insert a task"));
    dialog->setLabelText(offered.isEmpty() ? tr("No task of this device is missing. Task to insert, such as 2F3:")
                                           : tr("Missing tasks of this device, or any other, such as 2F3:"));
    dialog->setComboBoxItems(offered);
    dialog->setComboBoxEditable(true);
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& text) { insert(text); });
    dialog->open();
}

void OrderEditor::askCsv()
{
    const QString path = QFileDialog::getSaveFileName(m_stack.window(), tr("Save order"), QStringLiteral("order.csv"),
                                                      tr("PyTorch schedules (*.csv)"));
    if (!path.isEmpty())
        saveCsv(path);
}

void OrderEditor::askName()
{
    auto* dialog = new QInputDialog(m_stack.window());
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setWindowTitle(tr("Save order"));
    dialog->setLabelText(tr("Name of the schedule in the document:"));
    if (const RunPtr& run = m_workbench.prediction(shownSlot()))
        dialog->setTextValue(run->title);
    connect(dialog, &QInputDialog::textValueSelected, this, [this](const QString& name) { saveNamed(name); });
    dialog->open();
}

} // namespace bubblescope::viz
