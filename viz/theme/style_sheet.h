// The look of ordinary widgets, made from a theme. Sizes are in ex and em-like units of the font, so
// that large type makes large controls.

#pragma once

#include "viz/theme/theme.h"

#include <QString>

namespace bubblescope::viz {

QString styleSheetOf(const Theme& theme);

} // namespace bubblescope::viz
