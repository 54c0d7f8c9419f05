// A report for a terminal.
//
//     1f1b, predicted: 4 stages on 4 devices, 8 microbatches, 1 step, transfers by the latency model
//     makespan 33 ms; ideal 24 ms (all work ÷ devices)
//
//     device   busy  idle  warmup  drain  peak activations
//     0       24 ms  9 ms    6 ms   3 ms                 4

#include "core/analyze/bubble.h"
#include "core/analyze/report.h"
#include "core/analyze/text.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

namespace bubblescope {
namespace {

std::string plural(int count, const char* what)
{
    return fmt::format("{} {}{}", count, what, count == 1 ? "" : std::string_view(what).ends_with("ch") ? "es" : "s");
}

std::string headText(const RunReport& report)
{
    std::string text = fmt::format(
        "{}, {}: {} on {}, {} a step, {}, transfers by the {} model\n", report.title, runLabelText(report.label),
        plural(report.virtualStages, "stage"), plural(static_cast<int>(report.idle.devices.size()), "device"),
        plural(report.microbatches, "microbatch"), plural(report.steps, "step"), commModelName(report.commModel));
    text += fmt::format("makespan {}; ideal {} (all work ÷ devices)\n", timeText(report.idle.makespan()),
                        timeText(report.ideal()));
    if (report.period)
        text += fmt::format("a step follows the one before by {}\n", timeText(*report.period));
    return text;
}

/// The causes that occur anywhere, in their order.
std::vector<std::size_t> causesThatOccur(const std::vector<const IdleReport*>& reports)
{
    std::vector<std::size_t> occur;
    for (std::size_t cause = 0; cause < idleCauses; ++cause)
        if (std::any_of(reports.begin(), reports.end(),
                        [&](const IdleReport* report) { return report->totalCauses()[cause] > 0; }))
            occur.push_back(cause);
    return occur;
}

std::string deviceTable(const RunReport& report)
{
    const std::vector<std::size_t> causes = causesThatOccur({&report.idle});
    const bool bytes = report.mostBytes().has_value();
    std::vector<std::string> head = {"device", "busy", "idle"};
    for (const std::size_t cause : causes)
        head.emplace_back(idleCauseName(static_cast<IdleCause>(cause)));
    head.emplace_back("peak activations");
    if (bytes)
        head.emplace_back("peak memory");
    head.emplace_back("at");
    std::vector<std::vector<std::string>> rows = {head};
    for (std::size_t i = 0; i < report.idle.devices.size(); ++i) {
        const DeviceIdle& device = report.idle.devices[i];
        std::vector<std::string> row = {std::to_string(i), timeText(device.busy), timeText(device.idle)};
        for (const std::size_t cause : causes)
            row.push_back(device.cause[cause] == 0 ? "-" : timeText(device.cause[cause]));
        const DevicePeak peak = i < report.peaks.size() ? report.peaks[i] : DevicePeak{};
        row.push_back(numberText(peak.activations));
        if (bytes)
            row.push_back(bytesText(peak.bytes.value_or(0)));
        row.push_back(timeText(peak.at));
        rows.push_back(std::move(row));
    }
    return tableText(rows);
}

std::string bubbleText(const IdleReport& idle)
{
    std::vector<std::vector<std::string>> rows;
    for (const BubbleMeasure& measure : bubbleMeasures(idle))
        rows.push_back({measure.name, percentText(measure.value), std::string("= ") + measure.formula});
    return tableText(rows);
}

/// Theory is idle time of one device; in "span" inside its own first to last task.
std::string theoryText(const RunReport& report)
{
    if (!report.theory)
        return "closed form: none published for this schedule and these costs\n";
    Nanoseconds simulated = 0;
    const bool span = report.theory->measure == "span";
    for (const DeviceIdle& device : report.idle.devices)
        simulated = std::max(simulated, span ? device.span() - device.spanBusy : device.idle);
    std::string text = fmt::format("closed form ({}): {} idle per device in one step, inside {}; here at most {}{}\n",
                                   report.theory->source, timeText(report.theory->bubble),
                                   span ? "its own first to last task" : "the makespan", timeText(simulated),
                                   report.steps > 1 ? fmt::format(" in {} steps", report.steps) : "");
    if (report.theory->peakActivations > 0)
        text += fmt::format("closed form of the peak: {} activations; here {}\n",
                            numberText(report.theory->peakActivations), numberText(report.mostActivations()));
    return text;
}

} // namespace

std::string toText(const RunReport& report)
{
    std::string text =
        headText(report) + "\n" + deviceTable(report) + "\n" + bubbleText(report.idle) + theoryText(report);
    const bool several =
        std::any_of(report.weightVersions.begin(), report.weightVersions.end(), [](int live) { return live > 1; });
    if (several)
        text += fmt::format("weight versions kept by stage: {}\n", fmt::join(report.weightVersions, ", "));
    for (const LaneOrder& lane : report.order)
        text += fmt::format("device {} {}{}: {}\n", lane.device.value, laneKindName(lane.kind),
                            lane.index > 0 ? fmt::format(" {}", lane.index) : "", fmt::join(lane.tasks, " "));
    for (const std::string& sentence : report.warnings)
        text += "warning: " + sentence + "\n";
    return text;
}

namespace {

std::string difference(Nanoseconds predicted, Nanoseconds measured)
{
    if (predicted == 0)
        return measured == 0 ? "0 %" : "-";
    return fmt::format("{:+.1f} %", 100 * (static_cast<double>(measured) / static_cast<double>(predicted) - 1));
}

std::string kindTable(const std::vector<KindComparison>& kinds, const std::string& label)
{
    std::vector<std::vector<std::string>> rows = {
        {"kind of task", "tasks", "predicted", label + ", mean", label + ", median", "difference of means"}};
    for (const KindComparison& kind : kinds)
        if (kind.predicted > 0 || kind.measured > 0)
            rows.push_back({fmt::format("{} {}", workName(kind.work).letter, workName(kind.work).name),
                            std::to_string(kind.count), timeText(kind.predicted), timeText(kind.measured),
                            timeText(kind.measuredMedian), difference(kind.predicted, kind.measured)});
    return tableText(rows);
}

} // namespace

std::string besideText(const RunReport& predicted, const RunReport& measured, const std::vector<KindComparison>& kinds)
{
    const std::string left = runLabelText(predicted.label);
    const std::string right = runLabelText(measured.label);
    const auto row = [&](const std::string& what, Nanoseconds a, Nanoseconds b) {
        return std::vector<std::string>{what, timeText(a), timeText(b), difference(a, b)};
    };
    std::vector<std::vector<std::string>> rows = {{measured.title, left, right, "difference"}};
    rows.push_back(row("makespan", predicted.idle.makespan(), measured.idle.makespan()));
    rows.push_back({"bubble rate (idle ÷ (devices × makespan))", percentText(predicted.idle.bubbleRate()),
                    percentText(measured.idle.bubbleRate()),
                    fmt::format("{:+.1f} points", 100 * (measured.idle.bubbleRate() - predicted.idle.bubbleRate()))});
    rows.push_back(row("busy, all devices", predicted.idle.totalBusy(), measured.idle.totalBusy()));
    rows.push_back(row("idle, all devices", predicted.idle.totalIdle(), measured.idle.totalIdle()));
    for (const std::size_t cause : causesThatOccur({&predicted.idle, &measured.idle}))
        rows.push_back(row(std::string("  of that ") + idleCauseName(static_cast<IdleCause>(cause)),
                           predicted.idle.totalCauses()[cause], measured.idle.totalCauses()[cause]));
    const std::size_t devices = std::min(predicted.idle.devices.size(), measured.idle.devices.size());
    for (std::size_t i = 0; i < devices; ++i)
        rows.push_back(
            row(fmt::format("idle, device {}", i), predicted.idle.devices[i].idle, measured.idle.devices[i].idle));
    std::string text = tableText(rows);
    if (!kinds.empty())
        text += "\n" + kindTable(kinds, right);
    return text;
}

} // namespace bubblescope
