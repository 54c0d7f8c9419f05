// Runs below each other under one time axis: up to eight timelines, a ruler and a legend.
//
// All of them listen to the one RangeController, so their zoom, pan and cursor are one. Rows share the
// height there is; when that isn't enough to read them, the stack scrolls.

#pragma once

#include "viz/timeline/interval.h"
#include "viz/timeline/timeline_view.h"

#include <QScrollArea>

#include <vector>

class QVBoxLayout;

namespace bubblescope::viz {

/// What is picked, in which run.
struct StackPick {
    int slot = -1; ///< 0 is A
    Pick pick;
};

class TimelineStack : public QWidget {
    Q_OBJECT

public:
    static constexpr int mostRuns = 8;

    explicit TimelineStack(QWidget* parent = nullptr);

    /// The runs in the order of their letters. A run that stays keeps its view, pick and zoom.
    void setRuns(const std::vector<RunPtr>& runs);

    void setAllLanes(bool all);
    void setCriticalPathShown(bool shown);

    /// What the colours of bars mean, in all runs.
    void setColouring(const Colouring& colouring);

    const Colouring& colouring() const { return m_colouring; }

    void setFrameTimeShown(bool shown);

    RangeController& range() { return m_range; }

    const std::vector<TimelineView*>& views() const { return m_views; }

    const StackPick& picked() const { return m_picked; }

    void clearPick();

    /// Outlines intervals and brings the first into view; an empty list takes the outlines away, and so does Esc.
    void showIntervals(const std::vector<RunInterval>& intervals);

    const std::vector<RunInterval>& intervals() const { return m_intervals; }

    /// Height at which every row has the size that reads best.
    int pleasantHeight() const;

    static QString letterOf(int slot) { return QChar(u'A' + slot); }

Q_SIGNALS:
    void pickChanged(const StackPick& pick);

protected:
    void focusInEvent(QFocusEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    class Ruler;
    class Legend;

    void addView();
    void onPick(int slot, const Pick& pick);
    void shareHeight();
    int rowCount() const;

    RangeController m_range;
    QScrollArea* m_scroll;
    QWidget* m_content;
    QVBoxLayout* m_column;
    Ruler* m_ruler;
    Legend* m_legend;
    std::vector<TimelineView*> m_views;
    std::vector<RunPtr> m_runs;
    StackPick m_picked;
    std::vector<RunInterval> m_intervals;
    bool m_allLanes = false;
    bool m_critical = false;
    Colouring m_colouring;
    bool m_frameTime = false;
};

/// Letters, rows and facts of runs that are shown together.
std::vector<RunPicture> picturesOf(const std::vector<RunPtr>& runs, RowOptions options);

/// From the earliest begin to the latest end, with a little room at the right.
TimeRange rangeOfRuns(const std::vector<RunPtr>& runs);

} // namespace bubblescope::viz
