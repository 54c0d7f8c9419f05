// Plain statistics of spans and steps: unions, exposed communication, medians, outliers, balance.

#pragma once

#include "core/schedule/schedule.h"
#include "core/simulate/costs.h"
#include "core/simulate/simulate.h"

#include <utility>
#include <vector>

namespace bubblescope {

struct Interval {
    Nanoseconds start = 0;
    Nanoseconds end = 0;
};

/// Sorted and disjoint; touching intervals become one, empty ones vanish.
std::vector<Interval> unite(std::vector<Interval> intervals);

/// Time that at least one of them covers.
Nanoseconds unionLength(std::vector<Interval> intervals);

/// A window divided into parts that add up to it exactly once.
struct Exposure {
    Nanoseconds compute = 0;       ///< union
    Nanoseconds communication = 0; ///< union
    Nanoseconds overlapped = 0;    ///< communication while computing
    Nanoseconds exposed = 0;       ///< communication while not computing
    Nanoseconds idle = 0;          ///< neither; compute + exposed + idle = window
};

Exposure exposure(std::vector<Interval> compute, std::vector<Interval> communication, Interval window);

/// Median of an even number: the mean of the middle two, rounded down. 0 for none.
Nanoseconds median(std::vector<Nanoseconds> values);

/// The steps of a run. The median is what a report shows: the first steps carry start-up costs.
struct StepStatistics {
    Nanoseconds median = 0;
    Nanoseconds mean = 0;
    Nanoseconds meanWithoutOutliers = 0;
    std::vector<int> outliers; ///< longer than 1.5 × the median
};

StepStatistics stepStatistics(const std::vector<Nanoseconds>& steps);

/// What the slowest stage leaves of a pipeline's speed-up, in the steady state.
struct Balance {
    Nanoseconds cycle = 0; ///< the slowest stage
    std::size_t slowest = 0;
    double balance = 1;      ///< mean ÷ slowest
    double speedUp = 1;      ///< over one device
    double idealSpeedUp = 1; ///< with equal stages
};

Balance balanceOf(const std::vector<Nanoseconds>& stageTimes);

/// Durations of one kind of task on one stage.
struct WorkMedian {
    Work work = Work::Forward;
    Stage stage{};
    Nanoseconds median = 0;
    std::size_t count = 0;
};

/// By work, then stage. A joined unit's tasks are left out: they share one interval.
std::vector<WorkMedian> medianDurations(const Schedule& schedule, const Timing& timing);

/// Predicted beside measured, for one kind of task.
struct KindComparison {
    Work work = Work::Forward;
    std::size_t count = 0;
    Nanoseconds predicted = 0; ///< mean over the tasks
    Nanoseconds measured = 0;  ///< mean over the tasks
    Nanoseconds measuredMedian = 0;

    double ratio() const; ///< measured ÷ predicted; 0 when nothing was predicted
};

std::vector<KindComparison> comparePerKind(const Schedule& schedule, const Costs& predicted,
                                           const std::vector<Nanoseconds>& measuredDuration);

/// Least-squares slope of y over x: bytes per microbatch from measured peaks. 0 for fewer than two points.
double slope(const std::vector<std::pair<double, double>>& points);

} // namespace bubblescope
