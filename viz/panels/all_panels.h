// Which tabs there are below the timelines, and what they are joined to.

#pragma once

namespace bubblescope::viz {

class PanelTabs;
class TimelineStack;
class Workbench;

/// Fills the tabs. One more panel is one more line in all_panels.cpp.
void addPanels(PanelTabs& tabs, Workbench& workbench, TimelineStack& stack);

} // namespace bubblescope::viz
