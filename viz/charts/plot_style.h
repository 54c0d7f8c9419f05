// The look that all charts share: quiet axes, the program's font, colours of the theme.

#pragma once

#include "viz/charts/custom_plot.h"
#include "viz/theme/theme.h"

namespace bubblescope::viz {

void stylePlot(QCustomPlot& plot, const Theme& theme);

/// A line of text above the axes.
void setPlotTitle(QCustomPlot& plot, const QString& title, const Theme& theme);

/// Time in nanoseconds on an axis that is in milliseconds.
inline double inMilliseconds(Nanoseconds time)
{
    return static_cast<double>(time) / 1e6;
}

} // namespace bubblescope::viz
