// Two runs set against each other, in the form in which the Compare tab shows it: tables and a map, no widgets.

#pragma once

#include "core/analyze/task_differences.h"
#include "viz/charts/heat_chart.h"
#include "viz/panels/figure_model.h"
#include "viz/run/run_view.h"

namespace bubblescope::viz {

/// A run and its place among the shown ones.
struct ComparedRun {
    RunPtr run;
    int slot = 0;
    QString letter;
};

/// Everything that is computed; made on any thread.
struct RunComparison {
    ComparedRun a;
    ComparedRun b;
    TaskDifferences tasks;
    std::vector<DeviceDifference> devices;
    std::vector<FilledBubble> filled; ///< idle time of the slower run
    bool idleInA = true;              ///< the slower run is A

    const ComparedRun& slower() const { return idleInA ? a : b; }

    const ComparedRun& faster() const { return idleInA ? b : a; }
};

RunComparison compareViews(ComparedRun a, ComparedRun b);

/// "B is 1.22 × as fast as A: 27.0 ms against 33.0 ms, and 24.0 ms less idle time over all devices."
QString comparisonText(const RunComparison& comparison);

void fillDeviceTable(FigureModel& model, const std::shared_ptr<const RunComparison>& comparison);
void fillTaskTable(FigureModel& model, const std::shared_ptr<const RunComparison>& comparison);
void fillBubbleTable(FigureModel& model, const std::shared_ptr<const RunComparison>& comparison);

/// Which difference the map shows; B − A.
enum class DeltaQuantity { Start, End, Duration, IdleBefore };

struct DeltaMapOrder {
    DeltaQuantity quantity = DeltaQuantity::Start;
    Work work = Work::Forward;
    bool byDevice = false; ///< rows are devices of A instead of stages
};

/// A map and the tasks behind its cells.
struct DeltaMap {
    HeatMap map;                                 ///< values in milliseconds
    std::vector<std::vector<std::size_t>> tasks; ///< by cell: places in TaskDifferences::tasks
};

DeltaMap deltaMap(const std::shared_ptr<const RunComparison>& comparison, const DeltaMapOrder& order);

/// Works that both runs have, in the order of the catalogue.
std::vector<Work> comparedWorks(const TaskDifferences& tasks);

/// The intervals of a task in both runs.
std::vector<RunInterval> intervalsOf(const RunComparison& comparison, const TaskDifference& difference);

} // namespace bubblescope::viz
