// Live activations over time, one stepped line per device, the peak marked. Its time axis follows the
// timelines.

#pragma once

#include "viz/charts/custom_plot.h"
#include "viz/run/run_view.h"
#include "viz/theme/theme.h"
#include "viz/timeline/coordinates.h"

namespace bubblescope::viz {

class MemoryChart : public QCustomPlot {
    Q_OBJECT

public:
    explicit MemoryChart(QWidget* parent = nullptr);

    void setRun(RunPtr run, const QString& title);
    void setTheme(const Theme& theme);
    void setVisibleRange(const TimeRange& range);

    /// Values of all devices at the time under a position.
    QString hintAt(const QPointF& position) const;

protected:
    bool event(QEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void rebuild();
    void markPeak();

    RunPtr m_run;
    QString m_title;
    TimeRange m_range;
    const Theme* m_theme;
};

/// Which line is which device.
void paintDeviceLegend(QPainter& painter, const QRectF& area, const std::vector<RunPtr>& runs, const Theme& theme,
                       const QFont& font);

} // namespace bubblescope::viz
