// What a report holds, and its JSON. The text stands in report_text.cpp.

#include "core/analyze/report.h"

#include "core/analyze/bubble.h"
#include "core/schedule/lower.h"
#include "core/schedule/task_index.h"
#include "core/schedule/versions.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <set>

namespace bubblescope {

Nanoseconds RunReport::ideal() const
{
    return idle.devices.empty() ? 0 : idle.totalBusy() / static_cast<Nanoseconds>(idle.devices.size());
}

double RunReport::timePerMicrobatch() const
{
    const double count = static_cast<double>(steps) * microbatches;
    return count > 0 ? static_cast<double>(idle.makespan()) / count : 0;
}

double RunReport::mostActivations() const
{
    double most = 0;
    for (const DevicePeak& peak : peaks)
        most = std::max(most, peak.activations);
    return most;
}

std::optional<std::int64_t> RunReport::mostBytes() const
{
    std::optional<std::int64_t> most;
    for (const DevicePeak& peak : peaks)
        if (peak.bytes)
            most = std::max(most.value_or(0), *peak.bytes);
    return most;
}

namespace {

/// Distance of the task that ends the last step from the same task one step before.
std::optional<Nanoseconds> periodOf(const Schedule& schedule, const Timing& timing)
{
    if (schedule.shape.steps < 2)
        return std::nullopt;
    TaskId last = noTask;
    const auto perStep = [&](const Task& task) { return schedule.shape.microbatches[task.pipe]; };
    for (TaskId id{}; id < schedule.tasks.size(); ++id) {
        const Task& task = schedule.tasks[id];
        if (onGrid(task.work) && task.microbatch / std::max(1, perStep(task)) == schedule.shape.steps - 1 &&
            (last == noTask || timing.end[id] > timing.end[last]))
            last = id;
    }
    if (last == noTask)
        return std::nullopt;
    Task before = schedule.tasks[last];
    before.microbatch = Microbatch(before.microbatch - perStep(before));
    const TaskId same = TaskIndex(schedule).find(before);
    return same == noTask ? std::nullopt : std::optional(timing.end[last] - timing.end[same]);
}

/// By virtual stage, the most over its homes and pipes.
std::vector<int> liveVersions(const Schedule& schedule)
{
    if (schedule.semantics.updateEvery == 0)
        return {};
    std::vector<int> live(static_cast<std::size_t>(schedule.shape.allStages()), 1);
    for (const StageVersions& stage : weightVersions(schedule, TaskIndex(schedule)))
        live[stage.stage] = std::max(live[stage.stage], stage.live);
    return live;
}

std::vector<LaneOrder> ordersOf(const Schedule& schedule, const Timing& timing, OrderText which)
{
    std::vector<LaneOrder> orders;
    if (which == OrderText::Compute) {
        for (int device = 0; device < schedule.shape.devices; ++device) {
            const LaneId lane = schedule.computeLane(Device(device));
            const bool computes = lane < schedule.lanes.size();
            orders.push_back({Device(device), LaneKind::Compute, 0,
                              computes ? laneTexts(schedule, lane, false) : std::vector<std::string>{}});
        }
    } else if (which == OrderText::All) {
        const Lowered lowered = lower(schedule, timing.start, timing.end);
        for (LaneId lane{}; lane < lowered.schedule.lanes.size(); ++lane) {
            const Lane& place = lowered.schedule.lanes[lane];
            orders.push_back({place.device, place.kind, place.index, laneTexts(lowered.schedule, lane, true)});
        }
    }
    return orders;
}

std::vector<DevicePeak> peaksOf(const Plan& plan, const Timing& timing, const MemoryRules* memory)
{
    std::vector<DevicePeak> peaks;
    for (const ActivationCurve& curve : activationCurves(plan.schedule, timing, plan.deltas, false)) {
        DevicePeak peak;
        peak.activations = curve.peakActivations();
        peak.at = curve.peakAt;
        peaks.push_back(peak);
    }
    if (memory == nullptr)
        return peaks;
    const std::vector<MemoryCurve> curves = memoryCurves(plan.schedule, timing, *memory, false);
    for (std::size_t device = 0; device < peaks.size(); ++device) {
        peaks[device].bytes = curves[device].peak;
        peaks[device].bytesByClass = curves[device].atPeak;
        peaks[device].at = curves[device].peakAt;
    }
    return peaks;
}

} // namespace

RunReport reportOf(const Plan& plan, const Timing& timing, const ReportOptions& options)
{
    const Schedule& schedule = plan.schedule;
    const Costs& costs = options.costs != nullptr ? *options.costs : plan.costs;
    RunReport report;
    report.schedule = plan.spec.id;
    report.parameters = plan.spec.parameters;
    report.title = plan.info != nullptr ? plan.spec.text() : plan.spec.id;
    report.label = options.label;
    report.stages = plan.info != nullptr ? plan.request.devices : schedule.shape.devices;
    report.virtualStages = schedule.shape.stages;
    report.pipes = schedule.shape.pipes;
    report.chunks = schedule.shape.chunks;
    report.microbatches = schedule.shape.microbatchesPerStep();
    report.steps = schedule.shape.steps;
    report.commModel = costs.model;
    report.idle =
        options.measured ? explainMeasuredIdle(schedule, costs, timing) : explainIdle(schedule, costs, timing);
    report.peaks = peaksOf(plan, timing, options.memory);
    report.theory = plan.theory;
    report.period = periodOf(schedule, timing);
    report.weightVersions = liveVersions(schedule);
    report.order = ordersOf(schedule, timing, options.order);
    report.orderText = options.order;
    report.warnings = plan.warnings;
    return report;
}

nlohmann::json causesJson(const CauseTimes& causes)
{
    nlohmann::json json = nlohmann::json::object();
    for (std::size_t i = 0; i < causes.size(); ++i)
        json[idleCauseName(static_cast<IdleCause>(i))] = causes[i];
    return json;
}

namespace {

nlohmann::json devicesJson(const RunReport& report)
{
    nlohmann::json devices = nlohmann::json::array();
    for (std::size_t i = 0; i < report.idle.devices.size(); ++i) {
        const DeviceIdle& device = report.idle.devices[i];
        nlohmann::json json = {
            {"device", i},
            {"busy_ns", device.busy},
            {"idle_ns", device.idle},
            {"first_start_ns", device.firstStart},
            {"last_end_ns", device.lastEnd},
            {"idle_by_cause_ns", causesJson(device.cause)},
            {"peak_memory_bytes", nullptr},
            {"peak_activations", nullptr},
            {"peak_at_ns", nullptr},
        };
        if (i < report.peaks.size()) {
            const DevicePeak& peak = report.peaks[i];
            if (peak.bytes)
                json["peak_memory_bytes"] = *peak.bytes;
            json["peak_activations"] = peak.activations;
            json["peak_at_ns"] = peak.at;
        }
        devices.push_back(std::move(json));
    }
    return devices;
}

nlohmann::json theoryJson(const Theory& theory)
{
    return {{"bubble_ns", theory.bubble},
            {"measure", theory.measure},
            {"peak_activations", theory.peakActivations},
            {"source", theory.source}};
}

void addOrder(const RunReport& report, nlohmann::json& json)
{
    if (report.orderText == OrderText::None)
        return;
    nlohmann::json order = nlohmann::json::array();
    nlohmann::json lanes = nlohmann::json::array();
    for (const LaneOrder& lane : report.order) {
        order.push_back(lane.tasks);
        lanes.push_back({{"device", lane.device.value}, {"lane", laneKindName(lane.kind)}, {"index", lane.index}});
    }
    json["order"] = std::move(order);
    if (report.orderText == OrderText::All)
        json["order_lanes"] = std::move(lanes);
}

} // namespace

nlohmann::json toJson(const RunReport& report)
{
    nlohmann::json json = {
        {"schedule", report.schedule},
        {"title", report.title},
        {"parameters", report.parameters},
        {"label", runLabelText(report.label)},
        {"stages", report.stages},
        {"virtual_stages", report.virtualStages},
        {"pipes", report.pipes},
        {"chunks", report.chunks},
        {"comm_model", commModelName(report.commModel)},
        {"microbatches", report.microbatches},
        {"steps", report.steps},
        {"makespan_ns", report.idle.makespan()},
        {"bubble_rate", report.idle.bubbleRate()},
        {"ideal_ns", report.ideal()},
        {"devices", devicesJson(report)},
        {"theory", report.theory ? theoryJson(*report.theory) : nlohmann::json()},
        {"weight_versions", report.weightVersions.empty() ? nlohmann::json() : nlohmann::json(report.weightVersions)},
    };
    for (const BubbleMeasure& measure : bubbleMeasures(report.idle))
        json["bubble_definitions"][measure.id] = measure.value;
    if (report.period)
        json["period_ns"] = *report.period;
    addOrder(report, json);
    return json;
}

nlohmann::json toJson(const std::vector<RunReport>& reports)
{
    nlohmann::json runs = nlohmann::json::array();
    nlohmann::json warnings = nlohmann::json::array();
    std::set<std::string> said;
    for (const RunReport& report : reports) {
        runs.push_back(toJson(report));
        for (const std::string& sentence : report.warnings)
            if (said.insert(sentence).second)
                warnings.push_back(sentence);
    }
    return {{"runs", std::move(runs)}, {"warnings", std::move(warnings)}};
}

nlohmann::json toJson(const RunReport& predicted, const RunReport& measured)
{
    nlohmann::json json = toJson(predicted);
    json["measured"] = toJson(measured);
    return json;
}

} // namespace bubblescope
