#include "core/trace/run.h"

#include <fmt/format.h>

#include <array>

namespace bubblescope {

const char* runStateText(RunState state)
{
    static constexpr std::array names = {"recording", "complete", "cancelled", "failed", "interrupted"};
    return names.at(static_cast<std::size_t>(state));
}

std::string ordersText(const Schedule& schedule)
{
    std::string text;
    for (std::size_t i = 0; i < schedule.lanes.size(); ++i) {
        const Lane& lane = schedule.lanes[i];
        text += fmt::format("device {} {} {}:", lane.device.value, laneKindName(lane.kind), lane.index);
        for (const std::string& task : laneTexts(schedule, LaneId(i), true)) {
            text += ' ';
            text += task;
        }
        text += '\n';
    }
    return text;
}

} // namespace bubblescope
