// Where each device's time goes: one stacked bar per device, work first and then idle time by cause.

#pragma once

#include "viz/charts/chart.h"
#include "viz/run/run_view.h"
#include "viz/timeline/coordinates.h"

#include <optional>

namespace bubblescope::viz {

class BubbleChart : public Chart {
    Q_OBJECT

public:
    /// A piece of a bar. No cause: work.
    struct Segment {
        int device = 0;
        std::optional<IdleCause> cause;
        Nanoseconds begin = 0; ///< along the bar
        Nanoseconds end = 0;
    };

    explicit BubbleChart(QWidget* parent = nullptr);

    /// `title` is "A · where each device's time goes"; a null run leaves the chart empty.
    void setRun(RunPtr run, const QString& title);

    /// "Device 2 · imbalance 4.7 ms (14.2 %)"; empty beside the bars.
    QString hintAt(const QPointF& position) const override;
    ChartTable table() const override;
    std::vector<QPointF> marks() const override;
    void clickAt(const QPointF& position) override;

    const RunPtr& run() const { return m_run; }

    const std::vector<Segment>& segments() const { return m_segments; }

    /// The middle of a segment on screen.
    QPointF centreOf(const Segment& segment) const;

    /// Outlines the segment of a cause on a device: what is picked in a timeline. −1 takes the outline away.
    void setOutlined(int device, std::optional<IdleCause> cause);

    int outlinedDevice() const { return m_outlinedDevice; }

    /// Bars neither thick nor squeezed: many devices make a tall chart, to be scrolled.
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void segmentClicked(int device, const std::optional<IdleCause>& cause);

protected:
    void rebuild() override;

private:
    const Segment* segmentAt(const QPointF& position) const;
    void stack(const QString& name, const QColor& colour, std::optional<IdleCause> cause, QCPBars*& below);
    void outline();
    void letter();
    void fitLetters();

    /// The name of a cause on its segment, shown where it fits.
    struct Letters {
        QCPItemText* text = nullptr; ///< owned by the plot
        Segment segment;
    };

    RunPtr m_run;
    std::vector<Segment> m_segments;
    std::vector<Letters> m_letters;
    int m_outlinedDevice = -1;
    std::optional<IdleCause> m_outlinedCause;
};

/// Causes that any device of the run has, in the order in which they are stacked.
std::vector<IdleCause> causesOf(const RunView& run);

/// The idle intervals of a device that have a part of this cause; without a cause, what lies between its gaps.
std::vector<TimeRange> timesOf(const RunView& run, int device, std::optional<IdleCause> cause);

/// One legend for all charts of `runs`.
void paintCauseLegend(QPainter& painter, const QRectF& area, const std::vector<RunPtr>& runs, const Theme& theme,
                      const QFont& font);

} // namespace bubblescope::viz
