// The state at a moment as a picture: per device what runs, a memory bar, and the microbatches in flight.
//
//     A · 1F1B                    17.4 ms
//     Device 0   [F 5]   ▐▐▐▐▐▐|  ┊   ‖   3 / 4    (2)(3)(5)         bar: live, most so far, peak of the run, limit
//     Device 1   idle    ▐▐▐|     ┊   ‖   2 / 3    (3)(4)
//
// Places first, painting after: the panel asks the places what lies under the mouse, and the export paints them
// into frames, on any thread.

#pragma once

#include "viz/replay/replay_state.h"
#include "viz/theme/theme.h"

#include <QFont>
#include <QPainter>
#include <QRectF>
#include <QString>

#include <vector>

namespace bubblescope::viz {

/// One microbatch in flight, or neighbouring ones where not all have room for a chip of their own.
struct StateChip {
    QRectF place;
    std::size_t first = 0; ///< in DeviceMoment::inFlight
    std::size_t last = 0;  ///< the same for a single one
};

/// One device with its places.
struct StateRow {
    int device = 0;
    DeviceMoment moment;
    QRectF area;
    QRectF label;
    QRectF running;
    QRectF bar;
    QRectF level;                 ///< the bar's figures
    std::vector<StateChip> chips; ///< as many of moment.inFlight as have room
    QRectF more;                  ///< "+ 12" for the others; empty when all have room
    std::size_t hidden = 0;       ///< how many those are
};

/// One run.
struct StateBlock {
    int slot = 0;
    const ReplayRun* run = nullptr;
    QRectF title;
    std::vector<StateRow> rows;
    int left = 0; ///< devices without room
};

struct StatePicture {
    Nanoseconds time = 0;
    double scale = 1;     ///< activations at the right end of a bar
    bool limited = false; ///< a limit is drawn
    std::vector<StateBlock> blocks;
    QRectF key;
    double height = 0;
};

/// Blocks beside each other where the width allows it, else below each other. `area.height()` > 0 leaves out
/// devices that have no room; otherwise it becomes as high as needed.
StatePicture layoutState(const std::vector<ReplayRun>& runs, Nanoseconds time, const QRectF& area, const QFont& font);

/// The height that runs with so many devices need, without looking at them.
double stateHeight(const std::vector<int>& devices, double width, const QFont& font);

void paintState(QPainter& painter, const StatePicture& picture, const Theme& theme, const QFont& font);

/// "3", or "3@1" in another direction.
QString microbatchText(const InFlight& entry);

/// "3", or "3–9".
QString chipText(const StateRow& row, const StateChip& chip);

/// "F 5", "B 2 + F 3" for a joined unit, or "idle".
QString runningText(const std::vector<Span>& running, const Trace& trace);

} // namespace bubblescope::viz
