#include "viz/panels/all_panels.h"

#include "viz/document/workbench.h"
#include "viz/panels/bubble_panel.h"
#include "viz/panels/compare_panel.h"
#include "viz/panels/kernel_panel.h"
#include "viz/panels/link_panel.h"
#include "viz/panels/memory_panel.h"
#include "viz/panels/notes_panel.h"
#include "viz/panels/panel_tabs.h"
#include "viz/panels/pareto_panel.h"
#include "viz/panels/range_panel.h"
#include "viz/panels/runs_panel.h"
#include "viz/panels/sweep_panel.h"
#include "viz/panels/theory_panel.h"
#include "viz/timeline/timeline_stack.h"

#include <QCoreApplication>

namespace bubblescope::viz {
namespace {

QString tr(const char* title)
{
    return QCoreApplication::translate("Panels", title);
}

/// The notes of the document: as flags in the timelines and as a list.
void addNotes(PanelTabs& tabs, Workbench& workbench, TimelineStack& stack)
{
    auto* book = new NoteBook(workbench, &tabs);
    auto* panel = new NotesPanel(*book);
    tabs.add(panel, tr("Notes"));
    const auto show = [book, &stack] { stack.setNotes(flagsOf(book->notes(), stack.runs())); };
    QObject::connect(book, &NoteBook::changed, &stack, show);
    QObject::connect(&stack, &TimelineStack::runsChanged, book, show);
    QObject::connect(&stack, &TimelineStack::noteWritten, book,
                     [book, &stack](const NoteTarget& target, const QString& text) {
                         Note note;
                         if (const int run = stack.runs()[static_cast<std::size_t>(target.slot)]->number; run > 0)
                             note.run = run; // a prediction that isn't stored has no number to be found by
                         if (target.device >= 0)
                             note.device = Device(target.device);
                         note.start = target.time.begin;
                         note.end = target.time.end;
                         note.text = text.toStdString();
                         book->add(note);
                     });
    QObject::connect(&stack, &TimelineStack::noteChanged, book, &NoteBook::setText);
    QObject::connect(&stack, &TimelineStack::noteRemoved, book, &NoteBook::remove);
    QObject::connect(panel, &NotesPanel::noteAsked, &stack, &TimelineStack::showNote);
}

} // namespace

void addPanels(PanelTabs& tabs, Workbench& workbench, TimelineStack& stack)
{
    tabs.add(new BubblePanel(stack), tr("Bubbles"));
    auto* memory = new MemoryPanel(workbench, stack.range());
    tabs.add(memory, tr("Memory"));
    const auto align = [memory, &stack] {
        std::vector<Nanoseconds> offsets;
        for (int slot = 0; slot < static_cast<int>(stack.runs().size()); ++slot)
            offsets.push_back(stack.offset(slot));
        memory->setOffsets(std::move(offsets));
    };
    QObject::connect(&stack, &TimelineStack::runsChanged, memory, align);
    QObject::connect(&stack, &TimelineStack::alignmentChanged, memory, align);
    tabs.add(new ComparePanel, tr("Compare"));
    tabs.add(new TheoryPanel, tr("Theory vs. measured"));
    tabs.add(new RunsPanel(workbench), tr("Runs"));
    tabs.add(new SweepPanel(workbench), tr("Sweep"));
    tabs.add(new ParetoPanel(workbench), tr("Pareto"));
    tabs.add(new LinkPanel, tr("Links"));
    tabs.add(new KernelPanel, tr("Kernels"));
    tabs.add(new RangePanel(stack), tr("Range"));
    addNotes(tabs, workbench, stack);
    QObject::connect(&tabs, &PanelTabs::intervalsAsked, &stack, &TimelineStack::showIntervals);
    QObject::connect(&tabs, &PanelTabs::problem, &workbench, &Workbench::problem);
}

} // namespace bubblescope::viz
