#include "viz/edit/what_if_panel.h"

#include "viz/edit/slider_field.h"
#include "viz/inspector/inspector.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLabel>
#include <QVBoxLayout>

namespace bubblescope::viz {
namespace {

using Kind = SliderScale::Kind;

constexpr double gigabyte = 1e9;

bool canBuild(const Draft& draft, int slot, int microbatches)
{
    const RecipeSpec& spec = draft.schedule[static_cast<std::size_t>(slot)];
    const RecipeInfo& info = recipe(spec.id);
    try {
        checkParameters(info, spec.parameters);
        return info.problems({draft.common.stages, draft.chunksOf(slot), microbatches, spec.parameters}).empty();
    } catch (const Error&) {
        return false;
    }
}

} // namespace

int nearestBuildable(const Draft& draft, int wanted)
{
    const int reach = 2 * std::max(1, draft.common.stages);
    for (int off = 0; off <= reach; ++off)
        for (const int candidate : {wanted + off, wanted - off})
            if (candidate >= 1 && canBuild(draft, 0, candidate) && canBuild(draft, 1, candidate))
                return candidate;
    return wanted;
}

template <class Change>
void WhatIfPanel::edit(const QString& what, int gesture, Change change)
{
    if (m_showing)
        return;
    Draft draft = m_workbench.draft();
    change(draft);
    m_workbench.edit(draft, what, gesture);
}

WhatIfPanel::WhatIfPanel(Workbench& workbench, QWidget* parent)
    : QWidget(parent)
    , m_workbench(workbench)
    , m_microbatches(new SliderField(tr("Microbatches"), {Kind::Logarithmic, 1, 1024, 0}))
    , m_latency(new SliderField(tr("Link latency"), {Kind::Cubic, 0, 10, 3}))
    , m_bandwidth(new SliderField(tr("Link bandwidth"), {Kind::Logarithmic, 0.01, 1000, 2, true}))
    , m_stage(new QComboBox)
    , m_speed(new SliderField(tr("Speed of"), {Kind::Logarithmic, 0.25, 4, 2}))
    , m_recompute(new QCheckBox(tr("Recompute activations")))
{
    setAccessibleName(tr("What if"));
    auto* column = new QVBoxLayout(this);
    const int line = fontMetrics().height();
    column->setContentsMargins(line, line * 3 / 4, line, line * 3 / 4);
    column->setSpacing(line / 2);
    column->addWidget(captionLabel(tr("What if")));
    m_microbatches->setHint(
        tr("Microbatches of a step. The slider stops at numbers that both schedules can be built with."));
    m_latency->setSuffix(tr(" ms"));
    m_latency->setHint(tr("What a message needs from one device to the next, whatever its size."));
    m_bandwidth->setSuffix(tr(" GB/s"));
    m_bandwidth->setSpecialText(tr("unlimited"));
    m_bandwidth->setHint(tr("Bytes per second of a link. Unlimited: the size of a message doesn't matter."));
    m_speed->setSuffix(tr(" ×"));
    m_speed->setHint(tr("How fast the tasks of this stage run: 0.5 takes twice as long. Where B has other stages, the "
                        "same part of the model changes."));
    m_stage->setAccessibleName(tr("Stage whose speed changes"));
    m_speed->setChooser(m_stage);
    m_recompute->setToolTip(tr("Backward passes compute the activations again instead of keeping them."));
    column->addWidget(m_microbatches);
    for (int slot = 0; slot < draftSlots; ++slot) {
        auto*& field = m_chunks[static_cast<std::size_t>(slot)];
        field = new SliderField(tr("Chunks of %1").arg(QChar(u'A' + slot)), {Kind::Linear, 1, 8, 0});
        field->setHint(tr("Stages of the model that a device holds."));
        connect(field, &SliderField::edited, this, [this, slot](double value, int gesture) {
            const int wanted = static_cast<int>(value);
            if (wanted == m_workbench.draft().chunksOf(slot))
                return;
            edit(tr("change chunks"), gesture, [&](Draft& draft) {
                draft.setSchedule(slot, draft.schedule[static_cast<std::size_t>(slot)], wanted);
            });
        });
        column->addWidget(field);
    }
    for (QWidget* widget : {static_cast<QWidget*>(m_latency), static_cast<QWidget*>(m_bandwidth),
                            static_cast<QWidget*>(m_speed), static_cast<QWidget*>(m_recompute)})
        column->addWidget(widget);
    column->addStretch(1);
    connect(m_microbatches, &SliderField::edited, this, [this](double value, int gesture, bool dragged) {
        const int typed = static_cast<int>(value);
        const int wanted = dragged ? nearestBuildable(m_workbench.draft(), typed) : typed;
        if (wanted != m_workbench.draft().common.microbatches)
            edit(tr("change microbatches"), gesture, [&](Draft& draft) { draft.common.microbatches = wanted; });
    });
    connect(m_latency, &SliderField::edited, this, [this](double value, int gesture) {
        edit(tr("change the link"), gesture, [&](Draft& draft) { draft.common.comm = value; });
    });
    connect(m_bandwidth, &SliderField::edited, this, [this](double value, int gesture) {
        edit(tr("change the link"), gesture, [&](Draft& draft) { draft.common.bandwidth = value * gigabyte; });
    });
    connect(m_speed, &SliderField::edited, this, [this](double value, int gesture) {
        const auto stage = static_cast<std::size_t>(std::max(0, m_stage->currentIndex()));
        edit(tr("change the speed of stage %1").arg(stage), gesture, [&](Draft& draft) {
            draft.common.stageSpeed = draft.speeds();
            if (stage < draft.common.stageSpeed.size())
                draft.common.stageSpeed[stage] = value;
        });
    });
    connect(m_stage, &QComboBox::currentIndexChanged, this, [this] { showSpeed(); });
    connect(m_recompute, &QCheckBox::toggled, this, [this](bool on) {
        edit(tr("change recomputation"), -1, [&](Draft& draft) { draft.common.recompute = on; });
    });
    connect(&workbench, &Workbench::draftChanged, this, &WhatIfPanel::showDraft);
    showDraft();
}

void WhatIfPanel::showChunks(int slot)
{
    const Draft& draft = m_workbench.draft();
    const RecipeInfo& info = recipe(draft.schedule[static_cast<std::size_t>(slot)].id);
    SliderField& field = *m_chunks[static_cast<std::size_t>(slot)];
    constexpr int most = 8; // more is typed in the form
    field.setVisible(info.maximumChunks > info.minimumChunks);
    const double top = std::max(std::min(info.maximumChunks, most), draft.chunksOf(slot));
    field.setScale({Kind::Linear, static_cast<double>(info.minimumChunks), top, 0});
    field.setValue(draft.chunksOf(slot));
}

void WhatIfPanel::showSpeed()
{
    const std::vector<double> speeds = m_workbench.draft().speeds();
    const auto stage = static_cast<std::size_t>(std::max(0, m_stage->currentIndex()));
    m_speed->setValue(stage < speeds.size() ? speeds[stage] : 1);
}

void WhatIfPanel::showDraft()
{
    m_showing = true;
    const Draft& draft = m_workbench.draft();
    m_microbatches->setValue(draft.common.microbatches);
    for (int slot = 0; slot < draftSlots; ++slot)
        showChunks(slot);
    m_latency->setValue(draft.common.comm);
    m_bandwidth->setVisible(draft.common.model.layers > 0); // without a model messages have no size
    m_bandwidth->setValue(draft.common.bandwidth / gigabyte);
    const auto stages = static_cast<int>(draft.speeds().size());
    const int chosen = std::clamp(m_stage->currentIndex(), 0, std::max(0, stages - 1));
    if (m_stage->count() != stages) {
        m_stage->clear();
        for (int stage = 0; stage < stages; ++stage)
            m_stage->addItem(tr("stage %1").arg(stage));
        m_stage->setCurrentIndex(chosen);
    }
    showSpeed();
    m_recompute->setChecked(draft.common.recompute);
    m_showing = false;
}

} // namespace bubblescope::viz
