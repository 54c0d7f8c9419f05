// Numbers as people read them, and tables of them for a terminal.

#pragma once

#include "core/schedule/task.h"

#include <string>
#include <vector>

namespace bubblescope {

/// "33 ms", "6.438 ms", "412.5 µs", "1.25 s": at most three decimals, none that are 0.
std::string timeText(Nanoseconds time);

/// "1.5 MiB", "640 B".
std::string bytesText(std::int64_t bytes);

/// "27.3 %".
std::string percentText(double share);

/// "4", "2.5": at most three decimals.
std::string numberText(double value);

/// Columns as wide as their widest cell: the first one flush left, the others flush right, but for cells that begin with "= ".
std::string tableText(const std::vector<std::vector<std::string>>& rows);

} // namespace bubblescope
