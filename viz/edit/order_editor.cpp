// The edits themselves; mouse, keys and menu stand in order_editor_input.cpp.

#include "viz/edit/order_editor.h"

#include "core/schedule/torch_csv.h"
#include "viz/document/background.h"
#include "viz/edit/explainer.h"
#include "viz/edit/order_overlay.h"
#include "viz/inspector/inspector_text.h"
#include "viz/run/core_text.h"

#include <QAction>
#include <QSaveFile>

#include <algorithm>

namespace bubblescope::viz {

OrderEditor::OrderEditor(Workbench& workbench, TimelineStack& stack, QObject* parent)
    : QObject(parent), m_workbench(workbench), m_stack(stack)
{
    buildActions();
    connect(&stack, &TimelineStack::pickChanged, this, [this] {
        attach(); // also comes whenever runs are shown
        updateActions();
    });
    connect(&workbench, &Workbench::predictionsChanged, this, [this] {
        sayProblems();
        follow();
    });
    connect(&workbench, &Workbench::draftChanged, this, [this] {
        m_base = {};
        updateActions();
    });
    attach();
    updateActions();
}

void OrderEditor::setActive(bool active)
{
    if (m_active == active)
        return;
    m_active = active;
    if (active)
        adoptPicked();
    m_mode->setChecked(active);
    m_pressed.reset();
    attach();
    updateActions();
    Q_EMIT activeChanged(active);
}

/// One overlay for each timeline, told whether its run can be edited.
void OrderEditor::attach()
{
    for (auto each = m_overlays.begin(); each != m_overlays.end();)
        each = each->second ? std::next(each) : m_overlays.erase(each);
    for (TimelineView* view : m_stack.views()) {
        auto& overlay = m_overlays[view];
        if (!overlay) {
            overlay = new OrderOverlay(*view);
            view->installEventFilter(this);
        }
        const RunPtr& run = view->picture().run;
        const bool draft = run && (run->number == Workbench::draftA || run->number == Workbench::draftB);
        overlay->setEditing(m_active && draft);
        overlay->refresh();
    }
}

OrderOverlay* OrderEditor::overlay(int slot) const
{
    const auto at = static_cast<std::size_t>(slot);
    const auto found = at < m_stack.views().size() ? m_overlays.find(m_stack.views()[at]) : m_overlays.end();
    return found == m_overlays.end() ? nullptr : found->second.data();
}

/// A stored prediction that is picked becomes schedule A of the draft: what is stored stays as it is.
void OrderEditor::adoptPicked()
{
    const int slot = m_stack.picked().slot;
    if (slot < 0 || static_cast<std::size_t>(slot) >= m_stack.views().size())
        return;
    const RunPtr run = m_stack.views()[static_cast<std::size_t>(slot)]->picture().run;
    if (!run || run->number <= 0 || !run->timed() || run->label != RunLabel::Predicted)
        return;
    try {
        m_workbench.edit(draftFrom(m_workbench.draft(), *run), tr("edit the order of run %1").arg(run->number));
    } catch (const Error& error) {
        Q_EMIT said(QString::fromUtf8(error.what()));
    }
}

std::optional<OrderEditor::Target> OrderEditor::targetOf(const TimelineView& view, const Pick& pick) const
{
    const RunPicture& picture = view.picture();
    const RunPtr& run = picture.run;
    if (!run || !run->timed() || pick.kind != Pick::Kind::Bar)
        return std::nullopt;
    if (run->number != Workbench::draftA && run->number != Workbench::draftB)
        return std::nullopt;
    const TimelineRow& row = picture.rows[static_cast<std::size_t>(pick.row)];
    const TraceLane& lane = run->trace.lanes[static_cast<std::size_t>(row.lane)];
    const std::uint32_t span = row.bars[static_cast<std::size_t>(pick.index)].span;
    for (const Lane& each : run->plan->schedule.lanes)
        if (each.device == lane.device && each.kind == lane.kind && each.index == lane.index && span < each.size())
            return Target{run->number == Workbench::draftA ? 0 : 1, run, TaskId(each.begin + span)};
    return std::nullopt;
}

std::optional<OrderEditor::Target> OrderEditor::target() const
{
    const StackPick& picked = m_stack.picked();
    if (picked.slot < 0 || static_cast<std::size_t>(picked.slot) >= m_stack.views().size())
        return std::nullopt;
    return targetOf(*m_stack.views()[static_cast<std::size_t>(picked.slot)], picked.pick);
}

/// The picked task, or a sentence that says how to pick one.
std::optional<OrderEditor::Target> OrderEditor::wanted()
{
    std::optional<Target> found = m_active ? target() : std::nullopt;
    if (!found)
        Q_EMIT said(m_active ? tr("Click a task of A or B that is predicted; stored runs stay as they are.")
                             : tr("Turn on Edit the order first."));
    return found;
}

void OrderEditor::apply(const Target& target, const EditedOrder& edited, const QString& what)
{
    const auto at = static_cast<std::size_t>(target.slot);
    Draft draft = m_workbench.draft();
    const std::string name =
        draft.order[at] ? draft.order[at]->name : tr("%1 by hand").arg(target.run->title).toStdString();
    draft.order[at] = std::make_shared<CustomOrder>(CustomOrder{name, edited.schedule});
    m_follow.reset();
    if (edited.at != noTask)
        m_follow = {target.slot, edited.at};
    m_workbench.edit(draft, what);
}

/// Picks the task that was edited, where it stands now.
void OrderEditor::follow()
{
    if (!m_follow || m_workbench.predicting())
        return;
    const auto [slot, task] = *std::exchange(m_follow, std::nullopt);
    for (TimelineView* view : m_stack.views())
        if (view->picture().run && view->picture().run->number == (slot == 0 ? Workbench::draftA : Workbench::draftB))
            if (const Pick pick = pickOf(view->picture(), task); pick.kind != Pick::Kind::None) {
                view->setPicked(pick);
                Q_EMIT view->pickChanged(pick);
            }
}

bool OrderEditor::moveBy(int units)
{
    const std::optional<Target> found = wanted();
    if (!found)
        return false;
    const Schedule& schedule = found->run->plan->schedule;
    const auto position = static_cast<std::ptrdiff_t>(unitPosition(schedule, found->task)) + units;
    const auto count = static_cast<std::ptrdiff_t>(unitCount(schedule, schedule.laneOf(found->task)));
    if (position < 0 || position >= count)
        return false;
    apply(*found, moveUnit(schedule, found->task, static_cast<std::size_t>(position)), tr("move a task"));
    return true;
}

bool OrderEditor::swapWithNext()
{
    const std::optional<Target> found = wanted();
    if (!found)
        return false;
    const Schedule& schedule = found->run->plan->schedule;
    const TaskId next = schedule.unitEnd(found->task);
    if (next >= schedule.lanes[schedule.laneOf(found->task)].end)
        return false;
    apply(*found, swapUnits(schedule, found->task, next), tr("swap two tasks"));
    return true;
}

bool OrderEditor::removePicked()
{
    const std::optional<Target> found = wanted();
    if (!found)
        return false;
    apply(*found, deleteUnit(found->run->plan->schedule, found->task), tr("delete a task"));
    return true;
}

bool OrderEditor::insert(const QString& text)
{
    const std::optional<Target> found = wanted();
    if (!found)
        return false;
    const Schedule& schedule = found->run->plan->schedule;
    const std::optional<Task> task = taskFromText(text.trimmed().toStdString());
    if (!task) {
        Q_EMIT said(tr("'%1' is no task; 2F3 is the forward of microbatch 3 on stage 2, 2B3 its backward.").arg(text));
        return false;
    }
    const Shape& shape = schedule.shape;
    const int microbatches = task->pipe < shape.pipes ? shape.microbatches[task->pipe] * shape.steps : 0;
    if (task->stage >= shape.allStages() || (onGrid(task->work) && task->microbatch >= microbatches)) {
        Q_EMIT said(tr("%1 isn't of this schedule: its stages are 0 to %2 and its microbatches 0 to %3.")
                        .arg(text)
                        .arg(shape.allStages() - 1)
                        .arg(shape.microbatches.front() * shape.steps - 1));
        return false;
    }
    apply(*found,
          insertTask(schedule, schedule.laneOf(found->task), unitPosition(schedule, unitBegin(schedule, found->task)),
                     *task),
          tr("insert a task"));
    return true;
}

const Schedule& OrderEditor::baseOf(int slot) const
{
    auto& base = m_base[static_cast<std::size_t>(slot)];
    if (!base) {
        const Draft& draft = m_workbench.draft();
        base = plan(draft.experimentFor(slot), draft.schedule[static_cast<std::size_t>(slot)]).schedule;
    }
    return *base;
}

std::vector<Task> OrderEditor::missing() const
{
    const std::optional<Target> found = target();
    if (!found)
        return {};
    const Schedule& schedule = found->run->plan->schedule;
    try {
        return missingTasks(baseOf(found->slot), schedule, schedule.deviceOf(found->task));
    } catch (const Error&) {
        return {}; // the family can't be built any more; what is typed can still be inserted
    }
}

/// Says what is wrong, for all to see, and takes it back when it is mended.
void OrderEditor::sayProblems()
{
    constexpr std::size_t most = 3;
    QStringList sentences;
    std::size_t count = 0;
    for (int slot = 0; slot < draftSlots; ++slot)
        if (const RunPtr& run = m_workbench.prediction(slot))
            for (const Problem& problem : run->problems)
                if (++count <= most)
                    sentences << TimelineStack::letterOf(slot) + QStringLiteral(": ") + coreText(problem.sentence);
    if (count > most)
        sentences << tr("%1 more problems. F8 goes from one to the next.").arg(count - most);
    if (count == 0 && !m_said)
        return;
    m_said = count > 0;
    Q_EMIT said(sentences.join(QLatin1Char('\n')));
}

int OrderEditor::shownSlot() const
{
    const std::optional<Target> found = target();
    if (found)
        return found->slot;
    const int slot = m_stack.picked().slot;
    return slot == 1 && m_workbench.shown().size() > 1 && m_workbench.shown()[1] == Workbench::draftB ? 1 : 0;
}

void OrderEditor::pickNextProblem()
{
    for (int turn = 0; turn < draftSlots; ++turn) {
        const int slot = (shownSlot() + turn) % draftSlots;
        const RunPtr& run = m_workbench.prediction(slot);
        if (!run || run->problems.empty())
            continue;
        std::vector<TaskId> tasks;
        for (const Problem& problem : run->problems)
            tasks.insert(tasks.end(), problem.tasks.begin(), problem.tasks.end());
        if (tasks.empty())
            continue;
        const std::optional<Target> now = target();
        const auto here = now ? std::find(tasks.begin(), tasks.end(), now->task) : tasks.end();
        m_follow = {slot, here == tasks.end() || here + 1 == tasks.end() ? tasks.front() : *(here + 1)};
        follow();
        return;
    }
    Q_EMIT said(tr("No order has a problem."));
}

bool OrderEditor::saveCsv(const QString& path)
{
    const RunPtr& run = m_workbench.prediction(shownSlot());
    if (!run || !run->timed())
        return false;
    const auto outcome = sentenced([&] { return exportTorchCsv(run->plan->schedule); });
    if (!outcome.error.isEmpty()) {
        Q_EMIT said(outcome.error);
        return false;
    }
    QSaveFile file(path);
    if (!file.open(QIODevice::WriteOnly) || file.write(QByteArray::fromStdString(outcome.value.csv)) < 0 ||
        !file.commit()) {
        Q_EMIT said(tr("%1 can't be written: %2. Choose another folder.").arg(path, file.errorString()));
        return false;
    }
    QStringList left;
    for (const std::string& part : outcome.value.leftOut)
        left << QString::fromStdString(part);
    if (!left.isEmpty())
        Q_EMIT said(tr("Written. A PyTorch file has no place for: %1.").arg(left.join(QStringLiteral(", "))));
    return true;
}

bool OrderEditor::saveNamed(const QString& name)
{
    const int slot = shownSlot();
    const RunPtr& run = m_workbench.prediction(slot);
    if (!run || !run->timed() || name.trimmed().isEmpty())
        return false;
    if (!run->problems.empty()) {
        Q_EMIT said(tr("An order with problems can't be stored as a run; mend it first, or save it as CSV."));
        return false;
    }
    auto plan = std::make_shared<Plan>(*run->plan);
    plan->spec = {customRecipe(name.trimmed().toStdString()), {}};
    plan->info = nullptr;
    auto named = std::make_shared<RunView>(*run);
    named->title = name.trimmed();
    named->plan = std::move(plan);
    m_workbench.keep({named});
    return true;
}

void OrderEditor::dropOrder()
{
    Draft draft = m_workbench.draft();
    draft.order[static_cast<std::size_t>(shownSlot())] = nullptr;
    m_workbench.edit(draft, tr("drop the order by hand"));
}

} // namespace bubblescope::viz
