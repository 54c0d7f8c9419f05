// The changes of one device's memory in the order of time: what both kinds of curves are made from.

#pragma once

#include "core/simulate/simulate.h"

#include <algorithm>
#include <vector>

namespace bubblescope {

/// Lanes of each device that computes: [begin, end) in Schedule::lanes, which is sorted by device.
inline std::vector<std::pair<std::uint32_t, std::uint32_t>> lanesByDevice(const Schedule& schedule)
{
    std::vector<std::pair<std::uint32_t, std::uint32_t>> ranges(static_cast<std::size_t>(schedule.shape.devices));
    for (std::uint32_t i = 0; i < schedule.lanes.size(); ++i) {
        const Device device = schedule.lanes[i].device;
        if (device >= ranges.size())
            continue; // a host
        auto& [begin, end] = ranges[device];
        begin = begin == end ? i : begin;
        end = i + 1;
    }
    return ranges;
}

/// Calls change(time, id, ends) for the start and the end of every task of one lane, in the order of time.
template <class Change>
void walkLaneChanges(const Schedule& schedule, const Lane& lane, const Timing& timing, Change&& change)
{
    for (TaskId id = lane.begin; id < lane.end; ++id) {
        if (!schedule.tasks[id].joined()) {
            change(timing.start[id], id, false);
            change(timing.end[id], id, true);
            continue;
        }
        const TaskId end = schedule.unitEnd(id);
        for (TaskId member = id; member < end; ++member)
            change(timing.start[member], member, false);
        for (TaskId member = id; member < end; ++member)
            change(timing.end[member], member, true);
        id = TaskId(end - 1);
    }
}

/// The same over the lanes of a device. `counts(task)` says whether a task changes anything; a device where only one lane
/// has such tasks, which is nearly every one, is walked without sorting.
template <class Counts, class Change>
void walkChanges(const Schedule& schedule, std::pair<std::uint32_t, std::uint32_t> lanes, const Timing& timing,
                 Counts&& counts, Change&& change)
{
    std::vector<const Lane*> active;
    for (std::uint32_t i = lanes.first; i < lanes.second; ++i) {
        const Lane& lane = schedule.lanes[i];
        if (std::any_of(schedule.tasks.begin() + lane.begin, schedule.tasks.begin() + lane.end, counts))
            active.push_back(&lane);
    }
    if (active.size() == 1)
        return walkLaneChanges(schedule, *active.front(), timing, change);

    struct Event {
        Nanoseconds time = 0;
        TaskId id{};
        bool ends = false;
    };

    std::vector<Event> events;
    for (const Lane* lane : active)
        walkLaneChanges(schedule, *lane, timing, [&](Nanoseconds time, TaskId id, bool ends) {
            if (counts(schedule.tasks[id]))
                events.push_back({time, id, ends});
        });
    std::stable_sort(events.begin(), events.end(), [](const Event& a, const Event& b) { return a.time < b.time; });
    for (const Event& event : events)
        change(event.time, event.id, event.ends);
}

} // namespace bubblescope
