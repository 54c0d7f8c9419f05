#include "core/execute/judgement.h"

#include "core/execute/measured_costs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bubblescope {
namespace {

/// How long after the modelled moment the tasks of a paced run ended: p50, p99 and the most.
nlohmann::json lateness(const Trace& trace)
{
    std::vector<Nanoseconds> late;
    for (const TraceLane& lane : trace.lanes)
        for (std::size_t i = 0; i < lane.spans.size() && i < lane.measurements.size(); ++i)
            late.push_back(lane.measurements[i].wallEnd - lane.spans[i].end);
    if (late.empty())
        return nullptr;
    std::sort(late.begin(), late.end());
    return {{"p50_ns", late[late.size() / 2]}, {"p99_ns", late[late.size() * 99 / 100]}, {"max_ns", late.back()}};
}

bool hasTransfers(const Costs& costs)
{
    return costs.everyHop.latency > 0 || costs.everyHop.bytesPerSecond > 0 || !costs.pairs.empty();
}

} // namespace

void judge(RunResult& result, const Recorder& recorder, Backend::Kind kind, ShownTime shown)
{
    result.trace = recorder.trace(ShownTime::Virtual);
    Trace wall = recorder.trace(ShownTime::Wall);
    result.virtualMakespan = result.trace.end() - result.trace.begin();
    // A late first task would make a paced run look shorter than it was.
    const Nanoseconds begin = kind == Backend::Kind::Paced ? result.trace.begin() : wall.begin();
    result.wallMakespan = wall.end() - begin;
    const Stretch stretch = stretchOf(wall);
    result.stretchMedian = stretch.median;
    result.stretchP90 = stretch.p90;
    result.label = runLabel(kind, result.workers, result.cores, stretch.median);
    if (result.label == RunLabel::Measured)
        result.trace = std::move(wall);
    else
        result.restated = shown == ShownTime::Wall;
}

void addWarnings(RunResult& result, Backend::Kind kind, const Costs& costs, bool slept)
{
    constexpr double mostLate = 0.01;
    constexpr double mostDrift = 0.05;
    const bool paced = kind == Backend::Kind::Paced;
    const double late = result.virtualMakespan > 0
                            ? static_cast<double>(result.wallMakespan) / static_cast<double>(result.virtualMakespan) - 1
                            : 0;
    if (paced && slept && late > mostLate)
        result.warnings.push_back(fmt::format("The run took {:.1f} % more wall time than the model says: the machine "
                                              "was too busy, or the tasks are too short.",
                                              100 * late));
    const double drift =
        result.calibrationBefore > 0 && result.calibrationAfter > 0
            ? static_cast<double>(result.calibrationAfter) / static_cast<double>(result.calibrationBefore) - 1
            : 0;
    if (std::abs(drift) > mostDrift)
        result.warnings.push_back(fmt::format("The machine changed its speed: a fixed calculation took {:.0f} % {} "
                                              "time after the run than before it.",
                                              100 * std::abs(drift), drift > 0 ? "more" : "less"));
    if (!paced && hasTransfers(costs))
        result.warnings.emplace_back("The cpu backend hands tensors over in memory: the transfers of the cost model "
                                     "were not executed.");
}

void addProvenance(RunResult& result, const Backend& backend, const RunOptions& options)
{
    nlohmann::json& about = result.provenance;
    about = backend.provenance.is_object() ? backend.provenance : nlohmann::json::object();
    about["backend"] = backendName(backend.kind);
    about["label"] = runLabelText(result.label);
    about["label_sentence"] = labelSentence(result.label, result.workers, result.cores);
    about["workers"] = result.workers;
    about["cores"] = result.cores;
    about["wall_makespan_ns"] = result.wallMakespan;
    about["virtual_makespan_ns"] = result.virtualMakespan;
    about["capacity"] = options.capacity;
    if (backend.kind == Backend::Kind::Paced) {
        about["lateness"] = lateness(result.trace);
        return;
    }
    about["wall_per_cpu_p50"] = result.stretchMedian;
    about["wall_per_cpu_p90"] = result.stretchP90;
    about["calibration_before_ns"] = result.calibrationBefore;
    about["calibration_after_ns"] = result.calibrationAfter;
}

} // namespace bubblescope
