// The clocks of a run, and what this process may use of the machine.

#pragma once

#include "core/schedule/task.h"

#include <memory>
#include <string>

namespace bubblescope {

/// The only place that reads time. A seam: tests bring their own.
class TimeSource {
public:
    virtual ~TimeSource() = default;

    /// Monotonic. Sleeping counts in it when `sleeps`: then it has to be std::chrono::steady_clock.
    virtual Nanoseconds wall() = 0;

    /// CPU time of the calling thread. A real system call, 1.6 µs: read twice per task, not more.
    virtual Nanoseconds threadCpu() = 0;

    /// False: paced tasks take no wall time at all, only virtual time.
    virtual bool sleeps() const { return true; }
};

class SystemTime final : public TimeSource {
public:
    Nanoseconds wall() override;
    Nanoseconds threadCpu() override;
};

/// Names the calling thread and sets its timer slack to 1 ns (each thread has its own; 50 µs otherwise).
void prepareWorkerThread(const std::string& name);

/// Cores that this process may use at once: its affinity, bounded by the CPU quota of its cgroup.
int usableCores();

/// Time of a fixed product of two matrices (the best of a few, about a millisecond each): when it has
/// changed from the begin to the end of a run, so has the machine.
Nanoseconds calibrationProduct(TimeSource& time);

} // namespace bubblescope
