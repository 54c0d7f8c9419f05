// The orders of a schedule as text, one lane a line, and back: how a document keeps a schedule that no
// recipe can make again.
//
//     device 0 compute 0: 0F0 0F1 (0F2;0B0) …

#pragma once

#include "core/schedule/schedule.h"

#include <string>
#include <string_view>

namespace bubblescope {

/// Lanes, tasks and joined units come back, and the shape that they imply; edges that the grid rule
/// doesn't give and groups don't. Throws Error naming the line and the text that is no task.
Schedule scheduleFromOrders(std::string_view orders);

} // namespace bubblescope
