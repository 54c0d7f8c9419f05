// What if: the quantities that people try out, as sliders. Each change is an edit of the draft, and the
// prediction follows while the slider is dragged; one drag is one step of undo.

#pragma once

#include "viz/document/workbench.h"

#include <QWidget>

class QCheckBox;
class QComboBox;

namespace bubblescope::viz {

class SliderField;

class WhatIfPanel : public QWidget {
    Q_OBJECT

public:
    explicit WhatIfPanel(Workbench& workbench, QWidget* parent = nullptr);

    SliderField& microbatches() { return *m_microbatches; }

    SliderField& chunks(int slot) { return *m_chunks[static_cast<std::size_t>(slot)]; }

    SliderField& latency() { return *m_latency; }

    SliderField& bandwidth() { return *m_bandwidth; }

    SliderField& speed() { return *m_speed; }

    QComboBox& speedStage() { return *m_stage; }

    QCheckBox& recompute() { return *m_recompute; }

private:
    void showDraft();
    void showChunks(int slot);
    void showSpeed();

    template <class Change>
    void edit(const QString& what, int gesture, Change change);

    Workbench& m_workbench;
    SliderField* m_microbatches;
    std::array<SliderField*, draftSlots> m_chunks{};
    SliderField* m_latency;
    SliderField* m_bandwidth;
    QComboBox* m_stage;
    SliderField* m_speed;
    QCheckBox* m_recompute;
    bool m_showing = false;
};

/// The number of microbatches nearest to `wanted` that the families of both schedules can be built with; `wanted`
/// where there is none near. What a slider stops at: what is typed stays as typed.
int nearestBuildable(const Draft& draft, int wanted);

} // namespace bubblescope::viz
