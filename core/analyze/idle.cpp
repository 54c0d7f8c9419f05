// From the gaps of the twins to causes that add up.
//
//     slot      the gap before each unit of a compute lane, and the last one; most have length 0
//     cluster   slots with only barriers and updates of no length between them: where in a cluster the
//               waiting stands depends on what ties the lanes, so twins are compared by cluster
//
// For each device: E_k = min(idle, largest idle of the twins up to k); twin k's share is E_k − E_(k−1).
// A share goes to the gaps that grew most in its twin, then to what is left, in the order of time.

#include "core/analyze/idle.h"

#include "core/analyze/twins.h"

#include <algorithm>
#include <numeric>

namespace bubblescope {

const char* idleCauseName(IdleCause cause)
{
    static constexpr const char* names[] = {"warmup",        "drain",           "dependency", "arrival", "imbalance",
                                            "communication", "synchronisation", "memory",     "jitter",  "unexplained"};
    static_assert(std::size(names) == idleCauses);
    return names[static_cast<std::size_t>(cause)];
}

const char* idleCauseMeaning(IdleCause cause)
{
    static constexpr const char* meanings[] = {
        "the pipeline fills",
        "the pipeline empties",
        "the order makes the device wait even if all stages were equal and transfers free",
        "the data had not arrived from outside",
        "stages don't cost the same, and this device waits for a slower one",
        "transfers between devices take time",
        "devices wait for each other at a barrier or collective",
        "activations or weights are still being copied",
        "this time the tasks took longer or shorter than they usually do",
        "none of the modelled reasons covers it",
    };
    static_assert(std::size(meanings) == idleCauses);
    return meanings[static_cast<std::size_t>(cause)];
}

IdleCause Gap::mainCause() const
{
    return static_cast<IdleCause>(std::max_element(cause.begin(), cause.end()) - cause.begin());
}

Nanoseconds IdleReport::totalIdle() const
{
    return std::accumulate(devices.begin(), devices.end(), Nanoseconds{0},
                           [](Nanoseconds sum, const DeviceIdle& device) { return sum + device.idle; });
}

Nanoseconds IdleReport::totalBusy() const
{
    return std::accumulate(devices.begin(), devices.end(), Nanoseconds{0},
                           [](Nanoseconds sum, const DeviceIdle& device) { return sum + device.busy; });
}

CauseTimes IdleReport::totalCauses() const
{
    CauseTimes totals{};
    for (const DeviceIdle& device : devices)
        for (std::size_t i = 0; i < totals.size(); ++i)
            totals[i] += device.cause[i];
    return totals;
}

double IdleReport::bubbleRate() const
{
    const double window = static_cast<double>(makespan()) * static_cast<double>(devices.size());
    return window > 0 ? static_cast<double>(totalIdle()) / window : 0;
}

namespace {

/// The compute lane of one device, in units.
struct DeviceLane {
    std::vector<TaskId> units;    ///< first task of each
    std::vector<IdleCause> phase; ///< by slot: what level 0 is called there
    std::vector<bool> continues;  ///< by slot: same cluster as the slot before
};

/// Barriers and updates end a step; a zero-length one only marks a moment.
bool marksMoment(const Schedule& schedule, const Timing& timing, TaskId unit)
{
    return !isCompute(schedule.tasks[unit].work) && timing.end[unit] == timing.start[unit];
}

/// Where the first backward and the last forward of a step stand on a lane.
struct StepPhases {
    std::size_t firstBackward = SIZE_MAX;
    std::size_t lastForward = 0;
};

/// The step of each unit; what isn't numbered by microbatch belongs to the step before it.
std::vector<int> stepsOf(const Schedule& schedule, const std::vector<TaskId>& units)
{
    std::vector<int> steps(units.size(), -1);
    int step = -1;
    for (std::size_t i = 0; i < units.size(); ++i) {
        const Task& task = schedule.tasks[units[i]];
        if (isCompute(task.work) && task.pipe < schedule.shape.microbatches.size())
            step = std::max(0, task.microbatch / std::max(1, schedule.shape.microbatches[task.pipe]));
        steps[i] = step;
    }
    const auto first = std::find_if(steps.begin(), steps.end(), [](int known) { return known >= 0; });
    std::fill(steps.begin(), first, first == steps.end() ? 0 : *first);
    return steps;
}

std::vector<StepPhases> stepPhases(const Schedule& schedule, const std::vector<TaskId>& units,
                                   const std::vector<int>& steps)
{
    const int last = steps.empty() ? -1 : *std::max_element(steps.begin(), steps.end());
    std::vector<StepPhases> phases(static_cast<std::size_t>(last + 1));
    for (std::size_t i = 0; i < units.size(); ++i) {
        StepPhases& own = phases[static_cast<std::size_t>(steps[i])];
        for (TaskId id = units[i]; id < schedule.unitEnd(units[i]); ++id) {
            if (propagatesGradient(schedule.tasks[id].work))
                own.firstBackward = std::min(own.firstBackward, i);
            if (schedule.tasks[id].work == Work::Forward)
                own.lastForward = i;
        }
    }
    return phases;
}

/// What level 0 is called in each slot.
std::vector<IdleCause> phasesOf(const Schedule& schedule, const std::vector<TaskId>& units)
{
    const std::vector<int> steps = stepsOf(schedule, units);
    const std::vector<StepPhases> phases = stepPhases(schedule, units, steps);
    const auto computes = [&](TaskId unit) { return isCompute(schedule.tasks[unit].work); };
    const auto firstCompute =
        static_cast<std::size_t>(std::find_if(units.begin(), units.end(), computes) - units.begin());
    std::vector<IdleCause> causes(units.size() + 1, IdleCause::Drain);
    for (std::size_t i = 0; i < units.size(); ++i) {
        const StepPhases& own = phases[static_cast<std::size_t>(steps[i])];
        const bool forwardOnly = own.firstBackward == SIZE_MAX;
        if (i <= (forwardOnly ? firstCompute : own.firstBackward))
            causes[i] = IdleCause::Warmup;
        else if (forwardOnly || i <= own.lastForward)
            causes[i] = IdleCause::Dependency;
    }
    return causes;
}

DeviceLane deviceLane(const Schedule& schedule, const Timing& timing, Device device)
{
    DeviceLane result;
    const LaneId lane = schedule.computeLane(device);
    if (lane < schedule.lanes.size())
        for (TaskId id = schedule.lanes[lane].begin; id < schedule.lanes[lane].end; id = schedule.unitEnd(id))
            result.units.push_back(id);
    result.phase = phasesOf(schedule, result.units);
    result.continues.assign(result.units.size() + 1, false);
    for (std::size_t i = 0; i < result.units.size(); ++i)
        result.continues[i + 1] = marksMoment(schedule, timing, result.units[i]);
    return result;
}

/// Length of every slot of a lane in one timing.
std::vector<Nanoseconds> slotLengths(const DeviceLane& lane, const Timing& timing)
{
    std::vector<Nanoseconds> lengths;
    lengths.reserve(lane.units.size() + 1);
    Nanoseconds free = timing.begin;
    for (const TaskId unit : lane.units) {
        lengths.push_back(std::max<Nanoseconds>(0, timing.start[unit] - free));
        free = std::max(free, timing.end[unit]);
    }
    lengths.push_back(std::max<Nanoseconds>(0, timing.finish - free));
    return lengths;
}

Nanoseconds sum(const std::vector<Nanoseconds>& lengths)
{
    return std::accumulate(lengths.begin(), lengths.end(), Nanoseconds{0});
}

/// Gives the shares of the levels to the slots of one device.
class Distribution {
public:
    Distribution(const DeviceLane& lane, std::vector<Nanoseconds> actual)
        : m_lane(lane), m_left(std::move(actual)), m_seen(m_left.size(), 0), m_parts(m_left.size())
    {
        for (std::size_t begin = 0; begin < m_left.size();) {
            std::size_t end = begin + 1;
            while (end < m_left.size() && lane.continues[end])
                ++end;
            m_clusters.push_back({begin, end, 0});
            begin = end;
        }
    }

