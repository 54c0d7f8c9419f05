// Sorting and sums; every division rounds down except where a double is returned.

#include "core/analyze/statistics.h"

#include <algorithm>
#include <map>
#include <numeric>

namespace bubblescope {

std::vector<Interval> unite(std::vector<Interval> intervals)
{
    std::sort(intervals.begin(), intervals.end(),
              [](const Interval& a, const Interval& b) { return a.start < b.start; });
    std::vector<Interval> united;
    for (const Interval& interval : intervals) {
        if (interval.end <= interval.start)
            continue;
        if (united.empty() || interval.start > united.back().end)
            united.push_back(interval);
        else
            united.back().end = std::max(united.back().end, interval.end);
    }
    return united;
}

namespace {

Nanoseconds length(const std::vector<Interval>& disjoint)
{
    return std::accumulate(disjoint.begin(), disjoint.end(), Nanoseconds{0},
                           [](Nanoseconds sum, const Interval& one) { return sum + (one.end - one.start); });
}

std::vector<Interval> clipped(std::vector<Interval> intervals, Interval window)
{
    for (Interval& one : intervals)
        one = {std::max(one.start, window.start), std::min(one.end, window.end)};
    return unite(std::move(intervals));
}

} // namespace

Nanoseconds unionLength(std::vector<Interval> intervals)
{
    return length(unite(std::move(intervals)));
}

Exposure exposure(std::vector<Interval> compute, std::vector<Interval> communication, Interval window)
{
    compute = clipped(std::move(compute), window);
    communication = clipped(std::move(communication), window);
    Exposure parts;
    parts.compute = length(compute);
    parts.communication = length(communication);
    std::vector<Interval> both = compute;
    both.insert(both.end(), communication.begin(), communication.end());
    const Nanoseconds covered = unionLength(std::move(both));
    parts.overlapped = parts.compute + parts.communication - covered;
    parts.exposed = covered - parts.compute;
    parts.idle = std::max<Nanoseconds>(0, window.end - window.start) - covered;
    return parts;
}

Nanoseconds median(std::vector<Nanoseconds> values)
{
    if (values.empty())
        return 0;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1)
        return *middle;
    const Nanoseconds below = *std::max_element(values.begin(), middle);
    return below + (*middle - below) / 2;
}

namespace {

Nanoseconds mean(const std::vector<Nanoseconds>& values)
{
    if (values.empty())
        return 0;
    return std::accumulate(values.begin(), values.end(), Nanoseconds{0}) / static_cast<Nanoseconds>(values.size());
}

} // namespace

StepStatistics stepStatistics(const std::vector<Nanoseconds>& steps)
{
    StepStatistics statistics;
    statistics.median = median(steps);
    statistics.mean = mean(steps);
    std::vector<Nanoseconds> ordinary;
    for (std::size_t step = 0; step < steps.size(); ++step) {
        if (2 * steps[step] > 3 * statistics.median)
            statistics.outliers.push_back(static_cast<int>(step));
        else
            ordinary.push_back(steps[step]);
    }
    statistics.meanWithoutOutliers = mean(ordinary);
    return statistics;
}

Balance balanceOf(const std::vector<Nanoseconds>& stageTimes)
{
    Balance balance;
    if (stageTimes.empty())
        return balance;
    const auto slowest = std::max_element(stageTimes.begin(), stageTimes.end());
    const auto sum = static_cast<double>(std::accumulate(stageTimes.begin(), stageTimes.end(), Nanoseconds{0}));
    const auto stages = static_cast<double>(stageTimes.size());
    balance.cycle = *slowest;
    balance.slowest = static_cast<std::size_t>(slowest - stageTimes.begin());
    balance.idealSpeedUp = stages;
    if (*slowest > 0) {
        balance.speedUp = sum / static_cast<double>(*slowest);
        balance.balance = balance.speedUp / stages;
    }
    return balance;
}

std::vector<WorkMedian> medianDurations(const Schedule& schedule, const Timing& timing)
{
    std::map<std::pair<Work, std::uint16_t>, std::vector<Nanoseconds>> durations;
    for (TaskId id{}; id < schedule.tasks.size(); ++id) {
        const bool second = id > 0 && schedule.tasks[id - 1].joined();
        if (!schedule.tasks[id].joined() && !second)
            durations[{schedule.tasks[id].work, schedule.tasks[id].stage.value}].push_back(timing.end[id] -
                                                                                           timing.start[id]);
    }
    std::vector<WorkMedian> medians;
    medians.reserve(durations.size());
    for (auto& [key, all] : durations) {
        const std::size_t count = all.size();
        medians.push_back({key.first, Stage(key.second), median(std::move(all)), count});
    }
    return medians;
}

double KindComparison::ratio() const
{
    return predicted > 0 ? static_cast<double>(measured) / static_cast<double>(predicted) : 0;
}

std::vector<KindComparison> comparePerKind(const Schedule& schedule, const Costs& predicted,
                                           const std::vector<Nanoseconds>& measuredDuration)
{
    std::map<Work, std::pair<std::vector<Nanoseconds>, std::vector<Nanoseconds>>> durations;
    for (TaskId id{}; id < schedule.tasks.size(); ++id) {
        auto& [given, measured] = durations[schedule.tasks[id].work];
        given.push_back(predicted.duration(id, schedule.tasks[id]));
        measured.push_back(measuredDuration[id]);
    }
    std::vector<KindComparison> kinds;
    kinds.reserve(durations.size());
    for (const auto& [work, both] : durations)
        kinds.push_back({work, both.first.size(), mean(both.first), mean(both.second), median(both.second)});
    return kinds;
}

double slope(const std::vector<std::pair<double, double>>& points)
{
    if (points.size() < 2)
        return 0;
    const auto count = static_cast<double>(points.size());
    double meanX = 0;
    double meanY = 0;
    for (const auto& [x, y] : points) {
        meanX += x / count;
        meanY += y / count;
    }
    double covariance = 0;
    double variance = 0;
    for (const auto& [x, y] : points) {
        covariance += (x - meanX) * (y - meanY);
        variance += (x - meanX) * (x - meanX);
    }
    return variance > 0 ? covariance / variance : 0;
}

} // namespace bubblescope
