#include "viz/runs/step_menu.h"

#include "viz/document/workbench.h"

#include <QAction>
#include <QCoreApplication>
#include <QMenu>

namespace bubblescope::viz {
namespace {

constexpr int mostEntries = 20;

QString tr(const char* source)
{
    return QCoreApplication::translate("Steps", source);
}

/// Whether any shown run has a step there.
bool canMove(const Workbench& workbench, int by)
{
    for (const RunPtr& run : workbench.shownRuns())
        if (run->number > 0 && run->step + by >= 0 && run->step + by < run->steps)
            return true;
    return false;
}

} // namespace

void addStepMenu(QMenu& menu, Workbench& workbench, int number)
{
    const RunPtr run = workbench.run(number);
    if (number <= 0 || !run || run->steps < 2)
        return;
    QMenu* steps = menu.addMenu(tr("Step %1 of %2").arg(run->step + 1).arg(run->steps));
    const int first = std::max(0, std::min(run->step - mostEntries / 2, run->steps - mostEntries));
    const int last = std::min(run->steps, first + mostEntries) - 1;
    const auto add = [&](int step) {
        QAction* action = steps->addAction(tr("Step %1").arg(step + 1), steps,
                                           [&workbench, number, step] { workbench.showStep(number, step); });
        action->setCheckable(true);
        action->setChecked(step == run->step);
    };
    if (first > 0) {
        add(0);
        steps->addSeparator();
    }
    for (int step = first; step <= last; ++step)
        add(step);
    if (last < run->steps - 1) {
        steps->addSeparator();
        add(run->steps - 1);
    }
}

void addStepActions(QMenu& menu, Workbench& workbench)
{
    const std::pair<int, QAction*> actions[] = {
        {-1, menu.addAction(tr("Pre&vious step"), QKeySequence(Qt::CTRL | Qt::Key_PageUp), &workbench,
                            [&workbench] { moveStep(workbench, -1); })},
        {+1, menu.addAction(tr("Ne&xt step"), QKeySequence(Qt::CTRL | Qt::Key_PageDown), &workbench,
                            [&workbench] { moveStep(workbench, +1); })}};
    for (const auto& [by, action] : actions) {
        const auto refresh = [&workbench, by = by, action = action] { action->setEnabled(canMove(workbench, by)); };
        QObject::connect(&workbench, &Workbench::shownChanged, action, refresh);
        refresh();
    }
}

void moveStep(Workbench& workbench, int by)
{
    for (const RunPtr& run : workbench.shownRuns())
        if (run->number > 0 && run->step + by >= 0 && run->step + by < run->steps)
            workbench.showStep(run->number, run->step + by);
}

} // namespace bubblescope::viz
