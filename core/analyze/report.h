// What is said about one run: one value, written as JSON (cli.md) or as text for a terminal.
//
//     Plan + Timing ──reportOf──► RunReport ──toJson──► `simulate --json`, `run --json`
//                                           ──toText──► terminal          ──compareRuns──► compare.h
//
// A measured run is a second RunReport of the same plan, shown beside its prediction.

#pragma once

#include "core/analyze/idle.h"
#include "core/analyze/statistics.h"
#include "core/experiment.h"
#include "core/simulate/memory.h"
#include "core/trace/trace.h"

#include <nlohmann/json_fwd.hpp>

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace bubblescope {

/// Which tasks `order` lists.
enum class OrderText : std::uint8_t { None, Compute, All };

struct DevicePeak {
    double activations = 0;
    Nanoseconds at = 0;                ///< first moment of the peak: of the bytes where they are known
    std::optional<std::int64_t> bytes; ///< without a model: unknown
    MemoryBytes bytesByClass{};        ///< at that moment
};

/// One list of tasks: a device's compute lane, or with OrderText::All any lane.
struct LaneOrder {
    Device device{};
    LaneKind kind = LaneKind::Compute;
    int index = 0;
    std::vector<std::string> tasks;
};

struct RunReport {
    std::string schedule; ///< id of the recipe, or the file an order came from
    std::string title;    ///< how people call this run: "1f1b", "zb-h1 (measured)"
    std::map<std::string, std::string> parameters;
    RunLabel label = RunLabel::Predicted;
    int stages = 0;
    int virtualStages = 0;
    int pipes = 1;
    int chunks = 1;
    int microbatches = 0; ///< per step, all pipes
    int steps = 1;
    CommModel commModel = CommModel::Latency;
    IdleReport idle;
    std::vector<DevicePeak> peaks; ///< by device
    std::optional<Theory> theory;
    std::optional<Nanoseconds> period; ///< with two steps or more
    std::vector<int> weightVersions;   ///< live versions of each virtual stage; empty: nothing is updated
    std::vector<LaneOrder> order;
    OrderText orderText = OrderText::None;
    std::vector<std::string> warnings;

    Nanoseconds ideal() const; ///< total busy ÷ devices

    /// Makespan ÷ (steps × microbatches): comparable between runs of different length.
    double timePerMicrobatch() const;

    double mostActivations() const; ///< of the device that holds most
    std::optional<std::int64_t> mostBytes() const;
};

struct ReportOptions {
    OrderText order = OrderText::None;
    const MemoryRules* memory = nullptr; ///< bytes; null without a model
    RunLabel label = RunLabel::Predicted;
    bool measured = false;        ///< timing holds measured times: jitter and unexplained apply
    const Costs* costs = nullptr; ///< instead of the plan's (a measured run's own durations)
};

RunReport reportOf(const Plan& plan, const Timing& timing, const ReportOptions& options = {});

/// One entry of `runs` in `simulate --json`.
nlohmann::json toJson(const RunReport& report);

/// `{"runs": […], "warnings": […]}`.
nlohmann::json toJson(const std::vector<RunReport>& reports);

/// `run --json`: the prediction's fields, and the run's under "measured".
nlohmann::json toJson(const RunReport& predicted, const RunReport& measured);

/// A table per device, the theory beside it, and every bubble definition by its name.
std::string toText(const RunReport& report);

/// Predicted beside measured: makespan, bubble, idle time per device and cause, and each kind of task.
std::string besideText(const RunReport& predicted, const RunReport& measured, const std::vector<KindComparison>& kinds);

/// `{"warmup": …}` with all ten causes.
nlohmann::json causesJson(const CauseTimes& causes);

} // namespace bubblescope
