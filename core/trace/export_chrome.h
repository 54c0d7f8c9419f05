// Chrome trace JSON, for Perfetto, chrome://tracing, speedscope.
//
// A device is a process, a lane a thread, a span an X event with its time in µs (three decimals, so
// nothing of the nanoseconds is lost), a link a flow arrow from span to span, a counter a C event.
// Spans of one lane that overlap without nesting go to a second thread: viewers can't show them on one.

#pragma once

#include "core/trace/trace.h"

#include <iosfwd>
#include <string>
#include <vector>

namespace bubblescope {

struct ChromeExport {
    std::string title;                ///< of the whole trace
    std::string label;                ///< runLabelText() of the run
    std::vector<std::string> devices; ///< names by device; empty: "device 0", …
};

void exportChrome(const Trace& trace, const ChromeExport& options, std::ostream& out);

/// To a file, written whole or not at all. Throws Failure with a sentence.
void exportChrome(const Trace& trace, const ChromeExport& options, const std::string& path);

} // namespace bubblescope
