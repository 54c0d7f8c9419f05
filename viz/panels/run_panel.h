// A tab below the timelines: it shows the runs that the timelines show.
//
//     Workbench ── shown runs ──► PanelTabs ──► the RunPanel in front        a hidden one costs nothing
//     RunPanel ── intervalsAsked ──► TimelineStack                            a figure opens what it was computed from

#pragma once

#include "viz/run/run_view.h"
#include "viz/timeline/interval.h"

#include <QWidget>

#include <vector>

class QLayout;

namespace bubblescope::viz {

class RunPanel : public QWidget {
    Q_OBJECT

public:
    explicit RunPanel(QWidget* parent = nullptr);

    /// The runs in the order of their letters. Called while the panel is in front, and when it comes there.
    virtual void setRuns(const std::vector<RunPtr>& runs) = 0;

Q_SIGNALS:
    /// A person wants to see where a figure comes from.
    void intervalsAsked(const std::vector<RunInterval>& intervals);

    /// Something that a person asked for didn't work: a sentence.
    void problem(const QString& sentence);
};

/// What all panels keep free around them.
void setPanelMargins(QLayout& layout);

} // namespace bubblescope::viz