    /// One level: `budget` of `cause`, in a twin whose slots have these lengths.
    void give(IdleCause cause, Nanoseconds budget, const std::vector<Nanoseconds>& lengths)
    {
        for (Cluster& cluster : m_clusters) {
            Nanoseconds length = 0;
            for (std::size_t slot = cluster.begin; slot < cluster.end; ++slot)
                length += lengths[slot];
            const Nanoseconds growth = std::max<Nanoseconds>(0, length - cluster.seen);
            cluster.seen = std::max(cluster.seen, length);
            fill(cluster, cause, std::min(budget, growth), budget, lengths);
        }
        for (const Cluster& cluster : m_clusters)
            fill(cluster, cause, budget, budget, lengths);
        for (std::size_t slot = 0; slot < lengths.size(); ++slot)
            m_seen[slot] = std::max(m_seen[slot], lengths[slot]);
    }

    const std::vector<CauseTimes>& parts() const { return m_parts; }

private:
    struct Cluster {
        std::size_t begin;
        std::size_t end;
        Nanoseconds seen; // longest in the earlier twins
    };

    /// Up to `amount` to the slots of a cluster: first where they grew, then in the order of time.
    void fill(const Cluster& cluster, IdleCause cause, Nanoseconds amount, Nanoseconds& budget,
              const std::vector<Nanoseconds>& lengths)
    {
        for (const bool growing : {true, false})
            for (std::size_t slot = cluster.begin; slot < cluster.end && amount > 0; ++slot) {
                Nanoseconds part = std::min(amount, m_left[slot]);
                if (growing)
                    part = std::clamp<Nanoseconds>(lengths[slot] - m_seen[slot], 0, part);
                const IdleCause own = cause == IdleCause::Warmup ? m_lane.phase[slot] : cause;
                m_parts[slot][static_cast<std::size_t>(own)] += part;
                m_left[slot] -= part;
                amount -= part;
                budget -= part;
            }
    }

