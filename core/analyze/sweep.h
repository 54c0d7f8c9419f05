// How a schedule does while one number of the experiment changes: bubble rate, throughput and peak over its values.
//
//     experiment × parameter × values ──► plan and simulate each ──► a line of points, the paper's closed form beside it
//
// A value that can't be built is a point with a sentence, not the end of the sweep.

#pragma once

#include "core/base/progress.h"
#include "core/experiment.h"

#include <optional>
#include <string>
#include <vector>

namespace bubblescope {

/// A number of the experiment that can be swept.
struct SweepParameter {
    const char* id = "";
    const char* title = ""; ///< for people
    const char* unit = "";  ///< "ms"; empty for plain numbers
    bool whole = true;
    double minimum = 0;
    double maximum = 0;
    double (*get)(const Experiment& experiment) = nullptr;
    /// Leaves out what no longer fits (a partition for other stages).
    void (*set)(Experiment& experiment, double value) = nullptr;
};

const std::vector<SweepParameter>& sweepParameters();

/// Throws Error naming those that there are.
const SweepParameter& sweepParameter(const std::string& id);

/// Evenly from `from` to `to`, both included; of a whole-numbered parameter distinct whole numbers, so maybe fewer.
std::vector<double> sweepValues(const SweepParameter& parameter, double from, double to, int points);

struct SweepPoint {
    double value = 0;
    std::string problem; ///< why it can't be built; the rest is 0 then
    Nanoseconds makespan = 0;
    double bubbleRate = 0; ///< idle ÷ (devices × makespan)
    double throughput = 0; ///< microbatches per second
    double peakActivations = 0;
    std::optional<double> closedForm; ///< bubble rate by the paper's formula, in its own measure
};

struct SweepLine {
    Experiment experiment; ///< with its one schedule
    std::vector<SweepPoint> points;
    std::string closedFormSource;  ///< where the formula stands; empty without one
    std::string closedFormMeasure; ///< "makespan" or "span"
};

/// One line per experiment, each of which has one schedule. Throws Cancelled.
std::vector<SweepLine> sweep(const std::vector<Experiment>& experiments, const SweepParameter& parameter,
                             const std::vector<double>& values, const Progress& progress = Progress());

} // namespace bubblescope
