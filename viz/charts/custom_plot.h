// QCustomPlot, whose header is written in Qt's keywords, in a program that has them off.

#pragma once

// NOLINTBEGIN(readability-identifier-naming): the names are Qt's
#define signals Q_SIGNALS
#define slots Q_SLOTS
#define emit Q_EMIT
#define foreach Q_FOREACH
// NOLINTEND(readability-identifier-naming)
#include <qcustomplot.h>
#undef signals
#undef slots
#undef emit
#undef foreach
