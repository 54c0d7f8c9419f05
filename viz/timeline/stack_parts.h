// What stands below the stacked timelines: the ruler and the legend.

#pragma once

#include "viz/timeline/range_controller.h"
#include "viz/timeline/run_painter.h"

#include <QWidget>

#include <vector>

class QScrollArea;

namespace bubblescope::viz {

/// Left and right edge of the timelines' frames in a viewport of this width.
QRectF frameIn(double width, const QFont& font);

/// The time axis; it has the frame's left and right edge and run A's time.
class TimelineRuler : public QWidget {
    Q_OBJECT

public:
    TimelineRuler(RangeController& range, QScrollArea& timelines);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    RangeController& m_range;
    QScrollArea& m_timelines;
};

class TimelineLegend : public QWidget {
    Q_OBJECT

public:
    TimelineLegend();

    void setPictures(std::vector<const RunPicture*> pictures);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<const RunPicture*> m_pictures;
};

} // namespace bubblescope::viz
