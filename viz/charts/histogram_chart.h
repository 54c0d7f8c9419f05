// How often which duration occurs: a stepped curve over the durations of one name, logarithmic where they span decades.

#pragma once

#include "core/analyze/durations.h"
#include "viz/charts/chart.h"

namespace bubblescope::viz {

class HistogramChart : public Chart {
    Q_OBJECT

public:
    explicit HistogramChart(QWidget* parent = nullptr);

    void setGroup(const DurationGroup& group, const QString& title);

    const Histogram& histogram() const { return m_histogram; }

    QString hintAt(const QPointF& position) const override;
    ChartTable table() const override;
    std::vector<QPointF> marks() const override;
    void clickAt(const QPointF& position) override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    /// Durations from `least` to below `most`.
    void binClicked(Nanoseconds least, Nanoseconds most);

protected:
    void rebuild() override;

private:
    int binAt(const QPointF& position) const;
    void markMedian();

    DurationGroup m_group; ///< without its durations
    Nanoseconds m_median = 0;
    std::size_t m_count = 0;
    Histogram m_histogram;
};

} // namespace bubblescope::viz
