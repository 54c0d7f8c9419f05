#include "core/execute/measured_costs.h"

#include "core/base/error.h"
#include "core/schedule/ordinals.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace bubblescope {
namespace {

Nanoseconds median(std::vector<Nanoseconds>& values)
{
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

double quantile(std::vector<double>& values, double q)
{
    if (values.empty())
        return 0;
    const auto at = values.begin() + static_cast<std::ptrdiff_t>(q * static_cast<double>(values.size() - 1));
    std::nth_element(values.begin(), at, values.end());
    return *at;
}

/// Calls f(first, end) for each run of spans that were one unit: they share their interval.
template <class Visitor>
void forEachUnit(const TraceLane& lane, Visitor&& visit)
{
    for (std::size_t first = 0; first < lane.spans.size();) {
        std::size_t end = first + 1;
        while (end < lane.spans.size() && lane.spans[end - 1].task.joined())
            ++end;
        visit(first, end);
        first = end;
    }
}

/// The share of the unit's time that span `i` of it had.
double share(const TraceLane& lane, std::size_t first, std::size_t end, std::size_t i)
{
    Nanoseconds total = 0;
    for (std::size_t k = first; k < end && !lane.measurements.empty(); ++k)
        total += lane.measurements[k].cpu;
    if (total <= 0)
        return 1.0 / static_cast<double>(end - first);
    return static_cast<double>(lane.measurements[i].cpu) / static_cast<double>(total);
}

/// What was measured, by what costs are told apart by.
struct Durations {
    using Key = std::pair<Work, Stage>;

    std::map<Key, std::vector<Nanoseconds>> whole;
    std::map<Key, std::pair<double, double>> sliced; ///< sum of times, and of parts of a microbatch
    std::vector<Nanoseconds> pairs;

    /// `share` is the part of the interval that was this span's.
    void add(const Span& span, double share, const SliceShares& slices)
    {
        const Key key(span.task.work, span.task.stage);
        if (slices.empty() || !onGrid(span.task.work)) {
            whole[key].push_back(static_cast<Nanoseconds>(static_cast<double>(span.duration()) * share));
            return;
        }
        sliced[key].first += static_cast<double>(span.duration());
        sliced[key].second += slices.share(span.task);
    }
};

} // namespace

Costs costsFromTrace(const Trace& trace, const Schedule& schedule, const Costs& base)
{
    Durations durations;
    for (const TraceLane& lane : trace.lanes)
        forEachUnit(lane, [&](std::size_t first, std::size_t end) {
            if (end - first > 1)
                durations.pairs.push_back(lane.spans[first].duration());
            for (std::size_t i = first; i < end; ++i)
                if (lane.spans[i].name == 0 && lane.spans[i].task.stage < schedule.shape.allStages())
                    durations.add(lane.spans[i], end - first == 1 ? 1 : share(lane, first, end, i), base.slices);
        });
    Costs costs = base;
    costs.perTask.clear();
    for (auto& [key, values] : durations.whole)
        costs.set(key.first, key.second, median(values));
    for (const auto& [key, sums] : durations.sliced)
        costs.set(key.first, key.second, std::llround(sums.first / sums.second));
    if (!durations.pairs.empty())
        costs.pair = median(durations.pairs);
    return costs;
}

Timing replayTiming(const Trace& trace, const Schedule& schedule, int step)
{
    const Ordinals ordinals(schedule);
    std::map<Task, Nanoseconds> cpu; // of the chosen step, by the schedule's task
    for (const TraceLane& lane : trace.lanes) {
        if (lane.measurements.size() != lane.spans.size())
            throw Error("the trace holds no CPU times to replay: it wasn't executed");
        for (std::size_t i = 0; i < lane.spans.size(); ++i) {
            Task task = lane.spans[i].task;
            const int count = ordinals.perStep(task) * schedule.shape.steps;
            if (task.microbatch / count != step)
                continue;
            task.microbatch = Microbatch(task.microbatch % count);
            cpu[task] = task.work == Work::Barrier ? 0 : lane.measurements[i].cpu;
        }
    }
    Costs costs(schedule.shape.allStages());
    costs.perTask.assign(schedule.tasks.size(), 0);
    for (std::size_t id = 0; id < schedule.tasks.size(); ++id) {
        const auto found = cpu.find(schedule.tasks[id]);
        if (found == cpu.end())
            throw Error("the trace has no span of {} in step {}", toText(schedule.tasks[id]), step);
        costs.perTask[id] = found->second;
    }
    return simulate(schedule, costs);
}

Stretch stretchOf(const Trace& trace)
{
    std::vector<double> ratios;
    for (const TraceLane& lane : trace.lanes) {
        if (lane.measurements.size() != lane.spans.size())
            continue;
        forEachUnit(lane, [&](std::size_t first, std::size_t end) {
            Nanoseconds cpu = 0;
            for (std::size_t i = first; i < end; ++i)
                cpu += onGrid(lane.spans[i].task.work) ? lane.measurements[i].cpu : 0;
            if (cpu > 0)
                ratios.push_back(
                    static_cast<double>(lane.measurements[first].wallEnd - lane.measurements[first].wallStart) /
                    static_cast<double>(cpu));
        });
    }
    Stretch stretch;
    stretch.median = quantile(ratios, 0.5);
    stretch.p90 = quantile(ratios, 0.9);
    return stretch;
}

RunLabel runLabel(Backend::Kind kind, int workers, int cores, double medianStretch)
{
    constexpr double mostStretch = 1.1;
    if (kind == Backend::Kind::Paced)
        return RunLabel::Emulated;
    return workers <= cores && medianStretch <= mostStretch ? RunLabel::Measured : RunLabel::Replayed;
}

std::string labelSentence(RunLabel label, int workers, int cores)
{
    switch (label) {
    case RunLabel::Emulated:
        return "Durations are the model's; order, messages and waiting were executed.";
    case RunLabel::Measured:
        return fmt::format("{} workers had {} cores; times are wall times.", workers, cores);
    default:
        return workers > cores
                   ? fmt::format("{} workers shared {} cores; wall time shows the sharing.", workers, cores)
                   : fmt::format("{} workers had {} cores, but other programs used them too; wall time shows it.",
                                 workers, cores);
    }
}

} // namespace bubblescope