    const DeviceLane& m_lane;
    std::vector<Nanoseconds> m_left;
    std::vector<Nanoseconds> m_seen;
    std::vector<CauseTimes> m_parts;
    std::vector<Cluster> m_clusters;
};

/// Busy time and the span of the compute lane.
DeviceIdle measureDevice(const Schedule& schedule, const Timing& timing, const DeviceLane& lane, Nanoseconds idle)
{
    DeviceIdle device;
    device.idle = idle;
    device.busy = timing.makespan() - idle;
    bool any = false;
    Nanoseconds free = timing.begin;
    for (const TaskId unit : lane.units) {
        const Nanoseconds covered = std::max<Nanoseconds>(0, timing.end[unit] - std::max(free, timing.start[unit]));
        free = std::max(free, timing.end[unit]);
        const Work work = schedule.tasks[unit].work;
        if (work == Work::Update || work == Work::Barrier || work == Work::Check)
            continue;
        device.firstStart = any ? std::min(device.firstStart, timing.start[unit]) : timing.start[unit];
        device.lastEnd = any ? std::max(device.lastEnd, timing.end[unit]) : timing.end[unit];
        device.spanBusy += covered;
        any = true;
    }
    return device;
}

void addGaps(const DeviceLane& lane, const Timing& timing, const std::vector<CauseTimes>& parts, Device device,
             IdleReport& report)
{
    Nanoseconds free = timing.begin;
    for (std::size_t slot = 0; slot <= lane.units.size(); ++slot) {
        const bool last = slot == lane.units.size();
        const Nanoseconds end = last ? timing.finish : timing.start[lane.units[slot]];
        if (end > free)
            report.gaps.push_back({device, free, end, last ? noTask : lane.units[slot], parts[slot]});
        if (!last)
            free = std::max(free, timing.end[lane.units[slot]]);
        for (std::size_t i = 0; i < parts[slot].size(); ++i)
            report.devices[device].cause[i] += parts[slot][i];
    }
}

IdleReport explain(const Schedule& schedule, const Costs& costs, const Timing& timing, bool measured)
{
    std::vector<DeviceLane> lanes;
    lanes.reserve(static_cast<std::size_t>(schedule.shape.devices));
    for (int device = 0; device < schedule.shape.devices; ++device)
        lanes.push_back(deviceLane(schedule, timing, Device(device)));
    const std::vector<Twin> twins = makeTwins(schedule, costs, timing, measured);
    std::vector<std::vector<std::vector<Nanoseconds>>> lengths(twins.size()); // by twin, device, slot
    Simulator simulator(schedule);
    Timing ran;
    for (std::size_t i = 0; i < twins.size(); ++i) {
        const bool given = !measured && i + 1 == twins.size(); // the last twin is the prediction itself
        if (!given)
            simulator.run(twins[i].costs, ran, twins[i].options);
        for (const DeviceLane& lane : lanes)
            lengths[i].push_back(slotLengths(lane, given ? timing : ran));
    }
    IdleReport report;
    report.begin = timing.begin;
    report.end = timing.finish;
    for (std::size_t device = 0; device < lanes.size(); ++device) {
        const std::vector<Nanoseconds> actual = slotLengths(lanes[device], timing);
        const Nanoseconds idle = sum(actual);
        report.devices.push_back(measureDevice(schedule, timing, lanes[device], idle));
        Distribution distribution(lanes[device], actual);
        Nanoseconds explained = 0;
        for (std::size_t i = 0; i < twins.size(); ++i) {
            const Nanoseconds reached = std::clamp(sum(lengths[i][device]), explained, idle);
            distribution.give(twins[i].cause, reached - explained, lengths[i][device]);
            explained = reached;
        }
        distribution.give(IdleCause::Unexplained, idle - explained, actual);
        addGaps(lanes[device], timing, distribution.parts(), Device(device), report);
    }
    return report;
}

} // namespace

IdleReport explainIdle(const Schedule& schedule, const Costs& costs, const Timing& timing)
{
    return explain(schedule, costs, timing, false);
}

IdleReport explainMeasuredIdle(const Schedule& schedule, const Costs& costs, const Timing& timing)
{
    return explain(schedule, costs, timing, true);
}

} // namespace bubblescope
