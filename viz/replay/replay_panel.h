// The tab that moves with a replay: what each device does now, its memory, and the microbatches in flight.
//
// A microbatch opens the time in which the device holds it; a memory bar opens the time of its peak.

#pragma once

#include "viz/panels/run_panel.h"
#include "viz/replay/state_picture.h"

#include <QTimer>

class QScrollArea;

namespace bubblescope::viz {

/// Paints the state and finds what lies under the mouse.
class ReplayStateView : public QWidget {
    Q_OBJECT

public:
    explicit ReplayStateView(QWidget* parent = nullptr);

    /// Large runs are made ready on another thread; until then there is nothing to see.
    void setRuns(const std::vector<RunPtr>& runs);

    /// How much later each run is on the axis; runs without one aren't.
    void setOffsets(std::vector<Nanoseconds> offsets);
    void setTime(Nanoseconds time);

    bool preparing() const { return m_preparing; }

    const StatePicture& picture() const { return m_picture; }

    const std::vector<ReplayRun>& runs() const { return m_runs; }

    QString hintAt(const QPointF& position) const;

    /// What a click there opens; nothing beside the figures.
    std::vector<RunInterval> intervalsAt(const QPointF& position) const;

    bool hasHeightForWidth() const override { return true; }

    int heightForWidth(int width) const override;
    QSize sizeHint() const override;

Q_SIGNALS:
    void intervalsAsked(const std::vector<RunInterval>& intervals);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    struct Hit {
        const StateBlock* block = nullptr;
        const StateRow* row = nullptr;
        int chip = -1; ///< index in the row's chips
        bool bar = false;
        bool running = false;
    };

    Hit hit(const QPointF& position) const;
    QRectF inner(int width) const;
    void adopt(std::vector<ReplayRun> runs);
    void align();
    void arrange();
    void describe();

    std::vector<RunPtr> m_wanted;
    std::vector<ReplayRun> m_runs;
    std::vector<Nanoseconds> m_offsets;
    bool m_preparing = false;
    Nanoseconds m_time = 0;
    StatePicture m_picture;
    QTimer m_describe; ///< what is read out waits until the playhead rests
};

class ReplayPanel : public RunPanel {
    Q_OBJECT

public:
    ReplayPanel();

    void setRuns(const std::vector<RunPtr>& runs) override;
    void setOffsets(const std::vector<Nanoseconds>& offsets);
    void setTime(Nanoseconds time);

    ReplayStateView& state() { return *m_state; }

private:
    ReplayStateView* m_state;
    QScrollArea* m_scroll;
};

} // namespace bubblescope::viz
