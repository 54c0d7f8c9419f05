#include "viz/run/run_view.h"

#include "core/base/error.h"

#include <QCoreApplication>

#include <algorithm>

namespace bubblescope::viz {
namespace {

QString tr(const char* source)
{
    return QCoreApplication::translate("RunView", source);
}

} // namespace

double RunView::peakActivations() const
{
    double most = 0;
    for (const ActivationCurve& curve : memory)
        most = std::max(most, curve.peakActivations());
    return most;
}

RunPtr predict(const Experiment& experiment, const RecipeSpec& spec, int number)
{
    return completed(quickView(experiment, Predictor().predict(experiment, spec), number), Progress());
}

RunPtr quickView(const Experiment& experiment, Predicted predicted, int number)
{
    auto run = std::make_shared<RunView>();
    const Plan& plan = *predicted.plan;
    run->number = number;
    run->experiment = experiment;
    run->title = plan.info ? QString::fromUtf8(plan.info->title.data(), static_cast<int>(plan.info->title.size()))
                           : QString::fromStdString(customName(plan.spec.id).value_or(plan.spec.id));
    run->timing = std::move(predicted.timing);
    run->plan = std::move(predicted.plan);
    run->problems = std::move(predicted.problems);
    run->pending = run->problems.empty();
    if (run->pending) {
        run->trace = traceOf(plan.schedule, run->timing);
        run->memory = activationCurves(plan.schedule, run->timing, plan.deltas, false);
    } else {
        // Which weights a task reads can't be said of an order that can't complete.
        Schedule order = plan.schedule;
        order.semantics = {};
        run->trace = traceOf(order, run->timing);
        run->note = tr("This order has problems, so its times are a sketch. ");
    }
    run->idle = gapsOf(run->trace);
    for (const std::string& warning : plan.warnings)
        run->note += QString::fromStdString(warning) + QLatin1Char(' ');
    return run;
}

RunPtr completed(const RunPtr& quick, const Progress& progress)
{
    if (!quick || !quick->pending)
        return quick;
    auto run = std::make_shared<RunView>(*quick);
    const Plan& plan = *run->plan;
    progress.check();
    run->idle = explainIdle(plan.schedule, plan.costs, run->timing);
    progress.check();
    run->memory = activationCurves(plan.schedule, run->timing, plan.deltas, true);
    progress.check();
    run->slack = slack(plan.schedule, plan.costs, run->timing);
    progress.check();
    run->pending = false;
    return run;
}

Costs costsOfRun(const RunView& run)
{
    Costs costs = run.plan->costs;
    if (run.label == RunLabel::Predicted) {
        // A prediction may have had costs that its experiment doesn't say (taken from the machine it ran on).
        const std::vector<Task>& tasks = run.plan->schedule.tasks;
        for (std::size_t task = 0; task < tasks.size(); ++task)
            if (onGrid(tasks[task].work) && !tasks[task].joined())
                costs.set(tasks[task].work, tasks[task].stage, run.timing.end[task] - run.timing.start[task]);
        return costs;
    }
    costs.perTask.resize(run.timing.start.size());
    for (std::size_t task = 0; task < costs.perTask.size(); ++task)
        costs.perTask[task] = run.timing.end[task] - run.timing.start[task];
    return costs;
}

/// Keeps what lies in the window of the timing and counts times from its begin.
void cutToStep(Trace& trace, Timing& timing)
{
    const Nanoseconds begin = timing.begin;
    const Nanoseconds finish = timing.finish;
    for (TraceLane& lane : trace.lanes) {
        std::vector<Span> kept;
        for (Span span : lane.spans) {
            if (span.start < begin || span.end > finish)
                continue;
            span.start -= begin;
            span.end -= begin;
            kept.push_back(span);
        }
        lane.spans = std::move(kept);
        lane.measurements.clear();
    }
    for (std::size_t task = 0; task < timing.start.size(); ++task) {
        timing.start[task] -= begin;
        timing.end[task] -= begin;
    }
    for (Transfer& transfer : timing.transfers) {
        transfer.start -= begin;
        transfer.end -= begin;
        transfer.arrival -= begin;
    }
    std::vector<Link> links;
    for (Link link : trace.links) {
        if (link.sent < begin || link.sent > finish)
            continue;
        link.sent -= begin;
        link.arrived -= begin;
        links.push_back(link);
    }
    trace.links = std::move(links);
    timing.begin = 0;
    timing.finish = finish - begin;
}

RunPtr analyse(RunView run, const std::shared_ptr<const Plan>& plan)
{
    auto result = std::make_shared<RunView>(std::move(run));
    if (plan) {
        try {
            result->timing = timingOf(result->trace, plan->schedule, result->step);
            cutToStep(result->trace, result->timing);
            result->plan = plan;
            const Costs costs = costsOfRun(*result);
            result->idle = result->label == RunLabel::Predicted
                               ? explainIdle(plan->schedule, costs, result->timing)
                               : explainMeasuredIdle(plan->schedule, costs, result->timing);
            result->memory = activationCurves(plan->schedule, result->timing, plan->deltas, true);
            result->slack = slack(plan->schedule, costs, result->timing);
            return result;
        } catch (const Error& error) {
            // An interrupted run lacks tasks: it is shown as far as it came, and says so.
            result->note += QString::fromUtf8(error.what());
            result->timing = {};
            result->plan = nullptr;
        }
    }
    result->idle = gapsOf(result->trace);
    return result;
}

IdleReport gapsOf(const Trace& trace)
{
    IdleReport report;
    report.begin = trace.begin();
    report.end = trace.end();
    report.devices.resize(static_cast<std::size_t>(trace.devices()));
    constexpr auto unexplained = static_cast<std::size_t>(IdleCause::Unexplained);
    for (const TraceLane& lane : trace.lanes) {
        if (lane.kind != LaneKind::Compute || lane.index != 0)
            continue;
        DeviceIdle& device = report.devices[lane.device];
        Nanoseconds reached = report.begin;
        const auto addGap = [&](Nanoseconds until) {
            if (until <= reached)
                return;
            Gap gap{lane.device, reached, until, noTask, {}};
            gap.cause[unexplained] = until - reached;
            device.idle += until - reached;
            device.cause[unexplained] += until - reached;
            report.gaps.push_back(gap);
        };
        for (const Span& span : lane.spans) {
            if (span.end <= span.start)
                continue; // what takes no time ends no idle time
            addGap(span.start);
            device.busy += std::max<Nanoseconds>(0, span.end - std::max(span.start, reached));
            reached = std::max(reached, span.end);
        }
        device.firstStart = lane.spans.empty() ? report.begin : lane.spans.front().start;
        device.lastEnd = reached;
        addGap(report.end);
    }
    return report;
}

IdleReport idleOf(const TraceColumns& columns)
{
    IdleReport report;
    report.begin = columns.begin;
    report.end = columns.end;
    report.devices.resize(static_cast<std::size_t>(columns.devices()));
    for (const LaneColumns& lane : columns.lanes) {
        if (lane.kind != LaneKind::Compute || lane.index != 0)
            continue;
        DeviceIdle& device = report.devices[lane.device];
        const SpanColumns& busy = lane.busy();
        for (const SpanChunk& chunk : busy.chunks())
            for (std::uint32_t i = 0; i < chunk.count; ++i)
                device.busy += chunk.duration(i);
        device.idle = report.end - report.begin - device.busy;
        device.cause[static_cast<std::size_t>(IdleCause::Unexplained)] = device.idle;
        device.firstStart = busy.empty() ? report.begin : busy.start(0);
        device.lastEnd = busy.empty() ? report.begin : busy.end(busy.size() - 1);
    }
    return report;
}

QString deviceName(const RunView& run, int device)
{
    const bool executed =
        run.label == RunLabel::Measured || run.label == RunLabel::Replayed || run.label == RunLabel::Emulated;
    return (executed ? tr("Worker %1") : tr("Device %1")).arg(device);
}

QString titleWithLabel(const RunView& run)
{
    QString text = run.title + QStringLiteral(" · ") + QCoreApplication::translate("RunLabel", runLabelText(run.label));
    if (run.steps > 1)
        text += QCoreApplication::translate("RunView", " · step %1 of %2").arg(run.step + 1).arg(run.steps);
    return text;
}

} // namespace bubblescope::viz
