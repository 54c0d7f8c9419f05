// Runs below each other under one time axis: up to eight timelines between minimap and ruler.
//
//     search bar          hidden until somebody searches
//     minimap
//     timelines A, B, …   in a scroll area
//     ruler, legend
//
// All of them listen to the one RangeController, so their zoom, pan and cursor are one; each timeline adds
// its run's offset (alignment.h). Rows share the height there is; when that isn't enough to read them, the
// stack scrolls.

#pragma once

#include "viz/timeline/interval.h"
#include "viz/timeline/search_job.h"
#include "viz/timeline/timeline_view.h"

#include <QScrollArea>

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <vector>

class QVBoxLayout;

namespace bubblescope::viz {

class Minimap;
class NoteEditor;
class SearchBar;
class TimelineLegend;
class TimelineRuler;

/// What is picked, in which run.
struct StackPick {
    int slot = -1; ///< 0 is A
    Pick pick;
};

/// What a note is pinned to.
struct NoteTarget {
    int slot = 0;
    int device = -1; ///< −1: the run as a whole
    TimeRange time;  ///< the run's own time; a moment where begin = end
};

class TimelineStack : public QWidget {
    Q_OBJECT

public:
    static constexpr int mostRuns = 8;

    explicit TimelineStack(QWidget* parent = nullptr);

    /// The runs in the order of their letters. A run that stays keeps its view, pick and zoom.
    void setRuns(const std::vector<RunPtr>& runs);

    const std::vector<RunPtr>& runs() const { return m_runs; }

    /// Opens or closes the communication, collective and copy lanes of every device.
    void setAllLanes(bool all);

    /// Opens or closes those of one device.
    void toggleLanes(int slot, int device);

    /// Puts a lane on top of each run that has one of this name, or lets it go.
    void togglePin(const QString& lane);

    void setCriticalPathShown(bool shown);
    void setWheelZooms(bool zooms);

    bool wheelZooms() const { return m_wheelZooms; }

    void setAlignment(Alignment alignment);

    Alignment alignment() const { return m_alignment; }

    /// Aligned time = a run's own time + its offset.
    Nanoseconds offset(int slot) const { return m_offsets[static_cast<std::size_t>(slot)]; }

    /// Makes all rows higher (or lower); 0 goes back to the height that fits.
    void scaleRows(double factor);

    /// What the colours of bars mean, in all runs.
    void setColouring(const Colouring& colouring);

    const Colouring& colouring() const { return m_colouring; }

    void setFrameTimeShown(bool shown);

    RangeController& range() { return m_range; }

    const std::vector<TimelineView*>& views() const { return m_views; }

    const StackPick& picked() const { return m_picked; }

    /// The run that keys are for: with the focus, else with the pick, else A. −1 without runs.
    int activeSlot() const;

    /// Does what a key of the timelines does.
    void run(TimelineCommand command);

    /// Takes away the first of these that is there: search, outlines, selection, pick, mark.
    void clearNext();

    void clearPick();

    /// Brings a lane into view, opening it where it is closed, and picks what is there in the middle of the view.
    void showLane(int slot, int lane);

    /// Outlines intervals and brings the first into view; an empty list takes the outlines away, and so does Esc.
    void showIntervals(const std::vector<RunInterval>& intervals);

    const std::vector<RunInterval>& intervals() const { return m_intervals; }

    void openSearch();

    SearchBar& searchBar() { return *m_search; }

    Minimap& minimap() { return *m_minimap; }

    /// Goes to the next match (or the previous one); round at the ends.
    void goToMatch(bool forward);

    /// Notes by slot, as the document has them.
    void setNotes(std::vector<std::vector<TimeFlag>> notes);

    /// What a note or mark made now would be pinned to; nothing without runs.
    std::optional<NoteTarget> noteTarget() const;

    /// Chooses a note and brings it into view.
    void showNote(qint64 id);

    /// Lets a person change the text of a note.
    void editNote(qint64 id);

    std::optional<TimeRange> mark() const { return m_mark; }

    /// Selection, else pick, in words.
    QString pickedText() const;

    /// Height at which every row has the size that reads best.
    int pleasantHeight() const;

    static QString letterOf(int slot) { return QChar(u'A' + slot); }

Q_SIGNALS:
    void pickChanged(const StackPick& pick);
    void runsChanged();
    void alignmentChanged();
    void rangeSelected();
    void detailsAsked();
    void laneSearchAsked();
    void noteWritten(const NoteTarget& target, const QString& text);
    void noteChanged(qint64 id, const QString& text);
    void noteRemoved(qint64 id);

protected:
    void focusInEvent(QFocusEvent* event) override;
    bool eventFilter(QObject* object, QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void addView();
    void connectSearch();
    void onPick(int slot, const Pick& pick);
    void dropStalePick();
    void shareHeight();
    void updateEnds();
    void rebuildRows();
    void showPickedRow();
    RowOptions rowOptions(const RunView& run) const;
    TimelineView* activeView() const;
    void startSearch(const SearchQuery& query);
    void useMatches(const std::vector<MatchesPtr>& matches);
    void showFlags();
    void writeNote();
    void removeNoteOrMark();
    void toggleMark();
    bool runOnLanes(TimelineCommand command);
    bool runOnNotes(TimelineCommand command);

    RangeController m_range;
    QScrollArea* m_scroll;
    QWidget* m_content;
    QVBoxLayout* m_column;
    SearchBar* m_search;
    Minimap* m_minimap;
    TimelineRuler* m_ruler;
    TimelineLegend* m_legend;
    NoteEditor* m_editor;
    SearchJob m_job;
    std::vector<TimelineView*> m_views;
    std::vector<RunPtr> m_runs;
    std::vector<Nanoseconds> m_offsets;
    Alignment m_alignment = Alignment::Time;
    std::map<int, std::set<int>> m_toggledLanes; ///< devices by number of the run
    std::set<QString> m_pins;
    double m_rowScale = 1;
    StackPick m_picked;
    std::vector<RunInterval> m_intervals;
    std::vector<MatchesPtr> m_matches;
    MatchPlace m_match; ///< the current one
    std::vector<std::vector<TimeFlag>> m_notes;
    qint64 m_chosenNote = 0;
    std::optional<TimeRange> m_mark; ///< aligned
    std::function<void(const QString&)> m_onNoteText;
    bool m_allLanes = false;
    bool m_critical = false;
    Colouring m_colouring;
    bool m_frameTime = false;
    bool m_wheelZooms = false;
};

/// Letters, rows and facts of runs that are shown together.
std::vector<RunPicture> picturesOf(const std::vector<RunPtr>& runs, const RowOptions& options);
std::vector<RunPicture> picturesBy(const std::vector<RunPtr>& runs,
                                   const std::function<RowOptions(const RunView&)>& options);

/// From the earliest begin to the latest end in aligned time, with a little room at the right.
TimeRange rangeOfRuns(const std::vector<RunPtr>& runs, const std::vector<Nanoseconds>& offsets = {});

} // namespace bubblescope::viz
