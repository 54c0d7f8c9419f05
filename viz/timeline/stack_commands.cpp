// What keys and menus do to the stacked timelines: lanes, search, marks and notes, Esc.

#include "viz/timeline/minimap.h"
#include "viz/timeline/note_editor.h"
#include "viz/timeline/pick_text.h"
#include "viz/timeline/search_bar.h"
#include "viz/timeline/time_text.h"
#include "viz/timeline/timeline_stack.h"

namespace bubblescope::viz {

int TimelineStack::activeSlot() const
{
    for (std::size_t slot = 0; slot < m_views.size(); ++slot)
        if (m_views[slot]->hasFocus() && (m_picked.slot < 0 || m_picked.slot == static_cast<int>(slot)))
            return static_cast<int>(slot);
    if (m_picked.slot >= 0)
        return m_picked.slot;
    return m_views.empty() ? -1 : 0;
}

TimelineView* TimelineStack::activeView() const
{
    const int slot = activeSlot();
    return slot < 0 ? nullptr : m_views[static_cast<std::size_t>(slot)];
}

void TimelineStack::run(TimelineCommand command)
{
    const bool flow = command == TimelineCommand::FlowForward || command == TimelineCommand::FlowBack;
    if (command == TimelineCommand::Clear)
        clearNext();
    else if (command == TimelineCommand::Find)
        openSearch();
    else if (command == TimelineCommand::FindLane)
        Q_EMIT laneSearchAsked();
    else if (command == TimelineCommand::Details)
        Q_EMIT detailsAsked();
    else if (flow && m_search->isVisible() && !m_matches.empty())
        goToMatch(command == TimelineCommand::FlowForward);
    else if (!runOnLanes(command) && !runOnNotes(command))
        if (TimelineView* view = activeView()) {
            view->run(command);
            showPickedRow();
        }
}

bool TimelineStack::runOnLanes(TimelineCommand command)
{
    const TimelineView* view = activeView();
    const int picked = view ? view->picked().row : -1;
    switch (command) {
    case TimelineCommand::TallerRows:
        scaleRows(1.25);
        return true;
    case TimelineCommand::LowerRows:
        scaleRows(0.8);
        return true;
    case TimelineCommand::ToggleLanes:
        // Without a pick there is no device that could be meant: all of them.
        if (picked < 0)
            setAllLanes(!m_allLanes);
        else
            toggleLanes(activeSlot(), view->picture().rows[static_cast<std::size_t>(picked)].device);
        return true;
    case TimelineCommand::PinLane:
        if (picked >= 0)
            togglePin(laneName(*view->picture().run, view->picture().rows[static_cast<std::size_t>(picked)].lane));
        return true;
    default:
        return false;
    }
}

void TimelineStack::clearNext()
{
    if (m_search->isVisible())
        m_search->close();
    else if (!m_intervals.empty())
        showIntervals({});
    else if (!m_range.selection().empty())
        m_range.setSelection({});
    else if (m_picked.slot >= 0)
        clearPick();
    else {
        m_mark.reset();
        m_chosenNote = 0;
        showFlags();
    }
}

void TimelineStack::showPickedRow()
{
    if (m_picked.slot < 0 || m_picked.pick.row < 0)
        return;
    const TimelineView& view = *m_views[static_cast<std::size_t>(m_picked.slot)];
    const QRectF row = view.layout().rowRect(m_picked.pick.row);
    m_scroll->ensureVisible(0, view.y() + static_cast<int>(row.center().y()), 0,
                            static_cast<int>(row.height() / 2) + 4);
}

void TimelineStack::showLane(int slot, int lane)
{
    const RunPtr run = m_runs[static_cast<std::size_t>(slot)];
    TimelineView& view = *m_views[static_cast<std::size_t>(slot)];
    if (view.rowOfLane(lane) < 0)
        toggleLanes(slot, run->trace.lanes[static_cast<std::size_t>(lane)].device);
    const int row = view.rowOfLane(lane);
    if (row < 0)
        return;
    const TimelineRow& there = view.picture().rows[static_cast<std::size_t>(row)];
    const TimeRange shown = view.visible();
    const std::size_t first = firstVisibleBar(there, shown.begin + shown.length() / 2);
    if (!there.bars.empty()) {
        view.pick({Pick::Kind::Bar, row, static_cast<int>(std::min(first, there.bars.size() - 1))});
        m_range.reveal(shifted(view.rangeOf(view.picked()), offset(slot)));
    }
    view.setFocus();
    showPickedRow();
}

// Search.

void TimelineStack::connectSearch()
{
    connect(m_search, &SearchBar::queryChanged, this, &TimelineStack::startSearch);
    connect(m_search, &SearchBar::nextAsked, this, [this] { goToMatch(true); });
    connect(m_search, &SearchBar::previousAsked, this, [this] { goToMatch(false); });
    connect(m_search, &SearchBar::closed, this, [this] {
        m_job.cancel();
        useMatches({});
        shareHeight();
        if (TimelineView* view = activeView())
            view->setFocus();
    });
    connect(&m_job, &SearchJob::found, this, &TimelineStack::useMatches);
}

void TimelineStack::openSearch()
{
    m_search->open();
    shareHeight();
}

void TimelineStack::startSearch(const SearchQuery& query)
{
    m_job.cancel();
    const QString problem = problemOf(query);
    if (query.empty() || !problem.isEmpty()) {
        useMatches({});
        if (!problem.isEmpty())
            m_search->showProblem(problem);
        return;
    }
    m_search->showBusy();
    m_job.start(m_runs, query);
}

void TimelineStack::useMatches(const std::vector<MatchesPtr>& matches)
{
    m_matches = matches;
    m_match = {};
    std::size_t count = 0;
    for (std::size_t slot = 0; slot < m_views.size(); ++slot) {
        const MatchesPtr own = slot < matches.size() ? matches[slot] : nullptr;
        m_views[slot]->setMatches(own);
        count += own ? own->count : 0;
    }
    m_search->showCount(0, count);
}

void TimelineStack::goToMatch(bool forward)
{
    std::vector<MatchWalk::Part> parts;
    for (std::size_t slot = 0; slot < m_matches.size() && slot < m_runs.size(); ++slot)
        parts.push_back({m_matches[slot], m_offsets[slot]});
    const MatchWalk walk(std::move(parts));
    if (walk.count() == 0)
        return;
    MatchPlace from = m_match;
    if (!from.valid()) {
        from.start = m_range.visible().begin;
        if (m_picked.slot >= 0)
            from.start =
                m_views[static_cast<std::size_t>(m_picked.slot)]->rangeOf(m_picked.pick).begin + offset(m_picked.slot);
    }
    const MatchPlace to = forward ? walk.after(from) : walk.before(from);
    TimelineView& view = *m_views[static_cast<std::size_t>(to.slot)];
    if (view.rowOfLane(to.lane) < 0)
        toggleLanes(to.slot,
                    m_runs[static_cast<std::size_t>(to.slot)]->trace.lanes[static_cast<std::size_t>(to.lane)].device);
    const Pick bar = view.barOf(to);
    view.pick(bar);
    m_range.reveal(shifted(view.rangeOf(bar), offset(to.slot)));
    showPickedRow();
    m_match = to; // after the pick, which forgets it
    m_search->showCount(walk.rank(to), walk.count());
}

// Marks and notes.

bool TimelineStack::runOnNotes(TimelineCommand command)
{
    switch (command) {
    case TimelineCommand::Mark:
        toggleMark();
        return true;
    case TimelineCommand::Note:
        writeNote();
        return true;
    case TimelineCommand::Remove:
        removeNoteOrMark();
        return true;
    default:
        return false;
    }
}

std::optional<NoteTarget> TimelineStack::noteTarget() const
{
    const int slot = activeSlot();
    if (slot < 0)
        return std::nullopt;
    const TimelineView& view = *m_views[static_cast<std::size_t>(slot)];
    if (!view.selection().empty())
        return NoteTarget{slot, -1, view.selection()};
    if (view.picked().kind != Pick::Kind::None)
        return NoteTarget{slot, view.picture().rows[static_cast<std::size_t>(view.picked().row)].device,
                          view.rangeOf(view.picked())};
    const TimeRange shown = view.visible();
    const Nanoseconds at = m_range.cursor() ? *m_range.cursor() - offset(slot) : shown.begin + shown.length() / 2;
    return NoteTarget{slot, -1, {at, at}};
}

void TimelineStack::toggleMark()
{
    const auto target = noteTarget();
    if (!target)
        return;
    const TimeRange time = shifted(target->time, offset(target->slot));
    if (m_mark && *m_mark == time)
        m_mark.reset();
    else
        m_mark = time;
    showFlags();
}

void TimelineStack::writeNote()
{
    const auto target = noteTarget();
    if (!target)
        return;
    m_onNoteText = [this, target = *target](const QString& text) { Q_EMIT noteWritten(target, text); };
    const TimelineView& view = *m_views[static_cast<std::size_t>(target->slot)];
    const RunLayout places = view.layout();
    const double x = timeToPixel(places.axis(view.visible()), target->time.begin);
    m_editor->open(view.mapTo(this, QPoint(static_cast<int>(x), static_cast<int>(places.frame.top()))), {});
}

void TimelineStack::editNote(qint64 id)
{
    for (std::size_t slot = 0; slot < m_views.size(); ++slot)
        for (const TimeFlag& flag : m_views[slot]->flags())
            if (flag.id == id && !flag.temporary) {
                m_onNoteText = [this, id](const QString& text) { Q_EMIT noteChanged(id, text); };
                const TimelineView& view = *m_views[slot];
                const RunLayout places = view.layout();
                const double x = timeToPixel(places.axis(view.visible()), flag.time.begin);
                m_editor->open(view.mapTo(this, QPoint(static_cast<int>(x), static_cast<int>(places.frame.top()))),
                               flag.text);
                return;
            }
}

void TimelineStack::removeNoteOrMark()
{
    if (m_chosenNote != 0) {
        const qint64 id = std::exchange(m_chosenNote, 0);
        Q_EMIT noteRemoved(id);
    } else if (m_mark) {
        m_mark.reset();
        showFlags();
    }
}

void TimelineStack::setNotes(std::vector<std::vector<TimeFlag>> notes)
{
    m_notes = std::move(notes);
    showFlags();
}

void TimelineStack::showFlags()
{
    for (std::size_t slot = 0; slot < m_views.size(); ++slot) {
        std::vector<TimeFlag> flags;
        if (m_mark)
            flags.push_back(
                {0, shifted(*m_mark, -m_offsets[slot]), -1, tr("Mark: M sets it, Delete removes it"), true, false});
        if (slot < m_notes.size())
            flags.insert(flags.end(), m_notes[slot].begin(), m_notes[slot].end());
        for (TimeFlag& flag : flags)
            flag.chosen = flag.id != 0 && flag.id == m_chosenNote;
        m_views[slot]->setFlags(std::move(flags));
    }
}

void TimelineStack::showNote(qint64 id)
{
    m_chosenNote = id;
    showFlags();
    for (std::size_t slot = 0; slot < m_views.size(); ++slot)
        for (const TimeFlag& flag : m_views[slot]->flags())
            if (flag.id == id && id != 0) {
                m_range.reveal(shifted(flag.time, m_offsets[slot]));
                m_scroll->ensureWidgetVisible(m_views[slot], 0, 0);
                m_views[slot]->setFocus();
                return;
            }
}

QString TimelineStack::pickedText() const
{
    const int slot = activeSlot();
    if (slot < 0)
        return {};
    const TimelineView& view = *m_views[static_cast<std::size_t>(slot)];
    if (view.picked().kind != Pick::Kind::None)
        return pickHint(view.picture(), view.picked());
    const TimeRange selected = m_range.selection();
    if (selected.empty())
        return {};
    return tr("%1 from %2 to %3").arg(timeText(selected.length()), timeText(selected.begin), timeText(selected.end));
}

} // namespace bubblescope::viz
