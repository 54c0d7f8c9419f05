// Draws runs into a file without a window: PNG, SVG or PDF, after the name's ending.

#pragma once

#include "viz/run/run_view.h"
#include "viz/theme/theme.h"

#include <QFont>
#include <QPainter>
#include <QSize>
#include <QString>

#include <vector>

namespace bubblescope::viz {

enum class RenderView { Timeline, Bubbles, Memory };

struct RenderOptions {
    RenderView view = RenderView::Timeline;
    QSize size;       ///< logical pixels; empty: what the content needs
    double scale = 2; ///< physical pixels per logical one, of a PNG
    bool dark = false;
};

/// Throws Error for an unknown ending or a file that can't be written.
void render(const std::vector<RunPtr>& runs, const QString& path, const RenderOptions& options);

/// One view of the runs into an area of any painter; `vectors` for devices that keep shapes.
void paintPicture(QPainter& painter, const QRectF& area, const std::vector<RunPtr>& runs, const RenderOptions& options,
                  bool vectors);

/// The timelines of `runs` below each other with ruler and legend, as the window shows them.
QSize timelineSize(const std::vector<RunPtr>& runs, const QFont& font, int width);
void paintTimelines(QPainter& painter, const QRectF& area, const std::vector<RunPtr>& runs, const Theme& theme,
                    const QFont& font, bool vectors);

} // namespace bubblescope::viz
