// Differences against the first run, as values, JSON and text.

#include "core/analyze/compare.h"

#include "core/analyze/bubble.h"
#include "core/analyze/text.h"
#include "core/base/error.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace bubblescope {
namespace {

CauseTimes minus(const CauseTimes& a, const CauseTimes& b)
{
    CauseTimes result{};
    for (std::size_t i = 0; i < result.size(); ++i)
        result[i] = a[i] - b[i];
    return result;
}

RunDifference differenceOf(const RunReport& first, const RunReport& run, bool sameWork)
{
    RunDifference difference;
    const double before = sameWork ? static_cast<double>(first.idle.makespan()) : first.timePerMicrobatch();
    const double after = sameWork ? static_cast<double>(run.idle.makespan()) : run.timePerMicrobatch();
    difference.speedUp = after > 0 ? before / after : 1;
    difference.makespan = run.idle.makespan() - first.idle.makespan();
    difference.idle = run.idle.totalIdle() - first.idle.totalIdle();
    difference.cause = minus(run.idle.totalCauses(), first.idle.totalCauses());
    difference.bubbleRate = run.idle.bubbleRate() - first.idle.bubbleRate();
    difference.peakActivations = run.mostActivations() - first.mostActivations();
    if (run.idle.devices.size() == first.idle.devices.size())
        for (std::size_t device = 0; device < run.idle.devices.size(); ++device) {
            difference.causeOfDevice.push_back(minus(run.idle.devices[device].cause, first.idle.devices[device].cause));
            difference.idleOfDevice.push_back(run.idle.devices[device].idle - first.idle.devices[device].idle);
        }
    const auto least = std::min_element(difference.cause.begin(), difference.cause.end());
    difference.removed = std::max<Nanoseconds>(0, -*least);
    difference.mostRemoved = static_cast<IdleCause>(least - difference.cause.begin());
    return difference;
}

std::vector<std::string> remarksOn(const Comparison& comparison)
{
    std::vector<std::string> remarks;
    const RunReport& first = comparison.runs.front();
    for (std::size_t i = 1; i < comparison.runs.size(); ++i) {
        const RunReport& run = comparison.runs[i];
        if (run.label != first.label)
            remarks.push_back(fmt::format(
                "Run 1 is {}, run {} is {}: a difference between them is also one between the ways they were made.",
                runLabelText(first.label), i + 1, runLabelText(run.label)));
        if (run.steps != first.steps || run.microbatches != first.microbatches)
            remarks.push_back(fmt::format("Run 1 has {} steps of {} microbatches, run {} has {} of {}: the speed-up is "
                                          "that of the time per microbatch.",
                                          first.steps, first.microbatches, i + 1, run.steps, run.microbatches));
        if (run.commModel != first.commModel)
            remarks.push_back(fmt::format("Run 1 times transfers by the {} model, run {} by the {} model.",
                                          commModelName(first.commModel), i + 1, commModelName(run.commModel)));
        if (run.idle.devices.size() != first.idle.devices.size())
            remarks.push_back(fmt::format("Run 1 has {} devices, run {} has {}: differences per device are left out.",
                                          first.idle.devices.size(), i + 1, run.idle.devices.size()));
    }
    return remarks;
}

} // namespace

Comparison compareRuns(std::vector<RunReport> runs)
{
    if (runs.size() < 2)
        throw Error("A comparison needs two runs or more; {} was given.", runs.size());
    Comparison comparison;
    comparison.runs = std::move(runs);
    const RunReport& first = comparison.runs.front();
    comparison.sameWork = std::all_of(comparison.runs.begin(), comparison.runs.end(), [&](const RunReport& run) {
        return run.steps == first.steps && run.microbatches == first.microbatches;
    });
    for (const RunReport& run : comparison.runs)
        comparison.differences.push_back(differenceOf(first, run, comparison.sameWork));
    for (std::size_t i = 1; i < comparison.runs.size(); ++i)
        if (comparison.differences[i].speedUp > comparison.differences[comparison.fastest].speedUp)
            comparison.fastest = i;
    comparison.remarks = remarksOn(comparison);
    return comparison;
}

namespace {

nlohmann::json runJson(const RunReport& run)
{
    nlohmann::json json = {
        {"title", run.title},
        {"schedule", run.schedule},
        {"label", runLabelText(run.label)},
        {"comm_model", commModelName(run.commModel)},
        {"steps", run.steps},
        {"microbatches", run.microbatches},
        {"makespan_ns", run.idle.makespan()},
        {"ideal_ns", run.ideal()},
        {"busy_ns", run.idle.totalBusy()},
        {"idle_ns", run.idle.totalIdle()},
        {"bubble_rate", run.idle.bubbleRate()},
        {"idle_by_cause_ns", causesJson(run.idle.totalCauses())},
        {"peak_activations", run.mostActivations()},
        {"peak_memory_bytes", run.mostBytes() ? nlohmann::json(*run.mostBytes()) : nlohmann::json()},
    };
    for (const BubbleMeasure& measure : bubbleMeasures(run.idle))
        json["bubble_definitions"][measure.id] = measure.value;
    return json;
}

nlohmann::json differenceJson(const RunDifference& difference, std::size_t run)
{
    nlohmann::json devices = nlohmann::json::array();
    for (std::size_t device = 0; device < difference.idleOfDevice.size(); ++device)
        devices.push_back({{"device", device},
                           {"idle_ns", difference.idleOfDevice[device]},
                           {"idle_by_cause_ns", causesJson(difference.causeOfDevice[device])}});
    const bool removed = difference.removed > 0;
    return {{"run", run},
            {"against", 1},
            {"speed_up", difference.speedUp},
            {"makespan_ns", difference.makespan},
            {"idle_ns", difference.idle},
            {"bubble_rate", difference.bubbleRate},
            {"idle_by_cause_ns", causesJson(difference.cause)},
            {"peak_activations", difference.peakActivations},
            {"most_removed_cause", removed ? nlohmann::json(idleCauseName(difference.mostRemoved)) : nlohmann::json()},
            {"most_removed_ns", difference.removed},
            {"devices", std::move(devices)}};
}

} // namespace

