// How long things of one name take: kernels of a recording, or the works of a schedule, and their histogram.

#pragma once

#include "core/trace/lane_columns.h"
#include "core/trace/trace.h"

#include <string>
#include <vector>

namespace bubblescope {

struct DurationGroup {
    std::string name;                   ///< of the kernel, or of the work: "forward"
    std::vector<Nanoseconds> durations; ///< ascending
    Nanoseconds total = 0;

    /// The one that `share` of all don't exceed: 0.5 is the median. 0 for none.
    Nanoseconds quantile(double share) const;
};

/// The one that takes most time altogether first. Spans without length are left out.
std::vector<DurationGroup> durationsByName(const Trace& trace);
std::vector<DurationGroup> durationsByName(const TraceColumns& columns);

/// A place where such a duration occurs.
struct DurationPlace {
    Device device{};
    LaneKind lane = LaneKind::Compute;
    Nanoseconds start = 0;
    Nanoseconds end = 0;
};

/// Spans of a name that last at least `least` and less than `most`, at most `limit` of them, by lane and time.
std::vector<DurationPlace> placesOf(const Trace& trace, const std::string& name, Nanoseconds least, Nanoseconds most,
                                    std::size_t limit);
std::vector<DurationPlace> placesOf(const TraceColumns& columns, const std::string& name, Nanoseconds least,
                                    Nanoseconds most, std::size_t limit);

struct Histogram {
    bool logarithmic = false;
    std::vector<double> edges; ///< one more than counts; nanoseconds
    std::vector<std::size_t> counts;
};

/// `ascending` as in DurationGroup. The widths of the bins are equal, or their ratios where the values span decades.
Histogram histogramOf(const std::vector<Nanoseconds>& ascending, int bins);

} // namespace bubblescope
