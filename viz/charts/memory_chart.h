// Live activations over time, one stepped line per device, the peak marked, the limit as a dashed line. Its time
// axis follows the timelines.

#pragma once

#include "viz/charts/chart.h"
#include "viz/run/run_view.h"
#include "viz/timeline/coordinates.h"

#include <optional>

namespace bubblescope::viz {

class MemoryChart : public Chart {
    Q_OBJECT

public:
    explicit MemoryChart(QWidget* parent = nullptr);

    void setRun(RunPtr run, const QString& title);
    void setVisibleRange(const TimeRange& range);

    /// Activations that a device can hold; 0: no line.
    void setLimit(double activations);

    /// The moment under the pointer in the timelines.
    void setCursorTime(std::optional<Nanoseconds> time);

    /// Values of all devices at the time under a position.
    QString hintAt(const QPointF& position) const override;
    ChartTable table() const override;

    /// The peak of each device, the highest first.
    std::vector<QPointF> marks() const override;
    void clickAt(const QPointF& position) override;

    const RunPtr& run() const { return m_run; }

    double limit() const { return m_limit; }

Q_SIGNALS:
    void momentClicked(Nanoseconds time);

protected:
    void rebuild() override;

private:
    void addLine(std::size_t device);
    void markPeak();
    void markLimit();
    void fitHeight();

    RunPtr m_run;
    TimeRange m_range;
    double m_limit = 0;
    QCPItemLine* m_cursor = nullptr;
    std::optional<Nanoseconds> m_cursorTime;
};

/// The device that holds most; 0 without devices.
std::size_t deviceWithPeak(const RunView& run);

/// What lives at the peak, in words: "Device 0 holds 4 activations at 4.00 ms: stage 0 of microbatches 0–3".
QString peakText(const RunView& run);

/// The forwards that made what lives at the peak, on the device that holds it.
std::vector<TimeRange> peakTimes(const RunView& run);

/// Which line is which device.
void paintDeviceLegend(QPainter& painter, const QRectF& area, const std::vector<RunPtr>& runs, const Theme& theme,
                       const QFont& font);

} // namespace bubblescope::viz
