// The tabs below the timelines. One more panel is one more add().

#pragma once

#include "viz/panels/run_panel.h"

#include <QTabWidget>

namespace bubblescope::viz {

class PanelTabs : public QTabWidget {
    Q_OBJECT

public:
    explicit PanelTabs(QWidget* parent = nullptr);

    void add(RunPanel* panel, const QString& title);

    /// What the timelines show now. Panels behind others hear of it when they come to the front.
    void setRuns(const std::vector<RunPtr>& runs);

    /// The panel of a class; null when there is none.
    template <class Panel>
    Panel* panel() const
    {
        return findChild<Panel*>();
    }

Q_SIGNALS:
    void intervalsAsked(const std::vector<RunInterval>& intervals);
    void problem(const QString& sentence);

private:
    void showCurrent();

    std::vector<RunPtr> m_runs;
};

} // namespace bubblescope::viz
