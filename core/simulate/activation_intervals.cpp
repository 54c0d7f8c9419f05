#include "core/simulate/activation_intervals.h"

#include "core/simulate/activation_changes.h"
#include "core/simulate/memory_walk.h"

#include <algorithm>
#include <tuple>
#include <unordered_map>

namespace bubblescope {
namespace {

/// What one device holds of every forward, followed through time.
class Holdings {
public:
    explicit Holdings(std::vector<ActivationInterval>& intervals) : m_intervals(intervals) {}

    void change(std::uint32_t slot, std::int64_t delta, const ActivationInterval& here)
    {
        Held& held = m_held[slot];
        const bool before = held.amount > 0;
        held.amount += delta;
        if (!before && held.amount > 0)
            held.open = here;
        else if (before && held.amount <= 0)
            close(held, here.begin);
    }

    void closeAll(Nanoseconds finish)
    {
        for (auto& [slot, held] : m_held)
            if (held.amount > 0)
                close(held, finish);
    }

private:
    struct Held {
        std::int64_t amount = 0;
        ActivationInterval open;
    };

    void close(Held& held, Nanoseconds end)
    {
        held.open.end = end;
        if (held.open.end > held.open.begin)
            m_intervals.push_back(held.open);
    }

    std::vector<ActivationInterval>& m_intervals;
    std::unordered_map<std::uint32_t, Held> m_held;
};

} // namespace

std::vector<ActivationInterval> activationIntervals(const Schedule& schedule, const Timing& timing,
                                                    const ActivationDeltas& deltas)
{
    const auto ranges = lanesByDevice(schedule);
    const ActivationChanges changes(schedule, deltas);
    const Grid grid(schedule);
    const auto counts = [&](const Task& task) {
        const ActivationDeltas::Delta delta = changes(task);
        return delta.atStart != 0 || delta.atEnd != 0;
    };
    std::vector<ActivationInterval> intervals;
    for (std::size_t device = 0; device < ranges.size(); ++device) {
        Holdings holdings(intervals);
        walkChanges(schedule, ranges[device], timing, counts, [&](Nanoseconds time, TaskId id, bool ends) {
            Task forward = schedule.tasks[id];
            const ActivationDeltas::Delta delta = changes(forward);
            forward.work = Work::Forward;
            forward.part = Part{};
            forward.flags = 0;
            if (grid.contains(forward))
                holdings.change(grid.slot(forward), ends ? delta.atEnd : delta.atStart,
                                {Device(static_cast<int>(device)), forward, time, time});
        });
        holdings.closeAll(timing.finish);
    }
    std::sort(intervals.begin(), intervals.end(), [](const ActivationInterval& a, const ActivationInterval& b) {
        return std::tuple(a.device.value, a.begin, a.forward.key()) <
               std::tuple(b.device.value, b.begin, b.forward.key());
    });
    return intervals;
}

} // namespace bubblescope
