// What the inspector says about a bar or a gap, as rows of text: no widgets, so that tests read it.
//
// A figure that was computed from intervals carries them, and a task that is named can be gone to.

#pragma once

#include "viz/timeline/interval.h"
#include "viz/timeline/run_painter.h"

#include <QString>

#include <vector>

namespace bubblescope::viz {

/// A name and a value; a click on the value goes to the task, or else outlines the intervals.
struct InspectionRow {
    QString name;
    QString value;
    std::vector<RunInterval> intervals = {};
    TaskId task = noTask;
};

/// One thing that the picked task waited for.
struct InspectionStep {
    QString text;
    bool binding = false; ///< it set the start
    TaskId task = noTask;
};

struct Inspection {
    QString title; ///< "B · Device 2 · idle 1.16 ms"
    std::vector<InspectionRow> rows;
    QString story;                     ///< full sentences
    std::vector<InspectionStep> steps; ///< of a task: what it waited for, by time
    QString conclusion;                ///< "start = the latest of them = 3.50 ms"
};

/// Empty title when nothing is picked.
Inspection inspect(const RunPicture& picture, const Pick& pick);

/// Where a task is drawn; kind None when it isn't.
Pick pickOf(const RunPicture& picture, TaskId task);

/// The idle interval that is picked; null for anything else.
const Gap* pickedGap(const RunPicture& picture, const Pick& pick);

} // namespace bubblescope::viz
