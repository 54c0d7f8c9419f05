// The signs on the buttons of a replay, drawn in the colour of text so that they fit every theme and size.

#pragma once

#include <QColor>
#include <QIcon>

namespace bubblescope::viz {

enum class ReplaySign { ToBegin, Back, Play, Pause, Forward };

QIcon replayIcon(ReplaySign sign, const QColor& colour, int side);

} // namespace bubblescope::viz
