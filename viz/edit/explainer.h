// From a pick to the inspector: explains it, lets links be followed, and asks for suggestions.
//
//     TimelineStack ── pick ──► Explainer ──► Inspector
//                                  │ idle time: suggest() on another thread, cancelled by the next pick
//                                  ▼
//     Workbench ◄── Apply: one step of undo
//
// What is shown as a gain is what the prediction shows after Apply: the experiment that Apply would
// make is the one that is predicted.

#pragma once

#include "core/analyze/suggest.h"
#include "viz/document/draft.h"
#include "viz/timeline/timeline_stack.h"

#include <QObject>

#include <memory>

namespace bubblescope::viz {

class Inspector;
class Workbench;

/// The draft after a suggestion about the schedule of a slot.
Draft applied(const Draft& draft, int slot, const Suggestion& suggestion);

/// The draft in which a stored run is schedule A, with its order where that is by hand; B stays. Throws Error.
Draft draftFrom(const Draft& now, const RunView& run);

class Explainer : public QObject {
    Q_OBJECT

public:
    Explainer(Workbench& workbench, TimelineStack& stack, Inspector& inspector, QObject* parent = nullptr);
    ~Explainer() override;

    /// True while suggestions are being predicted.
    bool working() const { return m_search != nullptr; }

private:
    void onPick(const StackPick& pick);
    void askFor(const RunView& run, const Gap& gap);
    void stop();
    void goTo(TaskId task);
    void apply(const Suggestion& suggestion);

    /// The draft that a run's suggestions change, and the slot of the run in it.
    std::pair<Draft, int> draftFor(const RunView& run) const;

    Workbench& m_workbench;
    TimelineStack& m_stack;
    Inspector& m_inspector;
    StackPick m_pick;
    RunPtr m_run; ///< that the inspector explains
    std::shared_ptr<Progress> m_search;
};

} // namespace bubblescope::viz