nlohmann::json toJson(const Comparison& comparison)
{
    nlohmann::json json = {{"runs", nlohmann::json::array()},
                           {"differences", nlohmann::json::array()},
                           {"fastest", comparison.fastest + 1},
                           {"same_work", comparison.sameWork},
                           {"remarks", comparison.remarks}};
    for (const RunReport& run : comparison.runs)
        json["runs"].push_back(runJson(run));
    for (std::size_t i = 1; i < comparison.runs.size(); ++i)
        json["differences"].push_back(differenceJson(comparison.differences[i], i + 1));
    for (const BubbleMeasure& measure : bubbleMeasures(comparison.runs.front().idle))
        json["definitions"][measure.id] = fmt::format("{}: {}", measure.name, measure.formula);
    return json;
}

namespace {

/// "+3 ms", "−6 ms", "0".
std::string signedTime(Nanoseconds time)
{
    return time == 0 ? "0" : (time > 0 ? "+" : "−") + timeText(std::abs(time));
}

std::string summaryTable(const Comparison& comparison)
{
    std::vector<std::vector<std::string>> rows = {
        {"run"}, {"label"}, {"makespan"}, {"ideal (all work ÷ devices)"}, {"idle, all devices"}};
    for (std::size_t i = 0; i < comparison.runs.size(); ++i) {
        const RunReport& run = comparison.runs[i];
        rows[0].push_back(fmt::format("{}: {}", i + 1, run.title));
        rows[1].emplace_back(runLabelText(run.label));
        rows[2].push_back(timeText(run.idle.makespan()));
        rows[3].push_back(timeText(run.ideal()));
        rows[4].push_back(timeText(run.idle.totalIdle()));
    }
    for (std::size_t cause = 0; cause < idleCauses; ++cause) {
        std::vector<std::string> row = {std::string("  of that ") + idleCauseName(static_cast<IdleCause>(cause))};
        bool occurs = false;
        for (const RunReport& run : comparison.runs) {
            const Nanoseconds time = run.idle.totalCauses()[cause];
            occurs = occurs || time > 0;
            row.push_back(time == 0 ? "-" : timeText(time));
        }
        if (occurs)
            rows.push_back(std::move(row));
    }
    const std::vector<BubbleMeasure> definitions = bubbleMeasures(comparison.runs.front().idle);
    for (const BubbleMeasure& definition : definitions) {
        rows.push_back({definition.name});
        for (const RunReport& run : comparison.runs)
            rows.back().push_back(percentText(bubbleOf(run.idle, definition.definition)));
    }
    rows.push_back({"peak activations, largest device"});
    for (const RunReport& run : comparison.runs)
        rows.back().push_back(numberText(run.mostActivations()));
    return tableText(rows);
}

std::string deviceTable(const RunDifference& difference)
{
    std::vector<std::vector<std::string>> rows = {{"device", "idle"}};
    std::vector<std::size_t> causes;
    for (std::size_t cause = 0; cause < idleCauses; ++cause)
        if (std::any_of(difference.causeOfDevice.begin(), difference.causeOfDevice.end(),
                        [&](const CauseTimes& times) { return times[cause] != 0; })) {
            causes.push_back(cause);
            rows[0].emplace_back(idleCauseName(static_cast<IdleCause>(cause)));
        }
    for (std::size_t device = 0; device < difference.idleOfDevice.size(); ++device) {
        rows.push_back({std::to_string(device), signedTime(difference.idleOfDevice[device])});
        for (const std::size_t cause : causes)
            rows.back().push_back(signedTime(difference.causeOfDevice[device][cause]));
    }
    return tableText(rows);
}

std::string verdict(const Comparison& comparison, std::size_t i)
{
    const RunDifference& difference = comparison.differences[i];
    const char* per = comparison.sameWork ? "" : " per microbatch";
    std::string text;
    if (difference.speedUp > 1)
        text = fmt::format("Run {} is {:.3f} times as fast{} as run 1", i + 1, difference.speedUp, per);
    else if (difference.speedUp < 1)
        text = fmt::format("Run {} takes {:.3f} times as long{} as run 1", i + 1, 1 / difference.speedUp, per);
    else
        text = fmt::format("Run {} takes as long{} as run 1", i + 1, per);
    if (difference.removed > 0)
        text +=
            fmt::format("; what shrank most is {}, by {} over all devices ({})", idleCauseName(difference.mostRemoved),
                        timeText(difference.removed), idleCauseMeaning(difference.mostRemoved));
    return text + ".\n";
}

} // namespace

std::string toText(const Comparison& comparison)
{
    std::string text = summaryTable(comparison);
    for (std::size_t i = 1; i < comparison.runs.size(); ++i) {
        text += "\n" + verdict(comparison, i);
        if (!comparison.differences[i].idleOfDevice.empty())
            text += fmt::format("Idle time, run {} − run 1:\n", i + 1) + deviceTable(comparison.differences[i]);
    }
    text += "\n";
    for (const BubbleMeasure& definition : bubbleMeasures(comparison.runs.front().idle))
        text += fmt::format("{} = {}\n", definition.name, definition.formula);
    for (const std::string& remark : comparison.remarks)
        text += remark + "\n";
    return text;
}

} // namespace bubblescope
