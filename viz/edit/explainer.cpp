#include "viz/edit/explainer.h"

#include "core/analyze/wait_graph.h"
#include "viz/document/background.h"
#include "viz/document/workbench.h"
#include "viz/inspector/inspector.h"
#include "viz/inspector/suggestion_list.h"
#include "viz/run/core_text.h"

#include <nlohmann/json.hpp>

#include <optional>
#include <tuple>

namespace bubblescope::viz {
namespace {

/// The suggestions, each with the figures of the experiment that applying it makes.
Suggestions asApplied(const SuggestRequest& request, const Draft& draft, int slot, const Progress& progress)
{
    Suggestions found = suggest(request, progress);
    Predictor predictor;
    std::vector<Suggestion> kept;
    for (Suggestion& suggestion : found.best) {
        const Draft after = applied(draft, slot, suggestion);
        const Experiment made = after.experimentFor(slot);
        if (toJson(made) != toJson(suggestion.experiment)) {
            // A partition that A and B share, say: what would really come of it counts.
            try {
                const auto at = static_cast<std::size_t>(slot);
                const RunPtr run = quickView(made, predictor.predict(made, after.schedule[at], after.order[at]), 0);
                suggestion.after = {run->makespan(), run->bubbleRate(),
                                    static_cast<double>(run->makespan()) / made.microbatches, run->peakActivations()};
                suggestion.gain = 1 - suggestion.after.perMicrobatch / found.before.perMicrobatch;
                suggestion.experiment = made;
            } catch (const Error&) {
                continue;
            }
        }
        if (suggestion.gain > 0)
            kept.push_back(std::move(suggestion));
    }
    found.best = std::move(kept);
    return found;
}

QString sentenceOf(const Suggestion& suggestion)
{
    return inSentence(coreText(suggestion.change));
}

} // namespace

Draft applied(const Draft& draft, int slot, const Suggestion& suggestion)
{
    using Kind = Suggestion::Kind;
    const auto at = static_cast<std::size_t>(slot);
    Draft next = draft;
    const Experiment& experiment = suggestion.experiment;
    if (!suggestion.keepsOrder)
        next.order[at] = nullptr;
    switch (suggestion.kind) {
    case Kind::MoveLayer:
    case Kind::Balance:
        next.setPartition(slot, experiment.partition);
        break;
    case Kind::Microbatches:
        next.common.microbatches = experiment.microbatches;
        break;
    case Kind::Chunks:
    case Kind::Family:
        next.setSchedule(slot, suggestion.spec, experiment.chunks);
        break;
    case Kind::Link:
        next.common.comm = experiment.comm;
        next.common.bandwidth = experiment.bandwidth;
        next.common.commPairs = experiment.commPairs;
        break;
    case Kind::Recompute:
        next.common.recompute = experiment.recompute;
        break;
    case Kind::Order:
        break; // only the order by hand goes
    }
    return next;
}

Draft draftFrom(const Draft& now, const RunView& run)
{
    const std::string recipe = run.plan->info != nullptr ? run.plan->spec.text() : run.plan->spec.id;
    Draft draft = draftOf(run.experiment, recipe, now.schedule[1].text());
    draft.chunks[1] = now.chunks[1];
    if (const auto name = customName(run.plan->spec.id))
        draft.order[0] = std::make_shared<CustomOrder>(CustomOrder{*name, run.plan->schedule});
    return draft;
}

Explainer::Explainer(Workbench& workbench, TimelineStack& stack, Inspector& inspector, QObject* parent)
    : QObject(parent), m_workbench(workbench), m_stack(stack), m_inspector(inspector)
{
    connect(&stack, &TimelineStack::pickChanged, this, &Explainer::onPick);
    connect(&inspector, &Inspector::intervalsAsked, &stack, &TimelineStack::showIntervals);
    // Once the click is over: going there replaces the link that was clicked.
    connect(&inspector, &Inspector::taskAsked, this, &Explainer::goTo, Qt::QueuedConnection);
    connect(&inspector.suggestions(), &SuggestionList::applyAsked, this, &Explainer::apply);
}

Explainer::~Explainer()
{
    stop();
}

void Explainer::stop()
{
    if (m_search)
        m_search->cancel();
    m_search = nullptr;
}

void Explainer::onPick(const StackPick& pick)
{
    if (pick.slot < 0) {
        stop();
        m_run = nullptr;
        m_pick = pick;
        m_inspector.show(Inspection());
        m_inspector.suggestions().clear();
        return;
    }
    const RunPicture& picture = m_stack.views()[static_cast<std::size_t>(pick.slot)]->picture();
    const bool samePick = m_pick.slot == pick.slot && m_pick.pick == pick.pick;
    if (samePick && m_run == picture.run)
        return;
    // While an edit is being predicted, what stood there stays: the explanation follows in a moment.
    if (samePick && m_run && picture.run->pending)
        return;
    stop();
    m_pick = pick;
    m_run = picture.run;
    m_inspector.show(inspect(picture, pick.pick));
    const Gap* gap = pickedGap(picture, pick.pick);
    if (gap != nullptr && m_run->explained())
        askFor(*m_run, *gap);
    else
        m_inspector.suggestions().clear();
}

std::pair<Draft, int> Explainer::draftFor(const RunView& run) const
{
    if (run.number == Workbench::draftA || run.number == Workbench::draftB)
        return {m_workbench.draft(), run.number == Workbench::draftA ? 0 : 1};
    return {draftFrom(m_workbench.draft(), run), 0};
}

void Explainer::askFor(const RunView& run, const Gap& gap)
{
    SuggestRequest request;
    Draft draft;
    int slot = 0;
    try {
        std::tie(draft, slot) = draftFor(run);
    } catch (const Error&) {
        m_inspector.suggestions().clear();
        return;
    }
    const auto at = static_cast<std::size_t>(slot);
    request.experiment = draft.experimentFor(slot);
    request.spec = draft.schedule[at];
    request.order = draft.order[at];
    request.cause = gap.mainCause();
    const Costs costs = costsOfRun(run);
    const std::vector<ChainTile> chain = WaitGraph(run.plan->schedule, costs, run.timing).chain(gap);
    if (!chain.empty())
        request.late = chain.front().device;
    const auto progress = std::make_shared<Progress>();
    m_search = progress;
    m_inspector.suggestions().showWorking();
    const auto work = [request, draft, slot, progress]() -> std::optional<Suggestions> {
        try {
            return asApplied(request, draft, slot, *progress);
        } catch (const Error&) {
            return Suggestions();
        } catch (const Cancelled&) {
            return std::nullopt;
        }
    };
    inBackground(this, work, [this, progress](const std::optional<Suggestions>& found) {
        if (m_search != progress)
            return;
        m_search = nullptr;
        if (found)
            m_inspector.suggestions().show(*found);
    });
}

void Explainer::goTo(TaskId task)
{
    if (m_pick.slot < 0 || static_cast<std::size_t>(m_pick.slot) >= m_stack.views().size())
        return;
    TimelineView& view = *m_stack.views()[static_cast<std::size_t>(m_pick.slot)];
    const Pick pick = pickOf(view.picture(), task);
    if (pick.kind == Pick::Kind::None)
        return;
    const Bar bar = view.picture().rows[static_cast<std::size_t>(pick.row)].bars[static_cast<std::size_t>(pick.index)];
    RangeController& range = m_stack.range();
    if (bar.start < range.visible().begin || bar.end > range.visible().end) {
        const Nanoseconds length = range.visible().length();
        const Nanoseconds middle = bar.start + (bar.end - bar.start) / 2;
        range.setVisible({middle - length / 2, middle + length - length / 2});
    }
    view.setPicked(pick);
    Q_EMIT view.pickChanged(pick);
}

void Explainer::apply(const Suggestion& suggestion)
{
    if (!m_run || !m_run->plan)
        return;
    const auto [draft, slot] = draftFor(*m_run);
    m_workbench.edit(applied(draft, slot, suggestion), sentenceOf(suggestion));
}

} // namespace bubblescope::viz
