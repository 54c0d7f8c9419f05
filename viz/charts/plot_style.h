// The look that all charts share: quiet axes, the program's font, colours of the theme.

#pragma once

#include "viz/charts/custom_plot.h"
#include "viz/theme/theme.h"

#include <vector>

namespace bubblescope::viz {

void stylePlot(QCustomPlot& plot, const Theme& theme);

/// A line of text above the axes.
void setPlotTitle(QCustomPlot& plot, const QString& title, const Theme& theme);

/// The place nearest to a position, at most `within` pixels away; −1 when there is none.
int nearestPlace(const std::vector<QPointF>& places, const QPointF& position, double within);

/// Time in nanoseconds on an axis that is in milliseconds.
inline double inMilliseconds(Nanoseconds time)
{
    return static_cast<double>(time) / 1e6;
}

} // namespace bubblescope::viz
