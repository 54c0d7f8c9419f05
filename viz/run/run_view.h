// A run as the window holds it: its spans, and everything that analysis found, computed once.
//
//     Experiment ── predict() ──► RunView          Document ── spans ──► RunView
//     Experiment ── Predictor ── quickView() ──► pending RunView ── completed() ──► RunView      while editing
//
// Made on any thread, then shared as a constant; a run that changes is a new RunView. Analysis needs
// the plan; a run whose plan is unknown (an import, a run that is still being recorded) has rows, but
// no explanations.

#pragma once

#include "core/analyze/idle.h"
#include "core/base/progress.h"
#include "core/predictor.h"
#include "core/simulate/memory.h"
#include "core/trace/lane_columns.h"
#include "core/trace/trace.h"

#include <QString>

#include <algorithm>
#include <memory>
#include <vector>

namespace bubblescope::viz {

struct RunView {
    int number = 0; ///< in the document; below 0: not stored, such as a prediction that follows the form
    QString title;  ///< "ZB-H1"
    RunLabel label = RunLabel::Predicted;
    QString status = QStringLiteral("complete");
    int step = 0;  ///< the one that is shown, from 0
    int steps = 1; ///< that the run has
    QString note;  ///< what a person should know: warnings, an interrupted run
    Experiment experiment;
    std::shared_ptr<const Plan> plan;            ///< null: unknown
    Trace trace;                                 ///< of the step; times count from its begin
    std::shared_ptr<const TraceColumns> columns; ///< of a large run: then the lanes of `trace` have no spans, and
                                                 ///< what needs every one of them isn't computed
    bool preview = false;                        ///< `columns` only look like the run; all of it is being read
    Timing timing;                               ///< by TaskId of the plan's schedule; empty without a plan
    IdleReport idle;
    std::vector<ActivationCurve> memory; ///< by device; empty without a plan
    std::vector<Nanoseconds> slack;      ///< by TaskId; empty without a plan
    std::vector<Problem> problems; ///< of an order by hand; not empty: the times are a sketch, nothing is explained
    bool pending = false;          ///< causes, memory over time and slack follow in the next frame

    /// Tasks and times of the plan are known.
    bool timed() const { return plan && !timing.start.empty(); }

    /// Causes and slack are known, too.
    bool explained() const { return timed() && !slack.empty(); }

    Nanoseconds makespan() const { return idle.makespan(); }

    /// Steps in what is shown: one, or all where they run into each other.
    int shownSteps() const { return std::max(1, experiment.steps); }

    double bubbleRate() const { return idle.bubbleRate(); }

    /// Of the device that holds most; 0 when unknown.
    double peakActivations() const;
};

using RunPtr = std::shared_ptr<const RunView>;

/// Plans and simulates one schedule of an experiment and explains the result. Throws Error.
RunPtr predict(const Experiment& experiment, const RecipeSpec& spec, int number);

/// What the timelines need of a prediction: spans, gaps, makespan and bubble rate. Pending, unless it has problems.
RunPtr quickView(const Experiment& experiment, Predicted predicted, int number);

/// The same with causes, memory over time and slack. Throws Cancelled.
RunPtr completed(const RunPtr& quick, const Progress& progress);

/// Causes, memory and slack of spans that took place; of a trace of several steps, those of `run.step`
/// alone. `plan` is of one step, or null.
RunPtr analyse(RunView run, const std::shared_ptr<const Plan>& plan);

/// The costs that a run's timing came from: the plan's, or each task's own measured duration.
Costs costsOfRun(const RunView& run);

/// Idle intervals of the compute lanes, all of them Unexplained: what can be said without a plan.
IdleReport gapsOf(const Trace& trace);

/// Busy and idle time per device of a large run; its gaps aren't listed.
IdleReport idleOf(const TraceColumns& columns);

/// "GPU 3" or "worker 3": what a device of the run is called.
QString deviceName(const RunView& run, int device);

/// Title and what kind of number it is: "ZB-H1 · predicted".
QString titleWithLabel(const RunView& run);

} // namespace bubblescope::viz
