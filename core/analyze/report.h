// What is said about one run: one value, written as JSON (cli.md) or as text for a terminal.
//
//     Plan + Timing ──reportOf──► RunReport ──toJson──► `simulate --json`, `run --json`
//                                           ──toText──► terminal          ──compareRuns──► compare.h
//
// A measured run is a second RunReport of the same plan; `addMeasured` puts it beside its prediction.

#pragma once

#include "core/analyze/idle.h"
#include "core/experiment.h"
#include "core/simulate/memory.h"
#include "core/trace/trace.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

namespace bubblescope {

/// Which tasks `order` lists.
enum class OrderText : std::uint8_t { None, Compute, All };

struct DevicePeak {
    double activations = 0;
    Nanoseconds at = 0;                ///< first moment of the peak (of the bytes, where they are known)
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
    std::string schedule;                          ///< id of the recipe, or the file an order came from
    std::string title;                             ///< how people call this run: "1f1b", "zb-h1 (measured)"
    std::map<std::string, std::string> parameters;
    RunLabel label = RunLabel::Predicted;
    int stages = 0;
    int virtualStages = 0;
    int pipes = 1;
    int chunks = 1;
    int microbatches = 0;                          ///< per step, all pipes
    int steps = 1;
    CommModel commModel = CommModel::Latency;
    IdleReport idle;
    std::vector<DevicePeak> peaks;                 ///< by device
    std::optional<Theory> theory;
    std::optional<Nanoseconds> period;             ///< with two steps or more
    std::vector<int> weightVersions;               ///< live versions of each virtual stage; empty: nothing is updated
    std::vector<LaneOrder> order;
    OrderText orderText = OrderText::None;
    std::vector<std::string> warnings;

    Nanoseconds ideal() const; ///< total busy ÷ devices

    /// Makespan ÷ (steps × microbatches): comparable between runs of different length.
    double timePerMicrobatch() const;
};

struct ReportOptions {
    OrderText order = OrderText::None;
    const MemoryRules* memory = nullptr; ///< bytes; null without a model
    RunLabel label = RunLabel::Predicted;
    bool measured = false;               ///< timing holds measured times: jitter and unexplained apply
    const Costs* costs = nullptr;        ///< instead of the plan's (a measured run's own durations)
};

RunReport reportOf(const Plan& plan, const Timing& timing, const ReportOptions& options = {});

/// One entry of `runs` in `simulate --json`.
nlohmann::json toJson(const RunReport& report);

/// `{"runs": […], "warnings": […]}`.
nlohmann::json toJson(const std::vector<RunReport>& reports);

/// A table per device, the theory beside it, and every bubble definition by its name.
std::string toText(const RunReport& report);

/// "33.000 ms", "412.5 µs": three or four digits that a person reads.
std::string timeText(Nanoseconds time);
std::string bytesText(std::int64_t bytes);

/// From the semantics and the order (ir.md 1): the most versions of its weights that a stage holds at once, and how
/// many updates old a gradient is when it is applied.
struct WeightVersions {
    std::vector<int> live;      ///< by virtual stage: the newest, and each older one still to be read
    std::vector<int> staleness; ///< by virtual stage, the largest
};

/// Empty vectors for a schedule without updates.
WeightVersions weightVersions(const Schedule& schedule);

} // namespace bubblescope
