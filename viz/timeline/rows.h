// The rows of a timeline: what is drawn for each lane of a run, in the form that drawing needs.
//
//     RunView ── rowsOf() ──► TimelineRow: label | bars by time | gaps by time
//
// A bar is a span, or a joined unit (two tasks in one interval, drawn above each other). Bars of a row
// never overlap, so what is visible is found by binary search.

#pragma once

#include "viz/run/run_view.h"
#include "viz/timeline/coordinates.h"

#include <QString>

#include <cstdint>
#include <vector>

namespace bubblescope::viz {

struct Bar {
    Nanoseconds start = 0;
    Nanoseconds end = 0;
    std::uint32_t span = 0; ///< index of its first span in the lane
    Work work = Work::Forward;
    Work lowerWork = Work::Forward; ///< of the second task of a joined unit
    bool joined = false;
    bool critical = false;   ///< slack 0
    std::uint8_t shade = 0;  ///< rank of its stage on the device: chunks differ in lightness
    std::int32_t number = 0; ///< microbatch, the label; −1: no label
};

struct GapBar {
    Nanoseconds start = 0;
    Nanoseconds end = 0;
    std::uint32_t gap = 0; ///< index in IdleReport::gaps
};

struct TimelineRow {
    int lane = 0; ///< index in Trace::lanes
    int device = 0;
    QString label;   ///< "Device 3", or "send" for a lane that isn't the compute lane
    QString caption; ///< utilisation
    std::vector<Bar> bars;
    std::vector<GapBar> gaps;
    Nanoseconds longestBar = 0; ///< how far back a bar that covers a time may begin
};

/// What was hit or selected.
struct Pick {
    enum class Kind { None, Bar, Gap };

    Kind kind = Kind::None;
    int row = -1;
    int index = -1; ///< in bars or gaps of the row

    friend bool operator==(const Pick& a, const Pick& b)
    {
        return a.kind == b.kind && a.row == b.row && a.index == b.index;
    }

    friend bool operator!=(const Pick& a, const Pick& b) { return !(a == b); }
};

struct RowOptions {
    bool allLanes = false; ///< also send, receive, collective and copy lanes
};

std::vector<TimelineRow> rowsOf(const RunView& run, RowOptions options = {});

/// The bar of a row at a time, `slop` being how far beside a bar still counts; −1 when there is none.
int barAt(const TimelineRow& row, Nanoseconds time, Nanoseconds slop = 0);
int gapAt(const TimelineRow& row, Nanoseconds time);

/// First bar that ends after `time`.
std::size_t firstVisibleBar(const TimelineRow& row, Nanoseconds time);

} // namespace bubblescope::viz
