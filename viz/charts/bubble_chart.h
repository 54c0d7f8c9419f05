// Where each device's time goes: one stacked bar per device, work first and then idle time by cause.

#pragma once

#include "viz/charts/custom_plot.h"
#include "viz/run/run_view.h"
#include "viz/theme/theme.h"

namespace bubblescope::viz {

class BubbleChart : public QCustomPlot {
    Q_OBJECT

public:
    explicit BubbleChart(QWidget* parent = nullptr);

    /// `title` is "A · where each device's time goes"; a null run leaves the chart empty.
    void setRun(RunPtr run, const QString& title);

    /// Colours of another theme.
    void setTheme(const Theme& theme);

    /// What stands under a position: "Device 2 · imbalance 4.7 ms (14.2 %)"; empty beside the bars.
    QString hintAt(const QPointF& position) const;

    const RunPtr& run() const { return m_run; }

    /// Bars neither thick nor squeezed; with less room they get thinner.
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void rebuild();

    RunPtr m_run;
    QString m_title;
    const Theme* m_theme;
};

/// Causes that any device of the run has, in the order in which they are stacked.
std::vector<IdleCause> causesOf(const RunView& run);

/// One legend for all charts of `runs`.
void paintCauseLegend(QPainter& painter, const QRectF& area, const std::vector<RunPtr>& runs, const Theme& theme,
                      const QFont& font);

} // namespace bubblescope::viz
