// The part of the menus that belongs to the timelines: selecting, finding and marking in Edit, zoom history,
// alignment and lanes in View, the command palette.

#pragma once

class QMenu;

namespace bubblescope::viz {

class MainWindow;

void addTimelineEditActions(MainWindow& window, QMenu& menu);
void addTimelineViewActions(MainWindow& window, QMenu& menu);

/// All actions of the menus and the keys of the timelines, to be filtered and run.
void openPalette(MainWindow& window);

/// The lanes of all shown runs, to be filtered and gone to.
void openLaneSearch(MainWindow& window);

} // namespace bubblescope::viz
