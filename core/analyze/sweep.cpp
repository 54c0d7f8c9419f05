#include "core/analyze/sweep.h"

#include "core/base/error.h"
#include "core/simulate/simulate.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace bubblescope {
namespace {

int whole(double value)
{
    return static_cast<int>(std::lround(value));
}

/// What is given per stage is given for those stages alone.
void forgetStages(Experiment& experiment)
{
    experiment.partition.clear();
    experiment.stageCosts.clear();
    experiment.stageSpeed.clear();
}

int chunksOf(const Experiment& experiment)
{
    if (experiment.chunks > 0 || experiment.schedules.empty())
        return std::max(1, experiment.chunks);
    return recipe(experiment.schedules.front().id).defaultChunks;
}

std::vector<SweepParameter> makeParameters()
{
    using E = Experiment;
    return {
        {"microbatches", "Microbatches", "", true, 1, 4096, [](const E& e) { return double(e.microbatches); },
         [](E& e, double value) { e.microbatches = whole(value); }},
        {"stages", "Devices", "", true, 1, 512, [](const E& e) { return double(e.stages); },
         [](E& e, double value) {
             if (e.stages != whole(value))
                 forgetStages(e);
             e.stages = whole(value);
         }},
        {"chunks", "Chunks of a device", "", true, 1, 16, [](const E& e) { return double(chunksOf(e)); },
         [](E& e, double value) {
             if (chunksOf(e) != whole(value))
                 forgetStages(e);
             e.chunks = whole(value);
         }},
        {"comm", "Latency of a hop", "ms", false, 0, 1e6, [](const E& e) { return e.comm; },
         [](E& e, double value) { e.comm = value; }},
        {"bandwidth", "Bandwidth of a link", "GB/s", false, 0, 1e6, [](const E& e) { return e.bandwidth / 1e9; },
         [](E& e, double value) { e.bandwidth = value * 1e9; }},
        {"embedding", "Cost of the embedding", "layers", false, 0, 1000,
         [](const E& e) { return e.model.embeddingCost; }, [](E& e, double value) { e.model.embeddingCost = value; }},
        {"head", "Cost of the head", "layers", false, 0, 1000, [](const E& e) { return e.model.headCost; },
         [](E& e, double value) { e.model.headCost = value; }},
        {"layers", "Layers of the model", "", true, 1, 10000, [](const E& e) { return double(e.model.layers); },
         [](E& e, double value) {
             if (e.model.layers != whole(value)) {
                 e.partition.clear();
                 e.model.layerCosts.clear();
             }
             e.model.layers = whole(value);
         }},
        {"hidden", "Hidden size", "", true, 1, 100000, [](const E& e) { return double(e.model.hidden); },
         [](E& e, double value) { e.model.hidden = whole(value); }},
        {"sequence", "Sequence length", "tokens", true, 1, 1e7, [](const E& e) { return double(e.model.sequence); },
         [](E& e, double value) { e.model.sequence = whole(value); }},
        {"batch", "Sequences of a microbatch", "", true, 1, 10000, [](const E& e) { return double(e.model.batch); },
         [](E& e, double value) { e.model.batch = whole(value); }},
        {"memory-limit", "Memory limit", "activations", false, 0, 1e6, [](const E& e) { return e.memoryLimit; },
         [](E& e, double value) { e.memoryLimit = value; }},
    };
}

/// Time at work of all compute lanes; a joined unit counts once.
Nanoseconds busyOf(const Schedule& schedule, const Timing& timing)
{
    Nanoseconds busy = 0;
    for (int device = 0; device < schedule.shape.devices; ++device) {
        const LaneId id = schedule.computeLane(Device(device));
        if (id >= schedule.lanes.size())
            continue;
        const Lane& lane = schedule.lanes[id];
        for (TaskId first = lane.begin; first < lane.end; first = schedule.unitEnd(first))
            busy += timing.end[first] - timing.start[first];
    }
    return busy;
}

SweepPoint pointOf(const Experiment& experiment, double value, SweepLine& line)
{
    SweepPoint point;
    point.value = value;
    try {
        const Plan made = plan(experiment, experiment.schedules.front());
        const Timing timing = simulate(made.schedule, made.costs);
        const double devices = made.schedule.shape.devices;
        const auto busy = static_cast<double>(busyOf(made.schedule, timing));
        point.makespan = timing.makespan();
        if (point.makespan > 0) {
            point.bubbleRate = 1 - busy / (devices * static_cast<double>(point.makespan));
            point.throughput = static_cast<double>(made.schedule.shape.microbatchesPerStep()) *
                               made.schedule.shape.steps * 1e9 / static_cast<double>(point.makespan);
        }
        for (const ActivationCurve& curve : activationCurves(made.schedule, timing, made.deltas, false))
            point.peakActivations = std::max(point.peakActivations, curve.peakActivations());
        if (made.theory && busy > 0) {
            const auto bubble = static_cast<double>(made.theory->bubble);
            point.closedForm = bubble / (bubble + busy / devices);
            line.closedFormSource = made.theory->source;
            line.closedFormMeasure = made.theory->measure;
        }
    } catch (const Error& error) {
        point.problem = error.what();
    }
    return point;
}

} // namespace

const std::vector<SweepParameter>& sweepParameters()
{
    static const std::vector<SweepParameter> all = makeParameters();
    return all;
}

const SweepParameter& sweepParameter(const std::string& id)
{
    std::string known;
    for (const SweepParameter& parameter : sweepParameters()) {
        if (parameter.id == id)
            return parameter;
        known += (known.empty() ? "" : ", ") + std::string(parameter.id);
    }
    throw Error("'{}' can't be swept; {} can.", id, known);
}

std::vector<double> sweepValues(const SweepParameter& parameter, double from, double to, int points)
{
    from = std::clamp(from, parameter.minimum, parameter.maximum);
    to = std::clamp(to, parameter.minimum, parameter.maximum);
    std::vector<double> values;
    for (int i = 0; i < points; ++i) {
        double value = points == 1 ? from : from + (to - from) * i / (points - 1);
        if (parameter.whole)
            value = std::round(value);
        if (values.empty() || value != values.back())
            values.push_back(value);
    }
    return values;
}

std::vector<SweepLine> sweep(const std::vector<Experiment>& experiments, const SweepParameter& parameter,
                             const std::vector<double>& values, const Progress& progress)
{
    std::vector<SweepLine> lines;
    const double all = static_cast<double>(experiments.size() * values.size());
    for (const Experiment& experiment : experiments) {
        SweepLine& line = lines.emplace_back();
        line.experiment = experiment;
        for (std::size_t i = 0; i < values.size(); ++i) {
            progress.check();
            const double done = static_cast<double>((lines.size() - 1) * values.size() + i);
            progress.report(done / all,
                            fmt::format("{}: {} {}", experiment.schedules.front().id, parameter.title, values[i]));
            Experiment changed = experiment;
            parameter.set(changed, values[i]);
            line.points.push_back(pointOf(changed, values[i], line));
        }
    }
    return lines;
}

} // namespace bubblescope
