// The summary of a selected range as tables of text: what the Range tab shows, copies and saves.

#pragma once

#include "core/analyze/range_summary.h"
#include "viz/run/run_view.h"

#include <QString>
#include <QStringList>

#include <vector>

namespace bubblescope::viz {

struct RangeOfRun {
    int slot = 0;
    QString letter;
    RunPtr run;
    RangeSummary summary; ///< in the run's own time
};

struct TextTable {
    QStringList headers;
    std::vector<QStringList> rows;
};

/// Run, work, count, sum, average, shortest, longest, share of the devices' time.
TextTable workTable(const std::vector<RangeOfRun>& ranges);

/// Run, device, busy, idle, busy share, and each cause that there is.
TextTable deviceTable(const std::vector<RangeOfRun>& ranges);

/// "12.0 ms, from 3.00 ms to 15.0 ms", in run A's time.
QString rangeSentence(const std::vector<RangeOfRun>& ranges);

/// Sentence and tables with tabs, for a message or a spreadsheet.
QString rangeAsText(const std::vector<RangeOfRun>& ranges);

/// Nanoseconds without units; two tables with an empty line between them.
QString rangeAsCsv(const std::vector<RangeOfRun>& ranges);

/// What a kind is called: "forward", or the name of a kernel.
QString kindName(const KindSummary& kind);

} // namespace bubblescope::viz
