// What a run is doing at one moment: plain functions of a time, without widgets.
//
//     RunView ── ReplayRun ──► at(device, time): what runs · which microbatches are in flight · live memory
//                        └───► next(time), previous(time): the start or end of a task, to step by
//
// A microbatch is in flight on a device while the device holds activations of it: what the run's memory curve counts
// is exactly that. Without a plan, from the begin of its first forward to the end of its last backward there.
// At the moment at which one task ends and another begins, the one that begins runs and what was freed is gone.

#pragma once

#include "core/simulate/activation_intervals.h"
#include "viz/run/run_view.h"
#include "viz/timeline/rows.h"

#include <optional>
#include <vector>

namespace bubblescope::viz {

/// A microbatch of which a device holds something; chunks and slices of it count as one.
struct InFlight {
    Pipe pipe{};
    Microbatch microbatch{};
    Nanoseconds begin = 0; ///< of the earliest interval that covers the moment
    Nanoseconds end = 0;   ///< of the latest one

    friend bool operator==(const InFlight& a, const InFlight& b)
    {
        return a.pipe == b.pipe && a.microbatch == b.microbatch && a.begin == b.begin && a.end == b.end;
    }
};

/// Live memory of a device, in activations.
struct MemoryLevel {
    double live = 0;
    double mostSoFar = 0; ///< up to the moment
    double peak = 0;      ///< of the whole run
};

struct DeviceMoment {
    std::vector<Span> running; ///< on the compute lane: none is idle time, two are a joined unit
    std::vector<InFlight> inFlight;
    std::optional<MemoryLevel> memory; ///< empty where the run's plan is unknown
};

/// A run made ready for being asked about moments. Times asked for are those of the axis, `offset` later than the run's
/// own; what comes back inside a moment is in the run's own time.
class ReplayRun {
public:
    explicit ReplayRun(RunPtr run, Nanoseconds offset = 0);

    const RunPtr& run() const { return m_run; }

    Nanoseconds offset() const { return m_offset; }

    void setOffset(Nanoseconds offset) { m_offset = offset; }

    int devices() const { return static_cast<int>(m_devices.size()); }

    /// False for a run so large that its tasks aren't followed one by one.
    bool knowsInFlight() const { return m_run->columns == nullptr; }

    DeviceMoment at(int device, Nanoseconds time) const;

    /// The first start or end of a task on a compute lane after `time`, and the last one before it.
    std::optional<Nanoseconds> next(Nanoseconds time) const;
    std::optional<Nanoseconds> previous(Nanoseconds time) const;

    /// Most that any device may hold and most that any does, in activations; 0 when unknown.
    double memoryLimit() const;
    double memoryPeak() const;

private:
    struct DeviceIndex {
        std::vector<const TimelineRow*> rows;      ///< of the compute lane; further ones for what overlaps
        std::vector<ActivationInterval> intervals; ///< by begin
        Nanoseconds longest = 0;                   ///< interval: how far back one that covers a time may begin
        std::vector<std::int64_t> mostSoFar;       ///< beside the steps of the run's curve
    };

    void indexIntervals();
    void indexMemory();
    std::vector<InFlight> inFlightAt(const DeviceIndex& index, Nanoseconds time) const;

    RunPtr m_run;
    Nanoseconds m_offset = 0;
    std::shared_ptr<const std::vector<TimelineRow>> m_rows;
    std::vector<DeviceIndex> m_devices;
};

/// The next stop over several runs (`by` +1) or the one before (−1); nothing when there is none.
std::optional<Nanoseconds> nextStop(const std::vector<ReplayRun>& runs, Nanoseconds time, int by);

/// From the earliest begin to the latest end of the runs.
std::pair<Nanoseconds, Nanoseconds> replayRange(const std::vector<ReplayRun>& runs);

} // namespace bubblescope::viz
