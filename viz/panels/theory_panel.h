// Theory, prediction and measurement side by side, each figure with its definition.

#pragma once

#include "viz/panels/run_panel.h"

namespace bubblescope::viz {

class TheoryModel;

class TheoryPanel : public RunPanel {
    Q_OBJECT

public:
    TheoryPanel();

    void setRuns(const std::vector<RunPtr>& runs) override;

private:
    TheoryModel* m_model;
};

} // namespace bubblescope::viz
