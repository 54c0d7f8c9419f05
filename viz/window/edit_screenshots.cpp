#include "viz/window/edit_screenshots.h"

#include "viz/window/main_window.h"

#include <QApplication>
#include <QElapsedTimer>
#include <QThread>
#include <QToolButton>

#include <functional>

namespace bubblescope::viz {
namespace {

template <class Busy>
void waitWhile(Busy busy)
{
    QElapsedTimer timer;
    timer.start();
    while (timer.elapsed() < 20'000 && (busy() || timer.elapsed() < 100)) {
        QApplication::processEvents();
        QThread::msleep(5);
    }
}

void edit(MainWindow& window, const std::function<void(Draft&)>& how)
{
    Draft draft = window.workbench().draft();
    how(draft);
    window.workbench().edit(draft, QStringLiteral("arrange"));
    waitWhile([&] { return window.workbench().predicting(); });
}

void pickIn(MainWindow& window, int slot, const Pick& pick)
{
    TimelineView& view = *window.stack().views()[static_cast<std::size_t>(slot)];
    view.setPicked(pick);
    Q_EMIT view.pickChanged(pick);
}

} // namespace

void arrangeSuggestions(MainWindow& window)
{
    edit(window, [](Draft& draft) {
        draft.common.model.headCost = 2;
        draft.common.partition = {6, 6, 6, 6};
    });
    pickIn(window, 0, {Pick::Kind::Gap, 1, 3});
    waitWhile([&] { return window.explainer().working(); });
}

void arrangePlacement(MainWindow& window)
{
    edit(window, [](Draft& draft) { draft.common.comm = 0.2; });
    pickIn(window, 0, {Pick::Kind::Bar, 1, 6});
}

void arrangePartitionMenu(MainWindow& window)
{
    edit(window, [](Draft& draft) {
        draft.setSchedule(0, parseRecipe("interleaved-1f1b"), 0);
        draft.common.model.headCost = 2;
    });
    QToolButton& button = window.partitionBar().algorithms();
    window.partitionControl().menu().popup(button.mapToGlobal(QPoint(-120, button.height())));
    waitWhile([&] { return window.partitionControl().working(); });
}

void arrangeV(MainWindow& window)
{
    edit(window, [](Draft& draft) { draft.setSchedule(1, parseRecipe("zb-v"), 0); });
    window.partitionControl().setSlot(1);
}

void arrangeBidirectional(MainWindow& window)
{
    edit(window, [](Draft& draft) { draft.setSchedule(0, parseRecipe("chimera"), 0); });
}

void arrangeOrder(MainWindow& window)
{
    window.orderEditor().setActive(true);
    pickIn(window, 0, {Pick::Kind::Bar, 0, 5});
    window.orderEditor().moveBy(1);
    waitWhile([&] { return window.workbench().predicting(); });
}

void arrangeOrderProblem(MainWindow& window)
{
    window.orderEditor().setActive(true);
    pickIn(window, 0, {Pick::Kind::Bar, 1, 3});
    window.orderEditor().moveBy(-3);
    waitWhile([&] { return window.workbench().predicting(); });
}

} // namespace bubblescope::viz
