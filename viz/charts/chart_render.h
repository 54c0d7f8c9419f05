// Charts of several runs beside each other, into any painter.

#pragma once

#include "viz/run/run_view.h"
#include "viz/theme/theme.h"

#include <QPainter>
#include <QRectF>

#include <vector>

namespace bubblescope::viz {

void paintBubbleCharts(QPainter& painter, const QRectF& area, const std::vector<RunPtr>& runs, const Theme& theme);
void paintMemoryCharts(QPainter& painter, const QRectF& area, const std::vector<RunPtr>& runs, const Theme& theme);

/// "A · ZB-H1 · predicted · where each device's time goes"
QString bubbleChartTitle(int slot, const RunView& run);
QString memoryChartTitle(int slot, const RunView& run);

} // namespace bubblescope::viz
