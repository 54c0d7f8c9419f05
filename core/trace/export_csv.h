// One row per span, for spreadsheets and scripts (RFC 4180, times in nanoseconds).

#pragma once

#include "core/trace/trace.h"

#include <iosfwd>
#include <string>

namespace bubblescope {

void exportCsv(const Trace& trace, std::ostream& out);

/// To a file, written whole or not at all. Throws Failure with a sentence.
void exportCsv(const Trace& trace, const std::string& path);

} // namespace bubblescope
