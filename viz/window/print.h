// What is printed of the shown runs: their timelines, and the charts on the pages behind.

#pragma once

#include "viz/run/run_view.h"

#include <vector>

class QPrinter;

namespace bubblescope::viz {

/// Prints with the colours of the light theme. Throws Failure when the printer or file can't be written.
void printRuns(QPrinter& printer, const std::vector<RunPtr>& runs, const QString& title);

} // namespace bubblescope::viz
