#include "viz/replay/replay_icons.h"

#include <QPainter>
#include <QPainterPath>
#include <QPixmap>

namespace bubblescope::viz {
namespace {

/// A triangle that points right or left, in a square of side 1.
QPainterPath triangle(double from, double to)
{
    QPainterPath path;
    path.moveTo(from, 0.14);
    path.lineTo(to, 0.5);
    path.lineTo(from, 0.86);
    path.closeSubpath();
    return path;
}

QPainterPath bar(double left)
{
    QPainterPath path;
    path.addRect(left, 0.14, 0.13, 0.72);
    return path;
}

QPainterPath pathOf(ReplaySign sign)
{
    QPainterPath path;
    switch (sign) {
    case ReplaySign::ToBegin:
        path.addPath(bar(0.06));
        path.addPath(triangle(0.57, 0.21));
        path.addPath(triangle(0.94, 0.58));
        break;
    case ReplaySign::Back:
        path.addPath(bar(0.16));
        path.addPath(triangle(0.84, 0.32));
        break;
    case ReplaySign::Play:
        path.addPath(triangle(0.2, 0.88));
        break;
    case ReplaySign::Pause:
        path.addRect(0.2, 0.14, 0.2, 0.72);
        path.addRect(0.6, 0.14, 0.2, 0.72);
        break;
    case ReplaySign::Forward:
        path.addPath(triangle(0.16, 0.68));
        path.addPath(bar(0.71));
        break;
    }
    return path;
}

} // namespace

QIcon replayIcon(ReplaySign sign, const QColor& colour, int side)
{
    QIcon icon;
    for (const int scale : {1, 2, 3}) {
        QPixmap pixmap(side * scale, side * scale);
        pixmap.fill(Qt::transparent);
        QPainter painter(&pixmap);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.scale(side * scale, side * scale);
        painter.fillPath(pathOf(sign), colour);
        painter.end();
        pixmap.setDevicePixelRatio(scale);
        icon.addPixmap(pixmap);
    }
    return icon;
}

} // namespace bubblescope::viz
