// Which step of a run of several is shown: entries of menus.

#pragma once

class QMenu;

namespace bubblescope::viz {

class Workbench;

/// "Step" with an entry for each step of the run; nothing for a run of one. Of a long run, those around the one shown.
void addStepMenu(QMenu& menu, Workbench& workbench, int number);

/// Previous and next step of all shown runs that have several, so that runs beside each other stay at one step.
void addStepActions(QMenu& menu, Workbench& workbench);

/// What those do: every shown run that has such a step goes there.
void moveStep(Workbench& workbench, int by);

} // namespace bubblescope::viz
