// A window with one of the panels below the timelines in front.

#pragma once

#include "tests/viz/support.h"

namespace bubblescope::viz::test {

/// The window with 1F1B and ZB-H1 on equal stages and a panel in front.
template <class Panel>
class PanelWindow : public TestWindow {
public:
    PanelWindow()
    {
        Draft draft = window.workbench().draft();
        draft.common.model.headCost = 0;
        draft.common.model.embeddingCost = 0;
        window.workbench().edit(draft, QStringLiteral("equal stages"));
        settle();
        window.panels().setCurrentWidget(&panel());
        QTest::qWait(20);
    }

    Panel& panel() { return *window.panels().template panel<Panel>(); }

    /// Until the panel's work in the background is done.
    void finish()
    {
        settle();
        (void)QTest::qWaitFor([this] { return !panel().job().running(); }, 30'000);
        QTest::qWait(20);
    }
};

} // namespace bubblescope::viz::test
