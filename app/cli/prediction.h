// Predictions and stored runs as reports: what simulate, run, report and compare have in common.

#pragma once

#include "core/analyze/report.h"
#include "core/experiment.h"
#include "core/trace/document.h"

#include <optional>
#include <string>

namespace bubblescope::cli {

/// A plan and when its tasks take place.
struct Prediction {
    Plan plan;
    Timing timing;
};

Prediction predict(Plan plan);

/// Memory rules where the experiment has a model.
std::optional<MemoryRules> memoryOf(const Experiment& experiment, const Plan& plan);

/// The report of a prediction, warnings about the memory limit included.
RunReport reportOf(const Experiment& experiment, const Prediction& prediction, OrderText order = OrderText::None);

/// The report of a run that took place as `label` says, at the times of `ran`.
RunReport reportOf(const Experiment& experiment, const Prediction& ran, RunLabel label,
                   OrderText order = OrderText::None);

/// Header of the run of one schedule of an experiment.
RunHeader headerOf(const Experiment& experiment, const Plan& plan, RunLabel label);

/// Stores a prediction as a run; returns its id.
int store(Document& document, const Experiment& experiment, const Prediction& prediction, const RunReport& report);

/// A stored run read back: its plan rebuilt from the experiment it carries, its times from its spans.
struct StoredRun {
    RunInfo info;
    Experiment experiment;
    Prediction prediction; ///< the plan, with the times that the run has
    RunReport report;
};

/// `step` ≥ 0 looks at one step of a run of several. Throws Error for runs that hold no schedule.
StoredRun readRun(const Document& document, const RunInfo& listed, int step = -1, OrderText order = OrderText::None);

/// The experiment with the costs of a measured run: medians per (work, stage) of "FILE.bscope[:RUN]".
void takeCosts(const std::string& address, Experiment& experiment);

} // namespace bubblescope::cli
